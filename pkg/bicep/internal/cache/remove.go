package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
)

// A cache may be in a repository, which can hold anything under the names of a cache. Nothing
// is removed but files that a cache has, in folders that hold nothing else, and no link is
// followed.

// Remove removes the folder of an artifact, and the folders above it that hold nothing else. If
// the folder is not one of an artifact alone, Remove returns why it was left.
func Remove(place Place, dir string) (left *Rest, err error) {
	rel, err := filepath.Rel(place.Dir, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return nil, fmt.Errorf("%s is not in the cache %s", dir, place.Dir)
	}
	parts := strings.Split(rel, string(filepath.Separator))
	if _, ok := referenceOf(parts, artifact.Module); !ok {
		return &Rest{dir, "its name is not that of an artifact's folder"}, nil
	}
	root, err := place.open()
	if err != nil {
		return nil, err
	}
	path := []*os.Root{root} // the open folders, the outermost first
	defer func() {
		for _, in := range path {
			in.Close()
		}
	}()
	for _, name := range parts {
		sub, err := openFolder(path[len(path)-1], name)
		if err != nil {
			return nil, err
		}
		path = append(path, sub)
	}
	for i := len(parts) - 1; i >= 0; i-- {
		in := path[i+1]
		path = path[:i+1]
		if i == len(parts)-1 {
			other, err := empty(in, filesOf(parts))
			if err != nil || other != "" {
				in.Close()
				if err == nil {
					left = &Rest{dir, "it also holds " + other + ", which is not a file of an artifact"}
				}
				return left, err
			}
		} else {
			removeStages(in, 0)
		}
		in.Close() // some systems remove no open folder
		err := path[i].Remove(parts[i])
		switch {
		case err != nil && i == len(parts)-1:
			return nil, err
		case err != nil:
			return nil, nil // it holds something
		}
	}
	return nil, nil
}

// empty removes the files with the given names from a folder. If the folder holds anything
// else, empty removes nothing, and returns the name of that.
func empty(in *os.Root, names []string) (other string, err error) {
	c, err := contentOf(in, names)
	if err != nil || c.other != "" {
		return c.other, err
	}
	for _, name := range names {
		if err := in.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}

// removeStages removes the stages and locks in a folder that are of an age, such as those
// that killed processes left behind.
func removeStages(in *os.Root, age time.Duration) {
	entries, err := readFolder(in)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(name, stagePrefix) || time.Since(info.ModTime()) < age {
			continue
		}
		switch {
		case info.Mode().IsRegular() && info.Size() == 0 && strings.HasSuffix(name, ".lock"):
			in.Remove(name)
		case info.IsDir() && strings.Trim(name[len(stagePrefix):], "0123456789") == "":
			sub, err := openFolder(in, name)
			if err != nil {
				continue
			}
			other, err := empty(sub, ociFiles)
			sub.Close()
			if err == nil && other == "" {
				in.Remove(name)
			}
		}
	}
}

// Sweep removes the stages and locks that killed processes left behind in a cache, wherever in it they
// are. A stage is otherwise removed when the next version of its artifact is fetched, if ever.
func Sweep(dir string) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return // there is no cache
	}
	defer root.Close()
	sweep(root, 3) // the cache, its schemes, registries and repositories
}

// isScheme reports whether a folder is one that a cache begins with.
func isScheme(name string) bool {
	for _, s := range schemes {
		if s.folder == name {
			return true
		}
	}
	return false
}

// sweep is Sweep for a folder and those that are so many levels below it. It follows no link.
func sweep(in *os.Root, levels int) {
	removeStages(in, staleAfter)
	if levels == 0 {
		return
	}
	entries, err := readFolder(in)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || strings.HasPrefix(e.Name(), stagePrefix) || levels == 3 && !isScheme(e.Name()) {
			continue
		}
		if sub, err := openFolder(in, e.Name()); err == nil {
			sweep(sub, levels-1)
			sub.Close()
		}
	}
}
