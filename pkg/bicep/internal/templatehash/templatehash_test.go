package templatehash_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/templatehash"
)

func parse(t testing.TB, s string) *armjson.Object {
	t.Helper()
	v, err := armjson.Parse(s, armjson.Options{})
	require.NoError(t, err)
	return v.(*armjson.Object)
}

func indented(v armjson.Value) []byte { return armjson.Append(nil, v, armjson.Indented) }

const (
	head = `"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#","contentVersion":"1.0.0.0","metadata":{"_generator":{"name":"bicep","version":"0.46.1.21595"}}`
	// one is what the official compiler makes of a string parameter str and an output o_str that returns it.
	one     = `{` + head + `,"parameters":{"str":{"type":"string"}},"resources":[],"outputs":{"o_str":{"type":"string","value":"[parameters('str')]"}}}`
	oneHash = "9706793517719350607"
)

func TestOfficialHash(t *testing.T) {
	t.Parallel()
	assert.Equal(t, oneHash, templatehash.Sum(indented(parse(t, one))))
}

func TestWhatMakesADifference(t *testing.T) {
	t.Parallel()
	of := func(s string) string { return templatehash.Sum(indented(parse(t, s))) }
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"order of known keys", `{"resources":[],` + head + `}`, `{` + head + `,"resources":[]}`, true},
		{"order within a parameter", `{"parameters":{"p":{"type":"int","defaultValue":1}}}`, `{"parameters":{"p":{"defaultValue":1,"type":"int"}}}`, true},
		{"order within a nested type", `{"definitions":{"T":{"properties":{"x":{"items":{"type":"int","minValue":1}}}}}}`, `{"definitions":{"T":{"properties":{"x":{"items":{"minValue":1,"type":"int"}}}}}}`, true},
		{"order of parameters", `{"parameters":{"a":{},"b":{}}}`, `{"parameters":{"b":{},"a":{}}}`, false},
		{"order within a resource's properties", `{"resources":[{"properties":{"a":1,"b":2}}]}`, `{"resources":[{"properties":{"b":2,"a":1}}]}`, false},
		{"no symbolic resources", `{"resources":{}}`, `{"resources":[]}`, true},
		{"output that is null", `{"outputs":{"o":{"type":"int","value":null}}}`, `{"outputs":{"o":{"type":"int"}}}`, true},
		{"case", `{"variables":{"a":"Straße ß ÿ"}}`, `{"variables":{"A":"sTRAßE ß Ÿ"}}`, true},
		{"dotless i", `{"variables":{"a":"ı"}}`, `{"variables":{"a":"I"}}`, false},
		{"order within a function", `{"functions":[{"members":{"f":{"output":{"value":1,"type":"int"},"parameters":[{"name":"x","type":"int"}]}},"namespace":"n"}]}`,
			`{"functions":[{"namespace":"n","members":{"f":{"parameters":[{"type":"int","name":"x"}],"output":{"type":"int","value":1}}}}]}`, true},
	} {
		same := of(c.a) == of(c.b)
		assert.Equal(t, c.same, same, "%s: same", c.name)
	}
}

func BenchmarkOf(b *testing.B) {
	var s strings.Builder
	s.WriteString(`{` + head + `,"resources":[`)
	for i := range 2000 {
		if i > 0 {
			s.WriteByte(',')
		}
		s.WriteString(`{"type":"Microsoft.Storage/storageAccounts","apiVersion":"2023-01-01","name":"[format('{0}-{1}', parameters('name'), 12)]","properties":{"a":true,"n":12345,"list":["x","y"]}}`)
	}
	s.WriteString(`]}`)
	o := indented(parse(b, s.String()))
	b.SetBytes(int64(s.Len()))
	b.ReportAllocs()
	for b.Loop() {
		templatehash.Sum(o)
	}
}

// TestKnown: templates whose hashed text is known give the same hash as when they are read.
func TestKnown(t *testing.T) {
	t.Parallel()
	deployment := func(template string) string {
		return `{"type":"Microsoft.Resources/deployments","apiVersion":"1","name":"é[x]","properties":{"mode":"Incremental","template":` + template + `,"z":[1,{}]},"dependsOn":["a"]}`
	}
	nested := `{"variables":{"straße":"ı \" \\ }","list":[{"a":[]},{}]},"resources":[` + deployment(`{"resources":[]}`) + `]}`
	long := `{"variables":{"a":"` + strings.Repeat("xyzß ", 20_000) + `"}}`
	for _, resources := range []string{
		`[` + deployment(nested) + `]`,
		`[` + deployment(`{}`) + `,` + deployment(nested) + `,{"type":"b"},` + deployment(long) + `]`,
		`{"m":` + deployment(nested) + `,"n":` + deployment(nested) + `}`,
		`[{"properties":{"template":` + nested + `}}]`,
		`[{"template":` + nested + `}]`,
	} {
		template := indented(parse(t, `{`+head+`,"outputs":{"o":{"type":"int","value":null}},"resources":`+resources+`,"variables":{"v":[`+nested+`]}}`))
		var known []templatehash.Known
		for at := 0; ; {
			i := strings.Index(string(template[at:]), `"template": {`)
			if i < 0 {
				break
			}
			start := at + i + len(`"template": `)
			line := template[:start]
			indent := line[strings.LastIndexByte(string(line), '\n')+1:]
			indent = indent[:len(indent)-len(strings.TrimLeft(string(indent), " "))]
			end := start + 2
			if template[start+1] != '}' {
				end = start + strings.Index(string(template[start:]), "\n"+string(indent)+"}") + len(indent) + 2
			}
			object := []byte(strings.ReplaceAll(string(template[start:end]), "\n"+string(indent), "\n"))
			if i := strings.Index(string(object), `"template": {`); i > 0 { // one in it is known, too
				inner := []byte("{\n  \"resources\": []\n}")
				start := i + len(`"template": `)
				end := start + strings.IndexByte(string(object[start:]), '}') + 1
				known = append(known, templatehash.Known{Start: 0, End: 0, Hashed: templatehash.Nested(object, templatehash.Known{Start: start, End: end, Hashed: templatehash.Nested(inner)})})
			} else {
				known = append(known, templatehash.Known{Hashed: templatehash.Nested(object)})
			}
			known[len(known)-1].Start, known[len(known)-1].End = start, end
			at = end
		}
		var inResources []templatehash.Known // those in variables are read
		for _, k := range known {
			if k.Start < strings.Index(string(template), `"variables": {`+"\n    \"v\"") {
				inResources = append(inResources, k)
			}
		}
		require.NotEmpty(t, inResources, "nothing is known")
		want, got := templatehash.Sum(template), templatehash.Sum(template, inResources...)
		assert.Equal(t, want, got, resources[:40])
	}
}
