package source

import (
	"errors"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// Memory is a file system of texts by absolute path with forward slashes, such as
// /app.bicep, for tests and servers. On Windows, a name may have a volume before it.
type Memory map[string]string

func (m Memory) clean(name string) string {
	return filepath.ToSlash(filepath.Clean(name[len(filepath.VolumeName(name)):]))
}

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
