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

// TestOfficialOrder: each template has members whose order is decided by one line of the table
// of classes. The hashes are the official compiler's.
func TestOfficialOrder(t *testing.T) {
	t.Parallel()
	const (
		schema    = `"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",`
		generator = `"metadata":{"_generator":{"name":"bicep","version":"0.46.1.21595"}}`
		v1        = `{` + schema + `"contentVersion":"1.0.0.0",` + generator
		v2        = `{` + schema + `"languageVersion":"2.0","contentVersion":"1.0.0.0",` + generator
		parameter = `,"parameters":{"p":{"type":"bool","defaultValue":true}}`
		outputs   = `,"outputs":{"o":{"type":"bool","value":"[parameters('p')]"}}}`
	)
	for _, c := range []struct{ name, template, want string }{
		{"imports before definitions", v2 + `,"definitions":{"t":{"type":"object","metadata":{"__bicep_resource_derived_type!":{"source":"Applications.Core/environments@2023-10-01-preview#properties/properties"}}}},"parameters":{"p":{"$ref":"#/definitions/t"}},"imports":{"radius":{"provider":"Radius","version":"latest"}},"resources":{}}`, "11800256688282340304"},
		{"prefixItems before items in a parameter", v2 + `,"parameters":{"p":{"type":"array","prefixItems":[{"type":"int","maxValue":9}],"items":false}},"resources":{}}`, "13994455106072380796"},
		{"prefixItems before items in an output", v2 + `,"resources":{},"outputs":{"o":{"type":"array","prefixItems":[{"type":"string"},{"type":"int"}],"items":false,"value":["a",1]}}}`, "10281724993907807920"},
		{"allowedValues before nullable in an output, no null", v2 + `,"resources":{},"outputs":{"o":{"type":"string","allowedValues":["a"],"nullable":true,"value":null}}}`, "9324153815726726871"},
		{"properties before type in an output", v2 + `,"resources":{},"outputs":{"o":{"type":"object","properties":{},"value":{"x":1}}}}`, "15995515489548586557"},
		{"the output of a function is an output", v2 + `,"functions":[{"namespace":"__bicep","members":{"f":{"parameters":[],"output":{"type":"string","nullable":false,"value":"a"}}}}],"resources":{},"outputs":{"o":{"type":"object","value":{"k":"[__bicep.f()]"}}}}`, "18149660088241709539"},
		{"scale", v1 + parameter + `,"resources":[{"type":"Contoso.Things/widgets","apiVersion":"2024-01-01","scope":"/","name":"r","scale":{"capacity":1}}]` + outputs, "18169103785410486845"},
		{"managedBy before @options", v2 + parameter + `,"resources":{"r":{"@options":{"onlyIfNotExists":[]},"type":"Contoso.Things/widgets","apiVersion":"2024-01-01","name":"r","managedBy":"m"}}` + outputs, "7080813999808501144"},
		{"managedByExtended before @options", v2 + parameter + `,"resources":{"r":{"@options":{"onlyIfNotExists":[]},"type":"Contoso.Things/widgets","apiVersion":"2024-01-01","name":"r","managedByExtended":["x"]}}` + outputs, "16924759490630864406"},
		{"copy before @options", v2 + `,"resources":{"r":{"copy":{"name":"r","count":"[length(range(0, 2))]"},"@options":{"onlyIfNotExists":[]},"type":"Microsoft.Custom/things","apiVersion":"2020-01-01","name":"[format('n{0}', range(0, 2)[copyIndex()])]"}}}`, "4646103886561697443"},
		{"metadata before subscriptionId", v1 + `,"resources":[{"type":"Microsoft.Resources/deployments","apiVersion":"2022-09-01","name":"r","properties":{"mode":"Incremental","template":{"zz":1,"a":2}},"subscriptionId":"s","metadata":{"description":"d"}}]}`, "8782881592761938480"},
		{"metadata before resourceGroup", v1 + `,"parameters":{"p":{"type":"bool"}},"resources":[{"type":"Microsoft.Resources/deployments","apiVersion":"2022-09-01","name":"r","resourceGroup":"g","subscriptionId":"s","properties":{"mode":"Incremental","template":{"zz":1,"a":2}},"metadata":{"description":"d"}}]}`, "2320520305160553834"},
		{"no eTag", v1 + parameter + `,"resources":[{"type":"Contoso.Things/widgets","apiVersion":"2024-01-01","name":"r","tags":{"k":"v","a":"1"},"eTag":"e"}]` + outputs, "17623976704826187390"},
	} {
		assert.Equal(t, c.want, templatehash.Sum(indented(parse(t, c.template))), c.name)
	}
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
		{"null in the output of a function", `{"functions":[{"namespace":"n","members":{"f":{"parameters":[],"output":{"type":"int","nullable":true,"value":null}}}}]}`, `{"functions":[{"namespace":"n","members":{"f":{"parameters":[],"output":{"type":"int","nullable":true}}}}]}`, true},
		{"eTag of a property", `{"resources":[{"properties":{"eTag":"a"}}]}`, `{"resources":[{"properties":{"eTag":"b"}}]}`, false},
		{"a number for a text", `{"resources":[{"kind":-1}]}`, `{"resources":[{"kind":"-1"}]}`, true},
		{"a boolean for a text", `{"resources":[{"kind":true}]}`, `{"resources":[{"kind":"true"}]}`, false},
		{"a number in a collection", `{"resources":[{"sku":{"name":1}}]}`, `{"resources":[{"sku":{"name":"1"}}]}`, false},
		{"null for a text", `{"resources":{"a":{"location":null,"kind":"k"}}}`, `{"resources":{"a":{"kind":"k"}}}`, true},
		{"asserts and outputs", `{"asserts":{"a":true},"outputs":{}}`, `{"outputs":{},"asserts":{"a":true}}`, true},
		{"asserts and @options of a resource", `{"resources":[{"@options":{},"asserts":{}}]}`, `{"resources":[{"asserts":{},"@options":{}}]}`, true},
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
