package workdir

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Slashed returns a path as answers show it.
func Slashed(path string) string { return filepath.ToSlash(path) }

func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func SameFile(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// IsSelf reports whether a path leads to this very program.
func IsSelf(path string) bool {
	self, err := os.Executable()
	return err == nil && SameFile(self, path)
}

// Executable returns the path of a program: the file at path, or the one of the
// given name in the folder at path.
func Executable(path, name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		path = filepath.Join(path, name)
		if info, err = os.Stat(path); err != nil {
			return "", err
		}
	}
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		return "", fmt.Errorf("%s is not a program that can be run", path)
	}
	return filepath.Abs(path)
}

func IsLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// Shown returns a path relative to the working directory, if it is in there.
func Shown(path string) string {
	cwd, err := os.Getwd()
	if err != nil {
		return path
	}
	if rel, err := filepath.Rel(cwd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// Stem returns the name of a file without its extension.
func Stem(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// Within reports whether a path is in a folder.
func Within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

func Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// GitTop returns the work tree that a folder is in, or "".
func GitTop(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}
