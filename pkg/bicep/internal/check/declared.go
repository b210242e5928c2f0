package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typeexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file finds declared types: the type that is expected at a place of the
// program. It comes from a declaration and is passed down to the objects, arrays and
// strings within. The assigned type (assign.go) is the type of the expression itself.

// slotState says whether the declared type of a node is known.
type slotState uint8

const (
	slotEmpty slotState = iota
	slotBusy
	slotDone
)

// declaredType is a declared type together with the node that it comes from. The zero
// value means that nothing is declared.
type declaredType struct {
	ref  types.Ref
	node syntax.Node // whose shape refines the type of a property access; may be nil
}

func (f declaredType) known() bool { return f.ref != nil }

// at returns the same type, coming from n.
func (f declaredType) at(n syntax.Node) declaredType { return declaredType{f.ref, n} }

// nonNull returns the type without null.
func (f declaredType) nonNull() declaredType {
	if f.known() {
		if inner, ok := types.TryNonNull(f.ref.Type()); ok {
			f.ref = inner
		}
	}
	return f
}

// item returns the type of an array's items.
func (f declaredType) item() declaredType {
	if !f.known() {
		return declaredType{}
	}
	a, ok := types.AsArray(f.ref.Type())
	if !ok {
		return declaredType{}
	}
	return declaredType{ref: a.ItemRef().Type()}
}

// variant returns the type for an object literal: the member of a discriminated type that the
// literal's discriminator selects.
func (f declaredType) variant(n *syntax.Object) declaredType {
	if !f.known() {
		return declaredType{}
	}
	return declaredType{pickVariant(f.ref.Type(), n), n}
}

// declaredSlot stores the declared type of a node. A nil ref in state slotDone means
// that the node has none. The type mostly comes from the node itself. Other origins are
// in Model.origins, which keeps slots small: most nodes of a file have one.
type declaredSlot struct {
	ref    types.Ref
	state  slotState
	origin originKind
}

type originKind uint8

const (
	noOrigin originKind = iota
	ownOrigin
	otherOrigin
)

// storeDeclared stores the declared type of a node.
func (m *Model) storeDeclared(f *declaredSlot, n syntax.Node, ref types.Ref, origin syntax.Node) {
	f.state, f.ref = slotDone, ref
	switch {
	case ref == nil || origin == nil:
		f.origin = noOrigin
	case origin == n:
		f.origin = ownOrigin
	default:
		f.origin = otherOrigin
		if m.origins == nil {
			m.origins = map[syntax.ID]syntax.Node{}
		}
		m.origins[n.ID()] = origin
	}
}

// DeclaredType returns the type that the place of a node is declared to hold, or
// nil if nothing is declared of it.
func (m *Model) DeclaredType(n syntax.Node) types.Type {
	f := m.declaredOf(n)
	if !f.known() {
		return nil
	}
	return f.ref.Type()
}

func (m *Model) declaredOf(n syntax.Node) declaredType {
	switch n := n.(type) {
	case nil:
		return declaredType{}
	case *syntax.Property:
		return m.declaredProperty(n) // looked up in the type of its object, which is stored
	case *syntax.Object, *syntax.Array, *syntax.String, *syntax.VarRef, *syntax.PropertyAccess, *syntax.Call,
		*syntax.For, *syntax.If, *syntax.Resource, *syntax.Var, *syntax.Param, *syntax.Output, *syntax.Module:
		// Most nodes are no type expressions.
	default:
		if typeexpr.Has(n) {
			ref := m.typeExprs.TypeOf(n)
			if ref == nil {
				return declaredType{}
			}
			return declaredType{ref, n}
		}
	}
	f := m.declared.GetOrAdd(n.ID())
	switch f.state {
	case slotBusy:
		return declaredType{}
	case slotEmpty:
		f.state = slotBusy
		d := m.findDeclared(n)
		m.storeDeclared(f, n, d.ref, d.node)
	}
	if f.ref == nil {
		return declaredType{}
	}
	switch f.origin {
	case ownOrigin:
		return declaredType{f.ref, n}
	case otherOrigin:
		return declaredType{f.ref, m.origins[n.ID()]}
	}
	return declaredType{ref: f.ref}
}

func (m *Model) findDeclared(n syntax.Node) declaredType {
	if t := m.typeExprs.CycleAt(n); t != nil {
		return declaredType{t, n}
	}
	switch n := n.(type) {
	case *syntax.Extension:
		if s, ok := m.bound(n).(*bind.ExtensionNamespace); ok {
			return declaredType{s.Type, n}
		}
	case *syntax.ExtensionConfig:
		return m.declaredExtensionConfig(n)
	case *syntax.Metadata:
		return declaredType{m.TypeOf(n.Value), n}
	case *syntax.Param:
		return declaredType{m.typeExprs.Modified(m.typeExprs.Stated(n.Type, diag.BCP031).Type(), n, true), n}
	case *syntax.Output:
		return declaredType{m.typeExprs.Modified(m.typeExprs.Stated(n.Type, diag.BCP030).Type(), n, false), n}
	case *syntax.Var:
		if n.Type != nil {
			return declaredType{m.typeExprs.Modified(m.typeExprs.Stated(n.Type, diag.BCP412).Type(), n, false), n}
		}
	case *syntax.ParamAssign:
		return m.declaredParamAssign(n)
	case *syntax.TypeDecl:
		return declaredType{m.declaredTypeDecl(n), n}
	case *syntax.Resource:
		return declaredType{arrayIfLoop(m.declaredResource(n), n.Value), n}
	case *syntax.Module:
		return declaredType{arrayIfLoop(m.declaredModule(n), n.Value), n}
	case *syntax.Test:
		return declaredType{m.declaredTest(n), n}
	case *syntax.VarRef:
		return m.declaredVarRef(n)
	case *syntax.Assert:
		return declaredType{boolType, n}
	case *syntax.TargetScope:
		return declaredType{m.targetScopeType(), n}
	case *syntax.If:
		return m.declaredIf(n)
	case *syntax.For:
		return m.declaredFor(n)
	case *syntax.PropertyAccess:
		return m.declaredAccess(n)
	case *syntax.Index:
		return m.declaredAccess(n)
	case *syntax.NestedAccess:
		return m.declaredNestedAccess(n)
	case *syntax.Local:
		if n.Type == nil {
			return declaredType{m.TypeOf(n), n}
		}
		return declaredType{m.typeExprs.Stated(n.Type, diag.BCP031).Type(), n}
	case *syntax.Call, *syntax.InstanceCall:
		return declaredType{m.TypeOf(n), nil}
	case *syntax.Array:
		return m.declaredArray(n)
	case *syntax.Object:
		return m.declaredObject(n)
	case *syntax.String:
		return m.declaredString(n)
	case *syntax.NonNull:
		f := m.declaredOf(n.X)
		if !f.known() {
			return declaredType{}
		}
		return declaredType{types.MapRef(f.ref, types.NonNull), n}
	case *syntax.TypedLambda:
		return declaredType{m.declaredTypedLambda(n), n}
	case *syntax.WithClause:
		if _, ok := m.Parent(n).(*syntax.Using); ok {
			return declaredType{types.UsingConfig(), n}
		}
	}
	return declaredType{}
}

// arrayIfLoop is the type of a resource or module that may be declared by a loop.
func arrayIfLoop(t types.Type, value syntax.Expr) types.Type {
	if syntax.IsLoop(value) {
		return types.NewTypedArray(t, nil, nil, 0)
	}
	return t
}

func (m *Model) declaredTypedLambda(n *syntax.TypedLambda) types.Type {
	params := make([]types.Ref, len(n.Params))
	for i, p := range n.Params {
		params[i] = m.typeExprs.Stated(p.Type, diag.BCP031)
	}
	return types.NewLambda(params, nil, m.typeExprs.Stated(n.Return, diag.BCP030))
}

func (m *Model) declaredTypeDecl(n *syntax.TypeDecl) types.Type {
	var t types.Type
	switch s := m.bound(n).(type) {
	case *bind.TypeAlias:
		t = m.typeExprs.Alias(s)
	case *bind.ErrorSymbol:
		t = s.Type()
	default:
		t = m.typeExprs.NotAType(n.Span(), n.Name.Name)
	}
	switch t.(type) {
	case *types.Error, *types.TypeType:
		return t
	}
	return &types.TypeType{Inner: t}
}

func (m *Model) targetScopeType() types.Type {
	scopes := []types.Ref{
		types.Str("tenant"), types.Str("managementGroup"),
		types.Str("subscription"), types.Str("resourceGroup"),
	}
	if m.features.LocalDeploy {
		scopes = append(scopes, types.Str("local"))
	}
	return types.NewUnion(scopes...)
}
