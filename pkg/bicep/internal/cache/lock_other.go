//go:build !unix && !windows

package cache

import "os"

// openLocked opens a file. A system without locks, such as WebAssembly, has no other process that uses the cache.
func openLocked(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
}
