package project

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
)

// Load compiles the template of a task and binds its parameters. change, which may be nil,
// says what the command asks for. The program is never nil: what went wrong is in it.
func (g *Work) Load(ctx context.Context, t *Target, change func(*generate.Source)) *generate.Program {
	if err := g.Open(ctx, t); err != nil {
		return &generate.Program{Err: err}
	}
	in := generate.Input{
		Template: t.Input, Text: t.Arg, Bundle: t.bundle, Args: t.Args, Own: t.own, Group: t.Settings.Group,
		Fallbacks: []generate.Fallback{
			g.fallback(t, "environment", settings.KeyEnvironment, "environments"),
			g.fallback(t, "application", settings.KeyApplication, "applications"),
		},
	}
	s := g.source()
	if change != nil {
		change(&s)
	}
	p, _ := generate.Load(ctx, s, in) // what went wrong is in p
	if t.wantsFile && p.Failed() == nil {
		p.Err = &generate.TemplateError{Problem: generate.NotFile, File: t.Arg, Text: "it uses no template that is a file"}
	}
	return p
}

// fallback returns the value that a setting gives a parameter.
func (g *Work) fallback(t *Target, parameter, key, kind string) generate.Fallback {
	s := t.Settings
	return generate.Fallback{Parameter: parameter, Value: s.Text(key), Kind: kind, Source: s.Where(key), Firm: t.Listed != "" && s.Asked(key)}
}

// source says how the programs of this run are read.
func (g *Work) source() generate.Source {
	s := generate.Source{
		Compiler: g.Project.Compiler, External: g.Project.External, Base: g.Project.Base,
		Files: g.FilesFor, Named: named{g}, Stdin: g.Stdin, Shown: g.Shown, WarningsAsErrors: g.Project.strict,
	}
	s.Base.Symbolic, s.Base.Lenient, s.Base.Unfetched = g.Symbolic, g.Partial, g.Unfetched
	return s
}

// FilesFor returns the root and the files for one that is compiled. A manifest is made for a
// cluster, maybe of a repository that is not the user's own, so there is always a root.
func (g *Work) FilesFor(file string) (root string, files source.FS) {
	root, files = g.Project.Base.Root, g.Project.Base.FS
	if root == "" {
		root = filepath.Dir(file)
		files = workdir.FilesBelow(root)
	}
	if g.Tree != nil && g.Tree.Contains(file) {
		files = g.Tree
	}
	if g.Reads != nil {
		files = g.Reads.Of(files)
	}
	return root, files
}

// named are the files that arguments name: of the revision that is looked at, if they are in its
// repository.
type named struct{ g *Work }

func (n named) Exists(path string) error {
	_, err := n.g.Stat(path)
	return err
}

func (n named) ReadFile(path string) ([]byte, error) {
	g := n.g
	abs, err := filepath.Abs(path)
	if err == nil && g.Reads != nil {
		g.Reads.NoteFile(abs)
	}
	if err != nil || g.Tree == nil || !g.Tree.Contains(abs) {
		return g.Project.Bounds.ReadFileText(path)
	}
	b, err := g.Tree.ReadFile(abs)
	if err != nil {
		return nil, err
	}
	if b, err = workdir.ReadText(bytes.NewReader(b)); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return b, err
}

// ReadRaw reads a file as it is: of the revision that is looked at, if it is in its repository.
func (g *Work) ReadRaw(path string) ([]byte, error) {
	if g.Tree != nil && g.Tree.Contains(path) {
		return g.Tree.ReadFile(path)
	}
	return g.Project.Bounds.ReadFile(path)
}

// Stat describes the file that is read.
func (g *Work) Stat(path string) (fs.FileInfo, error) {
	if g.Tree == nil || !g.Tree.Contains(path) {
		return g.Project.Bounds.Stat(path)
	}
	return g.Tree.Stat(path)
}

// Using returns the template that a parameter file uses.
func (g *Work) Using(path string) (string, error) {
	_, files := g.FilesFor(path)
	return bicep.Using(files, path)
}
