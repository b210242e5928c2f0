package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	files, err := zip.CheckDir(filepath.Join("..", ".."))
	require.NoError(t, err)
	require.Empty(t, files.Invalid)
	require.NotEmpty(t, files.Valid)
}

// entries are the files and folders of the repository's root. A test or a build that leaves
// something behind there is noticed.
var entries = []string{
	".ci", ".editorconfig", ".gitattributes", ".github", ".gitignore", ".goreleaser.yaml", ".pre-commit-hooks.yaml",
	"ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "NOTICE", "README.md", "SECURITY.md", "action.yml",
	"cmd", "controller", "docs", "examples", "go.mod", "go.sum", "pkg", "testdata",
}

// largeFiles are the tracked files that may be larger than maxFile, with the reason.
var largeFiles = map[string]string{}

const maxFile = 1 << 20

// TestTrackedFiles refuses large files in the repository, such as built programs, and files in
// its root that are not known.
func TestTrackedFiles(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not a git checkout")
	}
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	require.NoError(t, err)
	for _, name := range bytes.Split(bytes.Trim(out, "\x00"), []byte{0}) {
		top, _, _ := strings.Cut(string(name), "/")
		assert.True(t, slices.Contains(entries, top), "%s is tracked: remove it, or name it in entries", name)
		info, err := os.Lstat(filepath.Join(root, string(name)))
		if err != nil {
			continue // deleted, and not yet committed
		}
		if _, declared := largeFiles[string(name)]; info.Size() > maxFile && !declared {
			t.Errorf("%s has %d bytes: remove it, or name it in largeFiles with the reason", name, info.Size())
		}
	}
}
