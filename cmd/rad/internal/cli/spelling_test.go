package cli

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLinesOfResponseFiles(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		"":                       nil,
		"  # a comment":          nil,
		" build  a.bicep ":       {"build", "a.bicep"},
		`--outfile "my file.x"`:  {"--outfile", "my file.x"},
		`--outfile="my file.x" `: {"--outfile=my file.x"},
		`"" a`:                   {"", "a"},
		`"open`:                  {"open"},
		"a # b":                  {"a", "#", "b"},
	} {
		require.Equal(t, want, splitLine(line), line)
	}
}
