package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
)

func sha(c byte) string { return "sha256:" + strings.Repeat(string(c), 64) }

// blobOf is a blob as a manifest names it.
func blobOf(mediaType, digest string, size int64) descriptor {
	return descriptor{MediaType: mediaType, Digest: digest, Size: size}
}

// TestManifests: what a manifest must be, with the limits of what it claims at both sides.
func TestManifests(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	module := func(change func(*document)) document {
		d := document{SchemaVersion: 2, MediaType: artifact.MediaTypeManifest, ArtifactType: artifact.ModuleArtifactType,
			Config: blobOf(artifact.ModuleConfig, sha('c'), 2), Layers: []descriptor{blobOf(artifact.ModuleLayer, sha('a'), 17)}}
		change(&d)
		return d
	}
	extension := func(change func(*document)) document {
		return module(func(d *document) {
			d.ArtifactType, d.Config.MediaType, d.Layers[0].MediaType = artifact.ExtensionArtifactType, artifact.ExtensionConfig, artifact.ExtensionLayer
			change(d)
		})
	}
	source := blobOf(artifact.SourceLayer, sha('b'), 5)
	layers := func(n int) func(*document) {
		return func(d *document) {
			for len(d.Layers) < n {
				d.Layers = append(d.Layers, blobOf("text/plain", "", 0))
			}
		}
	}
	const notModule = "it is not an artifact of Bicep: its configuration is of the type "
	for name, c := range map[string]struct {
		kind  artifact.Type
		doc   document
		want  []string // the digests of the entry's layers
		fails string
	}{
		"a module":      {artifact.Module, module(func(*document) {}), []string{sha('a')}, ""},
		"an old module": {artifact.Module, module(func(d *document) { d.ArtifactType, d.MediaType = "", "" }), []string{sha('a')}, ""},
		"types in upper case": {artifact.Module, module(func(d *document) {
			d.MediaType = strings.ToUpper(d.MediaType)
			d.Config.MediaType = strings.ToUpper(d.Config.MediaType)
			d.Layers[0].MediaType = strings.ToUpper(d.Layers[0].MediaType)
		}), []string{sha('a')}, ""},
		"a source":                    {artifact.Module, module(func(d *document) { d.Layers = append(d.Layers, source) }), []string{sha('a'), sha('b')}, ""},
		"a source first":              {artifact.Module, module(func(d *document) { d.Layers = append([]descriptor{source}, d.Layers...) }), []string{sha('a'), sha('b')}, ""},
		"the largest source":          {artifact.Module, module(func(d *document) { s := source; s.Size = 64 * mib; d.Layers = append(d.Layers, s) }), []string{sha('a'), sha('b')}, ""},
		"too large a source":          {artifact.Module, module(func(d *document) { s := source; s.Size = 64*mib + 1; d.Layers = append(d.Layers, s) }), []string{sha('a')}, ""},
		"a source of another digest":  {artifact.Module, module(func(d *document) { s := source; s.Digest = "md5:1"; d.Layers = append(d.Layers, s) }), []string{sha('a')}, ""},
		"two sources":                 {artifact.Module, module(func(d *document) { d.Layers = append(d.Layers, source, source) }), nil, "it has two layers of source files"},
		"a source of an extension":    {artifact.Extension, extension(func(d *document) { d.Layers = append(d.Layers, source, source) }), []string{sha('a')}, ""},
		"32 layers":                   {artifact.Module, module(layers(32)), []string{sha('a')}, ""},
		"33 layers":                   {artifact.Module, module(layers(33)), nil, "it has 33 layers, and more than 32 are refused"},
		"the largest module":          {artifact.Module, module(func(d *document) { d.Layers[0].Size = 64 * mib }), []string{sha('a')}, ""},
		"too large a module":          {artifact.Module, module(func(d *document) { d.Layers[0].Size = 64*mib + 1 }), nil, "its content has 67108865 bytes, and more than 67108864 are refused"},
		"the largest extension":       {artifact.Extension, extension(func(d *document) { d.Layers[0].Size = 64 * mib }), []string{sha('a')}, ""},
		"too large an extension":      {artifact.Extension, extension(func(d *document) { d.Layers[0].Size = 64*mib + 1 }), nil, "its content has 67108865 bytes, and more than 67108864 are refused"},
		"nothing in it":               {artifact.Module, module(func(d *document) { d.Layers[0].Size = 0 }), []string{sha('a')}, ""},
		"less than nothing":           {artifact.Module, module(func(d *document) { d.Layers[0].Size = -1 }), nil, "its content has a negative size"},
		"no digest":                   {artifact.Module, module(func(d *document) { d.Layers[0].Digest = "sha256:\x1b" }), nil, `its content has the digest "sha256:?", which is not a SHA-256`},
		"the largest configuration":   {artifact.Module, module(func(d *document) { d.Config.Size = 64 << 10 }), []string{sha('a')}, ""},
		"too large a configuration":   {artifact.Module, module(func(d *document) { d.Config.Size = 64<<10 + 1 }), nil, "its configuration has 65537 bytes, and more than 65536 are refused"},
		"a configuration of nothing":  {artifact.Module, module(func(d *document) { d.Config.Size, d.Config.Digest = 0, "" }), []string{sha('a')}, ""},
		"a configuration of one byte": {artifact.Module, module(func(d *document) { d.Config.Size, d.Config.Digest = 1, "x" }), nil, `its configuration has the digest "x", which is not a SHA-256`},
		"version 3":                   {artifact.Module, module(func(d *document) { d.SchemaVersion = 3 }), nil, "its manifest is not of version 2"},
		"another type":                {artifact.Module, module(func(d *document) { d.MediaType = "text/\nhtml" }), nil, `its manifest is of the type "text/ html"`},
		"another configuration":       {artifact.Module, module(func(d *document) { d.Config.MediaType = "text/html" }), nil, notModule + `"text/html"`},
		"a newer module":              {artifact.Module, module(func(d *document) { d.Config.MediaType = "application/vnd.ms.bicep.module.config.v2+json" }), nil, "it is a module in a newer form (application/vnd.ms.bicep.module.config.v2+json), which this program cannot read yet: publish it with Bicep 0.49 or earlier"},
		"an odd extension":            {artifact.Extension, extension(func(d *document) { d.Config.MediaType = "text/html" }), nil, `its configuration is of the type "text/html"`},
		"another artifact":            {artifact.Module, module(func(d *document) { d.ArtifactType = "text/html" }), nil, `it is not an artifact of Bicep but of the type "text/html"`},
		"an extension as a module":    {artifact.Module, extension(func(*document) {}), nil, "it is of the kind extension, and a reference to the kind module leads to it"},
		"a module as an extension":    {artifact.Extension, module(func(*document) {}), nil, "it is of the kind module, and a reference to the kind extension leads to it"},
		"no layer":                    {artifact.Module, module(func(d *document) { d.Layers = nil }), nil, "it has 0 layers of the type " + artifact.ModuleLayer + " instead of one"},
		"two layers":                  {artifact.Module, module(func(d *document) { d.Layers = append(d.Layers, d.Layers[0]) }), nil, "it has 2 layers of the type " + artifact.ModuleLayer + " instead of one"},
		"no layer of an extension":    {artifact.Extension, extension(func(d *document) { d.Layers = nil }), nil, "it has 0 layers of the type " + artifact.ExtensionLayer + " instead of one"},
	} {
		data, err := json.Marshal(c.doc)
		require.NoError(t, err)
		m, err := parseManifest(data, c.kind)
		if c.fails != "" {
			require.EqualError(t, err, c.fails, name)
			continue
		}
		require.NoError(t, err, name)
		assert.Equal(t, lockfile.Entry{Type: c.kind, Digest: cache.Digest(data), Size: int64(len(data)), MediaType: artifact.MediaTypeManifest, Layers: m.entry.Layers}, m.entry, name)
		var got []string
		for _, l := range m.entry.Layers {
			got = append(got, l.Digest)
		}
		assert.Equal(t, c.want, got, name)
	}
	for text, want := range map[string]string{
		"":                                      "its manifest is empty",
		" \n":                                   "its manifest is empty",
		"<html>":                                "its manifest is not JSON of the right form: no JSON at byte 1",
		`{"config": "s3cret"}`:                  "its manifest is not JSON of the right form: config is of the wrong type",
		`{"schemaVersion": 2, "manifests": []}`: "it is an index of several artifacts, not one",
	} {
		_, err := parseManifest([]byte(text), artifact.Module)
		require.EqualError(t, err, want, text)
	}
}

// TestBlobs: content is what its descriptor says, in memory and in a file.
func TestBlobs(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	files := func() int {
		list, err := filepath.Glob(filepath.Join(temp, "rad-layer-*"))
		require.NoError(t, err)
		return len(list)
	}
	for size, onDisk := range map[int]bool{0: false, 1: false, 4 << 20: false, 4<<20 + 1: true} {
		data := bytes.Repeat([]byte("x"), size)
		d := descriptor{Digest: cache.Digest(data), Size: int64(size)}
		var b blob
		require.NoError(t, b.fill(bytes.NewReader(data), d))
		assert.Equal(t, onDisk, b.path != "")
		if onDisk {
			assert.Equal(t, 1, files())
			// The next attempt begins with another file.
			require.NoError(t, b.fill(bytes.NewReader(data), d))
			assert.Equal(t, 1, files())
		}
		got, err := b.bytes()
		require.NoError(t, err)
		assert.True(t, bytes.Equal(data, got), "%d bytes", size)
		in, err := b.open()
		require.NoError(t, err)
		got, err = io.ReadAll(in)
		require.NoError(t, err)
		require.NoError(t, in.Close())
		assert.True(t, bytes.Equal(data, got), "%d bytes", size)
		b.remove()
		assert.Zero(t, files(), "nothing is left behind")
	}
	d := descriptor{Digest: cache.Digest([]byte("abc")), Size: 3}
	for text, want := range map[string]string{
		"abc":  "",
		"ab":   "it has 2 bytes instead of 3",
		"":     "it has 0 bytes instead of 3",
		"abcd": "it has more than 3 bytes",
		"abd":  "its digest is " + cache.Digest([]byte("abd")) + " instead of " + cache.Digest([]byte("abc")),
	} {
		err := new(blob).fill(strings.NewReader(text), d)
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, want)
		var bad *contentError
		require.ErrorAs(t, err, &bad)
	}
	require.ErrorIs(t, new(blob).fill(io.MultiReader(strings.NewReader("a"), brokenReader{}), d), io.ErrUnexpectedEOF)
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// TestOldLayers: files that killed processes left behind are removed, and those of a download that runs are not.
func TestOldLayers(t *testing.T) {
	if os.Getenv("REGISTRY_TEST_LAYERS") == "" {
		// It is done once in a process.
		temp := t.TempDir()
		runAlone(t, "REGISTRY_TEST_LAYERS=1", "TMPDIR="+temp, "TMP="+temp)
		return
	}
	write := func(name string, age time.Duration) string {
		path := filepath.Join(os.TempDir(), name)
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		require.NoError(t, os.Chtimes(path, time.Now().Add(-age), time.Now().Add(-age)))
		return path
	}
	old, fresh, other := write("rad-layer-1", 361*time.Minute), write("rad-layer-2", 359*time.Minute), write("rad-layers", 24*time.Hour)
	folder := filepath.Join(os.TempDir(), "rad-layer-3")
	require.NoError(t, os.Mkdir(folder, 0o700))
	require.NoError(t, os.Chtimes(folder, time.Now().Add(-24*time.Hour), time.Now().Add(-24*time.Hour)))
	data := make([]byte, inMemory+1)
	b := &blob{}
	require.NoError(t, b.fill(bytes.NewReader(data), descriptor{Digest: cache.Digest(data), Size: int64(len(data))}))
	defer b.remove()
	assert.NoFileExists(t, old)
	assert.FileExists(t, fresh)
	assert.FileExists(t, other)
	assert.DirExists(t, folder)
	assert.FileExists(t, b.path)
}

// TestReadLimited: a file of the limit is read, and one of a byte more is not.
func TestReadLimited(t *testing.T) {
	t.Parallel()
	for size, want := range map[int]string{1<<20 - 1: "", 1 << 20: "", 1<<20 + 1: "the file has more than 1 MiB", 3 << 20: "the file has more than 1 MiB"} {
		data, err := readLimited(func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(make([]byte, size))), nil }, "the file", 1<<20)
		if want == "" {
			require.NoError(t, err)
			assert.Len(t, data, size)
		} else {
			require.EqualError(t, err, want)
		}
	}
}

// TestArchitectures: a machine has the name that extensions have for it.
func TestArchitectures(t *testing.T) {
	t.Parallel()
	assert.Contains(t, append([]string{}, Architectures...), architecture(), "the machines that tests run on are among them")
}

// TestAssemble: an artifact has the manifest that the official tools give it.
func TestAssemble(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 5, 6, 7, 8, 9, 123456789, time.FixedZone("east", 3600))
	main, source, empty := cache.Digest([]byte("main")), cache.Digest([]byte("source")), cache.Digest([]byte("{}"))
	const created = `"org.opencontainers.image.created":"2024-05-06T06:08:09.1234567Z"`
	const head = `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.ms.bicep.`
	moduleHead := head + `module.artifact","config":{"mediaType":"application/vnd.ms.bicep.module.config.v1+json","digest":"` + empty + `","size":2},"layers":[` +
		`{"mediaType":"application/vnd.ms.bicep.module.layer.v1+json","digest":"` + main + `","size":4,"annotations":{"org.opencontainers.image.title":"Compiled ARM template"}}`
	types := `"layers":[{"mediaType":"application/vnd.ms.bicep.provider.layer.v1.tar+gzip","digest":"` + main + `","size":4,"annotations":{"org.opencontainers.image.title":"types.tgz"}}`
	config := `{"localDeployEnabled":true,"supportedArchitectures":["linux-x64","win-arm64"]}`
	binary := func(arch, text string) string {
		return fmt.Sprintf(`,{"mediaType":%q,"digest":%q,"size":%d,"annotations":{"org.opencontainers.image.title":"extension.bin"}}`, artifact.BinaryLayer(arch), cache.Digest([]byte(text)), len(text))
	}
	for name, c := range map[string]struct {
		kind    artifact.Type
		content Content
		want    string
		blobs   []string
	}{
		"a module": {artifact.Module, Content{Main: []byte("main"), Created: at}, moduleHead + `],"annotations":{` + created + `}}`, []string{"{}", "main"}},
		"a module with all": {artifact.Module, Content{Main: []byte("main"), Source: []byte("source"), Description: "words", Documentation: "https://d.example", Created: at},
			moduleHead + `,{"mediaType":"application/vnd.ms.bicep.module.source.v1.tar+gzip","digest":"` + source + `","size":6,"annotations":{"org.opencontainers.image.title":"Source files"}}` +
				`],"annotations":{` + created + `,"org.opencontainers.image.description":"words","org.opencontainers.image.documentation":"https://d.example"}}`, []string{"{}", "main", "source"}},
		"an extension": {artifact.Extension, Content{Main: []byte("main"), Created: at},
			head + `provider.artifact","config":{"mediaType":"application/vnd.ms.bicep.provider.config.v1+json","digest":"` + empty + `","size":2},` + types +
				`],"annotations":{"bicep.serialization.format":"v1",` + created + `}}`, []string{"{}", "main"}},
		"an extension with programs": {artifact.Extension, Content{Main: []byte("main"), Binaries: map[string][]byte{"win-arm64": []byte("w"), "linux-x64": []byte("li")}, Created: at},
			head + `provider.artifact","config":{"mediaType":"application/vnd.ms.bicep.provider.config.v1+json","digest":"` + cache.Digest([]byte(config)) + `","size":78},` + types +
				binary("linux-x64", "li") + binary("win-arm64", "w") + `],"annotations":{"bicep.serialization.format":"v1",` + created + `}}`, []string{config, "main", "li", "w"}},
	} {
		got, blobs, err := assemble(c.kind, c.content)
		require.NoError(t, err)
		assert.Equal(t, c.want, string(got), name)
		var texts []string
		for _, b := range blobs {
			texts = append(texts, string(b.data))
			assert.Equal(t, cache.Digest(b.data), b.desc.Digest, name)
		}
		assert.Equal(t, c.blobs, texts, name)
		_, err = parseManifest(got, c.kind)
		require.NoError(t, err, "%s can be fetched", name)
	}
}

// endless is a reader of anything.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestUnpackedSizes: how far an archive may unpack, by its own size and in all.
func TestUnpackedSizes(t *testing.T) {
	t.Parallel()
	read := func(packed, unpacked int64) error {
		r := &ratioReader{r: endless{}, packed: &countingReader{n: packed}}
		_, err := io.Copy(io.Discard, io.LimitReader(r, unpacked))
		return err
	}
	const far, much = "the archive unpacks to far more than its size", "the archive unpacks to more than 1024 MiB"
	for _, c := range []struct {
		packed, unpacked int64
		want             string
	}{
		{1, 8 << 20, ""}, // the ratio does not matter yet
		{1, 8<<20 + 1, far},
		{41943, 8<<20 + 1, ""}, // a 200th of it
		{41942, 8<<20 + 1, far},
		{100 << 20, 1 << 30, ""},
		{100 << 20, 1<<30 + 1, much},
	} {
		err := read(c.packed, c.unpacked)
		if c.want == "" {
			assert.NoError(t, err, "%+v", c)
		} else {
			assert.EqualError(t, err, c.want, "%+v", c)
		}
	}
}
