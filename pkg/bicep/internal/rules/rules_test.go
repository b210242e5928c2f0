package rules_test

import (
	"context"
	"slices"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/internal/rules"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// broken returns the codes of the rules that a program breaks.
func broken(t *testing.T, program string) []string {
	t.Helper()
	fs := source.Memory{"/p/main.bicep": program}
	g, err := graph.Load(context.Background(), "/p/main.bicep", graph.Options{FS: fs})
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	m := check.NewProgram(g, check.Options{Namespaces: namespaces.NewProvider(nil)}).Entry()
	rules.Check(m, func(d diag.Diagnostic) { codes = append(codes, d.Code()) })
	return codes
}

func TestRules(t *testing.T) {
	t.Parallel()
	const (
		storage = "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {\n  name: 's'\n}\n"
		twins   = "resource a 'A.B/c/d@2023-01-01' = {\n  parent: p\n  name: 'x'\n}\nresource b 'A.B/c/d@2023-01-01' = {\n  parent: p\n  name: 'x'\n}\n"
	)
	for _, test := range []struct {
		name, program string
		want          []string
	}{
		{"two children of one name", "resource p 'A.B/c@2023-01-01' = {\n  name: 'p'\n}\n" + twins, []string{"BCP121", "BCP121"}},
		{"two children at the scope of a resource", storage + "resource p 'A.B/c@2023-01-01' = {\n  scope: s\n  name: 'p'\n}\n" + twins, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := broken(t, test.program); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
