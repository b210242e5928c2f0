package check

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/narrow"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

func (m *Model) assignTargetScope(n *syntax.TargetScope) types.Type {
	m.noDecorators(n.Decorators)
	t := m.targetScopeType()
	narrow.Constant(n.Value, m.sink)
	return m.narrow(m.sink, n.Value, t)
}

// noDecorators reports decorators on a statement that takes none.
func (m *Model) noDecorators(list []*syntax.Decorator) {
	if len(list) > 0 {
		at := list[0].Span()
		at.End = at.Start + 1 // the @
		m.report(diag.BCP130.At(at))
	}
}

func (m *Model) assignMetadata(n *syntax.Metadata) types.Type {
	t := m.assignable(n.Value)
	if types.IsError(t) {
		return t
	}
	m.checkDecorators(n, t)
	narrow.Constant(n.Value, m.sink)
	return t
}

// assignable returns the type of a value that may be of any type.
func (m *Model) assignable(x syntax.Expr) types.Type {
	t := m.TypeOf(x)
	if failed := failureOf(t); failed != nil {
		return failed
	}
	if !types.AreAssignable(t, anyType) {
		return errorType(diag.BCP041.At(x.Span(), t))
	}
	return t
}

func (m *Model) assignVar(n *syntax.Var) types.Type {
	if n.Type != nil {
		t := m.declaredAndDecorators(n)
		m.checkAssignment(t, n.Value)
		return t
	}
	t := m.assignable(n.Value)
	if !types.IsError(t) {
		m.checkDecorators(n, t)
	}
	return t
}

func (m *Model) assignFunc(n *syntax.Func) types.Type {
	t := m.TypeOf(n.Lambda)
	if failed := failureOf(t); failed != nil {
		return failed
	}
	m.checkDecorators(n, t)
	return t
}

func (m *Model) assignOutput(n *syntax.Output) types.Type {
	t := m.declaredAndDecorators(n)
	m.checkAssignment(t, n.Value)
	m.visitChildren(n)
	return t
}

func (m *Model) assignAssert(n *syntax.Assert) types.Type {
	t := m.TypeOf(n.Value)
	if failed := failureOf(t); failed != nil {
		return failed
	}
	if !types.AreAssignable(t, boolType) {
		return errorType(diag.BCP350.At(n.Value.Span(), t))
	}
	m.checkDecorators(n, t)
	m.visitChildren(n)
	return boolType
}

// declaredAndDecorators returns the type that a declaration states, and checks its decorators
// against it.
func (m *Model) declaredAndDecorators(n syntax.Decorated) types.Type {
	t := m.DeclaredType(n)
	if t == nil {
		return silentError
	}
	m.checkDecorators(n, t)
	return t
}

// checkAssignment checks a value against the type that its declaration states.
func (m *Model) checkAssignment(t types.Type, value syntax.Expr) {
	v := m.TypeOf(value)
	if types.IsError(v) {
		m.reportAll(types.ErrorsOf(v))
		return
	}
	if types.IsError(t) {
		return
	}
	m.narrow(m.sink, value, t)
}

func (m *Model) assignParam(n *syntax.Param) types.Type {
	declared := m.declaredAndDecorators(n)
	m.visitChildren(n)
	if n.Default != nil {
		m.checkDefaultNames(n.Default)
	}
	if types.IsNullable(declared) {
		switch { // what should have been a default counts as one
		case n.Default != nil:
			m.report(diag.BCP326.At(n.Default.Span()))
		case n.Bad != nil:
			m.report(diag.BCP326.At(n.Bad.Span()))
		}
	}
	if types.IsError(declared) {
		return declared
	}
	t := m.paramType(n, declared)
	if n.Default != nil {
		v := m.TypeOf(n.Default.Value)
		if types.IsError(v) {
			m.reportAll(types.ErrorsOf(v))
		} else {
			m.narrow(m.sink, n.Default.Value, t)
		}
	}
	return t
}

// paramType is the type of a parameter within the file: its allowed values narrow it.
func (m *Model) paramType(n *syntax.Param, declared types.Type) types.Type {
	t := declared
	if d := m.namedDecorator(n, "allowed"); d != nil {
		if _, args, _ := syntax.CallName(d.Expr); len(args) == 1 {
			if list, ok := args[0].(*syntax.Array); ok {
				t = m.allowedType(declared, list)
			}
		}
	}
	if m.namedDecorator(n, "secure") != nil {
		switch t {
		case types.Type(types.TLooseString):
			t = types.TSecureString
		case objectType:
			t = types.TSecureObject
		}
	}
	return t
}

// allowedType is the choice of the values that a parameter allows.
func (m *Model) allowedType(t types.Type, list *syntax.Array) types.Type {
	items := make([]types.Ref, 0, len(list.Items))
	written := 0
	for _, x := range list.Items {
		switch x := x.(type) {
		case *syntax.Skipped, *syntax.Spread:
		default:
			written++
			items = append(items, m.TypeOf(x))
		}
	}
	if written == 0 {
		return errorType(diag.BCP099.At(list.Span()))
	}
	all := func(is func(types.Type) bool) bool {
		return !slices.ContainsFunc(items, func(i types.Ref) bool { return !is(i.Type()) })
	}
	switch {
	case types.AreAssignable(t, stringType):
		if all(isOf[*types.StringLiteral]) {
			return types.NewUnion(items...)
		}
	case types.AreAssignable(t, intType):
		if all(isOf[*types.IntLiteral]) {
			return types.NewUnion(items...)
		}
	case types.AreAssignable(t, boolType):
		if all(isOf[*types.BoolLiteral]) {
			return types.NewUnion(items...)
		}
	case types.AreAssignable(t, arrayType) && all(types.IsLiteral):
		// The items of an array of arrays are the allowed arrays. Any other array lists the items
		// that an allowed array may have.
		tuples := 0
		for _, i := range items {
			if _, ok := i.Type().(*types.Tuple); ok {
				tuples++
			}
		}
		switch tuples {
		case 0:
			return types.NewTypedArray(types.NewUnion(items...), nil, nil, t.Flags())
		case len(items):
			return types.NewUnion(items...)
		}
	}
	return t
}

func isOf[T types.Type](t types.Type) bool {
	_, ok := t.(T)
	return ok
}

// checkDefaultNames reports the use of anything but parameters and functions in
// the default of a parameter.
func (m *Model) checkDefaultNames(d *syntax.ParamDefault) {
	syntax.Walk(d, func(n syntax.Node) bool {
		if v, ok := n.(*syntax.VarRef); ok {
			switch s := m.bound(v).(type) {
			case nil, *bind.Param, *bind.Output, *bind.Metadata:
			default:
				switch s.Kind() {
				case bind.KindError, bind.KindFunction, bind.KindNamespace, bind.KindImported:
				default:
					m.report(diag.BCP072.At(v.Span()))
				}
			}
		}
		return true
	})
}

func (m *Model) assignParamAssign(n *syntax.ParamAssign) types.Type {
	if m.IsParams() {
		m.noDecorators(n.Decorators)
	}
	t := m.TypeOf(n.Value)
	if failed := failureOf(t); failed != nil {
		return failed
	}
	return t
}

func (m *Model) assignTypeDecl(n *syntax.TypeDecl) types.Type {
	t := m.DeclaredType(n)
	if n.Name.Name == "resource" {
		m.report(diag.BCP301.At(n.Name.Span(), n.Name.Name))
	}
	m.visitChildren(n)
	if t == nil {
		return silentError
	}
	m.reportAll(types.ErrorsOf(t))
	m.checkDecorators(n, types.Unwrap(t))
	return t
}

// assignMissing reports decorators without a statement after them.
func (m *Model) assignMissing(n *syntax.Missing) types.Type {
	if len(n.Decorators) == 0 || m.HasParseErrors(n) {
		return anyType
	}
	for _, d := range n.Decorators {
		m.reportAll(types.ErrorsOf(m.TypeOf(d.Expr)))
	}
	last := n.Decorators[len(n.Decorators)-1]
	kind := diag.BCP132
	if f := m.decoratorFunction(last); f != nil {
		var flags types.FunctionFlags
		for _, o := range f.Overloads {
			flags |= o.Flags
		}
		switch flags { // decorators for other statements alone do not exist
		case types.ParameterDecorator:
			kind = diag.BCP147
		case types.ParameterOutputOrTypeDecorator:
			kind = diag.BCP292
		case types.ResourceDecorator:
			kind = diag.BCP149
		case types.ResourceOrModuleDecorator:
			kind = diag.BCP153
		}
	}
	m.report(kind.At(last.Span()))
	return anyType
}
