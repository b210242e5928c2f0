package source_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestVersions: a file has a version when it has not changed for a moment, and another one whenever
// it may have another content. A file below a root that a link leads to has none.
func TestVersions(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path(name)), 0o700))
		require.NoError(t, os.WriteFile(path(name), []byte(text), 0o600))
	}
	// now returns the version of a file, as a compile that begins now sees it.
	now := func(name string) source.Version {
		of := source.Versions(source.Below(root))
		if of == nil {
			t.Skip("files have no versions on this system")
		}
		return of(path(name))
	}
	settled := func(name string) source.Version {
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if v := now(name); v.Known() {
				return v
			}
		}
		t.Skip("files have no versions on this file system")
		return source.Version{}
	}

	write("a/m.bicep", "var x = 1")
	require.False(t, now("a/m.bicep").Known(), "it has just been written")
	first := settled("a/m.bicep")
	require.Equal(t, first, now("a/m.bicep"))
	require.Equal(t, first, source.Versions(source.Disk{})(path("a/m.bicep")), "without a root")

	info, err := os.Stat(path("a/m.bicep"))
	require.NoError(t, err)
	write("a/m.bicep", "var x = 2") // the same size
	require.NoError(t, os.Chtimes(path("a/m.bicep"), info.ModTime(), info.ModTime()))
	require.False(t, now("a/m.bicep").Known(), "its time was set back")
	second := settled("a/m.bicep")
	require.NotEqual(t, first, second)

	write("b/m.bicep", "var x = 2")
	require.NoError(t, os.Rename(path("b/m.bicep"), path("a/m.bicep")))
	require.NotEqual(t, second, settled("a/m.bicep"), "another file has its name")

	for _, name := range []string{"a", "none.bicep", "none/m.bicep", "a/m.bicep/x"} {
		require.False(t, now(name).Known(), name)
	}
	write(".git/config", "secret")
	write("a/.git/m.bicep", "secret")
	write("late.bicep", "")
	settled("late.bicep")
	require.False(t, now(".git/config").Known())
	require.False(t, now("a/.git/m.bicep").Known())
	require.False(t, source.Versions(source.Below(path("a")))(path("late.bicep")).Known(), "it lies outside")

	require.NoError(t, os.Rename(path("a"), path("real")))
	if os.Symlink("real", path("a")) != nil || os.Symlink("late.bicep", path("link.bicep")) != nil {
		t.Skip("there are no links here")
	}
	settled("real/m.bicep")
	require.False(t, now("a/m.bicep").Known(), "a link leads to its folder")
	require.False(t, now("link.bicep").Known(), "it is a link")
	require.True(t, source.Versions(source.Disk{})(path("a/m.bicep")).Known(), "links do not matter without a root")
}
