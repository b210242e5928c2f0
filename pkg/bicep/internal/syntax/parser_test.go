package syntax_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// errorsIn lists what is wrong with a text, as "line:column code".
func errorsIn(text string, params bool) []string {
	file := source.NewFile("test.bicep", text)
	run := syntax.Parse
	if params {
		run = syntax.ParseParams
	}
	_, found := run(file)
	found.SortByPlace()
	var list []string
	for _, d := range found {
		p := file.Position(d.Span.Start)
		list = append(list, fmt.Sprintf("%d:%d %s", p.Line, p.Column, d.Code()))
	}
	return list
}

// One mistake gives one diagnostic, at its place, and what follows is read as if nothing had happened.
func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"empty file", "", nil},
		{"only blanks", " \t\n\r\n  // comment\n/* and\nanother */", nil},
		{"byte order mark", "\ufeffparam a string", nil},
		{"windows line ends", "param a string\r\nvar b = {\r\n  c: 1\r\n}\r\n", nil},
		{"unknown declaration", "parm a string\nvar b = 1", []string{"1:1 BCP007"}},
		{"nothing after the keyword", "param\nvar\noutput", []string{"1:6 BCP013", "2:4 BCP015", "3:7 BCP016"}},
		{"no value", "var a =\nvar b = 1", []string{"1:8 BCP009"}},
		{"two declarations in a line", "var a = 1 var b = 2\nvar c = 3", []string{"1:11 BCP019"}},
		{"string not closed", "var a = 'x\nvar b = 1", []string{"1:9 BCP004"}},
		{"string not closed at the end", "var a = 'x", []string{"1:9 BCP003"}},
		{"escape at the end", `var a = 'x\`, []string{"1:9 BCP005"}},
		{"unknown escape", `var a = 'x\q'`, []string{"1:11 BCP006"}},
		{"not a character", `var a = '\u{110000}'`, []string{"1:10 BCP133"}},
		{"multi-line string not closed", "var a = '''x", []string{"1:9 BCP140"}},
		{"comment not closed", "var a = 1 /* x", []string{"1:11 BCP002"}},
		{"double quotes", `var a = "x"`, []string{"1:9 BCP103", "1:9 BCP009", "1:11 BCP103"}},
		{"column counts UTF-16 units", "var a = '\U0001F600' ~", []string{"1:14 BCP001", "1:14 BCP019"}},
		{"comma and line end", "var a = [\n  1,\n  2\n]", []string{"2:5 BCP238"}},
		{"items without separator", "var a = [1 2]", []string{"1:12 BCP236"}},
		{"arguments without comma", "var a = f(1\n2)", []string{"1:12 BCP237"}},
		{"arguments, a comment on a line of its own", "var a = f(1\n// c\n)", nil},
		{"arguments, a line of blanks", "var a = f(1\n  \n)", []string{"1:12 BCP237"}},
		{"a line that ends in a hole", "var a = '${b\nvar c = {\n}\nvar d = 'e'", []string{"1:13 BCP004"}},
		{"object in a hole", "var a = '${ {} }'", []string{"1:13 BCP087", "1:17 BCP003", "1:18 BCP064"}},
		{"two expressions in a hole", "var a = '${b c}'", []string{"1:14 BCP064"}},
		{"empty index", "var a = b[]", []string{"1:11 BCP117"}},
		{"empty parentheses", "var a = ()", []string{"1:10 BCP243"}},
		{"two expressions in parentheses", "var a = (1, 2)", []string{"1:10 BCP243"}},
		{"one loop variable in parentheses", "var a = [for (x) in y: x]", []string{"1:14 BCP249"}},
		{"decorator alone", "@secure()\n", nil},
		{"safe call", "var a = b.?c()", []string{"1:11 BCP322"}},
		{"pragma without codes", "#disable-next-line\nvar a = 1", []string{"1:19 BCP226"}},
		{"no pragma after code", "var a = 1 #disable-next-line X", []string{"1:11 BCP001", "1:11 BCP019"}},
		{"quoted import without a name", "import { 'a' } from 'b'", []string{"1:10 BCP375"}},
		{"integer beyond 64 bits", "var a = 18446744073709551616", []string{"1:9 BCP010"}},
		{"name too long", "var " + strings.Repeat("a", 256) + " = 1", []string{"1:5 BCP024"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			assert.Empty(t, cmp.Diff(c.want, errorsIn(c.text, false)), "%s\n(-want +got)", c.text)
		})
	}
}

func TestParamsMistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"using none\nparam a = 1":        nil,
		"using 'a.bicep'\nresource x":    {"2:1 BCP337"},
		"using\n":                        {"1:6 BCP354"},
		"extends":                        {"1:8 BCP404"},
		"extensionConfig a\nparam b = 1": {"1:18 BCP012"},
	} {
		assert.Empty(t, cmp.Diff(want, errorsIn(text, true)), "%s\n(-want +got)", text)
	}
}

// literal returns the text of the string that is the value of the only variable.
func literal(t *testing.T, text string) string {
	t.Helper()
	tree := parse(t, "var a = "+text, false)
	s, ok := tree.Stmts[0].(*syntax.Var).Value.(*syntax.String)
	require.True(t, ok, "%s is not a string", text)
	v, ok := s.Literal()
	require.True(t, ok, "%s has holes", text)
	return v
}

func TestStrings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`''`:                        "",
		`'a\n\r\t\\\'\$b'`:          "a\n\r\t\\'$b",
		`'$a $ \${b}'`:              "$a $ ${b}",
		`'\u{e9}\u{1F600}'`:         "é\U0001F600",
		`'\u{D83D}\u{DE00}'`:        "\U0001F600",
		`'\u{D83D}x\u{DE00}'`:       "\xed\xa0\xbdx\xed\xb8\x80",
		"''''''":                    "",
		"'''\na\n  b\n'''":          "a\n  b\n",
		"'''\r\na\r\nb'''":          "a\r\nb",
		"'''\n\na'''":               "\na",
		"'''it's ${no} \\n hole'''": "it's ${no} \\n hole",
		"'''a'''''":                 "a''",
		"$'''a $ {b}'''":            "a $ {b}",
		"$$'''a ${b}'''":            "a ${b}",
	} {
		assert.Equal(t, want, literal(t, text), text)
	}
}

func TestHoles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"'a${b}c${d}'":            {"a", "c", ""},
		"'${'${b}'}'":             {"", ""},
		"$'''x\n${b}\ny'''":       {"x\n", "\ny"},
		"$$'''x ${no} $${b} y'''": {"x ${no} ", " y"},
	} {
		tree := parse(t, "var a = "+text, false)
		s, ok := tree.Stmts[0].(*syntax.Var).Value.(*syntax.String)
		if !ok {
			t.Errorf("%s is not a string", text)
			continue
		}
		assert.Empty(t, cmp.Diff(want, s.Segments()), "%s (-want +got)", text)
	}
}

// shape writes an expression with all its parentheses.
func shape(n syntax.Node) string {
	switch n := n.(type) {
	case *syntax.Binary:
		return "(" + shape(n.X) + n.Op.String() + shape(n.Y) + ")"
	case *syntax.Unary:
		return n.Op.String() + shape(n.X)
	case *syntax.Ternary:
		return "(" + shape(n.Cond) + "?" + shape(n.Then) + ":" + shape(n.Else) + ")"
	case *syntax.VarRef:
		return n.Name.Name
	case *syntax.PropertyAccess:
		return shape(n.X) + "." + n.Name.Name
	case *syntax.NonNull:
		return shape(n.X) + "!"
	case *syntax.Paren:
		return "[" + shape(n.X) + "]"
	}
	return fmt.Sprintf("%T", n)
}

func TestPrecedence(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a + b * c":           "(a+(b*c))",
		"a - b - c":           "((a-b)-c)",
		"a ?? b || c && d":    "(a??(b||(c&&d)))",
		"a == b < c + d":      "(a==(b<(c+d)))",
		"a ? b : c ? d : e":   "(a?b:(c?d:e))",
		"a ? b ? c : d : e":   "(a?(b?c:d):e)",
		"-a.b * !c!":          "(-a.b*!c!)",
		"(a + b) * c":         "([(a+b)]*c)",
		"a\n  ? b\n  : c":     "(a?b:c)",
		"a =~ b != c !~ d":    "(((a=~b)!=c)!~d)",
		"a % b / c <= d >= e": "((((a%b)/c)<=d)>=e)",
	} {
		tree := parse(t, "var x = "+text, false)
		assert.Equal(t, want, shape(tree.Stmts[0].(*syntax.Var).Value), text)
	}
}

func TestPragmas(t *testing.T) {
	t.Parallel()
	tree := parse(t, "  #disable-next-line BCP081 no-unused-params // why\nvar a = 1\n#disable-diagnostics X\n#restore-diagnostics X|Y", false)
	var got []string
	for _, p := range tree.Pragmas {
		line := fmt.Sprint(p.Kind)
		for _, c := range p.Codes {
			line += " " + c.Code
		}
		got = append(got, line)
	}
	want := []string{"0 BCP081 no-unused-params", "1 X", "2 X"}
	assert.Empty(t, cmp.Diff(want, got), "(-want +got)")
}

// A text that would overflow the stack of a compiler that recurses without limit ends in one
// diagnostic.
func TestNestingIsLimited(t *testing.T) {
	t.Parallel()
	const n = 100_000
	for name, text := range map[string]string{
		"arrays":       "var a = " + strings.Repeat("[", n) + strings.Repeat("]", n),
		"open arrays":  "var a = " + strings.Repeat("[", n),
		"parentheses":  "var a = " + strings.Repeat("(", n) + "1" + strings.Repeat(")", n),
		"sum":          "var a = 1" + strings.Repeat(" + 1", n),
		"accesses":     "var a = b" + strings.Repeat(".c", n),
		"strings":      "var a = " + strings.Repeat("'${", n) + "1" + strings.Repeat("}'", n),
		"types":        "type a = " + strings.Repeat("[", n) + "int" + strings.Repeat("]", n),
		"array types":  "type a = int" + strings.Repeat("[]", n),
		"conditionals": "var a = " + strings.Repeat("b ? c : ", n) + "d",
		"lambdas":      "var a = " + strings.Repeat("x => ", n) + "x",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := errorsIn(text+"\nvar b = ", false)
			if len(got) != 1 || !strings.HasSuffix(got[0], "RAD001") {
				t.Errorf("got %v", got[:min(len(got), 5)])
			}
		})
	}
}

// Parse drops the tokens of what it has read, ParseTokens keeps them: the trees and the
// diagnostics are the same, also where declarations are longer than what is kept, and
// where the parser goes back.
func TestTokensThatAreDroppedAreNotMissed(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"var a = [\n" + strings.Repeat("  1\n  'x${y}z'\n", 900) + "]\n",
		"var broken = {\n  a: (1 +\n  b: 'x${\n}\n",
		"@description('d')\nparam p string = f(\n  1 // one\n  2,\n",
		"resource r 'A.B/c@2020-01-01' = [for x in y: {\n  name: x ? \n}]\n\n\n",
		"output o int = /* open\n", // the last: it hides what is after it
	}
	var b strings.Builder
	for i := range 300 {
		b.WriteString(pieces[i%(len(pieces)-1)])
	}
	b.WriteString(pieces[len(pieces)-1])
	file := &source.File{Path: "a.bicep", Text: b.String()}
	got, gotDiags := syntax.Parse(file)
	want, tokens, wantDiags := syntax.ParseTokens(file, false)
	require.Greater(t, len(tokens), 100_000)
	require.Equal(t, len(wantDiags), len(gotDiags))
	require.NotEmpty(t, gotDiags)
	for i := range wantDiags {
		require.Equal(t, wantDiags[i], gotDiags[i])
	}
	require.Equal(t, want.NodeCount(), got.NodeCount())
	for i, n := range want.Nodes() {
		require.Equal(t, n.Span(), got.Nodes()[i].Span())
	}
}
