package bind

import (
	"github.com/radbicep/rad/pkg/bicep/internal/cycles"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// needs are the declarations of a file and what each of them uses, as the
// resolver comes across it.
type needs struct {
	list  []need
	stack []int32 // the declarations around the node, by their place in list
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
// a circle.
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
		n.uses = append(n.uses, d)
	}
}

// findCycles finds the declarations that need themselves.
func (b *Binding) findCycles(l *needs) {
	var next []int
	found := cycles.Find(len(l.list), func(i int) []int {
		start := len(next)
		for _, d := range l.list[i].uses {
			if o := d.base().order; o > 0 && d.Binding() == b {
				next = append(next, int(o)-1)
			}
		}
		return next[start:len(next):len(next)]
	}, func(i int) Declared { return l.list[i].decl })
	if len(found) == 0 {
		return
	}
	b.cycles = make(map[Declared][]Declared, len(found))
	for i, circle := range found {
		b.cycles[l.list[i].decl] = circle
	}
}

// TypeCycles returns the circles in which types require themselves: through
// members that must be there. declared returns the declared type of a node, or
// nil.
func (b *Binding) TypeCycles(declared func(syntax.Node) types.Type) map[*TypeAlias][]*TypeAlias {
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
	found := cycles.Find(len(b.Types), func(i int) []int { return uses[i] }, func(i int) *TypeAlias { return b.Types[i] })
	out := make(map[*TypeAlias][]*TypeAlias, len(found))
	for i, circle := range found {
		out[b.Types[i]] = circle
	}
	return out
}

type typeCycleFinder struct {
	b        *Binding
	declared func(syntax.Node) types.Type
	uses     []*TypeAlias
	inside   bool // of a type that has members: elsewhere findCycles has found the circle
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
