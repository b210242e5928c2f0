package normal_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/normal"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In these tests a, b are texts, n and m are integers, c, d are booleans, l is a list, o is an object, x is anything.
var kinds = map[string]normal.Kind{
	"a": normal.Text, "b": normal.Text, "n": normal.Int, "m": normal.Int, "c": normal.Bool, "d": normal.Bool, "l": normal.Array, "o": normal.Object,
}

// parse reads an expression in which $a stands for parameters('a').
func parse(t testing.TB, text string) armexpr.Expr {
	t.Helper()
	for name := range kinds {
		text = strings.ReplaceAll(text, "$"+name, "parameters('"+name+"')")
	}
	text = strings.ReplaceAll(text, "$x", "parameters('x')")
	e, err := armexpr.Parse("[" + text + "]")
	require.NoError(t, err, text)
	return e
}

func text(e armexpr.Expr) string { return string(armexpr.AppendInner(nil, e)) }

func relate(t testing.TB, a, b string) normal.Relation {
	t.Helper()
	table := normal.NewTable(kinds)
	x, y := table.Of(parse(t, a)), table.Of(parse(t, b))
	r := table.Relate(x, y)
	assert.Equal(t, r, table.Relate(y, x), "%s and %s, the other way round", a, b)
	return r
}

// Each line holds expressions that have the same value, whatever the parameters are.
func TestOneValue(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		// texts
		`concat($a, '-x') | format('{0}-x', $a) | format('{0}-{1}', $a, 'x') | format('{0}', format('{0}-x', $a)) | join(createArray($a, 'x'), '-') | concat($a, '-', 'x')`,
		`format('{0}', $a) | $a | string($a) | concat($a, '') | format('{0}{1}', $a, '')`,
		`format('{0}{{}}', $a) | concat($a, '{}')`,
		`format('{0}{1}', $n, 'x') | concat(string($n), 'x') | format('{0}x', string($n))`,
		`format('{0}{1}', $c, 'x') | concat(string($c), 'x')`,
		`toLower(concat('A-', $a)) | concat('a-', toLower($a)) | toLower(toLower(format('A-{0}', $a))) | format('a-{0}', toLower($a))`,
		`toUpper(format('{0}{1}', 'x', $n)) | concat('X', string($n))`,
		`concat('-', $x) | format('-{0}', $x)`,
		`format('{0:D3}-x', $n) | concat(format('{0:D3}', $n), '-x')`,
		`replace(concat('a-', $a), '-', '') | concat('a', replace($a, '-', ''))`,
		`replace(format('{0}-token-{1}', $a, $b), 'token', 'x') | concat(replace($a, 'token', 'x'), '-x-', replace($b, 'token', 'x'))`,
		`if($c, concat($a, '-x'), concat($b, '-x')) | concat(if($c, $a, $b), '-x')`,
		`format('{0}-{1}', if($c, 'a', 'b'), if($c, 'c', 'd')) | if($c, 'a-c', 'b-d')`,
		// conditions
		`$c | not(not($c)) | equals($c, true()) | equals(true(), $c) | and(true(), $c) | or($c, false()) | and($c, $c) | if($c, true(), false()) | not(equals($c, false()))`,
		`and($c, $d) | and($d, $c) | not(or(not($c), not($d))) | if($c, $d, false()) | and($c, and($d, $c)) | if(not($c), false(), $d)`,
		`greater($n, 3) | less(3, $n) | not(lessOrEquals($n, 3)) | not(greaterOrEquals(3, $n))`,
		`or($c, not($c)) | true() | equals($a, $a)`,
		`equals($a, $b) | equals($b, $a)`,
		`if(and(true(), not(not(equals($c, true())))), concat($a, '-', 'x'), null()) | if($c, format('{0}-x', $a), null())`,
		`if(not($c), $a, $b) | if($c, $b, $a) | if($c, if($c, $b, 'never'), $a)`,
		`if(equals($x, null()), 'y', $x) | coalesce($x, 'y') | coalesce($x, null(), 'y', 'z') | coalesce(coalesce($x, 'y'), 'z')`,
		`createObject('k', if($c, 1, 2)) | if($c, createObject('k', 1), createObject('k', 2))`,
		`if($c, if($d, 1, 2), 2) | if(and($c, $d), 1, 2) | if($d, if($c, 1, 2), 2)`,
		// arrays and objects
		`concat($l, createArray(1), createArray($a)) | concat($l, createArray(1, $a)) | concat(concat($l, createArray(1)), createArray(format('{0}', $a)))`,
		`createObject('k', $a, 'j', 1) | createObject('j', 1, 'k', concat($a, ''))`,
		`union($o, createObject('k', 1), createObject('j', $a)) | union($o, createObject('j', $a, 'k', 1)) | union(union($o, createObject('k', 1)), createObject('j', $a))`,
		`createObject('k', $a).k | $a | createArray($b, $a)[1]`,
		`range(0, $n)[$m] | $m`,
		`range(3, $n)[$m] | add(3, $m) | add($m, 3)`,
		`range(3, $n)[4] | 7`,
		`length(range($m, $n)) | $n | length(map(range(0, $n), lambda('i', concat(lambdaVariables('i'), '-x'))))`,
		`length(createArray($a, $b)) | 2 | length(concat(createArray($a), createArray(1)))`,
		`range(0, length(range(0, $n))) | range(0, $n)`,
		// lambdas
		`map($l, lambda('i', concat(lambdaVariables('i'), '-x'))) | map($l, lambda('other', format('{0}-x', lambdaVariables('other'))))`,
		`map($l, lambda('i', map($l, lambda('j', concat('-', lambdaVariables('i'), lambdaVariables('j')))))) | map($l, lambda('j', map($l, lambda('i', concat('-', lambdaVariables('j'), lambdaVariables('i'))))))`,
		`filter($l, lambda('i', not(not(equals(lambdaVariables('i'), $a))))) | filter($l, lambda('k', equals($a, lambdaVariables('k'))))`,
		// resources
		`reference('id', '2020-01-01').x | reference('id', '2024-01-01').x`,
		`last(split(resourceId('t/t', concat($a, '-x')), '/')) | format('{0}-x', $a)`,
		`toLower(concat(uniqueString($a), 'X')) | concat(uniqueString($a), 'x')`,
		`resourceId('t/t', $a) | resourceId(resourceGroup().name, 't/t', $a) | resourceId(subscription().subscriptionId, resourceGroup().name, 't/t', $a)`,
	} {
		list := strings.Split(line, " | ")
		for _, other := range list[1:] {
			assert.Equal(t, normal.Same, relate(t, list[0], other), "%s and %s", list[0], other)
		}
	}
}

func TestOtherValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want normal.Relation
	}{
		{`concat($a, '-x')`, `concat($a, '-y')`, normal.Different},
		{`concat($a, '-x')`, `concat($a, '-x-slim')`, normal.Different},
		{`concat($a, '-x')`, `$a`, normal.Different},
		{`concat('x-', $a)`, `concat('y-', $b)`, normal.Different},
		{`concat($a, '-x')`, `concat($b, '-x')`, normal.Unclear},
		{`concat($a, '-x')`, `concat($b, '-y')`, normal.Different},
		{`concat($a, 'x', $b)`, `concat($a, 'y', $b)`, normal.Different},
		{`concat($a, $b)`, `concat($b, $a)`, normal.Unclear},
		{`concat($a, 'x')`, `concat('x', $a)`, normal.Unclear},
		{`$a`, `'known'`, normal.Unclear},
		{`guid($a, 'x')`, `guid($a, 'y')`, normal.Different},
		{`guid($a, 'x')`, `guid($b, 'y')`, normal.Unclear},
		{`guid('a-b', 'c')`, `guid('a', 'b-c')`, normal.Same},
		{`guid(concat($a, '-b'), 'c')`, `guid($a, 'b-c')`, normal.Unclear},
		{`format('kv{0}', uniqueString(concat($a, 'x')))`, `format('kv{0}', uniqueString(concat($a, 'y')))`, normal.Different},
		{`uniqueString($a)`, `uniqueString($b)`, normal.Unclear},
		{`resourceId('t/t', concat($a, 'x'))`, `resourceId('t/t', concat($a, 'y'))`, normal.Different},
		{`resourceId('t/t', $a)`, `resourceId('t/t', $b)`, normal.Unclear},
		{`toLower(resourceId('t/t', concat($a, 'x')))`, `toLower(resourceId('t/t', concat($a, 'X')))`, normal.Unclear},
		{`toLower(resourceId('t/t', concat($a, 'x')))`, `toLower(resourceId('t/t', concat($a, 'Y')))`, normal.Different},
		{`range(0, $n)[$m]`, `range(1, $n)[$m]`, normal.Unclear},
		{`length(range(0, $n))`, `length(range(0, $m))`, normal.Unclear},
		{`$a`, `''`, normal.Unclear},
		{`concat($a, 'x')`, `''`, normal.Different},
		{`concat('x-', if($c, 'a', 'b'))`, `concat('x-', if($c, 'c', 'd'))`, normal.Different},
		{`concat('x-', if($c, 'a', 'b'))`, `concat('x-', if($c, 'a', 'd'))`, normal.Unclear},
		{`concat('x-', if($c, 'a', 'b'))`, `concat('x-', if($d, 'c', 'd'))`, normal.Different},
		{`$c`, `not($c)`, normal.Different},
		{`$c`, `$d`, normal.Unclear},
		{`$c`, `$a`, normal.Different},
		{`$x`, `$a`, normal.Unclear},
		{`equals($x, true())`, `$x`, normal.Unclear}, // x may be a text
		{`concat($x, $x)`, `format('{0}{0}', $x)`, normal.Unclear},
		{`createArray(1, $a)`, `createArray(2, $a)`, normal.Different},
		{`createArray($a)`, `createArray($b)`, normal.Unclear},
		{`if($c, 1, 2)`, `if($c, 2, 1)`, normal.Different},
		{`union($o, createObject('k', 1))`, `union(createObject('k', 1), $o)`, normal.Unclear},
		{`map($l, lambda('i', lambdaVariables('i')))`, `map($l, lambda('i', $a))`, normal.Unclear},
		{`reference('id', '2020-01-01', 'full').x`, `reference('id', '2020-01-01').x`, normal.Unclear},
		{`resourceId(subscription().subscriptionId, 'g', 't/t', $a)`, `resourceId('t/t', $a)`, normal.Unclear},
	} {
		assert.Equal(t, c.want, relate(t, c.a, c.b), "%s and %s", c.a, c.b)
	}
}

// Normal forms that people read.
func TestForms(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		`concat($a, '-', toLower('X'), $x)`:                                                                 `format('{0}-x{1}', parameters('a'), parameters('x'))`,
		`if(and(true(), not(not(equals($c, true())))), concat($a, '-', 'x'), null())`:                       `if(parameters('c'), format('{0}-x', parameters('a')), null())`,
		`map($l, lambda('i', filter($l, lambda('j', equals(lambdaVariables('i'), lambdaVariables('j'))))))`: `map(parameters('l'), lambda('$2', filter(parameters('l'), lambda('$1', equals(lambdaVariables('$2'), lambdaVariables('$1'))))))`,
		`toLower($x)`:                       `toLower(parameters('x'))`,
		`union(createObject('k', 1), $o).k`: `union(createObject('k', 1), parameters('o')).k`,
		`add(1, add(2, $n))`:                `add(1, add(2, parameters('n')))`,
		`take('abc', 2)`:                    `'ab'`,
	} {
		assert.Equal(t, want, text(normal.NewTable(kinds).Of(parse(t, from))), from)
	}
}

// What doubles again and again takes no more memory than its nodes.
func TestShared(t *testing.T) {
	t.Parallel()
	for name, double := range map[string]func(armexpr.Expr) armexpr.Expr{
		"texts":  func(e armexpr.Expr) armexpr.Expr { return armexpr.Fn("format", armexpr.Str("{0}-{1}"), e, e) },
		"concat": func(e armexpr.Expr) armexpr.Expr { return armexpr.Fn("concat", e, armexpr.Str("-"), e) },
		"conditions": func(e armexpr.Expr) armexpr.Expr {
			return armexpr.Fn("and", e, armexpr.Fn("not", armexpr.Fn("equals", e, armexpr.Str("x"))))
		},
		"arrays": func(e armexpr.Expr) armexpr.Expr { return armexpr.Fn("createArray", e, e) },
		"objects": func(e armexpr.Expr) armexpr.Expr {
			return armexpr.Fn("union", e, armexpr.Fn("createObject", armexpr.Str("k"), e))
		},
		"if": func(e armexpr.Expr) armexpr.Expr {
			return armexpr.Fn("if", armexpr.Fn("equals", e, armexpr.Int(1)), e, armexpr.Fn("last", e))
		},
		"lambdas": func(e armexpr.Expr) armexpr.Expr {
			return armexpr.Fn("map", e, armexpr.Fn("lambda", armexpr.Str("i"), armexpr.Fn("concat", e, armexpr.Fn("lambdaVariables", armexpr.Str("i")))))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := normal.NewTable(kinds)
			one, other := parse(t, "concat('-', $x)"), parse(t, "format('-{0}', $x)")
			for range 200 {
				one, other = double(one), double(other)
			}
			require.True(t, table.Of(one) == table.Of(other))
			r := table.Relate(table.Of(double(one)), table.Of(one))
			require.True(t, r != normal.Same || name == "conditions")
		})
	}
}

// given holds values of parameters.
type given struct {
	eval.NoScope
	values map[string]armjson.Value
}

func (g given) Parameter(name string) (eval.Value, error) {
	if v, ok := g.values[name]; ok {
		return v, nil
	}
	return nil, fmt.Errorf("no %s", name)
}

func (g given) Call(string, []eval.Value) (eval.Value, error) { return nil, eval.ErrUnknownFunction }

// maker makes expressions at random.
type maker struct{ *rand.Rand }

func (m maker) one(list ...string) string { return list[m.IntN(len(list))] }

func (m maker) text(depth int) string {
	if depth == 0 {
		return m.one(`$a`, `$b`, `'x'`, `'X-'`, `''`, `'{'`)
	}
	depth--
	switch m.IntN(9) {
	case 0:
		return fmt.Sprintf(`concat(%s, %s)`, m.text(depth), m.text(depth))
	case 1:
		return fmt.Sprintf(`format('{0}-{1}', %s, %s)`, m.text(depth), m.any(depth))
	case 2:
		return fmt.Sprintf(`join(createArray(%s, %s), %s)`, m.text(depth), m.text(depth), m.text(0))
	case 3:
		return fmt.Sprintf(`%s(%s)`, m.one("toLower", "toUpper"), m.text(depth))
	case 4:
		return fmt.Sprintf(`if(%s, %s, %s)`, m.bool(depth), m.text(depth), m.text(depth))
	case 5:
		return fmt.Sprintf(`string(%s)`, m.any(depth))
	case 6:
		return fmt.Sprintf(`replace(%s, %s, %s)`, m.text(depth), m.one(`'-'`, `'X-'`, `'x-'`, `'-x'`, `'xX'`), m.text(0))
	case 7:
		return fmt.Sprintf(`coalesce(%s, %s)`, m.one("null()", "$x", m.text(depth)), m.text(depth))
	}
	return fmt.Sprintf(`createObject('k', %s, 'j', %s).%s`, m.text(depth), m.text(depth), m.one("k", "j"))
}

func (m maker) bool(depth int) string {
	if depth == 0 {
		return m.one(`$c`, `$d`, `true()`, `false()`)
	}
	depth--
	switch m.IntN(7) {
	case 0, 1:
		return fmt.Sprintf(`%s(%s, %s)`, m.one("and", "or"), m.bool(depth), m.bool(depth))
	case 2:
		return fmt.Sprintf(`not(%s)`, m.bool(depth))
	case 3:
		return fmt.Sprintf(`equals(%s, %s)`, m.any(depth), m.any(depth))
	case 4:
		return fmt.Sprintf(`%s(%s, %s)`, m.one("less", "greater", "lessOrEquals", "greaterOrEquals"), m.int(depth), m.int(depth))
	case 5:
		return fmt.Sprintf(`empty(%s)`, m.text(depth))
	}
	return fmt.Sprintf(`if(%s, %s, %s)`, m.bool(depth), m.bool(depth), m.bool(depth))
}

func (m maker) int(depth int) string {
	if depth == 0 {
		return m.one(`$n`, `0`, `3`)
	}
	return fmt.Sprintf(`%s(%s, %s)`, m.one("add", "mul", "min"), m.int(depth-1), m.int(depth-1))
}

func (m maker) array(depth int) string {
	if depth == 0 {
		return m.one(`$l`, `createArray()`, `createArray('x')`)
	}
	depth--
	switch m.IntN(4) {
	case 0:
		return fmt.Sprintf(`concat(%s, %s)`, m.array(depth), m.array(depth))
	case 1:
		return fmt.Sprintf(`createArray(%s, %s)`, m.any(depth), m.any(depth))
	case 2:
		return fmt.Sprintf(`map(%s, lambda('%s', %s))`, m.array(depth), m.one("i", "j"), m.any(depth))
	}
	return fmt.Sprintf(`if(%s, %s, %s)`, m.bool(depth), m.array(depth), m.array(depth))
}

func (m maker) object(depth int) string {
	if depth == 0 {
		return m.one(`$o`, `createObject()`, `createObject('k', 'x')`)
	}
	depth--
	if m.IntN(2) == 0 {
		return fmt.Sprintf(`union(%s, %s)`, m.object(depth), m.object(depth))
	}
	return fmt.Sprintf(`createObject('%s', %s)`, m.one("k", "K", "j"), m.any(depth))
}

func (m maker) any(depth int) string {
	switch m.IntN(6) {
	case 0:
		return m.int(depth)
	case 1:
		return m.bool(depth)
	case 2:
		return m.array(depth)
	case 3:
		return m.object(depth)
	}
	return m.text(depth)
}

// The normal form of an expression has its value, and what Relate says of two is true for all values.
func TestRandomExpressions(t *testing.T) {
	t.Parallel()
	m := maker{rand.New(rand.NewPCG(1, 2))}
	var worlds []given
	for range 12 {
		str := func() armjson.Value { return armjson.String(m.one("", "x", "X-x", "-", "b{}", "true")) }
		worlds = append(worlds, given{values: map[string]armjson.Value{
			"a": str(), "b": str(), "n": armjson.Int(int64(m.IntN(5))), "c": armjson.Bool(m.IntN(2) == 0), "d": armjson.Bool(m.IntN(2) == 0),
			"l": armjson.Array{str(), str()}[:m.IntN(3)], "o": armjson.NewObject(armjson.Member{Key: m.one("k", "j", "i"), Value: str()}),
			"x": []armjson.Value{str(), armjson.Null{}, str()}[m.IntN(3)],
		}})
	}
	valued, related := 0, map[normal.Relation]int{}
	for range 6_000 {
		expression := []func(int) string{m.text, m.bool, m.array, m.any}[m.IntN(4)]
		one := expression(1 + m.IntN(3))
		other := expression(1 + m.IntN(2))
		table := normal.NewTable(kinds)
		e, f := parse(t, one), parse(t, other)
		n, o := table.Of(e), table.Of(f)
		r := table.Relate(n, o)
		related[r]++
		for _, w := range worlds {
			v, err := eval.New(w).Eval(e)
			if err != nil {
				continue
			}
			valued++
			got, err := eval.New(w).Eval(n)
			require.NoError(t, err, "%s\n%s\n%v", one, text(n), w.values)
			require.True(t, armjson.Equal(v, got), "%s is %s\n%s is %s\n%v", one, armjson.Text(v), text(n), armjson.Text(got), w.values)
			u, err := eval.New(w).Eval(f)
			if err != nil {
				continue
			}
			if same := armjson.Equal(v, u); r == normal.Same && !same || r == normal.Different && same {
				t.Fatalf("relation %d of\n%s: %s\n%s: %s\n%v", r, one, armjson.Text(v), other, armjson.Text(u), w.values)
			}
		}
	}
	t.Log(valued, related)
	require.Greater(t, valued, 30_000)
	require.Greater(t, related[normal.Same], 30)
}
