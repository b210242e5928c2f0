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

// Description is what a file declares, as the official compiler tells other programs. The file
// may have errors.
type Description struct {
	Metadata            []MetadataValue
	Parameters, Outputs []Declaration
	Exports             []Declaration
	Nodes               []DeclaredNode // by name
	Edges               []DeclaredEdge // by their ends
	// Files are the files of the program: those in Bicep, those that they load, and configurations.
	Files []string
}

// Range is a part of a file.
type Range struct{ Start, End source.Position }

// MetadataValue is a metadata statement whose value is a text.
type MetadataValue struct{ Name, Value string }

// Declaration is a parameter, an output, or what a file exports.
type Declaration struct {
	Range
	Name        string
	Kind        string  // of an export: TypeAlias, Variable or Function
	Type        string  // of a parameter or output
	TypeRange   *Range  // of the statement in the file that declares the type, if there is one
	Description *string // nil if there is none
}

// DeclaredNode is a resource or module as the file declares it.
type DeclaredNode struct {
	Range
	Name     string
	Type     string // "<module>" of a module
	Existing bool
	Path     string // of a module, as it is written
}

// DeclaredEdge says that one node needs another one.
type DeclaredEdge struct{ From, To string }

// Describe returns what a .bicep or .bicepparam file declares.
func (Embedded) Describe(ctx context.Context, r Request) (d *Description, err error) {
	defer contain(r.File, &err)
	r.DiagnoseOnly = true
	c, _, err := compileFrom(ctx, r, r.Workspace.take(&r), nil)
	if err != nil {
		return nil, err
	}
	m := c.program.Entry()
	at := func(n syntax.Node) Range {
		span := n.Span()
		return Range{m.Source().Position(span.Start), m.Source().Position(span.End)}
	}
	d = &Description{Files: c.described()}
	d.declarations(m, at)
	d.graph(m, at)
	r.Workspace.put(c)
	return d, nil
}

// described returns the files of a description.
func (c *compilation) described() []string {
	files := slices.Clone(c.files.AuxFiles())
	for _, f := range c.files.Files {
		if f.Kind != graph.Bicep && f.Kind != graph.Params {
			continue
		}
		files = append(files, f.Path)
		if f.Config.Path != "" {
			files = append(files, f.Config.Path)
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	collate.SortFunc(files, func(path string) string { return path })
	return files
}

// declarations describes the statements of a file.
func (d *Description) declarations(m *check.Model, at func(syntax.Node) Range) {
	b := m.Binding()
	for _, one := range b.Metadata {
		if s, ok := one.Stmt.Value.(*syntax.String); ok {
			if text, ok := s.Literal(); ok {
				d.Metadata = append(d.Metadata, MetadataValue{one.Name(), text})
			}
		}
	}
	declaration := func(s bind.Declared, stmt syntax.Decorated) Declaration {
		one := Declaration{Range: at(stmt), Name: s.Name(), Kind: string(s.Kind())}
		if text, ok := m.Description(stmt); ok {
			one.Description = &text
		}
		return one
	}
	typed := func(s bind.Declared, stmt syntax.Decorated, typ syntax.Node) Declaration {
		one := declaration(s, stmt)
		if named, ok := m.Symbol(typ).(bind.Declared); ok {
			where := at(named.Decl())
			one.Type, one.TypeRange = named.Name(), &where
		} else if t := m.DeclaredType(stmt); t != nil {
			one.Type = t.String()
		}
		return one
	}
	for _, p := range b.Params {
		d.Parameters = append(d.Parameters, typed(p, p.Stmt, p.Stmt.Type))
	}
	for _, o := range b.Outputs {
		d.Outputs = append(d.Outputs, typed(o, o.Stmt, o.Stmt.Type))
	}
	for _, s := range b.Declarations() {
		if stmt, ok := s.Decl().(syntax.Decorated); ok && m.IsExported(stmt) {
			d.Exports = append(d.Exports, declaration(s, stmt))
		}
	}
}

// graph describes what the resources and modules of a file need.
func (d *Description) graph(m *check.Model, at func(syntax.Node) Range) {
	nodes := map[bind.Declared]bool{}
	add := func(s bind.Declared, n DeclaredNode) {
		if !types.IsError(m.SymbolType(s)) {
			n.Range, n.Name, nodes[s] = at(s.Decl()), s.Name(), true
			d.Nodes = append(d.Nodes, n)
		}
	}
	for _, r := range resources.IndexOf(m).Declared() {
		add(r.Symbol, DeclaredNode{Type: r.TypeRef().Type, Existing: r.Existing})
	}
	for _, one := range m.Binding().Modules {
		path := ""
		if s, ok := one.Stmt.Path.(*syntax.String); ok {
			path, _ = s.Literal()
		}
		add(one, DeclaredNode{Type: "<module>", Path: path})
	}
	for from, needs := range flow.Analyze(m).Dependencies() {
		for _, need := range needs {
			if nodes[from] && nodes[need.On] {
				d.Edges = append(d.Edges, DeclaredEdge{from.Name(), need.On.Name()})
			}
		}
	}
	slices.SortStableFunc(d.Nodes, func(a, b DeclaredNode) int { return collate.Compare(a.Name, b.Name) })
	slices.SortFunc(d.Edges, func(a, b DeclaredEdge) int {
		return cmp.Or(collate.Compare(a.From, b.From), collate.Compare(a.To, b.To), cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
}
