package emit_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/emit"
	"github.com/radbicep/rad/pkg/bicep/internal/templatehash"
)

// compile returns the template of main.bicep.
func compile(t testing.TB, files map[string]string) []byte {
	t.Helper()
	p := checktest.Program(t, "main.bicep", files, check.Options{})
	for _, f := range p.Graph.Files {
		if m := p.Model(f); m != nil {
			for _, d := range m.Diagnostics() {
				if d.Severity == diag.Error {
					t.Fatalf("%s: %s: %s", f.Source.Slice(d.Span), d.Code(), d.Message())
				}
			}
		}
	}
	out, err := emit.New(p, "1.2.3").Template(p.Graph.Entry)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// at returns what stands at a path of keys in a template.
func at(t testing.TB, template []byte, path string) string {
	t.Helper()
	v, err := armjson.ParseBytes(template, armjson.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if path != "" {
		for _, key := range strings.Split(path, "/") {
			switch x := v.(type) {
			case *armjson.Object:
				var ok bool
				if v, ok = x.Get(key); !ok {
					return "nothing"
				}
			case armjson.Array:
				i := int(key[0] - '0')
				if i >= len(x) {
					return "nothing"
				}
				v = x[i]
			default:
				return "nothing"
			}
		}
	}
	return armjson.Text(v)
}

const storageType = "Microsoft.Storage/storageAccounts@2023-01-01"

const storage = "resource s '" + storageType + "' = {\n  name: 'st'\n  location: 'x'\n}\n"

// one is a program and what one place of its template holds.
type one struct{ name, program, path, want string }

func run(t *testing.T, cases []one, more map[string]string) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{"main.bicep": c.program}
			for k, v := range more {
				files[k] = v
			}
			if got := at(t, compile(t, files), c.path); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestExpressions(t *testing.T) {
	t.Parallel()
	const params = "param a int\nparam b int\nparam s string\nparam o object\nparam l array\nparam n object?\n"
	var cases []one
	for _, c := range []struct{ typ, expr, want string }{
		{"bool", "a == b", `"[equals(parameters('a'), parameters('b'))]"`},
		{"bool", "a != b", `"[not(equals(parameters('a'), parameters('b')))]"`},
		{"bool", "s =~ 'x'", `"[equals(toLower(parameters('s')), toLower('x'))]"`},
		{"bool", "s !~ 'x'", `"[not(equals(toLower(parameters('s')), toLower('x')))]"`},
		{"bool", "a < b && a >= b || !(a > b)", `"[or(and(less(parameters('a'), parameters('b')), greaterOrEquals(parameters('a'), parameters('b'))), not(greater(parameters('a'), parameters('b'))))]"`},
		{"int", "a + b * 2 - a / b % 3", `"[sub(add(parameters('a'), mul(parameters('b'), 2)), mod(div(parameters('a'), parameters('b')), 3))]"`},
		{"int", "-a", `"[sub(0, parameters('a'))]"`},
		{"int", "-5", `-5`},
		{"int", "3000000000", `3000000000`},
		{"int", "a + 3000000000", `"[add(parameters('a'), json('3000000000'))]"`},
		{"bool", "true", `true`},
		{"string", "a == 1 ? 'x' : s", `"[if(equals(parameters('a'), 1), 'x', parameters('s'))]"`},
		{"object", "n ?? o", `"[coalesce(parameters('n'), parameters('o'))]"`},
		{"string", "'[x]'", `"[[x]"`},
		{"string", "'[x'", `"[x"`},
		{"string", `'it\'s ${s}'`, `"[format('it''s {0}', parameters('s'))]"`},
		{"string", `'{${s}}{{${a}'`, `"[format('{{{0}}}{{{{{1}', parameters('s'), parameters('a'))]"`},
		{"string", "any(s)", `"[parameters('s')]"`},
		{"string", "o.a.b['c d']", `"[parameters('o').a.b['c d']]"`},
		{"string", "o['a']", `"[parameters('o').a]"`},
		{"string", "l[0]", `"[parameters('l')[0]]"`},
		{"string", "l[^1]", `"[indexFromEnd(parameters('l'), 1)]"`},
		{"string?", "o.?a", `"[tryGet(parameters('o'), 'a')]"`},
		{"string?", "o.?a.b[0]", `"[tryGet(parameters('o'), 'a', 'b', 0)]"`},
		{"string?", "(o.?a).b", `"[tryGet(parameters('o'), 'a').b]"`},
		{"string?", "any(o.?a).b", `"[tryGet(parameters('o'), 'a', 'b')]"`},
		{"string?", "o.?a[^2]", `"[tryGet(parameters('o'), 'a', createObject('value', 2, 'fromEnd', true()))]"`},
		{"string?", "l[?^1]", `"[tryIndexFromEnd(parameters('l'), 1)]"`},
		{"array", "[1, s, true, null]", `[1,"[parameters('s')]",true,null]`},
		{"array", "concat(l, [1, { a: s }])", `"[concat(parameters('l'), createArray(1, createObject('a', parameters('s'))))]"`},
		{"array", "[...l, 1]", `"[flatten(createArray(parameters('l'), createArray(1)))]"`},
		{"object", "{ ...o, a: 1 }", `"[shallowMerge(createArray(parameters('o'), createObject('a', 1)))]"`},
		{"object", "{ copy: 1, Copy: 2 }", `{"[string('copy')]":1,"[string('Copy')]":2}`},
		{"object", "{ '[k]': 1 }", `{"[[k]":1}`},
		{"object", "{ '${s}': 1 }", `{"[format('{0}', parameters('s'))]":1}`},
		{"array", "map(l, x => x.y)", `"[map(parameters('l'), lambda('x', lambdaVariables('x').y))]"`},
		{"array", "sort(l, (x, y) => x < y)", `"[sort(parameters('l'), lambda('x', 'y', less(lambdaVariables('x'), lambdaVariables('y'))))]"`},
	} {
		cases = append(cases, one{c.expr, params + "output r " + c.typ + " = " + c.expr + "\n", "outputs/r/value", c.want})
	}
	run(t, cases, nil)
}

func TestLoops(t *testing.T) {
	t.Parallel()
	run(t, []one{
		{"variable", "param l array\nvar v = [for (x, i) in l: { a: x, b: i }]\noutput o array = v\n", "variables",
			`{"copy":[{"name":"v","count":"[length(parameters('l'))]","input":{"a":"[parameters('l')[copyIndex('v')]]","b":"[copyIndex('v')]"}}]}`},
		{"variable of literals", "var v = [for i in range(0, 2): 5]\nvar w = 1\noutput o array = v\noutput p int = w\n", "variables",
			`{"copy":[{"name":"v","count":"[length(range(0, 2))]","input":"[int(5)]"}],"w":1}`},
		{"variable of arrays", "var v = [for i in range(0, 2): [i]]\noutput o array = v\n", "variables/copy/0/input", `"[createArray(range(0, 2)[copyIndex('v')])]"`},
		{"output", "param l array\noutput o array = [for x in l: 's']\n", "outputs/o", `{"type":"array","copy":{"count":"[length(parameters('l'))]","input":"s"}}`},
		{"property", "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'st'\n  location: 'x'\n  properties: {\n    first: 1\n    list: [for i in range(0, 2): i]\n  }\n}\n",
			"resources/0/properties", `{"copy":[{"name":"list","count":"[length(range(0, 2))]","input":"[range(0, 2)[copyIndex('list')]]"}],"first":1}`},
		{"resource", "@batchSize(2)\nresource s 'Microsoft.Storage/storageAccounts@2023-01-01' = [for i in range(0, 4): if (i > 1) {\n  name: 'st${i}'\n  location: 'x'\n}]\n", "resources/0",
			`{"copy":{"name":"s","count":"[length(range(0, 4))]","mode":"serial","batchSize":2},"condition":"[greater(range(0, 4)[copyIndex()], 1)]","type":"Microsoft.Storage/storageAccounts","apiVersion":"2023-01-01","name":"[format('st{0}', range(0, 4)[copyIndex()])]","location":"x"}`},
		{"one of them", "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' = [for i in range(0, 4): {\n  name: 'st${i}'\n  location: 'x'\n}]\noutput n string = s[2].name\n", "outputs/n/value",
			`"[format('st{0}', range(0, 4)[2])]"`},
	}, nil)
}

func TestResources(t *testing.T) {
	t.Parallel()
	const symbolic = "type t = string\n"
	run(t, []one{
		{"id", storage + "output o string = s.id\n", "outputs/o/value", `"[resourceId('Microsoft.Storage/storageAccounts', 'st')]"`},
		{"type", storage + "output o string = s.type\n", "outputs/o/value", `"Microsoft.Storage/storageAccounts"`},
		{"version", storage + "output o string = s.apiVersion\n", "outputs/o/value", `"2023-01-01"`},
		{"properties", storage + "output o object = s.properties.x\n", "outputs/o/value", `"[reference(resourceId('Microsoft.Storage/storageAccounts', 'st'), '2023-01-01').x]"`},
		{"whole", storage + "output o object = s\n", "outputs/o/value", `"[reference(resourceId('Microsoft.Storage/storageAccounts', 'st'), '2023-01-01', 'full')]"`},
		{"properties, symbolic", symbolic + storage + "output o object = s.properties.x\n", "outputs/o/value", `"[reference('s').x]"`},
		{"tags, symbolic", symbolic + storage + "output o object = s.tags\n", "outputs/o/value", `"[reference('s', '2023-01-01', 'full').tags]"`},
		{"list", storage + "output o string = s.listKeys().keys[0].value\n", "outputs/o/value", `"[listKeys(resourceId('Microsoft.Storage/storageAccounts', 'st'), '2023-01-01').keys[0].value]"`},
		{"list, symbolic", symbolic + storage + "output o string = s.listKeys('2020-01-01').keys[0].value\n", "outputs/o/value", `"[listKeys('s', '2020-01-01').keys[0].value]"`},
		{"safe, on a condition", "param c bool\nresource s 'Microsoft.Storage/storageAccounts@2023-01-01' = if (c) {\n  name: 'st'\n  location: 'x'\n}\noutput o string = s.?id ?? ''\n",
			"outputs/o/value", `"[coalesce(if(parameters('c'), resourceId('Microsoft.Storage/storageAccounts', 'st'), null()), '')]"`},
		{"child", storage + "resource b 'Microsoft.Storage/storageAccounts/blobServices@2023-01-01' = {\n  parent: s\n  name: 'default'\n}\n", "resources/1",
			`{"type":"Microsoft.Storage/storageAccounts/blobServices","apiVersion":"2023-01-01","name":"[format('{0}/{1}', 'st', 'default')]","dependsOn":["[resourceId('Microsoft.Storage/storageAccounts', 'st')]"]}`},
		{"nested, symbolic", symbolic + "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'st'\n  location: 'x'\n  resource b 'blobServices' = {\n    name: 'default'\n  }\n}\noutput o string = s::b.id\n", "resources/s::b/name",
			`"[format('{0}/{1}', 'st', 'default')]"`},
		{"child by its slashes", "resource b 'Microsoft.Storage/storageAccounts/blobServices@2023-01-01' = {\n  name: 'st/default'\n}\noutput o string = b.id\n", "outputs/o/value",
			`"[resourceId('Microsoft.Storage/storageAccounts/blobServices', split('st/default', '/')[0], split('st/default', '/')[1])]"`},
		{"extension", storage + "resource l 'Microsoft.Authorization/locks@2020-05-01' = {\n  scope: s\n  name: 'no'\n  properties: {\n    level: 'ReadOnly'\n  }\n}\n", "resources/1/scope",
			`"[resourceId('Microsoft.Storage/storageAccounts', 'st')]"`},
		{"other group", "resource v 'Microsoft.KeyVault/vaults@2023-07-01' existing = {\n  name: 'kv'\n  scope: resourceGroup('other')\n}\noutput o string = v.id\n", "outputs/o/value",
			`"[extensionResourceId(format('/subscriptions/{0}/resourceGroups/{1}', subscription().subscriptionId, 'other'), 'Microsoft.KeyVault/vaults', 'kv')]"`},
		{"tenant", "targetScope = 'tenant'\nresource g 'Microsoft.Management/managementGroups@2021-04-01' = {\n  name: 'mg'\n}\noutput o string = g.id\n", "outputs/o/value",
			`"[tenantResourceId('Microsoft.Management/managementGroups', 'mg')]"`},
		{"existing is left out", "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {\n  name: 'st'\n}\noutput o string = s.id\n", "resources", `[]`},
		{"existing, symbolic", symbolic + "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {\n  name: 'st'\n}\noutput o string = s.id\n", "resources",
			`{"s":{"existing":true,"type":"Microsoft.Storage/storageAccounts","apiVersion":"2023-01-01","name":"st"}}`},
		{"an argument of a namespace's function is needed whole", symbolic + "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {\n  name: 'st'\n}\n" +
			"resource u 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'u'\n  tags: {\n    x: sys.string(s)\n  }\n}\n", "resources/u/dependsOn", `["s"]`},
		{"description", "@description('''\n  one\n    two\n''')\n" + storage, "resources/0/metadata", `{"description":"  one\ntwo\n"}`},
		{"radius", "extension radius\nresource e 'Applications.Core/environments@2023-10-01-preview' existing = {\n  name: 'e'\n}\noutput i string = e.id\n", "resources/e",
			`{"existing":true,"import":"radius","type":"Applications.Core/environments@2023-10-01-preview","properties":{"name":"e"}}`},
		{"radius' id", "extension radius\nresource e 'Applications.Core/environments@2023-10-01-preview' existing = {\n  name: 'e'\n}\noutput i string = e.id\n", "outputs/i/value", `"[reference('e').id]"`},
	}, nil)
}

func TestModules(t *testing.T) {
	t.Parallel()
	const kv = "resource v 'Microsoft.KeyVault/vaults@2023-07-01' existing = {\n  name: 'kv'\n}\n"
	run(t, []one{
		{"parameters", "param x bool\n" + kv + "module m 'm.bicep' = {\n  name: 'dep'\n  params: {\n    p: 'v'\n    list: [for i in range(0, 2): 'x${i}']\n    secret: x ? v.getSecret('a') : 'plain'\n  }\n}\n", "resources/0/properties/parameters",
			`{"p":{"value":"v"},"list":{"copy":[{"name":"value","count":"[length(range(0, 2))]","input":"[format('x{0}', range(0, 2)[copyIndex('value')])]"}]},"secret":"[if(parameters('x'), createObject('reference', createObject('keyVault', createObject('id', resourceId('Microsoft.KeyVault/vaults', 'kv')), 'secretName', 'a')), createObject('value', 'plain'))]"}`},
		{"key vault", kv + "module m 'm.bicep' = {\n  name: 'dep'\n  params: {\n    secret: v.getSecret('a', 'b')\n  }\n}\n", "resources/0/properties/parameters",
			`{"secret":{"reference":{"keyVault":{"id":"[resourceId('Microsoft.KeyVault/vaults', 'kv')]"},"secretName":"a","secretVersion":"b"}}}`},
		{"output", "module m 'm.bicep' = {\n  name: 'dep'\n}\noutput o string = m.outputs.r\n", "outputs/o/value",
			`"[reference(resourceId('Microsoft.Resources/deployments', 'dep'), '2025-04-01').outputs.r.value]"`},
		{"output, symbolic", "module m 'm.bicep' = {}\noutput o string = m.outputs.r\n", "outputs/o/value", `"[reference('m').outputs.r.value]"`},
		{"no name", "module m 'm.bicep' = {}\n", "resources/m/name", `"[format('m-{0}', uniqueString('m', deployment().name))]"`},
		{"no name, in a loop", "module m 'm.bicep' = [for i in range(0, 2): {}]\n", "resources/m/name", `"[format('m-{0}-{1}', copyIndex(), uniqueString('m', deployment().name))]"`},
		{"other scope", "module m 'sub.bicep' = {\n  name: 'dep'\n  scope: subscription()\n}\n", "resources/0/subscriptionId", `"[subscription().subscriptionId]"`},
		{"location", "module m 'sub.bicep' = {\n  name: 'dep'\n  scope: subscription()\n}\n", "resources/0/location", `"[resourceGroup().location]"`},
		{"scope inside", "module m 'm.bicep' = {\n  name: 'dep'\n}\n", "resources/0/properties/expressionEvaluationOptions", `{"scope":"inner"}`},
	}, map[string]string{
		"m.bicep":   "param p string = ''\nparam list array = []\n@secure()\nparam secret string = ''\noutput r string = '${p}${length(list)}${length(secret)}'\n",
		"sub.bicep": "targetScope = 'subscription'\n",
	})
}

func TestTypes(t *testing.T) {
	t.Parallel()
	run(t, []one{
		{"literals", "param p 'a' | 'b' = 'a'\n", "parameters/p", `{"type":"string","allowedValues":["a","b"],"defaultValue":"a"}`},
		{"nullable", "param p int?\n", "parameters/p", `{"type":"int","nullable":true}`},
		{"array", "param p string[] = []\n", "parameters/p", `{"type":"array","items":{"type":"string"},"defaultValue":[]}`},
		{"array of literals", "param p ('a' | 'b')[]\n", "parameters/p", `{"type":"array","allowedValues":["a","b"]}`},
		{"tuple", "param p [int, string]\n", "parameters/p", `{"type":"array","prefixItems":[{"type":"int"},{"type":"string"}],"items":false}`},
		{"object", "param p { a: int, *: string }\n", "parameters/p", `{"type":"object","properties":{"a":{"type":"int"}},"additionalProperties":{"type":"string"}}`},
		{"alias", "@export()\n@description('d')\n@minLength(2)\ntype t = string\nparam p t\n", "definitions/t", `{"type":"string","metadata":{"__bicep_export!":true,"description":"d"},"minLength":2}`},
		{"use of an alias", "type t = string\nparam p t\n", "parameters/p", `{"$ref":"#/definitions/t"}`},
		{"part of an alias", "type t = { 'a/b': { c: int }[] }\ntype u = t\nparam p u['a/b'][*].c\n", "parameters/p", `{"$ref":"#/definitions/t/properties/a~1b/items/properties/c"}`},
		{"discriminated", "type a = { k: 'a' }\n@discriminator('k')\nparam p a | { k: 'b', x: int }\n", "parameters/p",
			`{"type":"object","discriminator":{"propertyName":"k","mapping":{"a":{"$ref":"#/definitions/a"},"b":{"type":"object","properties":{"k":{"type":"string","allowedValues":["b"]},"x":{"type":"int"}}}}}}`},
		{"secure", "@secure()\n@description('d')\nparam p string\n", "parameters/p", `{"type":"securestring","metadata":{"description":"d"}}`},
		{"secure object", "@secure()\nparam p object\n", "parameters/p", `{"type":"secureObject"}`},
		{"sealed", "@sealed()\ntype t = { a: int }\n", "definitions/t/additionalProperties", `false`},
		{"order of keys", "@description('d')\n@metadata({ m: 1 })\n@maxValue(3)\n@minValue(1)\n@allowed([1, 2])\nparam p int = 1\n", "parameters/p",
			`{"type":"int","defaultValue":1,"allowedValues":[1,2],"metadata":{"m":1,"description":"d"},"minValue":1,"maxValue":3}`},
		{"function", "@export()\nfunc f(a int, b string[]) string => '${a}${b[0]}'\n", "functions",
			`[{"namespace":"__bicep","members":{"f":{"parameters":[{"type":"int","name":"a"},{"type":"array","items":{"type":"string"},"name":"b"}],"output":{"type":"string","value":"[format('{0}{1}', parameters('a'), parameters('b')[0])]"},"metadata":{"__bicep_export!":true}}}}]`},
		{"exported variables", "@export()\n@description('d')\nvar b int = 1\n@export()\nvar a = 2\n", "metadata/__bicep_exported_variables!", `[{"name":"a"},{"name":"b","description":"d","type":{"type":"int"}}]`},
	}, nil)
}

func TestImports(t *testing.T) {
	t.Parallel()
	run(t, []one{
		{"type", "import { t as u } from 'lib.bicep'\nparam p u\n", "definitions/u", `{"type":"string","metadata":{"__bicep_imported_from!":{"sourceTemplate":"lib.bicep","originalIdentifier":"t"}}}`},
		{"variable", "import * as lib from 'lib.bicep'\noutput o int = lib.v\n", "variables", `{"_1.v":3}`},
		{"function", "import { f } from 'lib.bicep'\noutput o int = f()\n", "outputs/o/value", `"[__bicep.f()]"`},
		{"union of references from a template", "import { U } from 'lib.json'\nparam p U\n", "definitions/U/discriminator",
			`{"propertyName":"k","mapping":{"x":{"$ref":"#/definitions/_1.X"},"y":{"$ref":"#/definitions/_1.Y"}}}`},
		{"type of a template that holds itself", "import { R } from 'lib.json'\nparam p R\noutput o string = p.next!.next!.k\n", "definitions/R/properties/next", `{"$ref":"#/definitions/R","nullable":true}`},
	}, map[string]string{
		"lib.bicep": "@export()\ntype t = string\n@export()\nvar v = 3\n@export()\nfunc f() int => 1\n",
		"lib.json": `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "languageVersion": "2.0",
			"definitions": {
				"X": {"type": "object", "properties": {"k": {"type": "string", "allowedValues": ["x"]}}},
				"Y": {"type": "object", "properties": {"k": {"type": "string", "allowedValues": ["y"]}}},
				"R": {"type": "object", "metadata": {"__bicep_export!": true}, "properties": {"k": {"type": "string"}, "next": {"$ref": "#/definitions/R", "nullable": true}}},
				"U": {"type": "object", "metadata": {"__bicep_export!": true}, "discriminator": {"propertyName": "k", "mapping": {"y": {"$ref": "#/definitions/Y"}, "x": {"$ref": "#/definitions/X"}}}}
			}, "resources": {}}`,
	})
}

func TestWholeTemplate(t *testing.T) {
	t.Parallel()
	got := compile(t, map[string]string{"main.bicep": "metadata m = 'x'\nparam p string\nvar v = p\noutput o string = v\n"})
	const want = `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "contentVersion": "1.0.0.0",
  "metadata": {
    "_generator": {
      "name": "bicep",
      "version": "1.2.3",
      "templateHash": "HASH"
    },
    "m": "x"
  },
  "parameters": {
    "p": {
      "type": "string"
    }
  },
  "variables": {
    "v": "[parameters('p')]"
  },
  "resources": [],
  "outputs": {
    "o": {
      "type": "string",
      "value": "[variables('v')]"
    }
  }
}`
	hash := templatehash.Sum([]byte(strings.Replace(want, ",\n      \"templateHash\": \"HASH\"", "", 1)))
	if w := strings.Replace(want, "HASH", hash, 1); string(got) != w {
		t.Errorf("got\n%s\nwant\n%s", got, w)
	}
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	for scope, want := range map[string]string{
		"resourceGroup":   "2019-04-01/deploymentTemplate.json#",
		"subscription":    "2018-05-01/subscriptionDeploymentTemplate.json#",
		"managementGroup": "2019-08-01/managementGroupDeploymentTemplate.json#",
		"tenant":          "2019-08-01/tenantDeploymentTemplate.json#",
	} {
		got := at(t, compile(t, map[string]string{"main.bicep": "targetScope = '" + scope + "'\n"}), "$schema")
		if !strings.HasSuffix(got, "/"+want+`"`) {
			t.Errorf("%s: %s", scope, got)
		}
	}
}

// TestModuleIsWrittenOnce: a module that is used twice has the same text in both
// places, and the text is laid out as if it had been printed there.
func TestModuleIsWrittenOnce(t *testing.T) {
	t.Parallel()
	out := compile(t, map[string]string{
		"main.bicep": "module a 'm.bicep' = {\n  name: 'a'\n}\nmodule b 'm.bicep' = {\n  name: 'b'\n}\n",
		"m.bicep":    "param text string = '''\na\n  b'''\n" + storage,
	})
	v, err := armjson.ParseBytes(out, armjson.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again := armjson.Append(nil, v, armjson.Indented); !bytes.Equal(again, out) {
		t.Errorf("got\n%s\nwant\n%s", out, again)
	}
	if a, b := at(t, out, "resources/0/properties/template"), at(t, out, "resources/1/properties/template"); a != b || a == "nothing" {
		t.Errorf("%s\n%s", a, b)
	}
}

func TestJSONModule(t *testing.T) {
	t.Parallel()
	out := compile(t, map[string]string{
		"main.bicep": "module a 'm.json' = {\n  name: 'a'\n}\n",
		"m.json":     `{"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#","contentVersion":"1.0.0.0", /* c */ "resources":[], "z":[1.50,{}]}`,
	})
	if got, want := at(t, out, "resources/0/properties/template/z"), `[1.5,{}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func BenchmarkTemplate(b *testing.B) {
	var s strings.Builder
	for i := range 500 {
		s.WriteString(strings.Replace(storage, "resource s ", "resource s"+string(rune('a'+i%26))+strings.Repeat("x", i/26)+" ", 1))
	}
	files := map[string]string{"main.bicep": s.String()}
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(compile(b, files))))
	}
}

// TestExperimental writes what only experimental features allow.
func TestExperimental(t *testing.T) {
	t.Parallel()
	const module = "module m 'm.bicep' = {\n  name: 'dep'\n}\n"
	run(t, []one{
		{"resource as a parameter", "param p resource '" + storageType + "'\n", "parameters/p", `{"type":"string","metadata":{"resourceType":"Microsoft.Storage/storageAccounts@2023-01-01"}}`},
		{"its id", "param p resource '" + storageType + "'\noutput o string = p.id\n", "outputs/o/value", `"[parameters('p')]"`},
		{"its name", "param p resource '" + storageType + "'\noutput o string = p.name\n", "outputs/o/value", `"[last(split(parameters('p'), '/'))]"`},
		{"its properties", "param p resource '" + storageType + "'\noutput o object = p.properties.x\n", "outputs/o/value", `"[reference(parameters('p')).x]"`},
		{"its tags, safely", "param p resource '" + storageType + "'\noutput o object? = p.?tags\n", "outputs/o/value", `"[tryGet(reference(parameters('p'), '2023-01-01', 'full'), 'tags')]"`},
		{"resource as an output", storage + "output o resource '" + storageType + "' = s\n", "outputs/o", `{"type":"string","metadata":{"resourceType":"Microsoft.Storage/storageAccounts@2023-01-01"},"value":"[resourceId('Microsoft.Storage/storageAccounts', 'st')]"}`},
		{"id of a module's", module + "output o string = m.outputs.r.id\n", "outputs/o/value", `"[reference('m').outputs.r.value]"`},
		{"name of a module's", module + "output o string = m.outputs.r.name\n", "outputs/o/value", `"[last(split(reference('m').outputs.r.value, '/'))]"`},
		{"given to a module", storage + "module n 'n.bicep' = {\n  name: 'n'\n  params: {\n    r: s\n  }\n}\n", "resources/n/properties/parameters", `{"r":{"value":"[resourceId('Microsoft.Storage/storageAccounts', 'st')]"}}`},
		{"local", "targetScope = 'local'\nmodule n 'local.bicep' = {}\n", "resources/n/properties/template/outputs", `{"o":{"type":"string","value":"[[format('{0}x', variables('v'))]"},"p":{"type":"string","value":"y"}}`},
		{"local extension", "targetScope = 'local'\nmodule n 'local.bicep' = {}\n", "imports", `{"az0synthesized":{"provider":"LocalNested","version":"0.0.0"}}`},
	}, map[string]string{
		"bicepconfig.json": `{"experimentalFeaturesEnabled": {"resourceTypedParamsAndOutputs": true, "localDeploy": true}}`,
		"m.bicep":          storage + "output r resource '" + storageType + "' = s\n",
		"n.bicep":          "param r resource '" + storageType + "'\noutput o string = r.id\n",
		"local.bicep":      "targetScope = 'local'\nvar v = '[plain]'\noutput o string = '${v}x'\noutput p string = 'y'\n",
	})
}

func TestScopes(t *testing.T) {
	t.Parallel()
	const lock = "resource l 'Microsoft.Authorization/locks@2020-05-01' = {\n  scope: s\n  name: 'no'\n  properties: {\n    level: 'ReadOnly'\n  }\n}\n"
	run(t, []one{
		{"id of an extending resource", storage + lock + "output o string = l.id\n", "outputs/o/value", `"[extensionResourceId(resourceId('Microsoft.Storage/storageAccounts', 'st'), 'Microsoft.Authorization/locks', 'no')]"`},
		{"tenant", "module m 'tenant.bicep' = {\n  name: 'm'\n  scope: tenant()\n}\n", "resources/0/scope", `"/"`},
		{"group", "targetScope = 'tenant'\nmodule m 'mg.bicep' = {\n  name: 'm'\n  scope: managementGroup('g')\n}\n", "resources/0/scope", `"[format('Microsoft.Management/managementGroups/{0}', 'g')]"`},
		{"output of a group's", "targetScope = 'tenant'\nmodule m 'mg.bicep' = {\n  name: 'm'\n  scope: managementGroup('g')\n}\noutput o string = m.outputs.x\n", "outputs/o/value", `"[reference(extensionResourceId(tenantResourceId('Microsoft.Management/managementGroups', 'g'), 'Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs.x.value]"`},
		{"location there", "targetScope = 'tenant'\nmodule m 'mg.bicep' = {\n  name: 'm'\n  scope: managementGroup('g')\n}\n", "resources/0/location", `"[deployment().location]"`},
		{"subscription", "module m 'sub.bicep' = {\n  name: 'm'\n  scope: subscription('id')\n}\noutput o string = m.outputs.x\n", "outputs/o/value", `"[reference(subscriptionResourceId('id', 'Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs.x.value]"`},
		{"options", "@onlyIfNotExists()\n" + storage, "resources/s/@options", `{"onlyIfNotExists":[]}`},
	}, map[string]string{
		"tenant.bicep": "targetScope = 'tenant'\n",
		"mg.bicep":     "targetScope = 'managementGroup'\noutput x string = 'x'\n",
		"sub.bicep":    "targetScope = 'subscription'\noutput x string = 'x'\n",
	})
}

func TestLiteralTypes(t *testing.T) {
	t.Parallel()
	run(t, []one{
		{"objects and tuples", "param p ({ x: 1 } | { x: 2 })[]\n", "parameters/p", `{"type":"array","allowedValues":[{"x":1},{"x":2}]}`},
		{"null among them", "param p 'a' | 'b' | null\n", "parameters/p", `{"type":"string","allowedValues":["a","b"],"nullable":true}`},
		{"array of one object", "param p { x: 1, y: [true, 'z'] }[]\n", "parameters/p", `{"type":"array","allowedValues":[{"x":1,"y":[true,"z"]}]}`},
		{"negative and long", "param p -1 | 3000000000\n", "parameters/p", `{"type":"int","allowedValues":[-1,3000000000]}`},
		{"rest and item of an alias", "type t = { *: [int, string] }\nparam p t.*[1]\n", "parameters/p", `{"$ref":"#/definitions/t/additionalProperties/prefixItems/1"}`},
		{"not null", "type t = { a: int? }\nparam p t.a!\n", "parameters/p", `{"$ref":"#/definitions/t/properties/a","nullable":false}`},
		{"name with blanks", "type t = { 'a ~é': int }\nparam p t['a ~é']\n", "parameters/p", `{"$ref":"#/definitions/t/properties/a%20~0%C3%A9"}`},
	}, nil)
}
