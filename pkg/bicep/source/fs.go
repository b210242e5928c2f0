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

// MatchFS is an FS that gets the pattern of the names that count in a directory, so that it can know
// which other ones make no difference.
type MatchFS interface {
	FS
	// ReadDirMatching is ReadDir for a caller that looks at no other names.
	ReadDirMatching(name string, match func(name string) bool) ([]fs.DirEntry, error)
}

// TextFS is an FS that reads the text of a file into a string, so that there is no second
// copy of a large one.
type TextFS interface {
	FS
	ReadText(name string) (string, error)
}

// LinkFS is an FS that knows which names are symbolic links.
type LinkFS interface {
	FS
	// IsLink reports whether a name is that of a link, wherever it leads.
	IsLink(name string) bool
}

// IsLink reports whether a name of an FS is that of a symbolic link, if the FS knows.
func IsLink(fsys FS, name string) bool {
	l, ok := fsys.(LinkFS)
	return ok && l.IsLink(name)
}

// ReadText reads a file of an FS as a string.
func ReadText(fsys FS, name string) (string, error) {
	if t, ok := fsys.(TextFS); ok {
		return t.ReadText(name)
	}
	b, err := fsys.ReadFile(name)
	return string(b), err
}

// OutsideError says that a file was not read because it is outside the root.
type OutsideError struct {
	Path, Root string
	Link       bool // the path is in the root, and a link on it leads outside
}

// Error names the file and the root, and says whether a symbolic link leads there.
func (e *OutsideError) Error() string {
	if e.Link {
		return fmt.Sprintf("%s leads outside the project root %s through a symbolic link", e.Path, e.Root)
	}
	return fmt.Sprintf("%s is outside the project root %s", e.Path, e.Root)
}
