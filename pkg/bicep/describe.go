package bicep

import (
	"cmp"
	"context"
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

type object = map[string]any

// Describe returns what a .bicep or .bicepparam file declares, as the official compiler tells other programs in JSON: the
// statements for its users; its resources and modules, with what they need; and the files of the program in Bicep, those
// that they load, and configurations. The file may have errors.
func (Embedded) Describe(ctx context.Context, r Request) (metadata, graph map[string]any, files []string, err error) {
	defer contain(r.File, &err)
	r.DiagnoseOnly = true
	c, _, err := compileFrom(ctx, r, r.Workspace.take(&r), nil)
	if err != nil {
		return nil, nil, nil, err
	}
	metadata, graph, files = metadataOf(c.program.Entry()), graphOf(c.program.Entry()), c.described()
	r.Workspace.put(c)
	return metadata, graph, files, nil
}

// RangeOf returns the range between two positions, counted from 0.
func RangeOf(start, end source.Position) map[string]any {
	at := func(p source.Position) object { return object{"line": max(p.Line-1, 0), "char": max(p.Column-1, 0)} }
	return object{"start": at(start), "end": at(end)}
}

func rangeOf(m *check.Model, n syntax.Node) object {
	return RangeOf(m.Source().Position(n.Span().Start), m.Source().Position(n.Span().End))
}

// described returns the files of a description.
func (c *compilation) described() []string {
	files := slices.Clone(c.files.AuxFiles())
	for _, f := range c.files.Files {
		if f.Kind == graph.Bicep || f.Kind == graph.Params {
			files = append(files, f.Path, cmp.Or(f.Config.Path, f.Path)) // "" is the configuration that every file has
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	collate.SortFunc(files, func(path string) string { return path })
	return files
}

func metadataOf(m *check.Model) object {
	metadata, parameters, outputs, exports := []object{}, []object{}, []object{}, []object{}
	b := m.Binding()
	for _, one := range b.Metadata {
		if s, ok := one.Stmt.Value.(*syntax.String); ok && len(s.Exprs()) == 0 {
			metadata = append(metadata, object{"name": one.Name(), "value": s.Segments()[0]})
		}
	}
	declaration := func(s bind.Declared, stmt syntax.Decorated) object {
		one := object{"range": rangeOf(m, stmt), "name": s.Name()}
		if text, ok := m.Description(stmt); ok {
			one["description"] = text
		}
		return one
	}
	typed := func(s bind.Declared, stmt syntax.Decorated, typ syntax.Node) object {
		one := declaration(s, stmt)
		if named, ok := m.Symbol(typ).(bind.Declared); ok {
			one["type"] = object{"name": named.Name(), "range": rangeOf(m, named.Decl())}
		} else if t := m.DeclaredType(stmt); t != nil {
			one["type"] = object{"name": t.String()}
		}
		return one
	}
	for _, p := range b.Params {
		parameters = append(parameters, typed(p, p.Stmt, p.Stmt.Type))
	}
	for _, o := range b.Outputs {
		outputs = append(outputs, typed(o, o.Stmt, o.Stmt.Type))
	}
	for _, s := range b.Declarations() {
		if stmt, ok := s.Decl().(syntax.Decorated); ok && m.IsExported(stmt) {
			one := declaration(s, stmt)
			one["kind"] = s.Kind()
			exports = append(exports, one)
		}
	}
	return object{"metadata": metadata, "parameters": parameters, "outputs": outputs, "exports": exports}
}

func graphOf(m *check.Model) object {
	nodes, known := []object{}, map[bind.Declared]bool{}
	add := func(s bind.Declared, typ string, existing bool) object {
		one := object{"range": rangeOf(m, s.Decl()), "name": s.Name(), "type": typ, "isExisting": existing}
		if !types.IsError(m.SymbolType(s)) {
			nodes, known[s] = append(nodes, one), true
		}
		return one
	}
	for _, r := range resources.IndexOf(m).Declared() {
		add(r.Symbol, r.TypeRef().Type, r.Existing)
	}
	for _, s := range m.Binding().Modules {
		one := add(s, "<module>", false)
		if path, ok := s.Stmt.Path.(*syntax.String); ok && len(path.Exprs()) == 0 {
			one["relativePath"] = path.Segments()[0]
		}
	}
	edges := []object{}
	for from, needs := range flow.Analyze(m).Dependencies() {
		for _, need := range needs {
			if known[from] && known[need.On] {
				edges = append(edges, object{"source": from.Name(), "target": need.On.Name()})
			}
		}
	}
	by := func(key string) func(object) string { return func(one object) string { return one[key].(string) } }
	collate.SortFunc(nodes, by("name"))
	collate.SortFunc(edges, by("target"))
	collate.SortFunc(edges, by("source")) // those of a source stay in order
	return object{"nodes": nodes, "edges": edges}
}
