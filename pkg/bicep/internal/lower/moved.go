package lower

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// # Expressions that move
//
// A template has no symbols: a resource is referred to by its name, and the name of a child contains that of
// its parent. So the expression of a name is written at other places than where the program has it. Where the
// name is that of a loop, its variables mean nothing at the other place:
//
//	resource one '…' existing = [for (x, i) in range(0, 2): { name: 'a${x}-${i}' }]
//	resource two '…' = [for (y, j) in range(0, 2): { parent: one[j + 1], name: 'b${j}' }]
//	output z string = two[n].id
//
// What picks the element says what to write in their place. At two's name, j + 1 stands for i, and range(0,
// 2)[j + 1] for x. At the output, n stands for j, also within the j + 1 that stands for i:
//
//	two's name   format('{0}/{1}', format('a{0}-{1}', range(0, 2)[add(copyIndex(), 1)], add(copyIndex(), 1)), …)
//	at z         format('a{0}-{1}', range(0, 2)[add(parameters('n'), 1)], add(parameters('n'), 1))
//
// Trees do not change, so nothing is replaced in them. A Moved is the expression as the program has it with a
// list of what stands for its local variables (env), each the index of a turn of a loop, which is a Moved
// itself. Builder.Moved lowers the indexes first, then the expression with them in place of the variables.
//
// Invariants:
//
//   - All locals that mean nothing at the new place have an entry in the list, or in that of an index.
//     locals(m) are those that are left once the entries are applied; lost(m, at) are those of them that mean
//     nothing at a place.
//   - A move leaves one loop, whose turn one index picks. If nothing is lost, if there is no index, or if the
//     variables of several loops are lost, the expression stays as it is.
//   - The item of a loop and its index have the same Moved in neighbouring entries, which the code compares as
//     values. It is copied and lowered once for both. If it were not, each move would double it, and ten levels
//     of parents would make it a thousand times as large.
//
// It ends because the parts of a Moved are made before it is, so none contains itself. A name moves once for
// each ancestor, and the list of ancestors is finite.

// Moved is an expression, and what stands for its local variables where it is written.
type Moved struct {
	X   syntax.Expr
	env *env
}

// env lists what stands for local variables.
type env struct {
	local *bind.Local
	loop  *syntax.For // that declares local
	index Moved       // the number of the turn
	next  *env
}

func (e *env) lookup(l *bind.Local) *env {
	for ; e != nil; e = e.next {
		if e.local == l {
			return e
		}
	}
	return nil
}

// locals returns the locals that m uses once it is moved.
func (c *Context) locals(m Moved) []*bind.Local {
	own := c.Flow.LocalsIn(m.X)
	if m.env == nil {
		return own
	}
	var list []*bind.Local
	add := func(more []*bind.Local) {
		for _, l := range more {
			if !slices.Contains(list, l) {
				list = append(list, l)
			}
		}
	}
	var last *env
	for _, l := range own {
		e := m.env.lookup(l)
		switch {
		case e == nil:
			add([]*bind.Local{l})
		case last == nil || e.index != last.index:
			add(c.locals(e.index))
			last = e
		}
	}
	return list
}

// lost returns those of m's locals that would mean nothing at the place of another node.
func (c *Context) lost(m Moved, at syntax.Node) []*bind.Local {
	return slices.DeleteFunc(c.locals(m), func(l *bind.Local) bool {
		decl, body := c.Flow.Scope(l)
		return flow.Within(at, body) || flow.Within(decl, m.X)
	})
}

// loops returns the loops that declare the given locals, each once.
func (c *Context) loops(locals []*bind.Local) []*syntax.For {
	var list []*syntax.For
	for _, l := range locals {
		if loop := c.Flow.Loop(l); loop != nil && !slices.Contains(list, loop) {
			list = append(list, loop)
		}
	}
	return list
}

// move returns m as it is to be written at the place of another node, where index
// (if there is one) is the number of the turn of the loop that m leaves.
func (c *Context) move(m Moved, index syntax.Expr, at syntax.Node) Moved {
	lost := c.lost(m, at)
	loops := c.loops(lost)
	if len(loops) != 1 || index == nil {
		return m
	}
	// The item of the loop is replaced wherever it is used.
	for _, l := range c.locals(m) {
		if l.Var == bind.ForItem && !slices.Contains(lost, l) && c.Flow.Loop(l) != nil {
			lost = append(lost, l)
		}
	}
	return c.substitute(m, lost, Moved{X: index})
}

// substitute puts an index in for those of the locals that m uses. An index that two neighbouring entries share
// is one Moved in the result as well.
func (c *Context) substitute(m Moved, locals []*bind.Local, index Moved) Moved {
	var out, last *env
	for e := m.env; e != nil; e = e.next {
		var inner Moved
		if last != nil && e.index == last.index {
			inner = out.index
		} else {
			inner = c.substitute(e.index, locals, index)
		}
		last = e
		out = &env{e.local, e.loop, inner, out}
	}
	own := c.Flow.LocalsIn(m.X)
	for _, l := range locals {
		if slices.Contains(own, l) && m.env.lookup(l) == nil {
			out = &env{l, c.Flow.Loop(l), index, out}
		}
	}
	return Moved{m.X, out}
}

// Moved lowers an expression that has moved.
func (b *Builder) Moved(m Moved) ir.Expr {
	if m.env == nil {
		return b.Expr(m.X)
	}
	locals := b.locals
	var index ir.Expr
	var last *env
	for e := m.env; e != nil; e = e.next {
		if last == nil || e.index != last.index {
			index = b.Moved(e.index)
		}
		last = e
		if e.local.Var == bind.ForIndex {
			locals = locals.With(e.local, index)
			continue
		}
		var flags ir.AccessFlags
		if b.isAccess(e.loop.X) {
			flags = ir.Chained
		}
		locals = locals.With(e.local, element(ir.At{}, b.Expr(e.loop.X), index, flags))
	}
	inner := &Builder{Context: b.Context, locals: locals, moved: m.env}
	return inner.Expr(m.X)
}

// replaces reports whether a local in n has been replaced by a move. The official
// compiler rewrites the source in that case, and no longer knows what the rewritten
// parts mean: it takes calls in them for calls of the template language.
func (b *Builder) replaces(n syntax.Node) bool {
	if b.moved == nil {
		return false
	}
	return slices.ContainsFunc(b.Flow.LocalsIn(n), func(l *bind.Local) bool { return b.moved.lookup(l) != nil })
}

// NameSegments returns the expressions that make up a resource's name: those of its
// ancestors, oldest first, and its own.
func (c *Context) NameSegments(r *resources.Resource) []Moved {
	up := c.Flow.Resources.Ancestors(r)
	list := make([]Moved, 0, len(up)+1)
	for start := range up {
		m := Moved{X: up[start].Resource.NameExpr()}
		for i := start; i < len(up); i++ {
			to := r
			if i+1 < len(up) {
				to = up[i+1].Resource
			}
			m = c.move(m, up[i].Index, to.Symbol.Stmt.Name)
		}
		list = append(list, m)
	}
	return append(list, Moved{X: r.NameExpr()})
}

// resourceIndex returns the context for one element of a collection, or for the
// only one there is: then index is nil.
func (b *Builder) resourceIndex(r *resources.Resource, index syntax.Expr, at syntax.Node) *ir.IndexContext {
	if !r.IsAz() {
		return b.indexContext(nil, index, at)
	}
	return b.indexContext(b.NameSegments(r), index, at)
}

// moduleIndex is resourceIndex for modules. A name that is made up uses no locals.
func (b *Builder) moduleIndex(m *bind.Module, index syntax.Expr, at syntax.Node) *ir.IndexContext {
	name := syntax.Body(m.Stmt.Value).PropertyValue("name")
	if name == nil {
		if index == nil {
			return nil
		}
		return &ir.IndexContext{Index: b.Expr(index)}
	}
	return b.indexContext([]Moved{{X: name}}, index, at)
}

// indexContext returns what stands for the locals of the given expressions when they
// are written at the place of a node, and the index is what picks the element.
func (b *Builder) indexContext(list []Moved, index syntax.Expr, at syntax.Node) *ir.IndexContext {
	if index == nil {
		return b.movedIndex(list, nil, at)
	}
	return b.movedIndex(list, &Moved{X: index}, at)
}

func (b *Builder) movedIndex(list []Moved, index *Moved, at syntax.Node) *ir.IndexContext {
	if index == nil {
		return nil
	}
	var lost []*bind.Local
	for _, m := range list {
		for _, l := range b.lost(m, at) {
			if !slices.Contains(lost, l) {
				lost = append(lost, l)
			}
		}
	}
	i := b.Moved(*index)
	locals := b.locals
	for _, l := range lost {
		if loop := b.Flow.Loop(l); loop != nil {
			locals = locals.With(l, b.loopVar(l, loop, i))
		}
	}
	return &ir.IndexContext{Locals: locals, Index: i}
}
