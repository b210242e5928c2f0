package workdir

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/memory"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// FilesBelow returns the files that a compile reads: those below the root, or all of
// them if there is none.
func FilesBelow(root string) source.FS {
	if root == "" {
		return sources{}
	}
	return sources{source.Below(root)}
}

// sources are files of the disk. The sizes of those that are read say how much memory a run will take.
type sources struct{ source.Disk }

func (s sources) ReadText(name string) (string, error) {
	if memory.Small() {
		if info, err := s.Stat(name); err == nil {
			memory.Expect(info.Size())
		}
	}
	return s.Disk.ReadText(name)
}

// MaxText bounds what is read as parameters and as ARM templates.
const MaxText = 16 << 20

// ReadText reads a text. A byte order mark tells its encoding, as in what
// PowerShell's > writes; UTF-8 is what it becomes.
func ReadText(r io.Reader) ([]byte, error) { return ReadTextUpTo(r, MaxText) }

// ReadTextUpTo is ReadText with a bound of its own.
func ReadTextUpTo(r io.Reader, most int) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, err
	}
	return decodeText(b, most)
}

// decodeText is ReadTextUpTo for what has been read.
func decodeText(b []byte, most int) ([]byte, error) {
	if len(b) > most {
		return nil, fmt.Errorf("more than %d MiB", most>>20)
	}
	if encoding, _ := source.ByteOrderMark(b); encoding != "" {
		b = []byte(source.Decode(b, encoding))
	}
	return b, nil
}

// ReadFileText reads a text from a file that the user named.
func (b Bounds) ReadFileText(path string) ([]byte, error) { return b.ReadFileUpTo(path, MaxText) }

// ReadFileUpTo is ReadFileText with a bound of its own.
func (b Bounds) ReadFileUpTo(path string, most int) ([]byte, error) {
	text, err := b.read(path, most)
	var pathErr *fs.PathError
	var outside *source.OutsideError
	if err != nil && !errors.As(err, &pathErr) && !errors.As(err, &outside) {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return text, err
}

// Existing returns the content of an output that is there already. An output that is
// no regular file, or that a link of the repository leads out to, is refused.
// A stream has no content to look at.
func (b Bounds) Existing(path string) (text []byte, stream bool, err error) {
	if _, ok := streamNumber(path); ok || isStream(path) {
		return nil, true, nil
	}
	text, err = b.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, fs.ErrNotExist
	}
	return text, false, err
}

// WriteFile gives a file its content at once: a reader sees the old content
// or the new, whatever happens in between. Content that is there already is left alone.
func (b Bounds) WriteFile(path string, content []byte) error {
	return b.WriteFileMode(path, content, 0o644)
}

// WriteFileMode is writeFile with the mode that a new file gets. A file that is to be
// private becomes so even if its content stays.
func (b Bounds) WriteFileMode(path string, content []byte, mode fs.FileMode) error {
	return b.Replace(path, content, mode, false)
}

// Replace is writeFileMode. A file that is durable is not lost if the power fails: that
// takes several times as long as the rest, and what can be made again does not need it.
func (b Bounds) Replace(path string, content []byte, mode fs.FileMode, durable bool) error {
	if f, err := openStream(path); f != nil || err != nil {
		return writeStream(f, content, err)
	}
	// A link stays one: what it points to is replaced.
	resolved, err := b.follow(path)
	if err != nil {
		return err
	}
	folder, name, err := b.openFolder(resolved)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(resolved), 0o777); err != nil {
			return err
		}
		folder, name, err = b.openFolder(resolved)
	}
	if err != nil {
		return withPath(path, err)
	}
	defer folder.Close()
	return withPath(path, replaceIn(folder, name, path, content, mode, durable))
}

// replaceIn writes a file in an open folder beside the one that it replaces, and renames it.
func replaceIn(folder *os.Root, name, shown string, content []byte, mode fs.FileMode, durable bool) error {
	mask := umask()
	private := mode&0o077 == 0
	info, err := folder.Lstat(name)
	switch {
	case err != nil:
	case info.IsDir():
		return &fs.PathError{Op: "write", Path: shown, Err: errors.New("is a folder")}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "write", Path: shown, Err: source.ErrNotRegular}
	default:
		mask = 0
		if !private { // what is not to be private keeps its mode
			mode = info.Mode().Perm()
		}
		if info.Size() != int64(len(content)) {
			break
		}
		f, err := source.OpenRegularIn(folder, name)
		if err != nil {
			break
		}
		same := holds(f, content)
		f.Close()
		if same {
			if private && info.Mode().Perm()&0o077 != 0 {
				return folder.Chmod(name, mode)
			}
			return nil
		}
	}
	if dir := filepath.Dir(name); dir != "." {
		if err := folder.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	temporary := filepath.Join(filepath.Dir(name), temporaryName())
	f, err := folder.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = folder.Remove(temporary)
		}
	}()
	_, err = f.Write(content)
	if err == nil {
		err = f.Chmod(mode &^ mask)
	}
	if err == nil && durable {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = folder.Rename(temporary, name)
	}
	return err
}

// temporaryName returns the name of a file that exists while another one is written.
func temporaryName() string { return ".rad-" + rand.Text() + ".tmp" }

// IsTemporary reports whether temporaryName made a name.
func IsTemporary(name string) bool {
	return strings.HasPrefix(name, ".rad-") && strings.HasSuffix(name, ".tmp")
}

// holds reports whether a file holds just this content.
func holds(f io.Reader, content []byte) bool {
	part := make([]byte, min(len(content)+1, 64<<10))
	for {
		n, err := f.Read(part)
		if n > len(content) || !bytes.Equal(part[:n], content[:n]) {
			return false
		}
		content = content[n:]
		if err != nil {
			return errors.Is(err, io.EOF) && len(content) == 0
		}
	}
}

// writeStream writes to a stream of this process.
func writeStream(f *os.File, content []byte, err error) error {
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(content)
	return err
}

// ReadFile reads a text from a file that the user named, where no settings are known.
func ReadFile(path string) ([]byte, error) { return BoundsOf(path).ReadFileText(path) }

// WriteFile gives a file its content, where no settings are known.
func WriteFile(path string, content []byte) error { return BoundsOf(path).WriteFile(path, content) }

// WriteSource is writeFile for what somebody wrote, which cannot be made again.
func WriteSource(path string, content []byte) error {
	return BoundsOf(path).Replace(path, content, 0o644, true)
}

// BoundsOf returns the bounds of a file where no root is named: its git work tree, or
// else its folder.
func BoundsOf(path string) Bounds {
	abs, err := filepath.Abs(path)
	if err != nil {
		return NewBounds(".")
	}
	if top := GitTop(filepath.Dir(abs)); top != "" {
		return NewBounds(top)
	}
	return NewBounds(filepath.Dir(abs))
}

// Walk visits what is in a folder and below it. Folders that must not be read are left out, and those that hold no
// sources: node_modules, and those whose names begin with a dot.
func Walk(folder string, visit func(path string, d fs.DirEntry) error) error {
	return filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission):
			return fs.SkipDir
		case err != nil:
			return err
		case d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		}
		return visit(path, d)
	})
}
