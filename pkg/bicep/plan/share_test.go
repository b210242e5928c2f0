package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"

	"github.com/stretchr/testify/require"
)

// Each value is made of the one before, twice: written out, the last would take 2^100 times what the first takes.
// The plan names them, and writes each once.
func TestLongExpressionsAreWrittenOnce(t *testing.T) {
	t.Parallel()
	of := func(first string) *expand.Result {
		variables := "'v0': '[" + first + "]'"
		for i := range 100 {
			variables += fmt.Sprintf(", 'v%d': '[map(variables(`v%d`), lambda(`e`, join(concat(variables(`v%[2]d`), createArray(`some longer text %[1]d`)), lambdaVariables(`e`))))]'", i+1, i)
		}
		tree := template(t, "'p': {'type': 'array'}, 'q': {'type': 'array'}", container("s", "[join(variables(`v100`), `-`)]", "'v': '[variables(`v100`)]', 'w': '[variables(`v99`)]', 'x': '[variables(`v1`)]'"))
		v, err := armjson.Parse("{"+strings.NewReplacer("'", `"`, "`", "'").Replace(variables)+"}", armjson.Options{})
		require.NoError(t, err)
		tree.Set("variables", v)
		e, err := expand.Expand(tree, expand.Options{Tolerant: true, Graphs: true})
		require.NoError(t, err)
		return e
	}
	p := of("parameters(`p`)")
	require.True(t, plan.Compare(p, of("concat(parameters(`p`), createArray())")).Empty())
	for name, p := range map[string]*plan.Plan{"a list": plan.List(p), "a comparison": plan.Compare(p, of("parameters(`q`)"))} {
		text := strings.Join(lines(t, p), "\n")
		require.Less(t, len(text), 100_000, name)
		require.Regexp(t, `\n    value\d+ = map\(value\d+, x\d+ => `, text, name)
		require.Less(t, len(armjson.Text(p.JSON(nil))), 200_000, name)
		require.Less(t, len(plan.Markdown([]plan.Section{{Title: "t", Plan: p}}, plan.Style{}, plan.MaxMarkdown)), plan.MaxMarkdown, name)
		// A value mentions those before it only, and each that is mentioned is there.
		for i, v := range p.Values {
			for _, other := range strings.Split(expand.Text(v.Value), "variables('")[1:] {
				other, _, _ = strings.Cut(other, "'")
				var n int
				_, err := fmt.Sscanf(other, "value%d", &n)
				require.NoError(t, err)
				require.LessOrEqual(t, n, i, "%s mentions %s", v.Name, other)
			}
		}
	}
	require.Equal(t, 1, plan.Compare(p, of("parameters(`q`)")).Count(plan.Unknown))
}
