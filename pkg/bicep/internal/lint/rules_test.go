package lint_test

import (
	"strings"
	"testing"
	"time"

	"github.com/radbicep/rad/pkg/bicep/diag"
)

// Each program has the places that its rule finds fault with between « and ».
func TestRules(t *testing.T) {
	t.Parallel()
	const artifacts = "@secure()\nparam _artifactsLocationSasToken string = ''\nparam _artifactsLocation string"
	const script = "resource s 'Microsoft.Resources/deploymentScripts@2023-08-01' = {\n  name: 's'\n  location: 'global'\n  "
	deployment := func(scope, value string) string {
		return "param p string\nresource d 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'd'\n  properties: {\n    expressionEvaluationOptions: { scope: '" + scope +
			"' }\n    template: {\n      x: " + value + "\n    }\n  }\n  resource child 'things' existing = {\n    name: 'c'\n  }\n}\n"
	}
	for _, c := range []struct {
		rule *diag.Rule
		name string
		text string
	}{
		{diag.LintArtifactsParameters, "a template's link", artifacts + " = '${deployment().properties.templateLink.uri}'"},
		{diag.LintArtifactsParameters, "a template's link on another line", artifacts + " = «join([\n  deployment().name\n  'a.templateLink'\n], '')»"},
		{diag.LintArtifactsParameters, "a module that is given it", "module m 'artifacts.bicep' = {\n  params: { _artifactsLocation: 'a' }\n}"},
		{diag.LintArtifactsParameters, "a quoted name", "module «m» 'artifacts.bicep' = {\n  params: { '_artifactsLocation': 'a' }\n}"},

		{diag.LintExplicitLocations, "none given", "module m 'locations.bicep' = {\n  «params: { loc: 'a' }»\n}"},
		{diag.LintExplicitLocations, "all given", "module m 'locations.bicep' = {\n  params: { loc: 'a', region: 'b' }\n}"},
		{diag.LintExplicitLocations, "a quoted name", "module m 'locations.bicep' = {\n  «params: { loc: 'a', 'region': 'b' }»\n}"},

		{diag.LintHardcodedLocation, "a string", located("«'west'»")},
		{diag.LintHardcodedLocation, "global", located("'Global'")},
		{diag.LintHardcodedLocation, "a variable", "var «a» = 'west'\nvar b = a\n" + located("b")},
		{diag.LintHardcodedLocation, "a variable that is computed", "var a = '${'west'}us'\nvar b = toLower('WEST')\nvar c = a\n" + located("c") + strings.Replace(located("b"), " r ", " q ", 1)},
		{diag.LintHardcodedLocation, "a module's parameter", "module m 'locations.bicep' = {\n  params: { loc: «'a'», 'region': 'b' }\n}"},

		{diag.LintConflictingMetadata, "both", "@description('a')\n@metadata({ «description»: 'b', x: 1 })\nparam p string"},
		{diag.LintConflictingMetadata, "one", "@metadata({ description: 'b' })\nparam p string"},

		{diag.LintNestedScoping, "a parameter", deployment("inner", "«p»")},
		{diag.LintNestedScoping, "in the outer scope", deployment("outer", "p")},
		{diag.LintNestedScoping, "a loop's item", deployment("inner", "[for i in range(0, 1): i]")},
		{diag.LintNestedScoping, "a resource within another", deployment("inner", "«e»::f.id") +
			"resource e 'Microsoft.Network/virtualNetworks@2024-07-01' existing = {\n  name: 'e'\n  resource f 'subnets' existing = {\n    name: 'f'\n  }\n}"},
		{diag.LintNestedScoping, "what is imported", "import * as all from 'exports.bicep'\nimport { v } from 'exports.bicep'\n" + deployment("inner", "'${«all».v}${«v»}'")},

		{diag.LintAzPowerShell, "an old version", "«" + script + "kind: 'AzurePowerShell'\n  properties: { azPowerShellVersion: '10.4' }\n}»"},
		{diag.LintAzPowerShell, "a new version", script + "kind: 'AzurePowerShell'\n  properties: { azPowerShellVersion: '11.0' }\n}"},
		{diag.LintAzPowerShell, "another shell", script + "kind: 'AzureCLI'\n  properties: { azPowerShellVersion: '10.4' }\n}"},
		{diag.LintAzPowerShell, "a quoted name", script + "'kind': 'AzurePowerShell'\n  properties: { azPowerShellVersion: '10.4' }\n}"},

		{diag.LintResourceIDFunctions, "an ID made by hand", "param a string\n" + with("Contoso.Shop/baskets", "«fooId»: '/x/${a}', appId: '/x/${a}', guid: '/x', fooid: a")},
		{diag.LintResourceIDFunctions, "a collection", "param a string\n" + with("Microsoft.DocumentDB/databaseAccounts/apis/collections", "fooId: '/x/${a}'")},
		{diag.LintResourceIDFunctions, "deeper", "param a string\n" + with("Microsoft.DocumentDB/databaseAccounts/apis/x/collections", "«fooId»: '/x/${a}'")},
		{diag.LintResourceIDFunctions, "variables of each other", "var a = b\nvar b = a\n" + with("Contoso.Shop/baskets", "fooId: a")},
	} {
		t.Run(c.rule.Code+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, c.rule, c.text,
				"artifacts.bicep", "param _artifactsLocation string",
				"locations.bicep", "param region string = 'a'\nparam loc string = resourceGroup().location\nresource r 'Contoso.Shop/baskets@2020-01-01' = {\n  name: 'r'\n  location: region\n}",
				"exports.bicep", "@export()\nvar v = 'a'")
		})
	}
}

func located(value string) string {
	return "resource r 'Contoso.Shop/baskets@2020-01-01' = {\n  name: 'r'\n  location: " + value + "\n}\n"
}

func with(typ, properties string) string {
	return "resource r '" + typ + "@2020-01-01' = {\n  name: 'r'\n  properties: { " + properties + " }\n}\n"
}

// The setting's name is looked up as it is written.
func TestMinimumOfAzurePowerShell(t *testing.T) {
	t.Parallel()
	const text = "resource s 'Microsoft.Resources/deploymentScripts@2023-08-01' = {\n  name: 's'\n  location: 'global'\n  kind: 'AzurePowerShell'\n  properties: { azPowerShellVersion: '11.1' }\n}"
	for settings, want := range map[string]string{
		"":                             "",
		`, "minimumVersion": "11.2"`:   "version 11.1 is older than 11.2",
		`, "minimumversion": "11.2"`:   "",
		`, "minimumVersion": "eleven"`: `minimumVersion must be a version such as 11.0, and is "eleven"`,
		`, "minimumVersion": 11.2`:     "minimumVersion must be a version such as 11.0, and is 11.2",
	} {
		got := messages(diagnose(t, text, "bicepconfig.json", only(diag.LintAzPowerShell.Code, settings)), diag.LintAzPowerShell)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", settings, got, want)
		}
	}
}

func messages(list diag.List, rule *diag.Rule) string {
	var all []string
	for _, d := range list {
		if d.Rule == rule {
			all = append(all, d.Message())
		}
	}
	return strings.Join(all, "\n")
}

// A description of a location that has a default of its own comes before those that resources take.
func TestOrderOfLocations(t *testing.T) {
	t.Parallel()
	got := messages(diagnose(t, "module m 'm.bicep' = {}", "bicepconfig.json", only(diag.LintExplicitLocations.Code, ""),
		"m.bicep", "param b string = 'b'\nparam a string = 'a'\nparam c string = resourceGroup().location\nresource r 'Contoso.Shop/baskets@2020-01-01' = {\n  name: 'r'\n  location: '${a}${b}'\n}"),
		diag.LintExplicitLocations)
	if c, a, b := strings.Index(got, `"c"`), strings.Index(got, `"a"`), strings.Index(got, `"b"`); c < 0 || a < c || b < a {
		t.Errorf("%s", got)
	}
}

// Each way to a call is told, up to a bound, and what leads nowhere costs nothing.
func TestUnstableIdentifiers(t *testing.T) {
	t.Parallel()
	r := "resource r 'Contoso.Shop/baskets@2020-01-01' = {\n  name: "
	got := messages(diagnose(t, "param a string = '${utcNow('x')}${utcNow('y')}'\nparam b string = newGuid()\nvar v = '${a}${b}'\n"+r+"'${v}${b}'\n}"), diag.LintStableIdentifiers)
	for _, want := range []string{": v -> a -> utcNow('x')", ": v -> a -> utcNow('y')", ": v -> b -> newGuid()", ": b -> newGuid()"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
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
		start := time.Now()
		n := strings.Count(messages(diagnose(t, text+r+"d9\n}"), diag.LintStableIdentifiers), "\n")
		if n > 100 || time.Since(start) > 20*time.Second {
			t.Errorf("%s: %d findings in %v", leaf, n, time.Since(start))
		}
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
		if got != want {
			t.Errorf("%q: %v, want %v", level, got, want)
		}
	}
}

func TestVerbose(t *testing.T) {
	t.Parallel()
	for settings, want := range map[string]string{
		`"verbose": true`:                     "Bicep Linter Configuration no-unused-params",
		`"verbose": true, "enabled": false`:   "Linter Disabled",
		`"verbose": false, "enabled": true`:   "no-unused-params",
		`"verbose": "yes", "enabled": "what"`: "no-unused-params",
	} {
		var codes []string
		for _, d := range diagnose(t, "param p string", "bicepconfig.json", `{"analyzers": {"core": {`+settings+`}}}`) {
			codes = append(codes, d.Code())
			if strings.Contains(d.Code(), " ") && (d.Severity != diag.Info || d.Finding().URL != "" || !strings.Contains(d.Message(), "/p/bicepconfig.json")) {
				t.Errorf("%s: %v %s", settings, d.Severity, d.Message())
			}
		}
		if got := strings.Join(codes, " "); got != want {
			t.Errorf("%s: %s, want %s", settings, got, want)
		}
	}
}

// What the rule about deployment stacks finds is information, whatever the configuration says, unless it is off.
func TestLevelOfStacks(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]diag.Severity{"error": diag.Info, "info": diag.Info, "off": 0} {
		var got diag.Severity
		for _, d := range diagnose(t, "extension kubernetes with {\n  kubeConfig: 'x'\n  namespace: 'y'\n}", "bicepconfig.json",
			`{"experimentalFeaturesEnabled": {"moduleExtensionConfigs": true}, "analyzers": {"core": {"rules": {"stacks-extensibility-compat": {"level": "`+level+`"}}}}}`) {
			if d.Rule == diag.LintStacksExtensions {
				got = d.Severity
			}
		}
		if got != want {
			t.Errorf("%s: %v, want %v", level, got, want)
		}
	}
}
