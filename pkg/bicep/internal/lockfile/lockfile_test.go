package lockfile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
	"github.com/radbicep/rad/pkg/bicep/report"
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
	recipe := e
	recipe.Type = artifact.Recipe
	recipe.Layers = []lockfile.Layer{{MediaType: "text/anything", Digest: one, Size: 1}}
	f.Entries["docker.io/library/redis:latest"] = recipe
	require.Equal(t, one, recipe.Main().Digest)
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
	const (
		size  = "      \"size\": 812,\n"
		layer = `{"mediaType": "application/vnd.ms.bicep.module.layer.v1+json", "digest": "` + two + `", "size": 70211}`
		merge = ": a merge conflict is not resolved here"
		ref   = "br:ghcr.io/acme/web:v1"
		full  = " is not a full reference such as br:host/path:tag"
		bytes = `"size" must be a number of bytes`
		sum   = `"digest" must be sha256: and 64 hexadecimal digits`
		known = "; this version of rad knows "
	)
	for _, test := range []struct{ name, old, new, want string }{
		{"a merge conflict", size, "<<<<<<< HEAD\n" + size + "=======\n      \"size\": 813,\n>>>>>>> other\n", "7" + merge},
		{"a merge conflict with CRLF", size, "<<<<<<< HEAD\r\n      \"size\": 812,\r\n", "7" + merge},
		{"the middle of a merge conflict with CRLF", size, "=======\r\n", "7" + merge},
		{"the base of a merge conflict", size, "||||||| 3f2a\n" + size, "7" + merge},
		{"the end of a merge conflict", "  }\n}", "  }\n>>>>>>> other\n}", "18" + merge},
		{"a merge conflict in the first line", "{\n", "<<<<<<<\n{\n", "1" + merge},
		{"what looks like a merge conflict", size, "========\n", "7: this is not JSON: invalid character '=' looking for beginning of object key string"},
		{"a mark that does not begin its line", size, " =======\n", "7: this is not JSON: invalid character '=' looking for beginning of object key string"},
		{"another version", `"version": 1`, `"version": 2`, "2: the lock file has version 2, and this rad reads version 1 only"},
		{"a version that is not a number", `"version": 1`, `"version": "1"`, "2: the lock file has version 1, and this rad reads version 1 only"},
		{"no version", "  \"version\": 1,\n", "", `17: the lock file lacks "version"`},
		{"no artifacts", text, "{\n  \"version\": 1\n}\n", `3: the lock file lacks "artifacts"`},
		{"artifacts that are a list", text, "{\n  \"version\": 1,\n  \"artifacts\": []\n}\n", `3: "artifacts" must be an object`},
		{"an entry that is a text", text, "{\n  \"version\": 1,\n  \"artifacts\": {\n\"" + ref + "\": \"" + one + "\"}}", `4: "` + ref + `" must be an object`},
		{"an unknown key", `"artifacts": {`, "\"more\": {},\n  \"artifacts\": {", `3: unknown key "more"` + known + "version, artifacts"},
		{"an unknown key of an entry", `"size": 812`, `"sice": 812`, `7: unknown key "sice"` + known + "kind, digest, size, mediaType, layers"},
		{"an unknown key of a layer", `"size": 70211`, `"path": 1`, `13: unknown key "path"` + known + "mediaType, digest, size"},
		{"a key twice", `"size": 812`, `"kind": "module"`, `7: "kind" occurs twice`},
		{"an entry twice", "      ]\n    }", "      ]\n    },\n    \"" + ref + "\": {}", `17: "` + ref + `" occurs twice`},
		{"no kind", "      \"kind\": \"module\",\n", "", `15: "` + ref + `" lacks "kind"`},
		{"no digest", "      \"digest\": \"" + one + "\",\n", "", `15: "` + ref + `" lacks "digest"`},
		{"no size", size, "", `15: "` + ref + `" lacks "size"`},
		{"no media type", "      \"mediaType\": \"application/vnd.oci.image.manifest.v1+json\",\n", "", `15: "` + ref + `" lacks "mediaType"`},
		{"no layers", text[strings.Index(text, ",\n      \"layers\""):strings.Index(text, "\n    }\n")], "", `9: "` + ref + `" lacks "layers"`},
		{"layers that are an object", `"layers": [`, `"layers": {`, `9: "layers" must be an array`},
		{"a layer that is a text", "        {\n", "        \"x\", {\n", `10: a layer must be an object`},
		{"no layer", text[strings.Index(text, "        {\n"):strings.Index(text, "      ]")], "", `11: "` + ref + `" has no layer of the type application/vnd.ms.bicep.module.layer.v1+json`},
		{"a kind", `"module"`, `"image"`, `5: "kind" must be module or extension, not "image"`},
		{"a kind that is no text", `"module"`, `1`, `5: "kind" must be a string`},
		{"an extension without its layer", `"module"`, `"extension"`, `16: "` + ref + `" has no layer of the type application/vnd.ms.bicep.provider.layer.v1.tar+gzip`},
		{"a media type that is no text", `"application/vnd.oci.image.manifest.v1+json"`, `null`, `8: "mediaType" must be a string`},
		{"a media type of a layer that is no text", `"application/vnd.ms.bicep.module.layer.v1+json"`, `{}`, `11: "mediaType" must be a string`},
		{"a digest", one, one[:70], "6: " + sum},
		{"a digest that is no text", `"` + one + `"`, "true", `6: "digest" must be a string`},
		{"a digest in upper case", two, strings.ToUpper(two), "12: " + sum},
		{"a size", "812", "-1", "7: " + bytes},
		{"a size in text", "812", `"812"`, "7: " + bytes},
		{"a fraction", "812", "8.12", "7: " + bytes},
		{"a size that is too large", "70211", "9223372036854775808", "13: " + bytes},
		{"a recipe that is none", ref, ref[3:], `5: "kind" must be recipe, not "module", since the reference does not begin with br:`},
		{"a source in short", ref, "acme/web", `4: "acme/web"` + full},
		{"an alias", ref, "br/public:web:v1", `4: "br/public:web:v1"` + full},
		{"a template spec", ref, "ts:a/b/c:v1", `4: "ts:a/b/c:v1"` + full},
		{"a reference without a tag", ref, "br:ghcr.io/acme/web", `4: "br:ghcr.io/acme/web"` + full},
		{"a reference that has another form", "ghcr.io", "GHCR.io", `4: "br:GHCR.io/acme/web:v1"` + full},
		{"another digest than the reference's", "web:v1", "web@" + two, "6: the digest is not the one of the reference"},
		{"a layer twice", "        }\n      ]", "        },\n        " + layer + "\n      ]", "15: the layer occurs twice"},
		{"a layer that lacks a digest", "70211\n        }", "70211\n        }, {\"mediaType\": \"x\", \"size\": 1}", `14: the layer lacks "digest"`},
		{"a layer that lacks a size", ",\n          \"size\": 70211", "", `13: the layer lacks "size"`},
		{"a layer that lacks a type", "          \"mediaType\": \"application/vnd.ms.bicep.module.layer.v1+json\",\n", "", `13: the layer lacks "mediaType"`},
		{"no main layer", "module.layer", "other.layer", `16: "` + ref + `" has no layer of the type application/vnd.ms.bicep.module.layer.v1+json`},
		{"no JSON", `"size": 812,`, `"size": 812`, "8: this is not JSON: invalid character '\"' after object key:value pair"},
		{"no JSON in an empty place", text, "{\n\n  x", "3: this is not JSON: invalid character 'x'"},
		{"half a file", text[strings.Index(text, "application/vnd.oci"):], "", "8: the file ends too early"},
		{"half a file after empty lines", text, "{\n  \"version\":\r\n\r\n\n", "2: the file ends too early"},
		{"half a list", text[strings.Index(text, "      ]"):], "", "14: the file ends too early"},
		{"more than a file", "  }\n}\n", "  }\n}\n{}\n", "19: there is text after the end of the lock file"},
		{"no JSON after the file", "  }\n}\n", "  }\n}\nx", "19: there is text after the end of the lock file"},
		{"a list", text, "[]", "1: a lock file must be an object"},
		{"null", text, "null", "1: a lock file must be an object"},
		{"nothing", text, "", "1: the file ends too early"},
		{"empty lines", text, "\n\n", "1: the file ends too early"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(text, test.old, test.new, 1)
			require.NotEqual(t, text, changed)
			f, err := lockfile.Parse([]byte(changed))
			require.EqualError(t, err, test.want)
			require.Nil(t, f)
			var hinted *report.HintedError
			require.Equal(t, strings.HasSuffix(test.want, merge), errors.As(err, &hinted))
			require.True(t, hinted == nil || hinted.Hint == report.HintMerge)
		})
	}
}

// TestLargeFiles: a file of 16 MiB is read, and of a larger one nothing is.
func TestLargeFiles(t *testing.T) {
	t.Parallel()
	large := text + strings.Repeat(" ", 16<<20-len(text))
	f, err := lockfile.Parse([]byte(large))
	require.NoError(t, err)
	require.Len(t, f.Entries, 1)
	_, err = lockfile.Parse([]byte(large + " "))
	require.EqualError(t, err, "1: a lock file of more than 16 MiB is refused")
}

// TestAnyLayout: keys in another order, other blanks, other line ends and a byte order mark make no difference. Nor do
// texts that look like a mark of git inside a line.
func TestAnyLayout(t *testing.T) {
	t.Parallel()
	want, err := lockfile.Parse([]byte(text))
	require.NoError(t, err)
	for name, changed := range map[string]string{
		"CRLF":              strings.ReplaceAll(text, "\n", "\r\n"),
		"a byte order mark": "\xef\xbb\xbf" + text,
		"one line":          strings.ReplaceAll(text, "\n", ""),
		"another order": `{"artifacts": {"br:ghcr.io/acme/web:v1": {"layers": [{"size": 70211, "digest": "` + two + `", "mediaType": "application/vnd.ms.bicep.module.layer.v1+json"}],
			"mediaType": "application/vnd.oci.image.manifest.v1+json", "size": 812, "digest": "` + one + `", "kind": "module"}}, "version": 1}`,
	} {
		f, err := lockfile.Parse([]byte(changed))
		require.NoError(t, err, name)
		require.Equal(t, want, f, name)
	}
}

// TestBytes: entries are sorted, there is one fact a line, and a file without entries is one that is read.
func TestBytes(t *testing.T) {
	t.Parallel()
	empty := &lockfile.File{}
	require.Equal(t, "{\n  \"version\": 1,\n  \"artifacts\": {}\n}\n", string(empty.Bytes()))
	f, err := lockfile.Parse(empty.Bytes())
	require.NoError(t, err)
	require.Equal(t, &lockfile.File{Entries: map[string]lockfile.Entry{}}, f)

	f.Entries["br:b.io/x:v1"] = lockfile.Entry{
		Type: artifact.Extension, Digest: one, Size: 0, MediaType: `a"b`,
		Layers: []lockfile.Layer{{MediaType: artifact.ExtensionLayer, Digest: two, Size: 9223372036854775807}, {MediaType: "m", Digest: one, Size: 2}},
	}
	f.Entries["br:a.io/x:v1"] = lockfile.Entry{Digest: two, Size: 1, Layers: []lockfile.Layer{{MediaType: artifact.ModuleLayer, Digest: one, Size: 3}}}
	require.Equal(t, `{
  "version": 1,
  "artifacts": {
    "br:a.io/x:v1": {
      "kind": "module",
      "digest": "`+two+`",
      "size": 1,
      "mediaType": "",
      "layers": [
        {
          "mediaType": "application/vnd.ms.bicep.module.layer.v1+json",
          "digest": "`+one+`",
          "size": 3
        }
      ]
    },
    "br:b.io/x:v1": {
      "kind": "extension",
      "digest": "`+one+`",
      "size": 0,
      "mediaType": "a\"b",
      "layers": [
        {
          "mediaType": "application/vnd.ms.bicep.provider.layer.v1.tar+gzip",
          "digest": "`+two+`",
          "size": 9223372036854775807
        },
        {
          "mediaType": "m",
          "digest": "`+one+`",
          "size": 2
        }
      ]
    }
  }
}
`, string(f.Bytes()))
	again, err := lockfile.Parse(f.Bytes())
	require.NoError(t, err)
	require.Equal(t, f, again)
}

// TestMainLayer: the layer that is compiled is that of the entry's kind, in any case of its letters.
func TestMainLayer(t *testing.T) {
	t.Parallel()
	other := lockfile.Layer{MediaType: artifact.SourceLayer, Digest: one}
	module := lockfile.Layer{MediaType: strings.ToUpper(artifact.ModuleLayer), Digest: two}
	types := lockfile.Layer{MediaType: artifact.ExtensionLayer, Digest: one}
	require.Equal(t, module, lockfile.Entry{Type: artifact.Module, Layers: []lockfile.Layer{other, types, module}}.Main())
	require.Equal(t, types, lockfile.Entry{Type: artifact.Extension, Layers: []lockfile.Layer{other, module, types}}.Main())
	require.Zero(t, lockfile.Entry{Type: artifact.Module, Layers: []lockfile.Layer{other, types}}.Main())
	require.Zero(t, lockfile.Entry{}.Main())
}

// TestEntry: only an artifact of a registry is in the file, under its own reference.
func TestEntry(t *testing.T) {
	t.Parallel()
	f, err := lockfile.Parse([]byte(text))
	require.NoError(t, err)
	reference := func() *artifact.Reference {
		return &artifact.Reference{Scheme: artifact.OCI, Registry: "ghcr.io", Repository: "acme/web", Tag: "v1"}
	}
	e, ok := f.Entry(reference())
	require.True(t, ok)
	require.Equal(t, f.Entries["br:ghcr.io/acme/web:v1"], e)
	var none *lockfile.File
	_, ok = none.Entry(reference())
	require.False(t, ok, "no lock file")
	for name, change := range map[string]func(r *artifact.Reference){
		"a template spec":    func(r *artifact.Reference) { r.Scheme = artifact.TemplateSpec },
		"another tag":        func(r *artifact.Reference) { r.Tag = "v2" },
		"another repository": func(r *artifact.Reference) { r.Repository = "acme/w" },
		"a digest":           func(r *artifact.Reference) { r.Tag, r.Digest = "", one },
	} {
		r := reference()
		change(r)
		e, ok := f.Entry(r)
		require.False(t, ok, name)
		require.Zero(t, e, name)
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

	f, err = lockfile.Read(files, "/b/bicep.lock.json")
	require.EqualError(t, err, "/b/bicep.lock.json:1: the file ends too early")
	require.Nil(t, f)
	f, err = lockfile.Read(files, "/a")
	require.Error(t, err, "a folder")
	require.Nil(t, f)

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
		"/r/bicepconfig.json/a": "a folder", "/r/f/main.bicep": "",
	}
	for _, test := range []struct{ entry, root, want string }{
		{"/r/a/b/c/main.bicep", "/r", "/r/a/bicep.lock.json"},
		{"/r/a/b/c/main.bicep", "/r/a/b", "/r/a/b/bicep.lock.json"},
		{"/r/a/b/c/main.bicep", "", "/bicep.lock.json"},
		{"/r/x/main.bicep", "/r", "/r/x/bicep.lock.json"},
		{"/r/x/main.bicep", "/r/x", "/r/x/bicep.lock.json"},
		{"/r/f/main.bicep", "/r", "/r/f/bicep.lock.json"},
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
