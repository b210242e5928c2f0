//go:build static

package test

import (
	"debug/elf"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMakeBuildIsStatic: what `make build` makes needs no loader and no library, also where
// there is a C compiler, which go would use without being asked. `make check` runs it. It has a
// build tag, because it compiles all packages once more, with other flags than `go test` does.
func TestMakeBuildIsStatic(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads an ELF file")
	}
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	path := filepath.Join(t.TempDir(), "rad")
	build := exec.Command("make", "build", "BIN="+path)
	build.Dir = filepath.Join("..", "..", "..")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	file, err := elf.Open(path)
	require.NoError(t, err)
	defer file.Close()
	for _, p := range file.Progs {
		require.NotEqual(t, elf.PT_INTERP, p.Type, "the program names a loader: it is dynamically linked")
	}
	libraries, err := file.ImportedLibraries()
	require.NoError(t, err)
	require.Empty(t, libraries)
}
