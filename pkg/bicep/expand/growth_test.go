package expand_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/internal/cputime"
)

// programs are templates of a size, long in one dimension each.
var programs = map[string]func(n int) string{
	"resources that refer to each other": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ", 'r%d': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'n%[1]d', 'properties': {'p': '[reference(`r%[2]d`).x]'}, 'dependsOn': ['r%[2]d']}", i, (i+1)%n)
		}
		return `{` + groupSchema + `, 'resources': {` + b.String()[2:] + `}}`
	},
	"a loop over a range": func(n int) string {
		return `{` + groupSchema + `, 'resources': {'s': {'copy': {'name': 's', 'count': '[length(range(0, ` + fmt.Sprint(n) + `))]'}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(` + "`x{0}`, range(0, " + fmt.Sprint(n) + `)[copyIndex()])]'},
			't': {'copy': {'name': 't', 'count': ` + fmt.Sprint(n) + `}, 'type': 'T.S/b', 'apiVersion': '1', 'name': '[string(copyIndex())]', 'tags': {'of': '[reference(format(` + "`s[{0}]`" + `, copyIndex())).x]'}, 'dependsOn': ['[format(` + "`s[{0}]`" + `, copyIndex())]']}}}`
	},
	"modules that use each other's outputs, the last first": func(n int) string {
		var b strings.Builder
		for i := n - 1; i >= 0; i-- {
			given := "'x'"
			if i > 0 {
				given = fmt.Sprintf("'[reference(`m%d`).outputs.o.value]'", i-1)
			}
			fmt.Fprintf(&b, ", 'm%d': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm%[1]d', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'parameters': {'p': {'value': %s}}, 'template': {%s, 'parameters': {'p': {'type': 'string'}}, 'resources': {}, 'outputs': {'o': {'type': 'string', 'value': '[parameters(`p`)]'}}}}}", i, given, groupSchema)
		}
		return `{` + groupSchema + `, 'resources': {` + b.String()[2:] + `}}`
	},
	"variables that use each other, the last first": func(n int) string {
		var b strings.Builder
		for i := n; i > 0; i-- {
			fmt.Fprintf(&b, ", 'v%d': '[variables(`v%d`)]'", i, i-1)
		}
		return `{` + groupSchema + `, 'variables': {` + b.String()[2:] + `, 'v0': 'x'}, 'resources': {}}`
	},
	"one resource that depends on all": func(n int) string {
		var b, names strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ", 'r%d': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'n%[1]d'}", i)
			fmt.Fprintf(&names, ", 'r%d'", i)
		}
		return `{` + groupSchema + `, 'resources': {'all': {'type': 'T.S/b', 'apiVersion': '1', 'name': 'all', 'dependsOn': [` + names.String()[2:] + `]}` + b.String() + `}}`
	},
	"an unknown value within many": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ", 'p%d': '[format(`{0}-{1}`, variables(`v`), %[1]d)]'", i)
		}
		return `{` + groupSchema + `, 'parameters': {'p': {'type': 'string'}}, 'variables': {'v': '[concat(parameters(` + "`p`" + `), uniqueString(parameters(` + "`p`" + `)))]'}, 'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'properties': {` + b.String()[2:] + `}}}}`
	},
	"a type behind a chain of references": func(n int) string {
		var b strings.Builder
		for i := range 4 * n {
			fmt.Fprintf(&b, "'t%d': {'$ref': '#/definitions/t%d'}, ", i, i+1)
		}
		return `{` + groupSchema + `, 'definitions': {` + b.String() + fmt.Sprintf("'t%d': {'type': 'object', 'properties': {'pw': {'type': 'securestring'}}}", 4*n) + `}, 'parameters': {'p': {'type': 'array', 'items': {'$ref': '#/definitions/t0'},
			'defaultValue': [` + strings.Repeat("{'pw': 'x'}, ", 4*n) + `{}]}}, 'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'p': '[parameters(` + "`p`" + `)]'}}}}`
	},
	"objects whose tags name no variant": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ", 'k%d': {'type': 'object', 'properties': {'pw': {'type': 'securestring'}}}", i)
		}
		return `{` + groupSchema + `, 'definitions': {'u': {'type': 'object', 'discriminator': {'propertyName': 'kind', 'mapping': {` + b.String()[2:] + `}}}}, 'parameters': {'p': {'type': 'array', 'items': {'$ref': '#/definitions/u'},
			'defaultValue': [` + strings.Repeat("{'kind': 'K', 'pw': 'x'}, ", 4*n) + `{}]}}, 'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'p': '[parameters(` + "`p`" + `)]'}}}}`
	},
	"properties of other names than the type's": func(n int) string {
		var types, values strings.Builder
		for i := range 4 * n {
			fmt.Fprintf(&types, ", 'p%d': {'type': 'securestring'}", i)
			fmt.Fprintf(&values, ", 'q%d': 'x'", i)
		}
		return `{` + groupSchema + `, 'parameters': {'p': {'type': 'object', 'properties': {` + types.String()[2:] + `}, 'defaultValue': {` + values.String()[2:] + `}}},
			'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'p': '[parameters(` + "`p`" + `)]'}}}}`
	},
	"many secrets deep inside a value": func(n int) string {
		deep := strings.Repeat("{'name of a property': ", 50)
		return `{` + groupSchema + `, 'definitions': {'t': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/t'}, 'properties': {'list': {'type': 'array', 'items': {'type': 'securestring'}}}}}, 'parameters': {'p': {'$ref': '#/definitions/t',
			'defaultValue': ` + deep + `{'list': [` + strings.Repeat("'x', ", 4*n) + `'x']}` + strings.Repeat("}", 50) + `}}, 'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'p': '[parameters(` + "`p`" + `)]'}}}}`
	},
	"names in another case": func(n int) string {
		var b, uses strings.Builder
		for i := range 4 * n {
			fmt.Fprintf(&b, ", 'key%d': 1", i)
			fmt.Fprintf(&uses, ", '[variables(`o`).KEY%d]'", i)
		}
		return `{` + groupSchema + `, 'variables': {'o': {` + b.String()[2:] + `}}, 'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'p': [` + uses.String()[2:] + `]}}}}`
	},
	"loops of variables": func(n int) string {
		var b strings.Builder
		for i := range 4 * n {
			fmt.Fprintf(&b, ", {'name': 'v%d', 'count': 1, 'input': 'x'}", i)
		}
		return `{` + groupSchema + `, 'variables': {'copy': [` + b.String()[2:] + `]}, 'resources': {}}`
	},
	"outputs of a module": func(n int) string {
		var b, uses strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ", 'o%d': {'type': 'int', 'value': 1}", i)
			fmt.Fprintf(&uses, ", '[reference(`m`).outputs.o%d.value]'", i)
		}
		return `{` + groupSchema + `, 'resources': {'m': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'template': {` + groupSchema + `, 'resources': {}, 'outputs': {` + b.String()[2:] + `}}}},
			'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'p': [` + uses.String()[2:] + `]}}}}`
	},
	"properties of what is unknown": func(n int) string {
		return `{` + groupSchema + `, 'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'p': '[reference(` + "`/a/b`, `1`)" + strings.Repeat(".a", 8*n) + `]'}}}}`
	},
	"a reference to what is named by a reference": func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ", 'v%d': '[reference(concat(`/a/b/c/`, variables(`v%d`)), `1`).x]'", i+1, i)
		}
		return `{` + groupSchema + `, 'variables': {'v0': 'x'` + b.String() + `}, 'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'p': '[variables(` + fmt.Sprintf("`v%d`", n) + `)]'}}}}`
	},
}

// TestGrowth expands programs of a size and of four times that size. The time is
// compared generously: what is quadratic takes sixteen times as long.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("takes its time")
	}
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			cost := func(n int) time.Duration {
				template := parse(t, program(n))
				best := time.Hour
				for range 3 {
					best = min(best, cputime.Measure(func() {
						result, err := expand.Expand(template, expand.Options{Context: inGroup, Limits: expand.Limits{Copies: 10_000}})
						require.NoError(t, err)
						for _, r := range result.Resources {
							_ = armjson.Text(expand.Printable(r.Body))
							_ = expand.Reasons(r.Body)
						}
					}))
				}
				return best
			}
			small, large := cost(500), cost(2000)
			t.Log(small, large)
			assert.False(t, large > 12*small && large > 300*time.Millisecond, "500: %v, 2000: %v", small, large)
		})
	}
}
