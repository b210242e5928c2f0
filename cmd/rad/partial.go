package main

import (
	"context"
	"slices"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/params"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// buildParams compiles a .bicepparam file that may leave out parameters. declared is what
// the template at a path declares, or nil if that is not known yet.
//
// The official compiler prints nothing for such a file. It is then run once more, with
// placeholders for the parameters that are missing, which are removed from the result.
func (g *generator) buildParams(ctx context.Context, r *outcome, path, template string, declared *params.Declarations, only bool) *bicep.Result {
	q := g.request(path)
	q.Partial, q.ParametersOnly = true, only
	if declared != nil {
		q.Secure = declared.SecureNames()
	}
	result, err := g.compile.compiler.BuildParams(ctx, q)
	if g.compile.external && err == nil && onlyMissing(result) {
		if again, e := g.buildWithPlaceholders(ctx, q, template, declared); e != nil || again != nil {
			result, err = again, e
		}
	}
	r.note(result, path)
	if err != nil {
		r.fail(cli.FailWith(cli.ExitIO, err))
		return nil
	}
	return result
}

// onlyMissing reports whether all that is wrong with a parameter file is that it leaves out
// parameters.
func onlyMissing(result *bicep.Result) bool {
	missing := false
	for _, f := range result.Findings {
		if f.Severity != report.Error {
			continue
		}
		if f.Code != "BCP258" {
			return false
		}
		missing = true
	}
	return missing
}

// buildWithPlaceholders compiles a .bicepparam file with placeholders for the parameters
// that it leaves out: those that its template requires, and that neither the file nor one
// that it extends assigns. It returns nil if the template is not known.
func (g *generator) buildWithPlaceholders(ctx context.Context, q bicep.Request, template string, declared *params.Declarations) (*bicep.Result, error) {
	using, err := bicep.Using(q.FS, q.File)
	if err != nil || using == "" && declared == nil {
		return nil, err
	}
	if declared == nil || using != "" && !workdir.SameFile(using, template) {
		built, err := g.compile.compiler.Build(ctx, g.request(using))
		if err != nil || !built.OK() {
			return built, err
		}
		tree, err := built.TemplateTree()
		if err != nil {
			return nil, err
		}
		declared = params.Declare(tree)
	}
	assigned, err := bicep.AssignedParameters(q.FS, q.File)
	if err != nil {
		return nil, err
	}
	overrides := armjson.NewObject()
	for _, d := range declared.All() {
		if d.Required() && !assigned[d.Name] {
			overrides.Set(d.Name, d.Placeholder())
		}
	}
	q.Overrides = armjson.Text(overrides)
	result, err := g.compile.compiler.BuildParams(ctx, q)
	if err != nil || !result.OK() {
		return result, err
	}
	result.Assigned = slices.DeleteFunc(result.Assigned, func(a bicep.Assigned) bool { return overrides.Find(a.Name) >= 0 })
	return result, nil
}
