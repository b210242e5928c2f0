package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/zip"
)

// TestModuleZip checks that `go install` can fetch the module on every platform: all file
// names are legal on Windows, no two names differ in case only, and no file is too large.
func TestModuleZip(t *testing.T) {
	t.Parallel()
	files, err := zip.CheckDir(filepath.Join("..", "..", ".."))
	require.NoError(t, err)
	require.Empty(t, files.Invalid)
	require.NotEmpty(t, files.Valid)
}

// trackedFiles returns the files that git tracks.
func trackedFiles(t *testing.T, root string) []string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not a git checkout")
	}
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	require.NoError(t, err)
	return strings.Split(strings.Trim(string(out), "\x00"), "\x00")
}

// prose matches the files in which commands are shown.
var prose = pattern(`(\.(go|md|mk|txtar|bicep|sh|ya?ml)|Makefile|run)$`)

// handsOn matches a line that gives rad the names of another command's output.
var handsOn = pattern(`\b(xargs|-exec)\b.*\brad bicep\b(.*)`)

// TestShownCommandsEndOptions holds pages, examples, scripts and help to what docs/ci.md says:
// where names come from elsewhere, -- is before them.
func TestShownCommandsEndOptions(t *testing.T) {
	t.Parallel()
	root, found := filepath.Join("..", "..", ".."), 0
	for _, name := range trackedFiles(t, root) {
		if !prose().MatchString(name) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // a link, or a deleted file
		}
		for _, m := range handsOn().FindAllSubmatch(text, -1) {
			found++
			assert.Regexp(t, ` --(\W|$)`, string(m[2]), "%s: %s", name, m[0])
		}
	}
	require.NotZero(t, found)
}
