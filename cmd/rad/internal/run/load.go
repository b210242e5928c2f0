package run

import (
	"context"

	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/generate"
)

// Ask is what a command asks beside, of how a program is loaded. An external compiler gets no options.
type Ask func(*generate.Source)

// Load compiles the template of a target, as it is on a side, and binds its parameters. The program is never nil: what
// went wrong is in it.
func Load(ctx context.Context, side project.Side, t *targets.Target, ask Ask) *generate.Program {
	t, err := t.Open(ctx, side)
	if err != nil {
		return &generate.Program{Err: err}
	}
	s := generate.Source{Compiler: side.Compiler, Base: side.Base, Host: side}
	ask(&s)
	s.Base = side.Request(s.Base, t.Input)
	p, _ := generate.Load(ctx, s, t.GenerateInput()) // what went wrong is in p
	if t.WantsFile && p.Failed() == nil {
		p.Err = &generate.TemplateError{Problem: generate.NotFile, File: t.Arg, Text: "it uses no template that is a file"}
	}
	return p
}
