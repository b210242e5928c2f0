package registry

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
)

// checkTypesFile looks through an archive of types before it enters the cache.
func checkTypesFile(stage *cache.Stage, name string) error {
	f, err := os.Open(filepath.Join(stage.Dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	return CheckTypes(f)
}

// CheckTypes looks through an archive of types, of which nothing is unpacked to
// disk: a gzip tar of plain files with clean relative names, no two alike; an
// index.json; all files that the index refers to, each a JSON array.
func CheckTypes(r io.Reader) error {
	packed := &countingReader{r: r}
	z, err := gzip.NewReader(bufio.NewReaderSize(packed, 64<<10))
	if err != nil {
		return errors.New("the archive is not compressed by gzip")
	}
	unpacked := &ratioReader{r: z, packed: packed}
	t := tar.NewReader(unpacked)
	arrays := map[string]bool{} // the files, and whether they are JSON arrays
	var index []byte
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return archiveError(err)
		}
		if h.Typeflag == tar.TypeDir {
			continue
		}
		name := strings.TrimPrefix(h.Name, "./")
		_, twice := arrays[name]
		switch {
		case h.Typeflag != tar.TypeReg || artifact.IsSparse(h):
			return fmt.Errorf("the archive holds %q, which is not a plain file", display(h.Name))
		case name == "" || name == "." || path.IsAbs(name) || path.Clean(name) != name ||
			name == ".." || strings.HasPrefix(name, "../") || strings.ContainsAny(name, "\\:\x00"):
			return fmt.Errorf("the archive holds %q, which is not a clean relative name", display(h.Name))
		case twice:
			return fmt.Errorf("the archive holds %q twice", display(h.Name))
		case len(arrays) == maxEntries:
			return fmt.Errorf("the archive holds more than %d files", maxEntries)
		case h.Size > maxTypeFile:
			return fmt.Errorf("the archive holds %q, which has more than %d MiB", display(h.Name), maxTypeFile>>20)
		}
		data, err := io.ReadAll(t)
		if err != nil {
			return archiveError(err)
		}
		if name == "index.json" {
			index = slices.Clone(data)
		}
		trimmed := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
		arrays[name] = len(trimmed) > 0 && trimmed[0] == '[' && json.Valid(trimmed)
	}
	// The bytes after the last file are read too: a broken archive may show only there.
	if _, err := io.Copy(io.Discard, unpacked); err != nil {
		return archiveError(err)
	}
	if index == nil {
		return errors.New("the archive holds no index.json")
	}
	refs, err := IndexFiles(index)
	if err != nil {
		return err
	}
	for _, name := range refs {
		array, ok := arrays[name]
		if !ok {
			return fmt.Errorf("index.json refers to %q, which the archive does not hold", display(name))
		}
		if !array {
			return fmt.Errorf("%q is not a JSON array of types", display(name))
		}
	}
	return nil
}

// IndexFiles returns the files that an index of types refers to, in the order in
// which it names them first.
func IndexFiles(text []byte) ([]string, error) {
	type reference struct {
		Ref string `json:"$ref"`
	}
	var index struct {
		Resources            orderedRefs `json:"resources"`
		FallbackResourceType *reference  `json:"fallbackResourceType"`
		NamespaceFunctions   []reference `json:"namespaceFunctions"`
		Settings             *struct {
			ConfigurationType *reference `json:"configurationType"`
		} `json:"settings"`
	}
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), &index); err != nil {
		return nil, fmt.Errorf("index.json is not an index of types: %w", plainJSONError(err))
	}
	refs := []string(index.Resources)
	if r := index.FallbackResourceType; r != nil {
		refs = append(refs, r.Ref)
	}
	if index.Settings != nil && index.Settings.ConfigurationType != nil {
		refs = append(refs, index.Settings.ConfigurationType.Ref)
	}
	for _, r := range index.NamespaceFunctions {
		refs = append(refs, r.Ref)
	}
	var files []string
	seen := map[string]bool{}
	for _, ref := range refs {
		name, _, ok := strings.Cut(ref, "#")
		if !ok || name == "" {
			return nil, fmt.Errorf("index.json refers to %q, which is not FILE#/NUMBER", display(ref))
		}
		if path.IsAbs(name) || path.Clean(name) != name || name == ".." ||
			strings.HasPrefix(name, "../") || strings.ContainsAny(name, "\\:") {
			return nil, fmt.Errorf("index.json refers to %q, which is not a clean relative name", display(name))
		}
		if !seen[name] {
			seen[name] = true
			files = append(files, name)
		}
	}
	return files, nil
}

// orderedRefs are the references of an object of them, in its order.
type orderedRefs []string

func (o *orderedRefs) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	t, err := d.Token()
	if err != nil || t == nil {
		return err
	}
	if t != json.Delim('{') {
		return &ruleError{"resources is not an object"}
	}
	for d.More() {
		if _, err := d.Token(); err != nil {
			return err
		}
		var r struct {
			Ref string `json:"$ref"`
		}
		if err := d.Decode(&r); err != nil {
			return err
		}
		*o = append(*o, r.Ref)
	}
	return nil
}

// archiveError says what keeps an archive from being read.
func archiveError(err error) error {
	if limit, ok := errors.AsType[*ruleError](err); ok {
		return limit
	}
	return fmt.Errorf("the archive is broken: %s", display(err.Error()))
}

type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// ratioReader ends an archive that unpacks to too much, or to far more than its size.
type ratioReader struct {
	r      io.Reader
	packed *countingReader
	n      int64
}

func (r *ratioReader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.n += int64(n)
	if r.n > maxUnpacked {
		return n, &ruleError{fmt.Sprintf("the archive unpacks to more than %d MiB", maxUnpacked>>20)}
	}
	if r.n > ratioFrom && r.n/maxRatio > r.packed.n {
		return n, &ruleError{"the archive unpacks to far more than its size"}
	}
	return n, err
}
