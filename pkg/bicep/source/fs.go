package source

import (
	"fmt"
	"io/fs"
)

// FS is where the compiler reads files. Disk and Memory implement it. Names are
// absolute paths in the form of the operating system.
type FS interface {
	ReadFile(name string) ([]byte, error)
	// Stat follows symbolic links.
	Stat(name string) (fs.FileInfo, error)
	// ReadDir lists a directory, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
}

// OutsideError says that a file was not read because it lies outside the root.
type OutsideError struct{ Path, Root string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s is outside the project root %s", e.Path, e.Root)
}
