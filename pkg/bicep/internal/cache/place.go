package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Place is the folder of a cache.
type Place struct {
	Dir string
	// Within is the folder that the cache does not leave, through links either. It is "" for
	// a cache that only the user decides about.
	Within string
}

// PlaceOf returns the place of the cache that files with a configuration use: the one that
// the user names, or else the configuration's. Below the root of a project, files are read
// from project. The error says why the cache is not used.
func PlaceOf(user string, c *config.Config, root string, project source.FS) (Place, error) {
	p := Place{Dir: user}
	if user == "" {
		p.Dir = c.CacheDir()
	}
	if root == "" || p.Dir == "" {
		return p, nil
	}
	if user == "" && p.Dir == config.DefaultCacheDir() {
		// It is the user's own. But a job may have its home folder in the checkout, which may hold
		// links of these names.
		if _, within := below(root, p.Dir); !within {
			return p, nil
		}
	}
	abs, err := filepath.Abs(p.Dir)
	if err != nil {
		return p, err
	}
	var outside *source.OutsideError
	if _, err = project.Stat(abs); errors.As(err, &outside) && !outside.Link && user != "" {
		return p, nil // users name folders anywhere
	} else if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	p.Within = root
	return p, err
}

// below returns the name of a path in a folder, which may be named through a link.
func below(folder, path string) (string, bool) {
	for _, base := range [...]string{folder, resolved(folder)} {
		if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
			return rel, true
		}
	}
	return "", false
}

// resolved returns a path without links, or as it is where it does not exist.
func resolved(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}

// open opens the folder of the cache.
func (p Place) open() (*os.Root, error) {
	if p.Within == "" {
		return os.OpenRoot(p.Dir)
	}
	rel, ok := below(p.Within, p.Dir)
	if !ok {
		return nil, &source.OutsideError{Path: p.Dir, Root: p.Within}
	}
	within, err := os.OpenRoot(p.Within)
	if err != nil {
		return nil, err
	}
	defer within.Close()
	return within.OpenRoot(rel)
}

// openFolder opens a folder in an open one. It follows no link.
func openFolder(in *os.Root, name string) (*os.Root, error) {
	info, err := in.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a folder")}
	}
	sub, err := in.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	opened, err := sub.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("it was replaced meanwhile")}
	}
	if err != nil {
		sub.Close()
		return nil, err
	}
	return sub, nil
}

// readFolder lists an open folder, sorted by name.
func readFolder(in *os.Root) ([]fs.DirEntry, error) { return fs.ReadDir(in.FS(), ".") }

// ReadLock reads the lock file at a path. Below a root, project says what may be read. Without one,
// the file is no link that leads out of its folder: sources are then read wherever they point, as the
// official compiler does, but that one knows no lock file.
func ReadLock(project source.FS, root, path string) (*lockfile.File, error) {
	if root == "" && leadsOut(path) {
		return nil, &source.OutsideError{Path: path, Root: filepath.Dir(path), Link: true}
	}
	return lockfile.Read(project, path)
}

// leadsOut reports whether a file is a link that leads out of the folder that it is in.
func leadsOut(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0 {
		return false
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(path))
	return err != nil || source.CheckLinks(folder, filepath.Base(path)) != nil
}
