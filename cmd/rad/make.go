package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// make makes the manifest of one task: load its program, build, render.
func (g *generator) make(ctx context.Context, r *outcome) {
	t := r.task
	if k := g.Kind(t); k != nil {
		g.makeObjects(ctx, r, k)
		return
	}
	p := g.Load(ctx, r.task, func(s *generate.Source) { s.Secure = params.SecurePolicy(g.Project.SecureParameters) })
	defer func() { r.settle(p) }()
	options := g.ManifestOptions(t)
	if options.Name = cmp.Or(t.Name, p.Name); p.Path != "" {
		if err := options.Check(); err != nil {
			r.fail(cli.Fail(cli.ExitUsage, "%s: %w", g.OptionPlace(t, err), cli.OptionError(err)))
		}
	}
	g.explain(r, p)
	if r.err != nil || p.Failed() != nil {
		return
	}
	r.private = p.Private()
	m, err := p.Manifest(options)
	if err != nil {
		r.fail(cli.Fail(cli.ExitSource, "%s: %w", t.Arg, cli.OptionError(err)))
		return
	}
	r.manifest = m
	if r.content, err = m.Render(manifest.Format(g.Project.OutputFormat)); err != nil {
		r.fail(err)
	}
}

// explained says where the value of a parameter came from.
type explained struct {
	Name   string          `json:"name"`
	State  string          `json:"state" enum:"given,reference,secure,unused,default,absent" doc:"secure: the value is not shown; unused: the value was left out; default: that of the template; absent: there is no value"`
	Source string          `json:"source,omitempty" doc:"where the value was given"`
	Value  json.RawMessage `json:"value,omitempty"`
}

func (e explained) String() string {
	switch e.State {
	case "default":
		return e.Name + ": the template's default"
	case "absent":
		return e.Name + ": not given"
	case "unused":
		return fmt.Sprintf("%s: from %s, not used", e.Name, e.Source)
	case "reference":
		return fmt.Sprintf("%s = (key vault reference), from %s", e.Name, e.Source)
	case "secure":
		return fmt.Sprintf("%s = (secure), from %s", e.Name, e.Source)
	}
	return fmt.Sprintf("%s = %s, from %s", e.Name, e.Value, e.Source)
}

// explain says where the value of each parameter came from, if that is asked for.
func (g *generator) explain(r *outcome, p *generate.Program) {
	if !g.options.explainValues || p.Declared == nil || p.Err != nil {
		return
	}
	list := []explained{}
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
		one := explained{Name: d.Name}
		if given {
			one.Source = e.Source.String()
		}
		switch {
		case !given && d.HasDefault:
			one.State = "default"
		case !given:
			one.State = "absent"
		case !ok:
			one.State = "unused"
		case v.Reference != nil:
			one.State = "reference"
		case v.Hidden():
			one.State = "secure"
		default:
			one.State, one.Value = "given", cli.RawJSON(v.Value)
		}
		list = append(list, one)
	}
	r.explain = list
}

// settle takes what was found in a program, once it is known.
func (r *outcome) settle(p *generate.Program) {
	cli.AddRemedies(p.Findings)
	r.findings = append(p.Findings, r.findings...)
	r.missing, r.notices, r.files = append(r.missing, p.Missing...), append(p.Notices, r.notices...), append(r.files, p.Files...)
	if p.Err != nil {
		r.err = errors.Join(cli.ProgramError(p.Err, r.task.Listed), r.err)
	}
}
