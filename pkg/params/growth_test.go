package params_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/internal/cputime"
	"github.com/radbicep/rad/pkg/params"
)

// work is what a binding takes: the bytes that it allocates, and the time that the processor spends on it. Neither
// depends on what else the machine does.
type work struct {
	bytes uint64
	time  time.Duration
}

// TestGrowth binds parameters of a size and of four times that size. What is quadratic takes sixteen times as much.
// Bytes are counted, and differ little from run to run. Time is for what compares and allocates nothing.
func TestGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	list := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)) + ", ")
		}
		return b.String()
	}
	for name, c := range map[string]struct{ template, values func(n int) string }{
		"elements below a long name": {
			func(int) string {
				return `{"parameters": {"p": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "int"}}}}}`
			},
			func(n int) string {
				return `{"p": {"` + strings.Repeat("k", 20*n) + `": [` + strings.Repeat("1, ", 10*n) + `1]}}`
			},
		},
		"values that are allowed": {
			func(n int) string {
				return `{"parameters": {"p": {"type": "array", "allowedValues": [` + list(4*n, `"v#"`) + `1]}}}`
			},
			func(n int) string {
				return `{"p": [` + strings.Repeat(fmt.Sprintf(`"v%d", `, 4*n-1), 4*n) + `1, 1.0]}`
			},
		},
		"values that are not allowed": {
			func(n int) string {
				return `{"parameters": {"p": {"type": "array", "items": {"type": "string", "allowedValues": [` + list(4*n, `"v#"`) + `""]}}}}`
			},
			func(n int) string { return `{"p": [` + list(4*n, `"w#"`) + `""]}` },
		},
		"unknown properties": {
			func(n int) string {
				return `{"parameters": {"p": {"type": "object", "additionalProperties": false, "properties": {` + list(n, `"property#": {"type": "int", "nullable": true}`) + `"q": {"type": "int", "nullable": true}}}}}`
			},
			func(n int) string { return `{"p": {` + list(n, `"proparty#": 1`) + `"q": 1}}` },
		},
		"unknown parameters": {
			func(n int) string {
				return `{"parameters": {` + list(n, `"parameter#": {"type": "int", "defaultValue": 1}`) + `"q": {"type": "int"}}}`
			},
			func(n int) string { return `{` + list(n, `"paramater#": 1`) + `"q": 1}` },
		},
		"parameters that are named by escapes": {
			func(n int) string {
				return `{"parameters": {` + list(2*n, `"p#": {"type": "int"}`) + `"q": {"type": "int"}}}`
			},
			func(n int) string { return `{` + list(2*n, `"\u0070#": 1`) + `"q": 1}` },
		},
		"a type that nothing reads": {
			func(n int) string {
				return `{"parameters": {"p": {"type": "array", "items": {"type": "int", ` + list(4*n, `"junk#": 1`) + `"x": 1}}}}`
			},
			func(n int) string { return `{"p": [` + strings.Repeat("1, ", 4*n) + `1]}` },
		},
		"types behind references, in another case": {
			func(n int) string {
				var b strings.Builder
				for i := range 2 * n {
					fmt.Fprintf(&b, `"t%d": {"$ref": "#/definitions/T%d"}, `, i, i+1)
				}
				return `{"definitions": {` + b.String() + fmt.Sprintf(`"t%d"`, 2*n) + `: {"type": "int"}}, "parameters": {"p": {"type": "array", "items": {"$ref": "#/definitions/t0"}}}}`
			},
			func(n int) string { return `{"p": [` + strings.Repeat("1, ", 4*n) + `1]}` },
		},
		"two long words": {
			func(n int) string {
				return `{"parameters": {"` + strings.Repeat("p", 20*n) + `": {"type": "int", "defaultValue": 1}}}`
			},
			func(n int) string { return `{"` + strings.Repeat("p", 20*n-1) + `": 1}` },
		},
		"a long number": {
			func(n int) string { return `{"parameters": {"p": {"type": "int"}}}` },
			func(n int) string { return `{"p": ` + strings.Repeat("9", 500*n) + `}` },
		},
	} {
		t.Run(name, func(t *testing.T) {
			cost := func(n int) work {
				template, err := armjson.Parse(c.template(n), armjson.Options{})
				require.NoError(t, err)
				values := []byte(c.values(n))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				took := cputime.Measure(func() {
					declared := params.Declare(template.(*armjson.Object))
					layer, _ := params.ReadFile(values, params.Source{Path: "p.json"}, declared)
					require.NotEmpty(t, layer)
					params.Bind(declared, layer, params.SecureError)
				})
				runtime.ReadMemStats(&after)
				return work{after.TotalAlloc - before.TotalAlloc, took}
			}
			small, large := cost(1000), cost(4000)
			t.Log(small, large)
			assert.False(t, large.bytes > 6*small.bytes && large.bytes > 4<<20, "1000: %d bytes, 4000: %d", small.bytes, large.bytes)
			for range 2 { // what else the process does may disturb one of them
				if large.time <= 12*small.time {
					break
				}
				small.time, large.time = max(small.time, cost(1000).time), min(large.time, cost(4000).time)
			}
			assert.False(t, large.time > 12*small.time && large.time > 300*time.Millisecond, "1000: %v, 4000: %v", small.time, large.time)
		})
	}
}

// A type is secure however long the way is that leads to the word that says so.
func TestSecureTypesBehindReferences(t *testing.T) {
	t.Parallel()
	var chain strings.Builder
	for i := range 300 {
		fmt.Fprintf(&chain, `"t%d": {"$ref": "#/definitions/t%d"}, `, i, i+1)
	}
	for _, types := range []string{
		chain.String() + `"t300": {"type": "secureString"}`,
		`"t0": {"type": "object", "Discriminator": {"PropertyName": "k", "Mapping": {"a": {"type": "object", "properties": {"pw": {"type": "securestring"}}}}}}`,
		`"t0": {"$ref": "#/definitions/t1", "properties": {}}, "t1": {"type": "object", "properties": {"pw": {"type": "securestring"}}}`,
		`"t0": {"type": "string", "Type": "securestring"}`,
		`"t0": {"$ref": "#/definitions/t0", "items": {"$ref": "#/definitions/t1"}}, "t1": {"type": "array", "prefixItems": [{"$ref": "#/definitions/t0"}, {"type": "secureObject"}]}`,
	} {
		template, err := armjson.Parse(`{"definitions": {`+types+`}, "parameters": {"p": {"$ref": "#/definitions/t0"}, "q": {"type": "string"}}}`, armjson.Options{})
		require.NoError(t, err)
		require.Equal(t, []string{"p"}, params.Declare(template.(*armjson.Object)).SecureNames(), types)
	}
}

// A type that has itself in several places has no end.
func TestPlaceholdersEnd(t *testing.T) {
	t.Parallel()
	template, err := armjson.Parse(`{"definitions": {"t": {"type": "object", "properties": {"a": {"$ref": "#/definitions/t"}, "b": {"$ref": "#/definitions/t"}, "c": {"$ref": "#/definitions/t"}}}}, "parameters": {"p": {"$ref": "#/definitions/t"}}}`, armjson.Options{})
	require.NoError(t, err)
	require.Less(t, len(armjson.Text(params.Declare(template.(*armjson.Object)).All()[0].Placeholder())), 1_000_000)
}

// A type that has itself in one place has values as deep as somebody likes. A placeholder has 21 levels.
func TestPlaceholdersAreNotDeep(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ declaration, want string }{
		{`{"type": "array", "prefixItems": [{"$ref": "#/definitions/t"}]}`, strings.Repeat("[", 21) + "null" + strings.Repeat("]", 21)},
		{`{"type": "array", "minLength": 1, "items": {"$ref": "#/definitions/t"}}`, strings.Repeat("[", 21) + "null" + strings.Repeat("]", 21)},
		{`{"type": "object", "properties": {"a": {"$ref": "#/definitions/t"}}}`, strings.Repeat(`{"a":`, 21) + "null" + strings.Repeat("}", 21)},
		{`{"type": "object", "discriminator": {"propertyName": "k", "mapping": {"a": {"$ref": "#/definitions/t"}}}}`, `{"k":"a"}`},
	} {
		template, err := armjson.Parse(`{"definitions": {"t": `+c.declaration+`}, "parameters": {"p": {"$ref": "#/definitions/t"}}}`, armjson.Options{})
		require.NoError(t, err)
		require.Equal(t, c.want, armjson.Text(params.Declare(template.(*armjson.Object)).All()[0].Placeholder()))
	}
}

// A value with many mistakes has as many findings as somebody reads.
func TestFindingsAreCut(t *testing.T) {
	t.Parallel()
	template, err := armjson.Parse(`{"parameters": {"p": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "int"}}}}}}`, armjson.Options{})
	require.NoError(t, err)
	declared := params.Declare(template.(*armjson.Object))
	name := strings.Repeat("n", 100_000)
	layer, _ := params.ReadFile([]byte(`{"p": [`+strings.Repeat(`{"name": "x", "`+name+`": 1}, `, 150)+`1]}`), params.Source{Path: "p.json"}, declared)
	_, problems := params.Bind(declared, layer, params.SecureError)
	require.Len(t, problems, 100)
	require.Contains(t, problems[99].Message, "what else is wrong with the value is not listed")
}
