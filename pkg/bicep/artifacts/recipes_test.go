package artifacts_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// TestRecipes: several programs that need the same recipes fetch each once, all at the same time, and only what was asked for. What
// is pinned and in the cache needs no connection.
func TestRecipes(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	registry := registrytest.New(t)
	dir, store := t.TempDir(), t.TempDir()
	var sources []artifacts.RecipeSource
	for i := range 5 {
		registry.Module(fmt.Sprint("recipes/r", i), "1", fmt.Sprintf(`{"resources": [], "contentVersion": "%d"}`, i))
		sources = append(sources, artifacts.RecipeSource{Source: fmt.Sprint(registry.Host, "/recipes/r", i, ":1")})
	}
	q := bicep.Request{File: filepath.Join(dir, "app.bicep"), FS: bicep.Dir(dir), Root: dir,
		Options: bicep.Options{Artifacts: bicep.Artifacts{Cache: store, Trusted: "127.0.0.1"}}}
	needed := sources[:4] // nobody asks for the last one
	read := func(r *artifacts.Recipes, want error) {
		for i, s := range needed {
			text, err := r.Read(s)
			require.ErrorIs(t, err, want)
			if want == nil {
				require.Contains(t, string(text), fmt.Sprintf(`"%d"`, i))
			}
		}
	}
	var wg sync.WaitGroup
	var manifests atomic.Int32
	all, alone := make(chan struct{}), atomic.Bool{}
	registry.Fault = func(_ http.ResponseWriter, r *http.Request) bool { // no manifest is sent before all are asked for
		if strings.Contains(r.URL.Path, "/manifests/") {
			if manifests.Add(1) == 4 {
				close(all)
			}
			select {
			case <-all:
			case <-time.After(5 * time.Second):
				alone.Store(true)
			}
		}
		return false
	}
	for range 3 {
		wg.Go(func() {
			r := artifacts.NewRecipes(q)
			read(r, artifacts.ErrLater)
			require.True(t, r.Fetch(t.Context()))
			require.False(t, r.Fetch(t.Context()))
			read(r, nil)
		})
	}
	wg.Wait()
	require.False(t, alone.Load(), "one after the other")
	var asked []string
	for _, one := range registry.Requests() {
		asked = append(asked, one.Path)
	}
	require.Len(t, asked, 8, "a manifest and a layer for each")
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(asked))), 8)
	require.NotContains(t, strings.Join(asked, " "), "r4")

	result, err := artifacts.Restore(t.Context(), artifacts.RestoreRequest{Files: []string{q.File}, FS: q.FS, Root: dir, Artifacts: q.Artifacts,
		Recipes: needed, WriteLock: func(path string, text []byte) error { return os.WriteFile(path, text, 0o666) }})
	require.NoError(t, err)
	require.Empty(t, result.Recipes)
	require.Equal(t, 4, strings.Count(readFile(t, filepath.Join(dir, "bicep.lock.json")), `"kind": "recipe"`))
	registry.Close()
	r := artifacts.NewRecipes(q)
	read(r, nil)
	require.False(t, r.Fetch(t.Context()))
	require.Empty(t, registry.Requests())

	// What one pack may ask with TLS, another one may not ask without.
	_, err = r.Read(artifacts.RecipeSource{Source: "ghcr.io/acme/redis:1"})
	require.ErrorIs(t, err, artifacts.ErrLater)
	_, err = r.Read(artifacts.RecipeSource{Source: "ghcr.io/acme/redis:1", PlainHTTP: true})
	require.ErrorContains(t, err, "without TLS")
}

// TestRecipesOfTwoRevisions: programs whose lock files pin different contents of one tag get their own at the same time.
func TestRecipesOfTwoRevisions(t *testing.T) {
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	registry, store := registrytest.New(t), t.TempDir()
	s := artifacts.RecipeSource{Source: registry.Host + "/redis:1"}
	var sides []*artifacts.Recipes
	var requests []bicep.Request
	for i := range 2 {
		dir := t.TempDir()
		q := bicep.Request{File: filepath.Join(dir, "app.bicep"), FS: bicep.Dir(dir), Root: dir,
			Options: bicep.Options{Artifacts: bicep.Artifacts{Cache: store, Trusted: "127.0.0.1"}}}
		registry.Module("redis", "1", fmt.Sprintf(`{"resources": [], "contentVersion": "%d"}`, i))
		_, err := artifacts.Restore(t.Context(), artifacts.RestoreRequest{Files: []string{q.File}, FS: q.FS, Root: dir, Artifacts: q.Artifacts, Update: true,
			Recipes: []artifacts.RecipeSource{s}, WriteLock: func(path string, text []byte) error { return os.WriteFile(path, text, 0o666) }})
		require.NoError(t, err)
		sides, requests = append(sides, artifacts.NewRecipes(q)), append(requests, q)
	}
	_, err := sides[0].Read(s) // the cache has what the other one pins
	require.ErrorIs(t, err, artifacts.ErrLater)
	require.True(t, sides[0].Fetch(t.Context()))
	registry.Requests()
	for i, side := range sides { // and neither has taken it from the other
		for _, r := range []*artifacts.Recipes{side, artifacts.NewRecipes(requests[i])} {
			text, err := r.Read(s)
			require.NoError(t, err)
			require.Contains(t, string(text), fmt.Sprintf(`"%d"`, i))
		}
	}
	require.Empty(t, registry.Requests())

	// What is vendored is what the tag means now, wherever the other content was.
	q := requests[0]
	vendor := filepath.Join(q.Root, "vendor")
	_, err = artifacts.Restore(t.Context(), artifacts.RestoreRequest{Files: []string{q.File}, FS: q.FS, Root: q.Root, Artifacts: q.Artifacts, Update: true,
		Recipes: []artifacts.RecipeSource{s}, WriteLock: func(path string, text []byte) error { return os.WriteFile(path, text, 0o666) }, VendorTo: vendor})
	require.NoError(t, err)
	q.Artifacts.Vendor = vendor
	text, err := artifacts.NewRecipes(q).Read(s)
	require.NoError(t, err)
	require.Contains(t, string(text), `"1"`)
	kept, err := artifacts.FindCache(requests[0].FS, requests[0].Root, requests[0].Root, store)
	require.NoError(t, err)
	list, rest, err := kept.List()
	require.NoError(t, err)
	require.Empty(t, rest)
	require.Len(t, list, 2)
	removed, _, err := kept.Remove(list)
	require.NoError(t, err)
	require.Len(t, removed, 2)
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
