// Package cache reads and writes the folder of restored artifacts. Its layout is the official
// compiler's, so that each finds what the other fetched.
//
// Begin with Reader.Find, which verifies what it finds against the lock file, and Stage, which
// writes an artifact as a whole or not at all. List and Remove are for the commands about the
// cache. The package opens no connection: registry does.
package cache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// The files of an artifact's folder beside the main one.
const (
	manifestName = "manifest"
	metadataName = "metadata"
	sourceName   = "source.tgz"
	binaryName   = "extension.bin"
	lockName     = "lock"
)

// Reader finds the artifacts of one program. It is safe for concurrent use.
type Reader struct {
	FS      source.FS // of the cache; nil is the disk
	Project source.FS // of the lock file and of vendored artifacts
	Trusted string    // registries that are trusted, beyond the well-known ones
	Vendor  string    // folder of vendored artifacts, or ""
	Root    string    // the project's root, or ""; a cache that the project names is in it
	User    string    // folder of the cache that the user names, or ""

	// VendorFS is what the folder of vendored artifacts is read from; nil is Project.
	VendorFS source.FS

	// LockPath tells where the lock file lies. It is called when the first artifact
	// is looked for; nil means that there is no lock file.
	LockPath func() string

	// BuiltIn says when the types of this program stand in for artifacts.
	BuiltIn BuiltIn

	// Failed says, by reference, why artifacts could not be restored.
	Failed map[string]*diag.Problem

	lockOnce sync.Once
	lock     *lockfile.File
	lockErr  error

	mu    sync.Mutex
	found map[string]*Found // by type, folder, and whether TLS is left out
}

// SetVendor sets the folder of vendored artifacts. One that the user names outside of the root is
// read from the disk. "" is none.
func (r *Reader) SetVendor(folder string) {
	if folder == "" {
		return
	}
	r.Vendor = folder
	if rel, err := filepath.Rel(r.Root, folder); r.Root != "" && (err != nil || !filepath.IsLocal(rel)) {
		r.VendorFS = source.Disk{}
	}
}

// BuiltIn says when the types that this program has are used in place of the artifacts of
// the same types.
type BuiltIn uint8

const (
	WhenAbsent BuiltIn = iota // where the artifact is neither in the cache nor in the lock file
	Never
	Always
)

// State says what the cache holds of an artifact.
type State uint8

const (
	Whole    State = iota
	Missing        // it has not been restored
	Stale          // it is not what the lock file names
	Refused        // it is of no use to restore it
	Replaced       // the types of this program are used, so it is not needed
)

// Found is what became of looking for an artifact.
type Found struct {
	Reference *artifact.Reference
	Root      string // of the cache
	State     State
	Lock      *lockfile.Entry // what the lock file says of it
	Problem   *diag.Problem   // set unless the state is Whole or Replaced

	dir  string
	fs   source.FS
	data []byte // of the main file, where it had to be verified
	once sync.Once
}

// Path returns the path of the artifact's main file.
func (f *Found) Path() string { return filepath.Join(f.dir, f.Reference.MainFile()) }

// Read returns the content of the artifact's main file, verified if it is locked.
func (f *Found) Read() ([]byte, error) {
	if f.data != nil {
		return f.data, nil
	}
	return f.fs.ReadFile(f.abs(f.Reference.MainFile()))
}

// ReadManifest returns the artifact's manifest, which nobody has verified.
func (f *Found) ReadManifest() ([]byte, error) { return f.fs.ReadFile(f.abs(manifestName)) }

// ReadMetadata returns what the cache says of the manifest.
func (f *Found) ReadMetadata() ([]byte, error) { return f.fs.ReadFile(f.abs(metadataName)) }

// Find looks for an artifact in the cache of a file with the given configuration.
func (r *Reader) Find(a *artifact.Reference, c *config.Config) *Found {
	place, err := PlaceOf(r.User, c, r.Root, r.Project)
	if place.Within == "" {
		return r.find(a, place.Dir, r.FS, nil)
	}
	return r.find(a, place.Dir, r.Project, r.refuseCache(a, c, err))
}

// refuseCache returns what is wrong with a cache that leads out of the project's root.
func (r *Reader) refuseCache(a *artifact.Reference, c *config.Config, err error) *diag.Problem {
	if err == nil {
		return nil
	}
	if r.User != "" || strings.TrimSpace(c.CacheRoot) == "" {
		return diag.BCP192.With(a, fmt.Sprintf("the cache is not used: %v", err))
	}
	where := c.Path
	if text, e := r.Project.ReadFile(c.Path); e == nil {
		if i := strings.Index(strings.ToLower(string(text)), `"cacherootdirectory"`); i >= 0 {
			where = fmt.Sprintf("%s:%d", where, 1+strings.Count(string(text[:i]), "\n"))
		}
	}
	text := fmt.Sprintf("cacheRootDirectory in %s names a folder that is not used: %v", where, err)
	return diag.BCP192.With(a, &report.HintedError{Text: text, Hint: report.HintNameCache})
}

// find looks for an artifact below the root of a cache. refused says why the cache is
// not to be used, if it is not.
func (r *Reader) find(a *artifact.Reference, root string, fsys source.FS, refused *diag.Problem) *Found {
	dir := a.CacheDir(root)
	key := fmt.Sprint(a.Type, " ", dir, a.PlainHTTP)
	r.mu.Lock()
	f := r.found[key]
	if f == nil {
		if r.found == nil {
			r.found = map[string]*Found{}
		}
		f = &Found{Reference: a, Root: root, dir: dir, fs: fsys}
		if refused != nil {
			f.State, f.Problem = Refused, refused
		}
		if f.fs == nil {
			f.fs = source.Disk{}
		}
		r.found[key] = f
	}
	r.mu.Unlock()
	f.once.Do(func() { r.look(f) })
	return f
}

// All returns what was looked for, in a stable order.
func (r *Reader) All() []*Found {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.SortedFunc(maps.Values(r.found), func(a, b *Found) int {
		return cmp.Or(strings.Compare(a.Reference.String(), b.Reference.String()), strings.Compare(a.dir, b.dir))
	})
}

// Lock returns the lock file, and what is wrong with it.
func (r *Reader) Lock() (*lockfile.File, error) {
	r.lockOnce.Do(func() {
		if r.LockPath != nil {
			r.lock, r.lockErr = ReadLock(r.Project, r.Root, r.LockPath())
		}
	})
	return r.lock, r.lockErr
}

// Err returns what is wrong with the lock file, if it was needed.
func (r *Reader) Err() error {
	r.mu.Lock()
	used := len(r.found) > 0
	r.mu.Unlock()
	if !used {
		return nil
	}
	_, err := r.Lock()
	return err
}

// look finds out what the cache holds.
func (r *Reader) look(f *Found) {
	a := f.Reference
	builtIn := a.BuiltIn() != ""
	if builtIn && r.BuiltIn == Always {
		f.State, f.Problem = Replaced, nil
		return
	}
	if f.Problem != nil {
		return
	}
	lock, err := r.Lock()
	if err != nil { // Err reports it
		f.State, f.Problem = Refused, diag.BCP192.With(a, "the lock file cannot be read")
		return
	}
	if e, ok := lock.Entry(a); ok {
		f.Lock = &e
		if e.Type != a.Type {
			f.State = Refused
			f.Problem = diag.BCP192.With(a,
				fmt.Sprintf("the lock file says that it is of the kind %s, and here it is used as %s", e.Type, a.Type))
			return
		}
	}
	if r.Vendor != "" && a.Scheme == artifact.OCI && r.vendored(f) {
		return
	}
	if a.Scheme == artifact.OCI && !a.Trusted(r.Trusted) {
		f.State, f.Problem = Refused, a.NotTrusted()
		return
	}
	if err := f.leadsOut(); err != nil {
		f.State, f.Problem = Refused, diag.BCP192.With(a, fmt.Sprintf("the cache is not used: %v", err))
		return
	}
	whole, bad := f.whole(), ""
	if whole && f.Lock != nil {
		f.data, bad = f.verify()
	}
	switch {
	case whole && bad == "", f.pinned():
	case whole:
		f.State = Stale
		text := fmt.Sprintf("%s in the cache is not what %s names", filepath.Join(f.dir, bad), lockfile.Name)
		f.Problem = diag.BCP192.With(a, &report.HintedError{Text: text, Hint: report.HintFetchAgain})
	case builtIn && r.BuiltIn == WhenAbsent && f.Lock == nil:
		f.State = Replaced
		return
	default:
		f.State, f.Problem = Missing, diag.BCP190.With(a)
	}
	if p := r.Failed[a.String()]; p != nil && f.State != Whole {
		f.Problem = p
	}
}

// leadsOut returns what is wrong with an artifact whose folder or file is not to be read: it is outside the
// project that its cache belongs to, say.
func (f *Found) leadsOut() error {
	for _, name := range [...]string{"", f.Reference.MainFile(), manifestName, metadataName} {
		if _, err := f.fs.Stat(f.abs(name)); err != nil && !source.IsMissing(err) {
			return err
		}
	}
	return nil
}

// abs returns a path of the artifact as file systems know it.
func (f *Found) abs(name string) string {
	path := filepath.Join(f.dir, name)
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// whole reports whether all files are there that a restored artifact has.
func (f *Found) whole() bool {
	need := []string{f.Reference.MainFile()}
	if f.Reference.Scheme == artifact.OCI {
		need = append(need, manifestName, metadataName)
	}
	for _, name := range need {
		if info, err := f.fs.Stat(f.abs(name)); err != nil || info.IsDir() {
			return false
		}
	}
	return true
}

// verify compares the files of the artifact with the lock file. It returns the
// content of the main file, or the name of the first file that is different.
func (f *Found) verify() (data []byte, bad string) {
	manifest, err := f.fs.ReadFile(f.abs(manifestName))
	if err != nil || Digest(manifest) != f.Lock.Digest {
		return nil, manifestName
	}
	metadata, err := f.fs.ReadFile(f.abs(metadataName))
	if err != nil || !strings.Contains(string(metadata), f.Lock.Digest) {
		return nil, metadataName
	}
	main := f.Reference.MainFile()
	layer := f.Lock.Main()
	if info, err := f.fs.Stat(f.abs(main)); err != nil || info.Size() != layer.Size {
		return nil, main
	}
	if data, err = f.fs.ReadFile(f.abs(main)); err != nil || Digest(data) != layer.Digest {
		return nil, main
	}
	return data, ""
}

// vendored looks for the artifact in the folder of vendored ones. It reports
// whether it is there, be it usable or not.
func (r *Reader) vendored(f *Found) bool {
	v := &Found{Reference: f.Reference, Lock: f.Lock, dir: f.Reference.CacheDir(r.Vendor), fs: r.VendorFS}
	if v.fs == nil {
		v.fs = r.Project
	}
	if _, err := v.fs.Stat(v.dir); errors.Is(err, fs.ErrNotExist) {
		return false
	}
	refuse := func(reason string) bool {
		f.State, f.Problem = Refused, diag.BCP192.With(f.Reference, &report.HintedError{Text: reason, Hint: report.HintVendor})
		return true
	}
	if f.Lock == nil {
		return refuse(fmt.Sprintf("%s is vendored but not in %s, so it cannot be verified", v.dir, lockfile.Name))
	}
	data, bad := v.verify()
	if bad != "" {
		return refuse(fmt.Sprintf("%s is not what %s names", filepath.Join(v.dir, bad), lockfile.Name))
	}
	f.dir, f.fs, f.data = v.dir, v.fs, data
	return true
}

// pinned looks for a recipe in the folder of the digest that is locked. It is there if the folder of the tag held another one
// when it was fetched: files of another revision, say, need that.
func (f *Found) pinned() bool {
	if f.Lock == nil || f.Reference.Type != artifact.Recipe {
		return false
	}
	v := &Found{Reference: f.Reference.Pinned(f.Lock.Digest), Lock: f.Lock, fs: f.fs}
	v.dir = v.Reference.CacheDir(f.Root)
	if v.leadsOut() != nil {
		return false
	}
	data, bad := v.verify()
	if bad != "" {
		return false
	}
	f.dir, f.data = v.dir, data
	return true
}

// Digest returns the digest of data as registries write it.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
