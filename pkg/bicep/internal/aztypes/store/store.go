// Package store keeps libraries of Azure's types in the user's cache: one that the
// user has put there, and those that archives have been made into.
package store

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Store is a folder of libraries.
type Store struct{ folder string }

// Open returns the store of the user. It does not have to be there.
func Open() (*Store, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return At(filepath.Join(cache, "rad", "azure-types")), nil
}

// At returns the store in a folder.
func At(folder string) *Store { return &Store{folder} }

// Path returns where the library is that the user has put there.
func (s *Store) Path() string { return filepath.Join(s.folder, libraryName) }

const libraryName = "library.aztypes"

// Put makes a library the user's.
func (s *Store) Put(library []byte) error { return s.write(libraryName, library) }

// Converted returns the library that an archive was made into. If it is not there it
// is made, and kept if the store can be written to. Without convert it is looked up
// only, and may be nil.
func (s *Store) Converted(archive []byte, convert func() ([]byte, error)) (*aztypes.Library, error) {
	sum := sha256.Sum256(archive)
	name := hex.EncodeToString(sum[:]) + ".aztypes"
	if data, err := (source.Disk{}).ReadFile(filepath.Join(s.folder, name)); err == nil {
		if lib, err := aztypes.Verified(data); err == nil {
			return lib, nil
		}
		// It is damaged, or of another version of rad.
	}
	if convert == nil {
		return nil, nil
	}
	data, err := convert()
	if err != nil {
		return nil, err
	}
	_ = s.write(name, data) // where nothing can be kept, it is made each time
	return aztypes.Verified(data)
}

// RemoveConverted removes the libraries that archives were made into, and what killed processes
// left behind. It returns how many libraries there were. The one that the user has put there stays.
func (s *Store) RemoveConverted() (n int, err error) {
	in, err := s.open(false)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer in.Close()
	removeUnfinished(in, 0)
	entries, err := fs.ReadDir(in.FS(), ".")
	for _, e := range entries {
		if name := e.Name(); name != libraryName && strings.HasSuffix(name, ".aztypes") {
			if err := in.Remove(name); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, err
}

// write puts a file into the store, so that a reader finds all of it or nothing.
func (s *Store) write(name string, data []byte) error {
	in, err := s.open(true)
	if err != nil {
		return err
	}
	defer in.Close()
	removeUnfinished(in, staleAfter)
	unfinished := unfinishedPrefix + rand.Text()
	f, err := in.OpenFile(unfinished, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = in.Rename(unfinished, name)
	}
	if err != nil {
		_ = in.Remove(unfinished)
	}
	return err
}

const (
	unfinishedPrefix = ".new-"       // begins the names of files that are being written
	staleAfter       = 6 * time.Hour // the age at which the process that wrote one was killed
)

// removeUnfinished removes files of an age that were not written to the end.
func removeUnfinished(in *os.Root, age time.Duration) {
	entries, _ := fs.ReadDir(in.FS(), ".")
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() &&
			strings.HasPrefix(e.Name(), unfinishedPrefix) && time.Since(info.ModTime()) >= age {
			_ = in.Remove(e.Name())
		}
	}
}

// open opens the folder of the store, and makes it if that is wanted. A job of a CI system may keep
// its cache in the checkout: in a git work tree, no link leads out of it, or into git's own folder.
func (s *Store) open(create bool) (*os.Root, error) {
	top := gitTop(s.folder)
	if top == "" {
		if create {
			if err := os.MkdirAll(s.folder, 0o755); err != nil {
				return nil, err
			}
		}
		return os.OpenRoot(s.folder)
	}
	rel, err := filepath.Rel(top, s.folder)
	if err == nil {
		top, err = filepath.EvalSymlinks(top)
	}
	if err == nil {
		err = source.CheckLinks(top, rel)
	}
	if err != nil {
		return nil, err
	}
	tree, err := os.OpenRoot(top)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	if create {
		err = tree.MkdirAll(rel, 0o755)
	}
	if err != nil {
		return nil, err
	}
	return tree.OpenRoot(rel)
}

// gitTop returns the git work tree that a folder is in, or "".
func gitTop(dir string) string {
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
	}
	return ""
}
