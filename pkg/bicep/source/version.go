package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A Version stands for the content of a file, by what the file system knows of it: where the file
// is, how long it is, and when it last changed. Equal versions other than the zero Version
// are of the same content. The zero Version says that only reading tells.
type Version struct {
	device, node      uint64
	size              int64
	modified, changed int64 // nanoseconds
}

// VersionOf returns the version that a file has, and the zero Version where files have none.
// Unlike the others it may be that of a file that has just changed, and so of two contents.
func VersionOf(info fs.FileInfo) Version { return versionOf(info) }

// Known reports whether v is not the zero Version.
func (v Version) Known() bool { return v != Version{} }

// VersionFS is an FS that can tell, without reading it, that a file is as it was.
type VersionFS interface {
	FS
	// Versions returns a function that returns the version of a file. Ask for the version
	// before the file is read. The function looks at each folder once, so it serves for one
	// compile, and may return nil.
	Versions() func(name string) Version
}

// Versions returns a function that returns the versions of files of an FS, or nil.
func Versions(fsys FS) func(name string) Version {
	if v, ok := fsys.(VersionFS); ok {
		return v.Versions()
	}
	return nil
}

// A file that has changed a moment ago may change again and have the same times. Times are
// those of the last tick of the kernel's clock, of which there are at least 100 a second,
// or whole seconds.
const (
	tick       = 100 * time.Millisecond
	coarseTick = 2 * time.Second
)

// Versions implements VersionFS. A file has a version if it lies on a local disk, was not
// changed just now, and, below a root, no link leads to it.
func (d Disk) Versions() func(name string) Version {
	if !hasVersions || d.root != nil && d.root.open() != nil {
		return nil
	}
	v := &versions{root: d.root, now: time.Now(), folders: map[string]bool{}, devices: map[uint64]bool{}}
	return v.of
}

// versions tells versions in one compile.
type versions struct {
	root *root
	now  time.Time

	mu      sync.Mutex
	folders map[string]bool // below the root: whether no link leads to them, and they are not git's
	devices map[uint64]bool // whether they are local disks
}

func (v *versions) of(name string) Version {
	look := os.Stat
	if v.root != nil {
		look = os.Lstat
		if filepath.Clean(name) != name || isGitFolder(filepath.Base(name)) || !v.isFolder(filepath.Dir(name)) {
			return Version{}
		}
	}
	info, err := look(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > MaxFile {
		return Version{}
	}
	version := versionOf(info)
	if !version.isSettled(v.now) || !v.isLocal(version.device, name) {
		return Version{}
	}
	return version
}

// isSettled reports whether the file would have another version if it changed now.
func (v Version) isSettled(now time.Time) bool {
	wait := tick
	if v.changed%int64(time.Second) == 0 {
		wait = coarseTick
	}
	return v.changed != 0 && now.UnixNano()-v.changed >= int64(wait)
}

// isFolder reports whether a path is the root or a folder below it that no link leads to.
func (v *versions) isFolder(path string) bool {
	if path == v.root.dir || path == v.root.resolved {
		return true
	}
	v.mu.Lock()
	is, known := v.folders[path]
	v.mu.Unlock()
	if known {
		return is
	}
	if up := filepath.Dir(path); up != path && !isGitFolder(filepath.Base(path)) && v.isFolder(up) {
		info, err := os.Lstat(path)
		is = err == nil && info.Mode().Type() == fs.ModeDir
	}
	v.mu.Lock()
	v.folders[path] = is
	v.mu.Unlock()
	return is
}

// isLocal reports whether a device is a local disk: others have clocks of their own, and
// may report a change late.
func (v *versions) isLocal(device uint64, name string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	is, known := v.devices[device]
	if !known {
		is = isLocalDisk(name)
		v.devices[device] = is
	}
	return is
}
