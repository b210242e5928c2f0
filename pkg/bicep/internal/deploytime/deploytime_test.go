package deploytime_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/deploytime"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// broken returns the codes of the rules that a program breaks: a template, or
// parameters for one that takes a string.
func broken(t *testing.T, program string) []string {
	t.Helper()
	files, entry := map[string]string{"main.bicep": program}, "main.bicep"
	if strings.HasPrefix(program, "using") {
		files, entry = map[string]string{"main.bicep": "param s string\n", "main.bicepparam": program}, "main.bicepparam"
	}
	var codes []string
	m := checktest.Program(t, entry, files, check.Options{}).Entry()
	deploytime.Check(m, func(d diag.Diagnostic) { codes = append(codes, d.Code()) })
	return codes
}

func TestRules(t *testing.T) {
	t.Parallel()
	const (
		subscription = "00000000-0000-0000-0000-000000000000"

		late    = "resource l 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'l'\n}\n"
		storage = "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {\n  name: 's'\n}\n"
		twins   = "resource a 'A.B/c/d@2023-01-01' = {\n  parent: p\n  name: 'x'\n}\nresource b 'A.B/c/d@2023-01-01' = {\n  parent: p\n  name: 'x'\n}\n"
	)
	for _, test := range []struct {
		name, program string
		want          []string
	}{
		{"two children of one name", "resource p 'A.B/c@2023-01-01' = {\n  name: 'p'\n}\n" + twins, []string{"BCP121", "BCP121"}},
		{"two children at the scope of a resource", storage + "resource p 'A.B/c@2023-01-01' = {\n  scope: s\n  name: 'p'\n}\n" + twins, nil},
		{"a loop in what is spread", "resource r 'A.B/c@2023-01-01' = {\n  name: 'r'\n  properties: {\n    a: [\n      ...[{ b: [for i in [1]: i] }]\n    ]\n  }\n}\n", []string{"BCP138"}},
		{"a secret as an argument", "using 'main.bicep'\nparam s = string(getSecret('" + subscription + "', 'g', 'v', 's'))\n", []string{"BCP351"}},
		{"a secret", "using 'main.bicep'\nparam s = getSecret('" + subscription + "', 'g', 'v', 's')\n", nil},

		// What is known too late, and what is not.
		{"a name from a name", late + "resource r 'A.B/c@2023-01-01' = {\n  name: l.name\n}\n", nil},
		{"a name from a property", late + "resource r 'A.B/c@2023-01-01' = {\n  name: l.properties.x\n}\n", []string{"BCP120"}},
		{"by way of variables", late + "var a = l.properties.x\nvar b = '${a}!'\nresource r 'A.B/c@2023-01-01' = {\n  name: b\n}\n", []string{"BCP120"}},
		{"by one of several names", late + "param k 'name' | 'sku'\nresource r 'A.B/c@2023-01-01' = {\n  name: l[k]\n}\n", []string{"BCP120"}},
		{"a condition, a loop, and its variable", late + "resource r 'A.B/c@2023-01-01' = if (l.properties.x) {\n  name: 'r'\n}\n" +
			"var a = [for i in l.properties.xs: i]\nvar b = [for i in [1]: l.properties.x]\n", []string{"BCP177", "BCP178", "BCP182"}},
		{"a name alone", late + "resource r 'A.B/c@2023-01-01' = {\n  name: nameof(l.properties)\n}\n", nil},
		{"an existing one by a late name", late + "resource e 'A.B/c@2023-01-01' existing = {\n  name: l.properties.x\n}\n" +
			"resource r 'A.B/c@2023-01-01' = {\n  name: e.name\n}\n", []string{"BCP120"}},

		{"a lambda in a lambda", storage + "output o array = map(['a'], x => map([x], y => listKeys(y, '2023-01-01')))\n", []string{"BCP248"}},
		{"names alike but for case, and equal ones", "var a = 1\nvar A = 2\nvar b = 1\nvar b = 2\n", []string{"BCP353", "BCP353"}},
		{"params that are not written out", "param p object\nmodule m 'main.bicep' = {\n  params: p\n}\n", []string{"BCP183"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := broken(t, test.program); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	checktest.Benchmark(b, func(m *check.Model) { deploytime.Check(m, func(diag.Diagnostic) {}) })
}
