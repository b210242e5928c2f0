package params_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/params"
)

func TestParseArg(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want params.Arg
	}{
		{"a=b", params.Arg{Kind: params.ArgText, Name: "a", Value: "b"}},
		{"a=", params.Arg{Kind: params.ArgText, Name: "a"}},
		{"a=b=c", params.Arg{Kind: params.ArgText, Name: "a", Value: "b=c"}},
		{"a=b:=c", params.Arg{Kind: params.ArgText, Name: "a", Value: "b:=c"}},
		{"a:=1", params.Arg{Kind: params.ArgJSON, Name: "a", Value: "1"}},
		{"a:=@x", params.Arg{Kind: params.ArgJSON, Name: "a", Value: "@x"}},
		{"a=@x.json", params.Arg{Kind: params.ArgJSONFile, Name: "a", Value: "x.json"}},
		{"a=@text:x.txt", params.Arg{Kind: params.ArgTextFile, Name: "a", Value: "x.txt"}},
		{"a=@@x", params.Arg{Kind: params.ArgText, Name: "a", Value: "@x"}},
		{"a=@@text:x", params.Arg{Kind: params.ArgText, Name: "a", Value: "@text:x"}},
		{"@x.json", params.Arg{Kind: params.ArgFile, Value: "x.json"}},
		{"@a=b.json", params.Arg{Kind: params.ArgFile, Value: "a=b.json"}},
		{"@x.bicepparam", params.Arg{Kind: params.ArgBicepFile, Value: "x.bicepparam"}},
		{"dir/x.BicepParam", params.Arg{Kind: params.ArgBicepFile, Value: "dir/x.BicepParam"}},
		{"v1.0=x.bicepparam", params.Arg{Kind: params.ArgBicepFile, Value: "v1.0=x.bicepparam"}},
		{"stage=eu/x.bicepparam", params.Arg{Kind: params.ArgText, Name: "stage", Value: "eu/x.bicepparam"}},
		{"./stage=eu/x.bicepparam", params.Arg{Kind: params.ArgBicepFile, Value: "./stage=eu/x.bicepparam"}},
		{"@-", params.Arg{Kind: params.ArgStdin, Value: "-"}},
	} {
		got, err := params.ParseArg(c.in)
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
		} else if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.in, diff)
		}
	}
}

func declare(t *testing.T, parameters string) *params.Declarations {
	t.Helper()
	return params.Declare(parse(t, `{"definitions": {
		"name": {"type": "string", "minLength": 2},
		"tree": {"type": "object", "properties": {"v": {"type": "int"}, "kids": {"type": "array", "items": {"$ref": "#/definitions/tree"}, "nullable": true}}, "additionalProperties": false},
		"loop": {"$ref": "#/definitions/loop"},
		"turn": {"type": "object", "discriminator": {"propertyName": "k", "mapping": {"a": {"$ref": "#/definitions/turn"}}}}
	}, "parameters": `+parameters+`}`).(*armjson.Object))
}

func parse(t *testing.T, text string) armjson.Value {
	t.Helper()
	v, err := armjson.Parse(text, armjson.Options{})
	require.NoError(t, err)
	return v
}

func bind(d *params.Declarations, args ...string) (string, []string) {
	var layers []params.Layer
	for _, a := range args {
		arg, err := params.ParseArg(a)
		if err != nil {
			return "", []string{err.Error()}
		}
		layer, problem := arg.Layer(nil, d)
		if problem != nil {
			return "", []string{problem.Message}
		}
		layers = append(layers, layer)
	}
	values, problems := params.Bind(d, params.Merge(layers...), params.SecureError)
	var messages []string
	for _, p := range problems {
		messages = append(messages, p.Code+": "+p.Message)
	}
	given := armjson.NewObject()
	for _, v := range values {
		given.Set(v.Name, v.Value)
	}
	return armjson.Text(given), messages
}

// TestTyping: a text means what the declaration says, and nothing is guessed.
func TestTyping(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ declaration, text, want string }{
		{`{"type":"string"}`, "20161216", `"20161216"`},
		{`{"type":"string"}`, "true", `"true"`},
		{`{"type":"string"}`, "null", `"null"`},
		{`{"type":"string","nullable":true}`, "null", `"null"`},
		{`{"type":"string"}`, "", `""`},
		{`{"type":"String"}`, "[x]", `"[x]"`},
		{`{"type":"int"}`, "007", `7`},
		{`{"type":"int"}`, "-9223372036854775808", `-9223372036854775808`},
		{`{"type":"int","nullable":true}`, "null", `null`},
		{`{"type":"bool"}`, "TRUE", `true`},
		{`{"type":"Bool"}`, "false", `false`},
		{`{"type":"object"}`, `{"b":1.0,"a":12345678901234567890}`, `{"b":1.0,"a":12345678901234567890}`},
		{`{"type":"array"}`, `[1,"1"]`, `[1,"1"]`},
		{`{"type":"array","allowedValues":["a","b"]}`, `["b","b"]`, `["b","b"]`},
		{`{"type":"array","allowedValues":[["a"],["b"]]}`, `["b"]`, `["b"]`},
		{`{"allowedValues":["1",1,true]}`, "1", `"1"`},
		{`{"allowedValues":["one",1,true]}`, "1", `1`},
		{`{"allowedValues":["one",1,true]}`, "true", `true`},
		{`{"$ref":"#/definitions/name"}`, "ab", `"ab"`},
		{`{"$ref":"#/definitions/name","minLength":1}`, "a", `"a"`},
		{`{"$ref":"#/definitions/loop"}`, "a", `"a"`},
		{`{"$ref":"#/definitions/absent"}`, "a", `"a"`},
		{`{"$ref":"#/definitions/turn"}`, `{"k":"a"}`, `{"k":"a"}`},
		{`{"$ref":"#/definitions/tree"}`, `{"v":1,"kids":[{"v":2}]}`, `{"v":1,"kids":[{"v":2}]}`},
		{`{"type":"array","prefixItems":[{"type":"string"},{"type":"int"}],"items":false}`, `["a",1]`, `["a",1]`},
		{`{"type":"object","discriminator":{"propertyName":"k","mapping":{"a":{"type":"object","properties":{"k":{"type":"string"},"n":{"type":"int"}}}}}}`, `{"k":"a","n":1}`, `{"k":"a","n":1}`},
		{`{"type":"string","maxLength":2}`, "🚀", `"🚀"`},
	} {
		got, messages := bind(declare(t, `{"p": `+c.declaration+`}`), "p="+c.text)
		want := `{"p":` + c.want + `}`
		require.Equal(t, want, got, "%s, %q: %s %q, want %s", c.declaration, c.text, got, messages, want)
		require.Nil(t, messages, "%s, %q: %s %q, want %s", c.declaration, c.text, got, messages, want)
	}
}

// TestMergeKeepsPlaces: the later value wins, and takes the place of the first one.
func TestMergeKeepsPlaces(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}`)
	got, messages := bind(d, "b=1", "a=2", "b=3", "c=4", "a=5")
	want := `{"b":"3","a":"5","c":"4"}`
	require.Equal(t, want, got, "%s %q, want %s", got, messages, want)
	require.Nil(t, messages, "%s %q, want %s", got, messages, want)
}

// TestSecretsAreNeverNamed: whatever is wrong with a secret, no message shows it.
func TestSecretsAreNeverNamed(t *testing.T) {
	t.Parallel()
	const secret = "hunter2hunter2"
	for _, declaration := range []string{
		`{"type":"securestring"}`, `{"type":"SecureString","allowedValues":["x"]}`, `{"type":"secureObject"}`,
		`{"type":"securestring","maxLength":3}`,
		`{"type":"object","properties":{"inner":{"type":"securestring"}}}`,
		`{"type":"array","items":{"type":"securestring"}}`,
	} {
		d := declare(t, `{"p": `+declaration+`}`)
		for _, arg := range []string{"p=" + secret, `p:="` + secret + `"`, `p:={"inner":"` + secret + `"}`, `p:=["` + secret + `"]`, `p={"inner":"` + secret + `"`} {
			for _, policy := range []params.SecurePolicy{params.SecureError, params.SecureOmit, params.SecureAllow} {
				a, err := params.ParseArg(arg)
				require.NoError(t, err)
				layer, problem := a.Layer(nil, nil)
				require.Nil(t, problem)
				values, problems := params.Bind(d, layer, policy)
				for _, p := range problems {
					assert.NotContains(t, p.Message+p.Source.String(), "hunter", "%s, %s: %s", declaration, policy, p.Message)
				}
				assert.False(t, policy != params.SecureAllow && (len(values) > 0 || len(problems) != 1), "%s, %s: %d values, %v", declaration, policy, len(values), problems)
			}
		}
	}
}
