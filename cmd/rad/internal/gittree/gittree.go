// Package gittree reads the files of a git revision, without a work tree: it asks
// the git program for the list of files once, and for contents as they are needed.
package gittree

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	real     string // top without symbolic links
	entries  map[string]entry
	children map[string][]string // names in a folder

	mu     sync.Mutex
	batch  *exec.Cmd
	input  io.WriteCloser
	output *bufio.Reader
	cache  map[string][]byte // by object
}

type entry struct {
	mode   string // 100644, 100755, 120000 (a link), 160000 (a submodule), 040000
	object string
}

// maxFile bounds the size of a file that is read.
const maxFile = 256 << 20

// Open reads the list of files of a revision of the repository that a folder is in.
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
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil, fmt.Errorf("there is no revision %q in the repository %s", revision, top)
		}
		return nil, err
	}
	t := &Tree{Revision: strings.TrimSpace(string(out)), top: top, real: top, entries: map[string]entry{}, children: map[string][]string{}, cache: map[string][]byte{}}
	// The folder may be named through a symbolic link, which git follows.
	if abs, err := filepath.Abs(dir); err == nil {
		if real, err := filepath.EvalSymlinks(abs); err == nil {
			if rel, err := filepath.Rel(real, abs); err == nil && rel != "." {
				if below, err := filepath.Rel(top, real); err == nil && strings.HasSuffix(abs, below) && below != "." {
					t.real = strings.TrimSuffix(abs, string(filepath.Separator)+below)
				} else if below == "." {
					t.real = abs
				}
			}
		}
	}
	list, err := git(ctx, dir, "ls-tree", "-r", "-t", "-z", "--full-tree", t.Revision)
	if err != nil {
		return nil, err
	}
	for _, line := range bytes.Split(list, []byte{0}) {
		meta, name, ok := bytes.Cut(line, []byte{'\t'})
		fields := strings.Fields(string(meta))
		if !ok || len(fields) != 3 {
			continue
		}
		t.entries[string(name)] = entry{fields[0], fields[2]}
		folder := path.Dir(string(name))
		t.children[folder] = append(t.children[folder], path.Base(string(name)))
	}
	t.entries["."] = entry{mode: "040000"}
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
	if s, _, _ := strings.Cut(strings.TrimSpace(message.String()), "\n"); s != "" {
		return nil, fmt.Errorf("git: %s: %w", strings.TrimPrefix(s, "fatal: "), err)
	}
	return nil, fmt.Errorf("git %s: %w", args[0], err)
}

func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "protocol.allow=never"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C")
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

// Top returns the folder that holds the work tree.
func (t *Tree) Top() string { return t.top }

// Contains reports whether a path lies within the work tree.
func (t *Tree) Contains(name string) bool {
	_, ok := t.rel(name)
	return ok
}

func (t *Tree) rel(name string) (string, bool) {
	for _, base := range []string{t.top, t.real} {
		if r, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(r) {
			return filepath.ToSlash(r), true
		}
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(name)); err == nil {
		if r, err := filepath.Rel(t.top, filepath.Join(real, filepath.Base(name))); err == nil && filepath.IsLocal(r) {
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
	at := "."
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
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, part)
		e, ok := t.entries[next]
		if !ok {
			return missing()
		}
		if e.mode != "120000" {
			at = next
			continue
		}
		if hops++; hops > 40 {
			return "", entry{}, &fs.PathError{Op: op, Path: name, Err: errors.New("too many links")}
		}
		target, err := t.blob(e.object)
		if err != nil {
			return "", entry{}, &fs.PathError{Op: op, Path: name, Err: err}
		}
		if path.IsAbs(string(target)) {
			return "", entry{}, &source.OutsideError{Path: name, Root: t.top}
		}
		todo = append(strings.Split(string(target), "/"), todo...)
	}
	return at, t.entries[at], nil
}

// ReadFile returns the content of a file.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	_, e, err := t.resolve("open", name)
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(e.mode, "100") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a file")}
	}
	b, err := t.blob(e.object)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return bytes.Clone(b), nil
}

// blob returns the content of an object.
func (t *Tree) blob(object string) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b, ok := t.cache[object]; ok {
		return b, nil
	}
	if t.batch == nil {
		if err := t.start(); err != nil {
			return nil, err
		}
	}
	if _, err := io.WriteString(t.input, object+"\n"); err != nil {
		return nil, err
	}
	header, err := t.output.ReadString('\n')
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(header)
	if len(fields) != 3 || fields[1] != "blob" {
		return nil, errors.New("git does not have this file's content")
	}
	size, err := strconv.Atoi(fields[2])
	if err != nil || size < 0 || size > maxFile {
		return nil, fmt.Errorf("the file has %s bytes; at most %d are read", fields[2], maxFile)
	}
	b := make([]byte, size+1)
	if _, err := io.ReadFull(t.output, b); err != nil {
		return nil, err
	}
	b = b[:size]
	t.cache[object] = b
	return b, nil
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
	i := &info{name: path.Base(at), dir: e.mode == "040000", irregular: e.mode == "160000", size: -1}
	i.load = func() int64 {
		b, err := t.blob(e.object)
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
	if e.mode != "040000" {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errors.New("not a folder")}
	}
	names := slices.Clone(t.children[at])
	slices.Sort(names)
	list := make([]fs.DirEntry, 0, len(names))
	for _, n := range names {
		child := path.Join(at, n)
		list = append(list, fs.FileInfoToDirEntry(t.info(child, t.entries[child])))
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
