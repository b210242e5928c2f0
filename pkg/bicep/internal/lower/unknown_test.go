package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// A kind of node that is new in syntax must not become null, or any, in a template that
// looks right: what lower does not know ends the run.
func TestWhatIsNotKnownIsNotLowered(t *testing.T) {
	t.Parallel()
	type unknownType struct{ syntax.TypeExpr }
	type unknownValue struct{ armjson.Value }
	p := program(t, files{"main.bicep": `
targetScope = 'resourceGroup'
func f() string => 'x'
type t = f
var v = f
`})
	var typeName *syntax.TypeName
	var varRef *syntax.VarRef
	var scope syntax.Node
	syntax.Walk(p.Graph.Entry.Tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.TypeName:
			typeName = n
		case *syntax.VarRef:
			varRef = n
		case *syntax.TargetScope:
			scope = n
		}
		return true
	})
	b := lower.ContextOf(p.Entry()).Builder(nil)
	require.PanicsWithValue(t, "lower: no expression known for *syntax.TargetScope", func() { b.Expr(scope) })
	require.PanicsWithValue(t, `lower: the name "f" means a *bind.Func, which has no value`, func() { b.Expr(varRef) })
	require.PanicsWithValue(t, `lower: the name "f" means no type`, func() { b.Type(typeName) })
	require.PanicsWithValue(t, "lower: no type known for lower_test.unknownType", func() { b.Type(unknownType{typeName}) })
	require.PanicsWithValue(t, "lower: no expression known for lower_test.unknownValue", func() { lower.Value(unknownValue{}, varRef) })
}
