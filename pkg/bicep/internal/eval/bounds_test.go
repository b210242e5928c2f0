package eval_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/internal/cputime"
)

// TestBounds evaluates what would grow without bounds.
func TestBounds(t *testing.T) {
	t.Parallel()
	double := func(body string, rounds int) string {
		return fmt.Sprintf("reduce(range(0, %d), 'x', lambda('a', 'i', %s))", rounds, body)
	}
	for _, expr := range []string{
		double("concat(lambdaVariables('a'), lambdaVariables('a'))", 60),
		double("format('{0}{0}', lambdaVariables('a'))", 60),
		double("join(createArray(lambdaVariables('a'), lambdaVariables('a')), ',')", 60),
		double("replace(string(lambdaVariables('a')), 'x', 'xx')", 60),
		double("createArray(lambdaVariables('a'), lambdaVariables('a'))", 60),
		double("createObject('l', lambdaVariables('a'), 'r', lambdaVariables('a'))", 60),
		double("map(range(0, 2), lambda('j', lambdaVariables('a')))", 60),
		double("createArray(lambdaVariables('a'))", 10000),
		double("string(createArray(lambdaVariables('a')))", 60),
		"map(range(0, 10000), lambda('a', map(range(0, 10000), lambda('b', map(range(0, 10000), lambda('c', 1))))))",
		"reduce(range(0, 40), createArray(1), lambda('a', 'i', concat(lambdaVariables('a'), lambdaVariables('a'))))",
		"length(reduce(range(0, 40), createArray(1), lambda('a', 'i', flatten(createArray(lambdaVariables('a'), lambdaVariables('a'))))))",
		"format('{0,999999}{0,999999}{0,999999}{0,999999}{0,999999}{0,999999}{0,9999999}', 1)",
		"format('{0:D999999999}', 1)",
		strings.Repeat("not(", 900) + "true()" + strings.Repeat(")", 900),
	} {
		took := cputime.Measure(func() {
			e, err := armexpr.Parse("[" + expr + "]")
			require.NoError(t, err)
			limits := eval.Limits{Steps: 1_000_000, Walk: 20_000_000, Size: 64 << 20, Depth: 800}
			_, err = eval.NewLimited(eval.NoScope{}, limits).Eval(e)
			assert.Error(t, err, "%.80s: no error", expr)
		})
		assert.Less(t, took, 20*time.Second, "%.80s", expr)
	}
}

func FuzzEval(f *testing.F) {
	for _, s := range []string{
		"[format('{0,5:N2}{{', 1.5)]", "[map(range(0, 3), lambda('x', 'i', add(lambdaVariables('x'), 1)))]", "[dateTimeAdd('2020-04-07T14:53:14Z', 'P1DT2H', 'o')]",
		"[cidrSubnet('10.0.0.0/8', 16, 3)]", "[uri('https://a.b', '../c')]", "[json('{a:[1,2.5e3]}').a[1]]", "[split('a,b', createArray(',', ''))]", "[format('{0:#,##0.0;(0)}', -5)]",
		"[tryGet(createObject('a', 1), 'a')]", "[sort(createArray(2, 1), lambda('a', 'b', less(lambdaVariables('a'), lambdaVariables('b'))))]", "[substring('a😀', 1, 1)]", "[like('aab', '*a*b')]",
		"[union(createObject('a', createObject('b', 1)), createObject('a', createObject('c', 1)))]", "[dataUriToString('data:text/plain;charset=utf-16,abc')]", "[padLeft('x', 9, 'é')]", "[buildUri(parseUri('http://a:80/b?c'))]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := armexpr.Parse(s)
		if err != nil {
			return
		}
		limits := eval.Limits{Steps: 100_000, Walk: 1_000_000, Size: 4 << 20, Depth: 200}
		v, err := eval.NewLimited(eval.NoScope{}, limits).Eval(e)
		if err != nil {
			return
		}
		_, err = armjson.Parse(armjson.Text(v), armjson.Options{MaxDepth: 4000})
		require.NoError(t, err, "%q evaluates to what is not JSON", s)
	})
}

func BenchmarkEval(b *testing.B) {
	e, err := armexpr.Parse("[map(range(0, 100), lambda('x', format('{0}-{1}', toLower('ABC'), add(lambdaVariables('x'), 1))))]")
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := eval.New(eval.NoScope{}).Eval(e); err != nil {
			b.Fatal(err)
		}
	}
}
