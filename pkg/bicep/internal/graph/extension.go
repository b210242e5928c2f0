package graph

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// extension resolves what an `extension` statement names: an entry of the
// configuration, or an artifact.
func (l *loader) extension(f *File, ref *Reference, s *syntax.Extension) {
	var text string
	switch spec := s.Spec.(type) {
	case *syntax.String:
		t, ok := spec.Literal()
		if !ok {
			ref.Problem = diag.BCP303.With()
			return
		}
		text = t
	case *syntax.Ident:
		if text, ref.Problem = l.configured(f, spec.Name); ref.Problem != nil {
			return
		}
	default:
		ref.Problem = diag.BCP201.With()
		return
	}
	ref.External = strings.Contains(text, ":")
	ref.Artifact, ref.Archive, ref.Problem = l.types(f, text)
	ref.BuiltIn = builtIn(ref.Artifact, ref.Archive, ref.Problem)
}

// configured returns the reference that the configuration has for an extension;
// a path in it becomes relative to the file that uses it.
func (l *loader) configured(f *File, name string) (string, *diag.Problem) {
	e, problem := f.Config.Extension(name)
	if problem != nil || strings.Contains(e.Value, ":") {
		return e.Value, problem
	}
	if f.Config.Path == "" {
		return e.Value, nil
	}
	target := filepath.Join(filepath.Dir(f.Config.Path), filepath.FromSlash(e.Value))
	rel, err := filepath.Rel(filepath.Dir(f.Path), target)
	if err != nil {
		return e.Value, nil
	}
	rel = filepath.ToSlash(rel)
	// A path to a directory ends in a slash. That of the file's own directory is the slash alone.
	if last := e.Value[strings.LastIndexByte(e.Value, '/')+1:]; last == "" || last == "." || last == ".." {
		if rel == "." {
			rel = ""
		}
		rel += "/"
	}
	return rel, nil
}

// implicit resolves an extension that the configuration adds to a file.
func (l *loader) implicit(f *File, name string) ImplicitExtension {
	x := ImplicitExtension{Name: name}
	e, problem := f.Config.Extension(name)
	switch {
	case problem != nil:
		x.Missing, x.Problem = true, problem
	case e.BuiltIn():
		x.BuiltIn = name
	default:
		text := e.Value
		if !strings.Contains(text, ":") {
			text, _ = l.configured(f, name)
		}
		x.Artifact, x.Archive, x.Problem = l.types(f, text)
		x.BuiltIn = builtIn(x.Artifact, x.Archive, x.Problem)
	}
	return x
}

// builtIn returns the extension that is meant where types were found, but no archive of them.
func builtIn(a *artifact.Reference, archive *Archive, problem *diag.Problem) string {
	if archive != nil || problem != nil {
		return ""
	}
	return a.BuiltIn()
}

// types finds the types of an extension. There is no archive where those of this program
// are used.
func (l *loader) types(f *File, text string) (a *artifact.Reference, archive *Archive, problem *diag.Problem) {
	a, problem = artifact.Parse(text, artifact.Extension, f.Config)
	if problem != nil {
		return nil, nil, problem
	}
	if a.Scheme == artifact.Local {
		var target string
		if target, problem = l.relative(f, a.Path); problem == nil {
			archive, problem = l.archive(target, l.FS.ReadFile, a)
		}
		return a, archive, problem
	}
	found := l.Artifacts.Find(a, f.Config)
	if problem = found.Problem; problem == nil && found.State != cache.Replaced {
		archive, problem = l.archive(found.Path(), func(string) ([]byte, error) { return found.Read() }, a)
	}
	return a, archive, problem
}

// archiveResult is what became of reading an archive.
type archiveResult struct {
	once    sync.Once
	archive *Archive
	problem *diag.Problem
}

// archive reads the types of an extension, once.
func (l *loader) archive(name string, read func(string) ([]byte, error), a *artifact.Reference) (*Archive, *diag.Problem) {
	l.mu.Lock()
	r := l.archives[name]
	if r == nil {
		r = &archiveResult{}
		l.archives[name] = r
	}
	l.mu.Unlock()
	r.once.Do(func() {
		data, err := read(name)
		if err != nil {
			r.problem = readProblem(err)
			return
		}
		r.archive = l.sameArchive(name, data, a)
		if r.archive == nil {
			r.archive = &Archive{Path: name, Packed: data, from: a}
		}
	})
	return r.archive, r.problem
}
