package pack

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"
)

// Repository makes the library of the types in a copy of the official repository, or
// in its folder generated. The repository's licence goes into the library.
func Repository(path, source string) ([]byte, error) {
	folder, paths, err := Folder(path)
	if err != nil {
		return nil, err
	}
	o := Options{Source: source}
	for _, licence := range []string{filepath.Join(path, "LICENSE"), filepath.Join(path, "..", "LICENSE")} {
		if text, err := os.ReadFile(licence); err == nil {
			o.Licence = string(text)
			break
		}
	}
	library, err := Make(Files(folder, paths), o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return library, nil
}

// Folder returns the files of types in a copy of the official repository, or in another
// folder, in the order in which the
// official index counts them: by their paths, ignoring case.
func Folder(path string) (folder fs.FS, paths []string, err error) {
	generated := filepath.Join(path, "generated")
	if s, err := os.Stat(generated); err != nil || !s.IsDir() {
		generated = path
	}
	folder = os.DirFS(generated)
	err = fs.WalkDir(folder, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "types.json" && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	})
	if err == nil && len(paths) == 0 {
		err = fmt.Errorf("%s: there is no types.json in the folder or below; "+
			"want a clone of https://github.com/Azure/bicep-types-az, or its folder generated", path)
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return folder, paths, err
}

// Files reads files of a folder one after the other.
func Files(folder fs.FS, paths []string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for _, path := range paths {
			b, err := fs.ReadFile(folder, path)
			// b is not written to any more.
			if !yield(File{path, unsafe.String(unsafe.SliceData(b), len(b))}, err) || err != nil {
				return
			}
		}
	}
}
