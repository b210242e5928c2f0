package lint_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

func TestRecentAPIVersions(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"resource r 'Microsoft.Storage/storageAccounts@2016-01-01' existing = {\n  name: 'r'\n}\noutput o object = reference(r.id, '2015-06-15')",
		"output o object = reference(resourceId('Microsoft.Storage/storageAccounts', 'a'), '2015-06-15')",
		"output o object = «reference(resourceId('Contoso.Shop/baskets', 'a'), '2015-06-15-Preview')»",
		"output o object = reference(resourceId('Contoso.Shop/baskets', 'a'), '2015-06-15-soon')",
		"output o object = reference(resourceId('Contoso.Shop/baskets', 'a'))",
		"var t = 'Contoso.Shop/baskets'\noutput o object = «listKeys(t, '2015-06-15')»",
		`resource r 'Contoso.Shop/baskets@2016-01-01' existing = {
  name: 'r'
}
output o object = «reference(r.id, '2015-06-15')»
output n object = «reference('r', '2015-06-15')»
output m object = reference('s', '2015-06-15')`,
	} {
		expect(t, diag.LintRecentAPIVersions, text)
	}
}

func TestSettingsOfRecentAPIVersions(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]int{
		"": 0, `, "maxAgeInDays": 0, "gracePeriodInDays": 30, "test-today": "2020-01-01", "test-warn-not-found": true`: 0,
		`, "maxAgeInDays": -1`: 1, `, "maxAgeInDays": "1"`: 1, `, "gracePeriodInDays": -1, "maxAgeInDays": 1.5`: 2,
	} {
		n := 0
		for _, d := range diagnose(t, "output o string = 'a'", "bicepconfig.json", only(diag.LintRecentAPIVersions.Code(), settings)) {
			if d.Kind == diag.LintRecentAPIVersions && d.Span.Start == 0 && d.Span.End == 0 {
				n++
			}
		}
		assert.Equal(t, want, n, settings)
	}
}

func TestRecentModules(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"module a 'br/public:avm/res/network/public-ip-address@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' = {}\n" +
			"module m «'br/public:avm/res/network/public-ip-address:0.4.0'» = {}\nmodule n 'br/public:avm/res/network/public-ip-address:0.4.0' = {}",
		"module m «'br:mcr.microsoft.com/bicep/x:1'» = {}",
		"module m 'br:mcr.microsoft.com/other/x:1' = {}",
		"module m 'br:example.com/bicep/x:1' = {}",
		"module m 'm.bicep' = {}",
	} {
		expect(t, diag.LintRecentModules, text, "m.bicep", "")
	}
}

// Rules that are off by default speak only where the configuration says so.
func TestNewRulesAreOff(t *testing.T) {
	t.Parallel()
	list := diagnose(t, late+"module m 'br/public:avm/x:1' = {}\nmodule n 'm.bicep' = {\n  params: { p: sa.properties.a }\n}\noutput o object = reference('Contoso.Shop/baskets', '2015-06-15')",
		"m.bicep", "param p string\nmodule n 'e.bicep' = {\n  scope: resourceGroup(p)\n}", "e.bicep", "")
	for _, d := range list {
		switch d.Kind {
		case diag.LintWhatIf, diag.LintRecentModules, diag.LintRecentAPIVersions:
			t.Errorf("%s: %s", d.Code(), d.Message())
		}
	}
}
