package jsonpath_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/jsonpath"
)

const doc = `{
  "a": {"b": [10, 20, 30, 40], "c d": "x", "*": 1, "n": null},
  "list": [{"k": "one", "v": 1}, {"k": "two", "v": 2.0}, {"k": "Three", "v": 3, "on": true}, 7],
  "$x": 5,
  "o": {"p": {"k": "in"}, "q": {"k": "one"}}
}`

func TestSelect(t *testing.T) {
	t.Parallel()
	root, err := armjson.Parse(doc, armjson.Options{})
	require.NoError(t, err)
	for path, want := range map[string]string{
		"$.a.b":                          "[10,20,30,40]",
		"a.b[1]":                         "20",
		"$['a']['c d']":                  `"x"`,
		"a['b','n']":                     "[10,20,30,40] null",
		"a.b[0,2]":                       "10 30",
		"a.b[1:3]":                       "20 30",
		"a.b[-1:]":                       "40",
		"a.b[::-2]":                      "40 20",
		"a.b[:2]":                        "10 20",
		"a.b[*]":                         "10 20 30 40",
		"a.b[9]":                         "",
		"$x":                             "5",
		"$..k":                           `"one" "two" "Three" "in" "one"`,
		"o..*":                           `{"p":{"k":"in"},"q":{"k":"one"}} {"k":"in"} "in" {"k":"one"} "one"`,
		"list[?(@.v == 2)].k":            `"two"`,
		"list[?(@.v>1 && @.on)].k":       `"Three"`,
		"list[?(@.v<2 ||@.v>2)].k":       `"one" "Three"`,
		"list[?(@.k =~ /^t/i)].v":        "2.0 3",
		"list[?(@.k == $.o.q.k)].v":      "1",
		"list[?(@.k != 'one')].v":        "2.0 3",
		"list[?(@ == 7)]":                "7",
		"$..[?(@.k == 'in')]":            `{"k":"in"}`,
		"o[?(@.k == 'in')]":              "", // over an object nothing is found: its children are pairs
		"missing.x":                      "",
		"a . b":                          "error",
		"a.":                             "error",
		"a[":                             "error",
		"a[x]":                           "error",
		"a.b[0]c":                        "error",
		"a.b[-1]":                        "error",
		"a.b[::0]":                       "error",
		"list[?(@.v == 2]":               "error",
		"list[?(@.v = 2)]":               "error",
		"list[?(@.v > 'x')]":             "error",
		"list[?(@.k =~ /(/)]":            "error",
		"a['b":                           "error",
		"$":                              "root",
		"":                               "root",
		strings.Repeat("[?(@", 1000):     "error",
		"$.list[?(@.on == true)].k  ":    `"Three"`,
		"list[?(@.v === 2)].k":           `"two"`,
		"list[?(@.k === 2)].k":           "",
		"a['\\'']":                       "",
		"list[(1)]":                      "error",
		"list(1).k":                      `"two"`,
		"list[?(@.zz <> 1)]":             "",
		"$.list[?(@.k == 'one')]..['v']": "1",
	} {
		p, err := jsonpath.Parse(path)
		var got string
		if err == nil {
			var out []armjson.Value
			if out, err = p.Select(root); err == nil {
				var parts []string
				for _, v := range out {
					if v == root {
						parts = append(parts, "root")
						continue
					}
					parts = append(parts, armjson.Text(v))
				}
				got = strings.Join(parts, " ")
			}
		}
		if err != nil {
			got = "error"
		}
		assert.Equal(t, want, got, "%.60s", path)
	}
}

// Each of these would pick or compare without end.
func TestSelectBounded(t *testing.T) {
	t.Parallel()
	arrays := strings.Repeat("[", 300) + strings.Repeat("]", 300)
	objects := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	flat := "[" + strings.Repeat("1,", 9000) + "1]"
	for _, c := range []struct{ doc, path string }{
		{arrays, strings.Repeat("..*", 8)},
		{arrays, strings.Repeat("[0,0]", 40)},
		{objects, strings.Repeat("['a','a']", 40)},
		{objects, "$.." + strings.Repeat("['a','a']", 40)},
		{flat, "$[?($[*] != $[*])]"},
		{flat, "$[?(@ == $[::1])]"},
		{strings.Repeat("[", 60) + flat + strings.Repeat("]", 60), "$..*..*"}, // few steps, and a result that holds the numbers many times
	} {
		root, err := armjson.Parse(c.doc, armjson.Options{})
		require.NoError(t, err)
		p, err := jsonpath.Parse(c.path)
		require.NoError(t, err, "%.30s", c.path)
		_, err = p.Select(root)
		assert.Error(t, err, "%.30s: no error", c.path)
	}
}
