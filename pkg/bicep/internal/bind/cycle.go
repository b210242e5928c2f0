package bind

import (
	"github.com/radbicep/rad/pkg/bicep/internal/cycles"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// needs are the declarations of a file and what each of them uses, as the
// resolver comes across it.
type needs struct {
	list  []Declared
	uses  []use
	stack []int32 // the declarations around the node, by their place in list
	// recursive is set where a declaration may use its own name: a member of a
	// type may be of that type, since it need not be there. Whether it must is
	// known only with the types: see TypeCycles.
	recursive bool
}

// use says that a declaration, by its place in the list, uses a symbol, by its number.
type use struct {
	by     int32
	symbol uint32
}

// enter begins the declaration of a symbol. One without a name cannot be part of
// a cycle.
func (l *needs) enter(d Declared) bool {
	if d == nil || !d.NameValid() {
		return false
	}
	l.stack = append(l.stack, int32(len(l.list)))
	l.list = append(l.list, d)
	d.base().order = int32(len(l.list))
	return true
}

// leave ends a declaration. A nested resource needs those around it.
func (l *needs) leave() {
	last := l.stack[len(l.stack)-1]
	l.stack = l.stack[:len(l.stack)-1]
	if _, ok := l.list[last].(*Resource); ok {
		for i := len(l.stack) - 1; i >= 0; i-- {
			if outer, ok := l.list[l.stack[i]].(*Resource); ok {
				l.uses = append(l.uses, use{last, outer.number})
			}
		}
	}
}

// use notes that the declaration around a node uses a symbol.
func (l *needs) use(symbol uint32) {
	if n := len(l.stack); n > 0 {
		l.uses = append(l.uses, use{l.stack[n-1], symbol})
	}
}

// findCycles finds the declarations that need themselves.
func (b *Binding) findCycles(l *needs) {
	places := make([]int32, len(b.symbols)) // in the list, by number, from 1
	for i, d := range l.list {
		places[d.base().number] = int32(i) + 1
	}
	// The uses of one declaration after those of another, each in their order.
	ends := make([]int32, len(l.list)+1)
	for _, u := range l.uses {
		if places[u.symbol] > 0 {
			ends[u.by+1]++
		}
	}
	for i := range l.list {
		ends[i+1] += ends[i]
	}
	next := make([]int, ends[len(l.list)])
	for _, u := range l.uses {
		if place := places[u.symbol]; place > 0 {
			next[ends[u.by]] = int(place) - 1
			ends[u.by]++
		}
	}
	b.cycles = cycles.Find(len(l.list), func(i int) []int {
		start := int32(0)
		if i > 0 {
			start = ends[i-1]
		}
		return next[start:ends[i]:ends[i]]
	})
	if b.cycles != nil {
		b.ordered = l.list
	}
}

// place returns the number of a declaration among those that may be on cycles.
func (b *Binding) place(d Declared) (i int, ok bool) {
	if b.cycles == nil || d == nil || d.Binding() != b {
		return 0, false
	}
	i = int(d.base().order) - 1
	return i, i >= 0
}

// HasCycles reports whether there is a declaration that needs itself.
func (b *Binding) HasCycles() bool { return b.cycles != nil }

// IsCyclic reports whether the declaration of a symbol needs itself.
func (b *Binding) IsCyclic(d Declared) bool {
	i, ok := b.place(d)
	return ok && b.cycles.Has(i)
}

// CycleLen returns how many declarations there are on the cycle that the declaration
// of a symbol runs in: 1 for one that refers to itself, 0 if it runs in none.
func (b *Binding) CycleLen(d Declared) int {
	i, ok := b.place(d)
	if !ok {
		return 0
	}
	return b.cycles.Len(i)
}

// CycleChain writes the names of that cycle, beginning with the symbol's.
func (b *Binding) CycleChain(d Declared) string {
	i, ok := b.place(d)
	if !ok {
		return ""
	}
	return diag.Chain(b.cycles.Cycle(i), func(m int) string { return b.ordered[m].Name() })
}

// OnCycle reports whether the cycle of the declaration of d leads through that of other.
func (b *Binding) OnCycle(d, other Declared) bool {
	i, ok := b.place(d)
	j, there := b.place(other)
	return ok && there && b.cycles.On(i, j)
}

// TypeCycles finds the cycles in which types require themselves: through members
// that must be there. declared returns the declared type of a node, or nil.
func (b *Binding) TypeCycles(declared func(syntax.Node) types.Type) *TypeCycles {
	place := make(map[*TypeAlias]int, len(b.Types))
	for i, t := range b.Types {
		place[t] = i
	}
	uses := make([][]int, len(b.Types))
	for i, t := range b.Types {
		v := &typeCycleFinder{b: b, declared: declared}
		v.visit(t.Stmt)
		for _, u := range v.uses {
			if j, ok := place[u]; ok {
				uses[i] = append(uses[i], j)
			}
		}
	}
	found := cycles.Find(len(b.Types), func(i int) []int { return uses[i] })
	if found == nil {
		return nil
	}
	return &TypeCycles{types: b.Types, place: place, found: found}
}

// TypeCycles are cycles of types that require themselves. nil stands for none.
type TypeCycles struct {
	types []*TypeAlias
	place map[*TypeAlias]int
	found *cycles.Set
}

// Has reports whether a type is on a cycle.
func (c *TypeCycles) Has(t *TypeAlias) bool {
	if c == nil {
		return false
	}
	i, ok := c.place[t]
	return ok && c.found.Has(i)
}

// Len returns how many types there are on the cycle of a type.
func (c *TypeCycles) Len(t *TypeAlias) int {
	if !c.Has(t) {
		return 0
	}
	return c.found.Len(c.place[t])
}

// Chain writes the names of the cycle of a type, beginning with the type's.
func (c *TypeCycles) Chain(t *TypeAlias) string {
	if !c.Has(t) {
		return ""
	}
	return diag.Chain(c.found.Cycle(c.place[t]), func(m int) string { return c.types[m].Name() })
}

type typeCycleFinder struct {
	b        *Binding
	declared func(syntax.Node) types.Type
	uses     []*TypeAlias
	inside   bool // of a type that has members: elsewhere findCycles has found the cycle
}

func (v *typeCycleFinder) container(n syntax.Node) {
	outside := v.inside
	v.inside = true
	v.b.File.Tree.Children(n, v.visit)
	v.inside = outside
}

// required reports whether a member must be there: something is known of its type,
// and it cannot be null.
func (v *typeCycleFinder) required(n syntax.Node) bool {
	t := v.declared(n)
	return t != nil && t.Kind() != types.KindError && !types.IsNullable(t)
}

func (v *typeCycleFinder) visit(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.VarRef, *syntax.TypeName:
		v.use(n)
	case *syntax.TypeCall:
		v.use(n)
		v.b.File.Tree.Children(n, v.visit)
	case *syntax.ArrayType:
		outside := v.inside
		v.inside = true
		if v.required(n.Item) {
			v.visit(n.Item)
		}
		v.inside = outside
	case *syntax.ObjectType, *syntax.TupleType:
		v.container(n)
	case *syntax.TypeProperty, *syntax.TupleItem:
		if v.required(n) {
			v.b.File.Tree.Children(n, v.visit)
		}
	case *syntax.TypeRest:
		// there may be none of these
	case *syntax.UnionType:
		if _, ok := v.declared(n).(*types.DiscriminatedObject); ok {
			v.inside = true
		}
		for _, m := range n.Members {
			if v.required(m) {
				v.visit(m)
			}
		}
	default:
		v.b.File.Tree.Children(n, v.visit)
	}
}

func (v *typeCycleFinder) use(n syntax.Node) {
	if t, ok := v.b.Symbol(n).(*TypeAlias); ok && v.inside {
		v.uses = append(v.uses, t)
	}
}
