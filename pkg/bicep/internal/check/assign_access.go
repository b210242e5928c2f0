package check

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// assignAccess finds the type of a chain of accesses from its beginning. If a safe access may give
// null, so may the whole chain. The accesses after it are checked as if it were not null.
func (m *Model) assignAccess(n syntax.Access) types.Type {
	var few [4]syntax.Access
	chain := accessChain(n, few[:0])
	t := m.TypeOf(chain[len(chain)-1].Base())
	var (
		nullRemoved bool
		prev        syntax.Access
		prevSymbol  bind.Symbol
	)
	for i := len(chain) - 1; i >= 0; i-- {
		next := chain[i]
		inner, asserted := withoutAssertions(next.Base())
		var symbol bind.Symbol
		if !asserted {
			symbol = m.named(inner)
		}
		if (prev != nil && prev.IsSafe()) || next.IsSafe() {
			if t == nullType {
				return t
			}
			if nn, ok := types.TryNonNull(t); ok {
				nullRemoved = true
				t = nn
			} else if next.IsSafe() {
				_, prevIndex := prev.(*syntax.Index)
				if m.mayBeDisabled(symbol) || prevIndex && m.mayBeDisabled(prevSymbol) {
					nullRemoved = true
					symbol = nil
				}
			}
		}
		use := m.accessedSymbol(n, prevSymbol, true)
		if use == nil && !m.hidesSymbol(n, prevSymbol) {
			use = m.accessedSymbol(n, symbol, false)
		}
		switch a := next.(type) {
		case *syntax.Index:
			t = m.indexType(a, t, use, m.TypeOf(a.Index))
		case *syntax.PropertyAccess:
			t = m.propertyType(a, t, use)
		}
		prev, prevSymbol = next, symbol
	}
	if nullRemoved {
		return types.Nullable(t)
	}
	return t
}

// named returns what a name means, and nil for other expressions.
func (m *Model) named(x syntax.Expr) bind.Symbol {
	switch x := x.(type) {
	case *syntax.VarRef:
		return m.bound(x)
	case *syntax.NestedAccess:
		return m.bound(x)
	}
	return nil
}

// accessedSymbol returns the resource or module that an access reads from, if it is a collection,
// or if it is not one, as asked for. It returns nil within the symbol's own declaration and in a
// cycle.
func (m *Model) accessedSymbol(n syntax.Node, s bind.Symbol, collection bool) bind.Symbol {
	switch s.(type) {
	case *bind.Resource, *bind.Module:
		if !m.hidesSymbol(n, s) && m.IsCollection(s) == collection {
			return s
		}
	}
	return nil
}

func (m *Model) hidesSymbol(n syntax.Node, s bind.Symbol) bool {
	d, ok := s.(bind.Declared)
	return ok && (m.binding.IsCyclic(d) || d.Binding() == m.binding && d.Decl() != nil && isWithin(n, d.Decl()))
}

// withoutAssertions removes parentheses and ! from an expression, and reports whether there was a
// !.
func withoutAssertions(e syntax.Expr) (syntax.Expr, bool) {
	asserted := false
	for {
		switch x := e.(type) {
		case *syntax.NonNull:
			asserted = true
			e = x.X
		case *syntax.Paren:
			e = x.X
		default:
			return e, asserted
		}
	}
}

// mayBeDisabled reports whether a resource or module may not exist when the deployment reads from
// it.
func (m *Model) mayBeDisabled(s bind.Symbol) bool {
	switch s := s.(type) {
	case *bind.Resource:
		return !m.isEnabled(s)
	case *bind.Module:
		cond := syntax.Condition(s.Stmt.Value)
		if cond == nil {
			return false
		}
		lit, ok := m.TypeOf(cond).(*types.BoolLiteral)
		return !ok || !lit.Value
	}
	return false
}

func (m *Model) isEnabled(s *bind.Resource) bool {
	for {
		if s.Stmt.IsExisting() && m.SystemDecorator(s.Stmt, "nullIfNotFound") != nil {
			return false
		}
		if cond := syntax.Condition(s.Stmt.Value); cond != nil {
			switch t := m.TypeOf(cond).(type) {
			case *types.BoolLiteral:
				if !t.Value {
					return false
				}
			case *types.Bool:
				return false
			}
		}
		// The conditions of all resources around it count.
		outer := m.binding.EnclosingResource(s.Stmt)
		if outer == nil {
			return true
		}
		next, ok := m.bound(outer).(*bind.Resource)
		if !ok {
			return true
		}
		s = next
	}
}

// isInfoProperty reports whether a property is known even if the resource is not deployed.
func (m *Model) isInfoProperty(s bind.Symbol, name string) bool {
	switch s := s.(type) {
	case *bind.Resource:
		r := types.UnwrapResource(m.symbolType(s))
		return r != nil && r.IsAz() && (name == "id" || name == "name" || name == "type" || name == "apiVersion")
	case *bind.Module:
		return name == "name"
	}
	return false
}

// invalidAccess reports an invalid access: as an error, or as a warning if the access is safe.
func (m *Model) invalidAccess(d diag.Diagnostic, safe bool) types.Type {
	if safe {
		m.report(d.As(diag.Warning))
		return nullType
	}
	return errorType(d)
}

// indexType is the type of base[index].
func (m *Model) indexType(n *syntax.Index, base types.Type, symbol bind.Symbol, index types.Type) types.Type {
	if failed := failureOf(base, index); failed != nil {
		return failed
	}
	base = unwrapBody(base)
	if inner, ok := types.TryNonNull(index); ok {
		t := m.indexType(n, base, symbol, inner)
		if !types.IsError(t) {
			m.report(diag.BCP321.At(n.Index.Span(), inner, "this value", index))
		}
		return t
	}
	brackets := source.Between(n.Open, n.Close)
	if inner, ok := types.TryNonNull(base); ok {
		m.report(diag.BCP318.At(brackets, base))
		return m.indexType(n, inner, symbol, index)
	}
	if m.mayBeDisabled(symbol) {
		m.report(diag.BCP318.At(brackets, types.Nullable(base)))
		return m.indexType(n, base, nil, index)
	}
	switch t := base.(type) {
	case *types.AnyType:
		switch {
		case isAny(index):
			return anyType
		case n.FromEnd && types.AreAssignable(index, stringType):
			return m.invalidAccess(diag.BCP415.At(m.fromEndSpan(n), index), n.Safe)
		case types.AreAssignable(index, intType), types.AreAssignable(index, stringType):
			return anyType
		}
		return m.invalidAccess(diag.BCP049.At(n.Index.Span(), index), n.Safe)
	case *types.Tuple:
		switch i := index.(type) {
		case *types.IntLiteral:
			return tupleItem(t, i.Value, n)
		case *types.Union:
			items, failed := tupleItems(t, i, n)
			if failed != nil {
				return failed
			}
			if items != nil {
				return types.NewUnion(items...)
			}
		}
		return m.arrayItem(n, t, index)
	case *types.Array:
		return m.arrayItem(n, t, index)
	case *types.DiscriminatedObject:
		if n.FromEnd {
			return m.invalidAccess(diag.BCP414.At(m.fromEndSpan(n), base), n.Safe)
		}
		if types.AreAssignable(index, stringType) {
			return anyType
		}
		return m.invalidAccess(diag.BCP075.At(n.Index.Span(), index), n.Safe)
	case *types.Union:
		items := make([]types.Ref, len(t.Members))
		failed := false
		for i, member := range t.Members {
			item := m.indexType(n, member.Type(), symbol, index)
			failed = failed || types.IsError(item)
			items[i] = item
		}
		if failed {
			return errorType(diag.BCP076.At(n.X.Span(), base))
		}
		return types.NewUnion(items...)
	}
	if obj, ok := types.AsObject(base); ok {
		return m.itemOfObject(n, base, obj, index)
	}
	return m.invalidAccess(diag.BCP076.At(n.X.Span(), base), n.Safe)
}

// itemOfObject returns the type of an access to an object by an index in brackets.
func (m *Model) itemOfObject(n *syntax.Index, base types.Type, obj *types.Object, index types.Type) types.Type {
	switch {
	case n.FromEnd:
		return m.invalidAccess(diag.BCP414.At(m.fromEndSpan(n), base), n.Safe)
	case isAny(index):
		return anyProperty(base, obj, n.Index)
	case !types.AreAssignable(index, stringType):
		return m.invalidAccess(diag.BCP075.At(n.Index.Span(), index), n.Safe)
	}
	if lit, ok := index.(*types.StringLiteral); ok {
		return m.property(base, n.Index.Span(), lit.Value, n.Safe)
	}
	return anyProperty(base, obj, n.Index)
}

func (m *Model) fromEndSpan(n *syntax.Index) source.Span {
	// The ^ is directly before the index, after the [ or [?.
	at := n.Open.End
	if i := strings.IndexByte(m.Source().Text[at:n.Index.Span().Start], '^'); i >= 0 {
		at += int32(i)
	}
	return source.Span{Start: at, End: at + 1}
}

func (m *Model) arrayItem(n *syntax.Index, t types.ArrayLike, index types.Type) types.Type {
	if i, ok := index.(*types.IntLiteral); ok && i.Value < 0 {
		return errorType(diag.BCP339.At(n.Index.Span(), i.Value))
	}
	if types.AreAssignable(index, intType) {
		return t.ItemRef().Type()
	}
	return m.invalidAccess(diag.BCP074.At(n.Index.Span(), index), n.Safe)
}

// anyProperty is the type of a property whose name is not known.
func anyProperty(t types.Type, o *types.Object, at syntax.Node) types.Type {
	if len(o.Properties()) > 0 || o.Additional != nil {
		return anyType
	}
	return errorType(diag.BCP054.At(at.Span(), t))
}

// propertyType is the type of base.name.
func (m *Model) propertyType(n *syntax.PropertyAccess, base types.Type, symbol bind.Symbol) types.Type {
	base = unwrapBody(base)
	if types.IsError(base) {
		return base
	}
	if d := types.ErrorsOf(base); len(d) > 0 {
		return errorType(d...)
	}
	at := source.Between(n.Dot(), n.Name.Span())
	if inner, ok := types.TryNonNull(base); ok {
		m.report(diag.BCP318.At(at, base))
		return m.propertyType(n, inner, nil)
	}
	if m.mayBeDisabled(symbol) && !m.isInfoProperty(symbol, n.Name.Name) {
		m.report(diag.BCP318.At(at, types.Nullable(base)))
		return m.propertyType(n, base, nil)
	}
	switch t := base.(type) {
	case *types.Object, *types.Namespace:
		if !n.Name.Valid() {
			return silentError
		}
		return m.property(t, n.Name.Span(), n.Name.Name, n.Safe)
	case *types.Union:
		if len(t.Members) > 0 && n.Name.Valid() {
			return m.property(t, n.Name.Span(), n.Name.Name, n.Safe)
		}
	case *types.DiscriminatedObject:
		return anyType
	}
	if types.AreAssignable(base, objectType) {
		return anyType
	}
	return errorType(diag.BCP055.At(n.Name.Span(), base))
}

// property reads a named property of an object type or of a union of them. It
// reports the use of what cannot be read and of what may not be there.
func (m *Model) property(t types.Type, at source.Span, name string, safe bool) types.Type {
	return types.PropertyOf(t, name, types.Access{
		At: at, Safe: safe, Warn: safe || types.ShouldWarnForProperty(t), Report: m.sink,
	})
}
