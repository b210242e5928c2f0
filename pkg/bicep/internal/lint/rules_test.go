package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/internal/cputime"
)

// The setting's name is looked up as it is written.
func TestMinimumOfAzurePowerShell(t *testing.T) {
	t.Parallel()
	const text = "resource s 'Microsoft.Resources/deploymentScripts@2023-08-01' = {\n  name: 's'\n  location: 'global'\n  kind: 'AzurePowerShell'\n  properties: { azPowerShellVersion: '15.1' }\n}"
	for settings, want := range map[string]string{
		"":                             "",
		`, "minimumVersion": "15.2"`:   "version 15.1 is older than 15.2",
		`, "minimumversion": "15.2"`:   "",
		`, "minimumVersion": "eleven"`: `minimumVersion must be a version such as 11.0, and is "eleven"`,
		`, "minimumVersion": 15.2`:     "minimumVersion must be a version such as 11.0, and is 15.2",
	} {
		got := messages(diagnose(t, text, "bicepconfig.json", only(diag.LintAzPowerShell.Code(), settings)), diag.LintAzPowerShell)
		require.False(t, want == "" && got != "", "%s: %q, want %q", settings, got, want)
		require.Contains(t, got, want, settings)
	}
}

func messages(list diag.List, rule diag.Kind) string {
	var all []string
	for _, d := range list {
		if d.Kind == rule {
			all = append(all, d.Message())
		}
	}
	return strings.Join(all, "\n")
}

// A description of a location that has a default of its own comes before those that resources take.
func TestOrderOfLocations(t *testing.T) {
	t.Parallel()
	got := messages(diagnose(t, "module m 'm.bicep' = {}", "bicepconfig.json", only(diag.LintExplicitLocations.Code(), ""),
		"m.bicep", "param b string = 'b'\nparam a string = 'a'\nparam c string = resourceGroup().location\nresource r 'Contoso.Shop/baskets@2020-01-01' = {\n  name: 'r'\n  location: '${a}${b}'\n}"),
		diag.LintExplicitLocations)
	c, a, b := strings.Index(got, `"c"`), strings.Index(got, `"a"`), strings.Index(got, `"b"`)
	require.GreaterOrEqual(t, c, 0, "%s", got)
	require.GreaterOrEqual(t, a, c, "%s", got)
	require.GreaterOrEqual(t, b, a, "%s", got)
}

// Each path to a call is reported, up to a bound, and paths that end without a call cost nothing.
func TestUnstableIdentifiers(t *testing.T) {
	t.Parallel()
	r := "resource r 'Contoso.Shop/baskets@2020-01-01' = {\n  name: "
	got := messages(diagnose(t, "param a string = '${utcNow('x')}${utcNow('y')}'\nparam b string = newGuid()\nvar v = '${a}${b}'\n"+r+"'${v}${b}'\n}"), diag.LintStableIdentifiers)
	for _, want := range []string{": v -> a -> utcNow('x')", ": v -> a -> utcNow('y')", ": v -> b -> newGuid()", ": b -> newGuid()"} {
		assert.Contains(t, got, want)
	}
	for _, leaf := range []string{"'x'", "newGuid()"} {
		text := "param v0 string = " + leaf + "\n"
		for i := 1; i < 40; i++ {
			n, m := string(rune('a'+i/10))+string(rune('0'+i%10)), string(rune('a'+(i-1)/10))+string(rune('0'+(i-1)%10))
			if i == 1 {
				m = "v0"
			}
			text += "var " + n + " = '${" + m + "}${" + m + "}'\n"
		}
		took := cputime.Measure(func() {
			n := strings.Count(messages(diagnose(t, text+r+"d9\n}"), diag.LintStableIdentifiers), "\n")
			assert.LessOrEqual(t, n, 100, leaf)
		})
		assert.Less(t, took, 20*time.Second, leaf)
	}
}

func TestLevels(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]diag.Severity{
		"Error": diag.Error, " warning ": diag.Warning, "INFO": diag.Info, "3": diag.Error, "none": diag.Warning, "": diag.Warning, "off": 0, "0": 0,
	} {
		var got diag.Severity
		for _, d := range diagnose(t, "param p string", "bicepconfig.json", `{"analyzers": {"core": {"rules": {"no-unused-params": {"level": "`+level+`"}, "no-such-rule": {"level": "error"}}}}}`) {
			got = d.Severity
		}
		assert.Equal(t, want, got, "%q", level)
	}
}

func TestVerbose(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]string{
		`"verbose": true`:                     "Bicep Linter Configuration no-unused-params",
		`"verbose": true, "enabled": false`:   "Linter Disabled",
		`"verbose": false, "enabled": true`:   "no-unused-params",
		`"verbose": "yes", "enabled": "what"`: "BCP273 no-unused-params",
	} {
		var codes []string
		for _, d := range diagnose(t, "param p string", "bicepconfig.json", `{"analyzers": {"core": {`+settings+`}}}`) {
			codes = append(codes, d.Code())
			if strings.Contains(d.Code(), " ") && (d.Severity != diag.Info || d.Finding().URL != "" || !strings.Contains(d.Message(), "/p/bicepconfig.json")) {
				t.Errorf("%s: %v %s", settings, d.Severity, d.Message())
			}
		}
		assert.Equal(t, want, strings.Join(codes, " "), settings)
	}
}

// Findings of the rule about deployment stacks are information, whatever the configuration says,
// unless it is off.
func TestLevelOfStacks(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]diag.Severity{"error": diag.Info, "info": diag.Info, "off": 0} {
		var got diag.Severity
		for _, d := range diagnose(t, "extension kubernetes with {\n  kubeConfig: 'x'\n  namespace: 'y'\n}", "bicepconfig.json",
			`{"experimentalFeaturesEnabled": {"moduleExtensionConfigs": true}, "analyzers": {"core": {"rules": {"stacks-extensibility-compat": {"level": "`+level+`"}}}}}`) {
			if d.Kind == diag.LintStacksExtensions {
				got = d.Severity
			}
		}
		assert.Equal(t, want, got, level)
	}
}

// A template can hold only so many of everything.
func TestLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule diag.Kind
		most int
		text string
		more string
	}{
		{diag.LintMaxParams, 256, "param a%d string\n", ""},
		{diag.LintMaxOutputs, 64, "output a%d string = 'x'\n", ""},
		{diag.LintMaxVariables, 512, "var a%d = 1\n", ""},
		{diag.LintMaxResources, 800, "resource a%d 'Contoso.Shop/baskets@2020-01-01' existing = {\n  name: 'a'\n}\n", ""},
		{diag.LintMaxAsserts, 32, "assert a%d = true\n", ""},
		{diag.LintMaxVariables, 511, "var a%d = 1\n", "import { v } from 'exports.bicep'\noutput o string = v\n"},
	} {
		for _, over := range []int{0, 1} {
			var b strings.Builder
			for i := range c.most + over {
				fmt.Fprintf(&b, c.text, i)
			}
			found := 0
			for _, d := range diagnose(t, b.String()+c.more, "bicepconfig.json", `{"experimentalFeaturesEnabled": {"assertions": true}}`, "exports.bicep", "@export()\nvar v = 'a'") {
				if d.Kind == c.rule {
					found++
					if p := d.File.Position(d.Span.Start); p.Line != 1 || d.Severity != diag.Error {
						t.Errorf("%s at %v, %v", d.Code(), p, d.Severity)
					}
				}
			}
			if found != over {
				t.Errorf("%s: %d findings, want %d", c.rule.Code(), found, over)
			}
		}
	}
	library := "@export()\n" + strings.Repeat("var a = 1\n", 600)
	assert.Empty(t, messages(diagnose(t, library), diag.LintMaxVariables), "a file that only exports")
}

// Values of secure parameters must not flow into others.
func TestSecretsInParameterFiles(t *testing.T) {
	t.Parallel()
	list := diagnoseFile(t, "main.bicepparam", "main.bicepparam", "using 'main.bicep'\nvar v = s\nparam s = 'x'\nparam a = s\nparam b = 'y${v}'\nparam c = s\nparam d = 'z'\nparam e = a\nparam none = s",
		"main.bicep", "@secure()\nparam s string\nparam a string\nparam b string\n@secure()\nparam c string\nparam d string\nparam e string", "bicepconfig.json", "{}")
	var lines []string
	for _, d := range list {
		if d.Kind == diag.LintSecureInParamsFile {
			lines = append(lines, fmt.Sprint(d.File.Position(d.Span.Start).Line))
		}
	}
	if got := strings.Join(lines, " "); got != "4 5 8" {
		t.Errorf("lines %s, want 4, 5 and 8: %s", got, messages(list, diag.LintSecureInParamsFile))
	}
}
