package planning

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"
)

// Options say what Expand makes of a target.
type Options struct {
	MayUseNone    bool // a parameter file that uses no template is not an error: it deploys nothing
	AllConditions bool // also what is not deployed since its condition is false
	Unfetched     bool // modules that cannot be fetched are no errors
	Lenient       bool // files that cannot be read are no errors
	// Plain is where the files of a target are that makes plain objects, whose objects are expanded, too; nil leaves them out.
	Plain *run.Shared
}

// Expand loads the program of a target and expands it. It returns nil where that fails; the outcome
// says why. What could be better is for lint to say: of the warnings, those of the values that are given here are left.
func Expand(ctx context.Context, found *cli.Reporter, side project.Side, r *run.Outcome, o Options) *expand.Result {
	var err error
	if r.Target, err = r.Target.Open(ctx, side); err == nil {
		r.Context, err = r.Target.ExpandContext()
	}
	if err != nil {
		r.Fail(err)
		return nil
	}
	ask := func(s *generate.Source) {
		s.AsCompiled, s.NoTemplate = true, o.MayUseNone
		s.Base.HideEnvironment, s.Base.Symbolic, s.Base.Unfetched, s.Base.Lenient = true, true, o.Unfetched, o.Lenient
	}
	defer func() {
		found.Judge(r.Findings, "")
		r.Findings = slices.DeleteFunc(r.Findings, func(f report.Finding) bool {
			if f.Severity != report.Error && strings.HasPrefix(f.Code, "recipe-") {
				r.Missing = append(r.Missing, f)
			}
			return f.Severity != report.Error && f.Code != params.CodeType
		})
	}()
	var plain *generate.ObjectOptions
	if o.Plain != nil && r.Target.Kind().OfAnyKind() {
		options := r.ObjectOptions(ctx, side, ask, o.Plain)
		plain, r.Context = &options, options.Context
		if r.Failed() {
			return nil
		}
	}
	p := r.Load(ctx, side, ask)
	p.Plain = plain
	if p.Failed() == nil {
		r.Program = p
	}
	predict := p.Expand
	if o.AllConditions {
		predict = p.ExpandAll
	}
	result, said, err := predict(r.Context)
	if r.Note(said); err != nil && !r.Failed() { // all else is in what was found
		r.Fail(cli.ProgramError(err, r.Target.ListedAt))
	}
	return result
}

// predict expands a target of one side.
func (p *Planner) predict(ctx context.Context, side project.Side, r *run.Outcome, shared *run.Shared) *expand.Result {
	if p.Against != "" { // a DeploymentTemplate, which holds no objects
		shared = nil
	}
	return Expand(ctx, p.Reporter, side, r, Options{MayUseNone: true, AllConditions: p.AllConditions, Unfetched: true, Plain: shared})
}

// predictBase is predict for what is compared with. Nil is a template or a
// parameter file that the revision does not have: then all is new.
func (p *Planner) predictBase(ctx context.Context, r *run.Outcome) *expand.Result {
	files := []string{r.Target.Input}
	for _, a := range r.Target.Args {
		if path := a.Source().Path; path != "" {
			files = append(files, path)
		}
	}
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil || !p.Base.Was.Tree().Contains(abs) {
			continue
		}
		if _, err := p.Base.Was.Tree().Stat(abs); errors.Is(err, fs.ErrNotExist) {
			r.Notices = append(r.Notices,
				fmt.Sprintf("%s is not in %s, so everything is new", p.Base.Was.Shown(abs), p.Base.Was.Tree().Revision))
			return nil
		}
	}
	var lacks []string // files of recipes that the command line names, and that are new
	t, said := *r.Target, *r.Target.Settings
	said.Recipes = said.Recipes.At(func(path string) string {
		abs, err := filepath.Abs(path)
		if err != nil || !p.Base.Was.Tree().Contains(abs) {
			return path
		}
		if _, err := p.Base.Was.Tree().Stat(abs); !errors.Is(err, fs.ErrNotExist) {
			return path
		}
		lacks = append(lacks, fmt.Sprintf("%s is not in %s", p.Base.Was.Shown(abs), p.Base.Was.Tree().Revision))
		return ""
	})
	t.Settings, r.Target = &said, &t
	result := p.predict(ctx, p.Base.Was, r, &p.files[1])
	r.Notices = lacks
	r.Findings = slices.DeleteFunc(r.Findings,
		func(f report.Finding) bool { return f.Severity != report.Error && f.Code == params.CodeType })
	for i := range r.Findings {
		if r.Findings[i].Severity == report.Error {
			r.Findings[i].Message += " (in revision " + p.Base.Was.Tree().Revision + ")"
		}
	}
	return result
}
