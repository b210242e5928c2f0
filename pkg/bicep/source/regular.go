package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// MaxFile is the size of the largest file that is read.
const MaxFile = 256 << 20

var (
	// ErrNotRegular is why a folder, a device, a pipe or a socket is not read.
	ErrNotRegular = errors.New("it is not a regular file")
	// ErrTooLarge is why a file above MaxFile is not read.
	ErrTooLarge = fmt.Errorf("it is larger than %d MiB", MaxFile>>20)
	// ErrGit is why a file of git's own folder is not read.
	ErrGit = errors.New("it is in git's own folder, which can hold credentials")
)

// OpenRegular opens a file that may be read to its end. It does not wait for the
// other end of a pipe; ReadRegular refuses what is not a regular file.
func OpenRegular(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
}

// OpenRegularIn is OpenRegular for a name in an open folder.
func OpenRegularIn(folder *os.Root, name string) (*os.File, error) {
	return folder.OpenFile(name, os.O_RDONLY|nonBlocking, 0)
}

// ReadRegular reads a file that has been opened, if it is a regular file of a size
// that fits into memory. The name is for messages.
func ReadRegular(f *os.File, name string) ([]byte, error) {
	size, err := regularSize(f, name)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, size+1)
	for {
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return nil, err
		case len(b) > MaxFile: // it grows, or does not know its size, as in /proc
			return nil, &fs.PathError{Op: "read", Path: name, Err: ErrTooLarge}
		case len(b) == cap(b):
			b = append(b, 0)[:len(b)]
		}
	}
}

// regularSize returns the size that a file says it has, if it may be read.
func regularSize(f *os.File, name string) (int64, error) {
	info, err := f.Stat()
	switch {
	case err != nil:
		return 0, err
	case info.IsDir():
		return 0, &fs.PathError{Op: "read", Path: name, Err: errors.New("is a directory")}
	case !info.Mode().IsRegular():
		return 0, &fs.PathError{Op: "read", Path: name, Err: ErrNotRegular}
	case info.Size() > MaxFile:
		return 0, &fs.PathError{Op: "read", Path: name, Err: ErrTooLarge}
	}
	return info.Size(), nil
}
