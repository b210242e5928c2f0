package check

import (
	"math"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file finds the declared types of names and accesses. If a value is written as a literal,
// they depend on the literal's shape.

// declaredVarRef looks up the declaration of a name. For a resource or module, the declared type of
// its body says more than the symbol.
func (m *Model) declaredVarRef(n *syntax.VarRef) declaredType {
	switch s := m.bound(n).(type) {
	case *bind.Resource:
		if !m.binding.IsCyclic(s) {
			return m.declaredOf(s.Stmt.Value)
		}
	case *bind.Module:
		if !m.binding.IsCyclic(s) {
			return m.declaredOf(s.Stmt.Value)
		}
	case *bind.Var:
		if m.binding.IsCyclic(s) {
			return declaredType{}
		}
		if s.Stmt.Type == nil {
			return declaredType{m.TypeOf(s.Stmt.Value), s.Stmt}
		}
		return m.declaredOf(s.Stmt)
	case *bind.ImportedVar, *bind.WildcardImport, *bind.LocalThis, *bind.BuiltInNamespace, *bind.BaseParams:
		return declaredType{ref: m.symbolType(s)}
	case *bind.ParamAssign:
		if s.Binding() != m.binding {
			other := m.program.modelOf(s.Binding())
			if other == nil {
				return declaredType{}
			}
			return other.declaredOf(s.Stmt).at(nil)
		}
		return m.declaredOf(s.Stmt)
	case bind.Declared:
		if !m.binding.IsCyclic(s) {
			return m.declaredOf(s.Decl())
		}
	}
	return declaredType{}
}

// declaredAccess follows a chain of accesses from its beginning. A safe access that may be null
// makes the whole chain nullable.
func (m *Model) declaredAccess(n syntax.Access) declaredType {
	var few [4]syntax.Access
	chain := accessChain(n, few[:0])
	first := chain[len(chain)-1]
	if _, ok := first.Base().(*syntax.For); ok {
		return declaredType{}
	}
	base := m.declaredOf(first.Base())
	nullRemoved := false
	prevSafe := false
	for i := len(chain) - 1; i >= 0 && base.known(); i-- {
		next := chain[i]
		if prevSafe || next.IsSafe() {
			t := base.ref.Type()
			if t == nullType {
				return base
			}
			if inner, ok := types.TryNonNull(t); ok {
				nullRemoved = true
				base.ref = inner
			}
		}
		switch a := next.(type) {
		case *syntax.Index:
			base = m.declaredIndex(base, a)
		case *syntax.PropertyAccess:
			base = m.declaredPropertyAccess(base, a)
		default:
			return declaredType{}
		}
		prevSafe = next.IsSafe()
	}
	if nullRemoved && base.known() {
		base.ref = types.Nullable(base.ref.Type())
	}
	return base
}

// accessChain returns an access and the accesses that it is made on, the
// outermost first, as long as they are written in one chain. A safe access begins
// a chain: what it is made on is judged for itself. They are appended to the given list.
func accessChain(n syntax.Access, chain []syntax.Access) []syntax.Access {
	chain = append(chain, n)
	for !n.IsSafe() {
		switch b := n.Base().(type) {
		case *syntax.PropertyAccess:
			n = b
		case *syntax.Index:
			n = b
		default:
			return chain
		}
		chain = append(chain, n)
	}
	return chain
}

func (m *Model) declaredPropertyAccess(base declaredType, n *syntax.PropertyAccess) declaredType {
	if !n.Name.Valid() {
		return declaredType{}
	}
	t := base.ref.Type()
	if _, ok := base.node.(*syntax.Param); ok {
		if r, ok := t.(*types.Resource); ok {
			return propertyOf(r.Body.Type(), n.Name.Name)
		}
	}
	return m.writtenProperty(t, bodyOf(base.node), n.Name.Name)
}

// bodyOf returns the object that a node holds or is.
func bodyOf(n syntax.Node) *syntax.Object {
	switch n := n.(type) {
	case *syntax.Resource:
		return syntax.Body(n.Value)
	case *syntax.Module:
		return syntax.Body(n.Value)
	case *syntax.Object:
		return n
	}
	return nil
}

func (m *Model) declaredIndex(base declaredType, n *syntax.Index) declaredType {
	index := m.TypeOf(n.Index)
	// The shape of each element of a loop is that of the loop's body.
	var node syntax.Node
	if f, ok := base.node.(*syntax.For); ok {
		if body := syntax.Body(f); body != nil {
			node = body
		}
	}
	switch t := base.ref.Type().(type) {
	case *types.Tuple:
		switch i := index.(type) {
		case *types.IntLiteral:
			return declaredType{tupleItem(t, i.Value, n), node}
		case *types.Union:
			if all, failed := tupleItems(t, i, n); failed != nil {
				return declaredType{failed, n}
			} else if all != nil {
				return declaredType{types.NewUnion(all...), node}
			}
		}
		if types.AreAssignable(index, intType) {
			return declaredType{t.ItemRef().Type(), node}
		}
	case *types.Array:
		if types.AreAssignable(index, intType) {
			return declaredType{t.Item.Type(), node}
		}
	default:
		if obj, ok := types.AsObject(t); ok {
			if s, ok := n.Index.(*syntax.String); ok {
				if name, ok := s.Literal(); ok {
					body, _ := base.node.(*syntax.Object)
					return m.writtenProperty(obj, body, name)
				}
			}
		}
	}
	return declaredType{}
}

// tupleItem is the type of the item at a known index.
func tupleItem(t *types.Tuple, i int64, n *syntax.Index) types.Type {
	count := int64(len(t.Items))
	if i < 0 || i > math.MaxInt32 || i > count || (i == 0 && n.FromEnd) || (i == count && !n.FromEnd) {
		return errorType(diag.BCP311.At(n.Index.Span(), t.String(), len(t.Items), i))
	}
	if n.FromEnd {
		i = count - i
	}
	return t.Items[i].Type()
}

// tupleItems returns the types of the items at one of several known indexes: nil if the indexes are
// not all known.
func tupleItems(t *types.Tuple, indexes *types.Union, n *syntax.Index) (items []types.Ref, failed types.Type) {
	var diags []diag.Diagnostic
	for _, member := range indexes.Members {
		i, ok := member.Type().(*types.IntLiteral)
		if !ok {
			return nil, nil
		}
		item := tupleItem(t, i.Value, n)
		if types.IsError(item) {
			diags = append(diags, types.ErrorsOf(item)...)
		}
		items = append(items, item)
	}
	if len(diags) > 0 {
		return nil, errorType(diags...)
	}
	return items, nil
}

func (m *Model) declaredNestedAccess(n *syntax.NestedAccess) declaredType {
	if !n.Name.Valid() {
		return declaredType{}
	}
	switch s := m.bound(n).(type) {
	case *bind.Resource:
		return m.declaredOf(s.Stmt.Value)
	case *bind.ErrorSymbol:
		return declaredType{s.Type(), n}
	}
	name := "error"
	if t := m.DeclaredType(n.X); t != nil {
		name = "Type"
	}
	return declaredType{errorType(diag.BCP158.At(n.Name.Span(), name)), n}
}

// writtenProperty looks up a property. If an object literal has it, its declared type there is more
// exact: it is a certain member of a discriminated type. Otherwise the property is looked up in the
// type.
func (m *Model) writtenProperty(t types.Type, obj *syntax.Object, name string) declaredType {
	if obj != nil {
		if prop := obj.Property(name); prop != nil {
			if f := m.declaredOf(prop.Value); f.known() {
				return f
			}
		}
	}
	return propertyOf(t, name)
}

// propertyOf looks up a property in a type.
func propertyOf(t types.Type, name string) declaredType {
	if r, ok := t.(*types.Resource); ok {
		t = r.Body.Type()
	}
	if d, ok := t.(*types.DiscriminatedObject); ok {
		if name == d.Discriminator.Name {
			return declaredType{ref: d.Discriminator.Type.Type()}
		}
		return declaredType{}
	}
	o, ok := types.AsObject(t)
	if !ok {
		return declaredType{}
	}
	p := o.Property(name)
	if p == nil {
		p = o.Additional
	}
	if p == nil {
		return declaredType{}
	}
	if types.IsDeferred(p.Type) {
		return declaredType{ref: p.Type.Type()}
	}
	return declaredType{ref: p.Type}
}
