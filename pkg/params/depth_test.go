package params_test

import (
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/params"
)

func TestAFileThatIsNestedTooDeepIsNotCalledInvalid(t *testing.T) {
	t.Parallel()
	text := `{"a": ` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "}"
	_, problems := params.ReadFile([]byte(text), params.Source{Text: "f.json", Path: "f.json"}, declare(t, `{"a":{"type":"array"}}`))
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "more than 512 levels deep") || strings.Contains(problems[0].Message, "not JSON") {
		t.Errorf("%v", problems)
	}
}
