package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// filesBelow returns the files that a compile reads: those below the root, or all of
// them if there is none.
func filesBelow(root string) source.FS {
	if root == "" {
		return source.Disk{}
	}
	return source.Below(root)
}

// readFile reads a text from a file.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, failWith(exitIO, err)
	}
	defer f.Close()
	b, err := readText(f)
	var pathErr *fs.PathError
	if err != nil && !errors.As(err, &pathErr) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return b, failWith(exitIO, err)
}

// maxText bounds what is read as parameters and as ARM templates.
const maxText = 16 << 20

// readText reads a text. A byte order mark tells its encoding, as in what
// PowerShell's > writes; UTF-8 is what it becomes.
func readText(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxText {
		return nil, fmt.Errorf("more than %d MiB", maxText>>20)
	}
	if encoding, _ := source.ByteOrderMark(b); encoding != "" {
		b = []byte(source.Decode(b, encoding))
	}
	return b, nil
}

// writeFile gives a file its content at once: whoever looks sees the old content
// or the new, whatever happens in between. Content that is there already is left alone.
func writeFile(path string, content []byte) error { return writeFileMode(path, content, 0o644) }

// writeFileMode is writeFile with the mode that a new file gets.
func writeFileMode(path string, content []byte, mode fs.FileMode) error {
	// A link stays one: what it points to is replaced.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mask := umask()
	if info, err := os.Stat(path); err == nil {
		mask = 0
		if info.IsDir() {
			return &fs.PathError{Op: "write", Path: path, Err: errors.New("is a folder")}
		}
		if !info.Mode().IsRegular() { // /dev/stdout, a pipe
			return os.WriteFile(path, content, mode)
		}
		if mode&0o077 != 0 { // what is not to be private keeps its mode
			mode = info.Mode().Perm()
		}
		if info.Size() == int64(len(content)) {
			if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
				return nil
			}
		}
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it was renamed
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(mode &^ mask)
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}
