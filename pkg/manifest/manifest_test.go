package manifest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	goyaml "github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
)

func build(t *testing.T, o manifest.Options) string {
	t.Helper()
	m, err := manifest.New(o)
	require.NoError(t, err)
	text, err := m.Render(manifest.YAML)
	require.NoError(t, err)
	return string(text)
}

// randomText returns a text of characters from all over Unicode, with more than
// their share of those that YAML libraries find hard.
func randomText(r *rand.Rand) string {
	hard := []rune("\x00\x01\t\n\r \u007f\u0080\u0085\u009f\u00a0\u2028\u2029\u202e\ufeff\ufffd\ufffe\uffff\U0001f680\U0010ffff:#-|>&*!%@`'\"{}[],?~\\${}")
	var b strings.Builder
	for range r.IntN(30) {
		switch r.IntN(4) {
		case 0:
			b.WriteRune(hard[r.IntN(len(hard))])
		case 1:
			b.WriteRune(rune('a' + r.IntN(26)))
		default:
			c := rune(r.IntN(0x110000))
			if c >= 0xd800 && c < 0xe000 {
				c = 'x'
			}
			b.WriteRune(c)
		}
	}
	return b.String()
}

func randomValue(r *rand.Rand, depth int) armjson.Value {
	switch n := r.IntN(9); {
	case n < 3 || depth > 4:
		return armjson.String(randomText(r))
	case n == 3:
		return armjson.Number([]string{"0", "-1", "9007199254740993", "1.10", "1E2", "123456789012345678901234567890"}[r.IntN(6)])
	case n == 4:
		return armjson.Bool(r.IntN(2) == 0)
	case n == 5:
		return armjson.Null{}
	case n == 6:
		var list armjson.Array
		for range r.IntN(4) {
			list = append(list, randomValue(r, depth+1))
		}
		return list
	}
	o := armjson.NewObject()
	for range r.IntN(5) {
		o.Set(randomText(r), randomValue(r, depth+1))
	}
	return o
}

// TestWhatGoesInComesOut: whatever a document holds, its template is a literal
// block, and two YAML parsers read back what went in.
func TestWhatGoesInComesOut(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 600
	if testing.Short() {
		rounds = 200
	}
	for i := range rounds {
		template := armjson.NewObject(
			armjson.Member{Key: "parameters", Value: armjson.NewObject(armjson.Member{Key: "p", Value: armjson.NewObject()})},
			armjson.Member{Key: "resources", Value: randomValue(r, 0)},
		)
		indent := "  "
		if i%3 == 0 {
			indent = ""
		}
		o := manifest.Options{
			Name: "app", Namespace: "apps", Group: "g",
			Annotations: map[string]string{"a": randomText(r), "example.com/B": randomText(r)},
			Template:    armjson.Append(nil, template, indent),
			Parameters:  []manifest.Parameter{{Name: "p", Value: randomValue(r, 2)}},
			Compact:     i%5 == 0,
			Target:      []manifest.Target{manifest.Design, manifest.Radius}[i%2],
		}
		text := build(t, o)
		require.Contains(t, text, "\n  template: |\n", "no literal block")
		require.NotContains(t, text, " \n", "a line ends in blanks")
		var one, two map[string]any
		if err := yaml.UnmarshalStrict([]byte(text), &one); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		if err := goyaml.Unmarshal([]byte(text), &two); err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		diff := cmp.Diff(one, two)
		require.Empty(t, diff, "two parsers read two documents: %s\n%s", diff, text)
		metadata := one["metadata"].(map[string]any)
		for k, v := range o.Annotations {
			got := metadata["annotations"].(map[string]any)[k]
			require.True(t, got == v, "annotation %q came back as %q", v, got)
		}
		spec := one["spec"].(map[string]any)
		back, err := armjson.Parse(spec["template"].(string), armjson.Options{})
		require.NoError(t, err)
		if o.Target == manifest.Design {
			require.True(t, armjson.Equal(template, back), "the template came back as another one:\n%s", text)
			parameters, err := armjson.Parse(spec["parameters"].(string), armjson.Options{})
			require.NoError(t, err)
			p, _ := parameters.(*armjson.Object).Get("p")
			v, _ := p.(*armjson.Object).Get("value")
			if !armjson.Equal(v, o.Parameters[0].Value) {
				t.Fatalf("the parameter came back as %s", armjson.Text(v))
			}
		} else if s, ok := o.Parameters[0].Value.(armjson.String); ok {
			got := spec["parameters"].(map[string]any)["p"]
			require.True(t, got == string(s), "the parameter %q came back as %q", s, got)
		}
	}
}

func TestJSONFormSaysTheSame(t *testing.T) {
	t.Parallel()
	m, err := manifest.New(manifest.Options{Name: "app", Labels: map[string]string{"b": "1", "a": "yes"}, Template: []byte("{\"resources\": [\"é🚀\u2028\"]}"), Group: "g"})
	require.NoError(t, err)
	asYAML, err := m.Render(manifest.YAML)
	require.NoError(t, err)
	asJSON, err := m.Render(manifest.JSON)
	require.NoError(t, err)
	var one, two any
	require.NoError(t, yaml.Unmarshal(asYAML, &one))
	require.NoError(t, json.Unmarshal(asJSON, &two))
	assert.Empty(t, cmp.Diff(one, two))
	require.True(t, utf8.Valid(asYAML), "%s", asYAML)
	require.Contains(t, string(asYAML), `"é\ud83d\ude80\u2028"`, "%s", asYAML)
	assert.Contains(t, string(asYAML), "    a: \"yes\"\n    b: \"1\"\n", "labels that look like other things are not quoted:\n%s", asYAML)
}

// A value that is none of the choices makes no manifest of another kind.
func TestChoices(t *testing.T) {
	t.Parallel()
	isWrong := func(err error, o manifest.Option, text string) {
		t.Helper()
		var wrong *manifest.OptionError
		require.ErrorAs(t, err, &wrong)
		require.Equal(t, manifest.OptionError{Option: o, Problem: text}, *wrong)
	}
	o := manifest.Options{Name: "app", Template: []byte(`{"resources": []}`), Target: "raduis", Group: "g"}
	_, err := manifest.New(o)
	isWrong(err, manifest.OptionTarget, `"raduis" is not a target; it is one of design, radius`)
	o.Target = ""
	m, err := manifest.New(o)
	require.NoError(t, err)
	_, err = m.Render("xml")
	isWrong(err, manifest.OptionFormat, `"xml" is not a format; it is one of yaml, json`)
	_, err = manifest.RenderObjects(nil, nil, "jsn")
	isWrong(err, manifest.OptionFormat, `"jsn" is not a format; it is one of yaml, json`)
	text, err := m.Render("")
	require.NoError(t, err)
	yaml, err := m.Render(manifest.YAML)
	require.NoError(t, err)
	require.Equal(t, string(yaml), string(text))
	o.Target = manifest.Design
	design, err := manifest.New(o)
	require.NoError(t, err)
	text, err = design.Render(manifest.YAML)
	require.NoError(t, err)
	require.Equal(t, string(yaml), string(text))
}

func TestIsManifest(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		build(t, manifest.Options{Name: "a", Template: []byte("{}")}):          true,
		"apiVersion: radapp.io/v1alpha3\nkind: DeploymentTemplate\nspec: {}\n": true,
		`{"kind": "DeploymentTemplate", "apiVersion": "radapp.io/v1alpha3"}`:   true,
		"kind: Deployment\napiVersion: apps/v1\n":                              false,
		"param x string": false,
		"{":              false,
		"":               false,
		"kind: DeploymentTemplate\napiVersion: example.com/v1\n":                                                         false,
		"apiVersion: radapp.io/v1alpha3\nspec:\n  template: |\n    kind: Other\n\n    { : [\nkind: DeploymentTemplate\n": true,
		"apiVersion: radapp.io/v1alpha3\nspec:\n  template: |\n    kind: DeploymentTemplate\nkind: Other\n":              false,
		"apiVersion: radapp.io/v1alpha3\nkind: DeploymentTemplate\nspec:\n  template: |\n    {}\n  wrong: [\n":           false,
		"apiVersion: radapp.io/v1alpha3\nkind: DeploymentTemplate\nspec:\n  template: |\n    {}":                         true,
	} {
		assert.Equal(t, want, manifest.IsManifest([]byte(text)), "%q", text)
	}
}

func BenchmarkRender(b *testing.B) {
	var resources []string
	for i := range 1000 {
		resources = append(resources, fmt.Sprintf("    {\n      \"name\": \"resource%d\"\n    }", i))
	}
	template := []byte("{\n  \"resources\": [\n" + strings.Join(resources, ",\n") + "\n  ]\n}")
	b.SetBytes(int64(len(template)))
	b.ReportAllocs()
	for b.Loop() {
		m, err := manifest.New(manifest.Options{Name: "a", Template: template})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Render(manifest.YAML); err != nil {
			b.Fatal(err)
		}
	}
}

// Of members whose names differ by letter case one is read. The others may hold secrets.
func TestMaskedHidesTwins(t *testing.T) {
	t.Parallel()
	const old = `{"kind": "DeploymentTemplate", "apiVersion": "radapp.io/v1alpha3", "metadata": {"name": "a"},
		"spec": {"template": "{\"parameters\":{},\"resources\":[]}", "parameters": "{\"n\":{\"value\":\"plain\"}}",
			"Template": "{\"parameters\":{\"s\":{\"type\":\"string\",\"defaultValue\":\"hunter2\"}}}", "PARAMETERS": {"s": "hunter3"}},
		"Spec": {"parameters": {"s": "hunter4"}}}`
	m, err := manifest.New(manifest.Options{Name: "a", Secure: []string{"s"}, Template: []byte(`{"resources":[]}`)})
	require.NoError(t, err)
	before, after, ok := m.Masked([]byte(old), manifest.YAML)
	require.True(t, ok)
	require.NotContains(t, string(before)+string(after), "hunter")
	require.Contains(t, string(before), "plain")
	require.Contains(t, string(before), "\nSpec: \"(secure)\"\n", "what is hidden has its place")
}
