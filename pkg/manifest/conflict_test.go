package manifest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/manifest"
)

func TestSidesOfAConflict(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, content, first, second string
		ok                           bool
	}{
		{"two sides", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\nd\n", "a\nb\nd\n", "a\nc\nd\n", true},
		{"with the base", "<<<<<<< HEAD\nb\n||||||| 1234\nx\n=======\nc\n>>>>>>> other\n", "b\n", "c\n", true},
		{"twice, and CRLF", "<<<<<<< HEAD\r\na\r\n=======\r\n>>>>>>> x\r\nb\r\n<<<<<<< HEAD\r\n=======\r\nc\r\n>>>>>>> x\r\n", "a\r\nb\r\n", "b\r\nc\r\n", true},
		{"no marker", "a\n=======\nb\n", "", "", false},
		{"not ended", "<<<<<<< HEAD\na\n=======\nb\n", "", "", false},
		{"in a text", "  <<<<<<< HEAD\n", "", "", false},
	} {
		first, second, ok := manifest.Sides([]byte(c.content))
		require.Equal(t, c.ok, ok, c.name)
		if ok {
			require.Equal(t, c.first, string(first), c.name)
			require.Equal(t, c.second, string(second), c.name)
		}
	}
}
