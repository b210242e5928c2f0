package deploytime

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// lambdaPlaces requires that lambdas are arguments of functions.
func (c *checker) lambdaPlaces() {
	for _, l := range c.lambdas {
		if call, child := c.m.Binding().Around(l); !isArgument(child, call) {
			c.report(diag.BCP242.At(l.Span()))
		}
	}
}

func isArgument(n, call syntax.Node) bool {
	args, _ := callArgs(call)
	return slices.ContainsFunc(args, func(a syntax.Expr) bool { return syntax.Node(a) == n })
}

// lambdaVariables refuses variables of lambdas in what the deployment must know
// before it begins: arguments of reference and list functions, and indexes of
// resources and modules.
func (c *checker) lambdaVariables() {
	within := map[*syntax.Lambda]bool{} // those that another one holds
	for _, l := range c.lambdas {
		if within[l] {
			continue
		}
		syntax.Walk(l.Body, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Lambda:
				within[n] = true
			case *syntax.Call, *syntax.InstanceCall:
				if f, ok := c.flags(n); ok && f&types.RequiresInlining != 0 {
					name, args, _ := syntax.CallName(n)
					if names := c.lambdaItems(args...); names != "" {
						c.report(diag.BCP248.At(n.Span(), names, name.Name))
					}
				}
			case *syntax.Index:
				switch c.m.Symbol(n.X).(type) {
				case *bind.Module, *bind.Resource:
					if names := c.lambdaItems(n.Index); names != "" {
						c.report(diag.BCP247.At(n.Index.Span(), names))
					}
				}
			}
			return true
		})
	}
}

// lambdaItems lists the variables of lambdas that expressions use.
func (c *checker) lambdaItems(list ...syntax.Expr) string {
	var locals []*bind.Local
	var names []string
	for _, x := range list {
		for _, l := range c.analysis.LocalsIn(x) {
			if l.Var == bind.LambdaItem && !slices.Contains(locals, l) {
				locals = append(locals, l)
				names = append(names, l.Name())
			}
		}
	}
	return strings.Join(names, ", ")
}
