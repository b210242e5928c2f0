package registry_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/registry"
)

// blanks is an endless file of spaces.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// archive makes an archive of headers, and of the contents that are in their PAXRecords
// under "content"; a file without one is blank.
func archive(t *testing.T, files ...*tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, h := range files {
		content, given := h.PAXRecords["content"]
		h.PAXRecords = nil
		if given {
			h.Size = int64(len(content))
		}
		require.NoError(t, w.WriteHeader(h))
		if given {
			_, err := io.WriteString(w, content)
			require.NoError(t, err)
		} else if h.Size > 0 {
			_, err := io.CopyN(w, blanks{}, h.Size)
			require.NoError(t, err)
		}
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	return b.Bytes()
}

func file(name, content string) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, PAXRecords: map[string]string{"content": content}}
}

// headers makes an archive of headers whose files do not follow.
func headers(t *testing.T, files ...*tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, h := range files {
		require.NoError(t, w.WriteHeader(h))
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

// TestHostileTypes: an archive of types that is not as it should be does not enter the cache.
func TestHostileTypes(t *testing.T) {
	index := func() *tar.Header { return file("index.json", `{"resources": {"A/b@v1": {"$ref": "types.json#/0"}}}`) }
	types := func() *tar.Header { return file("types.json", `[]`) }
	whole := archive(t, index(), types())
	require.NoError(t, registry.CheckTypes(bytes.NewReader(whole)))
	require.NoError(t, registry.CheckTypes(bytes.NewReader(archive(t, &tar.Header{Typeflag: tar.TypeDir, Name: "dir/", Mode: 0o755}, file("./index.json", `{}`)))))
	for name, c := range map[string]struct {
		archive []byte
		want    string
	}{
		"no gzip":                 {[]byte("hello"), "not compressed by gzip"},
		"nothing":                 {nil, "not compressed by gzip"},
		"cut in the last blocks":  {whole[:len(whole)-12], "the archive is broken"},
		"a wrong checksum":        {append(bytes.Clone(whole[:len(whole)-8]), 1, 2, 3, 4, 5, 6, 7, 8), "the archive is broken"},
		"no index":                {archive(t, types()), "no index.json"},
		"a missing file":          {archive(t, index()), `refers to "types.json", which the archive does not hold`},
		"a broken index":          {archive(t, file("index.json", "{"), types()), "index.json is not an index of types"},
		"an index that is a list": {archive(t, file("index.json", "[]"), types()), "index.json is not an index of types: it is of the wrong type"},
		"a list of resources":     {archive(t, file("index.json", `{"resources": []}`), types()), "resources is not an object"},
		"a reference to above":    {archive(t, file("index.json", `{"resources": {"A/b@v1": {"$ref": "../types.json#/0"}}}`), types()), "not a clean relative name"},
		"a reference to nothing":  {archive(t, file("index.json", `{"resources": {"A/b@v1": {"$ref": "types.json"}}}`), types()), "which is not FILE#/NUMBER"},
		"types in an object":      {archive(t, index(), file("types.json", "{}")), `"types.json" is not a JSON array of types`},
		"a file above":            {archive(t, index(), types(), file("../evil", "x")), "not a clean relative name"},
		"an absolute file":        {archive(t, index(), types(), file("/evil", "x")), "not a clean relative name"},
		"a file of Windows":       {archive(t, index(), types(), file(`a\b`, "x")), "not a clean relative name"},
		"a file twice":            {archive(t, index(), types(), types()), `holds "types.json" twice`},
		"a link":                  {archive(t, index(), types(), &tar.Header{Typeflag: tar.TypeSymlink, Name: "l", Linkname: "/etc/passwd"}), "not a plain file"},
		"a hard link":             {archive(t, index(), types(), &tar.Header{Typeflag: tar.TypeLink, Name: "l", Linkname: "index.json"}), "not a plain file"},
		"a device":                {archive(t, index(), types(), &tar.Header{Typeflag: tar.TypeChar, Name: "d"}), "not a plain file"},
		"blanks":                  {archive(t, index(), &tar.Header{Typeflag: tar.TypeReg, Name: "types.json", Size: 32 << 20}), "far more than its size"},
		"a huge file":             {headers(t, &tar.Header{Typeflag: tar.TypeReg, Name: "types.json", Size: 128<<20 + 1}), `holds "types.json", which has more than 128 MiB`},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, registry.CheckTypes(bytes.NewReader(c.archive)), c.want)
		})
	}
}
