package armexpr

import (
	"slices"
	"strings"
)

// Same reports whether two expressions are the same but for what the parameters of their
// lambdas are called.
func Same(a, b Expr) bool { return sameBound(a, b, nil) }

// bound is a parameter of a lambda in two expressions.
type bound struct {
	a, b string
	next *bound
}

// sameBound is Same where the lambdas around the expressions bind names.
func sameBound(a, b Expr, names *bound) bool {
	x, ok := a.(*Call)
	y, ok2 := b.(*Call)
	if !ok || !ok2 {
		return a == b
	}
	if x == y && names == nil {
		return true
	}
	if x.Name != y.Name || len(x.Args) != len(y.Args) || !sameList(x.Access, y.Access, names) {
		return false
	}
	switch {
	case strings.EqualFold(x.Name, "lambdaVariables") && len(x.Args) == 1:
		p, ok := x.Args[0].(Str)
		q, ok2 := y.Args[0].(Str)
		if !ok || !ok2 {
			break
		}
		for n := names; n != nil; n = n.next {
			if isA, isB := strings.EqualFold(n.a, string(p)), strings.EqualFold(n.b, string(q)); isA || isB {
				return isA && isB
			}
		}
		return strings.EqualFold(string(p), string(q))
	case strings.EqualFold(x.Name, "lambda") && len(x.Args) > 0:
		last := len(x.Args) - 1
		for i := range last {
			p, ok := x.Args[i].(Str)
			q, ok2 := y.Args[i].(Str)
			if !ok || !ok2 {
				return false
			}
			names = &bound{string(p), string(q), names}
		}
		return sameBound(x.Args[last], y.Args[last], names)
	}
	return sameList(x.Args, y.Args, names)
}

func sameList(a, b []Expr, names *bound) bool {
	return slices.EqualFunc(a, b, func(x, y Expr) bool { return sameBound(x, y, names) })
}
