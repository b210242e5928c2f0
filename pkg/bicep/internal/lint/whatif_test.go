package lint_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// late declares a resource whose name is known before a deployment, and whose
// properties are not.
const late = "resource sa 'Microsoft.Storage/storageAccounts@2023-05-01' existing = {\n  name: 'acct'\n}\n"

func TestWhatIf(t *testing.T) {
	t.Parallel()
	const net = "'Microsoft.Network/virtualNetworks@2024-07-01'"
	for _, c := range []struct{ name, main, module string }{
		{"a condition", late + "module m 'mod.bicep' = {\n  params: { on: «sa.properties.on», a: sa.properties.a }\n}",
			"param on bool\nparam a string\nresource n " + net + " = if (on) {\n  name: 'n'\n  location: a\n}"},
		{"a name", late + "module m 'mod.bicep' = {\n  params: { p: «sa.properties.a» }\n}",
			"param p string\nresource n " + net + " = {\n  name: p\n}"},
		{"a value that is known", late + "param p string\nmodule m 'mod.bicep' = {\n  params: { p: '${sa.id}${p}' }\n}",
			"param p string\nresource n " + net + " = {\n  name: p\n}"},
		{"a name that is made in a variable", late + "module m 'mod.bicep' = {\n  params: { p: «sa.properties.a» }\n}",
			"param p string\nvar w = { a: '${p}-x' }\nvar v = w.a\nresource n " + net + " = {\n  name: v\n}"},
		{"a property that is called name", late + "module m 'mod.bicep' = {\n  params: { p: sa.properties.a }\n}",
			"param p string\nresource n " + net + " = {\n  name: 'n'\n  tags: { name: p }\n}"},
		{"the scope of a module", late + "module m 'mod.bicep' = {\n  params: { p: «sa.properties.a» }\n}",
			"param p string\nmodule n 'empty.bicep' = {\n  scope: resourceGroup(p)\n}"},
		{"the name of a module", late + "module m 'mod.bicep' = {\n  params: { p: sa.properties.a }\n}",
			"param p string\nmodule n 'empty.bicep' = {\n  name: p\n}"},
		{"a resource within another", late + "module m 'mod.bicep' = {\n  params: { p: «sa.properties.a» }\n}",
			"param p string\nresource n " + net + " = {\n  name: 'n'\n  resource s 'subnets' = {\n    name: p\n  }\n}"},
		{"a loop", late + "module m 'mod.bicep' = [for i in range(0, 2): {\n  params: { p: «sa.properties.a» }\n}]",
			"param p string\nresource n " + net + " = [for i in range(0, 2): {\n  name: '${p}${i}'\n}]"},
		{"a module's module", late + "module m 'mod.bicep' = {\n  params: { p: «sa.properties.a», q: sa.properties.b }\n}",
			"param p string\nparam q string\nmodule n 'named.bicep' = {\n  params: { name: 'x${p}', other: q }\n}"},
		{"a default", late + "module m 'mod.bicep' = {\n  params: { p: «sa.properties.on» }\n}",
			"param p bool\nparam not bool = !p\nmodule n 'empty.bicep' = if (not) {}"},
		{"a default that is not used", late + "module m 'mod.bicep' = {\n  params: { p: sa.properties.on, not: false }\n}",
			"param p bool\nparam not bool = !p\nmodule n 'empty.bicep' = if (not) {}"},
		{"a name that is computed", late + "var k = 'p'\nmodule m 'mod.bicep' = {\n  params: { '${k}': «sa.properties.a» }\n}",
			"param p string\nresource n " + net + " = {\n  name: p\n}"},
		{"a name that is not known", late + "param k string\nmodule m 'mod.bicep' = {\n  params: { '${k}': «sa.properties.a» }\n}",
			"param p string = 'p'\nresource n " + net + " = {\n  name: p\n}"},
		{"all in one", late + "module m 'mod.bicep' = {\n  params: «sa.properties.all»\n}",
			"param p string = 'p'\nresource n " + net + " = {\n  name: p\n}"},
		{"all in one, which decides nothing", late + "module m 'mod.bicep' = {\n  params: sa.properties.all\n}",
			"param p string = 'p'\noutput o string = p"},
		// The official compiler loses count after the second use of a file.
		{"three uses", late + "module a 'mod.bicep' = {\n  params: { p: «sa.properties.a» }\n}\nmodule b 'mod.bicep' = {\n  params: { p: «sa.properties.a» }\n}\n" +
			"module c 'mod.bicep' = {\n  params: { p: sa.properties.a }\n}",
			"param p string\nresource n " + net + " = {\n  name: p\n}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, diag.LintWhatIf, c.main, "mod.bicep", c.module, "empty.bicep", "",
				"named.bicep", "param name string\nparam other string\nresource n "+net+" = {\n  name: name\n  location: other\n}")
		})
	}
}

// Modules that are ARM templates are evaluated as far as that goes.
func TestWhatIfInTemplates(t *testing.T) {
	t.Parallel()
	const head = `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", ` +
		`"parameters": {"p": {"type": "string", "defaultValue": "x"}, "q": {"type": "string", "defaultValue": "[concat(parameters('p'), 'q')]"}, "deep": {"type": "bool", "defaultValue": false}}, `
	const bad, fine = "«sa.properties.a»", "sa.properties.a"
	nested := func(scope, params, name string) string {
		return `"resources": [{"type": "Microsoft.Resources/deployments", "apiVersion": "2022-09-01", "name": "d", "properties": {"mode": "Incremental",` +
			`"expressionEvaluationOptions": {"scope": "` + scope + `"}, "parameters": {` + params + `},` +
			`"template": {"parameters": {"n": {"type": "string", "defaultValue": "x"}}, "resources": [{"type": "A.B/c", "apiVersion": "1", "name": "` + name + `"}]}}}]}`
	}
	for _, c := range []struct{ name, value, rest string }{
		{"a name", bad, `"resources": [{"type": "A.B/c", "apiVersion": "1", "name": "[parameters('p')]"}]}`},
		{"a version", bad, `"resources": [{"type": "A.B/c", "apiVersion": "[parameters('P')]", "name": "n"}]}`},
		{"a condition", bad, `"resources": [{"type": "A.B/c", "apiVersion": "1", "name": "n", "condition": "[equals(parameters('p'), 'a')]"}]}`},
		{"a scope", bad, `"resources": [{"type": "A.B/c", "apiVersion": "1", "name": "n", "scope": "[format('A.B/c/{0}', parameters('p'))]"}]}`},
		{"another property", fine, `"resources": [{"type": "A.B/c", "apiVersion": "1", "name": "n", "location": "[parameters('p')]"}]}`},
		{"by symbolic names", bad, `"languageVersion": "2.0", "resources": {"r": {"type": "A.B/c", "apiVersion": "1", "name": "[parameters('p')]"}}}`},
		{"existing", fine, `"languageVersion": "2.0", "resources": {"r": {"existing": true, "type": "A.B/c", "apiVersion": "1", "name": "[parameters('p')]"}}}`},
		{"not deployed", fine, `"resources": [{"type": "A.B/c", "apiVersion": "1", "name": "[parameters('p')]", "condition": "[parameters('deep')]"}]}`},
		{"a default", bad, `"resources": [{"type": "A.B/c", "apiVersion": "1", "name": "[parameters('q')]"}]}`},
		{"a variable", bad, `"variables": {"v": {"a": "[parameters('p')]", "b": "b"}}, "resources": [{"type": "A.B/c", "apiVersion": "1", "name": "[variables('v').a]"}]}`},
		{"another part of a variable", fine, `"variables": {"v": {"a": "[parameters('p')]", "b": "b"}}, "resources": [{"type": "A.B/c", "apiVersion": "1", "name": "[variables('v').b]"}]}`},
		{"variables of each other", fine, `"variables": {"v": "[variables('w')]", "w": "[variables('v')]"}, "resources": [{"type": "A.B/c", "apiVersion": "1", "name": "[variables('v')]"}]}`},
		{"a branch that is not taken", fine, `"resources": [{"type": "A.B/c", "apiVersion": "1", "name": "[if(parameters('deep'), parameters('p'), uniqueString(resourceGroup().id))]"}]}`},
		{"a branch that is taken", bad, `"resources": [{"type": "A.B/c", "apiVersion": "1", "name": "[if(not(parameters('deep')), concat(resourceGroup().id, parameters('p')), 'x')]"}]}`},
		{"a parent's name", bad, `"resources": [{"type": "A.B/c", "apiVersion": "1", "name": "[parameters('p')]", "resources": [{"type": "d", "apiVersion": "1", "name": "e"}]}]}`},
		{"a loop", bad, `"variables": {"copy": [{"name": "v", "count": 2, "input": "[parameters('p')]"}]}, "resources": [{"copy": {"name": "l", "count": 2}, "type": "A.B/c", "apiVersion": "1", "name": "[variables('v')[copyIndex()]]"}]}`},
		{"a loop that is not known", fine, `"resources": [{"copy": {"name": "l", "count": "[length(parameters('p'))]"}, "type": "A.B/c", "apiVersion": "1", "name": "[parameters('p')]"}]}`},
		{"a nested deployment", bad, nested("inner", `"n": {"value": "[parameters('p')]"}`, "[parameters('n')]")},
		{"a nested deployment's other name", fine, nested("inner", `"n": {"value": "[parameters('p')]"}`, "[parameters('p')]")},
		{"a nested deployment in this scope", bad, nested("outer", "", "[parameters('p')]")},
		{"an extension's resource", fine, `"languageVersion": "2.0", "extensions": {"k": {"name": "K", "version": "1"}}, "resources": {"r": {"extension": "k", "type": "A@1", "properties": {"name": "[parameters('p')]"}}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			expect(t, diag.LintWhatIf, late+"module m 'mod.json' = {\n  params: { p: "+c.value+" }\n}", "mod.json", head+c.rest)
		})
	}
}
