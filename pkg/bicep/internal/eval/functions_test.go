package eval_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// partly is a scope in which u(…) is not known, pw is a secure parameter, and v a variable.
type partly struct{ eval.NoScope }

func (partly) Call(name string, args []eval.Value) (eval.Value, error) {
	if name == "u" {
		return eval.NewUnknown(nil, "u", args...), nil
	}
	return nil, eval.ErrUnknownFunction
}

func (s partly) Variable(name string) (eval.Value, error) {
	if name == "v" {
		return armjson.Int(1), nil
	}
	return s.NoScope.Variable(name)
}

func (s partly) Parameter(name string) (eval.Value, error) {
	if name == "p" {
		return armjson.String("x"), nil
	}
	return s.NoScope.Parameter(name)
}

// everyFunction has for every function of ARM what it gives for values that are known, for one that is not, and what it refuses.
// What is peculiar to a function is in the tables of the other tests.
const everyFunction = `
	add(1, 2) → 3
	add(1, u()) → "[add(1, u())]"
	add(1, 'x') → !
	and(true(), false()) → false
	and(u(), true()) → "[and(u(), true())]"
	and(true(), 1) → !
	array(1) → [1]
	array(u()) → "[array(u())]"
	array() → !
	base64('a') → "YQ=="
	base64(u()) → "[base64(u())]"
	base64(1) → !
	base64ToJson('e30=') → {}
	base64ToJson(u()) → "[base64ToJson(u())]"
	base64ToJson('77u/e30=') → !
	base64ToString('YQ==') → "a"
	base64ToString(u()) → "[base64ToString(u())]"
	base64ToString('YQ') → !
	bool('true') → true
	bool(u()) → "[bool(u())]"
	bool('yes') → !
	buildUri(createObject('scheme', 'http', 'host', 'h')) → "http://h/"
	buildUri(createObject('scheme', 'http', 'host', u())) → "[buildUri(createObject('scheme', 'http', 'host', u()))]"
	buildUri(createObject('scheme', 'http')) → !
	cidrHost('10.0.0.0/24', 1) → "10.0.0.2"
	cidrHost('10.0.0.0/24', u()) → "[cidrHost('10.0.0.0/24', u())]"
	cidrHost('10.0.0.0/31', 0) → !
	cidrSubnet('10.0.0.0/16', 24, 1) → "10.0.1.0/24"
	cidrSubnet(u(), 24, 1) → "[cidrSubnet(u(), 24, 1)]"
	cidrSubnet('10.0.0.0/16', 8, 0) → !
	coalesce(null(), 1) → 1
	coalesce(u(), 1) → "[coalesce(u(), 1)]"
	coalesce() → !
	concat('a', 1) → "a1"
	concat('a', u()) → "[concat('a', u())]"
	concat('a', null()) → !
	contains('abc', 'b') → true
	contains('abc', u()) → "[contains('abc', u())]"
	contains('abc', 1) → !
	createArray(1) → [1]
	createArray(u()) → ["[u()]"]
	createObject('a', 1) → {"a":1}
	createObject('a', u()) → {"a":"[u()]"}
	createObject('a') → !
	dataUri('a') → "data:text/plain;charset=utf-8;base64,YQ=="
	dataUri(u()) → "[dataUri(u())]"
	dataUri(null()) → !
	dataUriToString('data:,a') → "a"
	dataUriToString(u()) → "[dataUriToString(u())]"
	dataUriToString('a') → !
	dateTimeAdd('2020-01-01', 'P1D') → "2020-01-02T00:00:00Z"
	dateTimeAdd('2020-01-01', u()) → "[dateTimeAdd('2020-01-01', u())]"
	dateTimeAdd('2020-01-01', 'P1W') → !
	dateTimeFromEpoch(0) → "1970-01-01T00:00:00Z"
	dateTimeFromEpoch(u()) → "[dateTimeFromEpoch(u())]"
	dateTimeFromEpoch('0') → !
	dateTimeToEpoch('1970-01-02') → 86400
	dateTimeToEpoch(u()) → "[dateTimeToEpoch(u())]"
	dateTimeToEpoch('x') → !
	distinct(createArray(1, 1)) → [1]
	distinct(createArray(1, u())) → "[distinct(createArray(1, u()))]"
	distinct(1) → !
	div(7, 2) → 3
	div(7, u()) → "[div(7, u())]"
	div(7, 0) → !
	empty('') → true
	empty(u()) → "[empty(u())]"
	empty(1) → !
	endsWith('abc', 'BC') → true
	endsWith('abc', u()) → "[endsWith('abc', u())]"
	endsWith('abc', 1) → !
	equals(1, 1) → true
	equals(1, u()) → "[equals(1, u())]"
	equals(1) → !
	extensionResourceId('/s/t', 'A.B/c', 'd') → "/s/t/providers/A.B/c/d"
	extensionResourceId('/s', 'A.B/c', 'd') → !
	extensionResourceId(u(), 'A.B/c', 'd') → "[extensionResourceId(u(), 'A.B/c', 'd')]"
	extensionResourceId('/s/t', 'A.B/c/d', 'd') → !
	fail('x') → !
	fail(u()) → "[fail(u())]"
	false() → false
	false(1) → !
	filter(createArray(1, 2), lambda('x', less(lambdaVariables('x'), 2))) → [1]
	filter(u(), lambda('x', true())) → "[filter(u(), lambda('x', true()))]"
	filter(createArray(1), lambda('x', 1)) → !
	first('ab') → "a"
	first(u()) → "[first(u())]"
	first(1) → !
	flatten(createArray(createArray(1))) → [1]
	flatten(createArray(createArray(u()))) → ["[u()]"]
	flatten(createArray(1)) → !
	float('1.5') → 1.5
	float(u()) → "[float(u())]"
	float('x') → !
	format('{0:D2}', 1) → "01"
	format('{0}', u()) → "[format('{0}', u())]"
	format('{1}', 1) → !
	greater(2, 1) → true
	greater(2, u()) → "[greater(2, u())]"
	greater(2, 'a') → !
	greaterOrEquals('b', 'A') → true
	greaterOrEquals('b', u()) → "[greaterOrEquals('b', u())]"
	greaterOrEquals('b', 1) → !
	groupBy(createArray('a', 'A'), lambda('x', lambdaVariables('x'))) → {"a":["a","A"]}
	groupBy(u(), lambda('x', lambdaVariables('x'))) → "[groupBy(u(), lambda('x', lambdaVariables('x')))]"
	groupBy(createArray(1), lambda('x', 1)) → !
	guid('Hello') → "a4012463-15e4-5354-9886-c77f77385291"
	guid('a', u()) → "[guid('a', u())]"
	guid(1) → !
	if(true(), 1, 2) → 1
	if(u(), 1, 2) → "[if(u(), 1, 2)]"
	if(1, 1, 2) → !
	indexFromEnd(createArray(1, 2), 1) → 2
	indexFromEnd(u(), 1) → "[indexFromEnd(u(), 1)]"
	indexFromEnd(createArray(1, 2), 3) → !
	indexOf('abc', 'B') → 1
	indexOf('abc', u()) → "[indexOf('abc', u())]"
	indexOf('abc', 1) → !
	int('12') → 12
	int(u()) → "[int(u())]"
	int('x') → !
	intersection(createArray(1, 2), createArray(2)) → [2]
	intersection(createArray(1, 2), u()) → "[intersection(createArray(1, 2), u())]"
	intersection(createArray(1, 2), createObject()) → !
	items(createObject('b', 1)) → [{"key":"b","value":1}]
	items(u()) → "[items(u())]"
	items('x') → !
	join(createArray('a', 1), '-') → "a-1"
	join(createArray('a', u()), '-') → "[join(createArray('a', u()), '-')]"
	join(createArray('a', null()), '-') → !
	json('[1,,2] x') → [1,null,2]
	json(u()) → "[json(u())]"
	json('x') → !
	last('ab') → "b"
	last(u()) → "[last(u())]"
	last(1) → !
	lastIndexOf('abab', 'B') → 3
	lastIndexOf('abab', u()) → "[lastIndexOf('abab', u())]"
	lastIndexOf('abab', 1) → !
	length('ab') → 2
	length(u()) → "[length(u())]"
	length(1) → !
	less('a', 'B') → true
	less('a', u()) → "[less('a', u())]"
	less('a', 1) → !
	lessOrEquals(1, 1) → true
	lessOrEquals(1, u()) → "[lessOrEquals(1, u())]"
	lessOrEquals(1, null()) → !
	like('abc', 'A*') → true
	like('abc', u()) → "[like('abc', u())]"
	like('abc', 1) → !
	managementGroupResourceId('m', 'A.B/c', 'd') → "/providers/Microsoft.Management/managementGroups/m/providers/A.B/c/d"
	managementGroupResourceId('m', 'A.B/c', u()) → "[managementGroupResourceId('m', 'A.B/c', u())]"
	managementGroupResourceId('m', 'A.B/c/e', 'd') → !
	map(createArray(1), lambda('x', add(lambdaVariables('x'), variables('v')))) → [2]
	map(u(), lambda('x', lambdaVariables('x'))) → "[map(u(), lambda('x', lambdaVariables('x')))]"
	map(createArray(1), lambda('x', lambdaVariables('y'))) → !
	mapValues(createObject('a', 1), lambda('x', add(lambdaVariables('x'), 1))) → {"a":2}
	mapValues(u(), lambda('x', lambdaVariables('x'))) → "[mapValues(u(), lambda('x', lambdaVariables('x')))]"
	mapValues(1, lambda('x', 1)) → !
	max(1, 2) → 2
	max(1, u()) → "[max(1, u())]"
	max('a', 1) → !
	min(createArray(1, 2)) → 1
	min(1, u()) → "[min(1, u())]"
	min(createArray()) → !
	mod(7, 4) → 3
	mod(7, u()) → "[mod(7, u())]"
	mod(7, 0) → !
	mul(2, 3) → 6
	mul(2, u()) → "[mul(2, u())]"
	mul(2, 'x') → !
	not(true()) → false
	not(u()) → "[not(u())]"
	not('x') → !
	null() → null
	null(1) → !
	objectKeys(createObject('b', 1, 'A', 2)) → ["A","b"]
	objectKeys(u()) → "[objectKeys(u())]"
	objectKeys('x') → !
	or(false(), true()) → true
	or(u(), true()) → true
	or(u(), false()) → "[or(u(), false())]"
	or(1, true()) → !
	padLeft('a', 3, '-') → "--a"
	padLeft(u(), 3) → "[padLeft(u(), 3)]"
	padLeft('a', 17) → !
	parameters('p') → "x"
	parameters(u()) → "[parameters(u())]"
	parameters('q') → !
	parseCidr('10.0.0.0/31').lastUsable → "10.0.0.0"
	parseCidr(u()) → "[parseCidr(u())]"
	parseCidr('10.0.0.0/33') → !
	parseUri('http://h') → {"scheme":"http","host":"h","port":null}
	parseUri(u()) → "[parseUri(u())]"
	parseUri('h') → !
	range(1, 2) → [1,2]
	range(1, u()) → "[range(1, u())]"
	range(1, -1) → !
	reduce(createArray(1, 2), 0, lambda('a', 'b', add(lambdaVariables('a'), lambdaVariables('b')))) → 3
	reduce(u(), 0, lambda('a', 'b', lambdaVariables('a'))) → "[reduce(u(), 0, lambda('a', 'b', lambdaVariables('a')))]"
	reduce(1, 0, lambda('a', 'b', 1)) → !
	replace('abc', 'b', 'x') → "axc"
	replace('abc', u(), 'x') → "[replace('abc', u(), 'x')]"
	replace('abc', '', 'x') → !
	resourceId('00000000-0000-0000-0000-00000000000a', 'g', 'A.B/c', 'd') → "/subscriptions/00000000-0000-0000-0000-00000000000a/resourceGroups/g/providers/A.B/c/d"
	resourceId('00000000-0000-0000-0000-00000000000a', 'g', 'A.B/c/', 'd') → "/subscriptions/00000000-0000-0000-0000-00000000000a/resourceGroups/g/providers/A.B/c/d"
	resourceId(u(), 'g', 'A.B/c', 'd') → "[resourceId(u(), 'g', 'A.B/c', 'd')]"
	resourceId('a', 'b') → !
	resourceId('s', 'g', 'A.B/c', 'd') → !
	resourceId(u(), 'g', 'A.B/c', 'd/e') → !
	resourceId(u(), 'g', 'A.B/c/e', 'd') → !
	resourceId(u(), 'd') → "[resourceId(u(), 'd')]"
	shallowMerge(createArray(createObject('A', 1), createObject('a', 2))) → {"A":2}
	shallowMerge(createArray(createObject('a', 1), u())) → "[shallowMerge(createArray(createObject('a', 1), u()))]"
	shallowMerge(createArray(1)) → !
	skip('abc', 1) → "bc"
	skip('abc', u()) → "[skip('abc', u())]"
	skip(1, 1) → !
	sort(createArray('b', 'é', 'A', 'f'), lambda('x', 'y', less(lambdaVariables('x'), lambdaVariables('y')))) → ["A","b","é","f"]
	sort(u(), lambda('x', 'y', true())) → "[sort(u(), lambda('x', 'y', true()))]"
	sort(createArray(1, 'a'), lambda('x', 'y', less(lambdaVariables('x'), lambdaVariables('y')))) → !
	split('a,b', ',') → ["a","b"]
	split(u(), ',') → "[split(u(), ',')]"
	split(1, ',') → !
	startsWith('ﬁx', 'FI') → true
	startsWith(u(), 'a') → "[startsWith(u(), 'a')]"
	startsWith(1, 'a') → !
	string(true()) → "True"
	string(u()) → "[string(u())]"
	string(json('1.5')) → !
	sub(3, 1) → 2
	sub(3, u()) → "[sub(3, u())]"
	sub(0, 'x') → !
	subscriptionResourceId('00000000-0000-0000-0000-00000000000a', 'A.B/c', 'd') → "/subscriptions/00000000-0000-0000-0000-00000000000a/providers/A.B/c/d"
	subscriptionResourceId(u(), 'A.B/c', 'd') → "[subscriptionResourceId(u(), 'A.B/c', 'd')]"
	subscriptionResourceId('s', 'A.B/c/e', 'd') → !
	substring('abc', 1) → "bc"
	substring('abc', u()) → "[substring('abc', u())]"
	substring('abc', 4) → !
	take('abc', 2) → "ab"
	take(u(), 2) → "[take(u(), 2)]"
	take(null(), 1) → !
	tenantResourceId('A.B/c', 'd') → "/providers/A.B/c/d"
	tenantResourceId('A.B/c', u()) → "[tenantResourceId('A.B/c', u())]"
	tenantResourceId('A.B/c/e', 'd') → !
	toLower('Ä') → "ä"
	toLower(u()) → "[toLower(u())]"
	toLower(1) → !
	toObject(createArray('a'), lambda('x', lambdaVariables('x'))) → {"a":"a"}
	toObject(u(), lambda('x', lambdaVariables('x'))) → "[toObject(u(), lambda('x', lambdaVariables('x')))]"
	toObject(createArray('a', 'A'), lambda('x', lambdaVariables('x'))) → !
	toUpper('ß') → "ß"
	toUpper(u()) → "[toUpper(u())]"
	toUpper(1) → !
	trim(' a ') → "a"
	trim(u()) → "[trim(u())]"
	trim(null()) → !
	true() → true
	true(1) → !
	tryGet(createObject('a', 1), 'b') → null
	tryGet(u(), 'b') → "[tryGet(u(), 'b')]"
	tryGet('a', 'b') → !
	tryIndexFromEnd(createArray(1), 2) → null
	tryIndexFromEnd(u(), 2) → "[tryIndexFromEnd(u(), 2)]"
	tryIndexFromEnd('a', 2) → !
	union(createObject('A', 1), createObject('a', 2)) → {"a":2}
	union(createObject('a', 1), u()) → "[union(createObject('a', 1), u())]"
	union(createObject('a', u()), createObject('a', 1)) → {"a":1}
	union(createArray(createObject('n', 1, 'v', u())), createArray(createObject('n', 2, 'v', u()))) → [{"n":1,"v":"[u()]"},{"n":2,"v":"[u()]"}]
	union(createArray(createArray(u())), createArray(createArray(1, 2), 'x')) → [["[u()]"],[1,2],"x"]
	union(createArray(u()), createArray('x')) → "[union(createArray(u()), createArray('x'))]"
	union(createArray(createObject('n', 1, 'v', u())), createArray(createObject('n', 1, 'v', 2))) → "[union(createArray(createObject('n', 1, 'v', u())), createArray(createObject('n', 1, 'v', 2)))]"
	union(createObject('a', 1), createObject('a', u())) → {"a":"[if(equals(u(), null()), 1, u())]"}
	union(createObject('a', 1), createObject('a', createArray())) → !
	uniqueString('Hello') → "tpphwa2g2bhc2"
	uniqueString(u()) → "[uniqueString(u())]"
	uniqueString(null()) → !
	uri('http://h/a', 'b') → "http://h/b"
	uri('http://h/a', u()) → "[uri('http://h/a', u())]"
	uri('http://h/a b', 'c') → !
	uriComponent('a b') → "a%20b"
	uriComponent(u()) → "[uriComponent(u())]"
	uriComponent(1) → !
	uriComponentToString('a+b%E4') → "a b` + "\ufffd" + `"
	uriComponentToString(u()) → "[uriComponentToString(u())]"
	uriComponentToString(1) → !
	variables('v') → 1
	variables(u()) → "[variables(u())]"
	variables('w') → !
`

func TestEveryFunction(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`\w+\(`)
	known, unknown, refused := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(everyFunction) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		expr, want, ok := strings.Cut(line, " → ")
		require.True(t, ok, "not a case: %q", line)
		e, err := armexpr.Parse("[" + expr + "]")
		require.NoError(t, err, expr)
		v, err := eval.NewPartial(partly{}, eval.NewBudget(eval.DefaultLimits(), nil)).Eval(e)
		got := failure
		if err == nil {
			got = armjson.Text(eval.Resolved(v))
		}
		assert.Equal(t, want, got, expr)
		in := known
		switch {
		case want == failure:
			in = refused
		case strings.Contains(expr, "u()"):
			in = unknown
		}
		for _, n := range name.FindAllString(expr, -1) {
			in[strings.ToLower(strings.TrimSuffix(n, "("))] = true
		}
	}
	// These have no such arguments: constants take none, fail has no value, all arrays can be made, and copyIndex
	// needs a loop around it.
	none := map[string][]string{"known": {"fail", "copyindex"}, "unknown": {"true", "false", "null", "copyindex"}, "refused": {"copyindex"}}
	for _, n := range eval.Names() {
		for kind, m := range map[string]map[string]bool{"known": known, "unknown": unknown, "refused": refused} {
			assert.True(t, m[n] || slices.Contains(none[kind], n), "%s has no case of %s arguments", n, kind)
		}
	}
}
