package eval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// failure as the wanted result of a case stands for an error.
const failure = "!"

// checkTable evaluates lines of the form "expression → compact JSON".
func checkTable(t *testing.T, scope eval.Scope, table string) {
	t.Helper()
	n := 0
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		expr, want, ok := strings.Cut(line, " → ")
		require.True(t, ok, "not a case: %q", line)
		n++
		got := evaluate(t, scope, expr)
		assert.False(t, got != want && !(want == failure && strings.HasPrefix(got, failure)), "%s\n got %s\nwant %s", expr, got, want)
	}
	t.Logf("%d cases", n)
}

func evaluate(t *testing.T, scope eval.Scope, expr string) string {
	t.Helper()
	e, err := armexpr.Parse("[" + expr + "]")
	require.NoError(t, err, expr)
	v, err := eval.New(scope).Eval(e)
	if err != nil {
		require.NotEmpty(t, err.Error(), "%s: the message is %q", expr, err)
		require.NotContains(t, err.Error(), "%!", "%s: the message", expr)
		return failure + " " + err.Error()
	}
	return armjson.Text(v)
}

func TestLogic(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		true() → true
		false() → false
		null() → null
		TRUE() → true
		not(true()) → false
		not(1) → !
		not('true') → !
		and(true(), true()) → true
		and(true(), false()) → false
		and(true(), true(), false()) → false
		and(false(), fail('not reached')) → false
		and(1, true()) → !
		and(true()) → !
		or(false(), false()) → false
		or(false(), true()) → true
		or(true(), fail('not reached')) → true
		or(false(), 'x') → !
		if(true(), 1, 2) → 1
		if(false(), 1, 2) → 2
		# only the branch that is chosen is evaluated
		if(true(), 1, fail('x')) → 1
		if(false(), fail('x'), 2) → 2
		if('true', 1, 2) → !
		if(null(), 1, 2) → !
		if(true(), 1) → !
		coalesce(null(), 5) → 5
		coalesce(null(), null()) → null
		coalesce('a', fail('x')) → "a"
		coalesce(null(), '', 'b') → ""
		coalesce(null(), false()) → false
		equals(1, 1) → true
		equals(1, 2) → false
		equals('a', 'a') → true
		# strings are compared exactly
		equals('a', 'A') → false
		equals('1', 1) → false
		equals(true(), 'true') → false
		equals(null(), null()) → true
		equals(null(), '') → false
		equals(null(), 0) → false
		equals(createArray(1, 2), createArray(1, 2)) → true
		equals(createArray(1, 2), createArray(2, 1)) → false
		equals(createArray(), createArray()) → true
		# the order of members does not count, the case of their names does
		equals(createObject('a', 1, 'b', 2), createObject('b', 2, 'a', 1)) → true
		equals(createObject('a', 1), createObject('A', 1)) → false
		equals(createObject('a', 1), createObject('a', 1, 'b', 2)) → false
		equals(createArray(createObject('a', createArray(null()))), createArray(createObject('a', createArray(null())))) → true
		# an integer is not a float
		equals(1, json('1.0')) → false
		equals(json('1.50'), json('1.5')) → true
		less(1, 2) → true
		less(2, 2) → false
		less(-3, 2) → true
		lessOrEquals(2, 2) → true
		lessOrEquals(3, 2) → false
		greater(3, 2) → true
		greater(2, 2) → false
		greaterOrEquals(2, 2) → true
		greaterOrEquals(1, 2) → false
		less('a', 'b') → true
		less('b', 'a') → false
		less('a', 'aa') → true
		# strings are compared as words are: a lower-case letter comes before its upper case, and both before the next letter
		less('demo', 'Demo') → true
		less('Demo', 'demo') → false
		less('B', 'a') → false
		less('A', 'b') → true
		less('a_', 'aB') → true
		greater('bend', 'band') → true
		lessOrEquals('10', '9') → true
		greater('b', 'a') → true
		lessOrEquals('a', 'a') → true
		greaterOrEquals('', '') → true
		less('a', 1) → !
		less(1, 'a') → !
		less(true(), false()) → !
		greater(null(), 1) → !
		less(json('1.5'), 2) → true
		nosuchfunction(1) → !
		lambda('x', 1) → !
		utcNow() → !
		newGuid() → !
		reference('x') → !
		deployment() → !
	`)
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	checkTable(t, eval.NoScope{}, `
		add(1, 2) → 3
		add(-1, -2) → -3
		sub(1, 2) → -1
		sub(0, 5) → -5
		mul(6, 7) → 42
		mul(-6, 7) → -42
		div(10, 3) → 3
		# division rounds towards zero, and the remainder has the sign of the dividend
		div(-10, 3) → -3
		div(10, -3) → -3
		div(6, 11) → 0
		mod(10, 4) → 2
		mod(-10, 4) → -2
		mod(10, -4) → 2
		div(1, 0) → !
		mod(1, 0) → !
		add(json('9223372036854775807'), 0) → 9223372036854775807
		add(json('9223372036854775807'), 1) → !
		add(json('-9223372036854775808'), -1) → !
		sub(json('-9223372036854775808'), 1) → !
		sub(0, json('-9223372036854775808')) → !
		sub(json('-9223372036854775807'), 1) → -9223372036854775808
		mul(json('9223372036854775807'), json('9223372036854775807')) → !
		mul(json('2199023255552'), json('2199023255552')) → !
		mul(json('4611686018427387904'), 2) → !
		mul(json('4611686018427387904'), -2) → -9223372036854775808
		mul(json('-9223372036854775808'), -1) → !
		mul(json('-9223372036854775808'), 1) → -9223372036854775808
		mul(0, json('-9223372036854775808')) → 0
		div(json('-9223372036854775808'), -1) → !
		mod(json('-9223372036854775808'), -1) → !
		add('1', 2) → !
		add(null(), 2) → !
		add(1) → !
		add(1, 2, 3) → !
		div(json('1.5'), 2) → !
		min(3, 1, 2) → 1
		max(3, 1, 2) → 3
		min(createArray(3, 1, 2)) → 1
		max(createArray(3, 1, 2)) → 3
		min(5) → 5
		min(10, 4, 1, 6) → 1
		max(10, 4, 1, 6) → 10
		max(createArray(-3, -1)) → -1
		min(createArray()) → !
		min('a') → !
		max(createArray(1, 'a')) → !
		max(1, createArray(2)) → !
		range(0, 3) → [0,1,2]
		range(5, 2) → [5,6]
		range(-2, 4) → [-2,-1,0,1]
		range(1, 0) → []
		range(0, -1) → !
		length(range(0, 10000)) → 10000
		range(0, 10001) → !
		range(2147483645, 2) → [2147483645,2147483646]
		range(2147483646, 2) → [2147483646,2147483647]
		range(2147483647, 2) → !
		range('0', 1) → !
		int('12') → 12
		int('-12') → -12
		int('+12') → 12
		int(' 12 ') → 12
		int(7) → 7
		int('9223372036854775807') → 9223372036854775807
		int('9223372036854775808') → !
		int('asdf') → !
		int('1.5') → !
		int('1e3') → !
		int('1_000') → !
		int('0x10') → !
		int('') → !
		int(true()) → !
		int(null()) → !
		int(createArray()) → !
		bool('true') → true
		bool('True') → true
		bool('FALSE') → false
		bool(' true ') → true
		bool('trUe') → true
		bool('1') → !
		bool(-1) → true
		bool(1) → true
		bool(0) → false
		bool(5) → true
		bool(true()) → true
		bool('sdf') → !
		bool('') → !
		bool('yes') → !
		bool(null()) → !
		bool(createObject()) → !
		float('1.5') → 1.5
		float(2) → 2.0
		float('x') → !
	`)
}

// TestTemplate evaluates the variables and functions of a template.
func TestTemplate(t *testing.T) {
	t.Parallel()
	v, err := armjson.Parse(`{
		"functions": [
			{"namespace": "__bicep", "members": {
				"twice": {"parameters": [{"name": "x", "type": "int"}], "output": {"type": "int", "value": "[mul(parameters('x'), 2)]"}},
				"obj": {"parameters": [{"name": "n", "type": "string"}], "output": {"type": "object", "value": {"name": "[parameters('N')]", "all": "[map(range(0, 2), lambda('i', __bicep.twice(lambdaVariables('i'))))]"}}},
				"var": {"parameters": [], "output": {"type": "string", "value": "[variables('plain')]"}},
				"again": {"parameters": [], "output": {"type": "string", "value": "[__bicep.again()]"}}
			}},
			{"namespace": "_1", "members": {"f": {"parameters": [], "output": {"type": "int", "value": 5}}}}
		],
		"variables": {
			"copy": [
				{"name": "loop", "count": "[length(variables('list'))]", "input": "[format('{0}-{1}', variables('list')[copyIndex('loop')], copyIndex('loop', 10))]"},
				{"name": "objects", "count": 2, "input": {"i": "[copyIndex('objects')]", "sub": "[copyIndex('objects', 1)]"}},
				{"name": "[format('named{0}', variables('plain'))]", "count": 1, "input": "[copyIndex(format('named{0}', 'TEXT'))]"},
				{"name": "zero", "count": 0, "input": 1},
				{"name": "less", "count": -1, "input": 1},
				{"name": "unnamed", "count": 2, "input": "[copyIndex()]"},
				{"name": "[variables('nowhere')]", "count": 1, "input": 1},
				{"name": "behind", "count": 1, "input": 1}
			],
			"plain": "text",
			"escaped": "[[not an expression]",
			"half": "[open",
			"list": ["a", "[variables('plain')]"],
			"nested": {"a": {"b": "[variables('list')[1]]"}, "[format('k{0}', 1)]": 1},
			"props": {"copy": [{"name": "xs", "count": 2, "input": "[mul(copyIndex('xs'), 3)]"}], "y": 1},
			"call": "[__bicep.twice(21)]",
			"deep": "[__bicep.obj('me')]",
			"other": "[_1.f()]",
			"self": "[variables('self2')]",
			"self2": "[variables('self')]",
			"param": "[parameters('p')]",
			"env": "[environment().name]",
			"arity": "[__bicep.twice()]",
			"forever": "[__bicep.again()]",
			"fv": "[__bicep.var()]"
		}}`, armjson.Options{})
	require.NoError(t, err)
	checkTable(t, eval.NewTemplateScope(v.(*armjson.Object), eval.NewBudget(eval.DefaultLimits(), nil)), `
		variables('plain') → "text"
		variables('PLAIN') → "text"
		variables('escaped') → "[not an expression]"
		variables('half') → "[open"
		variables('list') → ["a","text"]
		variables('nested') → {"a":{"b":"text"},"k1":1}
		variables('loop') → ["a-10","text-11"]
		variables('objects') → [{"i":0,"sub":1},{"i":1,"sub":2}]
		variables('namedText') → [0]
		variables('unnamed') → !
		variables('behind') → !
		variables('zero') → []
		variables('less') → !
		variables('props') → {"xs":[0,3],"y":1}
		variables('call') → 42
		variables('deep') → {"name":"me","all":[0,2]}
		variables('other') → 5
		variables('fv') → "text"
		variables('self') → !
		variables('param') → !
		variables('env') → !
		variables('arity') → !
		variables('forever') → !
		variables('missing') → !
		variables('copy') → !
		__bicep.TWICE(4) → 8
		copyIndex() → !
		copyIndex('loop') → !
	`)
}

func TestEvaluate(t *testing.T) {
	t.Parallel()
	v, err := eval.Evaluate("concat", armjson.String("a"), armjson.Int(1))
	require.NoError(t, err, "%v", v)
	require.True(t, v == armjson.String("a1"), "%v %v", v, err)
	for name, want := range map[string]string{"and": "false", "or": "true", "if": "!", "coalesce": "true"} {
		v, err := eval.Evaluate(name, armjson.Bool(true), armjson.Bool(false))
		got := "!"
		if err == nil {
			got = armjson.Text(v)
		}
		assert.Equal(t, want, got, name)
	}
	_, err = eval.Evaluate("reference")
	assert.ErrorIs(t, err, eval.ErrUnknownFunction)
	require.True(t, eval.Known("ToLower"), "Known is wrong")
	require.True(t, eval.Known("if"), "Known is wrong")
	require.False(t, eval.Known("reference"), "Known is wrong")
}

// A message says which argument is wrong, and what is wanted.
func TestMessages(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"and(1, true())":                            "function and needs a boolean as its argument 1, not an integer",
		"or(false(), 'x')":                          "function or needs a boolean as its argument 2, not a string",
		"if(null(), 1, 2)":                          "function if needs a boolean as its argument 1, not null",
		"add(1, createArray())":                     "function add needs an integer as its argument 2, not an array",
		"div(1, json('1.5'))":                       "function div needs an integer as its argument 2, not a number",
		"toLower(createObject())":                   "function toLower needs a string as its argument 1, not an object",
		"nosuch(1)":                                 "function nosuch: it is not a function that can be evaluated at compile time",
		"createObject('a', 1).b":                    `the object has no property "b"; it has a`,
		"createArray(1)[3]":                         "the array has no element 3: its length is 1",
		"createArray(1)['x']":                       "an array is accessed with a string, not an integer",
		"createObject('a', 1)[1]":                   "an object is accessed with an integer, not a property's name",
		"null().x":                                  "a property or an element of null is accessed",
		"true().x":                                  "a boolean has no properties or elements to access",
		"f.many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)": "function f.many takes 10 arguments, not 11",
		"resourceId('A.B/c', 'g', 'A.B/c', 'd')":    "function resourceId: the resource group is not known at compile time; give the subscription's id and the group's name as the first arguments",
		"resourceId('s', 'A.B/c', 'd', 'e')":        "function resourceId: the resource group is not known at compile time; give the subscription's id and the group's name as the first arguments",
	} {
		scope := eval.Scope(eval.NoScope{})
		if strings.HasPrefix(expr, "f.") {
			scope = marked{}
		}
		require.Equal(t, failure+" "+want, evaluate(t, scope, expr), expr)
	}
}

// TestSecretsStayOut checks that messages do not show the values of strings.
func TestSecretsStayOut(t *testing.T) {
	t.Parallel()
	for _, expr := range []string{"int('hunter2')", "bool('hunter2')", "json('hunter2')", "base64ToString('hunter2@')", "add('hunter2', 1)", "dateTimeAdd('hunter2', 'P1D')", "string('hunter2').x",
		"dataUriToString('hunter2')", "uri('hunter2', 'x')", "parseCidr('hunter2')", "tenantResourceId('hunter2', 'x')"} {
		got := evaluate(t, eval.NoScope{}, expr)
		require.True(t, strings.HasPrefix(got, failure), "%s: %s", expr, got)
		require.NotContains(t, got, "hunter2", expr)
	}
}
