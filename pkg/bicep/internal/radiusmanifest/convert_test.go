package radiusmanifest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
)

// printed is a file of types in one line for each type.
func printed(t *testing.T, text []byte) []string {
	t.Helper()
	var list []json.RawMessage
	require.NoError(t, json.Unmarshal(text, &list))
	var lines []string
	for _, one := range list {
		var v map[string]any
		require.NoError(t, json.Unmarshal(one, &v))
		lines = append(lines, describe(v))
	}
	return lines
}

func describe(v map[string]any) string {
	kind := strings.TrimSuffix(v["$type"].(string), "Type")
	ref := func(v any) string { return strings.TrimPrefix(v.(map[string]any)["$ref"].(string), "#/") }
	var b strings.Builder
	fmt.Fprint(&b, kind)
	if name, ok := v["name"]; ok {
		fmt.Fprint(&b, " ", name)
	}
	if value, ok := v["value"]; ok {
		fmt.Fprintf(&b, " %q", value)
	}
	if item, ok := v["itemType"]; ok {
		fmt.Fprint(&b, " of ", ref(item))
	}
	if elements, ok := v["elements"].([]any); ok {
		for _, e := range elements {
			fmt.Fprint(&b, " ", ref(e))
		}
	}
	if properties, ok := v["properties"].(map[string]any); ok {
		var names []string
		for name := range properties {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			p := properties[name].(map[string]any)
			fmt.Fprintf(&b, " %s=%s/%v", name, ref(p["type"]), p["flags"])
		}
	}
	if more, ok := v["additionalProperties"]; ok {
		fmt.Fprint(&b, " *=", ref(more))
	}
	if body, ok := v["body"]; ok {
		fmt.Fprintf(&b, " %s %v %v", ref(body), v["readableScopes"], v["writableScopes"])
	}
	if v["sensitive"] == true {
		fmt.Fprint(&b, " sensitive")
	}
	return b.String()
}

const everything = `
namespace: Acme.Data
location: {global: "http://localhost:8080"}
types:
  stores:
    description: Stores.
    capabilities: [Recipes]
    defaultApiVersion: 2025-01-01
    apiVersions:
      2025-01-01:
        schema:
          type: object
          required: [size, environment, absent]
          properties:
            size: {type: string, enum: [S, M], description: How big.}
            password: {type: string, x-radius-sensitive: true}
            count: {type: integer, default: 3, minimum: 1}
            on: {type: boolean}
            off: {type: boolean}
            hosts: {type: array, readOnly: true, items: {type: string}}
            name: {type: string}
            platformOptions:
              type: object
              additionalProperties: {type: any}
            secrets:
              type: object
              x-radius-sensitive: true
              additionalProperties: false
      '2025-02-01-preview':
        schema: {}
`

// The types, their order, flags and names are those that the generator of Radius makes.
func TestConvert(t *testing.T) {
	files, err := Convert([]byte(everything))
	require.NoError(t, err)
	want := []string{
		"String", // application
		"String", // codeReference
		"Boolean",
		"String",
		"Object connectionsAdditionalProperties disableDefaultEnvVars=2/0 source=3/1",
		"Object connections *=4",
		"Integer", // count
		"String",  // environment
		"String",
		"Array of 8", // hosts
		"String",     // name
		"String sensitive",
		"Any",
		"Object platformOptions *=12",
		"Object secrets sensitive",
		`StringLiteral "S"`,
		`StringLiteral "M"`,
		"Union 15 16",
		"Object storesProperties application=0/0 codeReference=1/0 connections=5/0 count=6/0 environment=7/1 hosts=9/2 name=10/0 off=2/0 on=2/0 password=11/0 platformOptions=13/0 secrets=14/0 size=17/1",
		"String",
		"String",
		`StringLiteral "2025-01-01"`,
		`StringLiteral "Acme.Data/stores"`,
		"String",
		"Object Acme.Data/stores@2025-01-01 apiVersion=21/10 application=0/2 codeReference=1/2 connections=5/2 count=6/2 environment=7/2 hosts=9/2 id=23/2 location=20/0 name=19/17 off=2/2 on=2/2 password=11/2 platformOptions=13/2 properties=18/1 secrets=14/2 size=17/2 type=22/10",
		"Resource Acme.Data/stores@2025-01-01 24 0 0",
		"String",
		"String",
		"String",
		"Object connectionsAdditionalProperties disableDefaultEnvVars=2/0 source=28/1",
		"Object connections *=29",
		"String",
		"Object storesProperties application=26/0 codeReference=27/0 connections=30/0 environment=31/1",
		"String",
		"String",
		`StringLiteral "2025-02-01-preview"`,
		`StringLiteral "Acme.Data/stores"`,
		"String",
		"Object Acme.Data/stores@2025-02-01-preview apiVersion=35/10 application=26/2 codeReference=27/2 connections=30/2 environment=31/2 id=37/2 location=34/0 name=33/17 properties=32/1 type=36/10",
		"Resource Acme.Data/stores@2025-02-01-preview 38 0 0",
	}
	require.Empty(t, cmp.Diff(want, printed(t, files.Types)))
	require.JSONEq(t, `{
		"resources": {
			"Acme.Data/stores@2025-01-01": {"$ref": "types.json#/25"},
			"Acme.Data/stores@2025-02-01-preview": {"$ref": "types.json#/39"}
		},
		"resourceFunctions": {},
		"settings": {"name": "radiusacmedata", "version": "0.0.1"}
	}`, string(files.Index))
	require.Contains(t, string(files.Types), `"description": "How big."`)

	again, err := Convert([]byte(everything))
	require.NoError(t, err)
	require.Equal(t, files, again)
}

// JSON, anchors and merge keys say the same as YAML without them.
func TestConvertSpellings(t *testing.T) {
	const begin = `namespace: A1.B1
types:
  ab:
    apiVersions:
      '2025-01-01':
        schema:
          properties:
`
	plain, err := Convert([]byte(begin + `            x: {type: string, description: d}
            y: {type: string, description: e}
`))
	require.NoError(t, err)
	for _, text := range []string{
		`{"namespace": "A1.B1", "types": {"ab": {"apiVersions": {"2025-01-01": {"schema": {"properties": {"y": {"type": "string", "description": "e"}, "x": {"type": "string", "description": "d"}}}}}}}}`,
		"\xef\xbb\xbf" + strings.ReplaceAll(begin+`            x: &x {type: string, description: d}
            y: {<<: *x, description: e}
`, "\n", "\r\n"),
	} {
		files, err := Convert([]byte(text))
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(string(plain.Types), string(files.Types)))
	}
}

func TestConvertRefuses(t *testing.T) {
	version := "namespace: Acme.Data\ntypes:\n  stores:\n    apiVersions:\n      '2025-01-01':\n        schema:\n" // 6 lines
	for name, c := range map[string]struct{ text, want string }{
		"empty":                {"", "1: the file is empty"},
		"only a comment":       {"# nothing\n", "1: the file is empty"},
		"not YAML":             {"namespace: Acme.Data\ntypes: [\n", "this is not YAML"},
		"no mapping":           {"- a\n", "1: the manifest must be a mapping"},
		"two documents":        {"namespace: Acme.Data\ntypes: {}\n---\na: b\n", "a second document"},
		"no namespace":         {"types: {}\n", "1: the manifest has no namespace"},
		"bad namespace":        {"\nnamespace: acme\n", `2: "acme" is not a namespace`},
		"namespace is a list":  {"namespace: [a]\n", `1: "namespace" must be a string`},
		"unknown key":          {"namespace: Acme.Data\ntypes: {}\nname: x\n", `3: a manifest has no "name"`},
		"twice":                {"namespace: Acme.Data\nnamespace: Acme.Data\n", `"namespace" occurs twice`},
		"no types":             {"namespace: Acme.Data\n", "1: the manifest has no types"},
		"empty types":          {"namespace: Acme.Data\ntypes:\n", "2: the manifest has no types"},
		"bad type":             {"namespace: Acme.Data\ntypes:\n  Stores: {}\n", `3: "Stores" is not the name of a resource type`},
		"no versions":          {"namespace: Acme.Data\ntypes:\n  stores: {}\n", "3: stores has no apiVersions"},
		"empty versions":       {"namespace: Acme.Data\ntypes:\n  stores: {apiVersions: {}}\n", "3: stores has no apiVersions"},
		"bad version":          {"namespace: Acme.Data\ntypes:\n  stores:\n    apiVersions: {v1: {schema: {}}}\n", `4: "v1" is not an API version`},
		"bad default":          {"namespace: Acme.Data\ntypes:\n  stores:\n    defaultApiVersion: v1\n", `4: "v1" is not an API version`},
		"bad capability":       {"namespace: Acme.Data\ntypes:\n  stores:\n    capabilities: [recipes]\n", `4: "recipes" is not a capability`},
		"unknown key of type":  {"namespace: Acme.Data\ntypes:\n  stores:\n    apiVersion: {}\n", `4: a resource type has no "apiVersion"`},
		"no schema":            {"namespace: Acme.Data\ntypes:\n  stores:\n    apiVersions:\n      '2025-01-01': {}\n", "5: stores@2025-01-01 has no schema"},
		"null schema":          {version, "5: stores@2025-01-01 has no schema"},
		"schema is a string":   {version + "          x\n", "7: a schema must be a mapping"},
		"schema of an array":   {version + "          {type: array, items: {}}\n", "7: the schema of a resource type must be of type object, not array"},
		"unknown type":         {version + "          properties:\n            a: {type: number}\n", `8: "number" is not a type of a schema`},
		"array without items":  {version + "          properties:\n            a: {type: array}\n", "8: a schema of type array needs items"},
		"enum without values":  {version + "          properties:\n            a: {type: enum}\n", "8: a schema of type enum needs"},
		"enum of mappings":     {version + "          properties:\n            a: {type: enum, enum: [{}]}\n", `8: "enum" must be a list of strings`},
		"enum is a string":     {version + "          properties:\n            a: {type: enum, enum: x}\n", `8: "enum" must be a list`},
		"any":                  {version + "          properties:\n            a: {type: any}\n", "8: a schema of type any may be used in platformOptions only"},
		"sensitive number":     {version + "          properties:\n            a: {type: integer, x-radius-sensitive: true}\n", "8: x-radius-sensitive is for strings and objects"},
		"readOnly is a string": {version + "          properties:\n            a: {type: string, readOnly: sure}\n", `8: "readOnly" must be true or false`},
		"additional: true":     {version + "          additionalProperties: true\n", "7: additionalProperties must be a schema"},
		"a cycle":              {version + "          properties: &p\n            a: {properties: *p}\n", "nests deeper than 100"},
		"merged into itself":   {version + "          &s {<<: *s}\n", "merged into itself"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Convert([]byte(c.text))
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// A small file whose aliases unfold to a billion values is refused before they are made.
func TestConvertAliases(t *testing.T) {
	var b strings.Builder
	b.WriteString("namespace: Acme.Data\nlocation:\n  l0: &l0 {type: string}\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "  l%d: &l%d {properties: {", i, i)
		for j := range 10 {
			fmt.Fprintf(&b, "p%d: *l%d, ", j, i-1)
		}
		b.WriteString("}}\n")
	}
	b.WriteString("types:\n  stores:\n    apiVersions:\n      '2025-01-01': {schema: *l9}\n")
	_, err := Convert([]byte(b.String()))
	require.ErrorContains(t, err, "aliases counted")
}

// TestTypes: a schema is read with what is merged into it, and its capabilities with those of its type. It may not be larger than a
// manifest, nor have no end.
func TestTypes(t *testing.T) {
	t.Parallel()
	manifest := func(rest string) []byte {
		return []byte("namespace: My.Things\ntypes:\n  lamps:\n    capabilities: [One]\n    apiVersions:\n      '2025-01-01':\n" +
			"        capabilities: [Two]\n        schema:\n          properties:\n" + rest)
	}
	list, err := Types(manifest("            a: &a {type: string, default: yes, x: [1.50, 2025-01-01, null, True]}\n            b: {<<: *a, default: 'b'}\n"))
	require.NoError(t, err)
	require.Equal(t, []string{"One", "Two"}, list[0].Capabilities)
	require.Equal(t, "My.Things/lamps@2025-01-01 "+
		`{"properties":{"a":{"type":"string","default":"yes","x":[1.5,"2025-01-01",null,true]},"b":{"default":"b","type":"string","x":[1.5,"2025-01-01",null,true]}}}`,
		list[0].Name+"@"+list[0].Version+" "+armjson.Text(list[0].Schema))
	bomb := "            a: {type: string, default: &a0 [x, x, x, x, x, x, x, x, x, x]}\n"
	for i := range 9 {
		bomb += fmt.Sprintf("            b%d: {type: string, default: &a%d [%s]}\n", i, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	_, err = Types(manifest(bomb))
	require.ErrorContains(t, err, "more than 1000000 keys and values")
	_, err = Types(manifest("            a: {type: string, default: &d [*d]}\n"))
	require.ErrorContains(t, err, "nests deeper")
}

func TestIsManifest(t *testing.T) {
	require.True(t, IsManifest([]byte(`{"namespace": "A1.B1", "types": {}}`)))
	require.False(t, IsManifest([]byte(`{"resources": {}, "settings": {}}`)))
	require.False(t, IsManifest([]byte(`[]`)))
}
