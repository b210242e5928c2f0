package run

import (
	"cmp"
	"context"

	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/generate"
)

// Ask is what a command asks of the program of a target. The fields are those of generate.Source and of its requests; an
// external compiler gets no options.
type Ask struct {
	AsCompiled       bool
	Existing         bool
	NoTemplate       bool
	ReadOn           bool
	Symbolic         bool
	Lenient          bool
	Unfetched        bool
	HideEnvironment  bool
	NoRestore        bool
	LineEnds         bool
	Advice           bicep.Advice
	GeneratorVersion string // where the settings name none
	Compiled         func(*generate.Program)
}

// Load compiles the template of a target, as it is on a side, and binds its parameters. The program is never nil: what
// went wrong is in it.
func Load(ctx context.Context, side project.Side, t *targets.Target, ask Ask) *generate.Program {
	t, err := t.Open(ctx, side)
	if err != nil {
		return &generate.Program{Err: err}
	}
	s := generate.Source{
		Compiler: side.Compiler, Base: side.Base, Host: side,
		AsCompiled: ask.AsCompiled, Existing: ask.Existing, NoTemplate: ask.NoTemplate,
		ReadOn: ask.ReadOn, Compiled: ask.Compiled,
	}
	s.Base.NoRestore = s.Base.NoRestore || ask.NoRestore
	o := &s.Base.Options
	o.Symbolic, o.Lenient, o.Unfetched = ask.Symbolic, ask.Lenient, ask.Unfetched
	o.HideEnvironment, o.LineEnds, o.Advice = ask.HideEnvironment, ask.LineEnds, ask.Advice
	o.GeneratorVersion = cmp.Or(o.GeneratorVersion, ask.GeneratorVersion)
	s.Base = side.Request(s.Base, t.Input)
	p, _ := generate.Load(ctx, s, t.GenerateInput()) // what went wrong is in p
	if t.WantsFile && p.Failed() == nil {
		p.Err = &generate.TemplateError{Problem: generate.NotFile, File: t.Arg, Text: "it uses no template that is a file"}
	}
	return p
}
