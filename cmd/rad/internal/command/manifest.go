package command

import (
	"cmp"
	"context"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"
)

// template makes the DeploymentTemplate of a target: load its program, build, render.
func (m *maker) template(ctx context.Context, side project.Side, r *run.Outcome) {
	t := r.Target
	p := r.Load(ctx, side, m.ask)
	options := t.ManifestOptions()
	r.Making = string(options.Target)
	options.Comments = r.Header
	if options.Name = cmp.Or(t.Name, p.Name); p.Path != "" {
		if err := options.Check(); err != nil {
			r.Fail(cli.FailWith(cli.ExitUsage, t.OptionError(err)))
		}
	}
	secure := params.SecurePolicy(side.SecureParameters)
	values, found := p.Written(secure, nil)
	m.explained(r, p, values)
	if r.Err != nil {
		r.Note(found)
		return
	}
	made, found, err := p.Manifest(options, secure)
	switch r.Note(found); {
	case r.Failed():
		return
	case err != nil:
		r.Fail(cli.Fail(cli.ExitSource, "%s: %w", t.Arg, cli.OptionError(err)))
		return
	}
	r.Manifest, r.Private = made, values.Private()
	if r.Content, err = made.Render(t.Format()); err != nil {
		r.Fail(cli.Fail(cli.ExitSource, "%s: %w", t.Arg, err))
	}
}

// explained says where the value of each parameter came from, if that is asked for.
func (m *maker) explained(r *run.Outcome, p *generate.Program, values params.Values) {
	if !m.explain || p.Declared == nil || p.Err != nil {
		return
	}
	list := []run.Explained{}
	from := map[string]params.Entry{}
	for _, e := range p.Given {
		from[e.Name] = e
	}
	final := map[string]params.Bound{}
	for _, v := range values {
		final[v.Name] = v
	}
	for _, d := range p.Declared.All() {
		e, given := from[d.Name]
		v, ok := final[d.Name]
		one := run.Explained{Name: d.Name}
		if given {
			one.Source = e.Source.String()
		}
		switch {
		case v.InSecret:
			one.State = "secret"
		case !given && d.HasDefault:
			if one.State = "default"; d.Default() != nil {
				one.Value = cli.RawJSON(d.Default())
			}
		case !given:
			one.State = "absent"
		case !ok:
			one.State = "unused"
		case v.Reference != nil:
			one.State = "reference"
		case !v.Mark.Shown():
			one.State = "secure"
		default:
			one.State, one.Value = "given", cli.RawJSON(v.Value)
		}
		list = append(list, one)
	}
	r.Explain = list
}
