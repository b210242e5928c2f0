package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
)

func store() *manifest.Object {
	return &manifest.Object{APIVersion: "storage.example.com/v1", Kind: "Store", Name: "s", Namespace: "n", Labels: map[string]string{"b": "2", "a": "yes"}, Annotations: map[string]string{"k": "v"},
		Fields: []armjson.Member{{Key: "spec", Value: armjson.NewObject(armjson.Member{Key: "size", Value: armjson.Int(3)}, armjson.Member{Key: "list", Value: armjson.Array{}}, armjson.Member{Key: "secret", Value: &manifest.Hidden{Value: armjson.Array{armjson.String("x"), &manifest.Hidden{Value: armjson.Bool(true)}}}})}}}
}

func box() *manifest.Object { return &manifest.Object{APIVersion: "v1", Kind: "Box", Name: "b"} }

// TestRenderObjects: objects are written whole, with what is hidden: as documents, or as a list.
func TestRenderObjects(t *testing.T) {
	t.Parallel()
	const storeYAML = "apiVersion: storage.example.com/v1\nkind: Store\nmetadata:\n  name: s\n  namespace: \"n\"\n  labels:\n    a: \"yes\"\n    b: \"2\"\n  annotations:\n    k: v\nspec:\n  size: 3\n  list: []\n  secret:\n    - x\n    - true\n"
	const boxYAML = "apiVersion: v1\nkind: Box\nmetadata:\n  name: b\n"
	for _, c := range []struct {
		list     []*manifest.Object
		comments []string
		format   manifest.Format
		want     string
	}{
		{[]*manifest.Object{store()}, nil, manifest.YAML, storeYAML},
		{[]*manifest.Object{store(), box()}, []string{"one", "", "two\nlines\u2028 "}, manifest.YAML, "# one\n#\n# two lines\n" + storeYAML + "---\n" + boxYAML},
		{[]*manifest.Object{box()}, []string{"one"}, "", "# one\n" + boxYAML},
		{nil, nil, manifest.YAML, ""},
		{[]*manifest.Object{box()}, []string{"one"}, manifest.JSON, "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Box\",\n  \"metadata\": {\n    \"name\": \"b\"\n  }\n}\n"},
		{[]*manifest.Object{box(), box()}, []string{"one"}, manifest.JSON, `{
  "apiVersion": "v1",
  "kind": "List",
  "items": [
    {
      "apiVersion": "v1",
      "kind": "Box",
      "metadata": {
        "name": "b"
      }
    },
    {
      "apiVersion": "v1",
      "kind": "Box",
      "metadata": {
        "name": "b"
      }
    }
  ]
}
`},
		{nil, nil, manifest.JSON, "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"List\",\n  \"items\": []\n}\n"},
	} {
		text, err := manifest.RenderObjects(c.list, c.comments, c.format)
		require.NoError(t, err)
		assert.Equal(t, c.want, string(text))
	}
	assert.Equal(t, `{"apiVersion":"storage.example.com/v1","kind":"Store","metadata":{"name":"s","namespace":"n","labels":{"a":"yes","b":"2"},"annotations":{"k":"v"}},"spec":{"size":3,"list":[],"secret":["x",true]}}`, armjson.Text(store().Root()))
}

// TestObjects: what an object is called, and in which order objects come.
func TestObjects(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "storage.example.com", store().Group())
	assert.Equal(t, "v1", box().Group())
	assert.Equal(t, "b", box().Called())
	assert.Equal(t, "alias", (&manifest.Object{Name: "b", Alias: "alias"}).Called())
	list := []*manifest.Object{
		{APIVersion: "b/v1", Kind: "A", Name: "a"}, {APIVersion: "a/v2", Kind: "A", Name: "a"}, {APIVersion: "a/v1", Kind: "B", Name: "a"}, {APIVersion: "a/v1", Kind: "A", Name: "b"},
		{APIVersion: "a/v1", Kind: "A", Name: "a", Namespace: "second"}, {APIVersion: "a/v1", Kind: "A", Name: "a", Namespace: "third"}, {APIVersion: "a-b/v1", Kind: "Z", Name: "z"},
	}
	manifest.SortObjects(list)
	var got []string
	for _, o := range list {
		got = append(got, o.APIVersion+" "+o.Kind+" "+o.Name+o.Namespace)
	}
	assert.Equal(t, []string{"a/v1 A asecond", "a/v1 A athird", "a/v1 A b", "a/v1 B a", "a/v2 A a", "a-b/v1 Z z", "b/v1 A a"}, got)
}

// TestHeads: the kinds in a file, or that it holds something else.
func TestHeads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                            "[] true",
		"---\n---\n":                  "[] true",
		"apiVersion: v1\nkind: Box\n": "[{v1 Box}] true",
		"---\napiVersion: v1\nkind: Box\n---\n\n---\napiVersion: a/v1\nkind: Store\n":                            "[{v1 Box} {a/v1 Store}] true",
		`{"apiVersion": "v1", "kind": "Box"}`:                                                                    "[{v1 Box}] true",
		"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Box}\n- {apiVersion: a/v1, kind: Store}\n": "[{v1 Box} {a/v1 Store}] true",
		"apiVersion: v1\nkind: List\n":                                                                           "[] true",
		"kind: Box\n":                                                                                            "[] false", "apiVersion: v1\n": "[] false", "a: b\n": "[] false", "- 1\n": "[] false", "x": "[] false", "kind: [\n": "[] false",
		"apiVersion: v1\nkind: Box\n---\na: b\n": "[] false",
	} {
		list, ok := manifest.Heads([]byte(text))
		assert.Equal(t, want, fmt.Sprint(list, ok), text)
	}
}

// TestMaskedObjectsWhole: what a comparison shows of objects, whole. What is hidden now was hidden before, at the
// same place of all objects of the kind, and its text wherever it stands.
func TestMaskedObjectsWhole(t *testing.T) {
	t.Parallel()
	hidden := func(v armjson.Value) armjson.Value { return &manifest.Hidden{Value: v} }
	object := func(name string, spec ...armjson.Member) *manifest.Object {
		return &manifest.Object{APIVersion: "v1", Kind: "Store", Name: name, Fields: []armjson.Member{{Key: "spec", Value: armjson.NewObject(spec...)}}}
	}
	now := []*manifest.Object{
		object("a", armjson.Member{Key: "key", Value: hidden(armjson.String("canary-1"))}, armjson.Member{Key: "open", Value: armjson.String("west")}),
		object("b", armjson.Member{Key: "open", Value: armjson.String("of canary-1")}, armjson.Member{Key: "list", Value: armjson.Array{hidden(armjson.Number("73310042")), armjson.Int(1)}},
			armjson.Member{Key: "count", Value: armjson.Number("73310042")}, armjson.Member{Key: "n", Value: armjson.Int(2)}),
		{APIVersion: "v1", Kind: "Secret", Name: "canary-2", Alias: "named", Annotations: map[string]string{"x": "y"}, Labels: map[string]string{"app": "shop"}},
		{APIVersion: "v1", Kind: "Box", Name: "box", Fields: []armjson.Member{{Key: "spec", Value: armjson.NewObject(armjson.Member{Key: "key", Value: armjson.String("shown")})}}},
	}
	const old = `# of canary-1
kind: Store
metadata: {name: b}
spec: {list: [1, 2], key: former, open: west}
apiVersion: v1
---
---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Box
  spec: {key: shown, more: canary-1}
- {kind: Other, spec: {key: shown}}
`
	before, after, ok := manifest.MaskedObjects(now, []string{"made"}, []byte(old), manifest.YAML)
	require.True(t, ok)
	assert.Equal(t, `# made
apiVersion: v1
kind: Store
metadata:
  name: a
spec:
  key: (secure)
  open: west
---
apiVersion: v1
kind: Store
metadata:
  name: b
spec:
  open: "of (secure)"
  list:
    - (secure)
    - (secure)
  count: (secure)
  "n": 2
---
apiVersion: v1
kind: Secret
metadata:
  name: (secure)
  labels:
    app: shop
  annotations: (secure)
---
apiVersion: v1
kind: Box
metadata:
  name: box
spec:
  key: shown
`, strings.ReplaceAll(string(after), `"(secure)"`, "(secure)"))
	assert.Equal(t, `# of (secure)
apiVersion: v1
kind: Store
metadata:
  name: b
spec:
  open: west
  list:
    - (secure)
    - (secure)
  key: (secure)
---
apiVersion: v1
kind: Box
spec:
  key: shown
  more: (secure)
---
kind: Other
spec:
  key: shown
`, strings.ReplaceAll(string(before), `"(secure)"`, "(secure)"))

	for _, wrong := range []string{"x", "[1]", "a: [", "kind: List\nitems: [1]\n", "kind: Store\n---\n1\n", "? [1, 2]\n: x\n"} {
		before, after, ok := manifest.MaskedObjects(now, nil, []byte(wrong), manifest.YAML)
		assert.False(t, ok, wrong)
		assert.Nil(t, before)
		assert.Nil(t, after)
	}
	before, after, ok = manifest.MaskedObjects(now, nil, []byte(" \n"), manifest.YAML)
	assert.True(t, ok)
	assert.Nil(t, before)
	assert.NotEmpty(t, after)
	_, _, ok = manifest.MaskedObjects(now, nil, nil, "xml")
	assert.False(t, ok)
	_, _, ok = manifest.MaskedObjects(now[3:], nil, nil, "xml")
	assert.False(t, ok)
}
