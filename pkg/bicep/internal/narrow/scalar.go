package narrow

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// rangeKinds are the diagnostics for ranges: of integers or of lengths.
type rangeKinds struct{ above, below, mayBeBelow, mayBeAbove diag.Kind }

var (
	valueRange  = rangeKinds{diag.BCP327, diag.BCP328, diag.BCP329, diag.BCP330}
	lengthRange = rangeKinds{diag.BCP332, diag.BCP333, diag.BCP334, diag.BCP335}
)

// checkRange compares a range with the allowed one; nil means no bound. It returns false
// if no value is in both.
func (n *narrower) checkRange(r rangeKinds, x syntax.Node, warn bool, lo, hi, wantLo, wantHi *int64) bool {
	at := x.Span()
	if lo != nil && wantHi != nil && *lo > *wantHi {
		n.report(r.above.At(at, *lo, *wantHi).As(severity(warn)))
		return false
	}
	if hi != nil && wantLo != nil && *hi < *wantLo {
		n.report(r.below.At(at, *hi, *wantLo).As(severity(warn)))
		return false
	}
	if lo != nil && wantLo != nil && *lo < *wantLo {
		n.report(r.mayBeBelow.At(at, *lo, *wantLo))
	}
	if hi != nil && wantHi != nil && *hi > *wantHi {
		n.report(r.mayBeAbove.At(at, *hi, *wantHi))
	}
	return true
}

// SurelyFits reports whether nothing can be said about a value of a type where another
// one is expected, whatever the value's expression is: where limits are neither known nor
// expected.
func SurelyFits(actual, target types.Type) bool {
	if (actual.Flags()|target.Flags())&types.PreventAssignment != 0 {
		return false
	}
	switch t := target.(type) {
	case *types.AnyType:
		return !types.IsError(actual)
	case *types.String:
		if t.MinLength != nil || t.MaxLength != nil || t.Pattern != "" {
			return false
		}
		switch actual.(type) {
		case *types.StringLiteral, *types.String:
			return true
		}
	case *types.Int:
		if t.Min != nil || t.Max != nil {
			return false
		}
		switch actual.(type) {
		case *types.IntLiteral, *types.Int:
			return true
		}
	case *types.Bool:
		switch actual.(type) {
		case *types.BoolLiteral, *types.Bool:
			return true
		}
	}
	return false
}

// fitsWhole is SurelyFits for an expression that may be a variable, whose value is checked
// where a type leaves that to be done.
func fitsWhole(x syntax.Node, actual, target types.Type) bool {
	_, isName := x.(*syntax.VarRef)
	return !isName && SurelyFits(actual, target)
}

func greaterBound(a, b *int64) *int64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

func lesserBound(a, b *int64) *int64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

// positive returns nil for a minimal length of 0, which means no bound.
func positive(n *int64) *int64 {
	if n != nil && *n <= 0 {
		return nil
	}
	return n
}

func (c *narrowing) warns(target types.Type) bool { return c.resource || types.ShouldWarn(target) }

func (n *narrower) narrowInt(c narrowing, x syntax.Node, actual types.Type, target *types.Int) types.Type {
	switch a := actual.(type) {
	case *types.Int:
		if !n.checkRange(valueRange, x, c.warns(target), a.Min, a.Max, target.Min, target.Max) {
			return a
		}
		return types.NewInt(greaterBound(a.Min, target.Min), lesserBound(a.Max, target.Max), target.Flags())
	case *types.IntLiteral:
		n.checkRange(valueRange, x, c.warns(target), &a.Value, &a.Value, target.Min, target.Max)
	}
	return actual
}

func (n *narrower) narrowIntLiteral(c narrowing, x syntax.Node, actual types.Type, target *types.IntLiteral) types.Type {
	if a, ok := actual.(*types.Int); ok {
		if !n.checkContains(valueRange, x, c.warns(target), a.Min, a.Max, target.Value) {
			return actual
		}
	}
	return target
}

// checkContains reports a range that does not contain the one allowed value.
func (n *narrower) checkContains(r rangeKinds, x syntax.Node, warn bool, lo, hi *int64, want int64) bool {
	if lo != nil && *lo > want {
		n.report(r.above.At(x.Span(), *lo, want).As(severity(warn)))
		return false
	}
	if hi != nil && *hi < want {
		n.report(r.below.At(x.Span(), *hi, want).As(severity(warn)))
		return false
	}
	return true
}

func (n *narrower) narrowString(c narrowing, x syntax.Node, actual types.Type, target *types.String) types.Type {
	switch a := actual.(type) {
	case *types.String:
		if !n.checkRange(lengthRange, x, c.warns(target), a.MinLength, a.MaxLength, target.MinLength, target.MaxLength) {
			return a
		}
		return types.NewString(positive(greaterBound(a.MinLength, target.MinLength)),
			lesserBound(a.MaxLength, target.MaxLength), "", target.Flags())
	case *types.StringLiteral:
		if target.MinLength != nil || target.MaxLength != nil {
			length := int64(source.UTF16Len(a.Value))
			n.checkRange(lengthRange, x, c.warns(target), &length, &length, target.MinLength, target.MaxLength)
		}
		if target.Pattern != "" && !types.MatchesPattern(target.Pattern, a.Value) {
			n.report(diag.BCP416.At(x.Span(), target.Pattern).As(severity(c.warns(target))))
		}
	}
	return actual
}

func (n *narrower) narrowStringLiteral(c narrowing, x syntax.Node, actual types.Type, target *types.StringLiteral) types.Type {
	if a, ok := actual.(*types.String); ok {
		if !n.checkContains(lengthRange, x, c.warns(target), a.MinLength, a.MaxLength, int64(source.UTF16Len(target.Value))) {
			return actual
		}
	}
	return target
}
