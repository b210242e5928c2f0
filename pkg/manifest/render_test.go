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
