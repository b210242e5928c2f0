//go:build unix

package workdir

import (
	"io/fs"
	"sync"
	"syscall"
)

// umask returns the mask that new files are made with. Reading it means setting
// it for a moment.
var umask = sync.OnceValue(func() fs.FileMode {
	old := syscall.Umask(0o077)
	syscall.Umask(old)
	return fs.FileMode(old)
})
