package registry_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// unpacked returns the files of an archive: name and content, in their order.
func unpacked(t *testing.T, data []byte) (list []string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		assert.EqualValues(t, 0o644, h.Mode, h.Name)
		assert.Equal(t, byte(tar.TypeReg), h.Typeflag, h.Name)
		list = append(list, h.Name+": "+string(text))
	}
}

// TestPublish: what is published is fetched again, and a tag that is taken stays as it is.
func TestPublish(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	client := newClient(t, registry.Options{})
	a := module(r.Host, "v1")
	digest, err := client.Publish(t.Context(), a, registry.Content{Main: []byte(template), Source: []byte("source")}, false)
	require.NoError(t, err)
	root := filepath.Join(t.TempDir(), "cache")
	entry, err := newClient(t, registry.Options{}).Fetch(t.Context(), a, "", root, false)
	require.NoError(t, err)
	assert.Equal(t, digest, entry.Digest)
	for name, want := range map[string]string{"main.json": template, "source.tgz": "source"} {
		text, err := os.ReadFile(filepath.Join(a.CacheDir(root), name))
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
	_, err = client.Publish(t.Context(), a, registry.Content{Main: []byte("x")}, false)
	require.ErrorIs(t, err, registry.ErrExists)
	changed, err := client.Publish(t.Context(), a, registry.Content{Main: []byte("x")}, true)
	require.NoError(t, err)
	assert.NotEqual(t, digest, changed)
	resolved, err := newClient(t, registry.Options{}).Resolve(t.Context(), a)
	require.NoError(t, err)
	assert.Equal(t, changed, resolved.Digest)
	for _, force := range []bool{false, true} {
		_, err = client.Publish(t.Context(), module(r.Host, ""), registry.Content{}, force)
		require.EqualError(t, err, "an artifact is published under a tag")
		err = client.Push(t.Context(), module(r.Host, ""), registry.Artifact{Manifest: []byte("{}")}, force)
		require.EqualError(t, err, "an artifact is published under a tag")
	}
	r.Close()
	_, err = client.Publish(t.Context(), a, registry.Content{}, false)
	require.ErrorContains(t, err, r.Host+" cannot be reached: ")
	_, err = client.Publish(t.Context(), a, registry.Content{}, true)
	require.ErrorContains(t, err, r.Host+" cannot be reached: ")
	_, err = client.Resolve(t.Context(), module(r.Host, "v7"))
	require.ErrorContains(t, err, r.Host+" cannot be reached: ")
}

// TestPushAndPull: an artifact of any kind arrives as it was sent, within the limits of who pulls it.
func TestPushAndPull(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	a := module(r.Host, "v1")
	layers := [][]byte{[]byte("0123456789"), []byte("abcde")}
	config := []byte("{}")
	blobs := map[string][]byte{registry.Digest(config): config}
	var list []string
	for _, l := range layers {
		blobs[registry.Digest(l)] = l
		list = append(list, fmt.Sprintf(`{"digest": %q, "size": %d}`, registry.Digest(l), len(l)))
	}
	manifest := func(layers ...string) []byte {
		return fmt.Appendf(nil, `{"config": {"digest": %q, "size": 2}, "layers": [%s]}`, registry.Digest(config), strings.Join(layers, ", "))
	}
	sent := registry.Artifact{Manifest: manifest(list...), Blobs: blobs}
	require.NoError(t, newClient(t, registry.Options{}).Push(t.Context(), a, sent, false))
	require.ErrorIs(t, newClient(t, registry.Options{}).Push(t.Context(), a, sent, false), registry.ErrExists)
	require.NoError(t, newClient(t, registry.Options{}).Push(t.Context(), a, sent, true))
	require.Error(t, newClient(t, registry.Options{}).Push(t.Context(), a, registry.Artifact{Manifest: []byte("s")}, true))

	pull := func(l registry.Limits, check func([]byte) error) (registry.Artifact, error) {
		return newClient(t, registry.Options{}).Pull(t.Context(), a, l, check)
	}
	all := func([]byte) error { return nil }
	for l, want := range map[registry.Limits]string{
		{Layers: 2, Blob: 10, All: 17}: "",
		{Layers: 1, Blob: 10, All: 17}: "the artifact that HOST sent has 2 layers; at most 1 are read",
		{Layers: 2, Blob: 9, All: 17}:  "the artifact that HOST sent is not usable: blob has 10 bytes, and more than 9 are refused",
		{Layers: 2, Blob: 10, All: 16}: "the artifact that HOST sent has more than 0 MiB",
	} {
		got, err := pull(l, func(got []byte) error {
			assert.Equal(t, string(sent.Manifest), string(got))
			return nil
		})
		if want != "" {
			require.EqualError(t, err, strings.ReplaceAll(want, "HOST", r.Host))
			assert.Equal(t, registry.Artifact{}, got)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, sent, got)
	}
	for all, want := range map[int64]string{4<<20 + 2: " has no such artifact", 4<<20 + 1: "the artifact that HOST sent has more than 4 MiB", 3 << 20: "the artifact that HOST sent has more than 3 MiB"} {
		claim := func(c string) string {
			return fmt.Sprintf(`{"digest": "sha256:%s", "size": %d}`, strings.Repeat(c, 64), 2<<20)
		}
		r.Manifest("mods/web", "v1", manifest(claim("1"), claim("2")))
		_, err := pull(registry.Limits{Layers: 2, Blob: 2 << 20, All: all}, func([]byte) error { return nil })
		require.ErrorContains(t, err, strings.ReplaceAll(want, "HOST", r.Host))
	}
	r.Manifest("mods/web", "v1", sent.Manifest)
	r.Requests()
	odd := errors.New("it is odd")
	_, err := pull(registry.Limits{Layers: 2, Blob: 10, All: 17}, func([]byte) error { return odd })
	require.ErrorIs(t, err, odd)
	require.Len(t, r.Requests(), 1, "the manifest is looked at before anything else is fetched")
	r.Manifest("mods/web", "v1", []byte("<html>"))
	_, err = pull(registry.Limits{Layers: 2, Blob: 10, All: 17}, all)
	require.EqualError(t, err, "the artifact that "+r.Host+" sent has a manifest that is not JSON of the right form")
	r.Manifest("mods/web", "v1", manifest(list[0], strings.Replace(list[1], "sha256", "sha512", 1)))
	_, err = pull(registry.Limits{Layers: 2, Blob: 10, All: 17}, all)
	require.ErrorContains(t, err, `the artifact that `+r.Host+` sent is not usable: blob has the digest "sha512:`)
	r.Manifest("mods/web", "v1", manifest(list...))
	r.SetBlob(registry.Digest(layers[1]), []byte("edcba"))
	_, err = pull(registry.Limits{Layers: 2, Blob: 10, All: 17}, all)
	require.EqualError(t, err, fmt.Sprintf("%s sent a layer that is not what the manifest names: its digest is %s instead of %s", r.Host, registry.Digest([]byte("edcba")), registry.Digest(layers[1])))
	r.SetBlob(registry.Digest(layers[1]), []byte("abcd"))
	_, err = pull(registry.Limits{Layers: 2, Blob: 10, All: 17}, all)
	require.EqualError(t, err, r.Host+" sent a layer that is not what the manifest names: it has 4 bytes instead of 5")
	r.Remove("mods/web", "v1")
	_, err = pull(registry.Limits{}, all)
	require.EqualError(t, err, r.Host+" has no such artifact (status 404), with no credentials: manifest unknown")
}

// TestBrokenDownloads: a connection that breaks in the middle is made again, a few times; and a manifest
// that is not what its digest says is no manifest.
func TestBrokenDownloads(t *testing.T) {
	t.Parallel()
	for breaks, ok := range map[int]bool{0: true, 1: true, 4: true, 5: false} {
		r := registrytest.New(t)
		r.Module("mods/web", "v1", template)
		var mu sync.Mutex
		n := 0
		r.Fault = on("/blobs/", func(w http.ResponseWriter, q *http.Request) bool {
			mu.Lock()
			defer mu.Unlock()
			if n++; n > breaks {
				return false
			}
			return answer(200, map[string]string{"Content-Length": "17"}, "{")(w, q)
		})
		err := fetch(t, r.Host)
		if ok {
			require.NoError(t, err, "%d", breaks)
			assert.Equal(t, breaks+1, n)
			continue
		}
		require.EqualError(t, err, r.Host+" broke off in the middle of its answer: unexpected EOF")
		assert.Equal(t, 5, n)
	}
	big := func(n int) error {
		r := registrytest.New(t)
		text := string(r.ModuleManifest(template))
		r.Manifest("mods/web", "v1", []byte(text+strings.Repeat(" ", n-len(text))))
		return fetch(t, r.Host)
	}
	require.NoError(t, big(4<<20))
	require.ErrorContains(t, big(4<<20+1), " sent has more than 4 MiB")
}

// TestDigestsInMessages: a message names the digest that came and the one that was wanted.
func TestDigestsInMessages(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	good := r.Module("mods/web", "v1", template)
	claimed := "sha256:\u202eodd"
	other := string(r.ModuleManifest(template + " "))
	r.Fault = on("/manifests/", func(w http.ResponseWriter, q *http.Request) bool {
		header := map[string]string{}
		if claimed != "" {
			header["Docker-Content-Digest"] = claimed
		}
		return answer(200, header, other)(w, q)
	})
	got := registrytest.Digest([]byte(other))
	require.EqualError(t, fetch(t, r.Host), r.Host+" sent a manifest with the digest "+got+", and says that it is sha256:?odd")
	claimed = ""
	require.NoError(t, fetch(t, r.Host), "a registry need not say it")
	claimed = good
	a := module(r.Host, "v1")
	a.Digest = good
	_, err := newClient(t, registry.Options{}).Fetch(t.Context(), a, "", t.TempDir(), false)
	require.EqualError(t, err, r.Host+" sent a manifest with the digest "+got+", and "+good+" was asked for")
	r.Fault = answer(200, nil, " ")
	require.EqualError(t, fetch(t, r.Host), "the artifact that "+r.Host+" sent is not usable: its manifest is empty")
}

// TestMirrors: the content of a registry comes from where the user says that it is.
func TestMirrors(t *testing.T) {
	t.Parallel()
	for mirror, want := range map[string]string{
		"HOST": "mods/web", "HOST/": "mods/web", "HOST/proxy": "proxy/mods/web", "HOST/a/b/": "a/b/mods/web",
	} {
		r := registrytest.New(t)
		r.Module(want, "v1", template)
		o := registry.Options{Mirrors: map[string]string{"R.example": strings.ReplaceAll(mirror, "HOST", r.Host), "other.example": "localhost:1"}}
		entry, err := newClient(t, o).Resolve(t.Context(), module("r.example", "v1"))
		require.NoError(t, err, mirror)
		assert.Equal(t, registrytest.Digest(r.ModuleManifest(template)), entry.Digest)
		_, err = newClient(t, o).Resolve(t.Context(), module(r.Host, "v7"))
		require.ErrorContains(t, err, r.Host+" has no such artifact", "other registries are asked themselves")
	}
}

// TestArchivesOfFiles: the same files are the same bytes, and what is too large is refused.
func TestArchivesOfFiles(t *testing.T) {
	t.Parallel()
	data, err := registry.PackFiles([]string{"b", "a"}, []string{"1", "2"})
	require.NoError(t, err)
	assert.Equal(t, []string{"b: 1", "a: 2"}, unpacked(t, data))
	again, err := registry.PackFiles([]string{"b", "a"}, []string{"1", "2"})
	require.NoError(t, err)
	assert.Equal(t, data, again)
	local, err := registry.WriteLocal(registry.Content{Main: []byte("types"), Binaries: map[string][]byte{"win-x64": []byte("w"), "linux-x64": []byte("l"), "osx-arm64": {}}})
	require.NoError(t, err)
	assert.Equal(t, []string{"types.tgz: types", "linux-x64.bin: l", "osx-arm64.bin: ", "win-x64.bin: w"}, unpacked(t, local))

	closed := 0
	open := func(size int64) registry.Opener {
		return func(path string) (io.ReadCloser, error) {
			if path != "x" {
				return nil, os.ErrNotExist
			}
			return &countedFile{io.LimitReader(zeros{}, size), &closed}, nil
		}
	}
	got, err := registry.ReadIndex(open(3), "x")
	require.NoError(t, err)
	assert.Len(t, got, 3)
	_, err = registry.ReadArchive(open(64<<20+1), "x")
	require.EqualError(t, err, "x has more than 64 MiB")
	assert.Equal(t, 2, closed, "files are closed")
	_, err = registry.ReadIndex(open(1), "y")
	require.ErrorIs(t, err, os.ErrNotExist)
	got, err = registry.ReadBinary(open(3), "x")
	require.NoError(t, err)
	assert.Equal(t, make([]byte, 3), got)
}

// zeros is an endless file of zeros.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

type countedFile struct {
	io.Reader
	closed *int
}

func (f *countedFile) Close() error {
	*f.closed++
	return nil
}

// TestPackTypes: an archive of types has its index and the files that this refers to, in its order.
func TestPackTypes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "deep"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "deep", "types.json"), []byte("[]"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "more.json"), []byte("[1]"), 0o600))
	index := filepath.Join(dir, "index.json")
	text := `{"resources": {"B/b@v1": {"$ref": "more.json#/0"}, "A/a@v1": {"$ref": "deep/types.json#/0"}}}`
	data, err := registry.PackTypes(index, []byte(text))
	require.NoError(t, err)
	assert.Equal(t, []string{"index.json: " + text, "more.json: [1]", "deep/types.json: []"}, unpacked(t, data))
	require.NoError(t, registry.CheckContent(artifact.Extension, registry.Content{Main: data}))
	_, err = registry.PackTypes(index, []byte("[]"))
	require.EqualError(t, err, index+": index.json is not an index of types: it is of the wrong type")
	_, err = registry.PackTypes(index, []byte(`{"resources": {"A/a@v1": {"$ref": "absent.json#/0"}}}`))
	require.ErrorContains(t, err, index+" refers to a file that cannot be read: ")
	require.ErrorContains(t, err, "absent.json")
	large := filepath.Join(dir, "large.json")
	require.NoError(t, os.WriteFile(large, nil, 0o600))
	require.NoError(t, os.Truncate(large, 128<<20+1))
	_, err = registry.PackTypes(index, []byte(`{"resources": {"A/a@v1": {"$ref": "large.json#/0"}}}`))
	require.EqualError(t, err, index+" refers to a file that cannot be read: large.json has more than 128 MiB")
}

// TestCheckContent: what could not be fetched again is not published.
func TestCheckContent(t *testing.T) {
	t.Parallel()
	require.NoError(t, registry.CheckContent(artifact.Module, registry.Content{Main: make([]byte, 64<<20)}))
	require.EqualError(t, registry.CheckContent(artifact.Module, registry.Content{Main: make([]byte, 64<<20+1)}), "the template has more than 64 MiB")
	require.EqualError(t, registry.CheckContent(artifact.Extension, registry.Content{Main: make([]byte, 64<<20)}), "the archive is not compressed by gzip")
	require.EqualError(t, registry.CheckContent(artifact.Extension, registry.Content{Main: make([]byte, 64<<20+1)}), "the archive of types has more than 64 MiB")
}
