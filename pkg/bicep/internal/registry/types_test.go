package registry_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
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
	t.Parallel()
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
		"the largest file":        {headers(t, &tar.Header{Typeflag: tar.TypeReg, Name: "types.json", Size: 128 << 20}), "the archive is broken: "}, // it does not follow
		"a huge file":             {headers(t, &tar.Header{Typeflag: tar.TypeReg, Name: "types.json", Size: 128<<20 + 1}), `holds "types.json", which has more than 128 MiB`},
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorContains(t, registry.CheckTypes(bytes.NewReader(c.archive)), c.want)
		})
	}
}

// TestIndexFiles: the files of an index of types, each once, in the order in which the index names them.
func TestIndexFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`{}`:                  nil,
		`{"resources": null}`: nil,
		`{"resources": {"B/b@v1": {"$ref": "b.json#/1"}, "A/a@v1": {"$ref": "a/a.json#/0"}, "B/c@v1": {"$ref": "b.json#/2"}}}`: {"b.json", "a/a.json"},
		"\xef\xbb\xbf" + `{"namespaceFunctions": [{"$ref": "f.json#/0"}, {"$ref": "g.json#/0"}], "settings": {"configurationType": {"$ref": "c.json#/0"}},
			"fallbackResourceType": {"$ref": "d.json#/0"}, "resources": {"A/a@v1": {"$ref": "a.json#/0"}}}`: {"a.json", "d.json", "c.json", "f.json", "g.json"},
		`{"settings": {"name": "x"}, "resources": {"A/a@v1": {"$ref": "..a.json#/0"}}}`: {"..a.json"},
	} {
		got, err := registry.IndexFiles([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	reference := func(to string) string { return `{"resources": {"A/a@v1": {"$ref": "` + to + `"}}}` }
	const unclean = `index.json refers to %q, which is not a clean relative name`
	for text, want := range map[string]string{
		``:                                       "index.json is not an index of types: no JSON at byte 0",
		`{`:                                      "index.json is not an index of types: no JSON at byte 1",
		`[]`:                                     "index.json is not an index of types: it is of the wrong type",
		`{"resources": []}`:                      "index.json is not an index of types: resources is not an object",
		`{"resources": 1}`:                       "index.json is not an index of types: resources is not an object",
		`{"resources": {"A/a@v1": 1}}`:           "index.json is not an index of types: resources is of the wrong type",
		`{"resources": {"A/a@v1": {"$ref": 1}}}`: "index.json is not an index of types: resources.$ref is of the wrong type",
		`{"settings": 1}`:                        "index.json is not an index of types: settings is of the wrong type",
		`{"resources": {"A/a@v1": {}}}`:          `index.json refers to "", which is not FILE#/NUMBER`,
		reference("a.json"):                      `index.json refers to "a.json", which is not FILE#/NUMBER`,
		reference("#/0"):                         `index.json refers to "#/0", which is not FILE#/NUMBER`,
		reference("../a#/0"):                     fmt.Sprintf(unclean, "../a"),
		reference("..#/0"):                       fmt.Sprintf(unclean, ".."),
		reference("/a#/0"):                       fmt.Sprintf(unclean, "/a"),
		reference("a//b#/0"):                     fmt.Sprintf(unclean, "a//b"),
		reference("./a#/0"):                      fmt.Sprintf(unclean, "./a"),
		reference("a/#/0"):                       fmt.Sprintf(unclean, "a/"),
		reference("a/../b#/0"):                   fmt.Sprintf(unclean, "a/../b"),
		reference("c:a#/0"):                      fmt.Sprintf(unclean, "c:a"),
		reference(`a\\b#/0`):                     fmt.Sprintf(unclean, `a\b`),
		`{"fallbackResourceType": {"$ref": "x"}}`:                   `index.json refers to "x", which is not FILE#/NUMBER`,
		`{"settings": {"configurationType": {"$ref": "x"}}}`:        `index.json refers to "x", which is not FILE#/NUMBER`,
		`{"namespaceFunctions": [{"$ref": "a#/0"}, {"$ref": "x"}]}`: `index.json refers to "x", which is not FILE#/NUMBER`,
	} {
		_, err := registry.IndexFiles([]byte(text))
		require.EqualError(t, err, want, text)
	}
}

// TestArchivesOfTypes: the names, kinds and number of the files of an archive of types, and its messages.
func TestArchivesOfTypes(t *testing.T) {
	t.Parallel()
	index := func() *tar.Header {
		return file("index.json", `{"resources": {"A/b@v1": {"$ref": "deep/types.json#/0"}}}`)
	}
	check := func(files ...*tar.Header) error { return registry.CheckTypes(bytes.NewReader(archive(t, files...))) }
	for _, content := range []string{"[]", " \t\r\n[1]", "\xef\xbb\xbf[]"} {
		require.NoError(t, check(file("deep/types.json", content), index()), "%q", content)
	}
	for _, content := range []string{"", " ", "{}", "[", "1", "null", "[] []", "x[]"} {
		require.EqualError(t, check(index(), file("deep/types.json", content)), `"deep/types.json" is not a JSON array of types`, "%q", content)
	}
	for _, name := range []string{"..a", "a..b", "a/..b", "./more", "a b"} {
		require.NoError(t, check(file(name, ""), index(), file("deep/types.json", "[]")), name)
	}
	for _, name := range []string{"", ".", "..", "../a", "/a", "a//b", "a/./b", "a/../b", "a:b", `a\b`, "././a"} {
		err := check(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644}, index(), file("deep/types.json", "[]"))
		require.EqualError(t, err, fmt.Sprintf("the archive holds %q, which is not a clean relative name", name))
	}
	require.EqualError(t, check(index(), file("./index.json", "{}")), `the archive holds "./index.json" twice`)
	require.EqualError(t, check(index(), &tar.Header{Typeflag: tar.TypeSymlink, Name: "a\x1b", Linkname: "x"}), `the archive holds "a?", which is not a plain file`)
	require.EqualError(t, check(), "the archive holds no index.json")
	require.EqualError(t, check(index()), `index.json refers to "deep/types.json", which the archive does not hold`)
	require.EqualError(t, registry.CheckTypes(strings.NewReader("x")), "the archive is not compressed by gzip")

	many := func(n int) error {
		files := []*tar.Header{index(), file("deep/types.json", "[]")}
		for i := len(files); i < n; i++ {
			files = append(files, file(fmt.Sprintf("f%d", i), ""))
		}
		return check(files...)
	}
	require.NoError(t, many(10_000))
	require.EqualError(t, many(10_001), "the archive holds more than 10000 files")
	// A ratio is looked at from some size on.
	require.NoError(t, check(index(), file("deep/types.json", "[]"), &tar.Header{Typeflag: tar.TypeReg, Name: "blank", Size: 8<<20 - 8<<10}))
	require.EqualError(t, check(index(), file("deep/types.json", "[]"), &tar.Header{Typeflag: tar.TypeReg, Name: "blank", Size: 8<<20 + 8<<10}), "the archive unpacks to far more than its size")
	whole := archive(t, index(), file("deep/types.json", "[]"))
	require.ErrorContains(t, registry.CheckTypes(bytes.NewReader(whole[:len(whole)-9])), "the archive is broken: ")
	require.ErrorContains(t, registry.CheckTypes(bytes.NewReader(whole[:20])), "the archive is broken: ")
}

// TestFetchedTypes: an extension enters the cache only if its archive of types can be used.
func TestFetchedTypes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		archive []byte
		want    string
	}{
		"types":    {registrytest.Types(t, "size"), ""},
		"no gzip":  {[]byte("types"), "its types cannot be used: the archive is not compressed by gzip"},
		"no index": {archive(t, file("types.json", "[]")), "its types cannot be used: the archive holds no index.json"},
	} {
		r := registrytest.New(t)
		r.Extension("mods/web", "v1", c.archive)
		root := filepath.Join(t.TempDir(), "cache")
		a := module(r.Host, "v1")
		a.Type = artifact.Extension
		_, err := newClient(t, registry.Options{}).Fetch(t.Context(), a, "", root, false)
		if c.want != "" {
			require.EqualError(t, err, c.want, name)
			require.NoDirExists(t, root)
			continue
		}
		require.NoError(t, err, name)
		text, err := os.ReadFile(filepath.Join(a.CacheDir(root), "types.tgz"))
		require.NoError(t, err)
		require.Equal(t, c.archive, text)
	}
}
