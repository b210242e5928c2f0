package source_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/source"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, name string
		one           rune
		want          bool
	}{
		{"", "", 0, true}, {"", "a", 0, false}, {"a", "a", 0, true}, {"a", "A", 0, false},
		{"*", "", 0, true}, {"*", "abc", 0, true}, {"a*", "a", 0, true}, {"*.bicep", "a.bicep", 0, true}, {"*.bicep", "a.bicepparam", 0, false},
		{"a*b*c", "aXbYbZc", 0, true}, {"a*b*c", "acb", 0, false}, {"**a", "ba", 0, true},
		{"a?c", "abc", '?', true}, {"a?c", "ac", '?', false}, {"?", "é", '?', true}, {"*?", "", '?', false},
		{"a?c", "abc", 0, false}, {"a?c", "a?c", 0, true},
	} {
		require.Equal(t, c.want, source.Match(c.pattern, c.name, c.one), "%q %q", c.pattern, c.name)
	}
}
