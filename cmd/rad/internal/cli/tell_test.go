package cli_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// named is a text of a type of its own.
type named string

// TestTellEscapes: whatever type an argument has, it steers neither a terminal nor a CI job.
func TestTellEscapes(t *testing.T) {
	t.Parallel()
	const foreign = "a\x1b[2Jb\n::add-mask::c\r##[error]"
	for name, arg := range map[string]any{
		"a text": foreign, "an error": errors.New(foreign), "a text of another type": named(foreign), "a list": []string{"x", foreign},
		"an array": [1]named{foreign}, "a map": map[string]string{foreign: foreign}, "a struct": struct{ Text string }{foreign},
	} {
		var out strings.Builder
		a := cli.App{Stderr: &out}
		a.Tell("%v", arg)
		assert.Equal(t, 1, strings.Count(out.String(), "\n"), name)
		assert.NotContains(t, out.String(), "\x1b", name)
		assert.NotContains(t, out.String(), "\r", name)
		assert.NotContains(t, out.String(), "##[", name)
	}
	var out strings.Builder
	a := cli.App{Stderr: &out}
	a.Tell("%d files, %t, %5.1f%%", 3, true, 2.5)
	assert.Equal(t, "3 files, true,   2.5%\n", out.String(), "numbers are no texts")
}

// TestDiffsRunNoCommands: a line that both texts have begins with a space, which a CI job skips.
func TestDiffsRunNoCommands(t *testing.T) {
	t.Parallel()
	text := cli.UnifiedDiff("a", "b", "::add-mask::x\nold\n", "::add-mask::x\nnew\n", false)
	for line := range strings.Lines(text) {
		assert.False(t, strings.HasPrefix(strings.TrimSpace(line), "::"), line)
	}
	assert.Contains(t, text, "-old\n+new\n")
}
