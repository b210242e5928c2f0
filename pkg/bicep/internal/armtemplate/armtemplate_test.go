package armtemplate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armtemplate"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

const schema = `"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": []`

func model(t *testing.T, members string) *armtemplate.Model {
	t.Helper()
	v, err := armjson.Parse("{"+schema+", "+members+"}", armjson.Options{Relaxed: true})
	require.NoError(t, err)
	return armtemplate.New(&graph.File{Kind: graph.ARMTemplate, Template: v.(*armjson.Object)}, eval.NewBudget(eval.DefaultLimits(), nil))
}

func TestTypes(t *testing.T) {
	t.Parallel()
	const definitions = `"definitions": {
		"rec": {"type": "object", "properties": {"next": {"$ref": "#/definitions/rec", "nullable": true}}},
		"s": {"type": "string", "metadata": {"description": "deep"}},
		"t": {"$ref": "#/definitions/s", "nullable": true},
		"loop": {"$ref": "#/definitions/loop"},
		"a": {"type": "object", "properties": {"k": {"type": "string", "allowedValues": ["a"]}}},
		"b": {"type": "object", "properties": {"k": {"type": "string", "allowedValues": ["b"]}, "x": {"type": "int"}}}
	}, "languageVersion": "2.0"`
	for _, test := range []struct{ node, want string }{
		{`{"type": "STRING"}`, "string"},
		{`{"type": "int", "allowedValues": [2, 1]}`, "1 | 2"},
		{`{"type": "string", "allowedValues": ["b", "a", null]}`, "'a' | 'b'"},
		{`{"type": "bool", "nullable": true}`, "bool | null"},
		{`{"type": "array"}`, "array"},
		{`{"type": "array", "items": {"type": "string"}}`, "string[]"},
		{`{"type": "array", "items": {"$ref": "#/definitions/s"}}`, "s[]"},
		{`{"type": "array", "prefixItems": [{"type": "int"}, {"$ref": "#/definitions/t"}], "items": false}`, "[int, t]"},
		{`{"type": "array", "allowedValues": ["x", 1, null]}`, "('x' | 1 | null)[]"},
		{`{"type": "array", "allowedValues": [["x"], [1]]}`, "['x'] | [1]"},
		{`{"type": "object"}`, "object"},
		{`{"type": "object", "properties": {"a-b": {"type": "int"}}, "additionalProperties": {"type": "bool"}}`, "{ 'a-b': int, *: bool }"},
		{`{"type": "object", "discriminator": {"propertyName": "k", "mapping": {"a": {"$ref": "#/definitions/a"}, "b": {"$ref": "#/definitions/b"}}}}`,
			"{ k: 'a' } | { k: 'b', x: int }"},
		{`{"$ref": "#/definitions/rec"}`, "{ next: rec }"},
		{`{"$ref": "#/definitions/t"}`, "null | string"},
		{`{"$ref": "#/definitions/b/properties/x"}`, "int"},
		{`{"$ref": "#/definitions/loop"}`, "error"},
		{`{"type": "object", "metadata": {"__bicep_resource_derived_type!": {"source": "A.B/c@2020-01-01#properties/d"}}}`, "A.B/c"},
		{`{}`, "any"},
	} {
		m := model(t, `"parameters": {"p": `+test.node+`}, `+definitions)
		if m.Root() == nil {
			t.Errorf("%s: the template is refused", test.node)
			continue
		}
		assert.Equal(t, test.want, m.Parameters()[0].Type.Type().String(), test.node)
	}
}

func TestParametersAndOutputs(t *testing.T) {
	t.Parallel()
	m := model(t, `"languageVersion": "2.0", "parameters": {
		"z": {"type": "string"}, "a": {"type": "string", "defaultValue": ""}, "n": {"type": "int", "nullable": true},
		"d": {"$ref": "#/definitions/s"}
	}, "definitions": {"s": {"type": "string", "metadata": {"description": "deep"}}},
	"outputs": {"y": {"type": "secureString", "value": ""}, "x": {"type": "object", "value": {}, "metadata": {"description": "an output"}}}`)
	var got []string
	for _, p := range m.Parameters() {
		got = append(got, fmt.Sprintf("%s %v", p.Name, p.Required))
	}
	for _, o := range m.Outputs() {
		got = append(got, fmt.Sprintf("%s %v", o.Name, o.Secure))
	}
	want := `a false, d true, n false, z true, y true, x false`
	assert.Equal(t, want, strings.Join(got, ", "))
	if m.HasErrors() || m.TargetScope() != types.ScopeResourceGroup {
		t.Errorf("errors %v, scope %v", m.HasErrors(), m.TargetScope())
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	for _, members := range []string{
		`"parameters": {"p": {"type": "nope"}}`,
		`"parameters": []`,
		`"outputs": {"o": 1}`,
		`"definitions": {"d": {"type": "object", "properties": {"x": {"type": 1}}}}`,
		`"parameters": {"p": {"$ref": "#/definitions/none"}}`,
		`"parameters": {"p": {"type": "array", "items": {"$ref": "none"}}}`,
		`"parameters": {"p": {"type": "string", "nullable": true}}`,
		`"$schema": "https://example.com/other.json"`,
		`"functions": {}`,
	} {
		assert.True(t, model(t, members).HasErrors(), "%s: taken for a good template", members)
	}
}

// A search that looks all the way into a type must come back to where it was.
func TestTypeThatHoldsItself(t *testing.T) {
	t.Parallel()
	m := model(t, `"definitions": {"A": {"type": "object", "properties": {"next": {"$ref": "#/definitions/A"}}}}, "parameters": {"p": {"$ref": "#/definitions/A"}}`)
	next := func(x types.Type) types.Type {
		o, ok := types.AsObject(x)
		require.True(t, ok, "%v is not an object", x)
		return o.Property("next").Type.Type()
	}
	one := next(m.Parameters()[0].Type.Type())
	assert.True(t, one == next(one), "each look gives another type")
}

// A branch that is part of a resource's type is read whole at once, and may be the union itself.
func TestUnionOfItself(t *testing.T) {
	t.Parallel()
	m := model(t, `"definitions": {"A": {"type": "object", "metadata": {"__bicep_resource_derived_type!": {"source": "A.B/c@2020-01-01#properties"}},
		"discriminator": {"propertyName": "k", "mapping": {"x": {"$ref": "#/definitions/A"}}}}}, "parameters": {"p": {"$ref": "#/definitions/A"}}`)
	assert.Equal(t, 1, len(m.Parameters()))
}

func TestExports(t *testing.T) {
	t.Parallel()
	m := model(t, `"languageVersion": "2.0",
		"definitions": {
			"T": {"type": "int", "metadata": {"__bicep_export!": true, "description": "a type"}},
			"private": {"type": "int"},
			"twice": {"type": "int", "metadata": {"__bicep_export!": true}}
		},
		"functions": [
			{"namespace": "__bicep", "members": {"f": {"parameters": [{"type": "string", "name": "x"}],
				"output": {"type": "string", "value": "[toUpper(parameters('x'))]"}, "metadata": {"__bicep_export!": true}}}},
			{"namespace": "ns", "members": {"g": {"output": {"type": "int", "value": 1}, "metadata": {"__bicep_export!": true}},
				"twice": {"output": {"type": "int", "value": 1}}}}
		],
		"variables": {"v": "[concat('a', variables('w'))]", "w": "b", "twice": 1},
		"metadata": {"__bicep_exported_variables!": [{"name": "v", "description": "a variable"}, {"name": "gone"}, {"name": "twice"}]}`)
	var got []string
	for _, x := range m.Exports() {
		got = append(got, fmt.Sprintf("%s %s %s", x.Kind, x.Name, x.Type.Type()))
	}
	want := "Type T Type<int>, Function f string => string, Function ns.g () => int, Error twice error, Variable v 'ab'"
	assert.Equal(t, want, strings.Join(got, ", "))
	assert.Nil(t, m.FindExport("private"), "a definition that is not exported can be imported")
}

func TestEmbedded(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2020-01-02T03:04:05Z":          "2020-01-02T03:04:05Z",
		"2020-01-02T03:04:05.1200000Z":  "2020-01-02T03:04:05.12Z",
		"2020-01-02T03:04:05.000z":      "2020-01-02T03:04:05Z",
		"2020-01-02T03:04:05":           "2020-01-02T03:04:05",
		"2020-01-02T24:00:00":           "2020-01-03T00:00:00",
		"2020-01-02T03:04:05+02:00":     "2020-01-02T01:04:05+00:00",
		"2020-01-02T03:04:05-0130":      "2020-01-02T04:34:05+00:00",
		"2020-02-30T03:04:05Z":          "2020-02-30T03:04:05Z",
		"2020-01-02T03:04:05.12345678Z": "2020-01-02T03:04:05.12345678Z",
		"2020-01-02":                    "2020-01-02",
		"at 2020-01-02T03:04:05.000Z":   "at 2020-01-02T03:04:05.000Z",
	} {
		m := model(t, `"variables": {"list": [1, "`+in+`"]}`)
		got := armjson.Text(m.Embedded())
		assert.Contains(t, got, `"`+want+`"`, "%s became %s, want %s", in, got, want)
		assert.Contains(t, armjson.Text(m.Root()), in)
	}
}
