package params_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/params"
)

func TestAFileThatIsNestedTooDeepIsNotCalledInvalid(t *testing.T) {
	t.Parallel()
	text := `{"a": ` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + "}"
	_, problems := params.ReadFile([]byte(text), params.Source{Text: "f.json", Path: "f.json"}, declare(t, `{"a":{"type":"array"}}`))
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message, "more than 512 levels deep", "%v", problems)
	require.NotContains(t, problems[0].Message, "not JSON", "%v", problems)
}
