package bundle_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/bundle"
)

func sample() *bundle.Bundle {
	return &bundle.Bundle{
		About:      bundle.About{Version: bundle.Version, Tool: "v1", Bicep: "0.46.1.1", Name: "app.bicep", Inputs: []bundle.Input{{Path: "app.bicep", Digest: bundle.Digest([]byte("x"))}}},
		Template:   []byte(`{"resources": []}`),
		Parameters: []bundle.Parameter{{Name: "tag", Type: "string", Required: true}},
		Values:     []byte(`{"tag": {"value": "v1"}}`),
		Lock:       []byte(`{}`),
		Manifests:  []bundle.File{{Name: "app.yaml", Content: []byte("kind: X\n")}},
	}
}

func layout(t *testing.T) map[string][]byte {
	t.Helper()
	a, err := bundle.Pack(sample())
	require.NoError(t, err)
	files, err := bundle.Layout(a)
	require.NoError(t, err)
	return files
}

func open(files map[string][]byte) (*bundle.Bundle, error) {
	a, err := bundle.ReadLayout(func(name string) ([]byte, error) {
		if content, ok := files[name]; ok {
			return content, nil
		}
		return nil, fs.ErrNotExist
	})
	if err != nil {
		return nil, err
	}
	return bundle.Open(a)
}

func TestABundleIsWhatWasPacked(t *testing.T) {
	t.Parallel()
	files := layout(t)
	b, err := open(files)
	require.NoError(t, err)
	require.Equal(t, sample(), b)
	one, err := bundle.Tar(files)
	require.NoError(t, err)
	two, err := bundle.Tar(layout(t))
	require.NoError(t, err)
	require.Equal(t, one, two)
	a, err := bundle.ReadTar(one)
	require.NoError(t, err)
	b, err = bundle.Open(a)
	require.NoError(t, err)
	require.Equal(t, sample(), b)
}

// TestDamage: a byte that differs anywhere, a file that is missing and an archive that breaks
// off are refused.
func TestDamage(t *testing.T) {
	t.Parallel()
	for name := range layout(t) {
		files := layout(t)
		delete(files, name)
		_, err := open(files)
		var refused *bundle.InvalidError
		require.ErrorAs(t, err, &refused, name)
		if !bundle.IsBlob(name) {
			continue
		}
		files = layout(t)
		content := bytes.Clone(files[name])
		content[len(content)/2] ^= 1
		files[name] = content
		_, err = open(files)
		require.ErrorAs(t, err, &refused, name)
	}
	archive, err := bundle.Tar(layout(t))
	require.NoError(t, err)
	for n := 0; n < len(archive)-2048; n += 97 {
		if a, err := bundle.ReadTar(archive[:n]); err == nil {
			_, err = bundle.Open(a)
			require.Error(t, err, n)
		}
	}
}

// TestAnotherManifestIsRefused: the manifest is the one that the index names, even if
// another one would be a bundle too.
func TestAnotherManifestIsRefused(t *testing.T) {
	t.Parallel()
	files := layout(t)
	another := rewrite(t, files, func(m map[string]any, _ map[string][]byte) { m["annotations"] = map[string]any{"a": "b"} })
	_, err := open(another)
	require.NoError(t, err)
	files[manifestOf(t, files)] = another[manifestOf(t, another)]
	_, err = open(files)
	require.ErrorContains(t, err, "it is damaged: its manifest has the digest")
}

// TestIndex: of the manifests that an index names, the bundle's is taken.
func TestIndex(t *testing.T) {
	t.Parallel()
	files := layout(t)
	own := fmt.Sprintf(`{"mediaType": "application/vnd.oci.image.manifest.v1+json", "artifactType": %q, "digest": "sha256:%s", "size": %d}`, bundle.ArtifactType, strings.TrimPrefix(manifestOf(t, files), "blobs/sha256/"), len(files[manifestOf(t, files)]))
	wrong := func(from, to string) string {
		require.Contains(t, own, from)
		return strings.Replace(own, from, to, 1)
	}
	const other = `{"mediaType": "application/vnd.oci.image.manifest.v1+json", "digest": "sha256:1111111111111111111111111111111111111111111111111111111111111111", "size": 1}`
	for index, want := range map[string]string{
		own:                                    "",
		other + ", " + own:                     "",
		own + ", " + own:                       "it holds 2 bundles",
		other + ", " + other:                   "it holds 2 artifacts, and none is known to be a bundle",
		other:                                  "is missing",
		"":                                     "it holds no artifact",
		`{"digest": "md5:1"}`:                  "which is not a SHA-256",
		`1`:                                    "index.json is not JSON of the right form",
		wrong(`"size": `, `"size": 1`):         "it is damaged: its manifest has",
		wrong(`"size": `, `"size": -`):         "it is damaged: its manifest has",
		wrong(`"size": `, `"was": `):           "it is damaged: its manifest has",
		wrong("image.manifest", "image.index"): "its manifest is of the type",
		wrong(`"mediaType"`, `"type"`):         "its manifest is of the type",
		strings.ReplaceAll(own, bundle.ArtifactType, "application/vnd.other"): "it is an artifact of the type",
	} {
		files["index.json"] = []byte(`{"schemaVersion": 2, "manifests": [` + index + `]}`)
		b, err := open(files)
		if want == "" {
			require.NoError(t, err, index)
			require.Equal(t, sample(), b)
			continue
		}
		require.ErrorContains(t, err, want, index)
	}
	for _, head := range []string{`"schemaVersion": 1`, `"other": 2`, `"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json"`} {
		files["index.json"] = []byte(`{` + head + `, "manifests": [` + own + `]}`)
		_, err := open(files)
		require.ErrorContains(t, err, "index.json is not an OCI image index", head)
	}
}

// manifestOf returns the name of the manifest that the index names.
func manifestOf(t *testing.T, files map[string][]byte) string {
	t.Helper()
	var index struct{ Manifests []struct{ Digest string } }
	require.NoError(t, json.Unmarshal(files["index.json"], &index))
	return "blobs/sha256/" + strings.TrimPrefix(index.Manifests[0].Digest, "sha256:")
}

// rewrite changes the manifest of a layout, and what names it.
func rewrite(t *testing.T, files map[string][]byte, change func(m map[string]any, files map[string][]byte)) map[string][]byte {
	t.Helper()
	files = maps.Clone(files)
	name := manifestOf(t, files)
	var m map[string]any
	require.NoError(t, json.Unmarshal(files[name], &m))
	change(m, files)
	text, err := json.Marshal(m)
	require.NoError(t, err)
	digest := bundle.Digest(text)
	files["blobs/sha256/"+strings.TrimPrefix(digest, "sha256:")] = text
	files["index.json"] = fmt.Appendf(nil, `{"schemaVersion":2,"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"%s","size":%d}]}`, digest, len(text))
	return files
}

// blob adds content to a layout and returns its descriptor.
func blob(files map[string][]byte, mediaType string, content []byte) map[string]any {
	digest := bundle.Digest(content)
	files["blobs/sha256/"+strings.TrimPrefix(digest, "sha256:")] = content
	return map[string]any{"mediaType": mediaType, "digest": digest, "size": len(content)}
}

func TestWhatIsNoBundleIsRefused(t *testing.T) {
	t.Parallel()
	layers := func(m map[string]any) []any { return m["layers"].([]any) }
	for problem, change := range map[string]func(m map[string]any, files map[string][]byte){
		"another OCI artifact":    func(m map[string]any, _ map[string][]byte) { delete(m, "artifactType") },
		"an artifact of the type": func(m map[string]any, _ map[string][]byte) { m["artifactType"] = "application/vnd.other\x1b[31m" },
		"made by a newer rad": func(m map[string]any, files map[string][]byte) {
			m["config"] = blob(files, bundle.MediaTypeAbout, []byte(`{"version": 2, "name": "a.bicep", "future": {}}`))
		},
		"is not the name of a file": func(m map[string]any, files map[string][]byte) {
			m["config"] = blob(files, bundle.MediaTypeAbout, []byte(`{"version": 1, "name": "../../etc/a"}`))
		},
		"at most 64 MiB": func(m map[string]any, _ map[string][]byte) {
			layers(m)[0].(map[string]any)["size"] = 65 << 20
		},
		"bytes instead of": func(m map[string]any, _ map[string][]byte) { layers(m)[0].(map[string]any)["size"] = 1 },
		"which is not a SHA-256": func(m map[string]any, _ map[string][]byte) {
			layers(m)[0].(map[string]any)["digest"] = "sha256:../../../etc/passwd"
		},
		"layers; at most": func(m map[string]any, _ map[string][]byte) {
			for range 20 {
				m["layers"] = append(layers(m), layers(m)[0])
			}
		},
		"two layers of the type": func(m map[string]any, _ map[string][]byte) { m["layers"] = append(layers(m), layers(m)[1]) },
		"which no bundle has": func(m map[string]any, files map[string][]byte) {
			m["layers"] = append(layers(m), blob(files, "text/plain", []byte("x")))
		},
		"it has no template": func(m map[string]any, _ map[string][]byte) { m["layers"] = layers(m)[:1] },
		"is not a JSON object": func(m map[string]any, files map[string][]byte) {
			layers(m)[1] = blob(files, bundle.MediaTypeTemplate, []byte("[]"))
		},
		"not an OCI image manifest": func(m map[string]any, _ map[string][]byte) { m["schemaVersion"] = 1 },
		"manifest is not an OCI image": func(m map[string]any, _ map[string][]byte) {
			m["mediaType"] = "application/vnd.docker.distribution.manifest.v2+json"
		},
		"its configuration is of the type": func(m map[string]any, _ map[string][]byte) {
			m["config"].(map[string]any)["mediaType"] = "text/plain"
		},
		"is not that of a bundle": func(m map[string]any, files map[string][]byte) {
			m["config"] = blob(files, bundle.MediaTypeAbout, []byte(`{"version": 0, "name": "a.bicep"}`))
		},
		"list of parameters is not JSON": func(m map[string]any, files map[string][]byte) {
			m["layers"] = append(layers(m)[1:2], blob(files, bundle.MediaTypeParameters, []byte("{}")))
		},
		"-1 bytes": func(m map[string]any, _ map[string][]byte) { layers(m)[0].(map[string]any)["size"] = -1 },
		"more than 128 MiB": func(m map[string]any, _ map[string][]byte) {
			for _, l := range layers(m) {
				l.(map[string]any)["size"] = 60 << 20
			}
		},
		"not packed by gzip": func(m map[string]any, files map[string][]byte) {
			layers(m)[0] = blob(files, bundle.MediaTypeManifests, []byte("x"))
		},
	} {
		_, err := open(rewrite(t, layout(t), change))
		var refused *bundle.InvalidError
		require.ErrorAs(t, err, &refused, problem)
		require.ErrorContains(t, err, problem)
		require.NotContains(t, err.Error(), "\x1b")
	}
}

// TestManifestsThatAreRefused: the manifests of a bundle are written into a folder, so each
// is a regular file in no other one, and there are not too many.
func TestManifestsThatAreRefused(t *testing.T) {
	t.Parallel()
	file := func(name string) tar.Header { return tar.Header{Typeflag: tar.TypeReg, Name: name} }
	for _, test := range []struct {
		name    string
		headers []tar.Header
		want    string
	}{
		{"a file", []tar.Header{file("a.yaml")}, ""},
		{"a file of another folder", []tar.Header{file("../a.yaml")}, "../a.yaml"},
		{"a file of a folder", []tar.Header{file("a/b.yaml")}, "a/b.yaml"},
		{"a file of a folder of Windows", []tar.Header{file(`a\b.yaml`)}, "which is not a regular file"},
		{"a file of a drive", []tar.Header{file("c:b.yaml")}, "which is not a regular file"},
		{"the folder above", []tar.Header{file("..")}, "which is not a regular file"},
		{"the folder", []tar.Header{file(".")}, "which is not a regular file"},
		{"a name of two lines", []tar.Header{file("a\nb.yaml")}, "which is not a regular file"},
		{"a very long name", []tar.Header{file(strings.Repeat("a", 256))}, "which is not a regular file"},
		{"a link", []tar.Header{file("a.yaml"), {Typeflag: tar.TypeSymlink, Name: "b.yaml", Linkname: "/etc/passwd"}}, "b.yaml"},
		{"a folder of its own", []tar.Header{{Typeflag: tar.TypeDir, Name: "b"}}, "which is not a regular file"},
		{"a large file", []tar.Header{{Typeflag: tar.TypeReg, Name: "a.yaml", Size: 65 << 20}}, "unpacks to more than 64 MiB"},
		{"large files", []tar.Header{{Typeflag: tar.TypeReg, Name: "a.yaml", Size: 40 << 20}, {Typeflag: tar.TypeReg, Name: "b.yaml", Size: 40 << 20}}, "more than 64 MiB"},
		{"many files", slices.Repeat([]tar.Header{file("a.yaml")}, 1001), "more than 1000 manifests"},
	} {
		var packed bytes.Buffer
		z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
		require.NoError(t, err)
		w := tar.NewWriter(z)
		for _, h := range test.headers {
			require.NoError(t, w.WriteHeader(&h))
			_, err := w.Write(make([]byte, h.Size))
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		require.NoError(t, z.Close())
		_, err = open(rewrite(t, layout(t), func(m map[string]any, files map[string][]byte) {
			m["layers"].([]any)[0] = blob(files, bundle.MediaTypeManifests, packed.Bytes())
		}))
		if test.want == "" {
			require.NoError(t, err, test.name)
			continue
		}
		require.ErrorContains(t, err, test.want, test.name)
	}
}

// TestArchivesThatHoldAFileTwice: which of the two is meant is not for us to choose.
func TestArchivesThatHoldAFileTwice(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for range 2 {
		require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "index.json", Size: 2}))
		_, err := w.Write([]byte("{}"))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	_, err := bundle.ReadTar(b.Bytes())
	require.ErrorContains(t, err, `"index.json" is in it twice`)
}

func TestArchivesWithLinksAreRefused(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: "index.json", Linkname: "/etc/passwd"}))
	require.NoError(t, w.Close())
	_, err := bundle.ReadTar(b.Bytes())
	require.ErrorContains(t, err, "is not a regular file")
}

// TestSparseArchivesAreRefused: three kilobytes of a sparse file claim to be 2 GiB.
func TestSparseArchivesAreRefused(t *testing.T) {
	t.Parallel()
	const size = "2147483648"
	records := ""
	for _, r := range []string{"GNU.sparse.major=1", "GNU.sparse.minor=0", "GNU.sparse.name=index.json", "GNU.sparse.realsize=" + size} {
		records += fmt.Sprintf("%d %s\n", len(r)+4, r) // its own length has two digits
	}
	block := func(text string) string { return text + strings.Repeat("\x00", 512-len(text)) }
	header := func(kind byte, size int) string {
		h := []byte(block("x"))
		for at, text := range map[int]string{100: "0000644", 108: "0000000", 116: "0000000", 124: fmt.Sprintf("%011o", size), 136: "00000000000", 148: "        ", 257: "ustar\x0000"} {
			copy(h[at:], text)
		}
		h[156] = kind
		sum := 0
		for _, c := range h {
			sum += int(c)
		}
		copy(h[148:], fmt.Sprintf("%06o\x00 ", sum))
		return string(h)
	}
	archive := header('x', len(records)) + block(records) + header('0', 512) + block("1\n"+size+"\n0\n") + block("") + block("")
	h, err := tar.NewReader(strings.NewReader(archive[:])).Next()
	require.NoError(t, err)
	require.EqualValues(t, 2<<30, h.Size)
	_, err = bundle.ReadTar([]byte(archive))
	require.ErrorContains(t, err, "is not a regular file")
}

func FuzzReadTar(f *testing.F) {
	a, err := bundle.Pack(sample())
	require.NoError(f, err)
	files, err := bundle.Layout(a)
	require.NoError(f, err)
	archive, err := bundle.Tar(files)
	require.NoError(f, err)
	f.Add(archive)
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := bundle.ReadTar(data)
		if err == nil {
			_, _ = bundle.Open(a)
		}
	})
}

// A bundle is packed, and laid out as an archive.
func ExamplePack() {
	a, err := bundle.Pack(&bundle.Bundle{About: bundle.About{Name: "app.bicep"}, Template: []byte(`{"resources": []}`)})
	if err != nil {
		panic(err)
	}
	b, err := bundle.Open(a)
	if err != nil {
		panic(err)
	}
	fmt.Println(b.About.Name, string(b.Template))
	// Output: app.bicep {"resources": []}
}
