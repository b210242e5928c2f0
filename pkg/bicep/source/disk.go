package source

import (
	"errors"
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

	once sync.Once
	dir  string // absolute
	real string // dir without symbolic links
	os   *os.Root
	err  error
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
		if r.real, err = filepath.EvalSymlinks(r.dir); err != nil {
			r.real = r.dir
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
	for _, base := range [...]string{r.dir, r.real} {
		if rel, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(rel) {
			return rel, nil
		}
	}
	return "", &OutsideError{Path: name, Root: r.dir}
}

// explain returns an OutsideError if os.Root refused a name because a symbolic link
// leads outside. The os package does not export that error.
func (r *root) explain(name string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && strings.Contains(pe.Err.Error(), "escapes") {
		return &OutsideError{Path: name, Root: r.dir}
	}
	return err
}

// ReadFile reads a whole file.
func (d Disk) ReadFile(name string) ([]byte, error) {
	if d.root == nil {
		return os.ReadFile(name)
	}
	rel, err := d.root.resolve(name)
	if err != nil {
		return nil, err
	}
	b, err := d.root.os.ReadFile(rel)
	return b, d.root.explain(name, err)
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
	return info, d.root.explain(name, err)
}

// ReadDir lists a directory.
func (d Disk) ReadDir(name string) ([]fs.DirEntry, error) {
	if d.root == nil {
		return os.ReadDir(name)
	}
	rel, err := d.root.resolve(name)
	if err != nil {
		return nil, err
	}
	f, err := d.root.os.Open(rel)
	if err != nil {
		return nil, d.root.explain(name, err)
	}
	defer f.Close()
	list, err := f.ReadDir(-1)
	sort.Slice(list, func(a, b int) bool { return list[a].Name() < list[b].Name() })
	return list, err
}
