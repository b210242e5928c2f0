package bundle_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/bundle"
)

// descriptorOf is what a manifest says of a part.
func descriptorOf(mediaType, title string, content []byte) string {
	return fmt.Sprintf(`{"mediaType": %q, "digest": %q, "size": %d, "annotations": {"org.opencontainers.image.title": %q}}`, mediaType, bundle.Digest(content), len(content), title)
}

// TestPack: the parts of a bundle have the types, titles and annotations that registries and other tools read.
// What is not known is not written.
func TestPack(t *testing.T) {
	t.Parallel()
	whole := sample()
	whole.About.Version = 0 // that of the format is written
	whole.Origin = bundle.Origin{Source: "https://github.com/acme/shop", Revision: "4f2c", Created: "2026-11-26T10:00:00Z"}
	about := []byte(`{"version":1,"tool":"v1","bicep":"0.46.1.1","name":"app.bicep","inputs":[{"path":"app.bicep","digest":"` + bundle.Digest([]byte("x")) + `"}]}`)
	a, err := bundle.Pack(whole)
	require.NoError(t, err)
	require.Len(t, a.Blobs, 6)
	const config, title = "application/vnd.radbicep.bundle.config+json", `"org.opencontainers.image.title": "app.bicep"`
	manifests := bytes.Join(slices.Collect(func(yield func([]byte) bool) { // packed: the part that begins as gzip does
		for _, content := range a.Blobs {
			if bytes.HasPrefix(content, []byte("\x1f\x8b")) && !yield(content) {
				return
			}
		}
	}), nil)
	document := func(config, layers, annotations string) string {
		return `{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "artifactType": "application/vnd.radbicep.bundle", "config": ` + config + `, "layers": [` + layers + `], "annotations": {` + annotations + `}}`
	}
	require.JSONEq(t, document(descriptorOf(config, "about.json", about),
		strings.Join([]string{
			descriptorOf("application/vnd.cncf.flux.content.v1.tar+gzip", "manifests.tar.gz", manifests),
			descriptorOf("application/vnd.radbicep.bundle.template+json", "template.json", whole.Template),
			descriptorOf("application/vnd.radbicep.bundle.parameters+json", "parameters.json", []byte(`[{"name":"tag","type":"string","required":true}]`)),
			descriptorOf("application/vnd.radbicep.bundle.values+json", "values.json", whole.Values),
			descriptorOf("application/vnd.radbicep.bundle.lock+json", "bicep.lock.json", whole.Lock),
		}, ", "),
		title+`, "org.opencontainers.image.source": "https://github.com/acme/shop", "org.opencontainers.image.revision": "4f2c", "org.opencontainers.image.created": "2026-11-26T10:00:00Z"`),
		string(a.Manifest))
	b, err := bundle.Open(a)
	require.NoError(t, err)
	whole.About.Version = bundle.Version
	require.Equal(t, whole, b)

	bare := &bundle.Bundle{About: bundle.About{Name: "app.bicep"}, Template: []byte("{}")}
	a, err = bundle.Pack(bare)
	require.NoError(t, err)
	require.JSONEq(t, document(descriptorOf(config, "about.json", []byte(`{"version":1,"tool":"","bicep":"","name":"app.bicep","inputs":[]}`)),
		descriptorOf("application/vnd.radbicep.bundle.template+json", "template.json", bare.Template)+", "+descriptorOf("application/vnd.radbicep.bundle.parameters+json", "parameters.json", []byte("[]")),
		title), string(a.Manifest))
	require.Zero(t, bare.About.Version, "the bundle that is packed is left as it is")
}

// TestPackRefuses: what could not be read again is not made.
func TestPackRefuses(t *testing.T) {
	t.Parallel()
	const unread = "no bundle that can be read is made of this: "
	text := func(size int) []byte { return append(bytes.Repeat([]byte(" "), size-2), "{}"...) }
	for _, test := range []struct {
		name   string
		change func(b *bundle.Bundle)
		want   string
	}{
		{"a template of 64 MiB", func(b *bundle.Bundle) { b.Template = text(64 << 20) }, ""},
		{"a larger template", func(b *bundle.Bundle) { b.Template = text(64<<20 + 1) }, "template.json has more than 64 MiB, which a bundle cannot hold"},
		{"a larger lock file", func(b *bundle.Bundle) { b.Lock = text(64<<20 + 1) }, "bicep.lock.json has more than 64 MiB, which a bundle cannot hold"},
		{"no template", func(b *bundle.Bundle) { b.Template = nil }, unread + "it has no template"},
		{"no name", func(b *bundle.Bundle) { b.About.Name = "" }, unread + `its name, "", is not the name of a file`},
		{"more than is unpacked", func(b *bundle.Bundle) { b.Manifests[0].Content = text(64 << 20) }, unread + "its manifests unpack to more than 64 MiB"},
		{"manifests of one name", func(b *bundle.Bundle) { b.Manifests = append(b.Manifests, b.Manifests[0]) }, unread + `its layer of manifests holds "app.yaml" twice`},
	} {
		b := sample()
		test.change(b)
		_, err := bundle.Pack(b)
		if test.want == "" {
			require.NoError(t, err, test.name)
			continue
		}
		require.EqualError(t, err, test.want, test.name)
	}
}

// TestLayout: the files of a layout are those that the OCI's specification names, and other tools see the name of the
// bundle without its extension.
func TestLayout(t *testing.T) {
	t.Parallel()
	a, err := bundle.Pack(sample())
	require.NoError(t, err)
	files, err := bundle.Layout(a)
	require.NoError(t, err)
	digest := bundle.Digest(a.Manifest)
	want := map[string][]byte{
		"oci-layout": []byte(`{"imageLayoutVersion":"1.0.0"}`),
		"index.json": fmt.Appendf(nil, `{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","artifactType":"application/vnd.radbicep.bundle","digest":%q,"size":%d,"annotations":{"org.opencontainers.image.ref.name":"app"}}]}`, digest, len(a.Manifest)),
		"blobs/sha256/" + strings.TrimPrefix(digest, "sha256:"): a.Manifest,
	}
	for digest, content := range a.Blobs {
		want["blobs/sha256/"+strings.TrimPrefix(digest, "sha256:")] = content
	}
	require.Equal(t, want, files)
	for name := range files {
		require.Equal(t, strings.HasPrefix(name, "blobs/"), bundle.IsBlob(name), name)
	}
	require.False(t, bundle.IsBlob("blobs/sha256/x"))
	require.False(t, bundle.IsBlob(strings.TrimPrefix(digest, "sha256:")))

	_, err = bundle.Layout(bundle.Artifact{Manifest: []byte("{}")})
	require.EqualError(t, err, `it is not a bundle of rad, but another OCI artifact, with the configuration ""`)

	read, err := bundle.ReadLayout(func(name string) ([]byte, error) { return files[name], nil })
	require.NoError(t, err)
	require.Equal(t, bundle.Artifact{Manifest: a.Manifest, Blobs: a.Blobs, Called: "app"}, read)
}

// TestLayoutsThatAreNotWhole: what is missing, cannot be read or has another form is said.
func TestLayoutsThatAreNotWhole(t *testing.T) {
	t.Parallel()
	manifest := manifestOf(t, layout(t))
	template := "blobs/sha256/" + strings.TrimPrefix(bundle.Digest(sample().Template), "sha256:")
	for _, test := range []struct {
		file, content string // "" is a file that is missing
		want          string
	}{
		{"oci-layout", "", "it is not in the OCI layout: there is no oci-layout in it"},
		{"oci-layout", "x", "it is not in the OCI layout: oci-layout is not JSON of the right form"},
		{"oci-layout", "{}", "it is not in the OCI layout: oci-layout is not JSON of the right form"},
		{"oci-layout", `{"imageLayoutVersion": "2.0.0"}`, `its OCI layout has the version "2.0.0", and 1.0.0 is read`},
		{"index.json", "", "it is not whole: index.json is missing"},
		{"index.json", "[]", "its index.json is not JSON of the right form"},
		{"index.json", strings.Repeat(" ", 4<<20) + "{}", "its index.json is not JSON of the right form"},
		{manifest, "", "it is not whole: the part DIGEST is missing"},
		{manifest, "{}", "it is damaged: its manifest has the digest DIGEST instead of DIGEST"},
		{template, "", "it is not whole: the part DIGEST is missing"},
		{template, "{}", "it is damaged: the part DIGEST has 2 bytes instead of 17"},
		{template, `{"resources": {}}`, "it is damaged: a part has the digest DIGEST instead of DIGEST"},
	} {
		files := layout(t)
		if files[test.file] = []byte(test.content); test.content == "" {
			delete(files, test.file)
		}
		_, err := open(files)
		var refused *bundle.InvalidError
		require.ErrorAs(t, err, &refused, test.file)
		require.Equal(t, test.want, withoutDigests(err), test.file)
	}
	for name := range layout(t) { // a file that is there, and cannot be read
		files := layout(t)
		broken := errors.New("permission denied")
		_, err := bundle.ReadLayout(func(part string) ([]byte, error) {
			if part == name {
				return nil, broken
			}
			return files[part], nil
		})
		require.ErrorIs(t, err, broken, name)
	}
	a, err := bundle.Pack(sample())
	require.NoError(t, err)
	delete(a.Blobs, bundle.Digest(sample().Template))
	_, err = bundle.Open(a)
	require.EqualError(t, err, "it is not whole: the part "+bundle.Digest(sample().Template)+" is missing")
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

// archiveOf is an archive of files that hold zeros.
func archiveOf(t *testing.T, headers ...tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		require.NoError(t, w.WriteHeader(&h))
		_, err := w.Write(make([]byte, h.Size))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// TestArchivesOfOtherTools: names may begin with ./, there may be folders, and files of other tools, which are not read.
func TestArchivesOfOtherTools(t *testing.T) {
	t.Parallel()
	files := layout(t)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	write := func(kind byte, name string, content []byte) {
		require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: kind, Name: name, Size: int64(len(content))}))
		_, err := w.Write(content)
		require.NoError(t, err)
	}
	write(tar.TypeReg, "./manifest.json", []byte("of docker save"))
	write(tar.TypeReg, "README", nil)
	write(tar.TypeDir, "./", nil)
	for _, folder := range []string{"./blobs/", "./blobs/sha256/"} {
		write(tar.TypeDir, folder, nil)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		write(tar.TypeReg, "./"+name, files[name])
		write(tar.TypeReg, name+".sig", []byte("of another tool"))
	}
	require.NoError(t, w.Close())
	a, err := bundle.ReadTar(b.Bytes())
	require.NoError(t, err)
	opened, err := bundle.Open(a)
	require.NoError(t, err)
	require.Equal(t, sample(), opened)
}

// TestTar: an archive does not say when and by whom it was made.
func TestTar(t *testing.T) {
	t.Parallel()
	archive, err := bundle.Tar(map[string][]byte{"b": []byte("x"), "a": nil, "blobs/c": []byte("yz")})
	require.NoError(t, err)
	r := tar.NewReader(bytes.NewReader(archive))
	for _, want := range []tar.Header{{Name: "a"}, {Name: "b", Size: 1}, {Name: "blobs/c", Size: 2}} {
		h, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, want.Name, h.Name)
		require.Equal(t, want.Size, h.Size)
		require.EqualValues(t, 0o644, h.Mode)
		require.EqualValues(t, tar.TypeReg, h.Typeflag)
		require.Zero(t, h.ModTime.Unix())
		require.Equal(t, []any{0, 0, "", ""}, []any{h.Uid, h.Gid, h.Uname, h.Gname})
		require.Equal(t, tar.FormatUSTAR, h.Format)
	}
	_, err = r.Next()
	require.Error(t, err)
	_, err = bundle.Tar(map[string][]byte{strings.Repeat("a", 300): nil})
	require.Error(t, err, "a name that the format cannot hold")
}

// TestArchivesThatAreRefused: which of two files is meant is not for us to choose, a link may lead anywhere, and what
// breaks off says where.
func TestArchivesThatAreRefused(t *testing.T) {
	t.Parallel()
	file := func(name string, size int64) tar.Header {
		return tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size}
	}
	two := archiveOf(t, file("README", 600), file("index.json", 600))
	const start = 512 + 1024 // of the second header
	damaged := bytes.Clone(two)
	damaged[start+1] ^= 1
	many := func(n int) (list []tar.Header) {
		for i := range n {
			list = append(list, file(fmt.Sprint(i), 0))
		}
		return list
	}
	const noLayout = "it is not in the OCI layout: there is no oci-layout in it"
	for _, test := range []struct {
		name    string
		archive []byte
		want    string
	}{
		{"nothing", nil, noLayout},
		{"text", []byte(strings.Repeat("text", 200)), "it is not a tar archive in the OCI layout"},
		{"a short text", []byte("text"), "it is not a tar archive in the OCI layout"},
		{"other files", two, noLayout},
		{"a file twice", archiveOf(t, file("index.json", 2), file("./index.json", 2)), `"./index.json" is in it twice`},
		{"an empty file twice", archiveOf(t, file("index.json", 0), file("index.json", 0)), `"index.json" is in it twice`},
		{"a link", archiveOf(t, tar.Header{Typeflag: tar.TypeSymlink, Name: "index.json", Linkname: "/etc/passwd"}), `"index.json" in it is not a regular file`},
		{"a hard link", archiveOf(t, tar.Header{Typeflag: tar.TypeLink, Name: "x", Linkname: "index.json"}), `"x" in it is not a regular file`},
		{"a folder of the name of a file", archiveOf(t, tar.Header{Typeflag: tar.TypeDir, Name: "oci-layout"}), noLayout},
		{"half a file", two[:start+512+100], `it is not whole: "index.json" breaks off`},
		{"half a file of another tool", two[:600], `it is damaged or breaks off, in or after "README"`},
		{"half a header", two[:start+100], `it is damaged or breaks off, in or after "README"`},
		{"a damaged header", damaged, `it is damaged or breaks off, in or after "README"`},
		{"1000 files", archiveOf(t, many(1000)...), noLayout},
		{"1001 files", archiveOf(t, many(1001)...), "it holds more than 1000 files and folders"},
		{"132 MiB", make([]byte, 132<<20), noLayout},
		{"more than 132 MiB", make([]byte, 132<<20+1), "it has more than 132 MiB"},
	} {
		_, err := bundle.ReadTar(test.archive)
		var refused *bundle.InvalidError
		require.ErrorAs(t, err, &refused, test.name)
		require.EqualError(t, err, test.want, test.name)
	}
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
