package armexpr_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	. "github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		e    Expr
		want string
	}{
		{Str("plain"), "plain"},
		{Str("[x]"), "[[x]"},
		{Str("[x"), "[x"},
		{Str("[[x]"), "[[[x]"},
		{Str("]["), "]["},
		{Str("it's"), "it's"},
		{Int(-3), "[-3]"},
		{Fn("f"), "[f()]"},
		{Fn("f", Str("it's"), Int(1), Fn("g", Str("[x]"))), "[f('it''s', 1, g('[x]'))]"},
		{Get(Fn("f"), "a", "b c", "_d1", "1e", "é"), "[f().a['b c']._d1['1e'].é]"},
		{Get(Fn("f"), "$", "a$", "日", "a٣", "ª", "ʰ", "ñandú"), "[f().$.a$.日.a٣.ª.ʰ.ñandú]"},
		{Get(Fn("f"), "٣", "e\u0301", "\u0301", "𐐀", "ⅷ", "a‿", "\xff", ""), "[f()['٣']['e\u0301']['\u0301']['𐐀']['ⅷ']['a‿']['\xff']['']]"},
		{Access(Fn("f"), Int(0), Fn("g"), Str("'")), "[f()[0][g()]['''']]"},
		{Access(Str("s"), Int(0)), "[string('s')[0]]"},
		{Access(Int(4), Int(0)), "[int(4)[0]]"},
		{Integer(2147483647), "[2147483647]"},
		{Integer(2147483648), "[json('2147483648')]"},
		{Integer(-2147483649), "[json('-2147483649')]"},
		{Bool(true), "[true()]"},
		{Fn("__bicep.f", Null), "[__bicep.f(null())]"},
	} {
		assert.Equal(t, c.want, Text(c.e))
		got, want := string(AppendJSON([]byte("x"), c.e)), string(armjson.AppendString([]byte("x"), c.want))
		assert.Equal(t, want, got, "as JSON")
	}
}

func TestAccessLeavesTheBaseAlone(t *testing.T) {
	t.Parallel()
	base := Get(Fn("f"), "a")
	x, y := Get(base, "x"), Access(base, Str("y"))
	if Text(base) != "[f().a]" || Text(x) != "[f().a.x]" || Text(y) != "[f().a.y]" {
		t.Error(Text(base), Text(x), Text(y))
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"plain", "plain"},
		{"[[x]", "[[x]"},
		{"[[x", "[[x"}, // is not an expression, so it needs no escape
		{"[ f ( 'a''b' ,\n -12 ) . c [ 0 ] [ 'd e' ] ]", "[f('a''b', -12).c[0]['d e']]"},
		{"[_1.g()]", "[_1.g()]"},
		{"['text']", "text"},
		{"[variables('x')['y']]", "[variables('x').y]"},
	} {
		e, err := Parse(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		} else if got := Text(e); got != c.want {
			t.Errorf("%s: got %s, want %s", c.in, got, c.want)
		}
	}
	e, _ := Parse("[[x]")
	assert.True(t, e == Str("[x]"), "[[x] is %v", e)
	for _, in := range []string{"[]", "[f]", "[f(]", "[f(1,)]", "[f()]]", "['a]", "[f().]", "[f()[]", "[99999999999999999999]", "[-]", "[f() g()]", "[1.5]", "[a.b]",
		"[" + strings.Repeat("f(", 100_000) + "]"} {
		if e, err := Parse(in); err == nil {
			t.Errorf("%.20s is taken for %s", in, Text(e))
		}
	}
}

func TestRewriteSharesWhatStays(t *testing.T) {
	t.Parallel()
	stays := Fn("g", Int(1))
	e := Fn("f", stays, Get(Fn("h", Str("old")), "p"))
	got := Rewrite(e, func(e Expr) Expr {
		if e == Str("old") {
			return Str("new")
		}
		return e
	}).(*Call)
	if Text(got) != "[f(g(1), h('new').p)]" || got.Args[0] != Expr(stays) || Text(e) != "[f(g(1), h('old').p)]" {
		t.Error(Text(got), Text(e))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"[f('a''b', -1).c[0]['d']]", "[[x]", "x", "[a.b.c()[f()].d]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := Parse("[" + s + "]")
		if err != nil {
			return
		}
		again, err := Parse(Text(e))
		if err != nil || Text(again) != Text(e) {
			t.Fatalf("%q prints as %q, which reads as %v %v", s, Text(e), again, err)
		}
	})
}

func BenchmarkAppendJSON(b *testing.B) {
	e := Fn("format", Str("{0}-{1}"), Get(Fn("parameters", Str("name")), "value"), Fn("uniqueString", Get(Fn("resourceGroup"), "id")))
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendJSON(buf[:0], e)
	}
}

func TestSame(t *testing.T) {
	t.Parallel()
	parse := func(s string) Expr {
		e, err := Parse("[" + s + "]")
		require.NoError(t, err)
		return e
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"f(1, 'a').b[0]", "f(1, 'a').b[0]", true},
		{"f(1)", "f(2)", false},
		{"f(1)", "f(1).a", false},
		{"f(1)", "g(1)", false},
		{"map(x(), lambda('a', lambdaVariables('a')))", "map(x(), lambda('b', lambdaVariables('b')))", true},
		{"lambda('a', lambdaVariables('a'))", "lambda('b', lambdaVariables('a'))", false},
		{"lambda('a', lambdaVariables('b'))", "lambda('c', lambdaVariables('b'))", true},
		{"lambda('a', 'b', f(lambdaVariables('a'), lambdaVariables('b')))", "lambda('b', 'a', f(lambdaVariables('b'), lambdaVariables('a')))", true},
		{"lambda('a', 'b', f(lambdaVariables('a'), lambdaVariables('b')))", "lambda('b', 'a', f(lambdaVariables('a'), lambdaVariables('b')))", false},
		{"lambda('a', lambda('a', lambdaVariables('a')))", "lambda('a', lambda('b', lambdaVariables('b')))", true},
		{"lambda('a', lambda('a', lambdaVariables('a')))", "lambda('a', lambda('b', lambdaVariables('a')))", false},
	} {
		require.Equal(t, c.want, Same(parse(c.a), parse(c.b)), "%s and %s", c.a, c.b)
		require.Equal(t, c.want, Same(parse(c.b), parse(c.a)), "%s and %s", c.b, c.a)
	}
}
