// Package azlibrary finds the library of Azure's types that a compile uses: built in, in a file, or
// in the user's cache.
package azlibrary

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes/store"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// None is the path that stands for no library at all.
const None = "none"

// Source is where the library of Azure's types is. It is opened when it is needed.
type Source struct {
	Where string // "built in", the path of a file, or ""
	file  bool
	once  sync.Once
	lib   *aztypes.Library
	data  []byte // of the file
	Err   error
}

// Find decides where the library is: at the path that is given, built in, or
// in the user's cache. A file has to be there.
func Find(path string) (*Source, error) {
	switch {
	case path == None:
		return &Source{}, nil
	case path != "":
		if s, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("the library of Azure's types: %w", err)
		} else if !s.Mode().IsRegular() {
			return nil, &report.HintedError{Text: fmt.Sprintf("the library of Azure's types: %s is not a file", path),
				Hint: report.HintPackTypes}
		}
		return &Source{Where: path, file: true}, nil
	case aztypes.HasEmbedded():
		return &Source{Where: "built in"}, nil
	}
	if s, err := store.Open(); err == nil {
		if _, err := os.Stat(s.Path()); err == nil {
			return &Source{Where: s.Path(), file: true}, nil
		}
	}
	return &Source{}, nil
}

// Open returns the library, or nil if there is none or it cannot be read.
func (a *Source) Open() *aztypes.Library {
	a.once.Do(func() {
		switch {
		case a.file:
			if a.data, a.Err = os.ReadFile(a.Where); a.Err == nil {
				a.lib, a.Err = libraryOf(a.data, a.Where)
			}
			if a.Err != nil {
				a.Err = fmt.Errorf("the library of Azure's types in %s: %w", a.Where, a.Err)
			}
		case a.Where != "":
			a.lib = aztypes.Embedded()
		}
	})
	return a.lib
}

// IsSame reports whether a library of Azure's types that was found now is the one that an
// earlier compilation has used.
func (a *Source) IsSame(now *Source) bool {
	switch {
	case a.Where != now.Where || a.file != now.file:
		return false
	case !a.file || a.lib == nil: // it is part of the program, or was not needed
		return true
	}
	data, err := os.ReadFile(now.Where)
	return err == nil && bytes.Equal(data, a.data)
}

// libraryOf returns the library that a file holds, or that is made of the archive of types
// that it holds.
func libraryOf(data []byte, path string) (*aztypes.Library, error) {
	if !IsGzip(data) {
		return aztypes.Verified(data)
	}
	return Converted(data, func() ([]byte, error) { return PackArchive(data, filepath.Base(path)) })
}

func IsGzip(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) }

// Converted returns the library that an archive is made into. What is made is
// kept in the user's cache.
func Converted(archive []byte, convert func() ([]byte, error)) (*aztypes.Library, error) {
	s, err := store.Open()
	if err != nil { // there is no cache
		if convert == nil {
			return nil, nil
		}
		data, err := convert()
		if err != nil {
			return nil, err
		}
		return aztypes.Verified(data)
	}
	return s.Converted(archive, convert)
}

// PackArchive makes a library of an archive of types, in the published form or in
// that which is on disk.
func PackArchive(data []byte, source string) ([]byte, error) {
	lib, err := openArchive(typelib.NewArchive(data))
	if err != nil {
		var inner error
		if lib, inner = openArchive(typelib.NewLocalArchive(data)); inner != nil {
			return nil, err
		}
	}
	if !lib.IsAz() {
		return nil, fmt.Errorf("the archive holds the types of %s, not Azure's", lib.Settings().ExtensionName)
	}
	return lib.PackAz(source)
}

func openArchive(a *typelib.Archive, err error) (*typelib.Library, error) {
	if err != nil {
		return nil, err
	}
	return typelib.OpenLibrary(a)
}
