package params_test

import (
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
		{"k", params.JSON{Value: parse(t, `{"x": "hunter2\ud800"}`)}, "x: it holds what"},
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
