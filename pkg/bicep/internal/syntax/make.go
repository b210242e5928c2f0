package syntax

import (
	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// arenas makes the nodes that trees are mostly made of.
type arenas struct {
	idents     arena.Arena[Ident]
	varRefs    arena.Arena[namedVarRef]
	accesses   arena.Arena[namedAccess]
	calls      arena.Arena[Call]
	binaries   arena.Arena[Binary]
	ints       arena.Arena[Int]
	strings    arena.Arena[String]
	holed      arena.Arena[holed]
	segments   arena.Arena[string]
	tokens     arena.Arena[source.Span]
	bools      arena.Arena[Bool]
	parens     arena.Arena[Paren]
	arrays     arena.Arena[Array]
	objects    arena.Arena[Object]
	properties arena.Arena[namedProperty]
	resources  arena.Arena[Resource]

	exprs gatherer[Expr]
	items gatherer[ObjectItem]
}

// A name is mostly looked at together with the node that holds it, so they are side by side
// in memory.
type (
	namedVarRef struct {
		VarRef
		name Ident
	}
	namedAccess struct {
		PropertyAccess
		name Ident
	}
	namedProperty struct {
		Property
		name Ident
	}
)

// identOf returns the name that a token is.
func (p *parser) identOf(t token) Ident { return Ident{base{span: t.span()}, p.textOf(t)} }

func (p *parser) varRef(t token) *VarRef {
	x := p.make.varRefs.New(namedVarRef{VarRef: VarRef{expression: p.expr(t.span())}, name: p.identOf(t)})
	x.Name = &x.name
	return &x.VarRef
}

func (p *parser) plainString(t token, text string) *String {
	return p.make.strings.New(String{expression: p.expr(t.span()), Multiline: t.marks.has(multiline), text: [1]string{text}})
}

// gatherer makes lists, of which some are begun before others are complete: a
// list is what has been added since its beginning.
type gatherer[T any] struct {
	open  []T
	lists arena.Arena[T]
}

func (g *gatherer[T]) begin() int { return len(g.open) }

func (g *gatherer[T]) add(v T) { g.open = append(g.open, v) }

func (g *gatherer[T]) end(begin int) []T {
	list := g.lists.List(g.open[begin:])
	g.open = g.open[:begin]
	return list
}
