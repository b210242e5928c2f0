package lockfile_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
	"github.com/radbicep/rad/pkg/bicep/source"
)

const (
	one = "sha256:1111111111111111111111111111111111111111111111111111111111111111"
	two = "sha256:2222222222222222222222222222222222222222222222222222222222222222"
)

const text = `{
  "version": 1,
  "artifacts": {
    "br:ghcr.io/acme/web:v1": {
      "kind": "module",
      "digest": "` + one + `",
      "size": 812,
      "mediaType": "application/vnd.oci.image.manifest.v1+json",
      "layers": [
        {
          "mediaType": "application/vnd.ms.bicep.module.layer.v1+json",
          "digest": "` + two + `",
          "size": 70211
        }
      ]
    }
  }
}
`

func TestParseWhatIsPrinted(t *testing.T) {
	t.Parallel()
	f, err := lockfile.Parse([]byte(text))
	require.NoError(t, err)
	require.Equal(t, text, string(f.Bytes()))
	e, ok := f.Entry(&artifact.Reference{Scheme: artifact.OCI, Registry: "ghcr.io", Repository: "acme/web", Tag: "v1"})
	require.True(t, ok)
	require.Equal(t, one, e.Digest)
	require.Equal(t, two, e.Main().Digest)

	f.Entries["br:ghcr.io/a@"+one] = e
	f.Entries["br:ghcr.io/zz:v"] = e
	extension := e
	extension.Type = artifact.Extension
	extension.Layers = append([]lockfile.Layer{{MediaType: artifact.ExtensionLayer, Digest: one, Size: 1}}, e.Layers...)
	f.Entries["br:ghcr.io/ext:v"] = extension
	again, err := lockfile.Parse(f.Bytes())
	require.NoError(t, err)
	require.Equal(t, f.Bytes(), again.Bytes())
	require.Equal(t, f.Entries, again.Entries)
	require.Less(t, strings.Index(string(f.Bytes()), "ghcr.io/a@"), strings.Index(string(f.Bytes()), "ghcr.io/acme"))
}

// TestEqual: an entry is another one as soon as one of its parts is: restore then says what
// changed and asks before it writes the file.
func TestEqual(t *testing.T) {
	t.Parallel()
	entry := func() lockfile.Entry {
		f, err := lockfile.Parse([]byte(text))
		require.NoError(t, err)
		return f.Entries["br:ghcr.io/acme/web:v1"]
	}
	require.True(t, entry().Equal(entry()))
	for name, change := range map[string]func(e *lockfile.Entry){
		"kind":              func(e *lockfile.Entry) { e.Type = artifact.Extension },
		"digest":            func(e *lockfile.Entry) { e.Digest = two },
		"size":              func(e *lockfile.Entry) { e.Size++ },
		"media type":        func(e *lockfile.Entry) { e.MediaType = "other" },
		"no layer":          func(e *lockfile.Entry) { e.Layers = nil },
		"another layer":     func(e *lockfile.Entry) { e.Layers = append(e.Layers, e.Layers[0]) },
		"digest of a layer": func(e *lockfile.Entry) { e.Layers[0].Digest = one },
		"size of a layer":   func(e *lockfile.Entry) { e.Layers[0].Size++ },
		"type of a layer":   func(e *lockfile.Entry) { e.Layers[0].MediaType = "other" },
	} {
		changed := entry()
		change(&changed)
		require.False(t, entry().Equal(changed), name)
		require.False(t, changed.Equal(entry()), name)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, old, new, want string }{
		{"a merge conflict", "      \"size\": 812,\n", "<<<<<<< HEAD\n      \"size\": 812,\n=======\n      \"size\": 813,\n>>>>>>> other\n", "7: a merge conflict"},
		{"a merge conflict with CRLF", "      \"size\": 812,\n", "<<<<<<< HEAD\r\n      \"size\": 812,\r\n", "7: a merge conflict"},
		{"the middle of a merge conflict with CRLF", "      \"size\": 812,\n", "=======\r\n", "7: a merge conflict"},
		{"the end of a merge conflict", "  }\n}", "  }\n>>>>>>> other\n}", "18: a merge conflict"},
		{"another version", `"version": 1`, `"version": 2`, "2: the lock file has version 2"},
		{"a version that is not a number", `"version": 1`, `"version": "1"`, "2: the lock file has version 1"},
		{"no version", "  \"version\": 1,\n", "", `the lock file lacks "version"`},
		{"an unknown key", `"artifacts": {`, "\"more\": {},\n  \"artifacts\": {", `3: unknown key "more"`},
		{"an unknown key of an entry", `"size": 812`, `"sice": 812`, `7: unknown key "sice"`},
		{"an unknown key of a layer", `"size": 70211`, `"path": 1`, `13: unknown key "path"`},
		{"a key twice", `"size": 812`, `"kind": "module"`, `7: "kind" occurs twice`},
		{"a missing key", "      \"size\": 812,\n", "", `lacks "size"`},
		{"a kind", `"module"`, `"image"`, `5: "kind" must be`},
		{"a digest", one, one[:70], `6: "digest" must be`},
		{"a digest in upper case", two, strings.ToUpper(two), `12: "digest" must be`},
		{"a size", "812", "-1", `7: "size" must be`},
		{"a fraction", "812", "8.12", `7: "size" must be`},
		{"a reference", "br:ghcr.io/acme/web:v1", "ghcr.io/acme/web:v1", "4: \"ghcr.io/acme/web:v1\" is not a full reference"},
		{"an alias", "br:ghcr.io/acme/web:v1", "br/public:web:v1", "4: \"br/public:web:v1\" is not a full reference"},
		{"a reference that has another form", "ghcr.io", "GHCR.io", "4: \"br:GHCR.io/acme/web:v1\" is not a full reference"},
		{"another digest than the reference's", "web:v1", "web@" + two, "6: the digest is not the one of the reference"},
		{"a layer twice", "        }\n      ]", "        },\n        {\"mediaType\": \"application/vnd.ms.bicep.module.layer.v1+json\", \"digest\": \"" + two + "\", \"size\": 70211}\n      ]", "15: the layer occurs twice"},
		{"a layer that lacks a key", "70211\n        }", "70211\n        }, {\"mediaType\": \"x\", \"size\": 1}", "lacks \"digest\""},
		{"no main layer", "module.layer", "other.layer", "has no layer of the type"},
		{"no JSON", `"size": 812,`, `"size": 812`, "8: this is not JSON"},
		{"half a file", text[len(text)/2:], "", "the file ends too early"},
		{"more than a file", "  }\n}\n", "  }\n}\n{}\n", "there is text after the end"},
		{"a list", text, "[]", "1: a lock file must be an object"},
		{"nothing", text, "", "1: the file ends too early"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(text, test.old, test.new, 1)
			require.NotEqual(t, text, changed)
			_, err := lockfile.Parse([]byte(changed))
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), "\n")
		})
	}
}

// TestRead: a folder without a lock file has an empty one; a file that cannot be used says
// which it is.
func TestRead(t *testing.T) {
	t.Parallel()
	files := source.Memory{"/a/bicep.lock.json": "\xef\xbb\xbf" + text, "/b/bicep.lock.json": "{\n"}
	f, err := lockfile.Read(files, "/a/bicep.lock.json")
	require.NoError(t, err)
	require.True(t, f.Exists)
	require.Equal(t, "/a/bicep.lock.json", f.Path)
	require.Len(t, f.Entries, 1)
	spec := &artifact.Reference{Scheme: artifact.TemplateSpec, Registry: "ghcr.io", Repository: "acme/web", Tag: "v1"}
	_, ok := f.Entry(spec)
	require.False(t, ok, "a template spec has no entry")

	_, err = lockfile.Read(files, "/b/bicep.lock.json")
	require.ErrorContains(t, err, "/b/bicep.lock.json:1: the file ends too early")
	_, err = lockfile.Read(files, "/a")
	require.Error(t, err, "a folder")

	f, err = lockfile.Read(files, "/c/bicep.lock.json")
	require.NoError(t, err)
	require.False(t, f.Exists)
	require.Equal(t, "/c/bicep.lock.json", f.Path)
	require.Empty(t, f.Entries)
}

func TestPlace(t *testing.T) {
	t.Parallel()
	files := source.Memory{
		"/bicepconfig.json": "{}", "/r/a/bicepconfig.json": "{}", "/r/a/b/bicepconfig.json": "{}", "/r/a/b/c/main.bicep": "", "/r/x/main.bicep": "",
	}
	for _, test := range []struct{ entry, root, want string }{
		{"/r/a/b/c/main.bicep", "/r", "/r/a/bicep.lock.json"},
		{"/r/a/b/c/main.bicep", "/r/a/b", "/r/a/b/bicep.lock.json"},
		{"/r/a/b/c/main.bicep", "", "/bicep.lock.json"},
		{"/r/x/main.bicep", "/r", "/r/x/bicep.lock.json"},
	} {
		require.Equal(t, test.want, lockfile.Place(files, test.entry, test.root))
	}
}

// TestManyLayers: an artifact with very many layers is read in linear time. With quadratic
// time this takes minutes.
func TestManyLayers(t *testing.T) {
	t.Parallel()
	const n = 60_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"mediaType": "application/vnd.ms.bicep.module.layer.v1+json", "digest": "sha256:%064x", "size": 1},`, i)
	}
	layers := strings.TrimSuffix(b.String(), ",")
	start, rest, _ := strings.Cut(text, `"layers": [`)
	_, end, _ := strings.Cut(rest, "]")
	lock := []byte(start + `"layers": [` + layers + "]" + end)
	done := make(chan error, 1)
	go func() {
		_, err := lockfile.Parse(lock)
		done <- err
	}()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(15 * time.Second):
		t.Fatal("a lock file of 60,000 layers is not read within 15 seconds")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(text))
	f.Add([]byte("<<<<<<<"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := lockfile.Parse(data)
		if err != nil {
			return
		}
		again, err := lockfile.Parse(l.Bytes())
		require.NoError(t, err)
		require.Equal(t, l.Bytes(), again.Bytes())
	})
}
