package bind

import (
	"github.com/radbicep/rad/pkg/bicep/internal/cycles"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// findCycles finds the declarations that need themselves. A member of a type
// may name the type that it is a member of, since it need not be there: those
// circles are found with the types, by TypeCycles.
func (b *Binding) findCycles() {
	c := &cycleFinder{b: b, uses: map[Declared][]syntax.Node{}}
	for _, s := range b.File.Tree.Stmts {
		c.visit(s)
	}
	b.cycles = cycles.Find(c.order, func(d Declared, yield func(Declared)) {
		for _, n := range c.uses[d] {
			if t, ok := b.Symbol(n).(Declared); ok {
				yield(t)
			}
		}
	})
}

type cycleFinder struct {
	b     *Binding
	order []Declared                 // declarations as they are met
	uses  map[Declared][]syntax.Node // what each declaration uses
	stack []Declared                 // the declarations around the node
	// allowed is set where a declaration may use its own name.
	allowed bool
}

func (c *cycleFinder) use(n syntax.Node) {
	d := c.stack[len(c.stack)-1]
	c.uses[d] = append(c.uses[d], n)
}

func (c *cycleFinder) below(n syntax.Node) { syntax.Children(n, c.visit) }

func (c *cycleFinder) permit(allowed bool, n syntax.Node) {
	outside := c.allowed
	c.allowed = allowed
	c.below(n)
	c.allowed = outside
}

func (c *cycleFinder) visit(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Var, *syntax.Module, *syntax.Test, *syntax.Output, *syntax.Param,
		*syntax.ParamAssign, *syntax.Func, *syntax.TypeDecl, *syntax.ImportItem:
		c.declaration(n)
		return
	case *syntax.Resource:
		if d := c.declaration(n); d != nil {
			// a nested resource needs those around it
			c.stack = append(c.stack, d)
			for i := len(c.stack) - 2; i >= 0; i-- {
				if outer, ok := c.stack[i].(*Resource); ok {
					c.use(outer.Stmt)
				}
			}
			c.stack = c.stack[:len(c.stack)-1]
		}
		return
	}
	if len(c.stack) == 0 {
		switch n.(type) {
		case *syntax.VarRef, *syntax.TypeName, *syntax.NestedAccess, *syntax.Call, *syntax.TypeCall:
			// outside of declarations nothing can run in a circle
		default:
			c.below(n)
		}
		return
	}
	switch n := n.(type) {
	case *syntax.VarRef, *syntax.TypeName:
		if !c.allowed {
			c.use(n)
		}
	case *syntax.NestedAccess, *syntax.Call, *syntax.TypeCall:
		c.use(n)
		c.below(n)
	case *syntax.ArrayType:
		c.permit(true, n)
	case *syntax.TypeProperty, *syntax.TypeRest, *syntax.TupleItem:
		c.permit(true, n)
	case *syntax.Index, *syntax.PropertyAccess, *syntax.TypePropertyAccess, *syntax.TypeRestAccess, *syntax.TypeIndex, *syntax.TypeItems:
		c.permit(false, n)
	default:
		c.below(n)
	}
}

// declaration visits what a declaration holds, and returns its symbol.
func (c *cycleFinder) declaration(n syntax.Node) Declared {
	d, ok := c.b.Symbol(n).(Declared)
	if !ok || !d.NameValid() || d.Name() == "" {
		return nil
	}
	c.order = append(c.order, d)
	c.stack = append(c.stack, d)
	c.below(n)
	c.stack = c.stack[:len(c.stack)-1]
	return d
}

// TypeCycles returns the circles in which types require themselves: through
// members that must be there. declared returns the declared type of a node, or
// nil.
func (b *Binding) TypeCycles(declared func(syntax.Node) types.Type) map[*TypeAlias][]*TypeAlias {
	uses := make(map[*TypeAlias][]*TypeAlias, len(b.Types))
	for _, t := range b.Types {
		v := &typeCycleFinder{b: b, declared: declared}
		v.visit(t.Stmt)
		uses[t] = v.uses
	}
	return cycles.Find(b.Types, func(t *TypeAlias, yield func(*TypeAlias)) {
		for _, u := range uses[t] {
			yield(u)
		}
	})
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
