package params_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/params"
)

// read reads a file of parameters, and returns what it gives and what is wrong, a line for each, with its place.
func read(text string, d *params.Declarations) (given, wrong []string) {
	layer, problems := params.ReadFile([]byte(text), params.Source{Text: "f.json", Path: "f.json"}, d)
	for _, e := range layer {
		value := ""
		switch v := e.Value.(type) {
		case params.JSON:
			value = armjson.Text(v.Value)
		case params.Reference:
			value = "reference " + armjson.Text(v.Object)
		case params.Expression:
			value = "expression " + string(v)
		}
		given = append(given, fmt.Sprintf("%d:%d %s = %s", e.Source.Line, e.Source.Column, e.Name, value))
	}
	for _, p := range problems {
		wrong = append(wrong, fmt.Sprintf("%d:%d %s %s: %s", p.Source.Line, p.Source.Column, p.Code, p.Parameter, p.Message))
	}
	return given, wrong
}

const parametersSchema = `"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#"`

// TestReadFileMessages: why a file is refused, whole, and where.
func TestReadFileMessages(t *testing.T) {
	t.Parallel()
	const plain = `{"a":{"type":"object"},"n":{"type":"int"}}`
	const wrapper = `{"parameters":{"type":"object"},"a":{"type":"object"}}`
	for _, c := range []struct{ declarations, text, want string }{
		{plain, ``, "0:0 parameter-file : the text is empty, and so not JSON"},
		{plain, " \n", "0:0 parameter-file : the text is empty, and so not JSON"},
		{plain, "{\n  \"n\": 1,\n  é\n}", "3:3 parameter-file : the text is not JSON"},
		{plain, "{\"é\": x", "1:7 parameter-file : the text is not JSON"},
		{plain, "\ufeff{\"n\": x", "1:7 parameter-file : the text is not JSON"},
		{plain, "{\n \"n\": 1,\n \"é\": 1, \"n\": 2}", "3:10 duplicate-parameter n: \"n\" is set twice in one object; keep one of them"},
		{plain, "\ufeff{\"n\": 1, \"n\": 2}", "1:10 duplicate-parameter n: \"n\" is set twice in one object; keep one of them"},
		{plain, `{"n": 1, "n": 2, "n": 3, "a": {"x": 1, "x": 2}}`, `1:10 duplicate-parameter n: "n" is set twice in one object; keep one of them`},
		{plain, "{\n \"a\": {},\n \"A\": {}}", `3:2 parameter-name-case A: "a" and "A" differ only by letter case; keep the one that the template declares`},
		{plain, `[1]`, "0:0 parameter-file : want a JSON object of parameters, not an array"},
		{plain, `{"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#","parameters":{}}`, "0:0 parameter-file : this is an ARM template, not a parameter file"},
		{plain, `{"$schema":"https://schema.management.azure.com/schemas/2018-05-01/subscriptionDeploymentTemplate.json#"}`, "0:0 parameter-file : this is an ARM template, not a parameter file"},
		{plain, `{` + parametersSchema + `,"a":{}}`, `0:0 parameter-file : this ARM parameter file has no "parameters"`},
		{plain, `{` + parametersSchema + `,"parameters":[]}`, `0:0 parameter-file : "parameters" must be an object, not an array`},
		{plain, `{"parameters":null}`, `0:0 parameter-file : "parameters" must be an object, not null`},
		{plain, `{"$schema":"https://example.com/x.json","a":{}}`, "0:0 parameter-file : the $schema is not that of an ARM parameter file (…/deploymentParameters.json#); remove it to give a plain object of values"},
		{plain, `{"n":{"value":1}}`, `0:0 parameter-file : each value is wrapped as in an ARM parameter file, but "parameters" around them is missing; add it, or give plain values`},
		{plain, `{"a":{"value":{}},"n":{"value":1,"metadata":{}}}`, `0:0 parameter-file : each value is wrapped as in an ARM parameter file, but "parameters" around them is missing; add it, or give plain values`},
		{plain, `{"other":{"reference":{"keyVault":{"id":"x"},"secretName":"y"}}}`, `0:0 parameter-file : each value is wrapped as in an ARM parameter file, but "parameters" around them is missing; add it, or give plain values`},
		{wrapper, `{"parameters":{"a":{"value":{}}}}`, `0:0 parameter-file : this may be an ARM parameter file, or a value for the template's parameter "parameters"; add "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#" to say the first, or give it as parameters=@FILE`},
		{wrapper, `{"parameters":{}}`, `0:0 parameter-file : this may be an ARM parameter file, or a value for the template's parameter "parameters"; add "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#" to say the first, or give it as parameters=@FILE`},
	} {
		_, wrong := read(c.text, declare(t, c.declarations))
		assert.Equal(t, []string{c.want}, wrong, c.text)
	}
}

// TestReadFilePlaces: an entry lies where it is named first, also behind other text in its line.
func TestReadFilePlaces(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"a":{"type":"object"},"n":{"type":"int"},"é":{"type":"string"}}`)
	for _, c := range []struct {
		text string
		want []string
	}{
		{`{"a":{"n":1},"n":2}`, []string{`1:2 a = {"n":1}`, `1:14 n = 2`}},
		{"{\n  \"é\": \"é\", \"n\": 2,\n\n\t\"a\": {\"n\": 3}\n}", []string{`2:3 é = "é"`, `2:13 n = 2`, `4:2 a = {"n":3}`}},
		{"\ufeff{\"n\": 1}", []string{`1:2 n = 1`}},
		{"// é\n/*\n*/ {\"n\": 1}", []string{`3:5 n = 1`}},
		{"{" + parametersSchema + ",\n \"parameters\": {\n  \"n\": {\"value\": 1}, \"a\": {\"value\": {\"n\": 3}}\n }}", []string{`3:3 n = 1`, `3:22 a = {"n":3}`}},
		{"{\"metadata\": {\"n\": 1},\n \"parameters\": {\"n\": {\"value\": 1}},\n \"other\": {\"n\": 1}}", []string{`2:17 n = 1`}},
		{"{\"parameters\": {\"n\": {\"metadata\": {}, \"value\": 1}},\n \"contentVersion\": \"1.0.0.0\"}", []string{`1:17 n = 1`}},
		{`{}`, nil},
		{`{"parameters": {}}`, nil},
		{`{` + parametersSchema + `}`, nil},
		{`{` + parametersSchema + `, "contentVersion": "1.0.0.0"}`, nil},
	} {
		given, wrong := read(c.text, d)
		assert.Equal(t, c.want, given, c.text)
		assert.Empty(t, wrong, c.text)
	}
}

// TestReadFileForms: a file is read as what its content and the declarations say.
func TestReadFileForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		declarations, text, want string // names, or "" for a refusal
	}{
		{`{"$schema":{"type":"string"}}`, `{"$schema":"x"}`, "$schema"},
		{`{"a":{"type":"int"}}`, `{"$schema":"","a":1}`, "$schema a"},
		{`{"a":{"type":"int"}}`, `{"$schema":"HTTPS://X/DEPLOYMENTPARAMETERS.JSON#","parameters":{"a":{"value":1}}}`, "a"},
		{`{"a":{"type":"int"}}`, `{"$schema":"https://x/subscriptionDeploymentParameters.json#","parameters":{"a":{"value":1}}}`, "a"},
		{`{"parameters":{"type":"object"}}`, `{"parameters":{"a":{"value":1,"x":2}}}`, "parameters"},
		{`{"parameters":{"type":"object"}}`, `{"parameters":{"a":{"value":1,"expression":"x"}}}`, "parameters"},
		{`{"parameters":{"type":"object"}}`, `{"parameters":{"a":{"metadata":{}}}}`, "parameters"},
		{`{"parameters":{"type":"object"}}`, `{"parameters":{"a":{"expression":"x"}}}`, ""},
		{`{"parameters":{"type":"object"}}`, `{"parameters":{"a":{"reference":{"keyVault":{"id":"x"}}}}}`, "parameters"},
		{`{"parameters":{"type":"object"}}`, `{"parameters":[]}`, "parameters"},
		{`{"parameters":{"type":"object"},"contentVersion":{"type":"string"}}`, `{"contentVersion":"1","parameters":{"a":1}}`, "contentVersion parameters"},
		{`{"parameters":{"type":"object"}}`, `{"contentVersion":"1","parameters":{"parameters":{"value":{}}}}`, "parameters"},
		{`{"a":{"type":"object"},"b":{"type":"object"}}`, `{"a":{"value":1},"b":{"value":1}}`, "a b"},
		{`{"a":{"type":"object"},"b":{"type":"int"}}`, `{"a":{"value":1},"b":{"value":1}}`, ""},
		{`{"a":{"type":"object"}}`, `{"a":{"value":1},"b":{"value":1}}`, ""},
		{`{"a":{"type":"object"}}`, `{"a":{"value":1},"b":1}`, "a b"},
		{`{"a":{"type":"int"}}`, `{"a":{"value":1,"reference":{"keyVault":{"id":"x"},"secretName":"y"}}}`, "a"},
	} {
		given, wrong := read(c.text, declare(t, c.declarations))
		var names []string
		for _, line := range given {
			names = append(names, strings.Fields(line)[1])
		}
		assert.Equal(t, c.want, strings.Join(names, " "), c.text)
		assert.Equal(t, c.want == "", len(wrong) > 0, "%s: %v", c.text, wrong)
	}
}

// TestReadFileEntries: an entry of an ARM parameter file has a value, a reference or an expression.
func TestReadFileEntries(t *testing.T) {
	t.Parallel()
	const both = "want one of value and reference, not both"
	const vault = "a reference must name keyVault.id and secretName"
	for _, c := range []struct{ entry, given, wrong string }{
		{`{"value": null}`, "null", ""},
		{`{"value": {"value": 1}, "metadata": {"x": 1}}`, `{"value":1}`, ""},
		{`{"reference": {"keyVault": {"id": "x"}, "secretName": "y", "secretVersion": "z"}}`, `reference {"keyVault":{"id":"x"},"secretName":"y","secretVersion":"z"}`, ""},
		{`{"expression": "[externalInput('x')]"}`, "expression [externalInput('x')]", ""},
		{`1`, "", `an ARM parameter file wraps each value: {"value": …}`},
		{`{}`, "", ""},
		{`{"metadata": {"description": "x"}}`, "", ""},
		{`{"value": 1, "expression": "x"}`, "", both},
		{`{"value": 1, "reference": {"keyVault": {"id": "x"}, "secretName": "y"}}`, "", both},
		{`{"reference": 1}`, "", vault},
		{`{"reference": {"keyVault": 1, "secretName": "y"}}`, "", vault},
		{`{"reference": {"keyVault": {}, "secretName": "y"}}`, "", vault},
		{`{"reference": {"keyVault": {"id": 1}, "secretName": "y"}}`, "", vault},
		{`{"reference": {"keyVault": {"id": "x"}}}`, "", vault},
		{`{"reference": {"keyVault": {"id": "x"}, "secretName": 1}}`, "", vault},
		{`{"reference": {"secretName": "y"}}`, "", vault},
		{`{"Value": 1}`, "", `unknown key "Value"; want value or reference`},
		{`{"metadata": {}, "type": "int"}`, "", `unknown key "type"; want value or reference`},
	} {
		given, wrong := read("{"+parametersSchema+",\n \"parameters\": {\n  \"p\": "+c.entry+"}}", declare(t, `{"p":{"type":"object"}}`))
		if c.wrong != "" {
			assert.Equal(t, []string{`3:3 parameter-file p: parameter "p": ` + c.wrong}, wrong, c.entry)
			assert.Empty(t, given, c.entry)
			continue
		}
		assert.Empty(t, wrong, c.entry)
		if c.given == "" {
			assert.Empty(t, given, c.entry)
			continue
		}
		assert.Equal(t, []string{"3:3 p = " + c.given}, given, c.entry)
	}

	// All that is wrong is found at once, and what is right is given.
	given, wrong := read(`{"parameters": {"a": 1, "b": {"value": 2, "x": 3}, "B": {"value": 4}, "c": {"value": 5}}}`, declare(t, `{"a":{},"b":{},"c":{}}`))
	assert.Equal(t, []string{"1:25 b = 2", "1:52 B = 4", "1:71 c = 5"}, given)
	assert.Equal(t, []string{
		`1:17 parameter-file a: parameter "a": an ARM parameter file wraps each value: {"value": …}`,
		`1:25 parameter-file b: parameter "b": unknown key "x"; want value or reference`,
		`1:52 parameter-name-case B: "b" and "B" differ only by letter case; keep the one that the template declares`,
	}, wrong)
}

// TestReadFileHidesNames: a name that may be a part of a secret is in no message.
func TestReadFileHidesNames(t *testing.T) {
	t.Parallel()
	secure := declare(t, `{"s":{"type":"secureObject"},"a":{"type":"object"}}`)
	open := declare(t, `{"a":{"type":"object"}}`)
	for _, c := range []struct {
		d          *params.Declarations
		text, want string
	}{
		{open, `{"a":{"x":1,"x":2}}`, `1:13 duplicate-parameter x: "x" is set twice in one object; keep one of them`},
		{secure, `{"s":{"x":1,"x":2}}`, `1:13 duplicate-parameter : a name is set twice in one object; keep one of them`},
		{secure, `{"a":{"x":1,"x":2}}`, `1:13 duplicate-parameter : a name is set twice in one object; keep one of them`},
		{secure, `{"a":{},"a":{}}`, `1:9 duplicate-parameter a: "a" is set twice in one object; keep one of them`},
		{nil, `{"a":{"x":1,"x":2}}`, `1:13 duplicate-parameter x: "x" is set twice in one object; keep one of them`},
		{secure, `{"parameters":{"s":{"x":1}}}`, `1:16 parameter-file s: parameter "s": it has an unknown key; want value or reference`},
		{secure, `{"parameters":{"a":{"x":1}}}`, `1:16 parameter-file a: parameter "a": unknown key "x"; want value or reference`},
		{secure, `{"parameters":{"b":{"x":1}}}`, `1:16 parameter-file b: parameter "b": it has an unknown key; want value or reference`},
	} {
		_, wrong := read(c.text, c.d)
		assert.Equal(t, []string{c.want}, wrong, c.text)
	}
}

// TestTextsThatAreNoFile: what is wrong with standard input names it, since there is no file to show.
func TestTextsThatAreNoFile(t *testing.T) {
	t.Parallel()
	source := params.Source{Text: "standard input"}
	for text, want := range map[string]string{
		"":                              "standard input: the text is empty, and so not JSON",
		"{\n  \"é\": 1, x":              "standard input: the text is not JSON: line 2, column 11",
		"{}\n\nx":                       "standard input: the text is not JSON: line 3, column 1",
		"[]":                            "standard input: want a JSON object of parameters, not an array",
		`{"a":1,"a":2}`:                 `standard input: "a" is set twice in one object; keep one of them`,
		`{"a":1,"A":2}`:                 `standard input: "a" and "A" differ only by letter case; keep the one that the template declares`,
		strings.Repeat("[", 513):        "standard input: in the JSON, arrays and objects are nested more than 512 levels deep: line 1, column 513",
		"\n" + strings.Repeat("[", 513): "standard input: in the JSON, arrays and objects are nested more than 512 levels deep: line 2, column 513",
	} {
		_, problems := params.ReadFile([]byte(text), source, declare(t, `{"a":{"type":"int"}}`))
		require.Len(t, problems, 1, text)
		assert.Equal(t, want, problems[0].Message)
	}
	for path, want := range map[string]string{"a.yaml": ", and YAML is not read", "b.YML": ", and YAML is not read", "c.json": "", "yaml": ""} {
		_, problems := params.ReadFile([]byte("a: 1\n"), params.Source{Text: path, Path: path}, nil)
		require.Len(t, problems, 1, path)
		assert.Equal(t, "the text is not JSON"+want, problems[0].Message, path)
		assert.Equal(t, 1, problems[0].Source.Line, path)
		assert.Equal(t, path, problems[0].Source.Path, path)
	}
}

// TestTwins: of three spellings each later one is told with the one before it. One name twice is no twin.
func TestTwins(t *testing.T) {
	t.Parallel()
	layer := params.Layer{{Name: "ab"}, {Name: "c"}, {Name: "aB", Source: params.Source{Text: "x"}}, {Name: "AB"}, {Name: "c"}}
	problems := layer.Twins()
	require.Len(t, problems, 2)
	assert.Equal(t, params.Problem{Code: params.CodeCase, Parameter: "aB", Source: params.Source{Text: "x"}, Message: `x: "ab" and "aB" differ only by letter case; keep the one that the template declares`}, problems[0])
	assert.Equal(t, `"aB" and "AB" differ only by letter case; keep the one that the template declares`, problems[1].Message)
}
