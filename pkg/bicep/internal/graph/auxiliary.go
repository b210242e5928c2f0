package graph

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Aux is a file that a load function reads.
type Aux struct {
	Path string // absolute
	Data []byte
	// Loaded is what load functions made of the content, by how they were asked to.
	Loaded memo.Map[any, any]

	texts   memo.Map[string, string] // by encoding
	version source.Version
	problem *diag.Problem
}

// LoadAux reads a file that an expression in f names by a relative path.
func (f *File) LoadAux(name string) (*Aux, *diag.Problem) {
	if p := artifact.CheckPath(name); p != nil {
		return nil, p
	}
	target := filepath.Join(filepath.Dir(f.Path), filepath.FromSlash(name))
	p := f.program
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.aux[target]
	if a == nil {
		a = &Aux{Path: target, version: p.versions.of(target)}
		if info, err := p.fs.Stat(target); err == nil && info.IsDir() {
			a.problem = diag.BCP275.With(diag.File(target))
		} else if a.Data, err = p.fs.ReadFile(target); err != nil {
			a.problem = readProblem(err)
		}
		p.aux[target] = a
	}
	f.reads.note(a)
	if a.problem != nil {
		return nil, a.problem
	}
	return a, nil
}

// AuxFiles returns the paths of the files that load functions have read.
func (p *Program) AuxFiles() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []string
	for _, a := range p.aux {
		if a.problem == nil {
			list = append(list, a.Path)
		}
	}
	return list
}

// Folders returns the folders whose files load functions have listed.
func (p *Program) Folders() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.listed)
}

// RelativePath returns a path as it is written from f, with forward slashes.
func (f *File) RelativePath(target string) string {
	rel, err := filepath.Rel(filepath.Dir(f.Path), target)
	if err != nil {
		return filepath.ToSlash(target)
	}
	return filepath.ToSlash(rel)
}

// Bytes returns the content, unless it is longer than limit.
func (a *Aux) Bytes(limit int) ([]byte, *diag.Problem) {
	if len(a.Data) > limit {
		return nil, diag.BCP184.With(diag.File(a.Path), limit, "bytes")
	}
	return a.Data, nil
}

// Encoding returns the name of the encoding of a byte order mark, or "".
func (a *Aux) Encoding() string {
	name, _ := source.ByteOrderMark(a.Data)
	return name
}

// Text returns the content as text: in the encoding of its byte order mark, or else in the one that
// is named ("" is UTF-8). It may have no more than limit UTF-16 code units, unless limit is
// negative. Bytes that are not text in the encoding become U+FFFD, in ASCII a question mark.
func (a *Aux) Text(encoding string, limit int) (string, *diag.Problem) {
	text := a.texts.Get(encoding, func() string { return source.Decode(a.Data, encoding) })
	if limit >= 0 && len(text) > limit && source.UTF16Len(text) > limit {
		return "", diag.BCP184.With(diag.File(a.Path), limit, "characters")
	}
	return text, nil
}

// ListFiles returns the files, and no directories, of a directory that an
// expression in f names by a relative path. The pattern may hold * and ?; an
// empty one stands for *.
func (f *File) ListFiles(name, pattern string) ([]string, *diag.Problem) {
	p := f.program
	list, dir, problem := f.listFiles(p.fs, name, pattern)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.noteFolder(dir)
	if problem != nil {
		f.reads.failed = true
		return nil, problem
	}
	f.reads.lists = append(f.reads.lists, listing{name, pattern, slices.Clone(list)})
	return list, nil
}

// noteFolder notes that the files of a folder were listed.
func (p *Program) noteFolder(dir string) {
	if dir != "" && !slices.Contains(p.listed, dir) {
		p.listed = append(p.listed, dir)
	}
}

// listFiles is ListFiles on a file system. dir is the folder whose files were listed; ""
// if there is none.
func (f *File) listFiles(fsys source.FS, name, pattern string) (list []string, dir string, _ *diag.Problem) {
	if p := artifact.CheckPath(name); p != nil {
		return nil, "", p
	}
	folder := filepath.Join(filepath.Dir(f.Path), filepath.FromSlash(name))
	info, err := fsys.Stat(folder)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, "", diag.BCP429.With(reason(err))
	case err != nil:
		return nil, "", diag.BCP428.With(name)
	case !info.IsDir():
		return nil, "", diag.BCP430.With(name)
	}
	if i := strings.LastIndexByte(pattern, '/'); i >= 0 {
		// what is before the last slash is a path, in which * means itself
		folder, pattern = filepath.Join(folder, filepath.FromSlash(pattern[:i])), pattern[i+1:]
	}
	switch pattern {
	case "", ".", "*.*":
		pattern = "*"
	}
	entries, err := readDirMatching(fsys, folder, func(name string) bool { return source.Match(pattern, name, '?') })
	if err != nil {
		return nil, folder, diag.BCP429.With(reason(err))
	}
	for _, e := range entries {
		if !source.Match(pattern, e.Name(), '?') {
			continue
		}
		target := filepath.Join(folder, e.Name())
		if e.Type()&os.ModeSymlink != 0 {
			if info, err := fsys.Stat(target); err != nil || info.IsDir() {
				continue
			}
		} else if e.IsDir() {
			continue
		}
		list = append(list, target)
	}
	return list, folder, nil
}

func readDirMatching(fsys source.FS, dir string, match func(name string) bool) ([]fs.DirEntry, error) {
	if m, ok := fsys.(source.MatchFS); ok {
		return m.ReadDirMatching(dir, match)
	}
	return fsys.ReadDir(dir)
}
