//go:build !unix && !windows

package cache

import (
	"errors"
	"os"
)

// openLocked opens a file. WebAssembly has no locks, so two processes must not restore into one cache there.
func openLocked(name string) (*os.File, error) {
	// A cache may be in a repository, whose links lead anywhere.
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, &os.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
}
