package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// FS is where the compiler reads from. Names are absolute paths in the form of
// the operating system.
type FS interface {
	ReadFile(name string) ([]byte, error)
	Stat(name string) (fs.FileInfo, error)
	// ReadDir lists a directory, sorted by name.
	ReadDir(name string) ([]fs.DirEntry, error)
}

// OutsideError says that a file lies outside the project root, so that it is
// not read.
type OutsideError struct{ Path, Root string }

func (e *OutsideError) Error() string {
	return fmt.Sprintf("%s is outside the project root %s; name a wider one with --root", e.Path, e.Root)
}

// Jail reads below one directory only, whatever links and ".." a name holds.
type Jail struct {
	dir  string
	real string // dir without symbolic links
	root *os.Root
}

// OpenJail opens the jail at a directory. Close lets go of it.
func OpenJail(dir string) (*Jail, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = dir
	}
	return &Jail{dir: dir, real: real, root: root}, nil
}

// Close lets go of the directory.
func (j *Jail) Close() error { return j.root.Close() }

// rel turns an absolute name into one relative to the root. A root that was
// named through a symbolic link is known by both of its names.
func (j *Jail) rel(name string) (string, bool) {
	for _, base := range [...]string{j.dir, j.real} {
		if r, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(r) {
			return r, true
		}
	}
	return "", false
}

func (j *Jail) outside(name string) error { return &OutsideError{Path: name, Root: j.dir} }

// explain finds out whether os.Root refused a name because a symbolic link
// leads outside. The package does not export that error, but it is no *Errno.
func (j *Jail) explain(name string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) && strings.Contains(pe.Err.Error(), "escapes") {
		return j.outside(name)
	}
	return err
}

// ReadFile reads a whole file.
func (j *Jail) ReadFile(name string) ([]byte, error) {
	rel, ok := j.rel(name)
	if !ok {
		return nil, j.outside(name)
	}
	b, err := j.root.ReadFile(rel)
	return b, j.explain(name, err)
}

// Stat describes a file, following links as long as they stay below the root.
func (j *Jail) Stat(name string) (fs.FileInfo, error) {
	rel, ok := j.rel(name)
	if !ok {
		return nil, j.outside(name)
	}
	info, err := j.root.Stat(rel)
	return info, j.explain(name, err)
}

// ReadDir lists a directory.
func (j *Jail) ReadDir(name string) ([]fs.DirEntry, error) {
	rel, ok := j.rel(name)
	if !ok {
		return nil, j.outside(name)
	}
	d, err := j.root.Open(rel)
	if err != nil {
		return nil, j.explain(name, err)
	}
	defer d.Close()
	list, err := d.ReadDir(-1)
	sort.Slice(list, func(a, b int) bool { return list[a].Name() < list[b].Name() })
	return list, err
}

// Disk is the file system without a jail: what build, build-params and lint
// read from when no project root is set.
type Disk struct{}

// ReadFile reads a whole file.
func (Disk) ReadFile(name string) ([]byte, error) { return os.ReadFile(name) }

// Stat describes a file.
func (Disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// ReadDir lists a directory.
func (Disk) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// Memory is a file system of texts by absolute path with forward slashes, for
// tests and for texts that lie nowhere.
type Memory map[string]string

func (m Memory) clean(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

func (m Memory) isDir(name string) bool {
	prefix := strings.TrimSuffix(name, "/") + "/"
	for p := range m {
		if strings.HasPrefix(p, prefix) {
			return true
		}
	}
	return false
}

// ReadFile reads a whole file.
func (m Memory) ReadFile(name string) ([]byte, error) {
	name = m.clean(name)
	if t, ok := m[name]; ok {
		return []byte(t), nil
	}
	if m.isDir(name) {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("is a directory")}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Stat describes a file.
func (m Memory) Stat(name string) (fs.FileInfo, error) {
	name = m.clean(name)
	if t, ok := m[name]; ok {
		return memoryInfo{name: name, size: int64(len(t))}, nil
	}
	if m.isDir(name) {
		return memoryInfo{name: name, dir: true}, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// ReadDir lists a directory.
func (m Memory) ReadDir(name string) ([]fs.DirEntry, error) {
	name = m.clean(name)
	prefix := strings.TrimSuffix(name, "/") + "/"
	seen := map[string]memoryInfo{}
	for p, t := range m {
		if rest, ok := strings.CutPrefix(p, prefix); ok {
			first, _, dir := strings.Cut(rest, "/")
			seen[first] = memoryInfo{name: first, size: int64(len(t)), dir: dir}
		}
	}
	if len(seen) == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	list := make([]fs.DirEntry, 0, len(seen))
	for _, info := range seen {
		list = append(list, fs.FileInfoToDirEntry(info))
	}
	sort.Slice(list, func(a, b int) bool { return list[a].Name() < list[b].Name() })
	return list, nil
}

type memoryInfo struct {
	name string
	size int64
	dir  bool
}

func (i memoryInfo) Name() string       { return filepath.Base(i.name) }
func (i memoryInfo) Size() int64        { return i.size }
func (i memoryInfo) ModTime() time.Time { return time.Time{} }
func (i memoryInfo) IsDir() bool        { return i.dir }
func (i memoryInfo) Sys() any           { return nil }
func (i memoryInfo) Mode() fs.FileMode {
	if i.dir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
