package lint_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
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
		rule diag.Kind
		name string
		text string
	}{
		{diag.LintAdminUsername, "a constant", "var n = 'root'\nparam p string\n" + with("Contoso.Shop/baskets", "os: { AdminUsername: «n» }, list: [{ adminUsername: «'x'» }, { adminUsername: p }]")},
		{diag.LintAdminUsername, "outside of resources", "var v = { adminUsername: 'x' }\noutput o object = v"},

		{diag.LintDecompilerCleanup, "names that were made", "var «a_var» = 1\nvar b_Var = 2\nvar _var = 3\nvar a__var = 4\nresource r_resource 'Contoso.Shop/baskets@2020-01-01' = {\n  name: «'r'»\n}"},

		{diag.LintDeploymentsResources, "a deployment", "resource d «'microsoft.resources/deployments@2022-09-01'» = {\n  name: 'd'\n}\n" + with("Microsoft.Resources/deploymentScripts", "")},

		{diag.LintExplicitAny, "any", "param a «any»\ntype t = { b: «sys».any }\nparam c object = any({})"},

		{diag.LintHardcodedURLs, "hosts", "var a = 'https://«management.azure.com»/«login.microsoftonline.COM»'\nvar b = 'xmanagement.azure.com'\nvar c = 'https://schema.management.azure.com/x'\n" +
			"@description('management.azure.com')\nparam p string = '${a}.«database.windows.net»'\nmetadata m = 'management.azure.com'"},
		{diag.LintHardcodedURLs, "the longest of those in one place", "var a = 'x.«batch.core.windows.net»'"},

		{diag.LintHardcodedOutputs, "constants", "param p string\noutput a string = «'a'»\noutput b int = «-(1)»\noutput c array = «[1, [true]]»\noutput d object = «{ a: null }»\noutput e string = '${p}'\noutput f object = { a: p }"},

		{diag.LintLocationOutsideParams, "locations", "param p string = resourceGroup().location\nvar v = «az.resourceGroup().location»\noutput o string = '${«resourceGroup().location»}${resourceGroup().name}'"},

		{diag.LintModuleName, "a name", "module m 'exports.bicep' = {\n  «name: 'm'»\n}\nmodule n 'exports.bicep' = {}"},

		{diag.LintUnnecessaryDependsOn, "known dependencies", located("'a'") + "resource s 'Contoso.Shop/baskets@2020-01-01' = {\n  name: r.name\n  location: r.properties.x\n  dependsOn: [\n    «r»\n  ]\n}\n" +
			"resource t 'Contoso.Shop/baskets@2020-01-01' = {\n  name: 't'\n  dependsOn: [\n    r\n    s\n    «s»\n  ]\n}"},
		{diag.LintUnnecessaryDependsOn, "by way of another", located("'a'") + "resource s 'Contoso.Shop/baskets@2020-01-01' = {\n  name: 's'\n  location: r.properties.x\n}\n" +
			"module m 'exports.bicep' = {\n  name: s.properties.x\n  dependsOn: [\n    «r»\n  ]\n}"},

		{diag.LintUnusedParams, "parameters", "param «a» string\nparam b string\nparam c string = b\nparam d string = c\noutput o string = d"},
		{diag.LintUnusedVars, "variables", "var «a» = 1\nvar b = 2\n@export()\nvar c = 3\noutput o int = b"},
		{diag.LintUnusedTypes, "types", "type «a» = string\ntype b = { c: b? }\n@export()\ntype d = string\ntype e = string\nparam p e"},
		{diag.LintUnusedImports, "imports", "import { v } from 'exports.bicep'\nimport { v as «w» } from 'exports.bicep'\nimport * as «all» from 'exports.bicep'\noutput o string = v"},
		{diag.LintUnusedExisting, "existing resources", "resource «r» 'Contoso.Shop/baskets@2020-01-01' existing = {\n  name: 'r'\n}\nresource s 'Contoso.Shop/baskets@2020-01-01' existing = {\n  name: 's'\n}\n" +
			"resource t 'Contoso.Shop/baskets@2020-01-01' existing = {\n  name: 't'\n  resource u 'things' = {\n    name: 'u'\n  }\n}\noutput o string = s.id"},

		{diag.LintSecretOutputs, "secrets", "@secure()\nparam s string\n@secure()\nparam t object\n«output password1 string = 'x'»\noutput a string = '${«s»}'\noutput b string = «t».c\n@secure()\noutput c string = s\n" +
			"output d object = «listKeys('x', '2020-01-01')»"},

		{diag.LintPreferInterpolation, "strings put together", "param p string\nvar a = «concat(p, 'x')»\nvar b = concat(p)\nvar c = concat([1], [2])\nvar d = «sys.concat('a', 'b')»"},
		{diag.LintUnquotedNames, "quotes", "var a = { «'b'»: 1, 'b-c': 2, 'true': 3, '${'x'}': 4 }\noutput o int = a«['b']»\noutput p int = a['b-c']"},
		{diag.LintSecretParams, "names of secrets", "param «adminPassword» string\nparam secretName string\nparam passwordLength int\n@secure()\nparam pwd string\nparam «x» string = '${pwd}'\nparam «accountKeys» object"},
		{diag.LintSecureDefault, "defaults of secrets", "@secure()\nparam a string «= 'x'»\n@secure()\nparam b string = ''\n@secure()\nparam c string = newGuid()\n@secure()\nparam d object = {}\n@secure()\nparam e string = a\nparam f string = 'x'"},

		{diag.LintSecureInNested, "secrets in a deployment", "@secure()\nparam s string\nresource «d» 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'd'\n  properties: {\n    template: { x: s }\n  }\n}"},
		{diag.LintSecureInNested, "evaluated on its own", "@secure()\nparam s string\nresource d 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'd'\n  properties: {\n    expressionEvaluationOptions: { scope: 'Inner' }\n    template: { x: 1 }\n    parameters: { p: { value: s } }\n  }\n}"},

		{diag.LintSimplifyInterpolation, "one hole", "param p string\nparam n int\nparam q string = «'${p}'»\nvar a = «'${p}'»\nvar b = { c: «'${p}'», d: '${n}', e: '${p}x', f: ['${p}'] }\noutput o string = «'${q}'»"},
		{diag.LintSimplifyJSONNull, "null", "var a = «json('null')»\nvar b = [«sys.json(' null ')», json('{}')]"},

		{diag.LintDescribeParams, "parameters", "param «a» string\n@description(«' '»)\nparam b string\n@sys.description('x')\nparam c string"},
		{diag.LintDescribeOutputs, "outputs", "output «a» string = 'x'\n@description('x')\noutput b string = 'x'"},
		{diag.LintDescribeVars, "variables", "var «a» = 'x'\n@description('x')\nvar b = 'x'"},
		{diag.LintDescribeTypes, "types", "type «a» = string\n@discriminator('k')\ntype b = { k: 'x' } | { k: 'y' }"},
		{diag.LintDescribeTypeProperties, "properties", "type a = { «b»: { @description('x')\n c: string }, «*»: int }\nparam p { d: string }"},

		{diag.LintUseParent, "a parent's name", "resource p 'Contoso.Shop/baskets@2020-01-01' = {\n  name: 'p'\n}\nresource c 'Contoso.Shop/baskets/eggs@2020-01-01' = {\n  name: «'${p.name}/c'»\n}\n" +
			"resource d 'Contoso.Shop/baskets/eggs@2020-01-01' = {\n  name: «'p/d'»\n}\nresource e 'Contoso.Shop/baskets/eggs@2020-01-01' = {\n  name: 'q/e'\n}\nresource f 'Contoso.Shop/baskets/eggs@2020-01-01' = {\n  parent: p\n  name: 'f'\n}"},

		{diag.LintProtectCommand, "a secret in a command", "@secure()\nparam s string\n" + strings.Replace(with("Microsoft.Compute/virtualMachines/extensions", "publisher: 'Microsoft.Compute', type: 'customScriptExtension', settings: { «commandToExecute»: 'run ${s}' }"), "'r'", "'a/b'", 1)},
		{diag.LintProtectCommand, "protected", "@secure()\nparam s string\n" + strings.Replace(with("Microsoft.Compute/virtualMachines/extensions", "publisher: 'Microsoft.Compute', type: 'customScriptExtension', protectedSettings: { commandToExecute: 'run ${s}' }"), "'r'", "'a/b'", 1)},
		{diag.LintProtectCommand, "another extension", "@secure()\nparam s string\n" + strings.Replace(with("Microsoft.Compute/virtualMachines/extensions", "publisher: 'Contoso', type: 'customScriptExtension', settings: { commandToExecute: 'run ${s}' }"), "'r'", "'a/b'", 1)},

		{diag.LintRecognizedType, "types of no provider", "output a object = «reference('Contoso.Shop/baskets', '2020-01-01')»\noutput b object = «listKeys(resourceId('group', 'Contoso.Shop/baskets', 'b'), '2020-01-01')»\n" +
			"output c object = reference('Microsoft.Storage/storageAccounts', '2020-01-01')\noutput d object = reference('dell.storage/filesystems', '2020-01-01')\noutput e object = reference('name', '2020-01-01')"},

		{diag.LintUseSymbol, "a resource of the file", strings.Replace(with("Microsoft.Storage/storageAccounts", ""), "2020-01-01", "2023-01-01", 1) + "output a object = «reference(r.id, '2023-01-01')»\noutput b object = «listKeys(resourceId('Microsoft.Storage/storageAccounts', 'r'), r.apiVersion)»\n" +
			"output c object = reference(r.id, '2022-01-01')\noutput d object = reference(resourceId('Microsoft.Storage/storageAccounts', 's'), '2023-01-01')\noutput e object = «reference(r.id)»"},

		{diag.LintSafeAccess, "questions", "param p object\nparam k string\nparam q { a: string? }\nvar a = «contains(p, 'x') ? p.x : 1»\nvar b = «contains(p, k) ? p[k] : 1»\nvar c = contains(p, 'x') ? p.y : 1\nvar d = «q.a»\nvar e = q.?a\nvar f = q.a!"},

		{diag.LintStableImage, "a preview", "var image = { offer: 'x', sku: «'a-Preview'», version: 'latest' }\n" + with("Microsoft.Compute/virtualMachines", "storageProfile: { imageReference: image }") +
			strings.Replace(with("Microsoft.Compute/virtualMachines", "storageProfile: { imageReference: { offer: «'preview'», publisher: 'preview', version: '1' } }"), " r ", " s ", 1)},

		{diag.LintUseParent, "names that are put together", "param n string\nresource p 'Contoso.Shop/baskets@2020-01-01' = {\n  name: n\n}\nresource q 'Contoso.Shop/baskets@2020-01-01' = {\n  name: '${n}-q'\n}\n" +
			"resource c 'Contoso.Shop/baskets/eggs@2020-01-01' = {\n  name: «'${n}/c'»\n}\nresource d 'Contoso.Shop/baskets/eggs@2020-01-01' = {\n  name: «'${n}-q/${n}'»\n}\n" +
			"resource e 'Contoso.Shop/baskets/eggs@2020-01-01' = {\n  name: '${n}-x/e'\n}\nresource f 'Contoso.Shop/boxes/eggs@2020-01-01' = {\n  name: '${n}/f'\n}\n" +
			"resource g 'Contoso.Shop/baskets/eggs@2020-01-01' = {\n  name: n\n}"},
		{diag.LintUseParent, "a loop of parents", "resource p 'Contoso.Shop/baskets@2020-01-01' = [for i in range(0, 2): {\n  name: 'p'\n}]\nresource c 'Contoso.Shop/baskets/eggs@2020-01-01' = {\n  name: 'p/c'\n}"},

		{diag.LintUseSymbol, "a resource within another", "resource p 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'p'\n  resource c 'blobServices' = {\n    name: 'c'\n  }\n}\n" +
			"output a object = «reference(resourceId('Microsoft.Storage/storageAccounts/blobServices', 'p', 'c'), '2023-01-01')»\noutput b object = reference(resourceId('Microsoft.Storage/storageAccounts/blobServices', 'c'), '2023-01-01')\n" +
			"output c object = listKeys(resourceId('group', 'Microsoft.Storage/storageAccounts', 'p'), '2023-01-01')"},

		{diag.LintResourceIDFunctions, "what makes IDs", "param a string\nparam o object\nvar v = resourceId('A.B/c', a)\nvar w = '/x/${a}'\n" + with("Contoso.Shop/baskets",
			"aId: resourceId('A.B/c', a), bId: v, «cId»: w, dId: a == 'x' ? '/x' : '/y', eId: o.id, fId: (a), «gId»: concat('/x/', a), hId: '${z.id}/x', «iId»: [w][0], list: [{ «jId»: ('/x/y') }], numberId: 1, kId: 'no slash'") +
			"resource z 'Contoso.Shop/baskets@2020-01-01' existing = {\n  name: 'z'\n}"},
		{diag.LintResourceIDFunctions, "types that are left out", "param a string\n" + with("Microsoft.Logic/workflows", "fooId: '/x/${a}'") + strings.Replace(with("Microsoft.ApiManagement/service/subscriptions", "ownerId: '/x/${a}', «fooId»: '/x/${a}'"), " r ", " s ", 1)},

		{diag.LintNestedScoping, "the default with symbolic names", "param p string?\nresource d 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'd'\n  properties: {\n    template: { x: «p» }\n  }\n}"},
		{diag.LintNestedScoping, "no deployment", "param p string?\n" + with("Contoso.Shop/baskets", "template: { x: p }, expressionEvaluationOptions: { scope: 'inner' }")},

		{diag.LintSecureInNested, "a call that lists", "resource «d» 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'd'\n  properties: {\n    expressionEvaluationOptions: { scope: 'outer' }\n    template: { x: listKeys('x', '2020-01-01') }\n  }\n}"},
		{diag.LintSecureInNested, "no template", "@secure()\nparam s string\nresource d 'Microsoft.Resources/deployments@2022-09-01' = {\n  name: 'd'\n  properties: {\n    templateLink: { uri: s }\n  }\n}"},

		{diag.LintUnnecessaryDependsOn, "loops", "resource r 'Contoso.Shop/baskets@2020-01-01' = [for i in range(0, 2): {\n  name: 'r${i}'\n}]\nresource s 'Contoso.Shop/baskets@2020-01-01' = {\n  name: r[0].properties.x\n  dependsOn: [\n    r\n    r[0]\n  ]\n}"},

		{diag.LintConflictingMetadata, "within a statement", "type t = {\n  @description('a')\n  @metadata({ description: 'b' })\n  a: string\n}"},

		{diag.LintStacksExtensions, "references", "resource v 'Microsoft.KeyVault/vaults@2023-07-01' existing = {\n  name: 'v'\n}\nmodule m 'extended.bicep' = {\n  extensionConfigs: {\n    kubernetes: {\n      kubeConfig: v.getSecret('x')\n      namespace: 'n'\n    }\n  }\n}\n" +
			"module n 'extended.bicep' = {\n  extensionConfigs: {\n    kubernetes: {\n      kubeConfig: «'x'»\n      namespace: 'n'\n    }\n  }\n}\n" +
			"extension kubernetes with {\n  kubeConfig: «'y'»\n  namespace: 'n'\n} as k8s\nmodule o 'extended.bicep' = {\n  extensionConfigs: {\n    kubernetes: {\n      kubeConfig: k8s.config.kubeConfig\n      namespace: k8s.config.namespace\n    }\n  }\n}"},

		{diag.LintUserTypes, "loose types", "param a «object»\nparam b «array»\nparam c { d: «object»[] }\nparam e string[]\ntype t = string"},

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
		t.Run(c.rule.Code()+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, c.rule, c.text,
				"artifacts.bicep", "param _artifactsLocation string",
				"locations.bicep", "param region string = 'a'\nparam loc string = resourceGroup().location\nresource r 'Contoso.Shop/baskets@2020-01-01' = {\n  name: 'r'\n  location: region\n}",
				"exports.bicep", "@export()\nvar v = 'a'", "extended.bicep", "extension kubernetes")
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
		got := messages(diagnose(t, text, "bicepconfig.json", only(diag.LintAzPowerShell.Code(), settings)), diag.LintAzPowerShell)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", settings, got, want)
		}
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
			if d.Kind == diag.LintStacksExtensions {
				got = d.Severity
			}
		}
		if got != want {
			t.Errorf("%s: %v, want %v", level, got, want)
		}
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
	if got := messages(diagnose(t, library), diag.LintMaxVariables); got != "" {
		t.Errorf("a file that only exports: %s", got)
	}
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
