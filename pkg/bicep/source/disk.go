package source

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
)

// Disk reads files of the operating system. All reading of rad goes through it:
// paths are resolved, and files opened, in this file only. The zero value reads
// every file that the process may read.
type Disk struct{ root *root }

// Below returns a Disk that reads below one directory only, whatever links and ".."
// a name contains. Reading anything else fails with an *OutsideError.
func Below(dir string) Disk { return Disk{&root{name: dir}} }

// root is the directory below which a Disk reads. It is opened when it is first used.
type root struct {
	name string

	once     sync.Once
	dir      string // absolute
	resolved string // dir without symbolic links
	os       *os.Root
	err      error
}

func (r *root) open() error {
	r.once.Do(func() {
		if r.dir, r.err = filepath.Abs(r.name); r.err != nil {
			return
		}
		if r.os, r.err = os.OpenRoot(r.dir); r.err != nil {
			return
		}
		var err error
		if r.resolved, err = filepath.EvalSymlinks(r.dir); err != nil {
			r.resolved = r.dir
		}
	})
	return r.err
}

// resolve turns an absolute name into one relative to the root. A root that was
// named through a symbolic link is known by both of its names.
func (r *root) resolve(name string) (string, error) {
	if err := r.open(); err != nil {
		return "", err
	}
	for _, base := range [...]string{r.dir, r.resolved} {
		if rel, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(rel) {
			return rel, nil
		}
	}
	return "", &OutsideError{Path: name, Root: r.dir}
}

// check returns what is wrong with a file below the root, which os.Root has opened, or looked at, with an error or without. What
// git keeps in .git is refused, since a checkout can hold credentials there. Without a root, nothing that the process may read is.
func (r *root) check(name, rel string, err error) error {
	err = r.explain(name, err)
	if _, ok := errors.AsType[*OutsideError](err); ok {
		return err
	}
	if refused := CheckLinks(r.resolved, rel); refused != nil {
		return r.explain(name, refused)
	}
	return err
}

// explain returns an OutsideError if os.Root refused a name because a symbolic link
// leads outside. The os package does not export that error. Other errors name the file as
// the caller does, and not as it is called below the root.
func (r *root) explain(name string, err error) error {
	var pe *fs.PathError
	switch {
	case !errors.As(err, &pe):
		return err
	case strings.Contains(pe.Err.Error(), "escapes"):
		return &OutsideError{Path: name, Root: r.dir, Link: true}
	}
	return &fs.PathError{Op: pe.Op, Path: name, Err: pe.Err}
}

// ReadFile reads a whole regular file.
func (d Disk) ReadFile(name string) ([]byte, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadRegular(f, name)
}

// ReadText is ReadFile for a string.
func (d Disk) ReadText(name string) (string, error) {
	f, err := d.open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	size, err := regularSize(f, name)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	text.Grow(int(size))
	part := make([]byte, min(size+1, 16<<10))
	for {
		n, err := f.Read(part)
		text.Write(part[:n])
		switch {
		case errors.Is(err, io.EOF):
			return text.String(), nil
		case err != nil:
			return "", err
		case text.Len() > MaxFile:
			return "", &fs.PathError{Op: "read", Path: name, Err: ErrTooLarge}
		}
	}
}

// open opens a file for reading. It does not wait for the other end of a pipe.
func (d Disk) open(name string) (*os.File, error) {
	if d.root == nil {
		return OpenRegular(name)
	}
	rel, err := d.root.resolve(name)
	if err != nil {
		return nil, err
	}
	f, err := d.root.os.OpenFile(rel, os.O_RDONLY|nonBlocking, 0)
	if refused := d.root.check(name, rel, err); refused != nil {
		if err == nil {
			f.Close()
		}
		return nil, refused
	}
	return f, nil
}

// Stat describes a file, following links.
func (d Disk) Stat(name string) (fs.FileInfo, error) {
	if d.root == nil {
		return os.Stat(name)
	}
	rel, err := d.root.resolve(name)
	if err != nil {
		return nil, err
	}
	info, err := d.root.os.Stat(rel)
	return info, d.root.check(name, rel, err)
}

// IsLink implements LinkFS.
func (d Disk) IsLink(name string) bool {
	var info fs.FileInfo
	var err error
	if d.root == nil {
		info, err = os.Lstat(name)
	} else if rel, e := d.root.resolve(name); e != nil {
		return false
	} else {
		info, err = d.root.os.Lstat(rel)
	}
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// ReadDir lists a directory.
func (d Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	f, err := d.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("is not a directory")}
	}
	list, err := f.ReadDir(-1)
	sort.Slice(list, func(a, b int) bool { return list[a].Name() < list[b].Name() })
	return list, err
}
