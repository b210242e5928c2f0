package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

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

// largeFiles are the tracked files that may be larger than maxFile, with the reason.
var largeFiles = map[string]string{}

const maxFile = 1 << 20

// TestNoLargeFiles refuses large files in the repository, such as built programs.
func TestNoLargeFiles(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Skip("not a git checkout")
	}
	out, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	require.NoError(t, err)
	for _, name := range bytes.Split(bytes.Trim(out, "\x00"), []byte{0}) {
		info, err := os.Lstat(filepath.Join(root, string(name)))
		if err != nil {
			continue // deleted, and not yet committed
		}
		if _, declared := largeFiles[string(name)]; info.Size() > maxFile && !declared {
			t.Errorf("%s has %d bytes: remove it, or name it in largeFiles with the reason", name, info.Size())
		}
	}
}
