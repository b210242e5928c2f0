package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// ListFolder lists a folder, sorted by name, as os.ReadDir and the ReadDir of a source.FS do.
type ListFolder func(path string) ([]fs.DirEntry, error)

// Glob returns the files on the disk that a pattern matches, sorted, and the folder that the
// pattern starts from: that before its first wildcard. A * matches within one
// name, ** any number of folders; letter case does not count, as upstream.
func Glob(pattern string) (root string, paths []string, err error) {
	return GlobIn(os.ReadDir, pattern)
}

// GlobIn is Glob for files that a function lists.
func GlobIn(list ListFolder, pattern string) (root string, paths []string, err error) {
	pattern = filepath.ToSlash(pattern)
	wild := strings.IndexByte(pattern, '*')
	if wild < 0 {
		wild = len(pattern)
	}
	root, rest := ".", pattern
	if i := strings.LastIndexByte(pattern[:wild], '/'); i >= 0 {
		root, rest = pattern[:i+1], pattern[i+1:]
	}
	if strings.HasSuffix(rest, "/") {
		rest += "**"
	}
	root, err = filepath.Abs(filepath.FromSlash(root))
	if err != nil {
		return "", nil, err
	}
	parts := strings.Split(strings.ToLower(rest), "/")
	var walk func(folder string, above []string) error
	walk = func(folder string, above []string) error {
		entries, err := list(folder)
		if err != nil {
			if len(above) == 0 {
				return err
			}
			return nil // a folder that cannot be read holds nothing that matches
		}
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			names := append(above[:len(above):len(above)], strings.ToLower(e.Name()))
			switch {
			case !e.IsDir():
				if matchParts(parts, names) {
					paths = append(paths, path)
				}
			case mayMatchBelow(parts, names):
				if err := walk(path, names); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err = walk(root, nil); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	sort.Strings(paths)
	return root, paths, err
}

// MatchPath reports whether a path with slashes matches a pattern, as those of Glob do.
func MatchPath(pattern, path string) bool {
	return matchParts(strings.Split(strings.ToLower(pattern), "/"), strings.Split(strings.ToLower(path), "/"))
}

// matchParts reports whether the names of a path match the parts of a pattern. Where a
// part does not match, the last ** before it takes one more name: those before the last
// need not be tried again, so that the work is no more than parts times names.
func matchParts(parts, names []string) bool {
	i, last, from := 0, -1, 0 // last is the place of the last **, from the name after those it takes
	for n := 0; n < len(names); {
		switch {
		case i < len(parts) && parts[i] == "**":
			if i == len(parts)-1 {
				return true // it stands for at least one name
			}
			last, from = i, n
			i++
		case i < len(parts) && source.Match(parts[i], names[n], 0):
			i++
			n++
		case last >= 0:
			from++
			i, n = last+1, from
		default:
			return false
		}
	}
	return i == len(parts)
}

// mayMatchBelow reports whether something in the folder of those names can match.
func mayMatchBelow(parts, names []string) bool {
	for i, name := range names {
		if i >= len(parts) {
			return false
		}
		if parts[i] == "**" {
			return true
		}
		if !source.Match(parts[i], name, 0) {
			return false
		}
	}
	return len(parts) > len(names)
}
