// Package checktest makes checked programs for the tests of check and of the
// packages that are built on it.
package checktest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Program reads the program that begins with the entry file. The options need no
// namespaces.
func Program(t testing.TB, entry string, files map[string]string, o check.Options) *check.Program {
	t.Helper()
	fs := source.Memory{}
	for name, text := range files {
		fs["/p/"+name] = text
	}
	g, err := graph.Load(context.Background(), "/p/"+entry, graph.Options{FS: fs, Artifacts: &cache.Reader{FS: source.Memory{}}})
	if err != nil {
		t.Fatal(err)
	}
	o.Namespaces = namespaces.NewProvider(namespaces.Options{})
	return check.NewProgram(g, o)
}

// RunCases checks the programs of testdata/cases, and the Bicep files that they use. It
// also works out what each program offers to other files, which must not fail.
func RunCases(t *testing.T, o check.Options) {
	t.Helper()
	casetest.Run(t, func(t *testing.T, c casetest.Case) casetest.Result {
		p := Program(t, c.Entry, c.Files, o)
		var list diag.List
		for _, f := range p.Graph.Files {
			m := p.Model(f)
			if m == nil {
				continue
			}
			list = append(list, m.Diagnostics()...)
		}
		offered(p.Entry())
		return casetest.Result{Findings: diag.Findings(p.Graph.Entry.Path, list)}
	})
}

func offered(m *check.Model) {
	for _, p := range m.Parameters() {
		_ = p.Type.Type()
	}
	for _, o := range m.Outputs() {
		_ = o.Type.Type()
	}
	m.Exports()
}

// Benchmark times a stage on a program of many resources, of which each uses
// another, and on one of twice as many: that should take about twice as long.
func Benchmark(b *testing.B, stage func(*check.Model)) {
	for _, n := range []int{1000, 2000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var s strings.Builder
			s.WriteString("param location string = resourceGroup().location\n")
			for i := range n {
				tags := "{}"
				if i > 0 {
					tags = fmt.Sprintf("{ before: r%d.id }", (i-1)/2)
				}
				fmt.Fprintf(&s, "resource r%d 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n"+
					"  name: 'r${uniqueString(location)}%d'\n  location: location\n  tags: %s\n}\n", i, i, tags)
			}
			m := Program(b, "main.bicep", map[string]string{"main.bicep": s.String()}, check.Options{}).Entry()
			if m.HasErrors() {
				b.Fatal(m.Diagnostics()[0].Message())
			}
			b.ReportAllocs()
			for b.Loop() {
				stage(m)
			}
		})
	}
}
