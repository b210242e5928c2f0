// Package lockfile reads and prints bicep.lock.json, which pins artifacts of registries to their
// content. The file is made to be committed: sorted, one fact a line, without times, paths or names
// of machines.
//
// Begin with Read or Parse. The package compares nothing with the file: cache does, and restore
// decides what it will say.
package lockfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Name is the name of the file.
const Name = "bicep.lock.json"

// Version is the version of the format.
const Version = 1

// File is the content of a lock file.
type File struct {
	Path    string           // where it lies, or would
	Exists  bool             // whether it was there to be read
	Entries map[string]Entry // by reference, aliases resolved
}

// Entry pins one artifact.
type Entry struct {
	Type      artifact.Type
	Digest    string // of the manifest
	Size      int64  // of the manifest
	MediaType string // of the manifest
	Layers    []Layer
}

// Layer is a layer of an artifact that the compiler or an editor uses.
type Layer struct {
	MediaType string
	Digest    string
	Size      int64
}

// Main returns the layer that is compiled.
func (e Entry) Main() Layer {
	for _, l := range e.Layers {
		if e.Type == artifact.Recipe || strings.EqualFold(l.MediaType, e.Type.Layer()) {
			return l
		}
	}
	return Layer{}
}

// Equal reports whether two entries say the same.
func (e Entry) Equal(o Entry) bool {
	return e.Type == o.Type && e.Digest == o.Digest && e.Size == o.Size && e.MediaType == o.MediaType && slices.Equal(e.Layers, o.Layers)
}

// Entry returns the entry of a reference.
func (f *File) Entry(a *artifact.Reference) (Entry, bool) {
	if f == nil || a.Scheme != artifact.OCI {
		return Entry{}, false
	}
	e, ok := f.Entries[a.String()]
	return e, ok
}

// Place returns where the lock file of a program lies: beside the outermost
// bicepconfig.json between the entry file and the root, or beside the entry file
// if there is none. An empty root stands for the whole file system.
func Place(fsys source.FS, entry, root string) string {
	beside := filepath.Dir(entry)
	found := beside
	for dir := beside; ; {
		if info, err := fsys.Stat(filepath.Join(dir, config.FileName)); err == nil && !info.IsDir() {
			found = dir
		}
		up := filepath.Dir(dir)
		if dir == root || up == dir {
			return filepath.Join(found, Name)
		}
		dir = up
	}
}

// Read reads the lock file at a path. One that is not there has no entries.
func Read(fsys source.FS, path string) (*File, error) {
	text, err := fsys.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &File{Path: path, Entries: map[string]Entry{}}, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	f.Path, f.Exists = path, true
	return f, nil
}

// Bytes returns the text of the file.
func (f *File) Bytes() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"version\": %d,\n  \"artifacts\": {", Version)
	for i, key := range slices.Sorted(maps.Keys(f.Entries)) {
		if i > 0 {
			b.WriteByte(',')
		}
		e := f.Entries[key]
		fmt.Fprintf(&b, "\n    %s: {\n", quote(key))
		fmt.Fprintf(&b, "      \"kind\": %s,\n", quote(e.Type.String()))
		fmt.Fprintf(&b, "      \"digest\": %s,\n", quote(e.Digest))
		fmt.Fprintf(&b, "      \"size\": %s,\n", strconv.FormatInt(e.Size, 10))
		fmt.Fprintf(&b, "      \"mediaType\": %s,\n", quote(e.MediaType))
		b.WriteString("      \"layers\": [")
		for j, l := range e.Layers {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "\n        {\n          \"mediaType\": %s,\n          \"digest\": %s,\n          \"size\": %s\n        }",
				quote(l.MediaType), quote(l.Digest), strconv.FormatInt(l.Size, 10))
		}
		b.WriteString("\n      ]\n    }")
	}
	if len(f.Entries) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("}\n}\n")
	return b.Bytes()
}

func quote(s string) string { return string(armjson.AppendString(nil, s)) }
