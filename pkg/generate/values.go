package generate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// merge reads what is given for the template's parameters, and lays it over each other.
func (p *Program) merge(ctx context.Context, own *bicep.Result) {
	var layers []params.Layer
	if own != nil {
		layers = append(layers, p.assigned(own, p.input.Template))
	}
	before := len(p.Findings)
	add := func(layer params.Layer, problems []params.Problem) {
		p.problems(problems)
		layers = append(layers, layer)
	}
	if b := p.input.Bundle; b != nil && b.Values != nil {
		add(params.ReadFile(b.Values, params.Source{Text: p.input.Text}, p.Declared))
	}
	in := params.Inputs{
		File: func(path string) ([]byte, error) {
			p.Files = append(p.Files, path)
			return p.source.Host.ReadFile(path)
		},
		Stdin: p.source.Host.ReadStdin,
		Env:   p.source.Base.Env,
		Bicep: func(path string) (params.Layer, error) { return p.bicepLayer(ctx, path) },
	}
	asked := len(layers) // where begins what is asked for now
	for i, arg := range p.input.Args {
		layer, problems, err := arg.ReadFrom(in, p.Declared)
		if err != nil {
			p.fail(err)
		}
		if arg.Kind == params.ArgEnvironment && p.source.Base.HideEnvironment {
			for i := range layer {
				layer[i].Value, layer[i].Mark = params.JSON{Value: expand.FromEnvironment(arg.Value)}, 0
			}
		}
		if add(layer, problems); i < p.input.Own {
			asked = len(layers)
		}
	}
	merged, problems := p.Declared.Merge(layers...)
	p.problems(problems)
	p.Given = p.fallBack(merged, layers[asked:])
	p.incomplete = report.AnyError(p.Findings[before:])
}

// bind holds the values to the declarations.
func (p *Program) bind() {
	p.binding, p.before = p.Declared.Bind(p.Given), len(p.Findings)
	p.problems(p.binding.Problems())
	p.Values, _ = p.binding.Values(params.SecureAllow)
}

// need says which parameters have to have a value.
type need uint8

const (
	needAll   need = iota
	needPlain      // those that are not secure
	needNone
)

// Written returns the values that a DeploymentTemplate holds, or objects of a kind are made with, and what is found: also a
// value that must not be written, a parameter without one. "" is params.SecureError.
func (p *Program) Written(secure params.SecurePolicy, k *Kind) (params.Values, Found) {
	if k != nil {
		return p.written(secure, needPlain)
	}
	return p.written(secure, needAll)
}

func (p *Program) written(secure params.SecurePolicy, need need) (params.Values, Found) {
	if p.binding == nil {
		return nil, Found{Findings: slices.Clone(p.Findings), Notices: slices.Clone(p.Notices)}
	}
	values, problems := p.binding.Values(secure)
	if p.incomplete || need == needNone { // what could not be read may well hold what is missing
		problems = params.WithoutMissing(problems)
	}
	if need == needPlain {
		names := p.Declared.SecureNames()
		problems = slices.DeleteFunc(problems, func(one params.Problem) bool {
			return (one.Code == params.CodeMissing || one.Code == params.CodeSecure && one.Warning) && slices.Contains(names, one.Parameter)
		})
	}
	findings := slices.Concat(p.Findings[:p.before], p.findingsOf(problems, p.Path))
	return values, Found{Findings: findings, Notices: slices.Clone(p.Notices)}
}

// bicepLayer compiles a .bicepparam file that is given beside a template.
func (p *Program) bicepLayer(ctx context.Context, name string) (params.Layer, error) {
	path, err := filepath.Abs(name)
	if err == nil {
		_, err = p.source.Host.Stat(path)
	}
	if err != nil {
		p.Files = append(p.Files, name)
		return nil, &params.ReadError{Arg: params.Arg{Kind: params.ArgBicepFile, Value: name}, Err: err}
	}
	if using, err := bicep.Using(p.source.request(path).FS, path); err == nil && using != "" && !p.same(using, p.Path) {
		p.Files = append(p.Files, path)
		p.Findings = append(p.Findings, report.Finding{Path: path, Severity: report.Error, Code: params.CodeFile,
			Message: fmt.Sprintf("This file is for the template %s, not for %s; change its `using`, or name the other template.",
				p.source.Host.Shown(using), p.source.Host.Shown(p.Path))})
		return nil, nil
	}
	result := p.buildParams(ctx, path, true)
	if result == nil || !result.OK() {
		return nil, nil
	}
	return p.assigned(result, path), nil
}

// same reports whether two paths lead to one file.
func (p *Program) same(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := p.source.request(a).FS.Stat(a)
	y, err2 := p.source.request(b).FS.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// assigned returns the layer of a .bicepparam file that was compiled.
func (p *Program) assigned(result *bicep.Result, path string) params.Layer {
	var layer params.Layer
	for _, a := range result.Assigned {
		e := params.Entry{Name: a.Name, Source: params.Source{Text: p.source.Host.Shown(path), Path: path}, Mark: a.Mark}
		if a.Path != "" {
			e.Source = params.Source{Text: p.source.Host.Shown(a.Path), Path: a.Path, Line: a.At.Line}
		}
		switch {
		case a.Reference != nil:
			e.Value = params.Reference{Object: a.Reference}
		case a.Value != nil:
			e.Value = params.JSON{Value: a.Value}
		default:
			e.Value = params.Expression(a.Expression)
		}
		layer = append(layer, e)
	}
	p.Findings = append(p.Findings, p.findingsOf(layer.Twins(), path)...)
	return layer
}

// fallBack gives parameters their fallbacks, where the template declares them and nothing else
// was given. asked are the layers of what is asked for now.
func (p *Program) fallBack(merged params.Layer, asked []params.Layer) params.Layer {
	for _, f := range p.input.Fallbacks {
		value := f.Value
		if value == "" || !p.Declared.Has(f.Parameter) {
			continue
		}
		if !strings.HasPrefix(value, "/") && p.input.Group != "" {
			value = "/planes/radius/local/resourceGroups/" + p.input.Group +
				"/providers/" + coreNamespace(p.Tree) + "/" + f.Kind + "/" + value
		}
		given := func(e params.Entry) bool { return e.Name == f.Parameter }
		i := slices.IndexFunc(merged, given)
		if i < 0 {
			merged = append(merged,
				params.Entry{Name: f.Parameter, Value: params.JSON{Value: armjson.String(value)}, Source: params.Source{Text: f.Source}})
			continue
		}
		if j, _ := merged[i].Value.(params.JSON); expand.IsSecure(j.Value) {
			continue // nobody looks at what the environment gives
		}
		now := slices.ContainsFunc(asked, func(l params.Layer) bool { return slices.ContainsFunc(l, given) })
		if is := merged[i].Value; f.Firm && !now && is != params.Text(value) && is != (params.JSON{Value: armjson.String(value)}) {
			p.fail(&FallbackError{Fallback: f, By: merged[i].Source})
		}
	}
	return merged
}

// coreNamespace returns the provider that a template's environments belong to: the
// newer one if its resources, those of modules included, are of that family only.
func coreNamespace(template *armjson.Object) string {
	newer := false
	for _, kind := range manifest.ResourceTypes(template) {
		switch family, _, _ := strings.Cut(strings.ToLower(kind), "."); family {
		case "applications":
			return "Applications.Core"
		case "radius":
			newer = true
		}
	}
	if newer {
		return "Radius.Core"
	}
	return "Applications.Core"
}

// declare reads what the template declares, once.
func (p *Program) declare(tree *armjson.Object) {
	if p.Declared == nil {
		p.Declared = params.Declare(tree)
	}
}

// buildParams compiles a .bicepparam file that may leave out parameters. only leaves out the
// template that it uses. It returns nil if the compiler could not do its work.
func (p *Program) buildParams(ctx context.Context, path string, only bool) *bicep.Result {
	q := p.source.request(path)
	if p.Declared != nil {
		q.Secure = p.Declared.SecureNames()
	}
	plain := q
	q.Partial, q.ParametersOnly = true, only
	result, err := p.source.Compiler.BuildParams(ctx, q)
	if unsupported := new(bicep.UnsupportedError); errors.As(err, &unsupported) {
		result, err = p.buildPlainParams(ctx, plain)
	}
	p.note(result, path)
	if err != nil {
		p.fail(err)
		return nil
	}
	return result
}

// buildPlainParams is for a compiler that makes nothing of such a file. It is then run once more, with
// placeholders for the parameters that are missing, which are removed from the result.
func (p *Program) buildPlainParams(ctx context.Context, q bicep.Request) (*bicep.Result, error) {
	result, err := p.source.Compiler.BuildParams(ctx, q)
	if err == nil && onlyMissing(result) {
		if again, e := p.buildWithPlaceholders(ctx, q); e != nil || again != nil {
			return again, e
		}
	}
	return result, err
}

// onlyMissing reports whether all that is wrong with a parameter file is that it leaves out
// parameters.
func onlyMissing(result *bicep.Result) bool {
	return !result.OK() && !slices.ContainsFunc(result.Findings, func(f report.Finding) bool {
		return f.Severity == report.Error && f.Code != "BCP258"
	})
}

// buildWithPlaceholders compiles a .bicepparam file with placeholders for the parameters
// that it leaves out: those that the template requires, and that neither the file nor one
// that it extends assigns. It returns nil if the template is not known.
func (p *Program) buildWithPlaceholders(ctx context.Context, q bicep.Request) (*bicep.Result, error) {
	if p.Declared == nil { // the file names the template
		using, err := bicep.Using(q.FS, q.File)
		if err != nil || using == "" {
			return nil, err
		}
		built, err := p.source.Compiler.Build(ctx, p.source.request(using))
		if err != nil || !built.OK() {
			return built, err
		}
		tree, err := built.TemplateTree()
		if err != nil {
			return nil, err
		}
		p.declare(tree)
	}
	assigned, err := bicep.AssignedParameters(q.FS, q.File)
	if err != nil {
		return nil, err
	}
	overrides := armjson.NewObject()
	for _, d := range p.Declared.All() {
		if d.Required() && !assigned[d.Name] {
			overrides.Set(d.Name, d.Placeholder())
		}
	}
	q.Overrides = armjson.Text(overrides)
	result, err := p.source.Compiler.BuildParams(ctx, q)
	if err != nil || !result.OK() {
		return result, err
	}
	result.Assigned = slices.DeleteFunc(result.Assigned, func(a bicep.Assigned) bool { return overrides.Find(a.Name) >= 0 })
	return result, nil
}
