package check

import (
	"fmt"
	"math"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file and the other assign files find the assigned type of each node: the type of
// its value. A node is checked once, when its type is first asked for.
//
// An error type carries diagnostics that are not reported yet. They are reported by the
// declaration that contains the node, unless another diagnostic replaces them.

// TypeOf returns the type of a node. For nodes without a type, such as the names of
// properties, it is an error type.
func (m *Model) TypeOf(n syntax.Node) types.Type {
	id := n.ID()
	if t := m.assigned[id]; t != nil {
		return t
	}
	if m.busy(id) {
		// Only a cycle that no cycle check has found leads here.
		return silentError
	}
	m.setBusy(id)
	t := m.cyclicError(n)
	if t == nil {
		t = m.assign(n)
		if failed := m.tooLarge(n, t); failed != nil {
			for _, d := range failed.Diags { // here, since a lambda may be what fails, of which an error would tell another story
				m.report(d)
			}
			t = silentError
		}
	}
	if types.IsEndless(t) {
		m.report(diag.RecursiveTypes.At(n.Span()))
		t = silentError
	}
	m.assigned[id] = t
	m.clearBusy(id)
	return t
}

// tooLarge counts a type that was made of others. It returns an error type if the file has too many of them, and nil
// otherwise.
func (m *Model) tooLarge(n syntax.Node, t types.Type) *types.Error {
	switch n.(type) {
	case *syntax.Ternary, *syntax.Binary, *syntax.Array, *syntax.Object, *syntax.Call, *syntax.InstanceCall:
	default:
		return nil
	}
	if a, ok := t.(*types.Array); ok && !types.IsDeferred(a.Item) {
		t = a.Item.Type()
	}
	const small = 100 // such types may be in a file as often as it has room
	size := types.Size(t)
	if size <= small || m.counted[t] {
		return nil
	}
	if m.counted == nil {
		m.counted = map[types.Type]bool{}
	}
	m.counted[t] = true
	return m.typeExprs.Count(n, size)
}

func (m *Model) busy(id syntax.ID) bool { return m.working[id>>6]&(1<<(id&63)) != 0 }
func (m *Model) setBusy(id syntax.ID)   { m.working[id>>6] |= 1 << (id & 63) }
func (m *Model) clearBusy(id syntax.ID) { m.working[id>>6] &^= 1 << (id & 63) }

// cyclicError returns an error type if n uses a name whose declaration is part of a
// cycle, and nil otherwise.
func (m *Model) cyclicError(n syntax.Node) types.Type {
	if !m.binding.HasCycles() {
		return nil
	}
	s, ok := m.bound(n).(bind.Declared)
	if !ok || s.Decl() == n {
		return nil
	}
	if !m.binding.IsCyclic(s) {
		return nil
	}
	// Expressions within a declaration on the cycle are part of the mistake.
	within := false
	for outer := m.Parent(n); outer != nil && !within; outer = m.Parent(outer) {
		d, ok := m.bound(outer).(bind.Declared)
		within = ok && d.Decl() == outer && m.binding.OnCycle(s, d)
	}
	switch {
	case !within:
		return errorType(diag.BCP062.At(n.Span(), s.Name()).Follows())
	case m.binding.CycleLen(s) == 1:
		return errorType(diag.BCP079.At(n.Span()))
	}
	// A cycle may be long, and each of its members names it, so its text is made only when it is
	// shown.
	return errorType(diag.BCP080.At(n.Span(), diag.Text(func() string { return m.binding.CycleChain(s) })))
}

// isWithin reports whether n lies strictly within outer, in the same file.
func isWithin(n, outer syntax.Node) bool {
	return n != outer && outer.Span().Contains(n.Span())
}

// problems collects the diagnostics of the parts of a node.
type problems struct {
	list   []diag.Diagnostic
	failed bool
}

// add adds the errors of a part.
func (p *problems) add(t types.Type) {
	switch t := t.(type) {
	case *types.Error:
		p.list = append(p.list, t.Diags...)
		p.failed = true
	case *types.TypeType:
		if d := types.ErrorsOf(t.Inner); len(d) > 0 {
			p.list = append(p.list, d...)
			p.failed = true
		}
	}
}

// addArgument adds the errors of an argument. An error type without diagnostics (the
// parser has reported it) does not stop the check of the call.
func (p *problems) addArgument(t types.Type) {
	for _, d := range types.ErrorsOf(t) {
		p.report(d)
	}
}

func (p *problems) report(d diag.Diagnostic) {
	p.list = append(p.list, d)
	p.failed = p.failed || d.Severity == diag.Error
}

// typ is the error type that carries the problems.
func (p *problems) typ() types.Type { return errorType(p.list...) }

// failureOf returns the error type of a node with parts of these types, or nil if none of
// them has an error.
func failureOf(parts ...types.Type) types.Type {
	var p problems
	for _, t := range parts {
		p.add(t)
	}
	if !p.failed {
		return nil
	}
	return p.typ()
}

func (m *Model) assign(n syntax.Node) types.Type {
	switch n := n.(type) {
	// Literals and what is made of them.
	case *syntax.String:
		return m.assignString(n)
	case *syntax.Int:
		if n.Value > math.MaxInt64 {
			return intType
		}
		return m.ints.New(types.IntLiteral{Value: int64(n.Value)})
	case *syntax.Bool:
		return types.BoolType(n.Value)
	case *syntax.Null:
		return nullType
	case *syntax.Object:
		return m.assignObject(n)
	case *syntax.Property:
		return m.assignProperty(n)
	case *syntax.Array:
		return m.assignArray(n)
	case *syntax.Skipped:
		return silentError

	// Expressions.
	case *syntax.VarRef:
		return m.assignVarRef(n)
	case *syntax.PropertyAccess:
		return m.assignAccess(n)
	case *syntax.Index:
		return m.assignAccess(n)
	case *syntax.NestedAccess:
		return m.assignNestedAccess(n)
	case *syntax.Call:
		return m.assignCall(n)
	case *syntax.InstanceCall:
		return m.assignInstanceCall(n)
	case *syntax.Paren:
		return m.TypeOf(n.X)
	case *syntax.NonNull:
		return types.NonNull(m.TypeOf(n.X))
	case *syntax.Unary:
		return m.assignUnary(n)
	case *syntax.Binary:
		return m.assignBinary(n)
	case *syntax.Ternary:
		return m.assignTernary(n)
	case *syntax.Lambda:
		return m.assignLambda(n)
	case *syntax.TypedLambda:
		return m.assignTypedLambda(n)
	case *syntax.For:
		return m.assignFor(n)
	case *syntax.If:
		m.checkCondition(n)
		return m.TypeOf(n.Body)
	case *syntax.Local:
		return m.assignLocal(n)

	// Statements.
	case *syntax.TargetScope:
		return m.assignTargetScope(n)
	case *syntax.Metadata:
		return m.assignMetadata(n)
	case *syntax.Param:
		return m.assignParam(n)
	case *syntax.TypeDecl:
		return m.assignTypeDecl(n)
	case *syntax.Var:
		return m.assignVar(n)
	case *syntax.Func:
		return m.assignFunc(n)
	case *syntax.Resource:
		return m.assignResource(n)
	case *syntax.Module:
		return m.assignModule(n)
	case *syntax.Test:
		return m.assignTest(n)
	case *syntax.Output:
		return m.assignOutput(n)
	case *syntax.Assert:
		return m.assignAssert(n)
	case *syntax.Import:
		m.visitChildren(n)
		if n.Symbols == nil {
			return silentError
		}
		return m.TypeOf(n.Symbols)
	case *syntax.ImportList:
		m.visitChildren(n)
		return neverType
	case *syntax.ImportItem:
		return m.assignImportItem(n)
	case *syntax.WildcardImport:
		return m.assignWildcardImport(n)
	case *syntax.Extension:
		return m.assignExtension(n)
	case *syntax.ExtensionConfig:
		return m.assignExtensionConfig(n)
	case *syntax.Using:
		m.noDecorators(n.Decorators)
		m.visitChildren(n)
		return anyType
	case *syntax.Extends:
		m.noDecorators(n.Decorators)
		m.visitChildren(n)
		return anyType
	case *syntax.ParamAssign:
		return m.assignParamAssign(n)
	case *syntax.WithClause:
		return m.assignUsingWith(n)
	case *syntax.Missing:
		return m.assignMissing(n)
	}
	t, ok := m.assignTypeNode(n)
	if !ok {
		panic(fmt.Sprintf("check: no type known for %T", n))
	}
	return t
}

// visit finds the type of a node, or those of its children if it has none itself.
func (m *Model) visit(n syntax.Node) {
	switch n := n.(type) {
	case nil:
	case *syntax.Decorator, *syntax.ParamDefault, *syntax.Spread, *syntax.FromClause, *syntax.AsClause,
		*syntax.ForVars, *syntax.NullableType, *syntax.None:
		m.visitChildren(n)
	case *syntax.WithClause:
		if _, ok := m.Parent(n).(*syntax.Using); ok {
			m.TypeOf(n)
		} else {
			m.visitChildren(n)
		}
	default:
		m.TypeOf(n)
	}
}

func (m *Model) visitChildren(n syntax.Node) {
	m.tree.Children(n, m.visit)
}

func (m *Model) assignVarRef(n *syntax.VarRef) types.Type {
	switch s := m.bound(n).(type) {
	case *bind.ErrorSymbol:
		return s.Type()
	case *bind.TypeAlias, *bind.AmbientType, *bind.ImportedType:
		return errorType(diag.BCP288.At(n.Name.Span(), n.Name.Name))
	case *bind.Resource, *bind.Module, *bind.Test, *bind.Param, *bind.ParamAssign, *bind.Var, *bind.Local,
		*bind.ExtensionNamespace, *bind.BaseParams:
		t := m.symbolType(s)
		if types.IsError(t) {
			// The error is reported at the declaration.
			return errorType(diag.BCP062.At(n.Span(), n.Name.Name).Follows())
		}
		return t
	case *bind.LocalThis:
		m.valueless = append(m.valueless, n)
		return s.Type
	case *bind.ImportedFunc, *bind.WildcardImport:
		m.valueless = append(m.valueless, n)
		return m.symbolType(s)
	case *bind.ImportedVar:
		return m.symbolType(s)
	case *bind.BuiltInNamespace:
		m.valueless = append(m.valueless, n)
		return s.Type
	}
	return errorType(m.binding.AfterImport(diag.BCP063.At(n.Name.Span(), n.Name.Name), n.Name.Name))
}

// symbolType is the type of what a symbol declares.
func (m *Model) symbolType(s bind.Symbol) types.Type {
	switch s := s.(type) {
	case *bind.LocalThis:
		return s.Type
	case *bind.BuiltInNamespace:
		return s.Type
	case *bind.AmbientType:
		return s.Type
	case *bind.BaseParams:
		return m.baseParamsType(s)
	case *bind.Param: // the first three are named most often
		return m.declarationType(s.Binding(), s.Decl())
	case *bind.Var:
		return m.declarationType(s.Binding(), s.Decl())
	case *bind.Resource:
		return m.declarationType(s.Binding(), s.Decl())
	case bind.Declared:
		return m.declarationType(s.Binding(), s.Decl())
	}
	return silentError
}

// declarationType is the type of a declaration of this file or of another one.
func (m *Model) declarationType(of *bind.Binding, decl syntax.Node) types.Type {
	if of == m.binding {
		return m.TypeOf(decl)
	}
	if other := m.program.modelOf(of); other != nil {
		return other.TypeOf(decl)
	}
	return silentError
}

// SymbolType returns the type of a symbol.
func (m *Model) SymbolType(s bind.Symbol) types.Type { return m.symbolType(s) }

func (m *Model) assignNestedAccess(n *syntax.NestedAccess) types.Type {
	base := m.TypeOf(n.X)
	if failed := failureOf(base); failed != nil {
		return failed
	}
	if _, ok := base.(*types.Resource); !ok {
		return errorType(diag.BCP158.At(n.Name.Span(), base))
	}
	if !n.Name.Valid() {
		return silentError
	}
	switch s := m.bound(n).(type) {
	case *bind.ErrorSymbol:
		return s.Type()
	case *bind.Resource:
		return m.TypeOf(s.Stmt)
	}
	return errorType(diag.BCP158.At(n.Name.Span(), base))
}

// checkCondition reports a condition that is not a bool.
func (m *Model) checkCondition(n *syntax.If) {
	t := m.TypeOf(n.Cond)
	if types.IsError(t) {
		m.reportAll(types.ErrorsOf(t))
		return
	}
	if types.AreAssignable(t, boolType) {
		return
	}
	if _, ok := types.AssignableIfNonNull(t, boolType); ok {
		m.report(diag.BCP321.At(n.Cond.Span(), boolType, "this value", t))
	} else {
		m.report(diag.BCP046.At(n.Cond.Span(), boolType, t))
	}
}

func (m *Model) assignFor(n *syntax.For) types.Type {
	item := n.Item()
	if item == nil {
		return silentError
	}
	variable, over, body := m.TypeOf(item), m.TypeOf(n.X), m.TypeOf(n.Body)
	if failed := failureOf(variable, over, body); failed != nil {
		return failed
	}
	if !types.AreAssignable(over, arrayType) {
		if _, ok := types.AssignableIfNonNull(over, arrayType); !ok {
			return errorType(diag.BCP137.At(n.X.Span(), over))
		}
		m.report(diag.BCP321.At(n.X.Span(), arrayType, "this value", over))
	}
	return types.NewTypedArray(body, nil, nil, 0)
}

// maxCopyIndex is the greatest index that a loop of a deployment reaches.
const maxCopyIndex = 800

// assignLocal is the type of a loop's variable or of a lambda's parameter.
func (m *Model) assignLocal(n *syntax.Local) types.Type {
	if n.Type != nil {
		t := m.DeclaredType(n)
		if t == nil {
			return silentError
		}
		m.visitChildren(n)
		return t
	}
	parent := m.Parent(n)
	if v, ok := parent.(*syntax.ForVars); ok {
		loop, ok := m.Parent(v).(*syntax.For)
		if !ok {
			return anyType
		}
		// A plain array says nothing about its items, and neither does what is not an array.
		arr, isArray := types.AsArray(m.TypeOf(loop.X))
		if n == v.Index {
			hi := int64(maxCopyIndex)
			if isArray {
				if _, n := arr.Lengths(); n != nil && *n != 0 {
					hi = *n - 1
				}
			}
			return types.NewInt(types.Len(0), &hi, 0)
		}
		if isArray {
			return arr.ItemRef().Type()
		}
		return anyType
	}
	lambda, ok := parent.(*syntax.Lambda)
	if !ok {
		return anyType
	}
	// The lambda is an argument, and the function says which arguments it passes to it.
	outer := m.Parent(lambda)
	arg, ok := m.declaredLambda(outer, lambda)
	if !ok {
		return anyType
	}
	for i, p := range lambda.Params {
		if p == n && i < arg.MaxArgs() {
			return arg.Param(i).Type()
		}
	}
	return anyType
}

// declaredLambda finds the lambda type that a place is declared to hold.
func (m *Model) declaredLambda(outer syntax.Node, lambda *syntax.Lambda) (*types.Lambda, bool) {
	var f declaredType
	switch p := outer.(type) {
	case *syntax.Call, *syntax.InstanceCall:
		f = m.declaredArg(p, lambda)
	default:
		f = m.declaredOf(p)
	}
	if !f.known() {
		return nil, false
	}
	l, ok := f.ref.Type().(*types.Lambda)
	return l, ok
}

func (m *Model) assignLambda(n *syntax.Lambda) types.Type {
	params := make([]types.Ref, len(n.Params))
	for i, p := range n.Params {
		params[i] = m.TypeOf(p)
	}
	return types.NewLambda(params, nil, m.TypeOf(n.Body))
}

func (m *Model) assignTypedLambda(n *syntax.TypedLambda) types.Type {
	declared := m.DeclaredType(n)
	l, ok := declared.(*types.Lambda)
	if !ok {
		if declared == nil {
			return silentError
		}
		return declared
	}
	m.visitChildren(n)
	ret := m.narrow(m.sink, n.Body, l.Return.Type())
	return types.NewLambda(l.Params, l.Optional, ret)
}
