package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// checkConstant reports every part of an expression that is not written out: a
// compile-time constant is made of literals only. Nothing below such a part is
// reported again. A minus before a number is part of it.
func checkConstant(x syntax.Node, report diag.Sink) {
	syntax.Walk(x, func(n syntax.Node) bool {
		constant := true
		switch n := n.(type) {
		case *syntax.Index, *syntax.Binary, *syntax.Call, *syntax.InstanceCall, *syntax.For, *syntax.Paren,
			*syntax.PropertyAccess, *syntax.Ternary, *syntax.VarRef:
			constant = false
		case *syntax.String:
			constant = len(n.Exprs) == 0
		case *syntax.Unary:
			constant = n.Op == syntax.Minus
		}
		if !constant {
			report(diag.BCP032.At(n.Span()))
		}
		return constant
	})
}
