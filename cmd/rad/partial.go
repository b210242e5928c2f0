package main

import (
	"context"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/params"
)

// buildParams compiles a .bicepparam file that may leave out parameters. declared
// is what its template declares, if that is known.
//
// The official compiler prints nothing for such a file. It is run once more then,
// with values in place of those that are missing, which are taken out again.
func (g *generator) buildParams(ctx context.Context, r *outcome, path string, declared *params.Declarations, only bool) *bicep.Result {
	q := g.request(path)
	q.Partial, q.ParametersOnly = true, only
	if declared != nil {
		q.Secure = declared.SecureNames()
	}
	result, err := g.compile.compiler.BuildParams(ctx, q)
	if g.compile.external && err == nil {
		if missing := onlyMissing(result); missing != nil {
			if again, e := g.buildWithPlaceholders(ctx, q, missing, declared); e != nil || again != nil {
				result, err = again, e
			}
		}
	}
	r.note(result, path)
	if err != nil {
		r.fail(failWith(exitIO, err))
		return nil
	}
	return result
}

// onlyMissing returns the names of the parameters that a file leaves out, if that
// is all that is wrong with it.
func onlyMissing(result *bicep.Result) []string {
	var names []string
	for _, f := range result.Findings {
		if f.Severity != report.Error {
			continue
		}
		if f.Code != "BCP258" {
			return nil
		}
		for i, part := range strings.Split(f.Message, `"`) {
			if i%2 == 1 {
				names = append(names, part)
			}
		}
	}
	return names
}

// buildWithPlaceholders compiles a .bicepparam file as if it gave values for the
// parameters that it leaves out. It returns nil if it cannot be known which.
func (g *generator) buildWithPlaceholders(ctx context.Context, q bicep.Request, missing []string, declared *params.Declarations) (*bicep.Result, error) {
	if declared == nil {
		using, err := bicep.Using(q.FS, q.File)
		if err != nil || using == "" {
			return nil, err
		}
		template, err := g.compile.compiler.Build(ctx, g.request(using))
		if err != nil || !template.OK() {
			return template, err
		}
		tree, err := template.TemplateTree()
		if err != nil {
			return nil, err
		}
		declared = params.Declare(tree)
	}
	overrides := armjson.NewObject()
	for _, d := range declared.All() {
		if slices.Contains(missing, d.Name) {
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
