package expand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// Each of forty functions calls the one before twice. Calls with equal arguments are made once, so a few
// thousand steps are enough, wherever the first call is and whatever is known of its argument.
func TestEqualCallsAreMadeOnce(t *testing.T) {
	t.Parallel()
	const x, sum = "parameters(`x`)", "add(call, call)"
	for name, c := range map[string]struct{ first, body, members, want string }{
		"name":              {x, sum, "'name': '[string(u.f40(1))]'", "1099511627776"},
		"property":          {x, sum, "'name': 'a', 'tags': {'a': '[u.f40(2)]'}", "2199023255552"},
		"condition":         {x, sum, "'name': 'a', 'condition': '[greater(u.f40(2), 7)]'", "A.B/c/a"},
		"loop":              {x, sum, "'name': '[string(u.f40(copyIndex()))]', 'copy': {'name': 'r', 'count': 3}", "2199023255552"},
		"parameter":         {x, sum, "'name': '[string(parameters(`p`))]'", "3298534883328"},
		"object":            {"length(" + x + ")", sum, "'name': '[string(u.f40(createObject(`a`, 1)))]'", "1099511627776"},
		"new object":        {x, "createObject('a', call, 'b', call).a", "'name': '[u.f40(createArray(`b`)[0])]'", "A.B/c/b"},
		"new argument":      {x, "concat(u.f#(createObject('a', " + x + ").a), take(call, 0))", "'name': '[u.f40(`b`)]'", "A.B/c/b"},
		"error in a branch": {"int(`a`)", "if(equals(" + x + ", 1), call, call)", "'name': 'a', 'tags': {'a': '[if(equals(utcNow(), `x`), u.f40(1), 2)]'}", "u.f40(1)"},
		"unknown argument":  {"length(createArray(" + x + "))", sum, "'name': '[string(u.f40(utcNow()))]'", "1099511627776"},
		"unknown list": {"length(createArray(" + x + "))", sum,
			"'name': 'a', 'tags': {'a': '[map(reference(`/a/b`, `1`).l, lambda(`e`, u.f40(lambdaVariables(`e`))))]'}", "lambda('e', json('1099511627776'))"},
		"secret argument": {"length(createArray(" + x + "))", sum, "'name': '[string(u.f40(parameters(`pw`)))]'", "1099511627776"},
		"lambda":          {x, "first(map(createArray(1, 2), lambda('e', call)))", "'name': '[u.f40(`b`)]'", "A.B/c/b"},
		"output of many":  {x, "createObject('a', call).a", "'name': 'a', 'tags': {'a': ['[u.f40(1)]', '[u.f40(`1`)]', '[u.f40(json(`1.0`))]', '[u.f40(true())]', '[u.f40(null())]']}", `[1,"1",1.0,true,null]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			function := func(name, body string) string {
				return fmt.Sprintf("'%s': {'parameters': [{'name': 'x', 'type': 'object'}], 'output': {'type': 'object', 'value': '[%s]'}}", name, strings.ReplaceAll(body, "'", "`"))
			}
			functions := function("f0", c.first)
			for i := range 40 {
				body := strings.ReplaceAll(c.body, "call", "u.f#("+x+")")
				functions += ", " + function(fmt.Sprint("f", i+1), strings.ReplaceAll(body, "#", fmt.Sprint(i)))
			}
			template := parse(t, "{"+groupSchema+", 'functions': [{'namespace': 'u', 'members': {"+functions+"}}], "+
				"'parameters': {'pw': {'type': 'securestring'}, 'p': {'type': 'int', 'defaultValue': '[u.f40(3)]'}}, "+
				"'resources': {'r': {'type': 'A.B/c', 'apiVersion': '1', "+c.members+"}}}")
			given := map[string]expand.Parameter{"pw": {Value: armjson.String("CANARY")}}
			if name != "parameter" {
				given["p"] = expand.Parameter{Value: armjson.Int(1)}
			}
			result, err := expand.Expand(template, expand.Options{Context: inGroup, Parameters: given, Limits: expand.Limits{Steps: 3000}})
			require.NoError(t, err)
			require.Contains(t, strings.Join(lines(result), "\n"), c.want)
		})
	}
}

// A call with other arguments is another call, in whatever way they differ, also beyond what is compared.
func TestCallsThatDiffer(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	many := strings.Repeat("0, ", 100)
	template := parse(t, "{"+groupSchema+`, 'functions': [{'namespace': 'u', 'members': {
		'id': {'parameters': [{'name': 'x', 'type': 'object'}], 'output': {'type': 'object', 'value': '[parameters(`+"`x`"+`)]'}},
		'f': {'parameters': [{'name': 'x', 'type': 'object'}, {'name': 'y', 'type': 'object'}], 'output': {'type': 'object', 'value': '[createArray(u.id(parameters(`+"`x`"+`)), u.id(parameters(`+"`Y`"+`)))]'}}}}],
		'resources': {'r': {'type': 'A.B/c', 'apiVersion': '1', 'name': 'a', 'tags': {`+
		"'order': ['[u.f(1, 2)]', '[u.f(2, 1)]', '[u.f(12, null())]', '[u.f(createObject(`a`, 1, `b`, 2), 1)]', '[u.f(createObject(`b`, 2, `a`, 1), 1)]'],"+
		"'case': ['[u.f(`a`, `A`)]', '[u.f(`A`, `a`)]', '[u.f(createObject(`k`, 1), 1)]', '[u.f(createObject(`K`, 1), 1)]'],"+
		"'long': ['[length(u.f(`"+long+"`, 1)[0])]', '[length(u.f(`"+long+"y`, 1)[0])]'],"+
		"'many': ['[length(u.f(createArray("+many+"1), 1)[0])]', '[last(u.f(createArray("+many+"1), 1)[0])]', '[last(u.f(createArray("+many+"2), 1)[0])]']"+
		`}}}}`)
	result, err := expand.Expand(template, expand.Options{Context: inGroup})
	require.NoError(t, err)
	require.Contains(t, lines(result)[0], `{"order":[[1,2],[2,1],[12,null],[{"a":1,"b":2},1],[{"b":2,"a":1},1]],`+
		`"case":[["a","A"],["A","a"],[{"k":1},1],[{"K":1},1]],"long":[5000,5001],"many":[101,1,2]}`)
}
