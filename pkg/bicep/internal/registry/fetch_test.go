package registry_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// TestProgramsOfExtensions: of the programs of an extension, the cache gets the one for this
// machine, if the configuration says that there is one.
func TestProgramsOfExtensions(t *testing.T) {
	t.Parallel()
	machine := map[string]string{"linux": "linux", "darwin": "osx", "windows": "win"}[runtime.GOOS] + "-" + map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	others := slices.DeleteFunc(slices.Clone(registry.Architectures), func(a string) bool { return a == machine })
	if len(others) != len(registry.Architectures)-1 {
		t.Skip("extensions have no programs for " + machine)
	}
	for _, test := range []struct {
		name, config string
		layers       []string // the architectures that the manifest has programs for
		program      bool
		want         string // the error
	}{
		{"for all machines", `{"localDeployEnabled": true, "supportedArchitectures": ["` + strings.Join(registry.Architectures, `", "`) + `"]}`, registry.Architectures, true, ""},
		{"for this machine", `{"localDeployEnabled": true, "supportedArchitectures": ["` + machine + `"]}`, registry.Architectures, true, ""},
		{"for others", `{"localDeployEnabled": true, "supportedArchitectures": ["` + others[0] + `"]}`, registry.Architectures, false, "it has no program for " + machine},
		{"only claimed", `{"localDeployEnabled": true, "supportedArchitectures": ["` + machine + `"]}`, others, false, "it has no program for " + machine},
		{"not to be used", `{"localDeployEnabled": false, "supportedArchitectures": ["` + machine + `"]}`, registry.Architectures, false, ""},
		{"for none", `{"localDeployEnabled": true, "supportedArchitectures": []}`, registry.Architectures, false, ""},
		{"no configuration", `{}`, registry.Architectures, false, ""},
		{"another configuration", `{"localDeployEnabled": "yes"}`, nil, false, "its configuration is not JSON of the right form"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := registrytest.New(t)
			types := registrytest.Types(t, "size")
			layer := func(kind string, content []byte) string {
				return fmt.Sprintf(`{"mediaType": %q, "digest": %q, "size": %d}`, kind, r.Blob(content), len(content))
			}
			layers := []string{layer(registrytest.TypesLayer, types)}
			for _, a := range test.layers {
				layers = append(layers, layer(artifact.BinaryLayer(a), []byte("program for "+a)))
			}
			r.Manifest("ext/web", "v1", fmt.Appendf(nil, `{"schemaVersion": 2, "mediaType": %q, "artifactType": %q, "config": %s, "layers": [%s]}`,
				artifact.MediaTypeManifest, artifact.ExtensionArtifactType, layer(artifact.ExtensionConfig, []byte(test.config)), strings.Join(layers, ", ")))
			root := filepath.Join(t.TempDir(), "cache")
			ref := &artifact.Reference{Scheme: artifact.OCI, Type: artifact.Extension, Registry: r.Host, Repository: "ext/web", Tag: "v1"}
			_, err := newClient(t, registry.Options{}).Fetch(context.Background(), ref, "", root, false)
			if test.want != "" {
				require.ErrorContains(t, err, test.want)
				require.NoDirExists(t, root)
				return
			}
			require.NoError(t, err)
			programs := ""
			require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
				if text, _ := os.ReadFile(path); strings.HasPrefix(string(text), "program") {
					programs += string(text)
				}
				return err
			}))
			want := ""
			if test.program {
				want = "program for " + machine
			}
			require.Equal(t, want, programs)
		})
	}
}

// TestScopes: a token server that is told nothing by the registry is asked for the right to
// read where something is fetched, and for the right to write only where something is published.
func TestScopes(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		scope := q.URL.Query().Get("scope")
		asked = append(asked, scope)
		fmt.Fprintf(w, `{"token": %q}`, strings.ReplaceAll(scope, ":", "-"))
	}))
	defer tokens.Close()
	r := registrytest.New(t)
	r.Fault = func(w http.ResponseWriter, q *http.Request) bool {
		if strings.HasPrefix(q.Header.Get("Authorization"), "Bearer repository-mods/web-pull") {
			return false
		}
		return answer(401, map[string]string{"WWW-Authenticate": `Bearer realm="` + tokens.URL + `/token",service="s"`}, "")(w, q)
	}
	c := newClient(t, registry.Options{})
	_, err := c.Publish(context.Background(), module(r.Host, "v1"), registry.Content{Main: []byte(template)}, false)
	require.NoError(t, err)
	require.Contains(t, asked, "repository:mods/web:pull,push")
	require.NotContains(t, asked, "repository:mods/web:pull")

	asked = nil
	c = newClient(t, registry.Options{})
	_, err = c.Fetch(context.Background(), module(r.Host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
	require.NoError(t, err)
	require.Equal(t, []string{"repository:mods/web:pull"}, slices.Compact(asked))
}

// TestRecipes: the template of a recipe is the first layer of a manifest, whatever its type is. What is no template does not
// get into the cache.
func TestRecipes(t *testing.T) {
	withoutCredentials(t)
	const tarball = "application/vnd.oci.image.layer.v1.tar+gzip"
	for name, test := range map[string]struct {
		manifest, layers string // layers are names of blobs
		want             string
	}{
		"as rad publishes it": {artifact.MediaTypeManifest, "template", ""},
		"docker's manifest":   {artifact.DockerManifest, "template", ""},
		"more layers":         {artifact.MediaTypeManifest, "template other", ""},
		"no layers":           {artifact.MediaTypeManifest, "", "it has no layers"},
		"no JSON":             {artifact.MediaTypeManifest, "other template", `its first layer, of the type "` + tarball + `", is not the JSON of an ARM template`},
		"no template":         {artifact.MediaTypeManifest, "object", `is not the JSON of an ARM template`},
		"an index":            {"application/vnd.oci.image.index.v1+json", "template", `its manifest is of the type`},
	} {
		t.Run(name, func(t *testing.T) {
			r := registrytest.New(t)
			var layers []string
			for part := range strings.FieldsSeq(test.layers) {
				content := map[string]string{"template": template, "other": "\x1f\x8b", "object": `{"parameters": {}}`}[part]
				layers = append(layers, fmt.Sprintf(`{"mediaType": %q, "digest": %q, "size": %d}`, tarball, r.Blob([]byte(content)), len(content)))
			}
			digest := r.Manifest("a/redis", "V1", fmt.Appendf(nil, `{"schemaVersion": 2, "mediaType": %q, "config": {"mediaType": "x", "size": -1}, "layers": [%s]}`,
				test.manifest, strings.Join(layers, ", ")))
			root := filepath.Join(t.TempDir(), "cache")
			ref, err := artifact.ParseRecipe(r.Host+"/a/redis:V1", false)
			require.NoError(t, err)
			entry, err := newClient(t, registry.Options{}).Fetch(t.Context(), ref, "", root, false)
			if test.want != "" {
				require.ErrorContains(t, err, test.want)
				require.NoDirExists(t, ref.CacheDir(root))
				return
			}
			require.NoError(t, err)
			require.Equal(t, digest, entry.Digest)
			text, err := os.ReadFile(filepath.Join(ref.CacheDir(root), "main.json"))
			require.NoError(t, err)
			require.Equal(t, template, string(text))
		})
	}
}
