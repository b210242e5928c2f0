// Package gittree reads the files of a git revision without a work tree: it asks the git program
// for folders and files as they are needed.
//
// Begin with Open. A Tree is a source.FS, so a program of a revision is compiled as one on the disk
// is. The package changes nothing in the repository.
package gittree

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Tree is the files of a revision. It implements source.FS: names are absolute
// paths as they would be in the work tree.
type Tree struct {
	Revision string // the commit's hash
	top      string // of the work tree
	resolved string // top without symbolic links
	root     entry

	mu     sync.Mutex
	batch  *exec.Cmd
	input  io.WriteCloser
	output *bufio.Reader
	blobs  map[string][]byte           // contents of small files and links, by object
	trees  map[string]map[string]entry // folders, by object
	kept   int                         // bytes in both
}

type entry struct {
	mode   string // 100644, 100755, or one of those below
	object string
}

const (
	folderMode    = "40000"
	linkMode      = "120000"
	submoduleMode = "160000"
)

// Limits. A small repository can describe a tree of billions of files, so no more than
// what is needed is read.
const (
	maxFile   = 256 << 20 // bytes of a file
	maxFolder = 64 << 20  // bytes of a folder's list
	maxSmall  = 1 << 20   // bytes of a file that is kept
	maxKept   = 16 << 20  // bytes of all that is kept
	maxLink   = 4096      // bytes of a link
)

// Open finds a revision of the repository that a folder is in.
func Open(ctx context.Context, dir, revision string) (*Tree, error) {
	out, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	top := filepath.FromSlash(strings.TrimRight(string(out), "\r\n"))
	if strings.HasPrefix(revision, "-") || revision == "" {
		return nil, fmt.Errorf("%q is not a revision", revision)
	}
	out, err = git(ctx, dir, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		if _, ok := errors.AsType[*exec.ExitError](err); ok {
			return nil, fmt.Errorf("there is no revision %q in the repository %s%s", revision, top, otherThan(ctx, dir, revision))
		}
		return nil, err
	}
	t := &Tree{Revision: strings.TrimSpace(string(out)), top: top,
		resolved: top, blobs: map[string][]byte{}, trees: map[string]map[string]entry{}}
	t.root = entry{mode: folderMode, object: t.Revision + "^{tree}"}
	// The folder may be named through a symbolic link, which git follows.
	if abs, err := filepath.Abs(dir); err == nil {
		if resolved, err := filepath.EvalSymlinks(abs); err == nil {
			if rel, err := filepath.Rel(resolved, abs); err == nil && rel != "." {
				if below, err := filepath.Rel(top, resolved); err == nil && strings.HasSuffix(abs, below) && below != "." {
					t.resolved = strings.TrimSuffix(abs, string(filepath.Separator)+below)
				} else if below == "." {
					t.resolved = abs
				}
			}
		}
	}
	return t, nil
}

// git runs the git program. Nothing in the repository makes it run another one, ask
// or use the network.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	c := command(ctx, dir, args...)
	var message bytes.Buffer
	c.Stderr = &message
	out, err := c.Output()
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, exec.ErrDot) {
		return nil, fmt.Errorf("the program git is needed to read revisions: %w", err)
	}
	s, _, _ := strings.Cut(strings.TrimSpace(message.String()), "\n")
	switch s = strings.TrimPrefix(s, "fatal: "); {
	case s == "":
		return nil, fmt.Errorf("git %s: %w", args[0], err)
	case strings.HasPrefix(s, "not a git repository"):
		s = "there are no revisions here: " + dir + " is in no git repository"
	case strings.Contains(s, "dubious ownership"):
		s = "git: " + s + "; 'git config --global --add safe.directory DIR' trusts the folder"
	default:
		s = "git: " + s
	}
	return nil, &failure{s, err}
}

// failure is an error in the words of git. Its exit status is no help to people.
type failure struct {
	text string
	err  error
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.err }

// otherThan says which branches and tags there are in place of a revision: that of a remote, or else some of them.
func otherThan(ctx context.Context, dir, revision string) string {
	const most = 10
	names, err := Branches(ctx, dir)
	if err != nil {
		return ""
	}
	if len(names) == 0 {
		return "; it has neither branches nor tags yet"
	}
	if i := slices.IndexFunc(names, func(name string) bool { return strings.HasSuffix(name, "/"+revision) }); i >= 0 {
		return "; did you mean " + names[i] + "?"
	}
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return "; its branches and tags are " + strings.Join(names, ", ")
}

// Branches returns the short names of the branches and tags of the repository that a folder is in.
func Branches(ctx context.Context, dir string) ([]string, error) {
	out, err := git(ctx, dir, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
	return strings.Fields(string(out)), err
}

func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "git", append([]string{
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.allow=never",
		"-c", "safe.bareRepository=explicit", // a folder of the repository may look like a repository
	}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0",
		"GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C")
	c.WaitDelay = 5 * time.Second
	return c
}

// Close ends the git program.
func (t *Tree) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.batch == nil {
		return nil
	}
	t.input.Close()
	err := t.batch.Wait()
	t.batch = nil
	return err
}

// abandon ends the git program, whose answer is not read to the end.
func (t *Tree) abandon() {
	_ = t.batch.Process.Kill()
	_ = t.batch.Wait()
	t.batch = nil
}

// Top returns the folder that holds the work tree.
func (t *Tree) Top() string { return t.top }

// Contains reports whether a path is within the work tree.
func (t *Tree) Contains(name string) bool {
	_, ok := t.rel(name)
	return ok
}

func (t *Tree) rel(name string) (string, bool) {
	for _, base := range []string{t.top, t.resolved} {
		if r, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(r) {
			return filepath.ToSlash(r), true
		}
	}
	if resolved, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		if r, err := filepath.Rel(t.top, filepath.Join(resolved, filepath.Base(name))); err == nil && filepath.IsLocal(r) {
			return filepath.ToSlash(r), true
		}
	}
	return "", false
}

// resolve finds the entry that a path leads to, through links within the tree.
func (t *Tree) resolve(op, name string) (string, entry, error) {
	missing := func() (string, entry, error) {
		return "", entry{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	rel, ok := t.rel(name)
	if !ok {
		return "", entry{}, &source.OutsideError{Path: name, Root: t.top}
	}
	todo := strings.Split(rel, "/")
	at, here := ".", []entry{t.root} // the folders on the way, the innermost last
	for hops := 0; len(todo) > 0; {
		part := todo[0]
		todo = todo[1:]
		switch part {
		case "", ".":
			continue
		case "..":
			if at == "." {
				return "", entry{}, &source.OutsideError{Path: name, Root: t.top}
			}
			at, here = path.Dir(at), here[:len(here)-1]
			continue
		}
		folder := here[len(here)-1]
		if folder.mode != folderMode {
			return missing()
		}
		list, err := t.folder(folder.object)
		if err != nil {
			return "", entry{}, &fs.PathError{Op: op, Path: name, Err: err}
		}
		e, ok := list[part]
		if !ok {
			return missing()
		}
		if e.mode != linkMode {
			at, here = path.Join(at, part), append(here, e)
			continue
		}
		if hops++; hops > 40 {
			return "", entry{}, &fs.PathError{Op: op, Path: name, Err: errors.New("too many links")}
		}
		target, err := t.blob(e.object, maxLink)
		if err != nil {
			return "", entry{}, &fs.PathError{Op: op, Path: name, Err: err}
		}
		if path.IsAbs(string(target)) {
			return "", entry{}, &source.OutsideError{Path: name, Root: t.top}
		}
		todo = append(strings.Split(string(target), "/"), todo...)
	}
	return at, here[len(here)-1], nil
}

// file returns the entry of a name that must be a file.
func (t *Tree) file(name string) (entry, error) {
	_, e, err := t.resolve("open", name)
	if err == nil && !strings.HasPrefix(e.mode, "100") {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a file")}
	}
	return e, err
}

// ReadFile returns the content of a file.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	e, err := t.file(name)
	if err != nil {
		return nil, err
	}
	b, err := t.blob(e.object, maxFile)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return b, nil
}

// blob returns the content of a file or link. The caller may change it.
func (t *Tree) blob(object string, limit int) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b, ok := t.blobs[object]; ok {
		return bytes.Clone(b), nil
	}
	b, err := t.read(object, "blob", limit)
	if err == nil && len(b) <= maxSmall {
		t.makeRoom(len(b))
		t.blobs[object] = bytes.Clone(b)
	}
	return b, err
}

// makeRoom forgets what was read if there would be too much of it.
func (t *Tree) makeRoom(size int) {
	if t.kept += size; t.kept > maxKept {
		clear(t.blobs)
		clear(t.trees)
		t.kept = size
	}
}

// folder returns what is in a folder, by name.
func (t *Tree) folder(object string) (map[string]entry, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if list, ok := t.trees[object]; ok {
		return list, nil
	}
	b, err := t.read(object, "tree", maxFolder)
	if err != nil {
		return nil, err
	}
	list, err := parseFolder(b, len(t.Revision)/2)
	if err == nil {
		t.makeRoom(len(b))
		t.trees[object] = list
	}
	return list, err
}

// parseFolder reads the list of a folder. Each entry is its mode, a blank, its name, a zero
// byte and the hash of its object, which has hashSize bytes.
func parseFolder(b []byte, hashSize int) (map[string]entry, error) {
	list := map[string]entry{}
	for len(b) > 0 {
		head, rest, ok := bytes.Cut(b, []byte{0})
		mode, name, ok2 := strings.Cut(string(head), " ")
		if !ok || !ok2 || len(rest) < hashSize {
			return nil, errors.New("git's list of a folder is damaged")
		}
		list[name] = entry{mode, hex.EncodeToString(rest[:hashSize])}
		b = rest[hashSize:]
	}
	return list, nil
}

// read asks the git program for an object.
func (t *Tree) read(object, kind string, limit int) ([]byte, error) {
	if t.batch == nil {
		if err := t.start(); err != nil {
			return nil, err
		}
	}
	_, err := io.WriteString(t.input, object+"\n")
	header := ""
	if err == nil {
		header, err = t.output.ReadString('\n')
	}
	if err != nil { // git has ended, as it does in a partial clone, where it may not fetch what is missing
		t.abandon()
		return nil, errors.New("git does not have its content, or cannot read it; " +
			"in a partial clone, fetch it first, by a checkout of the revision")
	}
	fields := strings.Fields(header)
	if len(fields) != 3 {
		return nil, errors.New("git does not have its content") // it says "missing"
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 || size > limit {
		t.abandon()
		return nil, fmt.Errorf("it has %s bytes; at most %d are read", fields[2], limit)
	}
	b := make([]byte, size+1)
	if _, err := io.ReadFull(t.output, b); err != nil {
		t.abandon()
		return nil, errors.New("git cannot read its content: the object is damaged")
	}
	if fields[1] != kind {
		return nil, fmt.Errorf("git has a %s here, not a %s", fields[1], kind)
	}
	return b[:size], nil
}

func (t *Tree) start() error {
	c := command(context.Background(), t.top, "cat-file", "--batch")
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	t.batch, t.input, t.output = c, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// Stat describes a file or folder.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	at, e, err := t.resolve("stat", name)
	if err != nil {
		return nil, err
	}
	return t.info(at, e), nil
}

func (t *Tree) info(at string, e entry) *info {
	i := &info{name: path.Base(at), dir: e.mode == folderMode, irregular: e.mode == submoduleMode, size: -1}
	i.load = func() int64 {
		b, err := t.blob(e.object, maxFile)
		if err != nil {
			return 0
		}
		return int64(len(b))
	}
	return i
}

// ReadDir lists a folder, sorted by name.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) {
	at, e, err := t.resolve("open", name)
	if err != nil {
		return nil, err
	}
	if e.mode != folderMode {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a folder")}
	}
	children, err := t.folder(e.object)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	list := make([]fs.DirEntry, 0, len(children))
	for _, n := range slices.Sorted(maps.Keys(children)) {
		list = append(list, fs.FileInfoToDirEntry(t.info(path.Join(at, n), children[n])))
	}
	return list, nil
}

type info struct {
	name           string
	dir, irregular bool
	size           int64
	load           func() int64
}

func (i *info) Name() string { return i.name }

func (i *info) Size() int64 {
	if i.size < 0 && !i.dir {
		i.size = i.load()
	}
	return max(i.size, 0)
}

func (i *info) Mode() fs.FileMode {
	switch {
	case i.dir:
		return fs.ModeDir | 0o755
	case i.irregular:
		return fs.ModeIrregular
	}
	return 0o644
}

func (i *info) ModTime() time.Time { return time.Time{} }
func (i *info) IsDir() bool        { return i.dir }
func (i *info) Sys() any           { return nil }
