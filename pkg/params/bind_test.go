package params_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/params"
	"github.com/radbicep/rad/pkg/secret"
)

// TestBindSecrets: a manifest gets no value that is secret, unless the user says so, and no
// problem shows one.
func TestBindSecrets(t *testing.T) {
	t.Parallel()
	const parameters = `{"secret": {"type": "secureString", "defaultValue": ""}, "open": {"type": "string", "defaultValue": ""}, "count": {"type": "int", "defaultValue": 0}}`
	reference := params.Reference{Object: parse(t, `{"keyVault": {"id": "x"}, "secretName": "y"}`).(*armjson.Object)}
	hunter := params.Text("hunter2")
	for _, test := range []struct {
		name   string
		entry  params.Entry
		policy params.SecurePolicy
		bound  bool
		secret bool   // as Secret says of what is bound
		hidden bool   // as Hidden does
		want   string // the problem
		remedy params.Remedy
	}{
		{"a value", params.Entry{Name: "open", Value: hunter}, params.SecureError, true, false, false, "", 0},
		{"a secure value", params.Entry{Name: "secret", Value: hunter}, params.SecureError, false, false, false, "it is secure, and a manifest is readable by everybody", params.GiveReference},
		{"a secure value, omitted", params.Entry{Name: "secret", Value: hunter}, params.SecureOmit, false, false, false, "it is secure, so its value is left out", 0},
		{"a secure value, referred to", params.Entry{Name: "secret", Value: hunter}, params.SecureReference, true, false, false, "it is secure, so the manifest refers to its key", 0},
		{"of a secret, referred to", params.Entry{Name: "open", Value: hunter, Mark: secret.Secure}, params.SecureReference, true, false, false, "that of a secure parameter", 0},
		{"a value beside references", params.Entry{Name: "open", Value: hunter}, params.SecureReference, true, false, false, "", 0},
		{"a secure value, allowed", params.Entry{Name: "secret", Value: hunter}, params.SecureAllow, true, true, true, "", 0},
		{"an unknown policy", params.Entry{Name: "secret", Value: hunter}, "", false, false, false, "it is secure", params.GiveReference},
		{"of a secret", params.Entry{Name: "open", Value: hunter, Mark: secret.Secure}, params.SecureError, false, false, false, "that of a secure parameter", params.ComputeInstead},
		{"of a secret, omitted", params.Entry{Name: "open", Value: hunter, Mark: secret.Secure}, params.SecureOmit, false, false, false, "that of a secure parameter", 0},
		{"of a secret, allowed", params.Entry{Name: "open", Value: hunter, Mark: secret.Secure}, params.SecureAllow, true, true, true, "", 0},
		{"of the environment", params.Entry{Name: "open", Value: hunter, Mark: secret.Environment}, params.SecureError, true, false, true, "", 0},
		{"of the environment, wrong", params.Entry{Name: "count", Value: hunter, Mark: secret.Environment}, params.SecureError, false, false, true, "want", 0},
		{"a secret, wrong", params.Entry{Name: "count", Value: hunter, Mark: secret.Secure}, params.SecureAllow, false, false, false, "want", 0},
		{"a reference", params.Entry{Name: "secret", Value: reference}, params.SecureError, true, false, false, "", 0},
		{"a reference for an open parameter", params.Entry{Name: "open", Value: reference, Mark: secret.Secure}, params.SecureError, true, false, false, "", 0},
		{"a reference for a number", params.Entry{Name: "count", Value: reference}, params.SecureError, false, false, false, "not a reference to a secret", 0},
		{"an expression", params.Entry{Name: "open", Value: params.Expression("externalInput('x')")}, params.SecureError, false, false, false, "externalInput", params.GiveValue},
	} {
		values, problems := params.Bind(declare(t, parameters), params.Layer{test.entry}, test.policy)
		require.Equal(t, test.bound, len(values) == 1, test.name)
		if test.bound {
			assert.Equal(t, test.secret, !values[0].Mark.Written(), test.name)
			assert.Equal(t, test.hidden, !values[0].Mark.Shown(), test.name)
		}
		if test.want == "" {
			require.Empty(t, problems, test.name)
			continue
		}
		require.Len(t, problems, 1, test.name)
		assert.Contains(t, problems[0].Message, test.want, test.name)
		assert.NotContains(t, problems[0].Message, "hunter2", test.name)
		assert.Equal(t, test.remedy, problems[0].Remedy, test.name)
		assert.Equal(t, test.policy == params.SecureOmit || test.policy == params.SecureReference, problems[0].Warning, test.name)
	}
}

// TestBindMissing: what the template needs and nobody gave.
func TestBindMissing(t *testing.T) {
	t.Parallel()
	d := func() *params.Declarations {
		return declare(t, `{"secret": {"type": "secureString"}, "open": {"type": "string"}}`)
	}
	values, problems := params.Bind(d(), nil, params.SecureReference)
	require.Len(t, values, 1)
	require.True(t, values[0].InSecret)
	require.Equal(t, "secret", values[0].Name)
	require.Len(t, problems, 1, "the other one")

	values, problems = params.Bind(d(), nil, params.SecureError)
	require.Empty(t, values)
	require.Len(t, problems, 2)
	assert.Equal(t, `the template requires a value for the parameter "secret", which is secure`, problems[0].Message)
	assert.Equal(t, params.GiveReference, problems[0].Remedy)
	assert.Equal(t, `the template requires a value for the parameter "open" (string)`, problems[1].Message)
	assert.Equal(t, params.GiveValue, problems[1].Remedy)

	_, problems = params.Bind(d(), nil, params.SecureOmit)
	require.Len(t, problems, 2)
	assert.Equal(t, "open", problems[0].Parameter, "errors are first")
	assert.False(t, problems[0].Warning)
	assert.True(t, problems[1].Warning)
	assert.Contains(t, problems[1].Message, "has no value in the manifest")

	_, problems = params.Bind(d(), params.Layer{{Name: "OPEN", Value: params.Text("x")}, {Name: "secrets", Value: params.Text("x")}, {Name: "Secrets", Value: params.Text("x")}}, params.SecureOmit)
	require.Len(t, problems, 4)
	assert.Equal(t, `parameter "OPEN": the template spells it "open"`, problems[0].Message)
	assert.Equal(t, params.CodeCase, problems[0].Code)
	assert.Contains(t, problems[1].Message, `the template declares no parameter "secrets"`)
	assert.Contains(t, problems[1].Message, `("Secrets" is given too)`)

	_, problems = params.Bind(d(), params.Layer{{Name: "Open", Value: params.Text("x")}, {Name: "open", Value: params.Text("y")}, {Name: "secret", Value: params.Reference{}}}, params.SecureError)
	require.Len(t, problems, 1)
	assert.Equal(t, `parameter "Open": the template spells it "open", and both spellings are given`, problems[0].Message)
}

// TestBindNoUnicodeText: half of a character is refused where it is, in every form of a value. What
// would be written in its place is another value.
func TestBindNoUnicodeText(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"s": {"type": "string", "defaultValue": ""}, "o": {"type": "object", "defaultValue": {}}, "a": {"type": "array", "defaultValue": []}, "k": {"type": "secureObject", "defaultValue": {}}}`)
	source := params.Source{Text: "p.json", Path: "p.json", Line: 7}
	for _, test := range []struct {
		name  string
		value params.Value
		want  string // after the name of the parameter; "" if it is bound
	}{
		{"s", params.Text("x\xff"), "it holds what is no Unicode text"},
		{"s", params.Text("hunter2\xed\xa0\x80"), "it holds what"},
		{"s", params.JSON{Value: parse(t, `"hunter2\ud800y"`)}, "it holds what"},
		{"s", params.JSON{Value: parse(t, `"\udc00\ud800"`)}, "it holds what"},
		{"o", params.Text(`{"b": {"c": ["x", "\ud800"]}}`), "b.c[1]: it holds what"},
		{"o", params.JSON{Value: parse(t, `{"\ud800": 1}`)}, "the name of a property: it holds what"},
		{"a", params.JSON{Value: parse(t, `[{"x": "\ud800"}]`)}, "[0].x: it holds what"},
		{"k", params.JSON{Value: parse(t, `{"x": "hunter2\ud800"}`)}, "its value does not fit"},
		{"s", params.JSON{Value: parse(t, `"\ud83d\ude00"`)}, ""},
		{"s", params.Text("\ufffd😀"), ""},
	} {
		values, problems := params.Bind(d, params.Layer{{Name: test.name, Value: test.value, Source: source}}, params.SecureAllow)
		if test.want == "" {
			require.Empty(t, problems, test.name)
			require.Len(t, values, 1)
			continue
		}
		require.Empty(t, values, test.want)
		require.Len(t, problems, 1, test.want)
		require.Contains(t, problems[0].Message, `parameter "`+test.name+`": `+test.want)
		require.NotContains(t, problems[0].Message, "hunter2")
		require.Equal(t, source, problems[0].Source)
	}
}

// TestBindMessages: what is said of secrets, references and expressions, whole, with the place of the value.
func TestBindMessages(t *testing.T) {
	t.Parallel()
	const parameters = `{"secret": {"type": "secureString", "defaultValue": ""}, "open": {"type": "string", "defaultValue": ""}, "count": {"type": "int", "defaultValue": 0}, "on": {"type": "bool", "nullable": true}, "list": {"type": "array", "defaultValue": []}, "o": {"type": "object", "defaultValue": {}}, "any": {"defaultValue": 1}}`
	reference := params.Reference{Object: parse(t, `{"keyVault": {"id": "x"}, "secretName": "y"}`).(*armjson.Object)}
	source := params.Source{Text: "f.json", Path: "f.json", Line: 3, Column: 5}
	const computed = "its value and that of a secure parameter are computed from each other or from one source"
	for _, c := range []struct {
		name   string
		value  params.Value
		mark   secret.Mark
		policy params.SecurePolicy
		code   string
		want   string
	}{
		{"secret", params.Text("x"), 0, params.SecureError, params.CodeSecure, "it is secure, and a manifest is readable by everybody who can read the repository or the cluster"},
		{"secret", params.Text("x"), 0, params.SecureOmit, params.CodeSecure, "it is secure, so its value is left out of the manifest; give one when you deploy the manifest"},
		{"secret", params.Text("x"), 0, params.SecureReference, params.CodeSecure, "it is secure, so the manifest refers to its key in a Secret, and does not hold the value"},
		{"open", params.Text("x"), secret.Secure, params.SecureError, params.CodeSecure, computed + ", and a manifest is readable by everybody who can read the repository or the cluster"},
		{"open", params.Text("x"), secret.Secure, params.SecureOmit, params.CodeSecure, computed + ", so its value is left out of the manifest; give one when you deploy the manifest"},
		{"open", params.Text("x"), secret.Secure, params.SecureReference, params.CodeSecure, computed + ", so the manifest refers to its key in a Secret, and does not hold the value"},
		{"open", params.Expression("x"), 0, params.SecureError, params.CodeExternal, "its value uses externalInput, which only a deployment can find"},
		{"count", reference, 0, params.SecureError, params.CodeType, "want an int, not a reference to a secret"},
		{"on", reference, 0, params.SecureError, params.CodeType, "want a bool or null, not a reference to a secret"},
		{"list", reference, 0, params.SecureError, params.CodeType, "want an array, not a reference to a secret"},
		{"o", reference, 0, params.SecureError, "", ""},
		{"any", reference, 0, params.SecureError, "", ""},
		{"count", params.JSON{Value: armjson.Null{}}, 0, params.SecureError, "", ""}, // the default
		{"on", params.JSON{Value: armjson.Null{}}, 0, params.SecureError, "", ""},
		{"any", params.JSON{Value: armjson.Null{}}, 0, params.SecureError, "", ""},
	} {
		values, problems := params.Bind(declare(t, parameters), params.Layer{{Name: c.name, Value: c.value, Mark: c.mark, Source: source}}, c.policy)
		if c.want == "" {
			require.Empty(t, problems, c.name)
			require.Len(t, values, 1, c.name)
			assert.Equal(t, source, values[0].Source)
			continue
		}
		require.Len(t, problems, 1, c.name)
		assert.Equal(t, `parameter "`+c.name+`": `+c.want, problems[0].Message)
		assert.Equal(t, c.code, problems[0].Code, c.want)
		assert.Equal(t, c.name, problems[0].Parameter)
		assert.Equal(t, source, problems[0].Source)
	}
	values, problems := params.Bind(declare(t, parameters), params.Layer{{Name: "secret", Value: reference}, {Name: "o", Value: params.JSON{Value: parse(t, `{"a":1}`)}}}, params.SecureError)
	require.Empty(t, problems)
	require.Len(t, values, 2)
	assert.Equal(t, reference.Object, values[0].Reference)
	assert.Nil(t, values[0].Value)
	assert.Nil(t, values[1].Reference)
	assert.Equal(t, `{"a":1}`, armjson.Text(values[1].Value))
}

// TestBindOrder: problems come in the order in which the values were given, then those of what is missing in the
// order of the template, and warnings last.
func TestBindOrder(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"a": {"type": "int"}, "s": {"type": "securestring"}, "b": {"type": "int"}, "c": {"type": "int"}, "n": {"type": "int", "nullable": true}}`)
	values, problems := params.Bind(d, params.Layer{{Name: "zzz", Value: params.Text("")}, {Name: "s", Value: params.Text("x")}, {Name: "c", Value: params.Text("3")}, {Name: "b", Value: params.Text("x")}}, params.SecureOmit)
	require.Len(t, values, 1)
	assert.Equal(t, "c", values[0].Name)
	var got []string
	for _, p := range problems {
		got = append(got, p.Code+" "+p.Parameter)
	}
	assert.Equal(t, []string{"unknown-parameter zzz", "parameter-type b", "missing-parameter a", "secure-parameter s"}, got)
}

// TestBindMissingWhenSecure: what is said of a secure parameter without a value, by policy.
func TestBindMissingWhenSecure(t *testing.T) {
	t.Parallel()
	for policy, want := range map[params.SecurePolicy]params.Problem{
		params.SecureError: {Code: params.CodeMissing, Parameter: "s", Remedy: params.GiveReference, Message: `the template requires a value for the parameter "s", which is secure`},
		params.SecureAllow: {Code: params.CodeMissing, Parameter: "s", Remedy: params.GiveReference, Message: `the template requires a value for the parameter "s", which is secure`},
		params.SecureOmit:  {Code: params.CodeSecure, Parameter: "s", Warning: true, Message: `parameter "s": it is secure and has no value in the manifest; give one when you deploy the manifest`},
	} {
		values, problems := params.Bind(declare(t, `{"s": {"type": "securestring"}}`), nil, policy)
		assert.Empty(t, values, policy)
		assert.Equal(t, []params.Problem{want}, problems, policy)
	}
	values, problems := params.Bind(declare(t, `{"o": {"type": "int", "nullable": true}, "s": {"type": "securestring", "nullable": true}, "d": {"type": "securestring", "defaultValue": ""}}`), nil, params.SecureReference)
	assert.Empty(t, values)
	assert.Empty(t, problems)
}

// TestBindUnknown: what is said of names that the template does not declare.
func TestBindUnknown(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"port": {"type": "int", "defaultValue": 1}, "Tag": {"type": "string", "defaultValue": ""}, "TAG": {"type": "string", "defaultValue": ""}}`)
	for _, c := range []struct {
		names string
		want  []string
	}{
		{"prot", []string{`unknown-parameter: the template declares no parameter "prot"; did you mean "port"?`}},
		{"zzzzzz", []string{`unknown-parameter: the template declares no parameter "zzzzzz"`}},
		{"PORT", []string{`parameter-name-case: parameter "PORT": the template spells it "port"`}},
		{"Port port", []string{`parameter-name-case: parameter "Port": the template spells it "port", and both spellings are given`}},
		{"tag", []string{`parameter-name-case: parameter "tag": the template spells it "Tag"`}},
		{"zzzzzz ZZZZZZ", []string{`unknown-parameter: the template declares no parameter "zzzzzz" ("ZZZZZZ" is given too)`, `unknown-parameter: the template declares no parameter "ZZZZZZ" ("zzzzzz" is given too)`}},
	} {
		var layer params.Layer
		for i, name := range strings.Fields(c.names) {
			layer = append(layer, params.Entry{Name: name, Value: params.JSON{Value: armjson.Int(1)}, Source: params.Source{Text: "f", Line: i + 1}})
		}
		_, problems := params.Bind(d, layer, params.SecureError)
		var got []string
		for i, p := range problems {
			got = append(got, p.Code+": "+p.Message)
			assert.Equal(t, i+1, p.Source.Line)
			assert.Equal(t, layer[i].Name, p.Parameter)
		}
		assert.Equal(t, c.want, got)
	}

	// Of many spellings some are named.
	var layer params.Layer
	for i := range 20 {
		name := []byte("zzzzzzzzzzzzzzzzzzzz")
		name[i] = 'Z'
		layer = append(layer, params.Entry{Name: string(name), Value: params.Text("")})
	}
	_, problems := params.Bind(d, layer, params.SecureError)
	require.Len(t, problems, 20)
	assert.Equal(t, 11, strings.Count(problems[0].Message, "is given too"))
	assert.Equal(t, 12, strings.Count(problems[19].Message, "is given too"))
}
