package graph

import (
	"bytes"
	"reflect"
	"slices"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// # Loading a program again
//
// A program is compiled again after a few of its files have changed (bicep.Workspace). The files that are the
// same are taken over from the program before as the same objects, so that the later stages find what they know
// of them: check keeps models by file, emit keeps texts of templates. The result must be that of a first load.
//
//	main.bicep ──► a.bicep ──► b.bicep      c.bicep has changed: c and main are new objects, a and b are taken over.
//	     └───────► c.bicep                  b.bicep has changed: b, a and main are new, c is taken over.
//
// It takes three steps:
//
//  1. Every file is read as in a first load. One that still has the version that was read before
//     (source.Version) is not opened. A file of the same text gets the old tree (readBefore), so that nodes can
//     be compared as pointers, and a configuration of the same content is the old object (config.Loader.Reuse).
//  2. Each file is compared with the one that had its path (comparison). It is the same if all of these are:
//     its text, its configuration, what its references and implicit extensions lead to, the content of the
//     files that its load functions read, the names in the folders that they listed, and all of that for the
//     files that it refers to.
//  3. The old objects of the same files take the places of the new ones (takeOver), and are connected as in a
//     first load: only the number of a file in the program may differ.
//
// Invariant: a file is taken over only if everything that a stage can read through it is as it was. A new input
// of a file (another load function, another setting) belongs in comparison, or stages keep what is no longer
// true. Files that read what cannot be compared are never the same: parameter files, which read the
// environment, and files in which a reference leads nowhere, a load function failed, or an extension or the
// configuration has a problem. If an archive of types has changed, nothing is taken over, since the types of all files are kept
// together.
//
// It ends because each file is compared once: while it is compared, it counts as changed, so that no file on a
// cycle of references is the same. Such a cycle is an error.
//
// The top of pkg/bicep/workspace.go says how the other stages go on: this file answers its questions 1 and 2.

// reads are what the load functions of a file have read.
type reads struct {
	files  []*Aux
	lists  []listing
	failed bool // the file cannot be used again
}

// listing is what a folder was listed for.
type listing struct {
	name, pattern string
	found         []string
}

func (r *reads) note(a *Aux) {
	switch {
	case a.problem != nil:
		r.failed = true
	case !slices.Contains(r.files, a):
		r.files = append(r.files, a)
	}
}

// earlierFiles returns the files of an earlier program by path, and has a loader of
// configurations use those of the files again.
func earlierFiles(p *Program, configs *config.Loader) map[string]*File {
	if p == nil || p.lenient {
		return nil
	}
	files := make(map[string]*File, len(p.Files))
	for _, f := range p.Files {
		files[f.Path] = f
		if f.Config != nil {
			configs.Reuse(f.Config)
		}
	}
	return files
}

// hasVersion reports whether a file has the version that an earlier load has read.
func (l *loader) hasVersion(name string, old *File) bool {
	version := l.program.versions.of(name)
	return old != nil && version.Known() && version == old.version
}

// readBefore gives the file the tree, or the template, that an earlier load has made of the
// same text, and reports whether there is one.
func (f *File) readBefore(old *File, isSpec, invalid bool) bool {
	if old == nil || invalid || (old.Kind == TemplateSpec) != isSpec || old.Source.Text != f.Source.Text {
		return false
	}
	if old.Tree != nil && len(old.Diagnostics) > 0 {
		return false // they may be about bytes that were not UTF-8
	}
	f.Kind, f.Source, f.Tree, f.Diagnostics = old.Kind, old.Source, old.Tree, old.Diagnostics
	f.Template, f.TemplateID = old.Template, old.TemplateID
	return true
}

// sameArchive returns the earlier archive of the same content, or nil.
func (l *loader) sameArchive(path string, data []byte, from *artifact.Reference) *Archive {
	if l.Before == nil {
		return nil
	}
	old := l.Before.archives[path]
	if old == nil || !bytes.Equal(old.Packed, data) || !reflect.DeepEqual(old.from, from) {
		return nil
	}
	return old
}

// readArchives returns the archives that could be read.
func (l *loader) readArchives() map[string]*Archive {
	list := make(map[string]*Archive, len(l.archives))
	for path, r := range l.archives {
		if r.archive != nil {
			list[path] = r.archive
		}
	}
	return list
}

// takeOver puts the files of the earlier program that are the same in the places of those
// that were read now.
func (l *loader) takeOver() {
	if l.Before == nil || l.Lenient || l.Unfetched || l.Before.lenient {
		return
	}
	for path, old := range l.Before.archives {
		if l.program.archives[path] != old {
			return
		}
	}
	l.program.Continues = true
	c := comparison{l, map[*File]bool{}}
	var same []*result
	for _, r := range l.results {
		if r.file != nil && c.same(r.file) {
			same = append(same, r)
		}
	}
	for _, r := range same {
		old := l.before[r.path]
		old.version = r.file.version // that of the same text may be another one
		r.file, old.program = old, nil
		for _, a := range old.reads.files {
			l.program.aux[a.Path] = a
		}
		for _, list := range old.reads.lists {
			_, dir, _ := old.listFiles(l.FS, list.name, list.pattern)
			l.program.noteFolder(dir)
		}
	}
}

// comparison compares files with those of the earlier program.
type comparison struct {
	*loader
	known map[*File]bool // false also while a file is compared
}

// same reports whether a file that was read now, and all that it leads to, is as before.
func (c *comparison) same(f *File) bool {
	if same, ok := c.known[f]; ok {
		return same
	}
	c.known[f] = false
	c.known[f] = c.isSame(f, c.before[f.Path])
	return c.known[f]
}

func (c *comparison) isSame(f, old *File) bool {
	if old == nil || f.Source != old.Source || f.Kind == Params || f.Config != old.Config || old.reads.failed ||
		len(f.References) != len(old.References) || len(f.Implicit) != len(old.Implicit) {
		return false
	}
	if f.Config != nil && len(f.Config.Problems) > 0 {
		return false
	}
	for i := range f.Implicit {
		now, then := &f.Implicit[i], &old.Implicit[i]
		if now.Problem != nil || then.Problem != nil || now.Name != then.Name ||
			now.Archive != then.Archive || now.BuiltIn != then.BuiltIn ||
			!reflect.DeepEqual(now.Artifact, then.Artifact) {
			return false
		}
	}
	for i, ref := range f.References {
		if !c.sameReference(ref, old.References[i]) {
			return false
		}
	}
	for _, a := range old.reads.files {
		if !c.sameAux(a) {
			return false
		}
	}
	for _, l := range old.reads.lists {
		found, _, problem := old.listFiles(c.FS, l.name, l.pattern)
		if problem != nil || !slices.Equal(found, l.found) {
			return false
		}
	}
	return true
}

// sameAux reports whether a file that a load function has read is as before.
func (c *comparison) sameAux(a *Aux) bool {
	version := c.program.versions.of(a.Path)
	if version.Known() && version == a.version {
		return true
	}
	info, err := c.FS.Stat(a.Path)
	if err == nil && info.IsDir() {
		return false
	}
	data, err := c.FS.ReadFile(a.Path)
	if err != nil || !bytes.Equal(data, a.Data) {
		return false
	}
	a.version = version
	return true
}

func (c *comparison) sameReference(now, then *Reference) bool {
	if now.Stmt != then.Stmt || now.Problem != nil || then.Problem != nil || now.target != then.target ||
		now.Archive != then.Archive || !reflect.DeepEqual(now.Artifact, then.Artifact) {
		return false
	}
	if now.target == "" {
		_, isExtension := now.Stmt.(*syntax.Extension)
		return isExtension
	}
	r := c.results[now.target]
	return r != nil && r.file != nil && then.File == c.before[now.target] && c.same(r.file)
}

// versions tells the versions of files, each once in a load. Without a program to come
// after it, and on files that have none, it tells none.
type versions struct {
	look  func(name string) source.Version
	mu    sync.Mutex
	known map[string]source.Version
}

func newVersions(fsys source.FS) *versions {
	if look := source.Versions(fsys); look != nil {
		return &versions{look: look, known: map[string]source.Version{}}
	}
	return nil
}

func (v *versions) of(name string) source.Version {
	if v == nil {
		return source.Version{}
	}
	v.mu.Lock()
	version, ok := v.known[name]
	v.mu.Unlock()
	if !ok {
		version = v.look(name)
		v.mu.Lock()
		v.known[name] = version
		v.mu.Unlock()
	}
	return version
}
