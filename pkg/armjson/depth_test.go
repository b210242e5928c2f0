package armjson_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
)

func TestWhatIsNestedTooDeepIsNotCalledInvalid(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, limit := range []int{0, 64} {
		depth := limit
		if depth == 0 {
			depth = armjson.DefaultMaxDepth
		}
		if _, err := armjson.Parse(nested(depth), armjson.Options{MaxDepth: limit}); err != nil {
			t.Errorf("%d levels: %v", depth, err)
		}
		_, err := armjson.Parse(nested(depth+1), armjson.Options{MaxDepth: limit})
		var e *armjson.SyntaxError
		require.ErrorAs(t, err, &e, "%d levels", depth+1)
		require.Equal(t, depth, e.TooDeep, "%d levels: %v", depth+1, err)
		require.Equal(t, depth, e.Offset, "%d levels: %v", depth+1, err)
		assert.NotContains(t, err.Error(), "invalid")
	}
}
