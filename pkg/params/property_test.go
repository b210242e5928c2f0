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

// merge gives the arguments in turn, and returns what the parameters get and what is wrong.
func merge(t *testing.T, d *params.Declarations, args ...string) (string, []params.Problem) {
	t.Helper()
	var layers []params.Layer
	for _, one := range args {
		a, err := params.ParseArg(one)
		require.NoError(t, err)
		layer, problem := a.Layer(nil, d)
		require.Nil(t, problem, one)
		layers = append(layers, layer)
	}
	merged, problems := d.Merge(layers...)
	given := armjson.NewObject()
	for _, e := range merged {
		switch v := e.Value.(type) {
		case params.JSON:
			given.Set(e.Name, v.Value)
		case params.Text:
			given.Set(e.Name, armjson.String(v))
		}
	}
	return armjson.Text(given), problems
}

// TestProperties: an argument sets one property of what was given before, or else of the default.
func TestProperties(t *testing.T) {
	t.Parallel()
	const all = `{
		"plain": {"type":"object"},
		"typed": {"type":"object","properties":{"port":{"type":"int"},"on":{"type":"bool"},"name":{"type":"string"},"in":{"type":"object","additionalProperties":{"type":"int"}},"any":{}}},
		"full": {"type":"object","defaultValue":{"a":1,"b":{"c":"[[x]","d":["[y"]}}},
		"none": {"type":"object","nullable":true},
		"null": {"type":"object","nullable":true,"defaultValue":null},
		"any": {},
		"dotted.name": {"type":"int","defaultValue":1},
		"computed": {"type":"object","defaultValue":"[createObject('a', 1)]"},
		"partly": {"type":"object","defaultValue":{"a":[{"b":"[resourceGroup().id]"}]}},
		"text": {"type":"string"}, "number": {"type":"int","nullable":true}, "list": {"type":"array"},
		"word": {"defaultValue":"x"}
	}`
	for _, c := range []struct {
		args string // divided by blanks
		want string
	}{
		{`plain.a=1`, `{"plain":{"a":"1"}}`},
		{`plain.a:=1`, `{"plain":{"a":1}}`},
		{`plain.a.b.c=x`, `{"plain":{"a":{"b":{"c":"x"}}}}`},
		{`plain.a=1 plain.b=2 plain.a=3`, `{"plain":{"a":"3","b":"2"}}`},
		{`plain.a.b=1 plain.a.c=2`, `{"plain":{"a":{"b":"1","c":"2"}}}`},
		{`plain={"a":1} plain.b=2`, `{"plain":{"a":1,"b":"2"}}`},
		{`plain:={"a":1} plain.a=2`, `{"plain":{"a":"2"}}`},
		{`plain.a=1 plain:={"b":1}`, `{"plain":{"b":1}}`},
		{`plain.a:={"b":1} plain.a.c:=2`, `{"plain":{"a":{"b":1,"c":2}}}`},
		{`typed.port=80 typed.on=true typed.name=1 typed.in.x=2 typed.any=3`, `{"typed":{"port":80,"on":true,"name":"1","in":{"x":2},"any":"3"}}`},
		{`typed.other=1`, `{"typed":{"other":"1"}}`},
		{`full.a=2`, `{"full":{"a":"2","b":{"c":"[x]","d":["[y"]}}}`},
		{`full.b.c=z full.b.e=n`, `{"full":{"a":1,"b":{"c":"z","d":["[y"],"e":"n"}}}`},
		{`none.a=1`, `{"none":{"a":"1"}}`},
		{`null.a=1`, `{"null":{"a":"1"}}`},
		{`null:=null null.a=1`, `{"null":{"a":"1"}}`},
		{`none=null none.a=1`, `{"none":{"a":"1"}}`},
		{`full:=null full.a=2`, `{"full":{"a":"2","b":{"c":"[x]","d":["[y"]}}}`},
		{`plain:={"a":null} plain.a.b=1`, `{"plain":{"a":{"b":"1"}}}`},
		{`any.a=1`, `{"any":{"a":"1"}}`},
		{`dotted.name=1`, `{"dotted.name":"1"}`},
		{`plain=1 other.x=2 full.a=3`, `{"plain":"1","other.x":"2","full":{"a":"3","b":{"c":"[x]","d":["[y"]}}}`},
		{`plain.=1 plain..a=2`, `{"plain.":"1","plain..a":"2"}`},
	} {
		got, problems := merge(t, declare(t, all), strings.Fields(c.args)...)
		assert.Equal(t, c.want, got, c.args)
		assert.Empty(t, problems, c.args)
	}
	for _, c := range []struct{ args, parameter, want string }{
		{`text.a=1`, "text", `parameter "text.a": the parameter "text" is a string, which has no properties`},
		{`number.a=1`, "number", `parameter "number.a": the parameter "number" is an int or null, which has no properties`},
		{`list.a=1`, "list", `parameter "list.a": the parameter "list" is an array, which has no properties`},
		{`computed.a=1`, "computed", `parameter "computed.a": the default of the parameter "computed" is computed, so its other properties are not known; give all of it at once`},
		{`partly.a=1`, "partly", `parameter "partly.a": the default of the parameter "partly" is computed, so its other properties are not known; give all of it at once`},
		{`word.a=1`, "word", `parameter "word.a": the default of the parameter "word" is a string, which has no properties`},
		{`plain=x plain.a=1`, "plain", `parameter "plain.a": what is given for the parameter "plain" before is no object that is known here; give all of it at once`},
		{`plain:=[] plain.a=1`, "plain", `parameter "plain.a": what is given for the parameter "plain" before is no object that is known here; give all of it at once`},
		{`plain.a=1 plain.a.b=2`, "plain", `parameter "plain.a.b": "a" is a string, which has no properties`},
		{`plain.a.b:=1 plain.a.b.c.d=2`, "plain", `parameter "plain.a.b.c.d": "a.b" is a number, which has no properties`},
		{`typed.port=x`, "typed", `parameter "typed.port": "x": want an int, such as 8080`},
		{`typed.on=1`, "typed", `parameter "typed.on": "1": want true or false`},
		{`typed.in=x`, "typed", `parameter "typed.in": want an object as JSON, or from a file by name=@file.json`},
		{"typed.name=x\xff", "typed", `parameter "typed.name": it holds what is no Unicode text: a byte that is not UTF-8, or half of a pair of surrogates, such as \ud800 alone`},
	} {
		_, problems := merge(t, declare(t, all), strings.Fields(c.args)...)
		require.Len(t, problems, 1, c.args)
		assert.Equal(t, c.want, problems[0].Message)
		assert.Equal(t, c.parameter, problems[0].Parameter, c.args)
		assert.Equal(t, params.CodeType, problems[0].Code, c.args)
		last := strings.Fields(c.args)
		name, _, _ := strings.Cut(last[len(last)-1], "=")
		assert.Equal(t, name+"=…", problems[0].Source.Text, c.args)
	}
}

// TestPropertiesThatAreWrongChangeNothing: what was given before stays, and the arguments after it count.
func TestPropertiesThatAreWrongChangeNothing(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"p": {"type":"object","properties":{"n":{"type":"int"}}}, "q": {"type":"string"}}`)
	got, problems := merge(t, d, `p={"n":1}`, "q=a", "p.n=x", "p.m=y", "q.z=1", "q=b")
	assert.Equal(t, `{"p":{"n":1,"m":"y"},"q":"b"}`, got)
	require.Len(t, problems, 2)
	assert.Equal(t, `parameter "p.n": "x": want an int, such as 8080`, problems[0].Message)
	assert.Equal(t, `parameter "q.z": the parameter "q" is a string, which has no properties`, problems[1].Message)
}

// TestPropertiesLeaveTheirSourceAlone: the default of the template, and the values of other layers, stay as they are.
func TestPropertiesLeaveTheirSourceAlone(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"p": {"type":"object","defaultValue":{"a":{"b":1}}}}`)
	given := parse(t, `{"a":{"b":2}}`)
	layer := params.Layer{{Name: "p", Value: params.JSON{Value: given}}}
	set := params.Layer{{Name: "p.a.b", Value: params.Text("3"), Named: true, Source: params.Source{Text: "p.a.b=…"}}}
	for _, layers := range [][]params.Layer{{set}, {layer, set}} {
		merged, problems := d.Merge(layers...)
		require.Empty(t, problems)
		require.Len(t, merged, 1)
		assert.Equal(t, `{"a":{"b":"3"}}`, armjson.Text(merged[0].Value.(params.JSON).Value))
		assert.Equal(t, params.Entry{Name: "p", Value: merged[0].Value, Source: set[0].Source}, merged[0])
	}
	assert.Equal(t, `{"a":{"b":2}}`, armjson.Text(given))
	assert.Equal(t, `{"a":{"b":1}}`, armjson.Text(d.All()[0].Default()))
}

// TestNamesOfFilesAreNoProperties: a dot in a name of a file belongs to the name.
func TestNamesOfFilesAreNoProperties(t *testing.T) {
	t.Parallel()
	merged, problems := declare(t, `{"p": {"type":"object"}}`).Merge(params.Layer{{Name: "p.a", Value: params.Text("1")}})
	require.Empty(t, problems)
	require.Len(t, merged, 1)
	assert.Equal(t, "p.a", merged[0].Name)
	assert.Equal(t, params.Text("1"), merged[0].Value)

	merged = params.Merge(params.Layer{{Name: "p.a", Value: params.Text("1"), Named: true}, {Name: "b", Value: params.Text("2")}}, params.Layer{{Name: "p.a", Value: params.Text("3"), Named: true}})
	require.Len(t, merged, 2)
	assert.Equal(t, params.Text("3"), merged[0].Value)
	assert.Equal(t, "b", merged[1].Name)
}

// TestPropertiesKeepMarks: an object is as secret as each of its properties, and no message shows one.
func TestPropertiesKeepMarks(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"p": {"type":"object","properties":{"n":{"type":"int"}},"additionalProperties":{"type":"string"}}, "s": {"type":"secureObject","properties":{"n":{"type":"int"}}}}`)
	property := func(name, text string, mark secret.Mark) params.Layer {
		return params.Layer{{Name: name, Value: params.Text(text), Mark: mark, Named: true}}
	}
	for _, c := range []struct {
		was, is, want secret.Mark
	}{{0, 0, 0}, {secret.Environment, 0, secret.Environment}, {0, secret.Environment, secret.Environment}, {secret.Secure, secret.Environment, secret.Secure}, {0, secret.Secure, secret.Secure}} {
		merged, problems := d.Merge(property("p.a", "1", c.was), property("p.b", "2", c.is))
		require.Empty(t, problems)
		require.Len(t, merged, 1)
		assert.Equal(t, c.want, merged[0].Mark)
	}
	for _, layer := range []params.Layer{property("p.n", "hunter2", secret.Environment), property("s.n", "hunter2", 0)} {
		_, problems := d.Merge(layer)
		require.Len(t, problems, 1)
		assert.Equal(t, `parameter "`+layer[0].Name+`": want an int, such as 8080`, problems[0].Message)
	}
	reference := params.Layer{{Name: "s", Value: params.Reference{Object: parse(t, `{"keyVault":{"id":"x"},"secretName":"y"}`).(*armjson.Object)}}}
	_, problems := d.Merge(reference, property("s.n", "1", 0))
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0].Message, `what is given for the parameter "s" before is no object that is known here`)
}
