package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/lint"
)

// diagnose checks files in memory: main.bicep and, in pairs, names and texts of others.
func diagnose(t *testing.T, text string, files ...string) diag.List {
	t.Helper()
	return diagnoseFile(t, "main.bicep", append([]string{"main.bicep", text}, files...)...)
}

func diagnoseFile(t *testing.T, entry string, files ...string) diag.List {
	t.Helper()
	in := map[string]string{}
	for i := 0; i+1 < len(files); i += 2 {
		in[files[i]] = files[i+1]
	}
	return checktest.Program(t, entry, in, check.Options{Inspectors: []check.Inspector{lint.Inspector{}}}).Entry().Diagnostics()
}

// only turns one rule on, with further settings.
func only(rule, settings string) string {
	return fmt.Sprintf(`{"experimentalFeaturesEnabled": {"moduleExtensionConfigs": %t}, "analyzers": {"core": {"rules": {%q: {"level": "warning"%s}}}}}`,
		rule == diag.LintStacksExtensions.Code(), rule, settings)
}

// expect checks that a rule finds fault with those places of main.bicep that
// are between « and », and with no others.
func expect(t *testing.T, rule diag.Kind, marked string, files ...string) {
	t.Helper()
	config := []string{"bicepconfig.json", only(rule.Code(), "")}
	text := strings.NewReplacer("«", "", "»", "").Replace(marked)
	var list []diag.Diagnostic
	for _, d := range diagnose(t, text, append(config, files...)...) {
		if d.Kind == rule {
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
		t.Errorf("%s (-want +got):\n%s", rule.Code(), diff)
	}
}

func BenchmarkCheck(b *testing.B) {
	checktest.Benchmark(b, func(m *check.Model) { lint.Inspector{}.Inspect(m, func(diag.Diagnostic) {}) })
}
