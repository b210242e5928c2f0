package armjson_test

import (
	"errors"
	"strings"
	"testing"

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
		if !errors.As(err, &e) || e.TooDeep != depth || e.Offset != depth {
			t.Fatalf("%d levels: %v", depth+1, err)
		}
		if strings.Contains(err.Error(), "invalid") {
			t.Errorf("%v", err)
		}
	}
}
