package bundle_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
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
	type manifest = map[string]any
	layers := func(m manifest) []any { return m["layers"].([]any) }
	about := func(text string) func(m manifest, files map[string][]byte) {
		return func(m manifest, files map[string][]byte) {
			m["config"] = blob(files, bundle.MediaTypeAbout, []byte(text))
		}
	}
	layer := func(mediaType, text string) func(m manifest, files map[string][]byte) {
		return func(m manifest, files map[string][]byte) {
			for i, l := range layers(m) {
				if l.(map[string]any)["mediaType"] == mediaType {
					layers(m)[i] = blob(files, mediaType, []byte(text))
				}
			}
		}
	}
	set := func(key string, value any) func(m manifest, files map[string][]byte) {
		return func(m manifest, _ map[string][]byte) { m[key] = value }
	}
	size := func(sizes ...int64) func(m manifest, files map[string][]byte) {
		return func(m manifest, _ map[string][]byte) {
			for i, size := range sizes {
				layers(m)[i].(map[string]any)["size"] = size
			}
		}
	}
	long := strings.Repeat("t", 100)
	for _, test := range []struct {
		name   string
		change func(m manifest, files map[string][]byte)
		want   string // digests are left out
	}{
		{"another artifact", func(m manifest, _ map[string][]byte) { delete(m, "artifactType") }, `it is not a bundle of rad, but another OCI artifact, with the configuration "application/vnd.radbicep.bundle.config+json"`},
		{"another type", set("artifactType", "application/vnd.other"), `it is not a bundle of rad, but an artifact of the type "application/vnd.other"`},
		{"a type with an escape", set("artifactType", "other\x1b[31m"), `it is not a bundle of rad, but an artifact of the type "other\\x1b[31m"`},
		{"a type of 100 bytes", set("artifactType", long), `it is not a bundle of rad, but an artifact of the type "` + long + `"`},
		{"a type of 101 bytes", set("artifactType", long+"t"), `it is not a bundle of rad, but an artifact of the type "` + long + `…"`},
		{"a type that is cut in a character", set("artifactType", long[1:]+"é"), `it is not a bundle of rad, but an artifact of the type "` + long[1:] + `…"`},
		{"a layer of 64 MiB and a byte", size(64<<20 + 1), `a part of it has 67108865 bytes; at most 64 MiB are read`},
		{"a layer of 64 MiB", func(m manifest, _ map[string][]byte) { layers(m)[1].(map[string]any)["size"] = 64 << 20 }, `it is damaged: the part DIGEST has 17 bytes instead of 67108864`},
		{"a layer of less than nothing", size(-1), `a part of it has -1 bytes; at most 64 MiB are read`},
		{"layers of more than 128 MiB", size(60<<20, 60<<20, 60<<20), `it has more than 128 MiB`},
		{"layers of 128 MiB and a byte", func(m manifest, files map[string][]byte) {
			size(64<<20, 64<<20, 1, 0, 0)(m, files)
			m["config"].(map[string]any)["size"] = 0
		}, `it has more than 128 MiB`},
		{"layers of 128 MiB", func(m manifest, files map[string][]byte) {
			size(64<<20, 64<<20, 0, 0, 0)(m, files)
			m["config"].(map[string]any)["size"] = 0
		}, `it is damaged: the part DIGEST has 178 bytes instead of 0`},
		{"another size", func(m manifest, _ map[string][]byte) { layers(m)[1].(map[string]any)["size"] = 1 }, `it is damaged: the part DIGEST has 17 bytes instead of 1`},
		{"a path as a digest", func(m manifest, _ map[string][]byte) {
			layers(m)[0].(map[string]any)["digest"] = "sha256:../../../etc/passwd"
		}, `a part of it has the digest "sha256:../../../etc/passwd", which is not a SHA-256`},
		{"16 layers", func(m manifest, _ map[string][]byte) { m["layers"] = slices.Repeat(layers(m)[1:2], 16) }, `it has two layers of the type "application/vnd.radbicep.bundle.template+json"`},
		{"17 layers", func(m manifest, _ map[string][]byte) { m["layers"] = slices.Repeat(layers(m)[1:2], 17) }, `it has 17 layers; at most 16 are read`},
		{"an unknown layer", func(m manifest, files map[string][]byte) {
			m["layers"] = append(layers(m), blob(files, "text/plain", []byte("x")))
		}, `it has a layer of the type "text/plain", which no bundle has`},
		{"no template", func(m manifest, _ map[string][]byte) { m["layers"] = layers(m)[:1] }, `it has no template`},
		{"a template that is a list", layer(bundle.MediaTypeTemplate, "[]"), `its template is not a JSON object`},
		{"a template that is no JSON", layer(bundle.MediaTypeTemplate, "{"), `its template is not a JSON object`},
		{"values that are a list", layer(bundle.MediaTypeValues, "[]"), `its list of values is not a JSON object`},
		{"a template after a blank", layer(bundle.MediaTypeTemplate, " {}"), ``},
		{"parameters that are an object", layer(bundle.MediaTypeParameters, "{}"), `its list of parameters is not JSON of the right form`},
		{"manifests that are not packed", layer(bundle.MediaTypeManifests, "x"), `its layer of manifests is not packed by gzip`},
		{"another version of manifests", set("schemaVersion", 1), `its manifest is not an OCI image manifest`},
		{"a manifest of Docker", set("mediaType", "application/vnd.docker.distribution.manifest.v2+json"), `its manifest is not an OCI image manifest`},
		{"a manifest that does not name its type", func(m manifest, _ map[string][]byte) { delete(m, "mediaType") }, ``},
		{"a manifest of another form", set("layers", "x"), `its manifest is not JSON of the right form`},
		{"a manifest of more than 4 MiB", set("annotations", map[string]string{"a": strings.Repeat("x", 4<<20)}), `its manifest has more than 4 MiB`},
		{"another configuration", func(m manifest, _ map[string][]byte) {
			m["config"].(map[string]any)["mediaType"] = "text/plain"
		}, `its configuration is of the type "text/plain"`},
		{"a newer version", about(`{"version": 2, "name": "a.bicep", "inputs": "of the future"}`), `it was made by a newer rad: its format has the version 2, and this rad reads 1; update rad`},
		{"no version", about(`{"name": "a.bicep"}`), `its configuration is not that of a bundle`},
		{"a configuration that is a list", about(`[]`), `its configuration is not that of a bundle`},
		{"a configuration of another form", about(`{"version": 1, "name": "a.bicep", "inputs": {}}`), `its configuration is not that of a bundle`},
		{"no name", about(`{"version": 1}`), `its name, "", is not the name of a file`},
		{"a name that is a path", about(`{"version": 1, "name": "../../etc/a"}`), `its name, "../../etc/a", is not the name of a file`},
	} {
		_, err := open(rewrite(t, layout(t), test.change))
		if test.want == "" {
			require.NoError(t, err, test.name)
			continue
		}
		var refused *bundle.InvalidError
		require.ErrorAs(t, err, &refused, test.name)
		require.Equal(t, test.want, withoutDigests(err), test.name)
	}
}

// withoutDigests returns the text of an error in which each digest is written DIGEST.
func withoutDigests(err error) string {
	return regexp.MustCompile("sha256:[0-9a-f]{64}").ReplaceAllString(err.Error(), "DIGEST")
}

// TestManifestsThatAreRefused: the manifests of a bundle are written into a folder, so each
// is a regular file in no other one, and there are not too many.
func TestManifestsThatAreRefused(t *testing.T) {
	t.Parallel()
	sized := func(name string, size int64) tar.Header {
		return tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size}
	}
	file := func(name string) tar.Header { return sized(name, 0) }
	files := func(n int) (list []tar.Header) {
		for i := range n {
			list = append(list, file(fmt.Sprintf("%d.yaml", i)))
		}
		return list
	}
	const large = "its manifests unpack to more than 64 MiB"
	no := func(shown string) string {
		return `its layer of manifests holds "` + shown + `", which is not a regular file`
	}
	a := strings.Repeat("a", 256)
	for _, test := range []struct {
		name    string
		headers []tar.Header
		want    string
	}{
		{"no file", nil, ""},
		{"two files", []tar.Header{file("a.yaml"), file("..b")}, ""},
		{"a file twice", []tar.Header{file("a.yaml"), file("b.yaml"), file("a.yaml")}, `its layer of manifests holds "a.yaml" twice`},
		{"a file of another folder", []tar.Header{file("../a.yaml")}, no("../a.yaml")},
		{"a file of a folder", []tar.Header{file("a/b.yaml")}, no("a/b.yaml")},
		{"a file of a folder of Windows", []tar.Header{file(`a\b.yaml`)}, no(`a\\b.yaml`)},
		{"a file of a drive", []tar.Header{file("c:b.yaml")}, no("c:b.yaml")},
		{"the folder above", []tar.Header{file("..")}, no("..")},
		{"the folder", []tar.Header{file(".")}, no(".")},
		{"a name of two lines", []tar.Header{file("a\nb.yaml")}, no(`a\\nb.yaml`)},
		{"a name of 255 bytes", []tar.Header{file(a[1:])}, ""},
		{"a name of 256 bytes", []tar.Header{file(a)}, no(a[:100] + "…")},
		{"a link", []tar.Header{file("a.yaml"), {Typeflag: tar.TypeSymlink, Name: "b.yaml", Linkname: "/etc/passwd"}}, no("b.yaml")},
		{"a folder of its own", []tar.Header{{Typeflag: tar.TypeDir, Name: "b"}}, no("b")},
		{"a file that takes all there is", []tar.Header{sized("a.yaml", 64<<20-512-1024)}, ""},
		{"a large file", []tar.Header{sized("a.yaml", 65<<20)}, large},
		{"large files", []tar.Header{sized("a.yaml", 40<<20), sized("b.yaml", 40<<20)}, large},
		{"a large file that is one too many", append(files(1), sized("z.yaml", 64<<20-512), file("y.yaml")), large},
		{"1000 files", files(1000), ""},
		{"1001 files", files(1001), "it has more than 1000 manifests"},
	} {
		var archive bytes.Buffer
		w := tar.NewWriter(&archive)
		for _, h := range test.headers {
			require.NoError(t, w.WriteHeader(&h))
			_, err := w.Write(make([]byte, h.Size))
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		b, err := open(withManifests(t, archive.Bytes()))
		if test.want != "" {
			require.EqualError(t, err, test.want, test.name)
			continue
		}
		require.NoError(t, err, test.name)
		require.Len(t, b.Manifests, len(test.headers), test.name)
		for i, h := range test.headers {
			require.Equal(t, h.Name, b.Manifests[i].Name, test.name)
			require.Len(t, b.Manifests[i].Content, int(h.Size), test.name)
		}
	}
	whole := archiveOf(t, sized("app.yaml", 2000))
	_, err := open(withManifests(t, whole[:1000]))
	require.EqualError(t, err, `its layer of manifests breaks off in "app.yaml"`)
	_, err = open(withManifests(t, whole[:100]))
	require.EqualError(t, err, `its layer of manifests is not a tar archive`)
}

// withManifests is the layout of a bundle whose layer of manifests is an archive.
func withManifests(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	require.NoError(t, err)
	_, err = z.Write(archive)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return rewrite(t, layout(t), func(m map[string]any, files map[string][]byte) {
		m["layers"].([]any)[0] = blob(files, bundle.MediaTypeManifests, packed.Bytes())
	})
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
