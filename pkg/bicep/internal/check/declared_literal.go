package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file works out what the objects, arrays and strings that are written in a
// place are expected to be.

// typedAncestor is the closest node around n that may have a declared type,
// looking through parentheses and the branches of a choice. It only looks
// upwards: the types of what lies within may depend on n.
func (m *Model) typedAncestor(n syntax.Node) syntax.Node {
	for p := m.parent(n); p != nil; p = m.parent(p) {
		switch x := p.(type) {
		case *syntax.Paren:
			continue
		case *syntax.Ternary:
			if syntax.Node(x.Then) == n || syntax.Node(x.Else) == n {
				continue
			}
		}
		return p
	}
	return nil
}

// nonNullDeclared is the declared type of a place where something that is not
// null is written.
func (m *Model) nonNullDeclared(n syntax.Node) (DeclaredFact, bool) {
	f, ok := m.declaredFact(n)
	if ok {
		if inner, yes := tryNonNull(f.Ref.Type()); yes {
			f.Ref = inner
		}
	}
	return f, ok
}

// declaredItem is the declared type of an item of an array.
func (m *Model) declaredItem(a *syntax.Array) (types.Type, bool) {
	f, ok := m.nonNullDeclared(a)
	if !ok {
		return nil, false
	}
	return itemOf(f.Ref.Type())
}

// itemOf is the type of an array's items.
func itemOf(t types.Type) (types.Type, bool) {
	a, ok := types.AsArray(t)
	if !ok {
		return nil, false
	}
	return a.ItemRef().Type(), true
}

// configOf is what a namespace is configured with, or nil.
func configOf(ns *types.Namespace) types.Type {
	if ns.Settings.Config == nil {
		return nil
	}
	return ns.Settings.Config
}

// declaredArg is the declared type of an argument of a call. The child is the
// argument or what leads to it.
func (m *Model) declaredArg(call, child syntax.Node) (types.Type, bool) {
	i := argIndex(call, child)
	if i < 0 {
		return nil, false
	}
	t := m.declaredArgument(call, i)
	return t, t != nil
}

func argIndex(call, child syntax.Node) int {
	_, args, _ := syntax.CallName(call)
	for i, a := range args {
		if syntax.Node(a) == child {
			return i
		}
	}
	return -1
}

// childTowards returns the ancestor of n (or n itself) whose parent is p.
func (m *Model) childTowards(n, p syntax.Node) syntax.Node {
	for {
		up := m.parent(n)
		if up == nil || up == p {
			return n
		}
		n = up
	}
}

func (m *Model) declaredArray(n *syntax.Array) (DeclaredFact, bool) {
	parent := m.typedAncestor(n)
	direct := m.parent(n) == parent
	switch p := parent.(type) {
	case *syntax.Property:
		f, ok := m.nonNullDeclared(p)
		f.Node = n
		return f, ok
	case *syntax.Call, *syntax.InstanceCall:
		if t, ok := m.declaredArg(p, m.childTowards(n, p)); ok {
			return fact(types.NonNull(t), n)
		}
	case *syntax.Output, *syntax.Var:
		if direct {
			f, ok := m.nonNullDeclared(p)
			f.Node = n
			return f, ok
		}
	case *syntax.ParamDefault:
		f, ok := m.nonNullDeclared(m.parent(p))
		f.Node = n
		return f, ok
	case *syntax.ParamAssign:
		f, ok := m.nonNullDeclared(p)
		f.Node = n
		return f, ok
	case *syntax.Spread:
		if outer, ok := m.declaredFact(m.typedAncestor(p)); ok {
			switch outer.Ref.(type) {
			case *types.Array, *types.Tuple:
				return fact(outer.Ref, n)
			}
		}
	}
	return noFact()
}

func (m *Model) declaredString(n *syntax.String) (DeclaredFact, bool) {
	switch p := m.parent(n).(type) {
	case *syntax.Property:
		f, ok := m.nonNullDeclared(p)
		f.Node = n
		return f, ok
	case *syntax.Array:
		if t, ok := m.declaredItem(p); ok {
			return fact(types.NonNull(t), n)
		}
	case *syntax.Call, *syntax.InstanceCall:
		if t, ok := m.declaredArg(p, n); ok {
			return fact(types.NonNull(t), n)
		}
	}
	return noFact()
}

func (m *Model) declaredIf(n *syntax.If) (DeclaredFact, bool) {
	obj, ok := n.Body.(*syntax.Object)
	if !ok {
		return noFact()
	}
	f, ok := m.declaredFact(m.parent(n))
	if !ok {
		return noFact()
	}
	switch t := f.Ref.Type().(type) {
	case *types.Resource:
		return DeclaredFact{pickVariant(t.Body.Type(), obj), obj, f.Constant}, true
	case *types.Module:
		return DeclaredFact{pickVariant(t.Body.Type(), obj), obj, f.Constant}, true
	case types.ArrayLike:
		return DeclaredFact{t.ItemRef().Type(), obj, f.Constant}, true
	}
	return noFact()
}

func (m *Model) declaredFor(n *syntax.For) (DeclaredFact, bool) {
	var f DeclaredFact
	ok := true
	if v, isVar := m.parent(n).(*syntax.Var); isVar {
		// The variable's own type depends on the loop.
		f = DeclaredFact{Ref: arrayType, Node: v}
	} else if f, ok = m.declaredFact(m.parent(n)); !ok {
		return noFact()
	}
	item, isArray := itemOf(f.Ref.Type())
	if !isArray {
		return noFact()
	}
	obj := syntax.Body(n)
	if obj == nil {
		return DeclaredFact{f.Ref.Type(), n, f.Constant}, true
	}
	switch t := item.(type) {
	case *types.Resource:
		item = t.Body.Type()
	case *types.Module:
		item = t.Body.Type()
	}
	return DeclaredFact{types.NewTypedArray(pickVariant(item, obj), nil, nil, 0), n, f.Constant}, true
}

// declaredObject finds what an object literal is expected to be.
func (m *Model) declaredObject(n *syntax.Object) (DeclaredFact, bool) {
	parent := m.typedAncestor(n)
	direct := m.parent(n) == parent
	switch p := parent.(type) {
	case *syntax.Resource:
		if f, ok := m.declaredFact(p); ok {
			if r, ok := f.Ref.Type().(*types.Resource); ok {
				return fact(pickVariant(r.Body.Type(), n), n)
			}
		}
	case *syntax.Module:
		if f, ok := m.declaredFact(p); ok {
			if r, ok := f.Ref.Type().(*types.Module); ok {
				return fact(pickVariant(r.Body.Type(), n), n)
			}
		}
	case *syntax.If:
		return m.declaredFact(p)
	case *syntax.For:
		f, ok := m.declaredFact(p)
		if !ok {
			return noFact()
		}
		item, ok := itemOf(f.Ref.Type())
		if !ok {
			return noFact()
		}
		return DeclaredFact{item, n, f.Constant}, true
	case *syntax.Property:
		f, ok := m.nonNullDeclared(p)
		if !ok {
			return noFact()
		}
		return DeclaredFact{pickVariant(f.Ref.Type(), n), n, f.Constant}, true
	case *syntax.Array:
		t, ok := m.declaredItem(p)
		if !ok {
			return noFact()
		}
		return fact(pickVariant(types.NonNull(t), n), n)
	case *syntax.WithClause:
		return m.declaredWith(p, n)
	case *syntax.Call, *syntax.InstanceCall:
		t, ok := m.declaredArg(p, m.childTowards(n, p))
		if !ok {
			return noFact()
		}
		return fact(pickVariant(types.NonNull(t), n), n)
	case *syntax.Output, *syntax.Var:
		if !direct {
			return noFact()
		}
		f, ok := m.nonNullDeclared(p)
		if !ok {
			return noFact()
		}
		return DeclaredFact{pickVariant(f.Ref.Type(), n), n, f.Constant}, true
	case *syntax.ParamDefault:
		f, ok := m.declaredFact(m.parent(p))
		if !ok {
			return noFact()
		}
		return DeclaredFact{pickVariant(f.Ref.Type(), n), n, f.Constant}, true
	case *syntax.ParamAssign, *syntax.ExtensionConfig:
		f, ok := m.declaredFact(p)
		if !ok {
			return noFact()
		}
		return fact(pickVariant(f.Ref.Type(), n), n)
	case *syntax.Spread:
		if outer, ok := m.declaredFact(m.typedAncestor(p)); ok {
			if obj, ok := outer.Ref.(*types.Object); ok {
				// What is spread may leave out what the rest of the object gives.
				return fact(optional(obj, ""), n)
			}
		}
	case *syntax.TypedLambda:
		if f, ok := m.declaredFact(p); ok && p.Body != nil {
			if l, ok := f.Ref.Type().(*types.Lambda); ok {
				return fact(l.Return, n)
			}
		}
	}
	return noFact()
}

// declaredWith is what the object of a `with` clause is expected to be.
func (m *Model) declaredWith(w *syntax.WithClause, n *syntax.Object) (DeclaredFact, bool) {
	outer := m.parent(w)
	if _, ok := outer.(*syntax.Using); ok {
		if syntax.Node(w.Config) != syntax.Node(n) {
			return noFact()
		}
		f, ok := m.nonNullDeclared(w)
		if !ok {
			return noFact()
		}
		return DeclaredFact{pickVariant(f.Ref.Type(), n), n, f.Constant}, true
	}
	f, ok := m.declaredFact(outer)
	if !ok {
		return noFact()
	}
	var config types.Type
	switch t := f.Ref.Type().(type) {
	case *types.Namespace:
		config = configOf(t)
	case *types.Object:
		if _, ok := outer.(*syntax.ExtensionConfig); ok {
			config = t
		}
	}
	if config == nil {
		return noFact()
	}
	return DeclaredFact{pickVariant(config, n), n, f.Constant}, true
}

// declaredProperty is what the value of a property is expected to be.
func (m *Model) declaredProperty(n *syntax.Property) (DeclaredFact, bool) {
	obj, ok := m.parent(n).(*syntax.Object)
	if !ok {
		return noFact()
	}
	name, known := n.KeyName()
	if !known {
		if s, ok := n.Key.(*syntax.String); ok {
			if lit, ok := m.TypeOf(s).(*types.StringLiteral); ok {
				name, known = lit.Value, true
			}
		}
	}
	f, ok := m.nonNullDeclared(obj)
	if !known {
		// An unknown name in what is only a dictionary is one of its entries.
		if ok {
			if o, isObj := types.AsObject(f.Ref.Type()); isObj && len(o.Properties) == 0 && o.Additional != nil {
				return fact(o.Additional.Type.Type(), n)
			}
		}
		return noFact()
	}
	if !ok {
		return noFact()
	}
	return m.propertyFact(f.Ref.Type(), obj, name, false)
}

// pickVariant settles which variant of a discriminated type an object literal
// is, if its discriminator is written as plain text.
func pickVariant(t types.Type, n *syntax.Object) types.Type {
	d, ok := t.(*types.DiscriminatedObject)
	if !ok {
		return t
	}
	var value syntax.Expr
	for _, item := range n.Items {
		p, ok := item.(*syntax.Property)
		if !ok {
			continue
		}
		if key, ok := p.KeyName(); ok && key == d.Discriminator.Name {
			if value != nil {
				return t // given twice
			}
			value = p.Value
		}
	}
	s, ok := value.(*syntax.String)
	if !ok {
		return t
	}
	lit, ok := s.Literal()
	if !ok {
		return t
	}
	if v := d.Member(lit); v != nil {
		return v
	}
	return t
}
