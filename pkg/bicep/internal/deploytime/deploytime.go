// Package deploytime reports programs that have correct types but cannot become a
// template, or that need a value before the deployment knows it: loops where a
// template has none, expressions that must be known before the deployment starts, two
// resources of one name. It reads the checked model and changes nothing.
//
// Package check reports everything that follows from types alone. A new check belongs
// here if it depends on where a value is known or on what a template can express.
package deploytime

import (
	"math"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Inspector is the check.Inspector of this package.
type Inspector struct{}

// Inspect reports all problems of a file, in a fixed order.
func (Inspector) Inspect(m *check.Model, report diag.Sink) {
	c := newChecker(m, report)
	c.collect(m.Tree())

	c.runtimeMembers()
	c.deployTimeConstants()
	c.loops()
	c.placement()
	c.integers()
	c.extensionReferences()

	c.duplicateIdentities()
	c.nameSegments()
	c.loopInvariants()
	c.moduleProperties()
	c.copyVariable()
	c.parents()
	c.lambdaPlaces()
	c.lambdaVariables()
	c.moduleOutputResources()
	c.safeCollectionAccess()
	c.experimentalStatements()
	c.namesByCase()
	c.wholeResourceTypes()
	c.spreadPlaces()
	c.localModules()
	c.secretReads()
	c.inlinedDependencies()
	c.usingWith()
}

// checker holds what the checks share: among others, the nodes that several of them
// need, collected in one walk.
type checker struct {
	m        *check.Model
	analysis *flow.Analysis
	report   diag.Sink

	lambdas     []*syntax.Lambda
	spreads     []*syntax.Spread
	safeIndexes []*syntax.Index // a[?b]
	accesses    []syntax.Access // if the file has modules
	objectTypes []*syntax.ObjectType
	typeCalls   []syntax.TypeExpr
	largeInts   []*syntax.Int          // beyond 64 bits, but perhaps for a minus
	calls       []*syntax.InstanceCall // if the file has modules
	called      types.FunctionFlags    // of all functions that are called
	loopCount   int
	alike       alike  // what is compared at the moment
	identity    []byte // of the resource or module that was asked for last

	*constants
}

// constants holds the results of the checks of deploy-time constants for a file. The linter
// uses them as well.
type constants struct {
	inlinedBodies map[*bind.Resource]*types.Object // what can be read early of existing resources
	leaks         map[*bind.Var]*leak
}

func newChecker(m *check.Model, report diag.Sink) *checker {
	c := &checker{m: m, analysis: flow.Analyze(m), report: report}
	c.constants = check.Memo(m, func() *constants { return findConstants(m) })
	return c
}

// findConstants finds the properties of existing resources that can be read early.
func findConstants(m *check.Model) *constants {
	c := &checker{m: m, analysis: flow.Analyze(m), constants: &constants{leaks: map[*bind.Var]*leak{}}}
	c.overrideInlined()
	return c.constants
}

// collect finds the nodes that the checks need.
func (c *checker) collect(tree *syntax.File) {
	modules := len(c.m.Binding().Modules) > 0
	for _, n := range tree.Nodes() {
		switch n := n.(type) {
		case *syntax.Lambda:
			c.lambdas = append(c.lambdas, n)
		case *syntax.Spread:
			c.spreads = append(c.spreads, n)
		case *syntax.PropertyAccess:
			if modules {
				c.accesses = append(c.accesses, n)
			}
		case *syntax.Index:
			if modules {
				c.accesses = append(c.accesses, n)
			}
			if n.Safe {
				c.safeIndexes = append(c.safeIndexes, n)
			}
		case *syntax.ObjectType:
			c.objectTypes = append(c.objectTypes, n)
		case *syntax.TypeCall:
			c.typeCalls = append(c.typeCalls, n)
		case *syntax.InstanceTypeCall:
			c.typeCalls = append(c.typeCalls, n)
		case *syntax.Int:
			if n.Value > math.MaxInt64 {
				c.largeInts = append(c.largeInts, n)
			}
		case *syntax.Call:
			c.call(n)
		case *syntax.InstanceCall:
			if modules {
				c.calls = append(c.calls, n)
			}
			c.call(n)
		case *syntax.For:
			c.loopCount++
		}
	}
}

func (c *checker) call(n syntax.Expr) {
	if f, ok := c.flags(n); ok {
		c.called |= f
	}
}

// parent returns what holds n.
func (c *checker) parent(n syntax.Node) syntax.Node { return c.m.Binding().Parent(n) }

// flags returns the flags of the function that is called, and whether it is a known one.
func (c *checker) flags(call syntax.Node) (types.FunctionFlags, bool) {
	if f, ok := c.m.Symbol(call).(*bind.Function); ok {
		return f.Func.Flags, true
	}
	return 0, false
}

// body returns what is known of the body of a resource or module, or nil.
func (c *checker) body(s bind.Symbol) *types.Object { return flow.BodyOf(c.m.SymbolType(s)) }
