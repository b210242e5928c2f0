package bicep

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// places knows where the declarations of a file are. It keeps nothing of the compilation
// but the text, so that an expansion does not have to share the memory with trees and types.
// Its maps lead from names in the template, in lower case, to offsets.
type places struct {
	path      string
	text      *source.File
	resources map[string]int32
	modules   map[string]modulePlace
	variables map[string]int32
	params    map[string]int32
	outputs   map[string]int32
	ends      map[int32]int32 // of resources: where they end, by where they begin

	listsExisting bool
	unfetched     []expand.UnfetchedImport

	bodies map[int32]*syntax.Object // of resources, by their offsets; made when a property is looked for
}

type modulePlace struct {
	at    int32
	inner *places
}

// placesOf returns the places of a file and of its modules, or nil if it is not a Bicep file. A parameter file that
// is the program's entry adds what it imports.
func placesOf(p *check.Program, f *graph.File) expand.Places {
	if made := makePlaces(p, f, map[*graph.File]*places{}); made != nil {
		if p.Graph.Unfetched && f != p.Graph.Entry {
			made.unfetched = append(made.unfetched, unfetchedImports(p.Graph.Entry, map[*graph.File]bool{})...)
		}
		return made
	}
	return nil
}

func makePlaces(program *check.Program, f *graph.File, made map[*graph.File]*places) *places {
	m := program.Model(f)
	if m == nil {
		return nil
	}
	if p, ok := made[f]; ok {
		return p
	}
	b := m.Binding()
	p := &places{path: f.Path, text: f.Source, resources: map[string]int32{}, ends: map[int32]int32{}, modules: map[string]modulePlace{},
		variables: declared(b.Vars, func(v *bind.Var) syntax.Node { return v.Stmt }),
		params:    declared(b.Params, func(v *bind.Param) syntax.Node { return v.Stmt }),
		outputs:   declared(b.Outputs, func(v *bind.Output) syntax.Node { return v.Stmt }),
	}
	made[f] = p
	ctx := lower.ContextOf(m)
	p.listsExisting = ctx.Settings.Symbolic && !ctx.Settings.Forced
	for _, r := range resources.IndexOf(m).Declared() {
		span := r.Symbol.Stmt.Span()
		p.resources[strings.ToLower(ctx.SymbolicName(r))] = span.Start
		p.ends[span.Start] = span.End
	}
	if program.Graph.Unfetched {
		p.unfetched = unfetchedImports(f, map[*graph.File]bool{})
	}
	for _, one := range b.Modules {
		place := modulePlace{at: one.Stmt.Span().Start}
		if ref := f.Reference(one.Stmt); ref != nil && ref.File != nil {
			place.inner = makePlaces(program, ref.File, made)
		}
		p.modules[strings.ToLower(one.Name())] = place
	}
	return p
}

// unfetchedImports returns the imports of a file that could not be fetched, and those of the files that it imports from.
func unfetchedImports(f *graph.File, seen map[*graph.File]bool) (list []expand.UnfetchedImport) {
	if seen[f] {
		return nil
	}
	seen[f] = true
	for _, ref := range f.References {
		stmt, ok := ref.Stmt.(*syntax.Import)
		if _, extends := ref.Stmt.(*syntax.Extends); !ok && !extends || ref.File == nil {
			continue
		}
		if !ref.File.StandIn {
			list = append(list, unfetchedImports(ref.File, seen)...)
			continue
		}
		at := f.Source.Position(stmt.Span().Start)
		list = append(list, expand.UnfetchedImport{Reference: ref.Text(), Names: importedNames(stmt),
			Position: expand.Position{File: f.Path, Line: at.Line, Column: at.Column}})
	}
	return list
}

// importedNames returns what an import brings, for people.
func importedNames(stmt *syntax.Import) string {
	const few = 3
	var names []string
	switch s := stmt.Symbols.(type) {
	case *syntax.WildcardImport:
		if s.As.Name != nil {
			names = append(names, s.As.Name.Name)
		}
	case *syntax.ImportList:
		for _, item := range s.Items {
			if name, original, _ := item.Names(); name != nil {
				names = append(names, name.Name)
			} else {
				names = append(names, original)
			}
		}
	}
	if len(names) > few {
		names = append(names[:few], "…")
	}
	return strings.Join(names, ", ")
}

// Unfetched returns the imports that could not be fetched.
func (p *places) Unfetched() []expand.UnfetchedImport { return p.unfetched }

// declared returns where declarations are.
func declared[T interface{ Name() string }](list []T, stmt func(T) syntax.Node) map[string]int32 {
	m := make(map[string]int32, len(list))
	for _, one := range list {
		m[strings.ToLower(one.Name())] = stmt(one).Span().Start
	}
	return m
}

func (p *places) at(offset int32) expand.Position {
	at := p.text.Position(offset)
	return expand.Position{File: p.path, Line: at.Line, Column: at.Column}
}

// Resource returns where a resource, or a property of its body, is declared.
func (p *places) Resource(symbol string, path ...string) expand.Position {
	offset, ok := p.resources[strings.ToLower(symbol)]
	if !ok {
		return expand.Position{}
	}
	if len(path) == 0 {
		at := p.at(offset)
		at.EndLine = p.text.Position(p.ends[offset]).Line
		return at
	}
	var value syntax.Node = p.body(offset)
	for _, name := range path {
		switch v := withoutAny(value).(type) {
		case *syntax.Object:
			if prop := v.Property(name); prop != nil {
				offset, value = prop.Span().Start, prop.Value
				continue
			}
		case *syntax.Array:
			n, err := strconv.Atoi(name)
			if err == nil && n >= 0 && n < len(v.Items) && !slices.ContainsFunc(v.Items[:n+1], isSpread) { // it stands for several
				offset, value = v.Items[n].Span().Start, v.Items[n]
				continue
			}
		}
		break
	}
	return p.at(offset)
}

// withoutAny takes parentheses and any(…) off an expression.
func withoutAny(n syntax.Node) syntax.Node {
	for {
		switch x := n.(type) {
		case *syntax.Paren:
			n = x.X
			continue
		case *syntax.Call:
			if x.Name != nil && x.Name.Name == "any" && len(x.Args) == 1 {
				n = x.Args[0]
				continue
			}
		}
		return n
	}
}

func isSpread(e syntax.Expr) bool {
	_, ok := e.(*syntax.Spread)
	return ok
}

// body returns the body of the resource at an offset. The file is parsed for it once more.
func (p *places) body(offset int32) *syntax.Object {
	if p.bodies == nil {
		p.bodies = map[int32]*syntax.Object{}
		f, _ := syntax.Parse(p.text)
		f.Walk(f, func(n syntax.Node) bool {
			if r, ok := n.(*syntax.Resource); ok {
				p.bodies[r.Span().Start] = syntax.Body(r.Value)
			}
			return true
		})
	}
	return p.bodies[offset]
}

// ListsExisting reports whether the file's template lists existing resources where nobody asks for that.
func (p *places) ListsExisting() bool { return p.listsExisting }

// Declaration returns where a variable, parameter or output is declared.
func (p *places) Declaration(kind, name string) expand.Position {
	of := map[string]map[string]int32{"variable": p.variables, "parameter": p.params, "output": p.outputs}[kind]
	if offset, ok := of[strings.ToLower(name)]; ok {
		return p.at(offset)
	}
	return expand.Position{}
}

// Module returns where a module is declared, and the places of its file.
func (p *places) Module(symbol string) (expand.Position, expand.Places) {
	m, ok := p.modules[strings.ToLower(symbol)]
	switch {
	case !ok:
		return expand.Position{}, nil
	case m.inner == nil:
		return p.at(m.at), nil
	}
	return p.at(m.at), m.inner
}
