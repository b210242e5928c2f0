package typeexpr

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Modified applies the decorators of a declaration that change its type: @secure, @sealed
// and the limits. Limits that contradict each other leave no type, and are an error here.
// All other mistakes in decorators are reported when the decorators are checked.
func (rs *Resolver) Modified(t types.Type, n syntax.Decorated, loose bool) types.Type {
	flags := t.Flags()
	if loose {
		switch t.(type) {
		case *types.Bool, *types.Int, *types.String:
			flags |= types.AllowLooseAssignment
		}
	}
	decorated := len(n.DecoratorList()) > 0
	if decorated && rs.model.SystemDecorator(n, "secure") != nil {
		flags |= types.IsSecure
	}
	if !decorated && flags == t.Flags() {
		return t
	}
	if inner, ok := types.TryNonNull(t); ok {
		return types.Nullable(rs.Modified(inner, n, loose))
	}
	switch t := t.(type) {
	case *types.Int:
		lo, hi, failed := rs.limits(n, "minValue", "maxValue", t.Min, t.Max)
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
		lo, hi, failed := rs.limits(n, "minLength", "maxLength", t.MinLength, t.MaxLength)
		if failed != nil {
			return failed
		}
		return types.NewArray(t.Item, lo, hi, flags)
	case *types.String:
		lo, hi, failed := rs.limits(n, "minLength", "maxLength", t.MinLength, t.MaxLength)
		if failed != nil {
			return failed
		}
		return types.NewString(lo, hi, "", flags)
	case *types.Bool:
		return types.NewBool(flags)
	case *types.Object:
		if rs.model.SystemDecorator(n, "sealed") != nil {
			return types.NewObject(t.Name, flags, t.Properties(), nil)
		}
		if flags == t.Flags() {
			return t
		}
		return types.NewObject(t.Name, flags, t.Properties(), t.Additional)
	}
	return t
}

// limits reads a pair of decorators such as minLength and maxLength.
func (rs *Resolver) limits(n syntax.Decorated, minName, maxName string, lo, hi *int64) (*int64, *int64, types.Type) {
	minDec, maxDec := rs.model.SystemDecorator(n, minName), rs.model.SystemDecorator(n, maxName)
	if v, ok := rs.singleIntArg(minDec); ok {
		lo = &v
	}
	if v, ok := rs.singleIntArg(maxDec); ok {
		hi = &v
	}
	if lo != nil && hi != nil && *lo > *hi {
		at := minDec
		if at == nil {
			at = maxDec
		}
		if at != nil {
			return nil, nil, types.NewError(diag.BCP331.At(at.Span(), minName, *lo, maxName, *hi))
		}
	}
	return lo, hi, nil
}

func (rs *Resolver) singleIntArg(d *syntax.Decorator) (int64, bool) {
	if lit, ok := rs.singleArg(d).(*types.IntLiteral); ok {
		return lit.Value, true
	}
	return 0, false
}

func (rs *Resolver) singleStringArg(d *syntax.Decorator) (string, bool) {
	if lit, ok := rs.singleArg(d).(*types.StringLiteral); ok {
		return lit.Value, true
	}
	return "", false
}

// singleArg returns the type of the only argument of a decorator, or nil.
func (rs *Resolver) singleArg(d *syntax.Decorator) types.Type {
	if d == nil {
		return nil
	}
	if _, args, ok := syntax.CallName(d.Expr); ok && len(args) == 1 {
		return rs.model.TypeOf(args[0])
	}
	return nil
}
