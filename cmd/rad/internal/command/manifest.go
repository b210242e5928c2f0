package command

import (
	"cmp"
	"context"
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"
)

// make makes the manifest of one task: load its program, build, render.
func (g *generator) make(ctx context.Context, r *deliver.Outcome) {
	t := r.Target
	if err := g.Open(ctx, t); err != nil {
		r.Fail(err)
		return
	}
	r.Header = g.Header(t)
	if k := t.Kind(); k != nil {
		g.makeObjects(ctx, r, k)
		return
	}
	p := g.Load(ctx, r.Target, func(s *generate.Source) { s.Secure = params.SecurePolicy(g.Project.SecureParameters) })
	defer func() { r.Settle(p) }()
	options := g.ManifestOptions(t)
	r.Making = string(options.Target)
	options.Comments = r.Header
	if options.Name = cmp.Or(t.Name, p.Name); p.Path != "" {
		if err := options.Check(); err != nil {
			r.Fail(cli.FailWith(cli.ExitUsage, t.OptionError(err)))
		}
	}
	g.explain(r, p)
	if r.Err != nil || p.Failed() != nil {
		return
	}
	r.Private = p.Private()
	m, err := p.Manifest(options)
	if err != nil {
		r.Fail(cli.Fail(cli.ExitSource, "%s: %w", t.Arg, cli.OptionError(err)))
		return
	}
	r.Manifest = m
	if r.Content, err = m.Render(g.Format(t)); err != nil {
		r.Fail(cli.Fail(cli.ExitSource, "%s: %w", t.Arg, err))
	}
}

// explain says where the value of each parameter came from, if that is asked for.
func (g *generator) explain(r *deliver.Outcome, p *generate.Program) {
	if !g.flags.explainValues || p.Declared == nil || p.Err != nil {
		return
	}
	list := []deliver.Explained{}
	from := map[string]params.Entry{}
	for _, e := range p.Given {
		from[e.Name] = e
	}
	final := map[string]params.Bound{}
	for _, v := range p.Values {
		final[v.Name] = v
	}
	for _, d := range p.Declared.All() {
		e, given := from[d.Name]
		v, ok := final[d.Name]
		one := deliver.Explained{Name: d.Name}
		if given {
			one.Source = e.Source.String()
		}
		switch {
		case slices.Contains(p.InSecret, d.Name):
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
