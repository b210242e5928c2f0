package format_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/format"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

var files = flag.String("files", "", "hold all Bicep files below this folder to the properties")

func run(text string, params bool, o format.Options) string {
	return format.File(source.NewFile("main.bicep", text), params, o).Text
}

// shape is what must be the same before and after: whether there are errors, the
// tree, the tokens and the comments.
type shape struct {
	errors   int
	tree     string
	tokens   []string
	comments []string
}

// shapeOf reads a text. Line ends are made uniform, since those of multi-line
// strings follow the options.
func shapeOf(text string, params bool) shape {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	file := source.NewFile("main.bicep", text)
	tree, tokens, diags := syntax.ParseTokens(file, params)
	s := shape{errors: len(diags)}
	var b strings.Builder
	syntax.Walk(tree, func(n syntax.Node) bool {
		if u, ok := n.(*syntax.UnionType); ok && len(u.Members) == 1 {
			return true // only a | before it makes it a union
		}
		fmt.Fprintf(&b, "%T", n)
		syntax.Names(n, func(name *syntax.Ident) { b.WriteString(" " + name.Name) })
		switch n := n.(type) {
		case *syntax.String:
			fmt.Fprintf(&b, " %q", n.Segments())
		case *syntax.Int:
			fmt.Fprintf(&b, " %d", n.Value)
		}
		b.WriteByte('\n')
		return true
	})
	s.tree = b.String()
	end := int32(0)
	for _, t := range tokens {
		s.comments = append(s.comments, remarks(text[end:t.Span.Start])...)
		end = t.Span.End
		switch t.Kind {
		case syntax.NewLineToken, syntax.CommaToken, syntax.PipeToken: // which formatting adds and removes
		default:
			s.tokens = append(s.tokens, text[t.Span.Start:t.Span.End])
		}
	}
	return s
}

// remarks are the comments and pragmas between two tokens, without their blanks.
func remarks(s string) []string {
	var list []string
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		n := len(s)
		if strings.HasPrefix(s, "/*") {
			if i := strings.Index(s[2:], "*/"); i >= 0 {
				n = i + 4
			}
		}
		if strings.HasPrefix(s, "#") {
			if i := strings.Index(s, "/"); i >= 0 {
				n = i
			}
		}
		list = append(list, strings.Join(strings.Fields(s[:n]), " "))
		s = s[n:]
	}
	return list
}

// hold checks the properties of formatting for a text.
func hold(t *testing.T, name, text string, params bool) {
	t.Helper()
	text = source.NewFile("", text).Text
	o := format.Defaults()
	before := shapeOf(text, params)
	result := format.File(source.NewFile("main.bicep", text), params, o)
	if len(result.Broken) > 0 {
		return
	}
	once := result.Text
	if before.errors > 0 {
		// Text that cannot be parsed is moved as it is, and may read as other tokens.
		assert.Empty(t, cmp.Diff(squeeze(text), squeeze(once)), "%s: the text differs", name)
		return
	}
	after := shapeOf(once, params)
	if diff := cmp.Diff(before.tokens, after.tokens); diff != "" {
		t.Errorf("%s: the tokens differ: %s\n%s", name, diff, once)
		return
	}
	if diff := cmp.Diff(before.comments, after.comments); diff != "" {
		t.Errorf("%s: the comments differ: %s\n%s", name, diff, once)
		return
	}
	if after.errors > 0 || before.tree != after.tree {
		t.Errorf("%s: means something else: %s\n%s", name, cmp.Diff(before.tree, after.tree), once)
		return
	}
	assert.Empty(t, cmp.Diff(once, run(once, params, o)), "%s: twice is not once", name)
	narrow := format.Options{Width: 0, Newline: "\r\n", Tabs: true, FinalNewline: true}
	result = format.File(source.NewFile("main.bicep", text), params, narrow)
	if len(result.Broken) > 0 {
		return
	}
	once = result.Text
	assert.Empty(t, cmp.Diff(once, run(once, params, narrow)), "%s: twice is not once, at width 0", name)
	if after := shapeOf(once, params); after.errors > 0 || before.tree != after.tree {
		t.Errorf("%s: means something else at width 0: %s\n%s", name, cmp.Diff(before.tree, after.tree), once)
	}
}

// squeeze drops what formatting adds and removes.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == ',' || r == '|' {
			return -1
		}
		return r
	}, s)
}

// TestProperties holds the samples of this repository to the properties.
func TestProperties(t *testing.T) {
	t.Parallel()
	root := *files
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "testdata")
	}
	n := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		ext := filepath.Ext(path)
		if ext != ".bicep" && ext != ".bicepparam" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n++
		hold(t, path, string(text), ext == ".bicepparam")
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, n, 30)
}

// TestCommentsAndLinesAnywhere puts comments, blanks and line ends between any two
// tokens of the examples, and holds what is still without errors to the properties.
func TestCommentsAndLinesAnywhere(t *testing.T) {
	t.Parallel()
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			text := e.after
			_, tokens, diags := syntax.ParseTokens(source.NewFile("main.bicep", text), e.params)
			if len(diags) > 0 {
				return
			}
			for i, token := range tokens {
				if testing.Short() && i%29 != 0 {
					continue
				}
				at := token.Span.Start
				for _, insert := range []string{"/* c */", " // c\n", "\n", "\n\n", "\n/* c */ ", "/* c\n */", "\n#disable-next-line x\n"} {
					changed := text[:at] + insert + text[at:]
					if _, diags := parse(changed, e.params); len(diags) == 0 {
						hold(t, fmt.Sprintf("%q at %d:\n%s", insert, at, changed), changed, e.params)
					}
				}
			}
		})
	}
}

func parse(text string, params bool) (*syntax.File, diag.List) {
	f, _, diags := syntax.ParseTokens(source.NewFile("main.bicep", text), params)
	return f, diags
}

// example is a text and the text that it is formatted to.
type example struct {
	name, before, after string
	params              bool
}

// examples reads testdata/cases.txt.
func examples(tb testing.TB) []example {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "cases.txt"))
	require.NoError(tb, err)
	var list []example
	for _, part := range strings.Split(string(text), "=== ")[1:] {
		name, body, _ := strings.Cut(part, "\n")
		before, after, ok := strings.Cut(body, "--- becomes\n")
		require.True(tb, ok, name)
		list = append(list, example{name, before, after, strings.Contains(name, "using")})
	}
	return list
}

func TestExamples(t *testing.T) {
	t.Parallel()
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, e.after, run(e.before, e.params, format.Defaults()))
			hold(t, e.name, e.before, e.params)
		})
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	const text = "var a = {\r\n b: [1,2]\r\n}\r\nvar c = '''\r\nx\r\ny'''"
	for name, c := range map[string]struct {
		options format.Options
		want    string
	}{
		"tabs":       {format.Options{Tabs: true, IndentSize: 7, Newline: "\n", Width: 80}, "var a = {\n\tb: [1, 2]\n}\nvar c = '''\nx\ny'''"},
		"no indent":  {format.Options{Newline: "\r\n", Width: 80}, "var a = {\r\nb: [1, 2]\r\n}\r\nvar c = '''\r\nx\r\ny'''"},
		"below zero": {format.Options{IndentSize: -4, Width: -1, Newline: "\r", FinalNewline: true}, "var a = {\rb: [\r1\r2\r]\r}\rvar c = '''\rx\ry'''\r"},
	} {
		require.Equal(t, c.want, run(text, false, c.options), name)
	}
	wide := run("var a = {b: 1}", false, format.Options{IndentSize: 5000, Newline: "\n"})
	require.Equal(t, "var a = {\n"+strings.Repeat(" ", format.MaxIndent)+"b: 1\n}", wide)
}

func TestTheEdges(t *testing.T) {
	t.Parallel()
	o := format.Defaults()
	require.Equal(t, "\n", run("", false, o))
	require.Equal(t, "\n", run("\n\n \n", false, o))
	o.FinalNewline = false
	require.Empty(t, run("", false, o))
	// A line that is exactly as wide as allowed is kept; characters beyond the
	// Basic Multilingual Plane count as two.
	o.Width = 17
	require.Equal(t, "var a = ['😀', 1]", run("var a = ['😀',1]", false, o))
	o.Width = 16
	require.Equal(t, "var a = [\n  '😀'\n  1\n]", run("var a = ['😀',1]", false, o))
}

// TestBrokenTextWithBareCarriageReturns: what cannot be parsed is laid out once, whatever ends its
// lines. A second run changes nothing, or every commit hook would.
func TestBrokenTextWithBareCarriageReturns(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"using 'app=\r.//\rbicep'\\\r\n\n\nparam tag = ''\nparam\rt = 3000\n",
		"bicep'\\\r\n\nparam tag = ''\n",
		"bicep'\\\n\n\n\nparam tag = ''\n",
		"bicep'\\\r\nparam tag = ''\n",
		"bicep'\\\r\r\nparam tag = ''\n",
		"bicep'\\\r\n",
		"bicep'\\\n\nparam tag = ''\n",
		"var a = {\r'\\\r\n\n}\r",
		"var a = [\r'\\\r\n\n]\r",
	} {
		for _, params := range []bool{false, true} {
			once := run(text, params, format.Defaults())
			require.Equal(t, once, run(once, params, format.Defaults()), "%q", text)
			hold(t, fmt.Sprintf("%q", text), text, params)
		}
	}
	require.Equal(t, "bicep'\\\nparam tag = ''\n", run("bicep'\\\r\n\nparam tag = ''\n", false, format.Defaults()))
}

func TestWhatAnAuthorShouldKnow(t *testing.T) {
	t.Parallel()
	at := func(text string) format.Result {
		return format.File(source.NewFile("main.bicep", text), false, format.Defaults())
	}
	require.Len(t, at("var a = '''\r\nx\r\ny'''").Strings, 1)
	require.Empty(t, at("var a = '''\r\nx'''").Strings, "the first line end is not part of the value")
	require.Empty(t, at("var a = '''\nx\ny'''").Strings)
	require.Len(t, at("type t = [\n@description('x')\nstring\n]").Broken, 1)
	require.Empty(t, at("type t = [\n// why\n@description('x')\nstring\n]").Broken)
}

func BenchmarkFormat(b *testing.B) {
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "resource r%d 'A.B/c@2020-01-01' = {\n  name: 'r%d'\n  properties: { a: [1, 2], b: empty(x) ? 'one' : union(a, { c: %d }) }\n}\n\n", i, i, i)
	}
	file := source.NewFile("main.bicep", text.String())
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		format.File(file, false, format.Defaults())
	}
}

// FuzzFormat holds any text to the properties.
func FuzzFormat(f *testing.F) {
	for _, e := range examples(f) {
		f.Add(e.before, e.params)
		f.Add(e.after, e.params)
	}
	f.Fuzz(func(t *testing.T, text string, params bool) {
		if len(text) < 1<<14 {
			hold(t, "fuzz", text, params)
		}
	})
}
