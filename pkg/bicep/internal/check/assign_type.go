package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// assignTypeNode checks the nodes of type expressions. Their types are the declared ones.
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
		if m.typeExprs.Missed(n) {
			m.report(diag.BCP411.At(n.Span()))
		}
		return t, true
	case *syntax.ArrayType:
		t := m.declaredOrError(n)
		m.reportAll(types.ErrorsOf(m.typeExprs.Item(n.Item).Type()))
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

func (m *Model) declaredOrError(n syntax.Node) types.Type {
	if t := m.DeclaredType(n); t != nil {
		return t
	}
	return silentError
}

func (m *Model) assignTypeMember(n syntax.Decorated) types.Type {
	t := m.declaredAndDecorators(n)
	m.reportAll(types.ErrorsOf(t))
	m.visitChildren(n)
	return t
}

func (m *Model) assignInstance(n syntax.Node) types.Type {
	i := m.typeExprs.Instance(n)
	if types.IsError(i.Type) {
		return silentError
	}
	m.reportAll(types.ErrorsOf(i.Type))
	return i.Type
}

func (m *Model) assignUnionType(n *syntax.UnionType) types.Type {
	t := m.declaredOrError(n)
	m.reportAll(types.ErrorsOf(t))
	m.visitChildren(n)
	m.typeExprs.CheckUnion(n, t, m.sink)
	return t
}
