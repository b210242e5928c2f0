package registry

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// packedFile is a file of an archive.
type packedFile struct {
	name string
	data []byte
}

// pack makes a gzip tar of files: always the same bytes of the same files.
func pack(files []packedFile) ([]byte, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range files {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.data)), Mode: 0o644}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ReadIndex reads what an extension is made of: an index.json, or a manifest.
func ReadIndex(path string) ([]byte, error) { return readLimited(path, maxTypeFile) }

// PackTypes makes an archive of types of an index.json, its text, and the files that it
// refers to, which are in its folder or below it.
func PackTypes(index string, text []byte) ([]byte, error) {
	names, err := IndexFiles(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", index, err)
	}
	root, err := os.OpenRoot(filepath.Dir(index))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files := []packedFile{{"index.json", text}}
	for _, name := range names {
		f, err := root.Open(filepath.FromSlash(name))
		if err != nil {
			return nil, fmt.Errorf("%s refers to a file that cannot be read: %w", index, err)
		}
		data, err := readAll(f, name, maxTypeFile)
		f.Close()
		if err != nil {
			return nil, err
		}
		files = append(files, packedFile{name, data})
	}
	return pack(files)
}

// PackSource makes an archive of a module's source files.
func PackSource(metadata []byte, names []string, contents []string) ([]byte, error) {
	return PackFiles(append([]string{"__metadata.json"}, names...), append([]string{string(metadata)}, contents...))
}

// PackFiles makes an archive of files.
func PackFiles(names, contents []string) ([]byte, error) {
	var files []packedFile
	for i, name := range names {
		files = append(files, packedFile{name, []byte(contents[i])})
	}
	return pack(files)
}

// ReadBinary reads the program of an extension.
func ReadBinary(path string) ([]byte, error) { return readLimited(path, maxBinary) }

func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f, path, limit)
}

func readAll(r io.Reader, name string, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s has more than %d MiB", name, limit>>20)
	}
	return data, err
}
