package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode"
)

// CheckLinks refuses a name below a folder that leads out of the folder, or into git's own folder, through a link or by itself.
// There must be no link on the path of the folder.
func CheckLinks(folder, name string) error {
	path := filepath.Join(folder, name)
	at, _, err := Follow(folder, name)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(folder, at)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return &OutsideError{Path: path, Root: folder, Link: true}
	case InGitFolder(rel):
		return &fs.PathError{Op: "open", Path: path, Err: ErrGit}
	}
	return nil
}

// InGitFolder reports whether a path names git's own folder, or what is in it.
func InGitFolder(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), isGitFolder)
}

// isGitFolder reports whether a name is that of git's folder on any file system: some ignore letter
// case, trailing dots and blanks, or invisible characters; some have short names, or streams (".git::$INDEX_ALLOCATION").
func isGitFolder(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	name = strings.TrimRight(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name), ". ")
	return strings.EqualFold(name, ".git") || strings.EqualFold(name, "git~1")
}

// maxLinks bounds how many links a path may lead through, as operating systems do.
const maxLinks = 255

// Follow returns where a path leads that is relative to the folder from, and the folders that hold the links on it. There
// must be no link on the path of from itself. A name that does not exist leads to itself. Any other error is returned: what
// cannot be looked at, such as a name that is too long for the operating system, may still be a link for os.Root, which opens
// a path part by part.
func Follow(from, path string) (leads string, folders []string, err error) {
	for at, rest := from, names(path); ; {
		if len(rest) == 0 {
			return at, folders, nil
		}
		name := rest[0]
		rest = rest[1:]
		if name == ".." {
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		target, err := readLink(next)
		switch {
		case err != nil:
			return "", nil, &fs.PathError{Op: "open", Path: next, Err: reason(err)}
		case target == "":
			at = next
			continue
		case len(folders) == maxLinks:
			return "", nil, &fs.PathError{Op: "open", Path: next, Err: errors.New("too many links")}
		}
		folders = append(folders, at)
		if filepath.IsAbs(target) {
			volume := filepath.VolumeName(target)
			at, target = volume+string(filepath.Separator), target[len(volume):]
		}
		rest = append(names(target), rest...)
	}
}

// names returns the names in a path that is relative or has lost its volume.
func names(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
}

// readLink returns what a symbolic link, or a junction of Windows, points to, or "" if a name is not that of a link.
func readLink(name string) (string, error) {
	info, err := os.Lstat(name)
	if err == nil && info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 {
		var target string
		if target, err = os.Readlink(name); err == nil {
			return target, nil
		}
	}
	if IsMissing(err) {
		err = nil
	}
	return "", err
}

// IsMissing reports whether an error says that there is no such file.
func IsMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// reason returns an error without the name that it is about.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
