package check

import (
	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
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

// DeclaredFact is a declared type together with where it comes from.
type DeclaredFact struct {
	Ref  types.Ref
	Node syntax.Node // whose shape refines the type of a property access; may be nil
	// Constant is set where a compile-time constant is needed.
	Constant bool
}

// declaredFact is a DeclaredFact at rest. A nil ref with state factDone says
// that the node has no declared type. The origin is mostly the node itself; others
// are kept in Model.origins, since there is a fact for every node of a file.
type declaredFact struct {
	ref    types.Ref
	state  factState
	konst  bool
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
	case origin == nil:
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
	f, ok := m.declaredFact(n)
	if !ok {
		return nil
	}
	return f.Ref.Type()
}

func (m *Model) declaredFact(n syntax.Node) (DeclaredFact, bool) {
	if n == nil {
		return DeclaredFact{}, false
	}
	f := &m.declared[n.ID()]
	switch f.state {
	case factBusy:
		return DeclaredFact{}, false
	case factNone:
		f.state = factBusy
		d, ok := m.computeDeclared(n)
		f = &m.declared[n.ID()]
		f.state = factDone
		if ok {
			m.settle(f, n, d.Ref, d.Node)
			f.konst = d.Constant
		}
	}
	if f.ref == nil {
		return DeclaredFact{}, false
	}
	d := DeclaredFact{Ref: f.ref, Constant: f.konst}
	switch f.origin {
	case ownOrigin:
		d.Node = n
	case otherOrigin:
		d.Node = m.origins[n.ID()]
	}
	return d, true
}

func fact(r types.Ref, n syntax.Node) (DeclaredFact, bool) {
	if r == nil {
		return DeclaredFact{}, false
	}
	return DeclaredFact{Ref: r, Node: n}, true
}

func noFact() (DeclaredFact, bool) { return DeclaredFact{}, false }

func (m *Model) computeDeclared(n syntax.Node) (DeclaredFact, bool) {
	if t := m.typeCycleAt(n); t != nil {
		return fact(t, n)
	}
	if _, ok := n.(*syntax.Skipped); !ok {
		if _, ok := n.(syntax.TypeExpr); ok {
			return fact(m.computeTypeOfSyntax(n), n)
		}
	}
	switch n := n.(type) {
	case *syntax.TypeProperty, *syntax.TypeRest, *syntax.TupleItem:
		return fact(m.computeTypeOfSyntax(n), n)
	case *syntax.Extension:
		if s, ok := m.bound(n).(*bind.ExtensionNamespace); ok {
			return fact(s.Type, n)
		}
	case *syntax.ExtensionConfig:
		return m.declaredExtensionConfig(n)
	case *syntax.Metadata:
		return fact(m.TypeOf(n.Value), n)
	case *syntax.Param:
		return fact(m.modified(m.statedType(n.Type, diag.BCP031).Type(), n, true), n)
	case *syntax.Output:
		return fact(m.modified(m.statedType(n.Type, diag.BCP030).Type(), n, false), n)
	case *syntax.Var:
		if n.Type != nil {
			return fact(m.modified(m.statedType(n.Type, diag.BCP412).Type(), n, false), n)
		}
	case *syntax.ParamAssign:
		return m.declaredParamAssign(n)
	case *syntax.TypeDecl:
		return fact(m.declaredTypeDecl(n), n)
	case *syntax.Resource:
		return fact(arrayIfLoop(m.declaredResource(n), n.Value), n)
	case *syntax.Module:
		return fact(arrayIfLoop(m.declaredModule(n), n.Value), n)
	case *syntax.Test:
		return fact(m.declaredTest(n), n)
	case *syntax.VarRef:
		return m.declaredVarRef(n)
	case *syntax.Assert:
		return fact(boolType, n)
	case *syntax.TargetScope:
		return DeclaredFact{Ref: m.targetScopeType(), Node: n, Constant: true}, true
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
			return fact(m.TypeOf(n), n)
		}
		return fact(m.statedType(n.Type, diag.BCP031).Type(), n)
	case *syntax.Call, *syntax.InstanceCall:
		return fact(m.TypeOf(n), nil)
	case *syntax.Array:
		return m.declaredArray(n)
	case *syntax.Object:
		return m.declaredObject(n)
	case *syntax.Property:
		return m.declaredProperty(n)
	case *syntax.String:
		return m.declaredString(n)
	case *syntax.NonNull:
		f, ok := m.declaredFact(n.X)
		if !ok {
			return noFact()
		}
		return DeclaredFact{mapRef(f.Ref, types.NonNull), n, f.Constant}, true
	case *syntax.TypedLambda:
		return fact(m.declaredTypedLambda(n), n)
	case *syntax.WithClause:
		if _, ok := m.parent(n).(*syntax.Using); ok {
			return fact(usingConfig(), n)
		}
	}
	return noFact()
}

// arrayIfLoop is the type of a resource or module that may be declared by a loop.
func arrayIfLoop(t types.Type, value syntax.Expr) types.Type {
	if syntax.IsLoop(value) {
		return types.NewTypedArray(t, nil, nil, 0)
	}
	return t
}

// statedType is the type that a declaration states, or an error that says which could be stated.
func (m *Model) statedType(te syntax.TypeExpr, missing *diag.Rule) types.Ref {
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
