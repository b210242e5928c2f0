package lower_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/emit"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// files are the files of a program by name; main.bicep is the entry.
type files map[string]string

func program(t *testing.T, in files) *check.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range in {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g, err := graph.Load(context.Background(), filepath.Join(dir, "main.bicep"), graph.Options{FS: source.Disk{}})
	if err != nil {
		t.Fatal(err)
	}
	return check.NewProgram(g, check.Options{Namespaces: namespaces.NewProvider(nil)})
}

// template compiles a program.
func template(t *testing.T, in files) armjson.Value {
	t.Helper()
	p := program(t, in)
	text, err := emit.New(p, "test").Template(p.Graph.Entry)
	if err != nil {
		t.Fatal(err)
	}
	v, err := armjson.ParseBytes(text, armjson.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// at returns the compact text of a part of a value: a path such as resources/0/name.
func at(v armjson.Value, path string) string {
	for _, key := range strings.Split(path, "/") {
		switch x := v.(type) {
		case *armjson.Object:
			v, _ = x.Get(key)
		case armjson.Array:
			i, ok := armjson.Number(key).Int64()
			if !ok || i >= int64(len(x)) {
				return ""
			}
			v = x[i]
		}
		if v == nil {
			return ""
		}
	}
	return string(armjson.Append(nil, v, armjson.Compact))
}

// Cases give a program and what parts of its template are.
var cases = []struct {
	name string
	in   files
	want map[string]string
}{
	{
		name: "what a variable needs is needed by those that use it",
		in: files{"main.bicep": `
resource b 'A.B/c@2020-01-01' = { name: 'b' }
resource B_ 'A.B/c@2020-01-01' = { name: 'B_' }
resource a 'A.B/c@2020-01-01' = { name: 'a' }
var ids = [b.id, B_.id]
var all = [...ids, a.id]
resource user 'A.B/c@2020-01-01' = { name: 'user', properties: { all: all } }
`},
		want: map[string]string{
			"variables/all":         `"[flatten(createArray(variables('ids'), createArray(resourceId('A.B/c', 'a'))))]"`,
			"resources/3/dependsOn": `["[resourceId('A.B/c', 'a')]","[resourceId('A.B/c', 'b')]","[resourceId('A.B/c', 'B_')]"]`,
		},
	},
	{
		name: "an existing resource hands on what it needs",
		in: files{"main.bicep": `
resource parent 'A.B/c@2020-01-01' = { name: 'p' }
resource child 'A.B/c/d@2020-01-01' existing = { parent: parent, name: 'ch' }
resource user 'A.B/c@2020-01-01' = { name: 'user', properties: { id: child.id } }
`},
		want: map[string]string{
			"resources/1/dependsOn":     `["[resourceId('A.B/c', 'p')]"]`,
			"resources/1/properties/id": `"[resourceId('A.B/c/d', 'p', 'ch')]"`,
		},
	},
	{
		name: "all of a collection makes its elements superfluous",
		in: files{"main.bicep": `
resource many 'A.B/c@2020-01-01' = [for i in range(0, 3): { name: 'm${i}' }]
resource one 'A.B/c@2020-01-01' = { name: 'one', properties: { id: many[1].id } }
resource two 'A.B/c@2020-01-01' = { name: 'two', properties: { id: many[1].id }, dependsOn: [many] }
`},
		want: map[string]string{
			"resources/1/dependsOn": `["[resourceId('A.B/c', format('m{0}', range(0, 3)[1]))]"]`,
			"resources/2/dependsOn": `["many"]`,
		},
	},
	{
		name: "an index that counts an inner loop stands for all of the collection",
		in: files{"main.bicep": `
resource many 'A.B/c@2020-01-01' = [for i in range(0, 3): { name: 'm${i}' }]
resource outer 'A.B/c@2020-01-01' = [for i in range(0, 3): { name: 'o${i}', properties: { id: many[i].id } }]
resource inner 'A.B/c@2020-01-01' = { name: 'in', properties: { ids: [for j in range(0, 3): many[j].id] } }
`},
		want: map[string]string{
			"resources/1/dependsOn": `["[resourceId('A.B/c', format('m{0}', range(0, 3)[range(0, 3)[copyIndex()]]))]"]`,
			"resources/2/dependsOn": `["many"]`,
		},
	},
	{
		name: "names move along with parents",
		in: files{"main.bicep": `
resource one 'A.B/a@2020-01-01' = [for (x, i) in ['p', 'q']: { name: '${x}${i}' }]
resource two 'A.B/a/b@2020-01-01' = [for j in range(0, 2): { parent: one[j + 1], name: 'two${j}' }]
resource three 'A.B/a/b/c@2020-01-01' = [for k in range(0, 2): { parent: two[k + 2], name: 'three${k}' }]
`},
		want: map[string]string{
			"resources/2/name": `"[format('{0}/{1}/{2}', ` +
				`format('{0}{1}', createArray('p', 'q')[add(range(0, 2)[add(range(0, 2)[copyIndex()], 2)], 1)], add(range(0, 2)[add(range(0, 2)[copyIndex()], 2)], 1)), ` +
				`format('two{0}', range(0, 2)[add(range(0, 2)[copyIndex()], 2)]), ` +
				`format('three{0}', range(0, 2)[copyIndex()]))]"`,
		},
	},
	{
		name: "defaults of parameters; outputs that are secret",
		in: files{"main.bicep": `
param size int = 2 + 3
module m 'm.bicep' = { name: 'm' }
module n 'n.bicep' = { name: 'n', params: { key: m.outputs.key, id: m.outputs.id } }
`, "m.bicep": "@secure()\noutput key string = 'k'\noutput id string = 'i'\n", "n.bicep": "@secure()\nparam key string\nparam id string\n"},
		want: map[string]string{
			"parameters/size/defaultValue":                `"[add(2, 3)]"`,
			"resources/n/properties/parameters/key/value": `"[listOutputsWithSecureValues('m', '2025-04-01').key]"`,
			"resources/n/properties/parameters/id/value":  `"[reference('m').outputs.id.value]"`,
			"resources/m/properties/template/parameters":  ``,
		},
	},
	{
		name: "a call that moves along with a name is one of the template language",
		in: files{"main.bicep": `
func tag(n int) string => 't${n}'
resource one 'A.B/a@2020-01-01' = [for i in range(0, 2): { name: tag(i) }]
resource two 'A.B/a/b@2020-01-01' = [for j in range(0, 2): { parent: one[j], name: tag(5) }]
`},
		want: map[string]string{
			"resources/one/name": `"[__bicep.tag(range(0, 2)[copyIndex()])]"`,
			"resources/two/name": `"[format('{0}/{1}', tag(range(0, 2)[range(0, 2)[copyIndex()]]), __bicep.tag(5))]"`,
		},
	},
	{
		name: "nested resources come first, under the conditions around them",
		in: files{"main.bicep": `
param deploy bool
resource outer 'A.B/a@2020-01-01' = if (deploy) {
  name: 'o'
  resource inner 'b' = if (length('x') == 1) { name: 'i' }
}
output id string = outer::inner.id
`},
		want: map[string]string{
			"resources/0/name":      `"[format('{0}/{1}', 'o', 'i')]"`,
			"resources/0/condition": `"[and(parameters('deploy'), equals(length('x'), 1))]"`,
			"resources/0/dependsOn": `["[resourceId('A.B/a', 'o')]"]`,
			"outputs/id/value":      `"[resourceId('A.B/a/b', 'o', 'i')]"`,
		},
	},
	{
		name: "children are deployed where their oldest ancestor is",
		in: files{"main.bicep": `
targetScope = 'subscription'
resource groups 'Microsoft.Resources/resourceGroups@2021-01-01' = [for n in ['x', 'y']: { name: 'rg-${n}', location: 'here' }]
resource acct 'A.B/a@2020-01-01' existing = { name: 'a', scope: groups[0] }
resource part 'A.B/a/b@2020-01-01' existing = { name: 'p', parent: acct }
module m 'm.bicep' = { name: 'm', scope: groups[1] }
output id string = part.id
`, "m.bicep": ""},
		want: map[string]string{
			"outputs/id/value": `"[extensionResourceId(format('/subscriptions/{0}/resourceGroups/{1}', subscription().subscriptionId, ` +
				`format('rg-{0}', createArray('x', 'y')[copyIndex()])), 'A.B/a/b', 'a', 'p')]"`,
			"resources/1/resourceGroup": `"[format('rg-{0}', createArray('x', 'y')[1])]"`,
		},
	},
	{
		name: "values that come from files stand in variables of their own",
		in: files{"main.bicep": `
var direct = loadTextContent('t.txt')
var data = loadJsonContent('d.json')
output text string = loadTextContent('t.txt')
output again object = data
func f() string => loadTextContent('t.txt')
`, "t.txt": "text", "d.json": `{"n": 1, "f": 1.50, "big": 1e21, "a": [true, null]}`},
		want: map[string]string{
			"variables/$fxv#0":                      `{"n":1,"f":"[json('1.5')]","big":"[json('1E+21')]","a":[true,null]}`,
			"variables/$fxv#1":                      `"text"`,
			"variables/direct":                      `"text"`,
			"variables/data":                        `"[variables('$fxv#0')]"`,
			"outputs/text/value":                    `"[variables('$fxv#1')]"`,
			"functions/0/members/f/output/value":    `"text"`,
			"functions/0/namespace":                 `"__bicep"`,
			"functions/0/members/f/parameters/name": ``,
		},
	},
	{
		name: "modules without a name get one that fits",
		in: files{"main.bicep": `
module short 'm.bicep' = {}
module aNameThatIsSoLongThatItHasToBeCutOffSomewhereNearItsVeryEnd 'm.bicep' = [for i in range(0, 2): {}]
`, "m.bicep": ""},
		want: map[string]string{
			"languageVersion":      `"2.0"`,
			"resources/short/name": `"[format('short-{0}', uniqueString('short', deployment().name))]"`,
			"resources/aNameThatIsSoLongThatItHasToBeCutOffSomewhereNearItsVeryEnd/name": `"[format('aNameThatIsSoLongThatItHasToBeCutOffSomewhereN-{0}-{1}', copyIndex(), ` +
				`uniqueString('aNameThatIsSoLongThatItHasToBeCutOffSomewhereNearItsVeryEnd', deployment().name))]"`,
		},
	},
	{
		name: "imports keep the names they are given, and bring along what they need",
		in: files{"main.bicep": `
import { greet as hello, names } from 'lib/a.bicep'
import * as b from 'lib/b.bicep'
output o string = hello(names[0])
output p b.Size = b.sizes.small
`, "lib/a.bicep": `
import { Size } from 'b.bicep'
var text = loadTextContent('t.txt')
var prefix = '${text} ${length(loadJsonContent('n.json'))}'
@export()
var names = [for n in loadJsonContent('n.json'): '${prefix}${n}']
@export()
@description('says hello')
func greet(name string) string => hi(name)
func hi(name string) string => 'hi ${name}'
`, "lib/b.bicep": `
@export()
type Size = 'small' | 'big'
@export()
var sizes = { small: 'small' }
`, "lib/t.txt": "x", "lib/n.json": `["n"]`},
		want: map[string]string{
			"variables/copy":        `[{"name":"names","count":"[length(variables('_1._3'))]","input":"[format('{0}{1}', variables('_1.prefix'), variables('_1._3')[copyIndex('names')])]"}]`,
			"variables/_1.prefix":   `"[format('{0} {1}', variables('_1.text'), length(variables('_1._2')))]"`,
			"variables/_1._2":       `["n"]`,
			"outputs/o/value":       `"[__bicep.hello(variables('names')[0])]"`,
			"outputs/p/$ref":        `"#/definitions/_4.Size"`,
			"outputs/p/value":       `"[variables('_4.sizes').small]"`,
			"functions/0/namespace": `"__bicep"`,
			"functions/1/namespace": `"_1"`,
			"functions/0/members/hello/metadata": `{"description":"says hello","__bicep_imported_from!":` +
				`{"sourceTemplate":"lib/a.bicep","originalIdentifier":"greet"}}`,
		},
	},
	{
		name: "imports from ARM templates",
		in: files{"main.bicep": `
import { v, t, f } from 'a.json'
output o t = { k: f(v[0]) }
`, "a.json": `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "languageVersion": "2.0",
  "contentVersion": "1.0.0.0",
  "metadata": {"__bicep_exported_variables!": [{"name": "v"}]},
  "definitions": {
    "t": {"type": "object", "properties": {"k": {"$ref": "#/definitions/k"}}, "metadata": {"__bicep_export!": true}},
    "k": {"type": "string", "allowedValues": ["y", "x"], "nullable": true}
  },
  "functions": [{"namespace": "__bicep", "members": {
    "f": {"parameters": [{"type": "string", "name": "s"}], "output": {"type": "string", "value": "[format('{0}{1}', parameters('s'), variables('w'))]"}, "metadata": {"__bicep_export!": true}}
  }}],
  "variables": {
    "copy": [{"name": "v", "count": "[length(variables('w'))]", "input": "[concat(variables('w'), copyIndex('v', 1))]"}],
    "w": "[[literal]"
  },
  "resources": {}
}`},
		want: map[string]string{
			"definitions/t/properties/k":   `{"$ref":"#/definitions/_1.k"}`,
			"definitions/_1.k/nullable":    `true`,
			"definitions/_1.k/metadata":    `{"__bicep_imported_from!":{"sourceTemplate":"a.json"}}`,
			"variables/_1.w":               `"[[literal]"`,
			"variables/copy/0/count":       `"[length(range(0, length(variables('_1.w'))))]"`,
			"variables/copy/0/input":       `"[concat(variables('_1.w'), add(copyIndex('v'), 1))]"`,
			"outputs/o/value/k":            `"[__bicep.f(variables('v')[0])]"`,
			"functions/0/members/f/output": `{"type":"string","value":"[format('{0}{1}', parameters('s'), variables('_1.w'))]"}`,
		},
	},
	{
		name: "names that are expressions in ARM templates",
		in: files{"main.bicep": `
import { Loop, pick } from 'a.json'
output o array = [Loop, pick]
`, "a.json": `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "contentVersion": "1.0.0.0",
  "metadata": {"__bicep_exported_variables!": [{"name": "Loop"}, {"name": "pick"}]},
  "variables": {
    "copy": [{"name": "[concat('lo', variables('end'))]", "count": 2, "input": "[copyIndex(concat('lo', variables('end')))]"}],
    "end": "op",
    "pick": "[variables(concat('le', 'ft'))]",
    "left": 1,
    "right": 2
  },
  "resources": []
}`},
		want: map[string]string{
			"variables/copy":     `[{"name":"Loop","count":"[length(range(0, 2))]","input":"[copyIndex('Loop')]"}]`,
			"variables/pick":     `"[variables(concat('le', 'ft'))]"`,
			"variables/_1.left":  `1`,
			"variables/_1.right": ``,
			"outputs/o/value":    `["[variables('Loop')]","[variables('pick')]"]`,
		},
	},
	{
		name: "chains of safe accesses, spreads, large numbers",
		in: files{"main.bicep": `
param o object
output a string? = o.?x.y[0]
output b string? = (o.?x).y
output c string? = any(o.?x)!.y
output d array = [...[1], 2]
output e object = { ...o, x: 9223372036854775807 }
output f int = -9223372036854775808
output g string? = o['x']
`},
		want: map[string]string{
			"outputs/a/value": `"[tryGet(parameters('o'), 'x', 'y', 0)]"`,
			"outputs/b/value": `"[tryGet(parameters('o'), 'x').y]"`,
			"outputs/c/value": `"[tryGet(parameters('o'), 'x', 'y')]"`,
			"outputs/d/value": `"[flatten(createArray(createArray(1), createArray(2)))]"`,
			"outputs/e/value": `"[shallowMerge(createArray(parameters('o'), createObject('x', json('9223372036854775807'))))]"`,
			"outputs/f/value": `-9223372036854775808`,
			"outputs/g/value": `"[parameters('o').x]"`,
		},
	},
	{
		name: "descriptions lose their indent",
		in: files{"main.bicep": `
@description('''first
    second
      third
''')
param p string
`},
		want: map[string]string{"parameters/p/metadata/description": `"first\nsecond\n  third\n"`},
	},
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v := template(t, c.in)
			for path, want := range c.want {
				if got := at(v, path); got != want {
					t.Errorf("%s\n got %s\nwant %s", path, got, want)
				}
			}
		})
	}
}

func TestInlined(t *testing.T) {
	t.Parallel()
	p := program(t, files{"main.bicep": `
resource r 'A.B/c@2020-01-01' = { name: 'r', properties: {} }
var whole = r
var id = r.id
var props = r.properties
var unknown = r.whatever
var keys = listKeys(r.id, '2020-01-01')
var chain = '${keys.a}'
var both = '${id}${props.x}'
var name = nameof(keys)
resource fixed 'A.B/c@2020-01-01' existing = { name: id }
resource open 'A.B/c@2020-01-01' existing = { name: props.name }
resource below 'A.B/c/d@2020-01-01' existing = { parent: open, name: 'x' }
var ofOpen = open.id
`})
	f := flow.Analyze(p.Entry())
	var got []string
	for _, v := range p.Entry().Binding().Vars {
		if f.Inlined().Vars[v] {
			got = append(got, v.Name())
		}
	}
	for _, r := range p.Entry().Binding().Resources {
		if f.Inlined().Resources[r] {
			got = append(got, r.Name())
		}
	}
	want := []string{"whole", "props", "keys", "chain", "both", "ofOpen", "open", "below"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, v := range p.Entry().Binding().Vars {
		if v.Name() != "chain" {
			continue
		}
		if path, ok := f.MustInline(v); !ok || len(path) != 1 || path[0] != "keys" {
			t.Errorf("chain: %q, %v", path, ok)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]flow.Settings{
		"param p string":                     {},
		"param p string?":                    {Symbolic: true},
		"param p string[]":                   {Symbolic: true},
		"param p 'a' | 'b'":                  {Symbolic: true},
		"var v string = 'x'":                 {Symbolic: true},
		"func f() int => 1":                  {Symbolic: true},
		"module m 'm.bicep' = {}":            {Symbolic: true},
		"module m 'm.bicep' = { name: 'm' }": {},
		"@secure()\noutput o string = 'x'":   {Symbolic: true},
		"resource r 'A.B/c@2020-01-01' existing = { name: 'x' }":                                                                                   {},
		"@retryOn(['x'])\nresource r 'A.B/c@2020-01-01' = { name: 'x' }":                                                                           {Symbolic: true},
		"@nullIfNotFound()\nresource r 'A.B/c@2020-01-01' existing = { name: 'x' }":                                                                {Symbolic: true, Experimental: true},
		"resource r 'A.B/c@2020-01-01' = { name: 'x', properties: { e: this.exists() } }":                                                          {Symbolic: true, Experimental: true},
		"resource r 'A.B/c@2020-01-01' = [for i in range(0, 2): { name: 'x${i}' }]\noutput o array = (r)":                                          {Symbolic: true},
		"resource r 'A.B/c@2020-01-01' = [for i in range(0, 2): { name: 'x${i}' }]\nresource s 'A.B/c@2020-01-01' = { name: 's', dependsOn: [r] }": {},
	} {
		p := program(t, files{"main.bicep": text, "m.bicep": ""})
		if got := flow.Analyze(p.Entry()).Settings(); got != want {
			t.Errorf("%s\n got %+v, want %+v", text, got, want)
		}
	}
}

// Each of these variables is written out twice in the next one.
func TestWhatWouldFillTheMemoryIsRefused(t *testing.T) {
	t.Parallel()
	text := "resource r 'A.B/c@2020-01-01' = { name: 'r', properties: {} }\nvar v0 = r.properties.x\n"
	for i := 1; i < 50; i++ {
		text += fmt.Sprintf("var v%d = '${v%d}${v%d}'\n", i, i-1, i-1)
	}
	p := program(t, files{"main.bicep": text + "output o string = v49\n"})
	_, err := emit.New(p, "test").Template(p.Graph.Entry)
	var large *lower.TooLargeError
	if !errors.As(err, &large) || large.Var != "v49" {
		t.Errorf("error = %v", err)
	}
}

// The index by which a parent is picked uses two variables of the loop around it,
// each of which stands for the index of the next parent.
func TestLongChainsOfParentsAreRefused(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	kind := "A.B"
	for i := range 40 {
		kind += fmt.Sprintf("/c%d", i)
		fmt.Fprintf(&text, "resource r%d '%s@2020-01-01' = [for (x, i) in range(0, 2): {\n  name: 'n${x}${i}'\n", i, kind)
		if i > 0 {
			fmt.Fprintf(&text, "  parent: r%d[x + i]\n", i-1)
		}
		text.WriteString("}]\n")
	}
	p := program(t, files{"main.bicep": text.String()})
	_, err := emit.New(p, "test").Template(p.Graph.Entry)
	if large := new(emit.TooLargeError); !errors.As(err, &large) {
		t.Errorf("error = %v", err)
	}
}

// Variables that need each other over many paths are followed once.
func TestManyPaths(t *testing.T) {
	t.Parallel()
	text := "resource r 'A.B/c@2020-01-01' = [for i in range(0, 2): { name: 'r${i}' }]\n" +
		"var v0 = [for i in range(0, 2): r[i].id]\nvar w0 = [for i in range(0, 2): r[i].id]\n"
	for i := 1; i < 60; i++ {
		for _, v := range []string{"v", "w"} {
			text += fmt.Sprintf("var %s%d = [for i in range(0, 2): '${v%d[i]}${w%d[i]}']\n", v, i, i-1, i-1)
		}
	}
	v := template(t, files{"main.bicep": text + "resource z 'A.B/c@2020-01-01' = { name: 'z', properties: { x: v59[0] } }\n"})
	// One entry for each of the two uses of the resource.
	if at(v, "resources/1/dependsOn/1") == "" || at(v, "resources/1/dependsOn/2") != "" {
		t.Errorf("got %s", at(v, "resources/1/dependsOn"))
	}
}

func TestOneContextForEachFile(t *testing.T) {
	t.Parallel()
	m := program(t, files{"main.bicep": "var v = 1"}).Entry()
	if first := lower.ContextOf(m); first != lower.ContextOf(m) {
		t.Error("the context should be kept with the model")
	}
}

func BenchmarkProgram(b *testing.B) {
	checktest.Benchmark(b, func(m *check.Model) {
		for range lower.ContextOf(m).Builder(nil).Program().Resources {
		}
	})
}
