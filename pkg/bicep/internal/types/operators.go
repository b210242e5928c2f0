package types

import (
	"cmp"
	"math"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// UnaryResult returns the type of an operator's result, or nil if the operand
// does not fit.
func UnaryResult(op syntax.UnaryOp, operand Type) Type {
	switch op {
	case syntax.Not:
		if AreAssignable(operand, TBool) {
			return not(operand)
		}
	case syntax.Minus:
		if AreAssignable(operand, TInt) {
			return negate(operand)
		}
	}
	return nil
}

func not(t Type) Type {
	switch t := t.(type) {
	case *Union:
		refs := make([]Ref, len(t.Members))
		for i, m := range t.Members {
			refs[i] = not(m.Type())
		}
		return NewUnion(refs...)
	case *BoolLiteral:
		return NewBoolLiteral(!t.Value, t.flags)
	case *Bool:
		return t
	}
	return NewBool(t.Flags())
}

func negate(t Type) Type {
	switch t := t.(type) {
	case *Union:
		var diags []diag.Diagnostic
		failed := false
		var refs []Ref
		for _, m := range t.Members {
			switch n := negate(m.Type()).(type) {
			case *Error:
				failed = true
				diags = append(diags, n.Diags...)
			default:
				refs = append(refs, n)
			}
		}
		if failed {
			return NewError(diags...)
		}
		return CollapseOrUnion(refs...)
	case *IntLiteral:
		if t.Value != math.MinInt64 {
			return NewIntLiteral(-t.Value, t.flags)
		}
	case *Int:
		return NewInt(negateBound(t.Max), negateBound(t.Min), t.flags)
	}
	return TInt
}

func negateBound(n *int64) *int64 {
	if n == nil || *n == math.MinInt64 {
		return nil
	}
	return Len(-*n)
}

// BinaryResult returns the type of an operator's result, or nil if the operands do not fit.
// Mistakes with constants are reported at the expression's place.
func BinaryResult(op syntax.BinaryOp, at source.Span, left, right Type, report diag.Sink) Type {
	fits := func(l, r Type) bool { return AreAssignable(left, l) && AreAssignable(right, r) }
	fold := func(function string) Type {
		t, err := Fold(function, []Type{left, right})
		if err != nil {
			report(err.At(at))
		}
		return t
	}
	or := func(t, fallback Type) Type {
		if t != nil {
			return t
		}
		return fallback
	}
	switch op {
	case syntax.OpOr, syntax.OpAnd:
		if !fits(TBool, TBool) {
			return nil
		}
		// One operand may decide alone.
		decisive, name := op == syntax.OpOr, "or"
		if op == syntax.OpAnd {
			name = "and"
		}
		if t := fold(name); t != nil {
			return t
		}
		for _, t := range []Type{left, right} {
			if l, ok := t.(*BoolLiteral); ok && l.Value == decisive {
				return NewBoolLiteral(decisive, 0)
			}
		}
		return TBool
	case syntax.OpEquals:
		if fits(TAny, TAny) {
			return or(fold("equals"), TBool)
		}
	case syntax.OpNotEquals:
		if fits(TAny, TAny) {
			if l, ok := fold("equals").(*BoolLiteral); ok {
				return NewBoolLiteral(!l.Value, 0)
			}
			return TBool
		}
	case syntax.OpEqualsFold, syntax.OpNotEqualsFold:
		if fits(TString, TString) {
			return equalsFold(op == syntax.OpNotEqualsFold, at, left, right, report)
		}
	case syntax.OpLess, syntax.OpLessOrEqual, syntax.OpGreater, syntax.OpGreaterOrEqual:
		if fits(TInt, TInt) {
			if t := fold(comparisons[op]); t != nil {
				return t
			}
			return compareRanges(op, left, right)
		}
		if fits(TString, TString) {
			return or(fold(comparisons[op]), TBool)
		}
	case syntax.OpAdd, syntax.OpSubtract, syntax.OpMultiply, syntax.OpDivide, syntax.OpModulo:
		if !fits(TInt, TInt) {
			return nil
		}
		if t := fold(arithmetic[op]); t != nil {
			return t
		}
		return rangeOf(op, at, left, right)
	case syntax.OpCoalesce:
		if !fits(TAny, TAny) {
			return nil
		}
		if t := fold("coalesce"); t != nil {
			return t
		}
		return coalesced(left, right)
	}
	return nil
}

// rangeOf returns the type of what an operator of arithmetic makes of integers that are not known.
func rangeOf(op syntax.BinaryOp, at source.Span, left, right Type) Type {
	switch op {
	case syntax.OpAdd:
		return distribute(left, right, addRanges)
	case syntax.OpSubtract:
		return distribute(left, right, subtractRanges)
	case syntax.OpModulo:
		return distribute(left, right, func(l, r Type) Type { return moduloRanges(l, r, at) })
	}
	return TInt
}

func coalesced(left, right Type) Type {
	if _, ok := left.(*NullType); ok {
		return right
	}
	if n := RemoveNullability(left); n != nil {
		return NewUnion(n, right)
	}
	return left
}

var comparisons = [...]string{
	syntax.OpLess: "less", syntax.OpLessOrEqual: "lessOrEquals",
	syntax.OpGreater: "greater", syntax.OpGreaterOrEqual: "greaterOrEquals",
}

var arithmetic = [...]string{
	syntax.OpAdd: "add", syntax.OpSubtract: "sub", syntax.OpMultiply: "mul",
	syntax.OpDivide: "div", syntax.OpModulo: "mod",
}

func equalsFold(negated bool, at source.Span, left, right Type, report diag.Sink) Type {
	lower := make([]Type, 2)
	for i, t := range []Type{left, right} {
		l, err := Fold("toLower", []Type{t})
		if err != nil {
			report(err.At(at))
		}
		if l == nil {
			l = TString
		}
		lower[i] = l
	}
	t, err := Fold("equals", lower)
	if err != nil {
		report(err.At(at))
	}
	if l, ok := t.(*BoolLiteral); ok {
		return NewBoolLiteral(l.Value != negated, 0)
	}
	return TBool
}

// lowest and highest return the ends of a type's range. In a union, members
// without an end do not count.
func lowest(t Type) *int64  { return endOf(t, func(i *Int) *int64 { return i.Min }, -1) }
func highest(t Type) *int64 { return endOf(t, func(i *Int) *int64 { return i.Max }, 1) }

func endOf(t Type, of func(*Int) *int64, order int) (end *int64) {
	switch t := t.(type) {
	case *IntLiteral:
		return &t.Value
	case *Int:
		return of(t)
	case *Union:
		for _, m := range t.Members {
			if n := endOf(m.Type(), of, order); n != nil && (end == nil || cmp.Compare(*n, *end) == order) {
				end = n
			}
		}
	}
	return end
}

// compareRanges knows the result where the ranges do not overlap.
func compareRanges(op syntax.BinaryOp, left, right Type) Type {
	below := func(a, b *int64) bool { return a != nil && b != nil && *a < *b }
	notAbove := func(a, b *int64) bool { return a != nil && b != nil && *a <= *b }
	lmin, lmax, rmin, rmax := lowest(left), highest(left), lowest(right), highest(right)
	var yes, no bool
	switch op {
	case syntax.OpLess:
		yes, no = below(lmax, rmin), notAbove(rmax, lmin)
	case syntax.OpLessOrEqual:
		yes, no = notAbove(lmax, rmin), below(rmax, lmin)
	case syntax.OpGreater:
		yes, no = below(rmax, lmin), notAbove(lmax, rmin)
	default:
		yes, no = notAbove(rmax, lmin), below(lmax, rmin)
	}
	switch {
	case yes:
		return TTrue
	case no:
		return TFalse
	}
	return TBool
}

// distribute applies an operation to every pair of members of unions.
func distribute(left, right Type, op func(l, r Type) Type) Type {
	if u, ok := left.(*Union); ok {
		refs := make([]Ref, len(u.Members))
		for i, m := range u.Members {
			refs[i] = distribute(m.Type(), right, op)
		}
		return CollapseOrUnion(refs...)
	}
	if u, ok := right.(*Union); ok {
		refs := make([]Ref, len(u.Members))
		for i, m := range u.Members {
			refs[i] = distribute(left, m.Type(), op)
		}
		return CollapseOrUnion(refs...)
	}
	return op(left, right)
}

// isUnlimited reports whether a type is that of all integers.
func isUnlimited(t Type) bool {
	i, ok := t.(*Int)
	return ok && i.Min == nil && i.Max == nil
}

func subtractRanges(left, right Type) Type {
	if isUnlimited(left) {
		return TInt
	}
	return addRanges(left, negate(right))
}

func addRanges(left, right Type) Type {
	ends := func(t Type) (lo, hi *int64, ok bool) {
		switch t := t.(type) {
		case *IntLiteral:
			return &t.Value, &t.Value, true
		case *Int:
			return t.Min, t.Max, true
		}
		return nil, nil, false
	}
	llo, lhi, lok := ends(left)
	rlo, rhi, rok := ends(right)
	if !lok || !rok {
		return TInt
	}
	return NewInt(addBounds(llo, rlo), addBounds(lhi, rhi), 0)
}

// addBounds adds the ends of ranges. A sum that is out of range is not a bound.
func addBounds(a, b *int64) *int64 {
	if a == nil || b == nil {
		return nil
	}
	sum := *a + *b
	if (sum > *a) != (*b > 0) && *b != 0 {
		return nil
	}
	return &sum
}

func moduloRanges(left, right Type, at source.Span) Type {
	r, literal := right.(*IntLiteral)
	if literal && r.Value == 0 {
		return NewError(diag.BCP410.At(at))
	}
	if l, ok := left.(*IntLiteral); ok && literal {
		if r.Value == -1 {
			return NewIntLiteral(0, 0)
		}
		return NewIntLiteral(l.Value%r.Value, 0)
	}
	// The result is smaller than the greatest divisor, on either side of zero.
	var divisor int64
	switch r := right.(type) {
	case *IntLiteral:
		divisor = magnitude(r.Value)
	case *Int:
		if r.Max == nil || r.Min == nil || *r.Min == math.MinInt64 {
			return TInt
		}
		divisor = max(magnitude(*r.Min), magnitude(*r.Max))
	default:
		return TInt
	}
	lo, hi := 1-divisor, divisor-1
	if n := lowest(left); n != nil && *n >= 0 {
		lo = 0
	}
	if n := highest(left); n != nil && *n <= 0 {
		hi = 0
	}
	return NewInt(&lo, &hi, 0)
}

func magnitude(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}
