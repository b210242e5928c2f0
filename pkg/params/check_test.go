package params_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/params"
	"github.com/radbicep/rad/pkg/secret"
)

// quoted returns n words as they are in a list of JSON: "v0","v1".
func quoted(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"`+format+`"`, i)
	}
	return strings.Join(list, ",")
}

// TestMessagesOfTypes: what is said of each kind of value, whole. No message is what fits.
func TestMessagesOfTypes(t *testing.T) {
	t.Parallel()
	const (
		wantInt  = "want an int, such as 8080"
		intRange = "want an int from -9223372036854775808 to 9223372036854775807"
		fraction = "want an int, without fraction and exponent"
		object   = `want an object as JSON, such as p:={"key":"value"}, a property by p.key=value, or from a file by name=@file.json`
		file     = ", or from a file by name=@file.json"
	)
	nines, long := strings.Repeat("9", 200), strings.Repeat("x", 40)
	for _, c := range []struct {
		declaration, arg string
		want             string // after the code and the name
	}{
		{`{"type":"int"}`, "p=", `"": ` + wantInt},
		{`{"type":"int"}`, "p=-", `"-": ` + wantInt},
		{`{"type":"int"}`, "p=+1", `"+1": ` + wantInt},
		{`{"type":"int"}`, "p=+99999999999999999999", `"+99999999999999999999": ` + wantInt},
		{`{"type":"int"}`, "p=1.0", `"1.0": ` + wantInt},
		{`{"type":"int"}`, "p=1e3", `"1e3": ` + wantInt},
		{`{"type":"int"}`, "p=null", `"null": ` + wantInt},
		{`{"type":"int"}`, "p=" + long, `"` + long + `": ` + wantInt},
		{`{"type":"int"}`, "p=" + long + "y", `"` + long + `…": ` + wantInt},
		{`{"type":"int"}`, "p= 8080\n", ""},
		{`{"type":"int"}`, "p=9223372036854775807", ""},
		{`{"type":"int"}`, "p=9223372036854775808", `"9223372036854775808": ` + intRange},
		{`{"type":"int"}`, "p=-9223372036854775808", ""},
		{`{"type":"int"}`, "p=-9223372036854775809", `"-9223372036854775809": ` + intRange},
		{`{"type":"int"}`, "p:=1.0", "1.0: " + fraction},
		{`{"type":"int"}`, "p:=1e3", "1e3: " + fraction},
		{`{"type":"int"}`, "p:=" + nines, nines + ": " + intRange},
		{`{"type":"int"}`, "p:=" + nines + "9", nines + "…: " + intRange},
		{`{"type":"int"}`, "p:=true", "want an int, not a bool"},
		{`{"type":"int"}`, `p:="1"`, "want an int, not a string"},
		{`{"type":"int"}`, "p:=[1]", "want an int, not an array"},
		{`{"type":"int"}`, "p:={}", "want an int, not an object"},
		{`{"type":"int","nullable":true}`, `p:="1"`, "want an int or null, not a string"},
		{`{"type":"int","nullable":true}`, "p=null", ""},
		{`{"type":"int","nullable":true}`, "p:=null", ""},
		{`{"type":"int","minValue":2,"maxValue":4}`, "p=1", "1: the least value is 2"},
		{`{"type":"int","minValue":2,"maxValue":4}`, "p=2", ""},
		{`{"type":"int","minValue":2,"maxValue":4}`, "p=4", ""},
		{`{"type":"int","minValue":2,"maxValue":4}`, "p=5", "5: the greatest value is 4"},

		{`{"type":"bool"}`, "p=", `"": want true or false`},
		{`{"type":"bool"}`, "p=1", `"1": want true or false`},
		{`{"type":"bool"}`, "p= True ", ""},
		{`{"type":"bool"}`, "p=fAlse", ""},
		{`{"type":"bool"}`, "p:=1", "want a bool, not a number"},
		{`{"type":"bool","nullable":true}`, "p=null", ""},
		{`{"type":"bool","nullable":true}`, "p=nul", `"nul": want true or false`},

		{`{"type":"string"}`, "p:=1", "want a string, not a number"},
		{`{"type":"string","nullable":true}`, "p:=null", ""},
		{`{"type":"string","minLength":2,"maxLength":3}`, "p=a", "want at least 2 characters, not 1"},
		{`{"type":"string","minLength":2,"maxLength":3}`, "p=ab", ""},
		{`{"type":"string","minLength":2,"maxLength":3}`, "p=abc", ""},
		{`{"type":"string","minLength":2,"maxLength":3}`, "p=abcd", "want at most 3 characters, not 4"},
		{`{"type":"string","minLength":1,"maxLength":0}`, "p=", "want at least 1 character, not 0"},
		{`{"type":"string","maxLength":3}`, "p=é🚀", ""},
		{`{"type":"string","maxLength":3}`, "p=🚀🚀", "want at most 3 characters, not 4"},

		{`{"type":"object"}`, "p=x", object},
		{`{"type":"object"}`, "p=", object},
		{`{"type":"object"}`, `p={"a":1`, object},
		{`{"type":"object"}`, `p={"a":{"b":1,"b":2}}`, `"b" is set twice in one object; keep one of them`},
		{`{"type":"object"}`, "p=[]", "want an object, not an array"},
		{`{"type":"object"}`, `p={"a":1} // note`, ""},
		{`{"type":"object","nullable":true}`, "p=null", ""},
		{`{"type":"object"}`, "p=null", "it has no default, so null is not a value for it; want an object"},
		{`{"type":"object","nullable":true}`, "p=x", strings.Replace(object, "object", "object or null", 1)},

		{`{"type":"array","items":{"type":"string"}}`, "p=a, 2", `want an array as JSON, such as p:=["a","2"]` + file},
		{`{"type":"array","items":{"type":"int"}}`, "p=a, 2", `want an array as JSON, such as p:=["a",2]` + file},
		{`{"type":"array"}`, "p=a,{", `want an array as JSON, such as p:=["a","{"]` + file},
		{`{"type":"array"}`, "p=", `want an array as JSON, such as p:=[""]` + file},
		{`{"type":"array"}`, "p=" + long + ",z", `want an array as JSON, such as p:=["` + long + `…"]` + file},
		{`{"type":"array"}`, "p:={}", "want an array, not an object"},
		{`{"type":"array","minLength":2,"maxLength":3}`, "p=[1]", "want at least 2 elements, not 1"},
		{`{"type":"array","minLength":2,"maxLength":3}`, "p=[1,2]", ""},
		{`{"type":"array","minLength":2,"maxLength":3}`, "p=[1,2,3]", ""},
		{`{"type":"array","minLength":2,"maxLength":3}`, "p=[1,2,3,4]", "want at most 3 elements, not 4"},

		{`{}`, "p=null", ""},
		{`{"nullable":true}`, "p=null", ""},
		{`{"type":"unknown"}`, "p=x", ""},
	} {
		_, messages := bind(declare(t, `{"p": `+c.declaration+`}`), c.arg)
		var got []string
		for _, m := range messages {
			_, text, _ := strings.Cut(m, ": ")
			got = append(got, strings.TrimPrefix(text, `parameter "p": `))
		}
		assert.Equal(t, c.want, strings.Join(got, "\n"), "%s %s", c.declaration, c.arg)
	}
}

// TestMessagesOfParts: what is wrong within arrays and objects, each with the place in the value, and in the order
// of the type.
func TestMessagesOfParts(t *testing.T) {
	t.Parallel()
	const (
		pair     = `{"type":"array","prefixItems":[{"type":"string"},{"type":"int"}]`
		object   = `{"type":"object","properties":{"name":{"type":"string"},"port":{"type":"int","minValue":1},"size":{"type":"int","defaultValue":1},"tag":{"type":"string","nullable":true}}`
		numbers  = `{"type":"object","properties":{"name":{"type":"string"}},"additionalProperties":{"type":"int"}}`
		variants = `{"type":"object","discriminator":{"propertyName":"k","mapping":{"a":{"type":"object","properties":{"k":{"type":"string"},"n":{"type":"int"}}},"b":{"type":"object","properties":{"k":{"type":"string"},"name":{"type":"string"}},"additionalProperties":false}}}}`
	)
	for _, c := range []struct {
		declaration, value string
		want               []string
	}{
		{`{"type":"array","items":{"type":"int","maxValue":3}}`, `[1,"2",4,null]`, []string{"[1]: want an int, not a string", "[2]: 4: the greatest value is 3", "[3]: want an int, not null"}},
		{`{"type":"array","items":{"type":"int","nullable":true}}`, `[1,null]`, nil},
		{`{"type":"array","items":{}}`, `[1,null,"x"]`, nil},
		{`{"type":"array","items":{"type":"array","items":{"type":"bool"}}}`, `[[true],[false,1]]`, []string{"[1][1]: want a bool, not a number"}},
		{`{"type":"array","items":{"type":"array","items":{"type":"bool"},"minLength":1}}`, `[[]]`, []string{"[0]: want at least 1 element, not 0"}},
		{pair + `}`, `["a",1]`, nil},
		{pair + `}`, `["a",1,true]`, nil},
		{pair + `}`, `["a"]`, []string{"want 2 elements, not 1"}},
		{pair + `}`, `[1,"a"]`, []string{"[0]: want a string, not a number", "[1]: want an int, not a string"}},
		{pair + `,"items":{"type":"bool"}}`, `["a",1,true,1]`, []string{"[3]: want a bool, not a number"}},
		{pair + `,"items":true}`, `["a",1,true,1]`, nil},
		{pair + `,"items":false}`, `["a",1]`, nil},
		{pair + `,"items":false}`, `["a",1,2]`, []string{"want 2 elements, not 3"}},
		{`{"type":"array","items":false}`, `[1]`, []string{"want 0 elements, not 1"}},
		{`{"type":"array","prefixItems":[{"type":"string"}],"items":false}`, `[]`, []string{"want 1 element, not 0"}},

		{object + `}`, `{"name":"a","port":1}`, nil},
		{object + `}`, `{"name":"a","port":1,"size":2,"tag":null}`, nil},
		{object + `}`, `{"port":0}`, []string{`the property "name" is missing`, "port: 0: the least value is 1"}},
		{object + `}`, `{"name":null,"port":1,"tag":2}`, []string{"name: want a string, not null", "tag: want a string or null, not a number"}},
		{object + `,"additionalProperties":true}`, `{"name":"a","port":1,"more":[]}`, nil},
		{object + `,"additionalProperties":false}`, `{"name":"a","port":1,"others":[],"sise":1,"zzzzzz":2}`, []string{`the property "others" is unknown`, `the property "sise" is unknown; did you mean "size"?`, `the property "zzzzzz" is unknown`}},
		{`{"type":"object","additionalProperties":false}`, `{"a":1}`, []string{`the property "a" is unknown`}},
		{numbers, `{"name":"a","x":1}`, nil},
		{numbers, `{"name":"a","x":1,"y":"z"}`, []string{"y: want an int, not a string"}},
		{`{"type":"object","additionalProperties":{"type":"int"}}`, `{"x":1,"y":"z"}`, []string{"y: want an int, not a string"}},
		{`{"type":"object","properties":{"o":` + object + `}}}`, `{"o":{"name":"a"}}`, []string{`o: the property "port" is missing`}},
		{`{"type":"object","properties":{"a":{"type":"array","items":` + object + `}}}}`, `{"a":[{"name":"a","port":1},{"name":2,"port":1}]}`, []string{"a[1].name: want a string, not a number"}},
		{`{"type":"object","properties":{"any":{}}}`, `{"any":null}`, nil},
		{`{"type":"object","properties":{"any":{}}}`, `{}`, []string{`the property "any" is missing`}},

		{variants, `{"k":"a","n":1}`, nil},
		{variants, `{"k":"a","n":"x"}`, []string{"n: want an int, not a string"}},
		{variants, `{"k":"b","name":"x"}`, nil},
		{variants, `{"k":"b","n":1}`, []string{`the property "name" is missing`, `the property "n" is unknown; did you mean "k"?`}},
		{variants, `{"n":1}`, []string{`want the property "k", which says what the object is`}},
		{variants, `{"k":1}`, []string{`want the property "k", which says what the object is`}},
		{variants, `{"k":"A","n":1}`, []string{`k: want "a" or "b"`}},
		{`{"type":"array","items":` + variants + `}`, `[{"k":"a","n":1},{"k":"c"},{}]`, []string{`[1].k: want "a" or "b"`, `[2]: want the property "k", which says what the object is`}},
	} {
		_, messages := bind(declare(t, `{"p": `+c.declaration+`}`), "p:="+c.value)
		var got []string
		for _, m := range messages {
			_, text, _ := strings.Cut(m, ": ")
			got = append(got, strings.TrimPrefix(text, `parameter "p": `))
		}
		assert.Equal(t, c.want, got, "%s %s", c.declaration, c.value)
	}
}

// TestMisspeltProperties: a property that an open type does not have is a warning, in every form of a value but a compiled
// one, of which the compiler warns. The value is given all the same.
func TestMisspeltProperties(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"p": {"type":"object","defaultValue":{},"properties":{"size":{"nullable":true},"inner":{"type":"object","nullable":true,"properties":{"name":{"nullable":true}}}}},
		"any": {"type":"object","defaultValue":{}}, "none": {"type":"object","properties":{},"defaultValue":{}}, "pw": {"type":"secureObject","defaultValue":{},"properties":{"size":{"nullable":true}}}}`)
	for arg, want := range map[string][]string{
		"p.sise=large":                          {`the property "sise" is unknown; did you mean "size"?`},
		`p:={"Size":1,"inner":{"zzzzzz":1}}`:    {`inner: the property "zzzzzz" is unknown`, `the property "Size" is unknown; did you mean "size"?`},
		`p={"inner":{"nmae":1}}`:                {`inner: the property "nmae" is unknown; did you mean "name"?`},
		`any:={"sise":1}`:                       nil,
		`none:={"sise":1}`:                      nil,
		`pw:={"sise":1}`:                        nil,
		`p:={"size":1,"inner":{"name":"text"}}`: nil,
	} {
		one, err := params.ParseArg(arg)
		require.NoError(t, err)
		layer, _ := one.Layer(nil, d)
		merged, _ := d.Merge(layer)
		values, problems := params.Bind(d, merged, params.SecureAllow)
		require.Len(t, values, 1, arg)
		var got []string
		for _, p := range problems {
			require.True(t, p.Warning)
			got = append(got, strings.TrimPrefix(p.Message, `parameter "p": `))
		}
		require.Equal(t, want, got, arg)
		merged[0].Source.Path = "p.bicepparam"
		_, problems = params.Bind(d, merged, params.SecureAllow)
		require.Empty(t, problems, arg)
	}
}

// TestCodesOfValues: a value of another type is told from one that a constraint forbids, and from none.
func TestCodesOfValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ declaration, value, want string }{
		{`{"type":"int"}`, `"x"`, params.CodeType},
		{`{"type":"int"}`, `1.5`, params.CodeType},
		{`{"type":"int"}`, `99999999999999999999`, params.CodeType},
		{`{"type":"int"}`, `null`, params.CodeMissing},
		{`{"type":"array","items":{"type":"int"}}`, `[null]`, params.CodeType},
		{`{"type":"int","minValue":1}`, `0`, params.CodeConstraint},
		{`{"type":"int","maxValue":1}`, `2`, params.CodeConstraint},
		{`{"type":"string","minLength":1}`, `""`, params.CodeConstraint},
		{`{"type":"array","maxLength":1}`, `[1,2]`, params.CodeConstraint},
		{`{"type":"int","allowedValues":[1]}`, `2`, params.CodeConstraint},
		{`{"type":"array","prefixItems":[{}]}`, `[]`, params.CodeType},
		{`{"type":"object","properties":{"a":{}}}`, `{}`, params.CodeType},
		{`{"type":"object","additionalProperties":false}`, `{"a":1}`, params.CodeType},
		{`{"type":"object","discriminator":{"propertyName":"k","mapping":{"a":{}}}}`, `{}`, params.CodeType},
		{`{"type":"object","discriminator":{"propertyName":"k","mapping":{"a":{}}}}`, `{"k":"b"}`, params.CodeConstraint},
	} {
		_, messages := bind(declare(t, `{"p": `+c.declaration+`}`), "p:="+c.value)
		require.Len(t, messages, 1, "%s %s", c.declaration, c.value)
		code, _, _ := strings.Cut(messages[0], ": ")
		assert.Equal(t, c.want, code, "%s %s", c.declaration, c.value)
	}
}

// TestAllowedValues: values are compared as ARM compares them, and an array fits if its elements do.
func TestAllowedValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		declaration, value, want string
	}{
		{`{"allowedValues":["a",1,true,null,{"x":1},[1,2],1.5]}`, `"a"`, ""},
		{`{"allowedValues":["a",1,true,null,{"x":1},[1,2],1.5]}`, `1`, ""},
		{`{"allowedValues":["a",1,true,null,{"x":1},[1,2],1.5]}`, `1.0`, ""},
		{`{"allowedValues":["a",1,true,null,{"x":1},[1,2],1.5]}`, `true`, ""},
		{`{"allowedValues":["a",1,true,null,{"x":1},[1,2],1.5]}`, `{"x":1}`, ""},
		{`{"allowedValues":["a",1,true,null,{"x":1},[1,2],1.5]}`, `[1,2]`, ""},
		{`{"allowedValues":["a",1,true,null,{"x":1},[1,2],1.5]}`, `["a",[1,2],1.5]`, ""},
		{`{"allowedValues":["a",1,true,null,{"x":1},[1,2],1.5]}`, `1.5`, ""},
		{`{"allowedValues":["a",1.5]}`, `2.5`, `want one of "a", 1.5`},
		{`{"allowedValues":["a",{"x":1}]}`, `{"x":2}`, `want one of "a", {"x":1}`},
		{`{"allowedValues":["a",{"x":1}]}`, `["a",{"x":2}]`, `want one of "a", {"x":1}`},
		{`{"allowedValues":["a",{"x":1}]}`, `["a",{"x":1}]`, ""},
		{`{"allowedValues":["a",1]}`, `"one"`, `want one of "a", 1`},
		{`{"allowedValues":["a",1]}`, `"1"`, `want one of "a", 1; did you mean "a"?`},
		{`{"allowedValues":["a","1"]}`, `1`, `want one of "a", "1"`},
		{`{"allowedValues":["a",true]}`, `"true"`, `want one of "a", true`},
		{`{"allowedValues":["a",1]}`, `1.1`, `want one of "a", 1`},
		{`{"allowedValues":["a",1]}`, `false`, `want one of "a", 1`},
		{`{"type":"string","allowedValues":["small","large"]}`, `"Small"`, `want one of "small", "large"; did you mean "small"?`},
		{`{"type":"string","allowedValues":["small","large"]}`, `"xyzzy"`, `want one of "small", "large"`},
		{`{"type":"array","allowedValues":["a","b"]}`, `[]`, ""},
		{`{"type":"array","allowedValues":["a","b"]}`, `["b","a","b"]`, ""},
		{`{"type":"array","allowedValues":["a","b"]}`, `["b","c"]`, `want one of "a", "b"`},
		{`{"type":"array","items":{"type":"string","allowedValues":["a","b"]}}`, `["a","c"]`, `[1]: want one of "a", "b"; did you mean "a"?`},
		{`{"type":"int","allowedValues":[1,2],"maxValue":1}`, `2`, "2: the greatest value is 1"},
		{`{"type":"string","allowedValues":[` + quoted(13, "v%d") + `]}`, `"v12"`, ""},
		{`{"type":"string","allowedValues":[` + quoted(13, "v%d") + `]}`, `"other"`, "want one of " + strings.ReplaceAll(quoted(13, "v%d"), ",", ", ")},
		{`{"type":"string","allowedValues":[` + quoted(14, "v%d") + `]}`, `"other"`, "want one of " + strings.ReplaceAll(quoted(12, "v%d"), ",", ", ") + ", and 2 more"},
		{`{"type":"string","allowedValues":["` + strings.Repeat("v", 198) + `"]}`, `"other"`, `want one of "` + strings.Repeat("v", 198) + `"`},
		{`{"type":"string","allowedValues":["` + strings.Repeat("v", 199) + `"]}`, `"other"`, `want one of "` + strings.Repeat("v", 199) + `…`},
		{`{"type":"object","discriminator":{"propertyName":"k","mapping":{` + strings.ReplaceAll(quoted(14, "v%d"), ",", ":{},") + `:{}}}}`, `{"k":""}`, "k: want " + strings.ReplaceAll(quoted(12, "v%d"), ",", " or ") + " or 2 more"},
	} {
		_, messages := bind(declare(t, `{"p": `+c.declaration+`}`), "p:="+c.value)
		got := ""
		if len(messages) > 0 {
			_, got, _ = strings.Cut(strings.Join(messages, "\n"), `parameter "p": `)
		}
		assert.Equal(t, c.want, got, "%s %s", c.declaration, c.value)
	}
	for _, c := range []struct{ text, want string }{ // a text is what is allowed of the same spelling
		{"1", `"1"`}, {"2", "2"}, {"true", "true"}, {"[1]", "[1]"}, {"two", `"two"`}, {" 2 ", "2"},
	} {
		got, messages := bind(declare(t, `{"p": {"allowedValues":["1",1,2,"two",true,[1]]}}`), "p="+c.text)
		assert.Equal(t, `{"p":`+c.want+`}`, got, c.text)
		assert.Nil(t, messages, c.text)
	}
}

// TestLongPaths: the place of a mistake is shown up to a length that can be read.
func TestLongPaths(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"p": {"$ref":"#/definitions/tree"}, "q": {"type":"object","defaultValue":{},"additionalProperties":{"type":"object","additionalProperties":{"type":"int"}}}}`)
	at := func(arg string) string {
		_, messages := bind(d, `p={"v":1}`, arg)
		require.Len(t, messages, 1)
		_, text, _ := strings.Cut(messages[0], `": `)
		text, _, _ = strings.Cut(text, ": want")
		return text
	}
	name := strings.Repeat("n", 499)
	assert.Equal(t, name+"n.x", at(`q:={"`+name+`n":{"x":""}}`))
	assert.Equal(t, name+"n….x", at(`q:={"` + name + `nn":{"x":""}}`)[:500]+"….x")
	assert.Equal(t, name+".x", at(`q:={"`+name+`":{"x":""}}`))
	assert.Equal(t, "n."+name+"n", at(`q:={"n":{"`+name+`n":""}}`))
	assert.Equal(t, "n."+name+"n…", at(`q:={"n":{"`+name+`nn":""}}`))
	deep := strings.Repeat(`{"v":1,"kids":[`, 100) + `{"v":""}` + strings.Repeat(`]}`, 100)
	assert.Equal(t, strings.Repeat(".kids[0]", 63)[1:]+"…", at("p:="+deep))
}

// TestMessagesHideSecrets: of a value that must not be shown, a message says what is wanted. It says neither what is there
// nor which part of it is wrong.
func TestMessagesHideSecrets(t *testing.T) {
	t.Parallel()
	const partOf = "its value does not fit its type"
	for _, c := range []struct {
		declaration, text   string
		secure, environment string // the message if the declaration is secure, and if the value is from the environment
	}{
		{`{"type":"securestring","minLength":8}`, "hunter2", "want at least 8 characters", "want at least 8 characters"},
		{`{"type":"securestring","allowedValues":["hunter1","hunter3"]}`, "hunter2", "want one of the values that the template allows", `want one of "hunter1", "hunter3"`},
		{`{"type":"int","minValue":9}`, "7", "", "the least value is 9"},
		{`{"type":"int","maxValue":5}`, "7", "", "the greatest value is 5"},
		{`{"type":"int"}`, "hunter2", "", "want an int, such as 8080"},
		{`{"type":"int"}`, "99999999999999999999", "", "want an int from -9223372036854775808 to 9223372036854775807"},
		{`{"type":"bool"}`, "hunter2", "", "want true or false"},
		{`{"type":"array"}`, "hunter2,x", "", `want an array as JSON, such as p:=["…"], or from a file by name=@file.json`},
		{`{"type":"secureObject"}`, "hunter2", `want an object as JSON, such as p:={"key":"value"}, a property by p.key=value, or from a file by name=@file.json`, `want an object as JSON, such as p:={"key":"value"}, a property by p.key=value, or from a file by name=@file.json`},
		{`{"type":"secureObject"}`, `{"hunter2":1,"hunter2":2}`, "a name is set twice in one object; keep one of them", "a name is set twice in one object; keep one of them"},
		{`{"type":"secureObject","additionalProperties":false}`, `{"hunter2":1,"hunter3":1}`, partOf, partOf},
		{`{"type":"secureObject","additionalProperties":{"type":"int"}}`, `{"hunter2":""}`, partOf, partOf},
		{`{"type":"secureObject","properties":{"a":{"type":"int"},"b":{"type":"int"}}}`, `{"a":"hunter2","b":7.5}`, partOf, partOf},
	} {
		d := declare(t, `{"p": `+c.declaration+`}`)
		if c.secure != "" {
			require.Equal(t, []string{"p"}, d.SecureNames(), c.declaration)
			_, problems := params.Bind(d, params.Layer{{Name: "p", Value: params.Text(c.text)}}, params.SecureAllow)
			require.Len(t, problems, 1, c.declaration)
			assert.Equal(t, `parameter "p": `+c.secure, problems[0].Message, c.declaration)
		}
		open := declare(t, `{"p": `+strings.NewReplacer("securestring", "string", "secureObject", "object").Replace(c.declaration)+`}`)
		_, problems := params.Bind(open, params.Layer{{Name: "p", Value: params.Text(c.text), Mark: secret.Environment}}, params.SecureError)
		require.Len(t, problems, 1, c.declaration)
		assert.Equal(t, `parameter "p": `+c.environment, problems[0].Message, c.declaration)
	}
}

// TestMostFindings: of a value with many mistakes a hundred are listed, and the last one says that there are more.
func TestMostFindings(t *testing.T) {
	t.Parallel()
	d := declare(t, `{"p": {"type":"array","items":{"type":"int"}}, "q": {"type":"object","additionalProperties":false,"nullable":true}}`)
	for _, n := range []int{99, 100, 101} {
		_, messages := bind(d, "p:=["+strings.TrimSuffix(strings.Repeat(`"",`, n), ",")+"]")
		require.Len(t, messages, min(n, 100))
		last := `parameter-type: parameter "p": [98]: want an int, not a string`
		if n > 99 {
			last = `parameter-type: parameter "p": [99]: want an int, not a string; what else is wrong with the value is not listed`
		}
		assert.Equal(t, last, messages[len(messages)-1])
		assert.Equal(t, `parameter-type: parameter "p": [97]: want an int, not a string`, messages[97])
	}
	_, messages := bind(d, "p:=[]", "q:={"+strings.ReplaceAll(quoted(150, "n%d"), ",", ":1,")+":1}")
	require.Len(t, messages, 100)
	assert.Equal(t, `parameter-type: parameter "q": the property "n99" is unknown; what else is wrong with the value is not listed`, messages[99])
}

// TestLongNames: a message shows the first two hundred characters of a name.
func TestLongNames(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("ä", 200)
	for _, c := range []struct{ name, shown string }{{name, name}, {name + "ä", name + "…"}} {
		_, messages := bind(declare(t, `{"p": {"type":"object","additionalProperties":false}, "q": {"type":"object","properties":{"`+c.name+`":{}}}}`), `p:={"`+c.name+`":1}`, "q:={}")
		require.Equal(t, []string{
			`parameter-type: parameter "p": the property "` + c.shown + `" is unknown`,
			`parameter-type: parameter "q": the property "` + c.shown + `" is missing`,
		}, messages)
	}
}

// TestDescriptionsOfValues: each kind of value has its name and its article.
func TestDescriptionsOfValues(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"null": "null", "true": "a bool", "1.5": "a number", `"x"`: "a string", "[]": "an array",
	} {
		_, problems := params.ReadFile([]byte(value), params.Source{Text: "f.json", Path: "f.json"}, nil)
		require.Len(t, problems, 1)
		assert.Equal(t, "want a JSON object of parameters, not "+want, problems[0].Message)
	}
	for declaration, want := range map[string]string{
		`{"type":"string"}`: "string", `{"type":"SecureString"}`: "string", `{"type":"INT"}`: "int", `{"type":"bool"}`: "bool",
		`{"type":"object"}`: "object", `{"type":"secureobject"}`: "object", `{"type":"array"}`: "array", `{}`: "any",
		`{"type":"int","nullable":true}`: "int or null", `{"nullable":true}`: "any or null", `{"Type":"int","Nullable":true}`: "int or null",
		`{"$ref":"#/definitions/name"}`: "string", `{"$ref":"#/Definitions/NAME","nullable":true}`: "string or null",
	} {
		assert.Equal(t, want, declare(t, `{"p": `+declaration+`}`).All()[0].Type(), declaration)
	}
}

// TestDeclarations: what a template declares, and what is asked about it.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	d := declare(t, `{
		"plain": {"type":"string"}, "given": {"type":"string","defaultValue":"x"}, "computed": {"type":"string","DefaultValue":"[resourceGroup().id]"},
		"none": {"type":"int","nullable":true}, "null": {"type":"object","nullable":true,"defaultValue":null},
		"secret": {"type":"securestring","defaultValue":"hunter2"}, "inner": {"type":"object","properties":{"k":{"type":"secureObject"}}}, "wrong": 1}`)
	assert.Equal(t, []string{"plain", "given", "computed", "none", "null", "secret", "inner"}, d.Names())
	assert.Equal(t, []string{"secret", "inner"}, d.SecureNames())
	var required []string
	defaults := map[string]string{}
	for _, one := range d.All() {
		if one.Required() {
			required = append(required, one.Name)
		}
		if v := one.Default(); v != nil {
			defaults[one.Name] = armjson.Text(v)
		}
		assert.Equal(t, one.Name != "secret" && one.Name != "inner", d.MayShow(one.Name), one.Name)
		assert.True(t, d.Has(one.Name))
	}
	assert.Equal(t, []string{"plain", "inner"}, required)
	assert.Equal(t, map[string]string{"given": `"x"`, "computed": `"[resourceGroup().id]"`, "null": "null"}, defaults)
	for _, name := range []string{"", "PLAIN", "wrong", "other"} {
		assert.False(t, d.Has(name), name)
		assert.False(t, d.MayShow(name), name)
	}
	none := params.Declare(parse(t, `{"parameters": []}`).(*armjson.Object))
	assert.Empty(t, none.All())
	assert.Empty(t, none.SecureNames())
	assert.False(t, (*params.Declarations)(nil).Has("x"))
}

// TestReferencesOfTypes: a type is found as ARM finds it, and what is beside a reference comes first.
func TestReferencesOfTypes(t *testing.T) {
	t.Parallel()
	template := func(ref string) *params.Declarations {
		return params.Declare(parse(t, `{"Definitions": {"a/b": {"type":"int"}, "a~b": {"type":"bool"}, "Mixed": {"type":"array"}, "not": 1, "a~1b": {"type":"object"},
			"once": {"$ref":"#/definitions/twice","maxValue":5}, "twice": {"$ref":"#/definitions/a~1b","minValue":2,"maxValue":9}},
			"Parameters": {"p": {"$REF": "`+ref+`"}}}`).(*armjson.Object))
	}
	for ref, want := range map[string]string{
		"#/definitions/a~1b": "int", "#/definitions/a~0b": "bool", "#/definitions/a~01b": "object", "#/DEFINITIONS/mixed": "array",
		"#/definitions/not": "any", "#/definitions/": "any", "#/definitions": "any", "x#/definitions/Mixed": "any", "#/definitions/once": "int",
	} {
		assert.Equal(t, want, template(ref).All()[0].Type(), ref)
	}
	for value, want := range map[string][]string{
		"1": {`parameter-constraint: parameter "p": 1: the least value is 2`}, "2": nil, "5": nil,
		"6": {`parameter-constraint: parameter "p": 6: the greatest value is 5`},
	} {
		_, messages := bind(template("#/definitions/once"), "p="+value)
		assert.Equal(t, want, messages, value)
	}
}

// TestPlaceholders: a value of each type, as small as its limits let it be.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	for declaration, want := range map[string]string{
		`{"type":"string"}`:                                               `""`,
		`{"type":"string","minLength":3}`:                                 `"xxx"`,
		`{"type":"string","minLength":-1}`:                                `""`,
		`{"type":"string","allowedValues":["q","r"]}`:                     `"q"`,
		`{"type":"int"}`:                                                  "0",
		`{"type":"int","minValue":0}`:                                     "0",
		`{"type":"int","minValue":5,"maxValue":9}`:                        "5",
		`{"type":"int","minValue":-9,"maxValue":-5}`:                      "-5",
		`{"type":"int","minValue":-9,"maxValue":5}`:                       "0",
		`{"type":"int","allowedValues":[7,8]}`:                            "7",
		`{"type":"bool"}`:                                                 "false",
		`{"type":"bool","allowedValues":[true]}`:                          "true",
		`{"type":"string","nullable":true}`:                               "null",
		`{}`:                                                              "null",
		`{"allowedValues":[1,"a"]}`:                                       "1",
		`{"type":"array"}`:                                                "[]",
		`{"type":"array","minLength":2}`:                                  "[null,null]",
		`{"type":"array","minLength":-2,"allowedValues":["a"]}`:           "[]",
		`{"type":"array","minLength":2,"items":{"type":"bool"}}`:          "[false,false]",
		`{"type":"array","allowedValues":["a","b","c"]}`:                  "[]",
		`{"type":"array","minLength":2,"allowedValues":["a","b","c"]}`:    `["a","b"]`,
		`{"type":"array","minLength":3,"allowedValues":["a","b"]}`:        `["a","b","a"]`,
		`{"type":"array","prefixItems":[{"type":"bool"},{"type":"int"}]}`: "[false,0]",
		`{"type":"array","prefixItems":[{"type":"bool"}],"items":{"type":"int"},"minLength":3}`: "[false,0,0]",
		`{"type":"object"}`: "{}",
		`{"type":"object","properties":{"a":{"type":"int"},"b":{"type":"string","nullable":true},"c":{"type":"object","properties":{"d":{"type":"bool"}}}}}`:      `{"a":0,"c":{"d":false}}`,
		`{"type":"object","discriminator":{"propertyName":"k","mapping":{"a":{"type":"object","properties":{"k":{"type":"string"},"n":{"type":"int"}}},"b":{}}}}`: `{"k":"a","n":0}`,
		`{"$ref":"#/definitions/tree"}`:                                       `{"v":0}`,
		`{"type":"object","discriminator":{"propertyName":"k","mapping":{}}}`: `{}`, // it takes nothing
	} {
		d := declare(t, `{"p": `+declaration+`}`)
		got := armjson.Text(d.All()[0].Placeholder())
		assert.Equal(t, want, got, declaration)
		if want != "null" && !strings.Contains(declaration, `"mapping":{}`) {
			_, messages := bind(d, "p:="+got)
			assert.Nil(t, messages, declaration)
		}
	}
}
