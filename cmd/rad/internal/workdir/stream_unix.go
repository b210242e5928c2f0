//go:build unix

package workdir

import (
	"io/fs"
	"os"
	"syscall"
)

// duplicate returns a stream of this process as a file of its own.
func duplicate(fd int, name string) (*os.File, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	n, err := syscall.Dup(fd)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	syscall.CloseOnExec(n)
	return os.NewFile(uintptr(n), name), nil
}
