// Package workdir reads, writes and finds files on the disk for the commands. Begin with Bounds: no
// link of a repository leads a read or a write out of them.
//
// The package does not know what the files contain. The compiler reads its sources through package
// source.
package workdir

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Bounds is the folder that contains a repository's files: the project root, or the
// folder of the entry file where there is none. A user may name files anywhere; what
// the repository names, and every link that is in it, must stay within.
type Bounds struct {
	Dir      string // absolute, as it was named
	Resolved string // dir without links
}

// NewBounds returns the bounds of a folder.
func NewBounds(dir string) Bounds {
	b := Bounds{Dir: dir, Resolved: dir}
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		b.Resolved = resolved
	}
	return b
}

// Contains reports whether a path, whose links are followed already, is within.
func (b Bounds) Contains(path string) bool { return Within(b.Resolved, path) || Within(b.Dir, path) }

// Relative returns the name of a path within the bounds, or the path.
func (b Bounds) Relative(path string) string {
	for _, dir := range [...]string{b.Resolved, b.Dir} {
		if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return path
}

// follow returns where a path leads, and refuses it if a link that is within the bounds leads out
// of them, or if it leads into git's own folder. A path that does not exist leads to itself.
func (b Bounds) follow(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	volume := filepath.VolumeName(abs)
	from, rest := volume+string(filepath.Separator), abs[len(volume):]
	if rel := b.Relative(abs); rel != abs {
		from, rest = b.Resolved, rel
	}
	at, links, err := source.Follow(from, rest)
	if err != nil {
		return "", withPath(path, err)
	}
	if !b.Contains(at) {
		if slices.ContainsFunc(links, b.Contains) {
			return "", &source.OutsideError{Path: abs, Root: b.Dir, Link: true}
		}
		return at, nil
	}
	if source.InGitFolder(b.Relative(at)) {
		return "", &fs.PathError{Op: "open", Path: abs, Err: source.ErrGit}
	}
	return at, nil
}

// Leads returns where a path leads that the user names, which may be outside of the bounds. It is
// refused if a link that is within the bounds leads out of them.
func (b Bounds) Leads(path string) (string, error) { return b.follow(path) }

// Own returns where a path leads that the repository names. It must be within the
// bounds.
func (b Bounds) Own(path string) (string, error) {
	resolved, err := b.follow(path)
	if err == nil && !b.Contains(resolved) {
		err = &source.OutsideError{Path: path, Root: b.Dir}
	}
	return resolved, err
}

// CheckFolder refuses a folder that is written to if it, or a link in it, leads out of
// the bounds.
func (b Bounds) CheckFolder(dir string) error {
	resolved, err := b.follow(dir)
	if err != nil || !b.Contains(resolved) {
		return err
	}
	return filepath.WalkDir(resolved, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.Type()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
			_, err = b.follow(path)
		}
		return err
	})
}

// Stat describes a file that the user named, or that was derived from such a name.
func (b Bounds) Stat(path string) (fs.FileInfo, error) {
	resolved, err := b.follow(path)
	if err != nil {
		return nil, err
	}
	return os.Stat(resolved)
}

// read reads a regular file that the user named, or a stream that is open already.
func (b Bounds) read(path string, most int) ([]byte, error) {
	if f, err := openStream(path); f != nil || err != nil {
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return ReadTextUpTo(f, most)
	}
	text, err := b.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return decodeText(text, most)
}

// readFile reads a regular file.
func (b Bounds) ReadFile(path string) ([]byte, error) {
	f, err := b.openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return source.ReadRegular(f, path)
}

// openFile opens a file, which may turn out not to be a regular one.
func (b Bounds) openFile(path string) (*os.File, error) {
	resolved, err := b.follow(path)
	if err != nil {
		return nil, err
	}
	folder, rel, err := b.openFolder(resolved)
	if err != nil {
		return nil, withPath(path, err)
	}
	defer folder.Close()
	f, err := source.OpenRegularIn(folder, rel)
	return f, withPath(path, err)
}

// Open opens a regular file that the user named, or a stream that is open already.
func (b Bounds) Open(path string) (io.ReadCloser, error) {
	if f, err := openStream(path); f != nil || err != nil {
		return f, err
	}
	f, err := b.openFile(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, cmp.Or(err, error(&fs.PathError{Op: "read", Path: path, Err: source.ErrNotRegular}))
	}
	return f, nil
}

// Entries lists a folder.
func (b Bounds) Entries(dir string) ([]fs.DirEntry, error) {
	resolved, err := b.follow(dir)
	if err != nil {
		return nil, err
	}
	return os.ReadDir(resolved)
}

// Remove removes a file, and no link to one.
func (b Bounds) Remove(path string) error {
	folder, err := b.follow(filepath.Dir(path))
	if err != nil {
		return err
	}
	root, name, err := b.openFolder(filepath.Join(folder, filepath.Base(path)))
	if err != nil {
		return withPath(path, err)
	}
	defer root.Close()
	return withPath(path, root.Remove(name))
}

// Touch gives a file the time of now. What is no regular file is left alone.
func (b Bounds) Touch(path string) error {
	resolved, err := b.follow(path)
	if err != nil {
		return err
	}
	folder, name, err := b.openFolder(resolved)
	if err != nil {
		return withPath(path, err)
	}
	defer folder.Close()
	info, err := folder.Lstat(name)
	if err == nil && info.Mode().IsRegular() {
		now := time.Now()
		err = folder.Chtimes(name, now, now)
	}
	return withPath(path, err)
}

// openFolder opens the folder below which a file is read or written, so that a link
// that appears meanwhile leads nowhere else, and returns the file's name in it.
func (b Bounds) openFolder(resolved string) (*os.Root, string, error) {
	for _, dir := range [...]string{b.Resolved, b.Dir} {
		if rel, err := filepath.Rel(dir, resolved); err == nil && filepath.IsLocal(rel) && rel != "." {
			root, err := os.OpenRoot(dir)
			return root, rel, err
		}
	}
	root, err := os.OpenRoot(filepath.Dir(resolved))
	return root, filepath.Base(resolved), err
}

// withPath gives an error about a path the name that the user knows it by.
func withPath(path string, err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: strings.TrimSuffix(p.Op, "at"), Path: path, Err: p.Err}
	}
	return err
}

// openStream opens what is written to but never replaced: a stream of this process that is
// named as a file, a device such as /dev/null, and a named pipe. It returns nil if the name is
// that of something else.
func openStream(path string) (*os.File, error) {
	if fd, ok := streamNumber(path); ok {
		return duplicate(fd, path)
	}
	if isStream(path) {
		return os.OpenFile(path, os.O_WRONLY, 0)
	}
	return nil, nil
}

// isStream reports whether a path itself, and not a link, is a device or a named pipe. Git has
// neither, so the user has made it.
func isStream(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) != 0
}

// streamNumber returns the number of the stream that a path names.
func streamNumber(path string) (int, bool) {
	if runtime.GOOS == "windows" {
		return 0, false
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return 0, false
	}
	switch abs {
	case "/dev/stdin":
		return 0, true
	case "/dev/stdout":
		return 1, true
	case "/dev/stderr":
		return 2, true
	}
	for _, folder := range [...]string{"/dev/fd/", "/proc/self/fd/"} {
		digits, ok := strings.CutPrefix(abs, folder)
		if !ok || digits == "" || len(digits) > 4 || strings.Trim(digits, "0123456789") != "" {
			continue
		}
		n := 0
		for _, c := range digits {
			n = 10*n + int(c-'0')
		}
		return n, true
	}
	return 0, false
}
