package cache_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/cache"
)

// TestSweep: what killed processes left is removed wherever it is in a cache, if it is old. Artifacts,
// stages that are in use, other files, and what links lead to stay.
func TestSweep(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	old := time.Now().Add(-7 * time.Hour)
	write := func(top, name string, when time.Time) string {
		path := filepath.Join(top, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		text := "x"
		if filepath.Ext(name) == ".lock" {
			text = ""
		}
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		require.NoError(t, os.Chtimes(path, when, when))
		require.NoError(t, os.Chtimes(filepath.Dir(path), when, when))
		return path
	}
	var gone, kept []string
	for _, name := range []string{"br/host/repo/.tmp-123/main.json", "br/host/other/.tmp-9/types.tgz", "ts/a/b/.tmp-5/main.json", "recipe/host/repo/.tmp-6/main.json", ".tmp-0123456789abcdef.lock", "br/host/repo/.tmp-v1$.lock"} {
		gone = append(gone, write(dir, name, old))
	}
	for _, name := range []string{"br/host/repo/v1$/main.json", "br/host/repo/.tmp-77/notes.txt", "br/.tmp-mine/main.json", "other/x/y/.tmp-1/main.json", "README"} {
		kept = append(kept, write(dir, name, old))
	}
	kept = append(kept, write(dir, "br/host/busy/.tmp-8/main.json", time.Now()), write(dir, "br/host/busy/.tmp-v2$.lock", time.Now()), write(outside, "repo/.tmp-4/main.json", old))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "br", "linked")))
	cache.Sweep(dir)
	cache.Sweep(filepath.Join(dir, "none"))
	for _, path := range gone {
		require.NoFileExists(t, path)
	}
	require.NoDirExists(t, filepath.Join(dir, "br", "host", "repo", ".tmp-123"))
	for _, path := range kept {
		require.FileExists(t, path)
	}
}
