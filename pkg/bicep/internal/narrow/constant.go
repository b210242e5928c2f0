package narrow

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// Constant reports every part of an expression that is not a literal: a compile-time
// constant consists of literals only. The parts of a reported part are not reported
// again. A minus before a number belongs to the number.
func Constant(x syntax.Node, report diag.Sink) {
	syntax.Walk(x, func(n syntax.Node) bool {
		constant := true
		switch n := n.(type) {
		case *syntax.Index, *syntax.Binary, *syntax.Call, *syntax.InstanceCall, *syntax.For, *syntax.Paren,
			*syntax.PropertyAccess, *syntax.Ternary, *syntax.VarRef:
			constant = false
		case *syntax.String:
			constant = len(n.Exprs()) == 0
		case *syntax.Unary:
			constant = n.Op == syntax.Minus
		}
		if !constant {
			report(diag.BCP032.At(n.Span()))
		}
		return constant
	})
}
