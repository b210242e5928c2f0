package check

import (
	"math"

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

// Declared returns the declared type of a node with its origin.
func (m *Model) Declared(n syntax.Node) (DeclaredFact, bool) { return m.declaredFact(n) }

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
	if cycles := m.typeCycles(); len(cycles) > 0 {
		if t := m.typeCycleAt(n, cycles); t != nil {
			return fact(t, n)
		}
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
		return fact(m.declaredOfType(n.Type, n, diag.BCP031, n.Name, true), n)
	case *syntax.Output:
		return fact(m.declaredOfType(n.Type, n, diag.BCP030, n.Name, false), n)
	case *syntax.Var:
		if n.Type != nil {
			return fact(m.declaredOfType(n.Type, n, diag.BCP412, n.Name, false), n)
		}
	case *syntax.ParamAssign:
		return m.declaredParamAssign(n)
	case *syntax.TypeDecl:
		return fact(m.declaredTypeDecl(n), n)
	case *syntax.Resource:
		return fact(m.maybeArray(m.declaredResource(n), n.Value), n)
	case *syntax.Module:
		return fact(m.maybeArray(m.declaredModule(n), n.Value), n)
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
		return fact(m.declaredTypedLocal(n), n)
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

func (m *Model) maybeArray(t types.Type, value syntax.Expr) types.Type {
	if syntax.IsLoop(value) {
		return types.NewTypedArray(t, nil, nil, 0)
	}
	return t
}

// declaredOfType is the type of a statement that states one.
func (m *Model) declaredOfType(te syntax.TypeExpr, n syntax.Decorated, missing *diag.Rule, name *syntax.Ident, loose bool) types.Type {
	if te == nil {
		return anyType // the parser has complained
	}
	r := m.tryTypeOfSyntax(te)
	if r == nil {
		return m.fail(missing.At(te.Span(), m.validTypeNames()))
	}
	return m.modified(m.noNamespace(r.Type(), te), n, loose)
}

func (m *Model) declaredTypedLocal(n *syntax.Local) types.Type {
	r := m.tryTypeOfSyntax(n.Type)
	if r == nil {
		return m.fail(diag.BCP031.At(n.Type.Span(), m.validTypeNames()))
	}
	return m.noNamespace(r.Type(), n.Type)
}

func (m *Model) declaredTypedLambda(n *syntax.TypedLambda) types.Type {
	params := make([]types.Ref, len(n.Params))
	for i, p := range n.Params {
		if p.Type == nil {
			params[i] = anyType
			continue
		}
		r := m.tryTypeOfSyntax(p.Type)
		if r == nil {
			r = m.fail(diag.BCP031.At(p.Type.Span(), m.validTypeNames()))
		}
		params[i] = m.noNamespaceRef(r, p.Type)
	}
	var ret types.Ref = anyType
	if n.Return != nil {
		ret = m.tryTypeOfSyntax(n.Return)
		if ret == nil {
			ret = m.fail(diag.BCP030.At(n.Return.Span(), m.validTypeNames()))
		}
		ret = m.noNamespaceRef(ret, n.Return)
	}
	return types.NewLambda(params, nil, ret)
}

func (m *Model) declaredTypeDecl(n *syntax.TypeDecl) types.Type {
	var t types.Type
	switch s := m.bound(n).(type) {
	case *bind.TypeAlias:
		t = m.aliasType(s)
	case *bind.ErrorSymbol:
		t = m.errorOf(s)
	default:
		t = m.fail(diag.BCP302.At(n.Span(), n.Name.Name, m.validTypeNames()))
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

// declaredVarRef looks behind a name: for resources and modules what their body
// is declared to be says more than the symbol.
func (m *Model) declaredVarRef(n *syntax.VarRef) (DeclaredFact, bool) {
	switch s := m.bound(n).(type) {
	case *bind.Resource:
		if m.binding.Cycle(s) == nil {
			return m.declaredFact(s.Stmt.Value)
		}
	case *bind.Module:
		if m.binding.Cycle(s) == nil {
			return m.declaredFact(s.Stmt.Value)
		}
	case *bind.Var:
		if m.binding.Cycle(s) != nil {
			return noFact()
		}
		if s.Stmt.Type == nil {
			return fact(m.TypeOf(s.Stmt.Value), s.Stmt)
		}
		return m.declaredFact(s.Stmt)
	case *bind.ImportedVar:
		return fact(m.symbolType(s), nil)
	case *bind.WildcardImport:
		return fact(m.symbolType(s), nil)
	case *bind.LocalThis:
		return fact(s.Type, nil)
	case *bind.BuiltInNamespace:
		return fact(s.Type, nil)
	case *bind.BaseParams:
		return fact(m.symbolType(s), nil)
	case *bind.ParamAssign:
		if s.Binding() != m.binding {
			other := m.program.modelOf(s.Binding())
			if other == nil {
				return noFact()
			}
			f, ok := other.declaredFact(s.Stmt)
			f.Node = nil
			return f, ok
		}
		return m.declaredFact(s.Stmt)
	case bind.Declared:
		if m.binding.Cycle(s) == nil {
			return m.declaredFact(s.Decl())
		}
	}
	return noFact()
}

// declaredAccess works through a chain of accesses from its beginning. A safe
// access that may be null makes what follows, and the whole, nullable.
func (m *Model) declaredAccess(n syntax.Access) (DeclaredFact, bool) {
	chain := m.accessChain(n)
	first := chain[len(chain)-1]
	if _, ok := first.Base().(*syntax.For); ok {
		return noFact()
	}
	base, ok := m.declaredFact(first.Base())
	nullRemoved := false
	prevSafe := false
	for i := len(chain) - 1; i >= 0 && ok; i-- {
		next := chain[i]
		if prevSafe || next.IsSafe() {
			t := base.Ref.Type()
			if t == nullType {
				return base, true
			}
			if inner, yes := tryNonNull(t); yes {
				nullRemoved = true
				base.Ref = inner
			}
		}
		switch a := next.(type) {
		case *syntax.Index:
			base, ok = m.declaredIndex(base, a)
		case *syntax.PropertyAccess:
			base, ok = m.declaredPropertyAccess(base, a)
		default:
			return noFact()
		}
		prevSafe = next.IsSafe()
	}
	if ok && nullRemoved {
		base.Ref = types.NewUnion(base.Ref.Type(), nullType)
	}
	return base, ok
}

// accessChain returns an access and the accesses that it is made on, the
// outermost first, as long as they are written in one chain.
func (m *Model) accessChain(n syntax.Access) []syntax.Access {
	chain := make([]syntax.Access, 1, 4)
	chain[0] = n
	for {
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
}

func (m *Model) declaredPropertyAccess(base DeclaredFact, n *syntax.PropertyAccess) (DeclaredFact, bool) {
	if !n.Name.Valid() {
		return noFact()
	}
	t := base.Ref.Type()
	if _, ok := base.Node.(*syntax.Param); ok {
		if r, ok := t.(*types.Resource); ok {
			return m.propertyFact(r.Body.Type(), nil, n.Name.Name, false)
		}
	}
	return m.propertyFact(t, bodyOf(base.Node), n.Name.Name, true)
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

func (m *Model) declaredIndex(base DeclaredFact, n *syntax.Index) (DeclaredFact, bool) {
	index := m.TypeOf(n.Index)
	// Whatever element of a loop is meant, its shape is the loop's body.
	var node syntax.Node
	if f, ok := base.Node.(*syntax.For); ok {
		if body := syntax.Body(f); body != nil {
			node = body
		}
	}
	switch t := base.Ref.Type().(type) {
	case *types.Tuple:
		switch i := index.(type) {
		case *types.IntLiteral:
			return fact(m.tupleItem(t, i.Value, n), node)
		case *types.Union:
			if all, failed := m.tupleItems(t, i, n); failed != nil {
				return fact(failed, n)
			} else if all != nil {
				return fact(types.NewUnion(all...), node)
			}
		}
		if types.AreAssignable(index, intType) {
			return fact(t.ItemRef().Type(), node)
		}
	case *types.Array:
		if types.AreAssignable(index, intType) {
			return fact(t.Item.Type(), node)
		}
	default:
		if obj, ok := types.AsObject(t); ok {
			if s, ok := n.Index.(*syntax.String); ok {
				if name, ok := s.Literal(); ok {
					body, _ := base.Node.(*syntax.Object)
					return m.propertyFact(obj, body, name, true)
				}
			}
		}
	}
	return noFact()
}

// tupleItem is the type of the item at a known index.
func (m *Model) tupleItem(t *types.Tuple, i int64, n *syntax.Index) types.Type {
	count := int64(len(t.Items))
	if i < 0 || i > math.MaxInt32 || i > count || (i == 0 && n.FromEnd) || (i == count && !n.FromEnd) {
		return m.fail(diag.BCP311.At(n.Index.Span(), t.String(), len(t.Items), i))
	}
	if n.FromEnd {
		i = count - i
	}
	return t.Items[i].Type()
}

// tupleItems are the types of the items at one of several known indexes: nil if
// the indexes are not all known.
func (m *Model) tupleItems(t *types.Tuple, indexes *types.Union, n *syntax.Index) (items []types.Ref, failed types.Type) {
	var diags []diag.Diagnostic
	for _, member := range indexes.Members {
		i, ok := member.Type().(*types.IntLiteral)
		if !ok {
			return nil, nil
		}
		item := m.tupleItem(t, i.Value, n)
		if isError(item) {
			diags = append(diags, errorsOf(item)...)
		}
		items = append(items, item)
	}
	if len(diags) > 0 {
		return nil, m.fail(diags...)
	}
	return items, nil
}

func (m *Model) declaredNestedAccess(n *syntax.NestedAccess) (DeclaredFact, bool) {
	if !n.Name.Valid() {
		return noFact()
	}
	switch s := m.bound(n).(type) {
	case *bind.Resource:
		return m.declaredFact(s.Stmt.Value)
	case *bind.ErrorSymbol:
		return fact(m.errorOf(s), n)
	}
	name := "error"
	if t := m.DeclaredType(n.X); t != nil {
		name = "Type"
	}
	return fact(m.fail(diag.BCP158.At(n.Name.Span(), name)), n)
}

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
		return DeclaredFact{m.pickVariant(t.Body.Type(), obj), obj, f.Constant}, true
	case *types.Module:
		return DeclaredFact{m.pickVariant(t.Body.Type(), obj), obj, f.Constant}, true
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
	return DeclaredFact{types.NewTypedArray(m.pickVariant(item, obj), nil, nil, 0), n, f.Constant}, true
}

// declaredObject finds what an object literal is expected to be.
func (m *Model) declaredObject(n *syntax.Object) (DeclaredFact, bool) {
	parent := m.typedAncestor(n)
	direct := m.parent(n) == parent
	switch p := parent.(type) {
	case *syntax.Resource:
		if f, ok := m.declaredFact(p); ok {
			if r, ok := f.Ref.Type().(*types.Resource); ok {
				return fact(m.pickVariant(r.Body.Type(), n), n)
			}
		}
	case *syntax.Module:
		if f, ok := m.declaredFact(p); ok {
			if r, ok := f.Ref.Type().(*types.Module); ok {
				return fact(m.pickVariant(r.Body.Type(), n), n)
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
		return DeclaredFact{m.pickVariant(f.Ref.Type(), n), n, f.Constant}, true
	case *syntax.Array:
		t, ok := m.declaredItem(p)
		if !ok {
			return noFact()
		}
		return fact(m.pickVariant(types.NonNull(t), n), n)
	case *syntax.WithClause:
		return m.declaredWith(p, n)
	case *syntax.Call, *syntax.InstanceCall:
		t, ok := m.declaredArg(p, m.childTowards(n, p))
		if !ok {
			return noFact()
		}
		return fact(m.pickVariant(types.NonNull(t), n), n)
	case *syntax.Output, *syntax.Var:
		if !direct {
			return noFact()
		}
		f, ok := m.nonNullDeclared(p)
		if !ok {
			return noFact()
		}
		return DeclaredFact{m.pickVariant(f.Ref.Type(), n), n, f.Constant}, true
	case *syntax.ParamDefault:
		f, ok := m.declaredFact(m.parent(p))
		if !ok {
			return noFact()
		}
		return DeclaredFact{m.pickVariant(f.Ref.Type(), n), n, f.Constant}, true
	case *syntax.ParamAssign, *syntax.ExtensionConfig:
		f, ok := m.declaredFact(p)
		if !ok {
			return noFact()
		}
		return fact(m.pickVariant(f.Ref.Type(), n), n)
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
		return DeclaredFact{m.pickVariant(f.Ref.Type(), n), n, f.Constant}, true
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
	return DeclaredFact{m.pickVariant(config, n), n, f.Constant}, true
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

// propertyFact looks up a property: in the object that is written, if the types
// there have been settled, where a discriminated type is a definite one; else in
// the type.
func (m *Model) propertyFact(t types.Type, obj *syntax.Object, name string, useSyntax bool) (DeclaredFact, bool) {
	var prop *syntax.Property
	var node syntax.Node
	if obj != nil {
		if prop = obj.Property(name); prop != nil {
			node = prop
		}
	}
	if useSyntax && prop != nil {
		if f, ok := m.declaredFact(prop.Value); ok {
			return f, true
		}
	}
	if r, ok := t.(*types.Resource); ok {
		t = r.Body.Type()
	}
	if d, ok := t.(*types.DiscriminatedObject); ok {
		if name == d.Discriminator.Name {
			return fact(d.Discriminator.Type.Type(), node)
		}
		return noFact()
	}
	o, ok := types.AsObject(t)
	if !ok {
		return noFact()
	}
	p := o.Property(name)
	if p == nil {
		p = o.Additional
	}
	if p == nil {
		return noFact()
	}
	return DeclaredFact{p.Type.Type(), node, p.Flags&types.Constant != 0}, true
}

// pickVariant settles which variant of a discriminated type an object literal
// is, if its discriminator is written as plain text.
func (m *Model) pickVariant(t types.Type, n *syntax.Object) types.Type {
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
