package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file works out declared types: what a place of the program is expected
// to hold, which flows inwards from declarations to the objects, arrays and
// strings that are written there. The assigned type (assign.go) is what an
// expression comes to.

// factState says how far the work on a node is.
type factState uint8

const (
	factNone factState = iota
	factBusy
	factDone
)

// fact is a declared type together with where it comes from. The zero fact says
// that nothing is declared.
type fact struct {
	ref  types.Ref
	node syntax.Node // whose shape refines the type of a property access; may be nil
}

func (f fact) known() bool { return f.ref != nil }

// at is the fact as it is known of a node in its place.
func (f fact) at(n syntax.Node) fact { return fact{f.ref, n} }

// nonNull is what is known where something that is not null is written.
func (f fact) nonNull() fact {
	if f.known() {
		if inner, ok := tryNonNull(f.ref.Type()); ok {
			f.ref = inner
		}
	}
	return f
}

// item is what is known of the items of an array.
func (f fact) item() fact {
	if !f.known() {
		return fact{}
	}
	a, ok := types.AsArray(f.ref.Type())
	if !ok {
		return fact{}
	}
	return fact{ref: a.ItemRef().Type()}
}

// variant is what is known of an object literal in the place.
func (f fact) variant(n *syntax.Object) fact {
	if !f.known() {
		return fact{}
	}
	return fact{pickVariant(f.ref.Type(), n), n}
}

// declaredFact is a fact at rest. A nil ref with state factDone says
// that the node has no declared type. The origin is mostly the node itself; others
// are kept in Model.origins, since there is a fact for every node of a file.
type declaredFact struct {
	ref    types.Ref
	state  factState
	origin originKind
}

type originKind uint8

const (
	noOrigin originKind = iota
	ownOrigin
	otherOrigin
)

// settle puts a fact to rest.
func (m *Model) settle(f *declaredFact, n syntax.Node, ref types.Ref, origin syntax.Node) {
	f.state, f.ref = factDone, ref
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
	f := m.declaredFact(n)
	if !f.known() {
		return nil
	}
	return f.ref.Type()
}

func (m *Model) declaredFact(n syntax.Node) fact {
	if n == nil {
		return fact{}
	}
	f := m.declared.Make(n.ID())
	switch f.state {
	case factBusy:
		return fact{}
	case factNone:
		f.state = factBusy
		d := m.computeDeclared(n)
		m.settle(f, n, d.ref, d.node)
	}
	if f.ref == nil {
		return fact{}
	}
	switch f.origin {
	case ownOrigin:
		return fact{f.ref, n}
	case otherOrigin:
		return fact{f.ref, m.origins[n.ID()]}
	}
	return fact{ref: f.ref}
}

func (m *Model) computeDeclared(n syntax.Node) fact {
	if t := m.typeCycleAt(n); t != nil {
		return fact{t, n}
	}
	if _, ok := n.(*syntax.Skipped); !ok {
		if _, ok := n.(syntax.TypeExpr); ok {
			return fact{m.computeTypeOfSyntax(n), n}
		}
	}
	switch n := n.(type) {
	case *syntax.TypeProperty, *syntax.TypeRest, *syntax.TupleItem:
		return fact{m.computeTypeOfSyntax(n), n}
	case *syntax.Extension:
		if s, ok := m.bound(n).(*bind.ExtensionNamespace); ok {
			return fact{s.Type, n}
		}
	case *syntax.ExtensionConfig:
		return m.declaredExtensionConfig(n)
	case *syntax.Metadata:
		return fact{m.TypeOf(n.Value), n}
	case *syntax.Param:
		return fact{m.modified(m.statedType(n.Type, diag.BCP031).Type(), n, true), n}
	case *syntax.Output:
		return fact{m.modified(m.statedType(n.Type, diag.BCP030).Type(), n, false), n}
	case *syntax.Var:
		if n.Type != nil {
			return fact{m.modified(m.statedType(n.Type, diag.BCP412).Type(), n, false), n}
		}
	case *syntax.ParamAssign:
		return m.declaredParamAssign(n)
	case *syntax.TypeDecl:
		return fact{m.declaredTypeDecl(n), n}
	case *syntax.Resource:
		return fact{arrayIfLoop(m.declaredResource(n), n.Value), n}
	case *syntax.Module:
		return fact{arrayIfLoop(m.declaredModule(n), n.Value), n}
	case *syntax.Test:
		return fact{m.declaredTest(n), n}
	case *syntax.VarRef:
		return m.declaredVarRef(n)
	case *syntax.Assert:
		return fact{boolType, n}
	case *syntax.TargetScope:
		return fact{m.targetScopeType(), n}
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
			return fact{m.TypeOf(n), n}
		}
		return fact{m.statedType(n.Type, diag.BCP031).Type(), n}
	case *syntax.Call, *syntax.InstanceCall:
		return fact{m.TypeOf(n), nil}
	case *syntax.Array:
		return m.declaredArray(n)
	case *syntax.Object:
		return m.declaredObject(n)
	case *syntax.Property:
		return m.declaredProperty(n)
	case *syntax.String:
		return m.declaredString(n)
	case *syntax.NonNull:
		f := m.declaredFact(n.X)
		if !f.known() {
			return fact{}
		}
		return fact{mapRef(f.ref, types.NonNull), n}
	case *syntax.TypedLambda:
		return fact{m.declaredTypedLambda(n), n}
	case *syntax.WithClause:
		if _, ok := m.parent(n).(*syntax.Using); ok {
			return fact{usingConfig(), n}
		}
	}
	return fact{}
}

// arrayIfLoop is the type of a resource or module that may be declared by a loop.
func arrayIfLoop(t types.Type, value syntax.Expr) types.Type {
	if syntax.IsLoop(value) {
		return types.NewTypedArray(t, nil, nil, 0)
	}
	return t
}

// statedType is the type that a declaration states, or an error that says which could be stated.
func (m *Model) statedType(te syntax.TypeExpr, missing diag.Kind) types.Ref {
	if te == nil {
		return anyType // the parser has complained
	}
	r := m.tryTypeOfSyntax(te)
	if r == nil {
		return fail(missing.At(te.Span(), m.validTypes()))
	}
	return refuseNamespaceRef(r, te)
}

func (m *Model) declaredTypedLambda(n *syntax.TypedLambda) types.Type {
	params := make([]types.Ref, len(n.Params))
	for i, p := range n.Params {
		params[i] = m.statedType(p.Type, diag.BCP031)
	}
	return types.NewLambda(params, nil, m.statedType(n.Return, diag.BCP030))
}

func (m *Model) declaredTypeDecl(n *syntax.TypeDecl) types.Type {
	var t types.Type
	switch s := m.bound(n).(type) {
	case *bind.TypeAlias:
		t = m.aliasType(s)
	case *bind.ErrorSymbol:
		t = errorOf(s)
	default:
		t = m.notAType(n.Span(), n.Name.Name)
	}
	switch t.(type) {
	case *types.Error, *types.Wrapped:
		return t
	}
	return &types.Wrapped{Of: t}
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
