package source

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Overlay lays texts over the files of an FS: those that an editor has not saved, or that are still to be written. They
// are read as if they were there. The texts must not be changed while a compile reads them.
type Overlay struct {
	Below FS
	Texts map[string]string // by the clean absolute path, in the form of the operating system
}

func (o Overlay) text(name string) (string, bool) {
	t, ok := o.Texts[filepath.Clean(name)]
	return t, ok
}

// ReadFile reads a text, or else a file.
func (o Overlay) ReadFile(name string) ([]byte, error) {
	if t, ok := o.text(name); ok {
		return []byte(t), nil
	}
	return o.Below.ReadFile(name)
}

// Stat describes a file.
func (o Overlay) Stat(name string) (fs.FileInfo, error) {
	if t, ok := o.text(name); ok {
		return memoryInfo{name: name, size: int64(len(t))}, nil
	}
	return o.Below.Stat(name)
}

// IsLink implements LinkFS.
func (o Overlay) IsLink(name string) bool { return IsLink(o.Below, name) }

// ReadDir lists a directory with the texts in it. One of which there is no directory yet is not listed.
func (o Overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := o.Below.ReadDir(name)
	if err != nil {
		return nil, err
	}
	byName := func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) }
	for path, t := range o.Texts {
		base := filepath.Base(path)
		if i, found := slices.BinarySearchFunc(list, base, byName); !found && filepath.Dir(path) == filepath.Clean(name) {
			list = slices.Insert(list, i, fs.FileInfoToDirEntry(memoryInfo{name: path, size: int64(len(t))}))
		}
	}
	return list, nil
}

// Versions implements VersionFS: a text has no version.
func (o Overlay) Versions() func(name string) Version {
	below := Versions(o.Below)
	if below == nil {
		return nil
	}
	return func(name string) Version {
		if _, ok := o.text(name); ok {
			return Version{}
		}
		return below(name)
	}
}
