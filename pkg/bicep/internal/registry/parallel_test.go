package registry_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// TestManyAtOnce: six modules of a registry are fetched at the same time, eight of several registries, and not
// more. The first requests are answered once there are so many, so that no time is measured.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	for registries, want := range map[int]int{1: 6, 2: 8, 3: 8} {
		var mu sync.Mutex
		running, most := 0, 0
		enough := make(chan struct{})
		fault := func(_ http.ResponseWriter, q *http.Request) bool {
			mu.Lock()
			running++
			if running == want && most < want {
				close(enough)
			}
			most = max(most, running)
			mu.Unlock()
			select {
			case <-enough:
			case <-q.Context().Done():
			case <-time.After(15 * time.Second):
			}
			mu.Lock()
			running--
			mu.Unlock()
			return false
		}
		var all []*registrytest.Registry
		for range registries {
			r := registrytest.New(t)
			r.Fault = fault
			all = append(all, r)
		}
		var jobs []*registry.Job
		root := filepath.Join(t.TempDir(), "cache")
		for i := range 30 {
			name, r := fmt.Sprintf("mods/m%d", i), all[i%registries]
			r.Module(name, "v1", fmt.Sprintf(`{"resources": [], "n": %d}`, i))
			jobs = append(jobs, &registry.Job{Root: root, Reference: &artifact.Reference{
				Scheme: artifact.OCI, Registry: r.Host, Repository: name, Tag: "v1"}})
		}
		newClient(t, registry.Options{}).Run(context.Background(), jobs, nil)
		for _, j := range jobs {
			require.NoError(t, j.Err)
		}
		require.Equal(t, want, most, "%d registries", registries)
	}
}

// TestOneDownload: when several processes, here clients, fetch an artifact at the same
// time, one of them downloads it, and the others take it from the cache.
func TestOneDownload(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	r.Latency = 20 * time.Millisecond
	digest := r.Module("mods/m", "v1", `{"resources": []}`)
	root := filepath.Join(t.TempDir(), "cache")
	reference := &artifact.Reference{Scheme: artifact.OCI, Registry: r.Host, Repository: "mods/m", Tag: "v1"}
	downloads := func() (n int) {
		for _, q := range r.Requests() {
			if strings.Contains(q.Path, "/blobs/") {
				n++
			}
		}
		return n
	}
	var wg sync.WaitGroup
	for range 4 {
		client := newClient(t, registry.Options{})
		wg.Go(func() {
			entry, err := client.Fetch(t.Context(), reference, "", root, false)
			assert.NoError(t, err)
			assert.Equal(t, digest, entry.Digest)
		})
	}
	wg.Wait()
	require.Equal(t, 1, downloads())
	entries, err := os.ReadDir(filepath.Dir(reference.CacheDir(root)))
	require.NoError(t, err)
	require.Len(t, entries, 1, "the lock is not left behind")

	main := filepath.Join(reference.CacheDir(root), "main.json")
	require.NoError(t, os.WriteFile(main, []byte(`{"resources": [0]}`), 0o644))
	_, err = newClient(t, registry.Options{}).Fetch(t.Context(), reference, "", root, false)
	require.NoError(t, err)
	require.Equal(t, 1, downloads(), "what the cache holds is verified")
	text, err := os.ReadFile(main)
	require.NoError(t, err)
	require.Equal(t, `{"resources": []}`, string(text))
	_, err = newClient(t, registry.Options{}).Fetch(t.Context(), reference, "", root, true)
	require.NoError(t, err)
	require.Equal(t, 1, downloads(), "--force downloads")
}

// TestOneDigest: what several references lead to is downloaded once.
func TestOneDigest(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	r.Latency = 20 * time.Millisecond
	digest := r.Module("mods/m", "v1", `{"resources": []}`)
	r.Module("mods/m", "v2", `{"resources": []}`)
	r.Module("mods/copy", "v1", `{"resources": []}`)
	root := filepath.Join(t.TempDir(), "cache")
	var jobs []*registry.Job
	add := func(pinned string, references ...artifact.Reference) {
		for _, a := range references {
			a.Scheme, a.Registry = artifact.OCI, r.Host
			jobs = append(jobs, &registry.Job{Root: root, Reference: &a, Digest: pinned})
		}
	}
	add(digest, artifact.Reference{Repository: "mods/m", Tag: "v1"}, artifact.Reference{Repository: "mods/m", Tag: "v2"}, artifact.Reference{Repository: "mods/copy", Tag: "v1"})
	add("", artifact.Reference{Repository: "mods/m", Digest: digest}, artifact.Reference{Repository: "mods/copy", Digest: digest})
	newClient(t, registry.Options{}).Run(t.Context(), jobs, nil)
	for _, j := range jobs {
		require.NoError(t, j.Err)
		require.Equal(t, digest, j.Entry.Digest)
		require.FileExists(t, filepath.Join(j.Reference.CacheDir(root), "main.json"))
	}
	require.Len(t, r.Requests(), 2, "one manifest and one layer")
}

// TestBasicIsRemembered: a registry that asks for a password asks once a client, and is shown
// none before it asks.
func TestBasicIsRemembered(t *testing.T) {
	withoutCredentials(t)
	r := registrytest.New(t)
	r.User, r.Password = "me", "s3cret"
	dockerLogin(t, r.Host)
	client := newClient(t, registry.Options{})
	root := filepath.Join(t.TempDir(), "cache")
	var counts []int
	for _, name := range []string{"mods/a", "mods/b", "mods/c"} {
		r.Module(name, "v1", template)
		_, err := client.Fetch(t.Context(), &artifact.Reference{Scheme: artifact.OCI, Registry: r.Host, Repository: name, Tag: "v1"}, "", root, false)
		require.NoError(t, err)
		requests := r.Requests()
		require.Empty(t, requests[0].Authorization)
		counts = append(counts, len(requests))
	}
	require.Equal(t, []int{4, 2, 2}, counts, "as a stranger, without, with; then the layer, which all have")
}
