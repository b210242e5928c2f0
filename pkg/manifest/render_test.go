package manifest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
)

// TestLongBlocks: long texts are written as the encoder writes them.
func TestLongBlocks(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("{ \"a\": 1 }\n", longBlock/8)
	for name, root := range map[string]*armjson.Object{
		"one":          armjson.NewObject(armjson.Member{Key: "a", Value: armjson.String(long)}),
		"empty lines":  armjson.NewObject(armjson.Member{Key: "a", Value: armjson.String("x\n\n\n  y\n\n" + long)}),
		"other script": armjson.NewObject(armjson.Member{Key: "a", Value: armjson.String("é 漢字\n---\n...\n# x\n" + long)}),
		"no block":     armjson.NewObject(armjson.Member{Key: "a", Value: armjson.String(" " + long)}),
		"nested": armjson.NewObject(
			armjson.Member{Key: "a", Value: armjson.NewObject(armjson.Member{Key: "b", Value: armjson.Array{armjson.String(long), armjson.String("short\n"), armjson.String("c: |\n" + long)}})},
			armjson.Member{Key: "d", Value: armjson.String(long)}),
		"the text that stands for one": armjson.NewObject(
			armjson.Member{Key: "a", Value: armjson.String(standIn)},
			armjson.Member{Key: "b", Value: armjson.String(long)}),
	} {
		want, err := encode(node(root), nil)
		require.NoError(t, err, name)
		got, err := render(root, YAML)
		require.NoError(t, err, name)
		require.Equal(t, string(want), string(got), name)
	}
}

// TestNoUnicodeText: YAML cannot hold half of a character, and JSON would hold another one. The
// error names the place, and no value.
func TestNoUnicodeText(t *testing.T) {
	t.Parallel()
	half := armjson.String("secret\xed\xa0\x80")
	for at, spec := range map[string]armjson.Value{
		"spec":                   half,
		"spec.tags.x":            armjson.NewObject(armjson.Member{Key: "tags", Value: armjson.NewObject(armjson.Member{Key: "x", Value: half})}),
		"spec.list[1].x":         armjson.NewObject(armjson.Member{Key: "list", Value: armjson.Array{armjson.Null{}, armjson.NewObject(armjson.Member{Key: "x", Value: half})}}),
		"the name of a property": armjson.NewObject(armjson.Member{Key: "secret\xff", Value: armjson.Null{}}),
		"spec[0]":                armjson.Array{&Hidden{Value: half}},
	} {
		o := &Object{APIVersion: "v1", Kind: "Store", Name: "a", Fields: []armjson.Member{{Key: "spec", Value: spec}}}
		for _, f := range []Format{YAML, JSON} {
			_, err := RenderObjects([]*Object{o}, nil, f)
			var e *TextError
			require.ErrorAs(t, err, &e, at)
			require.Equal(t, "Store", e.Kind)
			require.Contains(t, e.At, at)
			require.NotContains(t, err.Error(), "secret")
		}
	}
}
