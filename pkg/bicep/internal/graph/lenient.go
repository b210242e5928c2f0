package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// A lenient program is compiled although files that it refers to cannot be read:
// modules have stand-ins, and what load functions would return is not known.

// Lenient reports whether the file's program goes on without files that cannot be read.
func (f *File) Lenient() bool { return f.program != nil && f.program.lenient }

// Missing notes that something was not read which the text at a place refers to.
func (f *File) Missing(at source.Span, p *diag.Problem) {
	f.program.mu.Lock()
	defer f.program.mu.Unlock()
	d := p.At(at)
	d.File = f.Source
	for _, old := range f.program.missing {
		if old.File == d.File && old.Span == d.Span {
			return
		}
	}
	f.program.missing = append(f.program.missing, d)
}

// MissingFiles returns what Missing noted, by file and place.
func (p *Program) MissingFiles() []diag.Diagnostic {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := slices.Clone(p.missing)
	slices.SortStableFunc(list, func(a, b diag.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.File.Path, b.File.Path), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	return list
}

// standIn gives a module that cannot be read a template that takes what the module
// is given, and has the outputs that the file asks for. Nothing is known of them.
func (l *loader) standIn(f *File, ref *Reference) {
	if ref.File != nil || ref.Problem == nil {
		return
	}
	switch s := ref.Stmt.(type) {
	case *syntax.Module:
		l.use(f, ref, l.moduleStandIn(f, ref, s), s.Name.Name)
	case *syntax.Import:
		l.use(f, ref, importStandIn(f, ref, s), "import")
	}
}

// use puts a template in the place of a file that cannot be read.
func (l *loader) use(f *File, ref *Reference, template *armjson.Object, name string) {
	path := cmp.Or(ref.target, f.Path+"#"+name)
	f.Missing(ref.Span(), ref.Problem)
	ref.Problem = nil
	ref.File = &File{Kind: ARMTemplate, Path: path, Source: source.NewFile(path, ""), Template: template, Config: f.Config, StandIn: true}
	l.connect(ref.File)
}

func (l *loader) moduleStandIn(f *File, ref *Reference, m *syntax.Module) *armjson.Object {
	parameters, outputs, given := armjson.NewObject(), armjson.NewObject(), armjson.NewObject()
	if body := syntax.Body(m.Value); body != nil {
		if o, ok := body.PropertyValue("params").(*syntax.Object); ok {
			for _, item := range o.Items {
				if p, ok := item.(*syntax.Property); ok {
					if name, ok := p.KeyName(); ok {
						parameters.Set(name, armjson.NewObject())
						given.Set(name, armjson.String(armexpr.Text(armexpr.Fn("parameters", armexpr.Str(name)))))
					}
				}
			}
		}
	}
	syntax.Walk(f.Tree, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.PropertyAccess); ok && a.Name != nil {
			if of, ok := a.X.(*syntax.PropertyAccess); ok && of.Name != nil && strings.EqualFold(of.Name.Name, "outputs") {
				value := armjson.String("[unreadableModule('" + strings.ReplaceAll(m.Name.Name, "'", "''") +
					"').outputs." + a.Name.Name + "]")
				outputs.Set(a.Name.Name, armjson.NewObject(armjson.Member{Key: "value", Value: value}))
			}
		}
		return true
	})
	resources := armjson.Array{}
	if l.Unfetched {
		resources = append(resources, armjson.NewObject(
			armjson.Member{Key: "type", Value: armjson.String(armexpr.UnfetchedModule)},
			armjson.Member{Key: "apiVersion", Value: armjson.String(ref.Artifact.String())},
			armjson.Member{Key: "name", Value: armjson.String(m.Name.Name)},
			armjson.Member{Key: "properties", Value: given}))
	}
	return armjson.NewObject(
		armjson.Member{Key: "$schema", Value: armjson.String("https://schema.management.azure.com/schemas/" + standInSchema(f, m))},
		armjson.Member{Key: "contentVersion", Value: armjson.String("1.0.0.0")},
		armjson.Member{Key: "parameters", Value: parameters},
		armjson.Member{Key: "resources", Value: resources},
		armjson.Member{Key: "outputs", Value: outputs})
}

// importStandIn returns a template that exports what a file imports of one that cannot be read. Whether a name is that of a
// type, of a function or of a variable is told by its use. All of them are of any type, and their values are calls that
// name them and where they come from, so that another reference is another value.
func importStandIn(f *File, ref *Reference, stmt *syntax.Import) *armjson.Object {
	types, variables, exported, functions := armjson.NewObject(), armjson.NewObject(), armjson.Array{}, armjson.NewObject()
	mark := armjson.NewObject(armjson.Member{Key: armexpr.ExportedKey, Value: armjson.Bool(true)})
	for _, x := range importsOf(f, stmt) {
		args := []armexpr.Expr{armexpr.Str(x.name), armexpr.Str(ref.Text())}
		switch {
		case x.isType:
			types.Set(x.name, armjson.NewObject(armjson.Member{Key: "metadata", Value: mark}))
		case x.isCalled:
			params := armjson.Array{}
			for i := range x.args {
				name := fmt.Sprint("p", i)
				params = append(params, armjson.NewObject(armjson.Member{Key: "name", Value: armjson.String(name)}))
				args = append(args, armexpr.Fn("parameters", armexpr.Str(name)))
			}
			output := armjson.NewObject(armjson.Member{Key: "value",
				Value: armjson.String(armexpr.Text(armexpr.Fn(armexpr.UnfetchedCall, args...)))})
			functions.Set(x.name, armjson.NewObject(armjson.Member{Key: "parameters", Value: params},
				armjson.Member{Key: "output", Value: output}, armjson.Member{Key: "metadata", Value: mark}))
		default:
			exported = append(exported, armjson.NewObject(armjson.Member{Key: "name", Value: armjson.String(x.name)}))
			variables.Set(x.name, armjson.String(armexpr.Text(armexpr.Fn(armexpr.UnfetchedValue, args...))))
		}
	}
	namespace := armjson.NewObject(armjson.Member{Key: "namespace", Value: armjson.String(armexpr.UserNamespace)},
		armjson.Member{Key: "members", Value: functions})
	return armjson.NewObject(
		armjson.Member{Key: "$schema", Value: armjson.String("https://schema.management.azure.com/schemas/" + schemas["resourcegroup"])},
		armjson.Member{Key: "contentVersion", Value: armjson.String("1.0.0.0")},
		armjson.Member{Key: "metadata", Value: armjson.NewObject(armjson.Member{Key: armexpr.ExportedVariablesKey, Value: exported})},
		armjson.Member{Key: "definitions", Value: types},
		armjson.Member{Key: "functions", Value: armjson.Array{namespace}},
		armjson.Member{Key: "variables", Value: variables},
		armjson.Member{Key: "resources", Value: armjson.Array{}})
}

// importUse is a name that an import brings, and how the file uses it.
type importUse struct {
	name             string // in the other file
	isType, isCalled bool
	args             int // of a call
}

// importsOf returns what a file uses of an import, and how.
func importsOf(f *File, stmt *syntax.Import) []*importUse {
	var list []*importUse
	known := map[string]*importUse{} // by name in this file, or in the other file of a wildcard import
	add := func(here, there string) *importUse {
		if known[here] == nil {
			known[here] = &importUse{name: there}
			list = append(list, known[here])
		}
		return known[here]
	}
	var all *syntax.Ident // of a wildcard import
	switch s := stmt.Symbols.(type) {
	case *syntax.WildcardImport:
		all = s.As.Name
	case *syntax.ImportList:
		for _, item := range s.Items {
			if name, original, ok := item.Names(); ok && name != nil {
				add(name.Name, original)
			}
		}
	}
	of := func(x syntax.Node, name *syntax.Ident) *importUse {
		switch v := x.(type) {
		case nil:
			if all == nil && name != nil {
				return known[name.Name]
			}
		case *syntax.VarRef:
			if all != nil && v.Name.Name == all.Name && name != nil {
				return add(name.Name, name.Name)
			}
		case *syntax.TypeName:
			if all != nil && v.Name.Name == all.Name && name != nil {
				return add(name.Name, name.Name)
			}
		}
		return nil
	}
	syntax.Walk(f.Tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TypeName:
			if x := of(nil, n.Name); x != nil {
				x.isType = true
			}
		case *syntax.TypePropertyAccess:
			if x := of(n.X, n.Name); x != nil {
				x.isType = true
			}
		case *syntax.Call:
			if x := of(nil, n.Name); x != nil {
				x.isCalled, x.args = true, len(n.Args)
			}
		case *syntax.InstanceCall:
			if x := of(n.X, n.Name); x != nil {
				x.isCalled, x.args = true, len(n.Args)
			}
		case *syntax.PropertyAccess:
			of(n.X, n.Name)
		}
		return true
	})
	return list
}

// schemas are those of templates by what these are deployed to.
var schemas = map[string]string{
	"tenant":          "2019-08-01/tenantDeploymentTemplate.json#",
	"managementgroup": "2019-08-01/managementGroupDeploymentTemplate.json#",
	"subscription":    "2018-05-01/subscriptionDeploymentTemplate.json#",
	"resourcegroup":   "2019-04-01/deploymentTemplate.json#",
}

// standInSchema returns the schema of the template that stands in for a module: as
// the module's scope says, or else the file's target scope.
func standInSchema(f *File, m *syntax.Module) string {
	scope := "resourcegroup"
	for _, stmt := range f.Tree.Stmts {
		if t, ok := stmt.(*syntax.TargetScope); ok {
			if s, ok := t.Value.(*syntax.String); ok {
				if text, ok := s.Literal(); ok {
					scope = strings.ToLower(text)
				}
			}
		}
	}
	if body := syntax.Body(m.Value); body != nil {
		switch v := body.PropertyValue("scope").(type) {
		case nil:
		case *syntax.Call:
			scope = strings.ToLower(v.Name.Name)
		default:
			scope = "resourcegroup"
		}
	}
	if s, ok := schemas[scope]; ok {
		return s
	}
	return schemas["resourcegroup"]
}
