package registry_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// TestOneConnection: requests one after another use one connection again and again, whatever the answers are.
func TestOneConnection(t *testing.T) {
	t.Parallel()
	const begin = `{"errors": [{"message": "words"}], "token": "t", "tags": []}`
	words, errorWords := begin+strings.Repeat(" ", 20_000), begin+strings.Repeat(" ", 70_000)
	for name, c := range map[string]struct {
		fault func(w http.ResponseWriter, q *http.Request) bool
		fails bool
		run   func(c *registry.Client, a *artifact.Reference) error
	}{
		"a manifest": {nil, false, func(c *registry.Client, a *artifact.Reference) error {
			_, err := c.Resolve(t.Context(), a)
			return err
		}},
		"no manifest": {answer(404, nil, errorWords), true, func(c *registry.Client, a *artifact.Reference) error {
			_, err := c.Resolve(t.Context(), a)
			return err
		}},
		"tags": {answer(200, nil, words), false, func(c *registry.Client, a *artifact.Reference) error {
			_, err := c.Tags(t.Context(), a)
			return err
		}},
		"no tags": {answer(200, nil, "tags"+words), true, func(c *registry.Client, a *artifact.Reference) error {
			_, err := c.Tags(t.Context(), a)
			return err
		}},
		"a busy registry": {answer(503, nil, begin), true, func(c *registry.Client, a *artifact.Reference) error {
			_, err := c.Tags(t.Context(), a)
			return err
		}},
		"uploads": {func(w http.ResponseWriter, q *http.Request) bool {
			switch q.Method {
			case http.MethodPost:
				return answer(202, map[string]string{"Location": "/upload"}, words)(w, q)
			case http.MethodPut:
				return answer(201, nil, words)(w, q)
			}
			return false
		}, false, func(c *registry.Client, a *artifact.Reference) error {
			_, err := c.Publish(t.Context(), a, registry.Content{Main: []byte(a.Tag)}, false)
			return err
		}},
		"tokens": {func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path == "/token" {
				return answer(200, nil, words)(w, q)
			}
			if q.Header.Get("Authorization") == "" {
				return answer(401, map[string]string{"WWW-Authenticate": `Bearer realm="http://` + q.Host + `/token"`}, words)(w, q)
			}
			return false
		}, false, func(c *registry.Client, a *artifact.Reference) error {
			_, err := c.Resolve(t.Context(), a)
			return err
		}},
		"no tokens": {func(w http.ResponseWriter, q *http.Request) bool {
			if q.URL.Path == "/token" {
				return answer(400, nil, errorWords)(w, q)
			}
			return answer(401, map[string]string{"WWW-Authenticate": `Bearer realm="http://` + q.Host + `/token"`}, words)(w, q)
		}, true, func(c *registry.Client, a *artifact.Reference) error {
			_, err := c.Resolve(t.Context(), a)
			return err
		}},
	} {
		r := registrytest.New(t)
		connections := map[string]bool{}
		r.Fault = func(w http.ResponseWriter, q *http.Request) bool {
			connections[q.RemoteAddr] = true
			return c.fault != nil && c.fault(w, q)
		}
		client := newClient(t, registry.Options{})
		for i := range 8 {
			a := module(r.Host, fmt.Sprintf("v%d", i))
			a.Repository = fmt.Sprintf("mods/m%d", i)
			if name != "uploads" {
				r.Module(a.Repository, a.Tag, template)
			}
			err := c.run(client, a)
			require.Equal(t, c.fails, err != nil, "%s: %v", name, err)
		}
		want := 1
		if strings.HasSuffix(name, "tokens") {
			want = 2 // the first request is not over when the token is asked for
		}
		assert.Len(t, connections, want, name)
	}
}

// TestBlobsWithoutLength: a registry need not say how long a blob is before it sends it.
func TestBlobsWithoutLength(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	r.Module("mods/web", "v1", template)
	r.Fault = on("/blobs/", func(w http.ResponseWriter, _ *http.Request) bool {
		fmt.Fprint(w, template[:5])
		w.(http.Flusher).Flush()
		fmt.Fprint(w, template[5:])
		return true
	})
	require.NoError(t, fetch(t, r.Host))
}

// TestStrangersFirst: what reads asks as a stranger first, and what writes does not.
func TestStrangersFirst(t *testing.T) {
	r := registrytest.New(t)
	r.User, r.Password = "me", "s3cret"
	r.Module("mods/web", "v1", template)
	dockerLogin(t, r.Host)
	asked := func(run func(c *registry.Client, a *artifact.Reference) error) []bool {
		r.Requests()
		require.NoError(t, run(newClient(t, registry.Options{}), module(r.Host, "v1")))
		var list []bool
		for _, q := range r.Requests() {
			list = append(list, q.Authorization != "")
		}
		return list
	}
	// A stranger; someone who may have a credential, and is asked for it; and then with it.
	assert.Equal(t, []bool{false, false, true}, asked(func(c *registry.Client, a *artifact.Reference) error {
		_, err := c.Tags(t.Context(), a)
		return err
	}))
	assert.Equal(t, []bool{false, false, true}, asked(func(c *registry.Client, a *artifact.Reference) error {
		_, err := c.Resolve(t.Context(), a)
		return err
	}))
	assert.Equal(t, []bool{false, true, true, true}, asked(func(c *registry.Client, a *artifact.Reference) error {
		_, err := c.Publish(t.Context(), a, registry.Content{Main: []byte(template)}, true)
		return err
	}))
}

// TestModes: of the files of an artifact only a program can be run.
func TestModes(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	r := registrytest.New(t)
	binaries := map[string][]byte{}
	for _, arch := range registry.Architectures {
		binaries[arch] = []byte(arch)
	}
	a := module(r.Host, "v1")
	a.Type = artifact.Extension
	_, err := newClient(t, registry.Options{}).Publish(t.Context(), a, registry.Content{Main: registrytest.Types(t, "size"), Binaries: binaries}, false)
	require.NoError(t, err)
	root := filepath.Join(t.TempDir(), "cache")
	_, err = newClient(t, registry.Options{}).Fetch(t.Context(), a, "", root, false)
	require.NoError(t, err)
	for name, runs := range map[string]bool{"types.tgz": false, "manifest": false, "metadata": false, "extension.bin": true} {
		info, err := os.Stat(filepath.Join(a.CacheDir(root), name))
		require.NoError(t, err)
		assert.Equal(t, runs, info.Mode()&0o100 != 0, name)
	}
	var m struct{ Layers []struct{ MediaType string } }
	text, err := os.ReadFile(filepath.Join(a.CacheDir(root), "manifest"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &m))
	require.Len(t, m.Layers, 1+len(registry.Architectures))
	for i, arch := range registry.Architectures {
		assert.Equal(t, artifact.BinaryLayer(arch), m.Layers[i+1].MediaType)
	}
}
