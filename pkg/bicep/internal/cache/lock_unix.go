//go:build unix

package cache

import (
	"errors"
	"os"
	"syscall"
)

// openLocked opens a file that no other process has locked. .NET locks files that it
// opens without sharing in the same way.
func openLocked(name string) (*os.File, error) {
	// A cache may be in a repository, whose links lead anywhere.
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o666)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return nil, errLocked
	}
	return nil, &os.PathError{Op: "lock", Path: name, Err: err}
}
