package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// assignTypeNode works out the nodes of the type language. Their types are the
// declared ones; here they are checked.
func (m *Model) assignTypeNode(n syntax.Node) (types.Type, bool) {
	switch n := n.(type) {
	case *syntax.ObjectType, *syntax.TupleType, *syntax.TypeName, *syntax.StringTypeLit, *syntax.IntTypeLit,
		*syntax.BoolTypeLit, *syntax.UnaryType, *syntax.NonNullType, *syntax.NullableType, *syntax.ParenType:
		t := m.declaredOrError(n)
		m.visitChildren(n)
		return t, true
	case *syntax.TypePropertyAccess, *syntax.TypeRestAccess, *syntax.TypeIndex, *syntax.TypeItems:
		t := m.declaredOrError(n)
		m.visitChildren(n)
		if m.missed[n.ID()] {
			m.report(diag.BCP411.At(n.Span()))
		}
		return t, true
	case *syntax.ArrayType:
		t := m.declaredOrError(n)
		m.reportAll(errorsOf(m.itemType(n.Item).Type()))
		m.visitChildren(n)
		return t, true
	case *syntax.TypeProperty:
		return m.assignTypeMember(n), true
	case *syntax.TypeRest:
		return m.assignTypeMember(n), true
	case *syntax.TupleItem:
		return m.assignTypeMember(n), true
	case *syntax.NullTypeLit:
		return nullType, true
	case *syntax.UnionType:
		return m.assignUnionType(n), true
	case *syntax.ResourceTypeRef:
		t := m.declaredOrError(n)
		if r, ok := t.(*types.Resource); ok && n.Type != nil && !r.Namespace.Resources.HasDefinedType(r.TypeRef) {
			m.report(diag.BCP081.At(n.Type.Span(), r.TypeRef.Name()))
		}
		return t, true
	case *syntax.TypeCall:
		return m.assignInstance(n), true
	case *syntax.InstanceTypeCall:
		return m.assignInstance(n), true
	}
	return nil, false
}

func isTypeAccess(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.TypePropertyAccess, *syntax.TypeRestAccess, *syntax.TypeIndex, *syntax.TypeItems:
		return true
	}
	return false
}

func (m *Model) declaredOrError(n syntax.Node) types.Type {
	if t := m.DeclaredType(n); t != nil {
		return t
	}
	return silentError
}

func (m *Model) assignTypeMember(n syntax.Decorated) types.Type {
	t := m.declaredAndDecorators(n)
	m.reportAll(errorsOf(t))
	m.visitChildren(n)
	return t
}

func (m *Model) assignInstance(n syntax.Node) types.Type {
	i := m.instantiate(n)
	if isError(i.Type) {
		return silentError
	}
	m.reportAll(errorsOf(i.Type))
	return i.Type
}

// unionMember is a member of a union, with the node that it was written as.
type unionMember struct {
	typ types.Type
	at  syntax.Node
}

func flattenMember(list []unionMember, t types.Type, at syntax.Node) []unionMember {
	if u, ok := t.(*types.Union); ok {
		for _, x := range u.Members {
			list = flattenMember(list, x.Type(), at)
		}
		return list
	}
	return append(list, unionMember{t, at})
}

// assignUnionType checks that the members of a union are constants of one kind.
func (m *Model) assignUnionType(n *syntax.UnionType) types.Type {
	t := m.declaredOrError(n)
	m.reportAll(errorsOf(t))
	m.visitChildren(n)
	switch t.(type) {
	case *types.DiscriminatedObject, *types.Error:
		return t
	}
	var members []unionMember
	for _, x := range n.Members {
		members = flattenMember(members, m.memberType(x).Type(), x)
	}
	var kinds []types.Ref
	for _, x := range members {
		if isUnknown(x.typ) {
			return t // whether the others fit it, only the library could tell
		}
		if k := kindOf(x.typ); k != nil {
			kinds = append(kinds, k)
		}
	}
	keystone := types.NewUnion(kinds...)
	kind := keystone
	if u, ok := keystone.(*types.Union); ok && len(u.Members) > 0 {
		if inner, ok := tryNonNull(keystone); ok {
			kind = inner
		}
		if !isDeclarationType(kind) {
			// Any constants may be mixed in what becomes the type of an array's items.
			hasArray := false
			for _, x := range u.Members {
				hasArray = hasArray || x.Type() == arrayType
			}
			if m.mayBeArrayOfAny(n) && !hasArray {
				for _, x := range members {
					m.requireLiteral(x)
				}
				return t
			}
		}
	}
	if !isDeclarationType(kind) {
		m.report(diag.BCP294.At(n.Span()))
		return t
	}
	for _, x := range members {
		if m.requireLiteral(x) && !types.AreAssignable(x.typ, keystone) {
			m.report(diag.BCP286.At(x.at.Span(), keystone))
		}
	}
	return t
}

func (m *Model) requireLiteral(x unionMember) bool {
	if types.IsLiteral(x.typ) {
		return true
	}
	m.report(diag.BCP293.At(x.at.Span()))
	return false
}

// kindOf is the type of which a constant is one value.
func kindOf(t types.Type) types.Type {
	switch t.(type) {
	case *types.StringLiteral, *types.String:
		return stringType
	case *types.IntLiteral, *types.Int:
		return intType
	case *types.BoolLiteral, *types.Bool:
		return boolType
	case *types.Object:
		return objectType
	case *types.Tuple:
		return arrayType
	case *types.NullType:
		return nullType
	}
	return nil
}

// isDeclarationType reports whether a type is one that the language offers by name.
func isDeclarationType(t types.Type) bool {
	switch t {
	case anyType, arrayType, boolType, intType, objectType, stringType:
		return true
	}
	return false
}

// mayBeArrayOfAny reports whether a union is the type of an array's items.
func (m *Model) mayBeArrayOfAny(n syntax.Node) bool {
	for {
		switch p := m.parent(n).(type) {
		case *syntax.ParenType:
			n = p
		case *syntax.ArrayType:
			return true
		default:
			return false
		}
	}
}
