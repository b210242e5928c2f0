package rules

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
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
	for _, a := range args {
		if syntax.Node(a) == n {
			return true
		}
	}
	return false
}

// lambdaVariables refuses variables of lambdas in what the deployment must know
// before it begins: arguments of reference and list functions, and indexes of
// resources and modules.
func (c *checker) lambdaVariables() {
	if len(c.lambdas) == 0 {
		return
	}
	seen := map[syntax.Node]bool{}
	for _, l := range c.lambdas {
		syntax.Walk(l.Body, func(n syntax.Node) bool {
			if seen[n] {
				return true
			}
			switch n := n.(type) {
			case *syntax.Call, *syntax.InstanceCall:
				seen[n] = true
				if f, ok := c.flags(n); ok && f&types.RequiresInlining != 0 {
					name, args, _ := syntax.CallName(n)
					var nodes []syntax.Node
					for _, a := range args {
						nodes = append(nodes, a)
					}
					if names := c.lambdaItems(nodes...); names != "" {
						c.report(diag.BCP248.At(n.Span(), names, name.Name))
					}
				}
			case *syntax.Index:
				seen[n] = true
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

// lambdaItems lists the variables of lambdas that the nodes use.
func (c *checker) lambdaItems(nodes ...syntax.Node) string {
	var names []string
	seen := map[*bind.Local]bool{}
	for _, n := range nodes {
		syntax.Walk(n, func(n syntax.Node) bool {
			if ref, ok := n.(*syntax.VarRef); ok {
				if l, ok := c.m.Symbol(ref).(*bind.Local); ok && l.Var == bind.LambdaItem && !seen[l] {
					seen[l] = true
					names = append(names, l.Name())
				}
			}
			return true
		})
	}
	return strings.Join(names, ", ")
}
