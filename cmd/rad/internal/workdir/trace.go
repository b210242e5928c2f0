package workdir

import (
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Trace notes what a run reads: files, whether they exist, and lists of files. Since a
// compile does nothing with the world but read, it gives the same again as long as all of
// that is the same.
type Trace struct {
	mu    sync.Mutex
	reads map[Read]bool
	lists map[string][]func(name string) bool // by folder: which names were looked for

	// before has what was seen of each file before it was read first; nothing of one that was absent. It is nil
	// unless NoteStates was called.
	before map[string]fs.FileInfo
}

// Read is one thing that was asked of a file.
type Read struct {
	Path    string // absolute
	Content bool   // the content, or only whether there is a file or a folder
}

func NewTrace() *Trace {
	return &Trace{reads: map[Read]bool{}, lists: map[string][]func(string) bool{}}
}

// Of returns files that note what is read of them.
func (t *Trace) Of(fsys source.FS) source.FS { return tracedFS{fsys, t} }

// NoteStates has the trace note what is seen of files before they are read.
func (t *Trace) NoteStates() { t.before = map[string]fs.FileInfo{} }

// Before returns what was seen of the files that were there, before they were read first.
func (t *Trace) Before() map[string]fs.FileInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.before)
}

func (t *Trace) note(r Read) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads[r] = true
	if _, ok := t.before[r.Path]; t.before == nil || ok || !r.Content {
		return
	}
	if info, err := os.Stat(r.Path); err == nil {
		t.before[r.Path] = info
	}
}

// NoteFile notes that a file's content is read.
func (t *Trace) NoteFile(path string) { t.note(Read{path, true}) }

// All returns what was read, in order.
func (t *Trace) All() []Read {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.SortedFunc(maps.Keys(t.reads), func(a, b Read) int {
		switch {
		case a.Path != b.Path && a.Path < b.Path, a.Path == b.Path && a.Content && !b.Content:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
}

// Folders returns the folders whose files were listed, in order.
func (t *Trace) Folders() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.lists))
}

// Listed reports whether a name in a folder makes a difference.
func (t *Trace) Listed(folder, name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.lists[folder], func(match func(string) bool) bool { return match(name) })
}

// Looked returns the paths of the files that were read or looked for, those that do not exist
// included. Folders are left out.
func (t *Trace) Looked() []string {
	var list []string
	for _, r := range t.All() {
		if r.Content { // it comes first of those of a path
			list = append(list, r.Path)
			continue
		}
		if len(list) > 0 && list[len(list)-1] == r.Path {
			continue
		}
		if info, err := os.Stat(r.Path); err != nil || !info.IsDir() {
			list = append(list, r.Path)
		}
	}
	return list
}

// Files returns the paths of the regular files that were read and exist.
func (t *Trace) Files() []string {
	var list []string
	for _, r := range t.All() {
		if info, err := os.Stat(r.Path); r.Content && err == nil && info.Mode().IsRegular() {
			list = append(list, r.Path)
		}
	}
	return list
}

// tracedFS is an FS that notes what is read.
type tracedFS struct {
	fs source.FS
	t  *Trace
}

func (f tracedFS) ReadFile(name string) ([]byte, error) {
	f.t.note(Read{name, true})
	return f.fs.ReadFile(name)
}

func (f tracedFS) Stat(name string) (fs.FileInfo, error) {
	f.t.note(Read{name, false})
	return f.fs.Stat(name)
}

// IsLink implements source.LinkFS. A link that leads nowhere was looked for as the file that it stands for.
func (f tracedFS) IsLink(name string) bool { return source.IsLink(f.fs, name) }

// ReadText implements source.TextFS.
func (f tracedFS) ReadText(name string) (string, error) {
	f.t.note(Read{name, true})
	return source.ReadText(f.fs, name)
}

// Versions implements source.VersionFS. A file whose version has not changed is not read again, so
// asking for its version counts as reading.
func (f tracedFS) Versions() func(name string) source.Version {
	version := source.Versions(f.fs)
	if version == nil {
		return nil
	}
	return func(name string) source.Version {
		f.t.note(Read{name, true})
		return version(name)
	}
}

func (f tracedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return f.ReadDirMatching(name, func(string) bool { return true })
}

func (f tracedFS) ReadDirMatching(name string, match func(string) bool) ([]fs.DirEntry, error) {
	f.t.mu.Lock()
	f.t.lists[name] = append(f.t.lists[name], match)
	f.t.mu.Unlock()
	return f.fs.ReadDir(name)
}

// FileNames returns the names of the files in a folder, and none of folders.
func FileNames(fsys source.FS, folder string, join func(...string) string) (map[string]bool, error) {
	entries, err := fsys.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		if info, err := fsys.Stat(join(folder, e.Name())); err == nil && info.IsDir() {
			continue // a link to a folder
		}
		names[e.Name()] = true
	}
	return names, nil
}
