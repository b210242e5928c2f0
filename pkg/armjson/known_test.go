package armjson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
)

// TestKnown: a text with values that are known is read as without them, and exceeds the
// same limits.
func TestKnown(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, inner string
		times       int
		depth       int
	}{
		{"once", `{"a": [1, {"b": "}"}]}`, 1, 0},
		{"several times", `{"a": [1, {"b": "}"}]}`, 5, 0},
		{"as deep as it may be", `{"a": [[[[]]]]}`, 2, 7},
		{"too deep", `{"a": [[[[]]]]}`, 2, 6},
		{"too deep itself", strings.Repeat("[", 9) + strings.Repeat("]", 9), 1, 8},
		{"too many values", `{"a": [` + strings.Repeat("1,", 99_990) + `2]}`, 11, 0},
		{"almost too many values", `{"a": [` + strings.Repeat("1,", 99_990) + `2]}`, 10, 0},
	} {
		o := armjson.Options{MaxDepth: test.depth}
		value, err := armjson.ParseKnown(test.inner, o)
		var text strings.Builder
		var known []armjson.Known
		text.WriteString(`{"list": [ 0`)
		for range test.times {
			text.WriteString(", ")
			start := text.Len()
			text.WriteString(test.inner)
			if err == nil {
				known = append(known, armjson.Known{Start: start, End: text.Len(), Value: &value})
			}
		}
		text.WriteString(` , {}], "after": {"a": 1}}`)
		want, wantErr := armjson.ParseKnown(text.String(), o)
		o.Known = known
		got, gotErr := armjson.ParseKnown(text.String(), o)
		require.Equal(t, wantErr, gotErr, test.name)
		if wantErr == nil {
			require.Equal(t, want, got, test.name) // what it counts towards limits, too
			list, _ := got.Value.(*armjson.Object).Get("list")
			require.Same(t, value.Value, list.(armjson.Array)[1], "%s: it is not read again", test.name)
		}
	}
}
