package bicep

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

// NoAzTypes is the value of Request.AzTypes that stands for no library at all.
const NoAzTypes = "none"

// AzTypes is the library of Azure's types that compilations use.
type AzTypes struct {
	// Where is "built in", the path of a file, or "" for no library.
	Where string
	// Source says what the library was made of.
	Source string
	// Types is the number of resource types, each version counted.
	Types int
	// Licence is the licence of the types.
	Licence string
}

// FindAzTypes returns the library that a request with this value of AzTypes uses.
func FindAzTypes(path string) (AzTypes, error) {
	source, err := findAzTypes(path)
	if err != nil {
		return AzTypes{}, err
	}
	lib := source.open()
	if lib == nil || source.err != nil {
		return AzTypes{}, source.err
	}
	return describeAzTypes(source.where, lib), nil
}

func describeAzTypes(where string, lib *aztypes.Library) AzTypes {
	return AzTypes{where, lib.Source(), lib.Len(), lib.Licence()}
}

// azSource is where the library of Azure's types is. It is opened when it is needed.
type azSource struct {
	where string // "built in", the path of a file, or ""
	file  bool
	once  sync.Once
	lib   *aztypes.Library
	data  []byte // of the file
	err   error
}

// findAzTypes decides where the library is: at the path that is given, built in, or
// in the user's cache. A file has to be there.
func findAzTypes(path string) (*azSource, error) {
	switch {
	case path == NoAzTypes:
		return &azSource{}, nil
	case path != "":
		if s, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("the library of Azure's types: %w", err)
		} else if !s.Mode().IsRegular() {
			return nil, &report.HintedError{Text: fmt.Sprintf("the library of Azure's types: %s is not a file", path), Hint: report.HintPackTypes}
		}
		return &azSource{where: path, file: true}, nil
	case aztypes.HasEmbedded():
		return &azSource{where: "built in"}, nil
	}
	if s, err := store.Open(); err == nil {
		if _, err := os.Stat(s.Path()); err == nil {
			return &azSource{where: s.Path(), file: true}, nil
		}
	}
	return &azSource{}, nil
}

// open returns the library, or nil if there is none or it cannot be read.
func (a *azSource) open() *aztypes.Library {
	a.once.Do(func() {
		switch {
		case a.file:
			if a.data, a.err = os.ReadFile(a.where); a.err == nil {
				a.lib, a.err = libraryOf(a.data, a.where)
			}
			if a.err != nil {
				a.err = fmt.Errorf("the library of Azure's types in %s: %w", a.where, a.err)
			}
		case a.where != "":
			a.lib = aztypes.Embedded()
		}
	})
	return a.lib
}

// isSame reports whether a library of Azure's types that was found now is the one that an
// earlier compilation has used.
func (a *azSource) isSame(now *azSource) bool {
	switch {
	case a.where != now.where || a.file != now.file:
		return false
	case !a.file || a.lib == nil: // it is part of the program, or was not needed
		return true
	}
	data, err := os.ReadFile(now.where)
	return err == nil && bytes.Equal(data, a.data)
}

// libraryOf returns the library that a file holds, or that is made of the archive of types
// that it holds.
func libraryOf(data []byte, path string) (*aztypes.Library, error) {
	if !isGzip(data) {
		return aztypes.Verified(data)
	}
	return convertedAzTypes(data, func() ([]byte, error) { return packArchive(data, filepath.Base(path)) })
}

func isGzip(data []byte) bool { return bytes.HasPrefix(data, []byte{0x1f, 0x8b}) }

// convertedAzTypes returns the library that an archive is made into. What is made is
// kept in the user's cache.
func convertedAzTypes(archive []byte, convert func() ([]byte, error)) (*aztypes.Library, error) {
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

// packArchive makes a library of an archive of types, in the published form or in
// that which is on disk.
func packArchive(data []byte, source string) ([]byte, error) {
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

// RemoveConvertedAzTypes removes the libraries that archives of Azure's types were made
// into, and returns how many there were. They are made again when they are needed.
func RemoveConvertedAzTypes() (int, error) {
	s, err := store.Open()
	if err != nil {
		return 0, nil // there is no cache
	}
	return s.RemoveConverted()
}
