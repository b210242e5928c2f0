package registry_test

import (
	"context"
	"errors"
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
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// TestRun: each artifact is fetched or has an error of its own, and the progress is told one by one.
func TestRun(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	root := filepath.Join(t.TempDir(), "cache")
	var jobs []*registry.Job
	var mu sync.Mutex
	running, most := 0, 0
	r.Fault = func(http.ResponseWriter, *http.Request) bool {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		running--
		mu.Unlock()
		return false
	}
	for i := range 20 {
		a := module(r.Host, "v1")
		a.Repository = "mods/" + string(rune('a'+i))
		if i != 7 {
			r.Module(a.Repository, a.Tag, strings.Repeat("x", i))
		}
		jobs = append(jobs, &registry.Job{Reference: a, Root: root})
	}
	jobs[8].Digest = "sha256:" + strings.Repeat("0", 64)
	var seen []registry.Progress
	newClient(t, registry.Options{}).Run(t.Context(), jobs, func(p registry.Progress) { seen = append(seen, p) })
	names := map[string]int64{}
	for i, p := range seen {
		assert.Equal(t, i+1, p.Done)
		assert.Equal(t, 20, p.Total)
		names[p.Name] = p.Bytes
	}
	require.Len(t, names, 20)
	for i, j := range jobs {
		size := int64(i)
		if i == 7 || i == 8 {
			size = 0
			require.ErrorContains(t, j.Err, r.Host+" has no such artifact (status 404)")
		} else {
			require.NoError(t, j.Err)
			assert.Equal(t, size, j.Entry.Main().Size)
		}
		assert.Equal(t, size, names[j.Reference.String()])
	}
	assert.LessOrEqual(t, most, 6, "connections to one registry")
	newClient(t, registry.Options{}).Run(t.Context(), jobs[:1], nil) // nobody looks
	require.NoError(t, jobs[0].Err)

	// The cache that cannot be written is told as that, and a run that was ended is not.
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	bad := &registry.Job{Reference: jobs[0].Reference, Root: filepath.Join(file, "cache")}
	newClient(t, registry.Options{}).Run(t.Context(), []*registry.Job{bad}, nil)
	require.ErrorContains(t, bad.Err, "the cache cannot be written: ")
	require.ErrorContains(t, bad.Err, file)
	ended, stop := context.WithCancel(t.Context())
	stop()
	newClient(t, registry.Options{}).Run(ended, []*registry.Job{bad}, nil)
	require.ErrorIs(t, bad.Err, context.Canceled)
	assert.NotContains(t, bad.Err.Error(), "the cache")
}

// TestAgain: what the cache holds is downloaded again only where that is asked for.
func TestAgain(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	r.Module("mods/web", "v1", template)
	root := filepath.Join(t.TempDir(), "cache")
	for i, again := range []bool{false, false, true} {
		r.Requests()
		j := &registry.Job{Reference: module(r.Host, "v1"), Root: root, Again: again}
		client := newClient(t, registry.Options{})
		client.Run(t.Context(), []*registry.Job{j}, nil)
		require.NoError(t, j.Err)
		assert.Len(t, r.Requests(), []int{2, 1, 2}[i])
	}
	// A file of another content, whichever it is, is as none.
	dir := module(r.Host, "v1").CacheDir(root)
	for _, name := range []string{"main.json", "manifest", "metadata"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600))
		_, err := newClient(t, registry.Options{}).Fetch(t.Context(), module(r.Host, "v1"), "", root, false)
		require.NoError(t, err)
		assert.Len(t, r.Requests(), 2, name)
	}
}

// TestFromCache: what the cache holds is an artifact only where its files are those of its manifest.
func TestFromCache(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	digest := r.Module("mods/web", "v1", template)
	other := r.ModuleManifest(template + " ")
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"whole":            {func(*testing.T, string) {}, ""},
		"another main":     {func(t *testing.T, dir string) { write(t, dir, "main.json", template+" ") }, "main.json is not the one that was fetched"},
		"another manifest": {func(t *testing.T, dir string) { write(t, dir, "manifest", string(other)) }, "the manifest is not the one that was fetched"},
		"another of both": {func(t *testing.T, dir string) {
			write(t, dir, "manifest", string(other))
			write(t, dir, "metadata", registrytest.Digest(other))
		}, "main.json is not the one that was fetched"},
		"no manifest":     {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "manifest"))) }, "no such file"},
		"no metadata":     {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "metadata"))) }, "no such file"},
		"no main":         {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "main.json"))) }, "no such file"},
		"a manifest gone": {func(t *testing.T, dir string) { write(t, dir, "manifest", "") }, "its manifest is empty"},
	} {
		root := filepath.Join(t.TempDir(), "cache")
		a := module(r.Host, "v1")
		_, err := newClient(t, registry.Options{}).Fetch(t.Context(), a, "", root, false)
		require.NoError(t, err)
		found := (&cache.Reader{User: root}).Find(a, nil)
		c.change(t, a.CacheDir(root))
		entry, err := registry.FromCache(found)
		if c.want != "" {
			require.ErrorContains(t, err, c.want, name)
			assert.Empty(t, entry)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, digest, entry.Digest)
	}
	// A reference by digest is held to it.
	root := filepath.Join(t.TempDir(), "cache")
	a := &artifact.Reference{Scheme: artifact.OCI, Registry: r.Host, Repository: "mods/web", Digest: digest}
	_, err := newClient(t, registry.Options{}).Fetch(t.Context(), a, "", root, false)
	require.NoError(t, err)
	found := (&cache.Reader{User: root}).Find(a, nil)
	_, err = registry.FromCache(found)
	require.NoError(t, err)
	write(t, a.CacheDir(root), "manifest", string(other))
	write(t, a.CacheDir(root), "metadata", registrytest.Digest(other))
	write(t, a.CacheDir(root), "main.json", template+" ")
	_, err = registry.FromCache(found)
	require.EqualError(t, err, "the manifest is not the one of the reference")
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

// TestProblems: what a user reads of an artifact that is not there, and which command is named as a remedy.
func TestProblems(t *testing.T) {
	t.Parallel()
	a := module("r.example", "v1")
	hint := func(err any) report.Hint {
		var hinted *report.HintedError
		if e, ok := err.(error); ok && errors.As(e, &hinted) {
			return hinted.Hint
		}
		return 0
	}
	p := registry.Offline(a)
	assert.Equal(t, "BCP192", p.Code())
	assert.Contains(t, p.Message(), "br:r.example/mods/web:v1")
	assert.Contains(t, p.Message(), "it is not in the cache, and the run is offline")
	assert.Equal(t, report.HintRestore, hint(p.Args[1]))
	p = registry.NotFetched(a)
	assert.Equal(t, "BCP192", p.Code())
	assert.Contains(t, p.Message(), "template specs are not fetched by this program; 'bicep restore' of the official compiler puts it into the same cache, or export it with 'az ts export' and use the file")
	for _, c := range []struct {
		digest, own string
		want        string
		hint        report.Hint
	}{
		{"", "", "could not be restored: it broke.", 0},
		{"sha256:1", "", "could not be restored: it broke; bicep.lock.json pins it to sha256:1.", 0},
		{"sha256:1", "sha256:1", "could not be restored: it broke.", 0},
	} {
		a.Digest = c.own
		p = registry.NotRestored(&registry.Job{Reference: a, Digest: c.digest, Err: errors.New("it broke.")})
		assert.Equal(t, "BCP192", p.Code())
		assert.True(t, strings.HasSuffix(p.Message(), c.want), p.Message())
		assert.Equal(t, c.hint, hint(p.Args[1]))
	}
}
