package secret_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/secret"
)

// TestMark: what each mark, and both together, allow.
func TestMark(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mark           secret.Mark
		written, shown bool
	}{
		"no mark":                        {0, true, true},
		"the environment":                {secret.Environment, true, false},
		"a secure parameter":             {secret.Secure, false, false},
		"computed from both":             {secret.Environment | secret.Secure, false, false},
		"computed from none and another": {0 | secret.Environment, true, false},
	} {
		assert.Equal(t, test.written, test.mark.Written(), name)
		assert.Equal(t, test.shown, test.mark.Shown(), name)
	}
}
