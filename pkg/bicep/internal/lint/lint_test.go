package lint_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lint"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// diagnose checks files in memory: main.bicep and, in pairs, names and texts of others.
func diagnose(t *testing.T, text string, files ...string) diag.List {
	t.Helper()
	return diagnoseFile(t, "main.bicep", append([]string{"main.bicep", text}, files...)...)
}

func diagnoseFile(t *testing.T, entry string, files ...string) diag.List {
	t.Helper()
	fs := source.Memory{}
	for i := 0; i+1 < len(files); i += 2 {
		fs["/p/"+files[i]] = files[i+1]
	}
	g, err := graph.Load(context.Background(), "/p/"+entry, graph.Options{FS: fs, Cache: source.Memory{}})
	if err != nil {
		t.Fatal(err)
	}
	return check.NewProgram(g, check.Options{Namespaces: namespaces.NewProvider(nil), Linter: lint.Check}).Entry().Diagnostics()
}

// only turns one rule on, with further settings.
func only(rule, settings string) string {
	return fmt.Sprintf(`{"experimentalFeaturesEnabled": {"moduleExtensionConfigs": %t}, "analyzers": {"core": {"rules": {%q: {"level": "warning"%s}}}}}`,
		rule == diag.LintStacksExtensions.Code, rule, settings)
}

// expect checks that a rule finds fault with those places of main.bicep that
// stand between « and », and with no others.
func expect(t *testing.T, rule *diag.Rule, marked string, files ...string) {
	t.Helper()
	config := []string{"bicepconfig.json", only(rule.Code, "")}
	text := strings.NewReplacer("«", "", "»", "").Replace(marked)
	var list []diag.Diagnostic
	for _, d := range diagnose(t, text, append(config, files...)...) {
		if d.Rule == rule {
			list = append(list, d)
		}
	}
	// The marks are put back from the end, so that places before them stay where they are.
	got := text
	for i := len(list) - 1; i >= 0; i-- {
		at := list[i].Span
		got = got[:at.Start] + "«" + got[at.Start:at.End] + "»" + got[at.End:]
	}
	if diff := cmp.Diff(marked, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", rule.Code, diff)
	}
}

// Twice as many resources take about twice as long.
func BenchmarkCheck(b *testing.B) {
	for _, n := range []int{1000, 2000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var s strings.Builder
			s.WriteString("param location string = resourceGroup().location\n")
			for i := range n {
				fmt.Fprintf(&s, "resource r%d 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'r${uniqueString(location)}%d'\n  location: location\n  tags: { before: r%d.id }\n}\n", i, i, max(i-1, 0)/2)
			}
			text := strings.Replace(s.String(), "{ before: r0.id }", "{}", 1)
			g, err := graph.Load(context.Background(), "/p/main.bicep", graph.Options{FS: source.Memory{"/p/main.bicep": text}, Cache: source.Memory{}})
			if err != nil {
				b.Fatal(err)
			}
			m := check.NewProgram(g, check.Options{Namespaces: namespaces.NewProvider(nil)}).Entry()
			if m.HasErrors() {
				b.Fatal(m.Diagnostics()[0].Message())
			}
			b.ReportAllocs()
			for b.Loop() {
				lint.Check(m, func(diag.Diagnostic) {})
			}
		})
	}
}
