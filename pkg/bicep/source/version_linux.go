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
	return Version{uint64(s.Dev), s.Ino, s.Size, s.Mtim.Nano(), s.Ctim.Nano()}
}

// localDisks are the numbers of file systems whose files change only by way of this kernel:
// ext2 to ext4, XFS, Btrfs, tmpfs, ramfs, overlayfs, F2FS, ZFS and bcachefs.
var localDisks = [...]uint32{0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e}

func isLocalDisk(name string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(name, &s) != nil {
		return false
	}
	for _, number := range localDisks {
		if uint32(s.Type) == number {
			return true
		}
	}
	return false
}
