package registry

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path/filepath"

	"github.com/radbicep/rad/pkg/bicep/source"
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

// An Opener opens files of what is published.
type Opener func(path string) (io.ReadCloser, error)

// ReadIndex reads what an extension is made of: an index.json, or a manifest.
func ReadIndex(open Opener, path string) ([]byte, error) { return readLimited(open, path, maxTypeFile) }

// ReadArchive reads an archive of an extension.
func ReadArchive(open Opener, path string) ([]byte, error) { return readLimited(open, path, maxTypes) }

// PackTypes makes an archive of types of an index.json, its text, and the files that it
// refers to, which are in its folder or below it.
func PackTypes(index string, text []byte) ([]byte, error) {
	names, err := IndexFiles(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", index, err)
	}
	folder, err := filepath.Abs(filepath.Dir(index))
	if err != nil {
		return nil, err
	}
	disk := source.Below(folder) // the index is of a repository, and so are links beside it
	files := []packedFile{{"index.json", text}}
	for _, name := range names {
		data, err := disk.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err == nil && len(data) > maxTypeFile {
			err = tooLarge(name, maxTypeFile)
		}
		if err != nil { // no root would allow it, so the error is not an OutsideError
			return nil, fmt.Errorf("%s refers to a file that cannot be read: %v", index, err)
		}
		files = append(files, packedFile{name, data})
	}
	return pack(files)
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
func ReadBinary(open Opener, path string) ([]byte, error) { return readLimited(open, path, maxBinary) }

func readLimited(open Opener, path string, limit int64) ([]byte, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = tooLarge(path, limit)
	}
	return data, err
}

func tooLarge(name string, limit int64) error {
	return fmt.Errorf("%s has more than %d MiB", name, limit>>20)
}
