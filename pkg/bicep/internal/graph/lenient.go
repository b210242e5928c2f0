package graph

import (
	"cmp"
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
	m, ok := ref.Stmt.(*syntax.Module)
	if !ok || ref.File != nil || ref.Problem == nil {
		return
	}
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
				value := armjson.String("[unreadableModule('" + strings.ReplaceAll(m.Name.Name, "'", "''") + "').outputs." + a.Name.Name + "]")
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
	template := armjson.NewObject(
		armjson.Member{Key: "$schema", Value: armjson.String("https://schema.management.azure.com/schemas/" + standInSchema(f, m))},
		armjson.Member{Key: "contentVersion", Value: armjson.String("1.0.0.0")},
		armjson.Member{Key: "parameters", Value: parameters},
		armjson.Member{Key: "resources", Value: resources},
		armjson.Member{Key: "outputs", Value: outputs})
	name := ref.target
	if name == "" {
		name = f.Path + "#" + m.Name.Name
	}
	f.Missing(ref.Span(), ref.Problem)
	ref.Problem = nil
	ref.File = &File{Kind: ARMTemplate, Path: name, Source: source.NewFile(name, ""), Template: template, Config: f.Config}
	l.connect(ref.File)
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
