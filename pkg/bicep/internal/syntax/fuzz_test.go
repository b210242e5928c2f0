package syntax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// FuzzParse checks what holds for every text: there is a tree, every node lies
// within its parent, and a second run finds the same.
func FuzzParse(f *testing.F) {
	f.Add(everyForm, false)
	f.Add(everyParamsForm, true)
	for line := range strings.SplitSeq(everyForm, "\n") {
		f.Add(line, false)
	}
	f.Fuzz(func(t *testing.T, text string, params bool) {
		if len(text) > 1<<16 {
			return
		}
		run := syntax.Parse
		if params {
			run = syntax.ParseParams
		}
		file := source.NewFile("fuzz.bicep", text)
		tree, found := run(file)
		syntax.Walk(tree, func(n syntax.Node) bool {
			syntax.Children(n, func(c syntax.Node) {
				if !n.Span().Contains(c.Span()) {
					t.Fatalf("%T %v is outside %T %v", c, c.Span(), n, n.Span())
				}
			})
			return true
		})
		for _, d := range found {
			if d.Span.Start < 0 || int(d.Span.End) > len(file.Text) || d.Span.End < d.Span.Start {
				t.Fatalf("%s has the span %v of %d bytes", d.Code(), d.Span, len(file.Text))
			}
			if strings.Contains(d.Message(), "%!") {
				t.Fatalf("%s: bad message %q", d.Code(), d.Message())
			}
			file.Position(d.Span.Start)
		}
		_, again := run(file)
		require.Len(t, again, len(found))
	})
}

func BenchmarkParse(b *testing.B) {
	text := strings.Repeat(strings.TrimSuffix(everyForm, "oops\n"), 200)
	file := source.NewFile("bench.bicep", text)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		syntax.Parse(file)
	}
}
