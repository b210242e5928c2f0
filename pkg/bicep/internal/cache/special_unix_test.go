//go:build unix

package cache_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestPipesInTheCache: a repository may name a cache within it, and put pipes there. They
// are not waited for.
func TestPipesInTheCache(t *testing.T) {
	t.Parallel()
	a, problem := artifact.Parse("br:mcr.microsoft.com/bicep/a:1", artifact.Module, config.BuiltIn())
	require.Nil(t, problem)
	root := t.TempDir()
	dir := a.CacheDir(root)
	require.NoError(t, os.MkdirAll(dir, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.json"), []byte("{}"), 0o666))
	for _, name := range []string{"manifest", "metadata"} {
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, name), 0o666))
	}
	f := (&cache.Reader{User: root}).Find(a, config.BuiltIn())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, err := f.ReadManifest()
		assert.Error(t, err)
		_, err = f.ReadMetadata()
		assert.Error(t, err)
		assert.ErrorIs(t, cache.Copy(t.Context(), a, a.CacheDir(root), filepath.Join(root, "vendor")), source.ErrNotRegular)
		stage, err := cache.NewStage(a, root)
		if !assert.NoError(t, err) {
			return
		}
		defer stage.Close()
		assert.NoError(t, os.Remove(filepath.Join(dir, "manifest")))
		assert.NoError(t, os.Rename(filepath.Join(dir, "main.json"), filepath.Join(dir, "manifest")))
		assert.NoError(t, syscall.Mkfifo(filepath.Join(dir, "main.json"), 0o666))
		assert.ErrorIs(t, cache.Copy(t.Context(), a, a.CacheDir(root), filepath.Join(root, "vendor")), source.ErrNotRegular)
		assert.False(t, stage.Alone(t.Context(), "sha256:", nil))
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("a pipe in the cache is waited for")
	}
}
