package cache

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// errLocked says that another process holds a lock.
var errLocked = errors.New("another process holds the lock")

// lockFolder makes a folder, takes the lock in it, as the official compiler does,
// and returns what lets go of it. The lock's file stays, since removing it would
// let two processes hold locks at once.
func lockFolder(ctx context.Context, dir string, wait time.Duration) (unlock func(), err error) {
	return lockFile(ctx, filepath.Join(dir, lockName), wait)
}

// Exclusive keeps other processes of this machine, and other goroutines, from what they do
// under the same name, until unlock is called. The lock is a file in the cache, which is
// removed. Where the cache cannot be written, Exclusive returns at once and keeps nobody out.
func Exclusive(ctx context.Context, root, name string) (unlock func()) {
	if _, err := os.Stat(root); err != nil {
		return func() {}
	}
	sum := sha256.Sum256([]byte(name))
	file := filepath.Join(root, stagePrefix+hex.EncodeToString(sum[:8])+".lock")
	release, err := lockFile(ctx, file, lockWait)
	if err != nil {
		return func() {}
	}
	return func() {
		os.Remove(file)
		release()
	}
}

// lockFile makes a file and the folders above it, and takes the lock of the file.
func lockFile(ctx context.Context, name string, wait time.Duration) (unlock func(), err error) {
	dir := filepath.Dir(name)
	for deadline := time.Now().Add(wait); ; {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		f, err := openLocked(name)
		if err == nil {
			// The folder may have been removed, and made again, meanwhile.
			if sameFile(f, name) {
				return func() { f.Close() }, nil
			}
			f.Close()
			continue
		}
		if !errors.Is(err, errLocked) && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("another process has kept %s for %v", name, wait)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func sameFile(f *os.File, name string) bool {
	a, err1 := f.Stat()
	b, err2 := os.Stat(name)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}
