package bind

import (
	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/cycles"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// needs are the declarations of a file and what each of them uses, as the
// resolver comes across it.
type needs struct {
	list  []need
	uses  arena.Arena[Declared] // room for the first uses of each
	stack []int32               // the declarations around the node, by their place in list
	// recursive is set where a declaration may use its own name: a member of a
	// type may be of that type, since it need not be there. Whether it must is
	// known only with the types: see TypeCycles.
	recursive bool
}

type need struct {
	decl Declared
	uses []Declared
}

// enter begins the declaration of a symbol. One without a name cannot be part of
// a cycle.
func (l *needs) enter(d Declared) bool {
	if d == nil || !d.NameValid() {
		return false
	}
	l.stack = append(l.stack, int32(len(l.list)))
	d.base().order = int32(len(l.list)) + 1
	l.list = append(l.list, need{decl: d})
	return true
}

// leave ends a declaration. A nested resource needs those around it.
func (l *needs) leave() {
	last := l.stack[len(l.stack)-1]
	l.stack = l.stack[:len(l.stack)-1]
	if _, ok := l.list[last].decl.(*Resource); ok {
		for i := len(l.stack) - 1; i >= 0; i-- {
			if outer, ok := l.list[l.stack[i]].decl.(*Resource); ok {
				l.list[last].uses = append(l.list[last].uses, outer)
			}
		}
	}
}

// use notes that the declaration around a node uses a symbol.
func (l *needs) use(s Symbol) {
	if len(l.stack) == 0 {
		return
	}
	if d, ok := s.(Declared); ok {
		n := &l.list[l.stack[len(l.stack)-1]]
		if n.uses == nil {
			n.uses = l.uses.Make(4)[:0]
		}
		n.uses = append(n.uses, d)
	}
}

// findCycles finds the declarations that need themselves.
func (b *Binding) findCycles(l *needs) {
	uses := 0
	for i := range l.list {
		uses += len(l.list[i].uses)
	}
	next := make([]int, 0, uses)
	b.cycles = cycles.Find(len(l.list), func(i int) []int {
		start := len(next)
		for _, d := range l.list[i].uses {
			if o := d.base().order; o > 0 && d.Binding() == b {
				next = append(next, int(o)-1)
			}
		}
		return next[start:len(next):len(next)]
	})
	if b.cycles == nil {
		return
	}
	b.ordered = make([]Declared, len(l.list))
	for i := range l.list {
		b.ordered[i] = l.list[i].decl
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
	return diag.Chain(b.cycles.Of(i), func(m int) string { return b.ordered[m].Name() })
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
	return diag.Chain(c.found.Of(c.place[t]), func(m int) string { return c.types[m].Name() })
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
	syntax.Children(n, v.visit)
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
		syntax.Children(n, v.visit)
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
			syntax.Children(n, v.visit)
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
		syntax.Children(n, v.visit)
	}
}

func (v *typeCycleFinder) use(n syntax.Node) {
	if t, ok := v.b.Symbol(n).(*TypeAlias); ok && v.inside {
		v.uses = append(v.uses, t)
	}
}
