package workdir

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// LinkProgram puts a link to a program at path, in place of what is there.
func LinkProgram(program, path string) error {
	dir, err := os.MkdirTemp(filepath.Dir(path), ".bicep-*.tmp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fresh := filepath.Join(dir, filepath.Base(path))
	if err := linkTo(program, fresh); err != nil {
		return err
	}
	return os.Rename(fresh, path)
}

// linkTo makes a link to a program: a symbolic one, or on Windows, where those need
// a right that few have, a hard one, or else a copy.
func linkTo(program, to string) error {
	if runtime.GOOS != "windows" {
		return os.Symlink(program, to)
	}
	if err := os.Link(program, to); err == nil {
		return nil
	}
	return copyProgram(program, to)
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
}
