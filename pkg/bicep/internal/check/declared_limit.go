package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file applies the decorators that make a type another: secure, sealed and
// the limits.

// modified applies the decorators that make a type another: secure, sealed and
// the limits. What is wrong with decorators is reported elsewhere; here only
// what leaves no type at all.
func (m *Model) modified(t types.Type, n syntax.Decorated, loose bool) types.Type {
	flags := t.Flags()
	if loose {
		switch t.(type) {
		case *types.Bool, *types.Int, *types.String:
			flags |= types.AllowLooseAssignment
		}
	}
	decorated := len(n.DecoratorList()) > 0
	if decorated && m.SystemDecorator(n, "secure") != nil {
		flags |= types.IsSecure
	}
	if !decorated && flags == t.Flags() {
		return t
	}
	if inner, ok := tryNonNull(t); ok {
		return types.NewUnion(nullType, m.modified(inner, n, loose))
	}
	switch t := t.(type) {
	case *types.Int:
		lo, hi, failed := m.limits(n, "minValue", "maxValue", t.Min, t.Max)
		if failed != nil {
			return failed
		}
		return types.NewInt(lo, hi, flags)
	case *types.Tuple:
		if flags == t.Flags() {
			return t
		}
		return types.NewTuple(t.Items, flags)
	case *types.Array:
		lo, hi, failed := m.limits(n, "minLength", "maxLength", t.MinLength, t.MaxLength)
		if failed != nil {
			return failed
		}
		return types.NewArray(t.Item, lo, hi, flags)
	case *types.String:
		lo, hi, failed := m.limits(n, "minLength", "maxLength", t.MinLength, t.MaxLength)
		if failed != nil {
			return failed
		}
		return types.NewString(lo, hi, "", flags)
	case *types.Bool:
		return types.NewBool(flags)
	case *types.Object:
		if m.SystemDecorator(n, "sealed") != nil {
			return types.NewObject(t.Name, flags, t.Properties, nil)
		}
		if flags == t.Flags() {
			return t
		}
		return types.NewObject(t.Name, flags, t.Properties, t.Additional)
	}
	return t
}

// limits reads a pair of decorators such as minLength and maxLength.
func (m *Model) limits(n syntax.Decorated, minName, maxName string, lo, hi *int64) (*int64, *int64, types.Type) {
	minDec, maxDec := m.SystemDecorator(n, minName), m.SystemDecorator(n, maxName)
	if v, ok := m.singleIntArg(minDec); ok {
		lo = &v
	}
	if v, ok := m.singleIntArg(maxDec); ok {
		hi = &v
	}
	if lo != nil && hi != nil && *lo > *hi {
		at := minDec
		if at == nil {
			at = maxDec
		}
		if at != nil {
			return nil, nil, errorType(diag.BCP331.At(at.Span(), minName, *lo, maxName, *hi))
		}
	}
	return lo, hi, nil
}

func (m *Model) singleIntArg(d *syntax.Decorator) (int64, bool) {
	if d == nil {
		return 0, false
	}
	if _, args, ok := syntax.CallName(d.Expr); ok && len(args) == 1 {
		if lit, ok := m.TypeOf(args[0]).(*types.IntLiteral); ok {
			return lit.Value, true
		}
	}
	return 0, false
}

func (m *Model) singleStringArg(d *syntax.Decorator) (string, bool) {
	if d == nil {
		return "", false
	}
	if _, args, ok := syntax.CallName(d.Expr); ok && len(args) == 1 {
		if lit, ok := m.TypeOf(args[0]).(*types.StringLiteral); ok {
			return lit.Value, true
		}
	}
	return "", false
}
