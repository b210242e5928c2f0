package check_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// program checks files in memory, which are given by name and text. The entry is
// main.bicep, unless there is a main.bicepparam; its text may be given alone.
func program(t *testing.T, files ...string) *check.Model {
	t.Helper()
	in, entry := map[string]string{}, "main.bicep"
	if len(files) == 1 {
		in[entry] = files[0]
	}
	for i := 0; i+1 < len(files); i += 2 {
		in[files[i]] = files[i+1]
		if files[i] == "main.bicepparam" {
			entry = "main.bicepparam"
		}
	}
	return checktest.Program(t, entry, in, check.Options{}).Entry()
}

// findings writes what is found as "line:column code", with a W behind warnings.
func findings(m *check.Model) string {
	var list []string
	for _, d := range m.Diagnostics() {
		p := d.File.Position(d.Span.Start)
		s := fmt.Sprintf("%d:%d %s", p.Line, p.Column, d.Code())
		if d.Severity != diag.Error {
			s += " W"
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

func TestFindings(t *testing.T) {
	t.Parallel()
	const storage = "'Microsoft.Storage/storageAccounts@2023-01-01'"
	tests := []struct{ name, text, want string }{
		// What the library of Azure's types says may be wrong.
		{"tags and zones of a type in the library", "resource r " + storage + " = {\n  name: 'r'\n  location: 'l'\n  zones: [1]\n  tags: { n: 1 }\n}", "4:11 BCP034 W, 5:14 BCP036 W"},
		{"zones that a type in the library does not declare", "resource r 'Microsoft.Logic/workflows@2019-05-01' = {\n  name: 'r'\n  location: 'l'\n  zones: [1]\n}", "4:11 BCP034"},
		{"what is set is known, and null is let pass", "param p bool\nresource r " + storage + " = {\n  name: 'r'\n  location: 'l'\n  sku: { name: 's' }\n  kind: p ? 'k' : null\n}\noutput l 'l' = r.location\noutput s 's' = r.sku.name", ""},
		{"tags and zones of a type that cannot be in it", "resource r 'Fabrikam.Things/all@2020-01-01' = {\n  name: 'r'\n  zones: [1]\n  tags: { n: 1 }\n}", "1:12 BCP081 W, 3:11 BCP034, 4:14 BCP036"},

		// Types of parameters, variables and outputs.
		{"an item of nothing", "output o array = map([], x => x[0][1])\noutput p array = [for x in []: x['a']]", ""},
		{"fine", "param n int = 3\noutput o string = 'x${n}'", ""},
		{"a default of another type", "param n int = 'a'", "1:15 BCP033"},
		{"an output of another type", "output o bool = 1", "1:17 BCP033"},
		{"a variable of a stated type", "var v string[] = ['a', 2]", "1:24 BCP034"},
		{"no such type", "param p strin", "1:9 BCP302"},
		{"a value as a type", "param a string\nparam b a", "2:9 BCP287"},
		{"a type as a value", "type T = string\noutput o string = T", "2:19 BCP288"},
		{"a namespace as a type", "param p sys", "1:9 BCP306"},
		{"a nullable parameter with a default", "param p string? = 'a'", "1:17 BCP326"},
		{"a default that uses a variable", "var v = 'a'\nparam p string = v", "2:18 BCP072"},
		{"a union of two kinds", "type T = 'a' | 1", "1:10 BCP294"},
		{"a union of what is no constant", "type T = 'a' | string", "1:16 BCP293"},
		{"properties of a type given twice", "type T = {\n  a: int\n  a: string\n}", "3:3 BCP025"},
		{"an item that a tuple has not", "type T = [int]\nparam p T[1]", "2:11 BCP311"},
		{"rest of a type that has none", "type T = { a: int }\nparam p T.*", "2:11 BCP389"},
		{"items of what is no array", "type T = { a: int }\nparam p T[*]", "2:10 BCP390"},
		{"variants told apart", "@discriminator('k')\ntype T = { k: 'a', x: int } | { k: 'b' }\nparam p T = { k: 'b', x: 1 }", "3:23 BCP037 W"},
		{"variants that cannot be told apart", "@discriminator('k')\ntype T = { k: 'a' } | { k: 'a' }", "2:23 BCP365"},
		{"limits the wrong way round", "@minLength(3)\n@maxLength(2)\nparam p string", "1:1 BCP331"},
		{"allowed values", "@allowed(['a', 'b'])\nparam p string = 'c'", "2:18 BCP033"},
		{"no allowed values", "@allowed([])\nparam p string", "1:10 BCP099"},
		{"a type that needs itself", "type T = { a: T }", "1:6 BCP298"},
		{"types that need each other", "type A = { b: B }\ntype B = { a: A }", "1:6 BCP299, 2:6 BCP299"},
		{"a type that may hold itself", "type T = { a: T? }\nparam p T = { a: { a: null } }", ""},
		{"a list of itself", "type T = { kids: T[]? }\nparam p T = { kids: [{ kids: 1 }] }", "2:30 BCP036"},

		{"a type of a name that is taken", "type resource = string", "1:6 BCP301"},
		{"an array of what is no type", "type T = nope[]", "1:10 BCP302"},
		{"the smallest number", "type T = -9223372036854775808\nparam p T", ""},
		{"a number that is too small", "type T = -9223372036854775809", "1:10 BCP285"},
		{"what is not a constant negated", "type T = -int", "1:10 BCP285"},
		{"a literal negated", "type A = 5\ntype T = -A\nparam p T = 5", "3:13 BCP033"},
		{"a negation", "type T = !true\nparam p T = true", "2:13 BCP033"},
		{"a limit that is no number", "@minLength('a')\nparam p string = ''", "1:12 BCP070"},

		// Expressions.
		{"an operator in a condition is not in its branch", "func f(a int?) bool => a > 1 ? true : false", "1:24 BCP045"},
		{"an operator on other types", "output o int = 1 + 'a'", "1:16 BCP045"},
		{"a condition that is none", "output o string = 1 ? 'a' : 'b'", "1:19 BCP046"},
		{"an unknown property", "var v = { a: 1 }\noutput o int = v.b", "2:18 BCP053"},
		{"a misspelt property", "var v = { colour: 1 }\noutput o int = v.color", "2:18 BCP083"},
		{"a property of what has none", "output o int = 'a'.b", "1:20 BCP055"},
		{"an index that is none", "output o int = [1]['a']", "1:20 BCP074"},
		{"an index out of bounds", "output o int = [1][3]", "1:20 BCP311"},
		{"a property of what may be null", "param p { a: int }?\noutput o int = p.a", "2:17 BCP318 W"},
		{"a safe access", "param p { a: int }?\noutput o int? = p.?a", ""},
		{"a safe access of one of several that may not be there",
			"@nullIfNotFound()\nresource s " + storage + " existing = [for i in [1]: { name: 'a${i}' }]\noutput o string? = s[0].?kind\noutput p string = s[0].kind",
			"4:23 BCP318 W"},
		{"an operand that may be null", "func f(c bool, a int?) bool => c ? a > 1 : false", "1:36 BCP321 W"},
		{"an item of what may be no array", "param c bool\noutput o int = (c ? [1] : 'a')[0]", "2:16 BCP076"},
		{"an item from the end", "output o int = [1, 'a'][^1]", "1:16 BCP033"},
		{"an item from the end of an object", "output o int = { a: 1 }[^'a']", "1:25 BCP414"},
		{"an item before the beginning", "param p int[]\noutput o int = p[-1]", "2:18 BCP339"},
		{"any variant's property", "@discriminator('k')\ntype T = { k: 'a', x: int } | { k: 'b', x: string }\nparam p T\noutput o bool = p.x", ""},
		{"types are not judged where the text is not understood", "output o { a: int } = { a: 'x', b: }", "1:36 BCP009"},
		{"null for one of the properties that are not named", "param p { *: int } = { a: null }", "1:27 BCP036"},
		{"a variant given twice", "@discriminator('k')\ntype T = { k: 'a', x: { y: int } } | { k: 'b' }\nparam p T = { k: 'a', k: 'a', x: { y: 1 } }", "3:15 BCP025, 3:23 BCP025"},
		{"operands that may both be null", "func f(c bool, a int?, b int?) bool => c ? a > b : false", "1:44 BCP321 W, 1:44 BCP321 W"},
		{"null for what a resource may lack", "param c bool\nresource s " + storage + " = { name: 'a', location: c ? 'b' : null, zones: c ? ['1'] : null, tags: null }", ""},
		{"null for what any resource may lack", "param c bool\n#disable-next-line BCP081\nresource s 'Own.Kind/things@2023-01-01' = { name: 'a', zones: c ? ['1'] : null }", "3:63 BCP321 W"},
		{"a variant that only the library knows", "@discriminator('k')\ntype T = resourceInput<" + storage + ">.properties | { k: 'a' }", "2:10 BCP411"},
		{"a key given twice", "var v = {\n  a: 1\n  a: 2\n}", "2:3 BCP025, 3:3 BCP025"},
		{"spread of what is no object", "var v = { ...[1] }", "1:11 BCP402"},
		{"no function of that name", "output o string = nope()", "1:19 BCP057"},
		{"one of many arguments of another type", "output o int = max(1, 2, 'a')", "1:26 BCP070"},
		{"too few arguments", "output o string = toLower()", "1:26 BCP071"},
		{"an argument of another type", "output o string = toLower(1)", "1:27 BCP070"},
		{"lambdas know what they are called with", "output o int[] = map(['a'], s => s)", "1:18 BCP033"},
		{"a function of one's own", "func twice(n int) int => n * 2\noutput o int = twice('a')", "2:22 BCP070"},
		{"a variable that needs itself", "var v = v", "1:9 BCP079"},
		{"variables that need each other", "var a = b\nvar b = a", "1:9 BCP080, 2:9 BCP080"},
		{"the use of what is wrong", "var a = nope\nvar b = a", "1:9 BCP057, 2:9 BCP062"},
		{"a loop over what is no array", "var v = [for x in 'a': x]", "1:19 BCP137"},

		{"what a variable holds is looked into, and reported where it is used", "var v = { a: 'x' }\nvar w = v\noutput o { a: int } = w", "2:9 BCP036"},
		{"a key given twice among many", "var v = { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1, l: 1, a: 2 }", "1:11 BCP025, 1:83 BCP025"},
		{"a tuple as one of another length", "param p [int, int]\nvar v [int] = p", "2:15 BCP332"},
		{"a safe access to what is not there", "var v = { a: 1 }\noutput o int? = v.?b", "2:20 BCP053 W"},
		{"allowed numbers", "@allowed([1, 2])\nparam p int = 3", "2:15 BCP327"},
		{"allowed truths", "@allowed([true])\nparam p bool = false", "2:16 BCP033"},
		{"allowed items", "@allowed(['a', 'b'])\nparam p array = ['c']", "2:18 BCP034"},
		{"allowed arrays", "@allowed([['a'], ['b']])\nparam p array = ['c']", "2:18 BCP034, 2:18 BCP034"},
		{"the length of text with holes", "param p 'ab' | 'abcd'\nvar w {\n  @maxLength(3)\n  a: string\n} = { a: '${p}' }", "5:10 BCP335 W"},

		// Decorators.
		{"a decorator of another type", "@minLength(1)\nparam p int", "1:1 BCP124"},
		{"a decorator for another statement", "@batchSize(1)\nparam p int", "1:2 BCP125"},
		{"a decorator given twice", "@description('a')\n@description('b')\nparam p int", "1:1 BCP166, 2:1 BCP166"},
		{"a function as a decorator", "@concat('a')\nparam p int", "1:2 BCP152"},
		{"a variable as a decorator", "var v = 1\n@v\nparam p int", "2:2 BCP141"},
		{"a decorator before nothing", "@secure()\n", "1:1 BCP292"},
		{"decorators before a target scope", "@description('a')\ntargetScope = 'subscription'", "1:1 BCP130"},

		// Resources.
		{"a resource", "resource s " + storage + " = {\n  name: 's'\n}\noutput o string = s.id", ""},
		{"a resource without a name", "resource s " + storage + " = {}", "1:10 BCP035"},
		{"a misspelt property of a resource", "resource s " + storage + " = {\n  name: 's'\n  locatoin: 'x'\n}", "3:3 BCP089"},
		{"a property that no resource has", "resource s " + storage + " existing = {\n  name: 's'\n  ...{}\n  etag: 'x'\n  more: 1\n}", "4:3 BCP173, 5:3 BCP037"},
		{"the parent of what is no child", "resource s " + storage + " = {\n  name: 's'\n  parent: s2\n}\nresource s2 " + storage + " = {\n  name: 's2'\n}", "3:3 BCP037"},
		{"no type of resource", "resource s 'storage' = {\n  name: 's'\n}", "1:12 BCP029"},
		{"a type of which nothing is known", "resource s 'Contoso.App/things@2020-01-01' = {\n  name: 's'\n}", "1:12 BCP081 W"},
		{"a type made of an extension's ID", "resource s 'Microsoft.Storage/storageAccounts/providers/locks@2020-01-01' = {\n  name: 'a/b/c'\n}", "1:12 BCP174 W"},
		{"a type with holes", "resource s 'a${1}' = {\n  name: 's'\n}", "1:12 BCP047"},
		{"a child within", "resource s " + storage + " = {\n  name: 's'\n  resource b 'blobServices' = {\n    name: 'default'\n  }\n}\noutput o string = s::b.id", ""},
		{"a child of a child in one step", "resource s " + storage + " = {\n  name: 's'\n  resource b 'blobServices/containers' = {\n    name: 'c'\n  }\n}", "3:14 BCP156"},
		{"a parent of another type", "resource v 'Microsoft.KeyVault/vaults@2023-07-01' = {\n  name: 'v'\n}\n" +
			"resource b 'Microsoft.Storage/storageAccounts/blobServices@2023-01-01' = {\n  parent: v\n  name: 'default'\n}", "5:11 BCP036"},
		{"a resource that may not be there", "param yes bool\nresource s " + storage + " = if (yes) {\n  name: 's'\n}\noutput o string = s.properties.a", "5:20 BCP318 W"},
		{"its identity is known all the same", "param yes bool\nresource s " + storage + " = if (yes) {\n  name: 's'\n}\noutput o string = s.id", ""},

		// Scopes.
		{"a resource group in a resource group", "resource g 'Microsoft.Resources/resourceGroups@2022-09-01' = {\n  name: 'g'\n}", ""},
		{"a scope of another deployment", "resource s " + storage + " = {\n  name: 's'\n  scope: resourceGroup('other')\n}", "3:10 BCP139"},
		{"two target scopes", "targetScope = 'tenant'\ntargetScope = 'tenant'", "1:1 BCP112, 2:1 BCP112"},
		{"no such target scope", "targetScope = 'planet'", "1:15 BCP033"},
		{"the scope of a child", "resource s " + storage + " = {\n  name: 's'\n}\nresource b 'Microsoft.Storage/storageAccounts/blobServices@2023-01-01' = {\n" +
			"  parent: s\n  scope: s\n  name: 'default'\n}", "6:10 BCP164"},

		// What pragmas silence.
		{"the next line", "#disable-next-line BCP081\nresource s 'Contoso.App/things@2020-01-01' = {\n  name: 's'\n}", ""},
		{"not the line behind", "#disable-next-line BCP081\n\nresource s 'Contoso.App/things@2020-01-01' = {\n  name: 's'\n}", "3:12 BCP081 W"},
		{"until restored", "#disable-diagnostics BCP081\nresource s 'Contoso.App/things@2020-01-01' = {\n  name: 's'\n}\n#restore-diagnostics BCP081\n" +
			"resource r 'Contoso.App/things@2020-01-01' = {\n  name: 'r'\n}", "6:12 BCP081 W"},
		{"errors stay", "#disable-next-line BCP057\nvar v = nope", "2:9 BCP057"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := findings(program(t, tt.text)); got != tt.want {
				t.Errorf("got  %s\nwant %s\n%s", got, tt.want, tt.text)
			}
		})
	}
}

func TestModules(t *testing.T) {
	t.Parallel()
	const mod = "param a string\nparam b int = 1\n@secure()\nparam c string?\noutput o int = b\n"
	tests := []struct{ name, main, mod, want string }{
		{"fine", "module m 'mod.bicep' = {\n  params: { a: 'x' }\n}\noutput o int = m.outputs.o", mod, ""},
		{"a parameter is missing", "module m 'mod.bicep' = {\n  params: {}\n}", mod, "2:3 BCP035"},
		{"no such parameter", "module m 'mod.bicep' = {\n  params: { a: 'x', zz: 1 }\n}", mod, "2:21 BCP037"},
		{"a parameter of another type", "module m 'mod.bicep' = {\n  params: { a: 1 }\n}", mod, "2:16 BCP036"},
		{"no such output", "module m 'mod.bicep' = {\n  params: { a: 'x' }\n}\noutput o int = m.outputs.x", mod, "4:26 BCP053"},
		{"a module with errors", "module m 'mod.bicep' = {}", "var v = nope", "1:10 BCP104"},
		{"another scope is named", "module m 'mod.bicep' = {\n  scope: subscription()\n}", "targetScope = 'subscription'", ""},
		{"another scope is not named", "module m 'mod.bicep' = {}", "targetScope = 'subscription'", "1:8 BCP035, 1:24 BCP134"},
		{"a scope that cannot be reached", "module m 'mod.bicep' = {\n  scope: managementGroup('m')\n}", "targetScope = 'managementGroup'", "2:10 BCP116"},
		{"an import", "import { T, f } from 'mod.bicep'\nparam p T = f(1)", "@export()\ntype T = string\n@export()\nfunc f(n int) string => string(n)", ""},
		{"an import of another type", "import { v } from 'mod.bicep'\noutput o int = v", "@export()\nvar v = 'a'", "2:16 BCP033"},
		{"all imports", "import * as x from 'mod.bicep'\nparam p x.T = x.f('a')", "@export()\ntype T = string\n@export()\nfunc f(n int) string => string(n)", "2:19 BCP070"},
		{"imported twice", "import { v, v as w } from 'mod.bicep'\noutput o string = '${v}${w}'", "@export()\nvar v = 'a'", "1:10 BCP362, 1:13 BCP362"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := findings(program(t, "main.bicep", tt.main, "mod.bicep", tt.mod)); got != tt.want {
				t.Errorf("got  %s\nwant %s\n%s", got, tt.want, tt.main)
			}
		})
	}
}

func TestARMModules(t *testing.T) {
	t.Parallel()
	const head = `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": []`
	tests := []struct{ name, main, template, want string }{
		{"fine", "module m 'm.json' = { params: { p: 'x' } }\noutput o int = m.outputs.o", head + `, "parameters": {"p": {"type": "string"}}, "outputs": {"o": {"type": "int", "value": 1}}}`, ""},
		{"a parameter of another type", "module m 'm.json' = { params: { p: 1 } }", head + `, "parameters": {"p": {"type": "string"}}}`, "1:36 BCP036"},
		{"what is no template", "module m 'm.json' = {}", `{}`, "1:10 BCP188"},
		{"an import", "import { T } from 'm.json'\nparam p T = 1", head + `, "languageVersion": "2.0", "definitions": {"T": {"type": "string", "metadata": {"__bicep_export!": true}}}}`, "2:13 BCP033"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := findings(program(t, "main.bicep", tt.main, "m.json", tt.template)); got != tt.want {
				t.Errorf("got  %s\nwant %s\n%s", got, tt.want, tt.main)
			}
		})
	}
}

func TestParameters(t *testing.T) {
	t.Parallel()
	const template = "param a string\nparam b int = 1\nparam c { x: 'p' | 'q' }?\n"
	tests := []struct{ name, params, want string }{
		{"fine", "using 'main.bicep'\nparam a = 'x'", ""},
		{"one is missing", "using 'main.bicep'", "1:7 BCP258"},
		{"null is no value", "using 'main.bicep'\nparam a = null", "1:7 BCP258"},
		{"no such parameter", "using 'main.bicep'\nparam a = 'x'\nparam zz = 1", "3:1 BCP259"},
		{"another type", "using 'main.bicep'\nparam a = 1", "2:11 BCP033"},
		{"a type within", "using 'main.bicep'\nparam a = 'x'\nparam c = { x: 'r' }", "3:16 BCP088"},
		{"no template", "param a = 1", "1:1 BCP261"},
		{"none", "using none\nparam a = 1", ""},
		{"two", "using 'main.bicep'\nusing 'main.bicep'\nparam a = 'x'", "1:1 BCP262, 2:1 BCP262"},
		{"what needs a deployment is imported", "using 'main.bicep'\nimport { v, w } from 'vars.bicep'\nparam a = v", "2:10 BCP452"},
		{"all of it is imported", "using 'main.bicep'\nimport * as x from 'vars.bicep'\nparam a = x.w", "2:8 BCP452"},
		{"base without a file that is extended", "using 'main.bicep'\nparam a = base.a", "2:11 BCP057, 2:11 BCP437"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := program(t, "main.bicep", template, "vars.bicep", "@export()\nvar v = a()\nfunc a() string => resourceGroup().name\n@export()\nvar w = 'w'", "main.bicepparam", tt.params)
			if got := findings(m); got != tt.want {
				t.Errorf("got  %s\nwant %s\n%s", got, tt.want, tt.params)
			}
		})
	}
}

func TestOffers(t *testing.T) {
	t.Parallel()
	m := program(t, `
@description('the size')
param size int
param zone string = 'a'
param opt string?
@secure()
output secret string = zone
output plain int = size
@export()
@description('a shape')
type Shape = { side: int }
@export()
@description('''the
  first''')
var one = 1
@export()
func double(n int) int => n * 2
`)
	if got := findings(m); got != "" {
		t.Fatal(got)
	}
	var list []string
	for _, p := range m.Parameters() {
		list = append(list, fmt.Sprintf("%s %s %t", p.Name, p.Type.Type(), p.Required))
	}
	for _, o := range m.Outputs() {
		list = append(list, fmt.Sprintf("%s %s %t", o.Name, o.Type.Type(), o.Secure))
	}
	for _, e := range m.Exports() {
		s := fmt.Sprintf("%s %s %s", e.Kind, e.Name, e.Type.Type())
		if e.Description != "" {
			s += fmt.Sprintf(" %q", e.Description)
		}
		list = append(list, s)
	}
	want := `opt null | string false
size int true
zone string false
secret string true
plain int false
Type Shape Type<{ side: int }>
Function double int => int
Variable one 1 "the\nfirst"`
	if got := strings.Join(list, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	m := program(t, `
resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {
  name: 'st'
  scope: resourceGroup('other')
  resource blob 'blobServices' existing = {
    name: 'default'
  }
}
resource c 'Microsoft.Storage/storageAccounts/blobServices/containers@2023-01-01' existing = [for i in range(0, 2): {
  parent: s::blob
  name: 'c${i}'
}]
var picked = c[0]
resource d 'Microsoft.Storage/storageAccounts@2023-01-01' = [for i in range(0, 2): {
  name: 'd${i}'
}]
resource l 'Microsoft.Authorization/locks@2020-05-01' = {
  name: 'l'
  scope: d[1]
  properties: { level: 'CanNotDelete' }
}
`)
	if got := findings(m); got != "" {
		t.Fatal(got)
	}
	var list []string
	for _, r := range m.DeclaredResources() {
		s := r.Symbol.Name() + " " + r.TypeRef().Name()
		for _, a := range m.Ancestors(r) {
			s += fmt.Sprintf(" < %s", a.Resource.Symbol.Name())
		}
		d := m.ResourceScope(r)
		s += fmt.Sprintf(" in %s", d.Requested)
		if d.ResourceGroup != nil {
			s += " " + m.Source().Slice(d.ResourceGroup.Span())
		}
		if d.Resource != nil {
			s += fmt.Sprintf(" %s[%s]", d.Resource.Symbol.Name(), m.Source().Slice(d.Index.Span()))
		}
		list = append(list, s)
	}
	want := `blob Microsoft.Storage/storageAccounts/blobServices@2023-01-01 < s in resourceGroup 'other'
s Microsoft.Storage/storageAccounts@2023-01-01 in resourceGroup 'other'
c Microsoft.Storage/storageAccounts/blobServices/containers@2023-01-01 < s < blob in resourceGroup 'other'
d Microsoft.Storage/storageAccounts@2023-01-01 in resourceGroup
l Microsoft.Authorization/locks@2020-05-01 in resource d[1]`
	if got := strings.Join(list, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if v, ok := m.Binding().Symbol(m.Tree().Stmts[2]).(*bind.Var); !ok || m.Resource(v.Stmt.Value) != nil {
		t.Error("an element of a collection is not the collection")
	}
	if name := m.DeclaredResources()[1].NameExpr(); m.Source().Slice(name.Span()) != "'st'" {
		t.Errorf("name: %s", m.Source().Slice(name.Span()))
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	m := program(t, "var a = sys.toLower('A')\nvar b = union([1], [2])\nvar c = toLower(nope)")
	call := func(i int) syntax.Node { return m.Tree().Stmts[i].(*syntax.Var).Value }
	for i, want := range []string{"toLower", "union", "toLower"} {
		f, ok := m.Symbol(call(i)).(*bind.Function)
		if !ok || f.Name() != want {
			t.Errorf("%d: symbol %v, want %s", i, f, want)
		}
	}
	if o := m.Overload(call(0)); o == nil || o.Name != "toLower" {
		t.Errorf("overload of toLower: %v", o)
	}
	if o := m.Overload(call(2)); o != nil {
		t.Errorf("a call with a wrong argument resolved to %s", o.Name)
	}
	if got := m.TypeOf(call(0)).String(); got != "'a'" {
		t.Errorf("toLower('A') is of type %s", got)
	}
}

func TestDecorators(t *testing.T) {
	t.Parallel()
	m := program(t, "@sys.description('''\n  one\n    two\n  ''')\n@secure()\nparam p string\n")
	p := m.Binding().Params[0].Stmt
	if m.SystemDecorator(p, "secure") == nil || m.SystemDecorator(p, "allowed") != nil {
		t.Error("decorators are not told apart")
	}
	if got := m.SymbolType(m.Binding().Params[0]).String(); got != "string" {
		t.Errorf("type %s", got)
	}
}

// What the official compiler crashes on gets an answer here.
func TestNoCrash(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"type a = b.x\ntype b = { x: a }",
		"type a = a.x",
		"type a = a[]?\nparam p a",
		"var x = 'y'\ntype T = 'a' | 'b${x}'",
		"func f() string => f()",
		"resource r 'A.B/c@2020-01-01' = {\n  name: r.name\n}",
		"output o string = sys.?nope",
		"resource a 'A.B/c@2020-01-01' = {\n  parent: a\n  name: 'x'\n}",
		"param p resourceInput<>",
		"type t = resourceInput<'A.B/c@2020-01-01'>.x.y[0][*].*",
		"var v = [for x in v: x]",
		"module m 'main.bicep' = {}",
		"import * as x from 'main.bicep'",
		strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300),
	} {
		m := program(t, text)
		m.Diagnostics()
		m.Parameters()
		m.Exports()
	}
}

// Twice as many resources take about twice as long: nothing is looked at from
// everywhere else.
func BenchmarkResources(b *testing.B) {
	for _, n := range []int{2500, 5000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var s strings.Builder
			for i := range n {
				fmt.Fprintf(&s, "resource r%d 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'r%d'\n  location: 'x'\n  tags: { a: 'b' }\n}\n", i, i)
			}
			fs := source.Memory{"/p/main.bicep": s.String()}
			g, err := graph.Load(context.Background(), "/p/main.bicep", graph.Options{FS: fs, Cache: source.Memory{}})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				check.NewProgram(g, check.Options{Namespaces: namespaces.NewProvider(nil)}).Entry().Diagnostics()
			}
		})
	}
}

// Things that use others twice, which use others twice, are as large as they are
// written, not as what they stand for.
func TestDoubling(t *testing.T) {
	t.Parallel()
	const steps = 60
	repeat := func(first, step, last string) string {
		s := first
		for i := 1; i < steps; i++ {
			s += fmt.Sprintf(step, i, i-1)
		}
		return s + fmt.Sprintf(last, steps-1)
	}
	tests := []struct{ name, text, want string }{
		{"arrays", repeat("var a0 = [1]\n", "var a%[1]d = [a%[2]d, a%[2]d]\n", "output o string = string(a%[1]d)\noutput n int = length(a%[1]d)"), ""},
		{"joined arrays", repeat("var a0 = [1]\n", "var a%[1]d = concat(a%[2]d, a%[2]d)\n", "output o array = a%[1]d"), ""},
		{"spread arrays", repeat("var a0 = [1]\n", "var a%[1]d = [...a%[2]d, ...a%[2]d]\n", "output o array = a%[1]d"), ""},
		{"objects", repeat("var a0 = { x: 1 }\n", "var a%[1]d = { p: a%[2]d, q: a%[2]d }\n", "output o int = a%[1]d"), "61:16 BCP033"},
		{"types", repeat("type T0 = { x: string }\n", "type T%[1]d = { p: T%[2]d, q: T%[2]d }\n", "param p T%[1]d\noutput o T%[1]d = p"), ""},
		{"tuples", repeat("type T0 = [string]\n", "type T%[1]d = [T%[2]d, T%[2]d]\n", "param p T%[1]d\noutput o T%[1]d = p"), ""},
		{"secrets", repeat("@secure()\ntype T0 = string\n", "type T%[1]d = { p: T%[2]d, q: T%[2]d }\n", "param p T%[1]d\noutput o T%[1]d = p"), ""},
		{"a choice of two alike", repeat("param yes bool\nvar a0 = [1]\nvar b0 = [1]\n",
			"var a%[1]d = [a%[2]d, a%[2]d]\nvar b%[1]d = [b%[2]d, b%[2]d]\n", "output o array = yes ? a%[1]d : b%[1]d"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := program(t, tt.text)
			if got := findings(m); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			m.Outputs()
		})
	}
}

// What lies below a property of which only the library knows more is taken on trust.
func TestDerivedTypesBelowWhatIsOpen(t *testing.T) {
	t.Parallel()
	const template = `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "languageVersion": "2.0",
  "contentVersion": "1.0.0.0", "resources": {}, "parameters": {"p": {"type": "string",
  "metadata": {"__bicep_resource_derived_type!": "Microsoft.Storage/storageAccounts@2023-01-01#properties/%s"}}}}`
	for path, want := range map[string]string{
		"properties/properties/accessTier":    "",
		"properties/properties/a/items":       "",
		"kind/properties/a":                   "1:10 BCP055 W",
		"nothing":                             "1:10 BCP053 W",
		"properties/additionalProperties/a/b": "",
	} {
		m := program(t, "main.bicep", "module m 'm.json' = { params: { p: 'x' } }", "m.json", fmt.Sprintf(template, path))
		if got := findings(m); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

func TestConfigurationOfAz(t *testing.T) {
	t.Parallel()
	const on = `{"experimentalFeaturesEnabled": {"azExtensionConfig": true}}`
	for _, tt := range []struct{ config, text, want string }{
		{"{}", "extension az with { providers: [] }", "1:19 BCP205"},
		{on, "extension az with { providers: ['Microsoft.Storage'] }", ""},
		{on, "extension az with { providers: [1] }", "1:33 BCP034"},
		{on, "extension az with { more: true }", "1:21 BCP037"},
		{on, "extension az", ""},
	} {
		if got := findings(program(t, "main.bicep", tt.text, "bicepconfig.json", tt.config)); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.text, got, tt.want)
		}
	}
}
