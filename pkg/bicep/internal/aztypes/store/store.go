// Package store keeps libraries of Azure's types in the user's cache: one that the
// user has put there, and those that archives have been made into.
package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
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
func (s *Store) Path() string { return filepath.Join(s.folder, "library.aztypes") }

// Put makes a library the user's.
func (s *Store) Put(library []byte) error { return s.write(s.Path(), library) }

// Converted returns the library that an archive was made into. If it is not there it
// is made, and kept if the store can be written to. Without convert it is looked up
// only, and may be nil.
func (s *Store) Converted(archive []byte, convert func() ([]byte, error)) (*aztypes.Library, error) {
	sum := sha256.Sum256(archive)
	path := filepath.Join(s.folder, hex.EncodeToString(sum[:])+".aztypes")
	if data, err := os.ReadFile(path); err == nil {
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
	_ = s.write(path, data) // where nothing can be kept, it is made each time
	return aztypes.Verified(data)
}

// RemoveConverted removes the libraries that archives were made into, and returns how
// many there were. The one that the user has put there stays.
func (s *Store) RemoveConverted() (n int, err error) {
	entries, err := os.ReadDir(s.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	for _, e := range entries {
		name := filepath.Join(s.folder, e.Name())
		if name == s.Path() || !strings.HasSuffix(name, ".aztypes") {
			continue
		}
		if err := os.Remove(name); err != nil {
			return n, err
		}
		n++
	}
	return n, err
}

// write puts a file into the store, so that a reader finds all of it or nothing.
func (s *Store) write(path string, data []byte) error {
	if err := os.MkdirAll(s.folder, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.folder, ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
