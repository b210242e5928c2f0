package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file finds the declared types of objects, arrays and strings that are written as literals.

// typedAncestor is the closest node around n that may have a declared type,
// looking through parentheses and the branches of a choice. It only looks
// upwards: the types of what is within may depend on n.
func (m *Model) typedAncestor(n syntax.Node) syntax.Node {
	for p := m.Parent(n); p != nil; p = m.Parent(p) {
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

// declaredArg is the declared type of an argument of a call. The child is the
// argument or what leads to it.
func (m *Model) declaredArg(call, child syntax.Node) declaredType {
	i := argIndex(call, child)
	if i < 0 {
		return declaredType{}
	}
	return declaredType{ref: m.declaredArgument(call, i)}
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
		up := m.Parent(n)
		if up == nil || up == p {
			return n
		}
		n = up
	}
}

func (m *Model) declaredArray(n *syntax.Array) declaredType {
	parent := m.typedAncestor(n)
	switch p := parent.(type) {
	case *syntax.Property, *syntax.ParamAssign:
		return m.declaredOf(p).nonNull().at(n)
	case *syntax.Call, *syntax.InstanceCall:
		return m.declaredArg(p, m.childTowards(n, p)).nonNull().at(n)
	case *syntax.Output, *syntax.Var:
		if m.Parent(n) == parent {
			return m.declaredOf(p).nonNull().at(n)
		}
	case *syntax.ParamDefault:
		return m.declaredOf(m.Parent(p)).nonNull().at(n)
	case *syntax.Spread:
		outer := m.declaredOf(m.typedAncestor(p))
		switch outer.ref.(type) {
		case *types.Array, *types.Tuple:
			return outer.at(n)
		}
	}
	return declaredType{}
}

func (m *Model) declaredString(n *syntax.String) declaredType {
	switch p := m.Parent(n).(type) {
	case *syntax.Property:
		return m.declaredOf(p).nonNull().at(n)
	case *syntax.Array:
		return m.declaredOf(p).nonNull().item().nonNull().at(n)
	case *syntax.Call, *syntax.InstanceCall:
		return m.declaredArg(p, n).nonNull().at(n)
	}
	return declaredType{}
}

func (m *Model) declaredIf(n *syntax.If) declaredType {
	obj, ok := n.Body.(*syntax.Object)
	if !ok {
		return declaredType{}
	}
	f := m.declaredOf(m.Parent(n))
	if !f.known() {
		return declaredType{}
	}
	switch t := f.ref.Type().(type) {
	case *types.Resource, *types.Module:
		return declaredType{ref: unwrapBody(t)}.variant(obj)
	case types.ArrayLike:
		return f.item().at(obj)
	}
	return declaredType{}
}

func (m *Model) declaredFor(n *syntax.For) declaredType {
	f := m.declaredForWhole(n)
	item := f.item()
	if !item.known() {
		return declaredType{}
	}
	obj := syntax.Body(n)
	if obj == nil {
		return f.at(n)
	}
	body := pickVariant(unwrapBody(item.ref.Type()), obj)
	return declaredType{types.NewTypedArray(body, nil, nil, 0), n}
}

// declaredForWhole returns the type that the place of a loop is declared to hold.
func (m *Model) declaredForWhole(n *syntax.For) declaredType {
	parent := m.Parent(n)
	if v, ok := parent.(*syntax.Var); ok {
		// The variable's own type depends on the loop.
		return declaredType{arrayType, v}
	}
	return m.declaredOf(parent)
}

// declaredObject finds what an object literal is expected to be.
func (m *Model) declaredObject(n *syntax.Object) declaredType {
	parent := m.typedAncestor(n)
	switch p := parent.(type) {
	case *syntax.Resource, *syntax.Module:
		if f := m.declaredOf(p); f.known() {
			switch t := f.ref.Type().(type) {
			case *types.Resource, *types.Module:
				return declaredType{ref: unwrapBody(t)}.variant(n)
			}
		}
	case *syntax.If:
		return m.declaredOf(p)
	case *syntax.For:
		return m.declaredOf(p).item().at(n)
	case *syntax.Property:
		return m.declaredOf(p).nonNull().variant(n)
	case *syntax.Array:
		return m.declaredOf(p).nonNull().item().nonNull().variant(n)
	case *syntax.WithClause:
		return m.declaredWith(p, n)
	case *syntax.Call, *syntax.InstanceCall:
		return m.declaredArg(p, m.childTowards(n, p)).nonNull().variant(n)
	case *syntax.Output, *syntax.Var:
		if m.Parent(n) == parent {
			return m.declaredOf(p).nonNull().variant(n)
		}
	case *syntax.ParamDefault:
		return m.declaredOf(m.Parent(p)).variant(n)
	case *syntax.ParamAssign, *syntax.ExtensionConfig:
		return m.declaredOf(p).variant(n)
	case *syntax.Spread:
		if obj, ok := m.declaredOf(m.typedAncestor(p)).ref.(*types.Object); ok {
			// A spread object may lack properties that the rest of the object has.
			return declaredType{optional(obj, ""), n}
		}
	case *syntax.TypedLambda:
		if f := m.declaredOf(p); f.known() && p.Body != nil {
			if l, ok := f.ref.Type().(*types.Lambda); ok {
				return declaredType{l.Return, n}
			}
		}
	}
	return declaredType{}
}

// declaredWith is what the object of a `with` clause is expected to be.
func (m *Model) declaredWith(w *syntax.WithClause, n *syntax.Object) declaredType {
	outer := m.Parent(w)
	if _, ok := outer.(*syntax.Using); ok {
		if syntax.Node(w.Config) != syntax.Node(n) {
			return declaredType{}
		}
		return m.declaredOf(w).nonNull().variant(n)
	}
	f := m.declaredOf(outer)
	if !f.known() {
		return declaredType{}
	}
	switch t := f.ref.Type().(type) {
	case *types.Namespace:
		if config := t.Settings.Config; config != nil {
			return declaredType{ref: config}.variant(n)
		}
	case *types.Object:
		if _, ok := outer.(*syntax.ExtensionConfig); ok {
			return f.variant(n)
		}
	}
	return declaredType{}
}

// declaredProperty is what the value of a property is expected to be.
func (m *Model) declaredProperty(n *syntax.Property) declaredType {
	obj, ok := m.Parent(n).(*syntax.Object)
	if !ok {
		return declaredType{}
	}
	name, known := n.KeyName()
	if !known {
		if s, ok := n.Key.(*syntax.String); ok {
			if lit, ok := m.TypeOf(s).(*types.StringLiteral); ok {
				name, known = lit.Value, true
			}
		}
	}
	f := m.declaredOf(obj).nonNull()
	switch {
	case !f.known():
		return declaredType{}
	case known:
		return propertyOf(f.ref.Type(), name)
	}
	// In a dictionary, an unknown name is one of the entries.
	if o, ok := types.AsObject(f.ref.Type()); ok && len(o.Properties()) == 0 && o.Additional != nil {
		return declaredType{o.Additional.Type.Type(), n}
	}
	return declaredType{}
}

// pickVariant returns the member of a discriminated type that an object literal is, if its
// discriminator is written as plain text.
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
