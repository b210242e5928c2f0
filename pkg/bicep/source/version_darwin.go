package source

import (
	"io/fs"
	"syscall"
)

const hasVersions = true

// versionOf returns the version that a file has, settled or not. Every write sets the time
// of the last change, and no program can set it back.
func versionOf(info fs.FileInfo) Version {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Version{}
	}
	return Version{uint64(s.Dev), s.Ino, s.Size, s.Mtimespec.Nano(), s.Ctimespec.Nano()}
}

// isLocalDisk reports whether a file lies on a disk whose files change only by way of this
// kernel.
func isLocalDisk(name string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(name, &s) != nil {
		return false
	}
	var kind []byte
	for _, c := range s.Fstypename {
		if c == 0 {
			break
		}
		kind = append(kind, byte(c))
	}
	return string(kind) == "apfs" || string(kind) == "hfs"
}
