package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// writeFile gives a file its content at once: whoever looks sees the old content
// or the new, whatever happens in between. Content that is there already is left alone.
func writeFile(path string, content []byte) error { return writeFileMode(path, content, 0o644) }

// writeFileMode is writeFile with the mode that a new file gets.
func writeFileMode(path string, content []byte, mode fs.FileMode) error {
	// A link stays one: what it points to is replaced.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mask := umask()
	if info, err := os.Stat(path); err == nil {
		mask = 0
		if info.IsDir() {
			return &fs.PathError{Op: "write", Path: path, Err: errors.New("is a folder")}
		}
		if !info.Mode().IsRegular() { // /dev/stdout, a pipe
			return os.WriteFile(path, content, mode)
		}
		if mode&0o077 != 0 { // what is not to be private keeps its mode
			mode = info.Mode().Perm()
		}
		if info.Size() == int64(len(content)) {
			if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
				return nil
			}
		}
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(folder, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it was renamed
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(mode &^ mask)
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// glob returns the files that a pattern matches, sorted, and the folder that the
// pattern starts from: that before its first wildcard. A * matches within one
// name, ** any number of folders; letter case does not count, as upstream.
func glob(pattern string) (root string, paths []string, err error) {
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
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == root {
				return err
			}
			return nil // a folder that cannot be read holds nothing that matches
		}
		rel, err := filepath.Rel(root, path)
		if err != nil || rel == "." {
			return err
		}
		names := strings.Split(strings.ToLower(filepath.ToSlash(rel)), "/")
		if d.IsDir() {
			if !mayMatchBelow(parts, names) {
				return filepath.SkipDir
			}
			return nil
		}
		if matchParts(parts, names) {
			paths = append(paths, path)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	sort.Strings(paths)
	return root, paths, err
}

// matchParts reports whether the names of a path match the parts of a pattern.
func matchParts(parts, names []string) bool {
	for len(parts) > 0 {
		if parts[0] == "**" {
			if len(parts) == 1 {
				return len(names) > 0
			}
			for i := range names {
				if matchParts(parts[1:], names[i:]) {
					return true
				}
			}
			return false
		}
		if len(names) == 0 || !matchName(parts[0], names[0]) {
			return false
		}
		parts, names = parts[1:], names[1:]
	}
	return len(names) == 0
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
		if !matchName(parts[i], name) {
			return false
		}
	}
	return len(parts) > len(names)
}

// matchName matches one name; only * is special.
func matchName(pattern, name string) bool {
	pieces := strings.Split(pattern, "*")
	if len(pieces) == 1 {
		return pattern == name
	}
	if !strings.HasPrefix(name, pieces[0]) {
		return false
	}
	name = name[len(pieces[0]):]
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(name, piece)
		if i < 0 {
			return false
		}
		name = name[i+len(piece):]
	}
	return strings.HasSuffix(name, pieces[len(pieces)-1])
}
