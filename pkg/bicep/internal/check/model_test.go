package check_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// program checks files in memory, which are given by name and text. The entry is
// main.bicep, unless there is a main.bicepparam; its text may be given alone.
func program(t *testing.T, files ...string) *check.Model {
	t.Helper()
	in, entry := map[string]string{}, "main.bicep"
	if len(files) == 1 {
		in[entry] = files[0]
	}
	for i := 0; i+1 < len(files); i += 2 {
		in[files[i]] = files[i+1]
		if files[i] == "main.bicepparam" {
			entry = "main.bicepparam"
		}
	}
	return checktest.Program(t, entry, in, check.Options{}).Entry()
}

// findings writes what is found as "line:column code", with a W after warnings.
func findings(m *check.Model) string {
	var list []string
	for _, d := range m.Diagnostics() {
		p := d.File.Position(d.Span.Start)
		s := fmt.Sprintf("%d:%d %s", p.Line, p.Column, d.Code())
		if d.Severity != diag.Error {
			s += " W"
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

func TestOffers(t *testing.T) {
	t.Parallel()
	m := program(t, `
@description('the size')
param size int
param zone string = 'a'
param opt string?
@secure()
output secret string = zone
output plain int = size
@export()
@description('a shape')
type Shape = { side: int }
@export()
@description('''the
  first''')
var one = 1
@export()
func double(n int) int => n * 2
`)
	require.Empty(t, findings(m))
	var list []string
	for _, p := range m.Parameters() {
		list = append(list, fmt.Sprintf("%s %s %t", p.Name, p.Type.Type(), p.Required))
	}
	for _, o := range m.Outputs() {
		list = append(list, fmt.Sprintf("%s %s %t", o.Name, o.Type.Type(), o.Secure))
	}
	for _, e := range m.Exports() {
		s := fmt.Sprintf("%s %s %s", e.Kind, e.Name, e.Type.Type())
		if e.Description != "" {
			s += fmt.Sprintf(" %q", e.Description)
		}
		list = append(list, s)
	}
	want := `opt null | string false
size int true
zone string false
secret string true
plain int false
Type Shape Type<{ side: int }>
Function double int => int
Variable one 1 "the\nfirst"`
	assert.Equal(t, want, strings.Join(list, "\n"))
}

func TestCalls(t *testing.T) {
	t.Parallel()
	m := program(t, "var a = sys.toLower('A')\nvar b = union([1], [2])\nvar c = toLower(nope)")
	call := func(i int) syntax.Node { return m.Tree().Stmts[i].(*syntax.Var).Value }
	for i, want := range []string{"toLower", "union", "toLower"} {
		f, ok := m.Symbol(call(i)).(*bind.Function)
		require.True(t, ok, "%d: symbol %v, want %s", i, f, want)
		require.Equal(t, want, f.Name(), "%d: symbol %v", i, f)
	}
	o := m.Overload(call(0))
	require.NotNil(t, o, "overload of toLower")
	require.Equal(t, "toLower", o.Name, "overload of toLower: %v", o)
	o = m.Overload(call(2))
	assert.Nil(t, o, "the overload of a call with a wrong argument")
	assert.Equal(t, "'a'", m.TypeOf(call(0)).String(), "the type of toLower('A')")
}

func TestDecorators(t *testing.T) {
	t.Parallel()
	m := program(t, "@sys.description('''\n  one\n    two\n  ''')\n@secure()\nparam p string\n")
	p := m.Binding().Params[0].Stmt
	require.NotNil(t, m.SystemDecorator(p, "secure"), "decorators are not told apart")
	require.Nil(t, m.SystemDecorator(p, "allowed"), "decorators are not told apart")
	assert.Equal(t, "string", m.SymbolType(m.Binding().Params[0]).String(), "type")
}

func TestDeepNesting(t *testing.T) {
	t.Parallel()
	text := "output o int = " + strings.Repeat("(", 300) + "'a'" + strings.Repeat(")", 300)
	assert.Equal(t, "1:16 BCP033", findings(program(t, text)))
}

// Twice as many resources take about twice as long: nothing is looked at from
// everywhere else.
func BenchmarkResources(b *testing.B) {
	for _, n := range []int{2500, 5000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var s strings.Builder
			for i := range n {
				fmt.Fprintf(&s, "resource r%d 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'r%d'\n  location: 'x'\n  tags: { a: 'b' }\n}\n", i, i)
			}
			fs := source.Memory{"/p/main.bicep": s.String()}
			g, err := graph.Load(context.Background(), "/p/main.bicep", graph.Options{FS: fs, Artifacts: &cache.Reader{FS: source.Memory{}}})
			require.NoError(b, err)
			b.ReportAllocs()
			for b.Loop() {
				check.NewProgram(g, check.Options{Namespaces: namespaces.NewProvider(namespaces.Options{})}).Entry().Diagnostics()
			}
		})
	}
}

// Things that use others twice, which use others twice, are as large as they are
// written, not as what they stand for.
func TestDoubling(t *testing.T) {
	t.Parallel()
	const steps = 60
	repeat := func(first, step, last string) string {
		s := first
		for i := 1; i < steps; i++ {
			s += fmt.Sprintf(step, i, i-1)
		}
		return s + fmt.Sprintf(last, steps-1)
	}
	tests := []struct{ name, text, want string }{
		{"arrays", repeat("var a0 = [1]\n", "var a%[1]d = [a%[2]d, a%[2]d]\n", "output o string = string(a%[1]d)\noutput n int = length(a%[1]d)"), ""},
		{"joined arrays", repeat("var a0 = [1]\n", "var a%[1]d = concat(a%[2]d, a%[2]d)\n", "output o array = a%[1]d"), ""},
		{"spread arrays", repeat("var a0 = [1]\n", "var a%[1]d = [...a%[2]d, ...a%[2]d]\n", "output o array = a%[1]d"), ""},
		{"objects", repeat("var a0 = { x: 1 }\n", "var a%[1]d = { p: a%[2]d, q: a%[2]d }\n", "output o int = a%[1]d"), "61:16 BCP033"},
		{"types", repeat("type T0 = { x: string }\n", "type T%[1]d = { p: T%[2]d, q: T%[2]d }\n", "param p T%[1]d\noutput o T%[1]d = p"), ""},
		{"tuples", repeat("type T0 = [string]\n", "type T%[1]d = [T%[2]d, T%[2]d]\n", "param p T%[1]d\noutput o T%[1]d = p"), ""},
		{"secrets", repeat("@secure()\ntype T0 = string\n", "type T%[1]d = { p: T%[2]d, q: T%[2]d }\n", "param p T%[1]d\noutput o T%[1]d = p"), ""},
		{"a choice of two alike", repeat("param yes bool\nvar a0 = [1]\nvar b0 = [1]\n",
			"var a%[1]d = [a%[2]d, a%[2]d]\nvar b%[1]d = [b%[2]d, b%[2]d]\n", "output o array = yes ? a%[1]d : b%[1]d"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := program(t, tt.text)
			assert.Equal(t, tt.want, findings(m))
			m.Outputs()
		})
	}
}
