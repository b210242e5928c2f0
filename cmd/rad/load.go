package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
)

// load compiles the template of a task and binds its parameters. change, which may be nil,
// says what the command asks for. The program is never nil: what went wrong is in it.
func (g *work) load(ctx context.Context, t *task, change func(*generate.Source)) *generate.Program {
	in := generate.Input{
		Template: t.input, Text: t.arg, Args: t.args, Group: cmp.Or(t.group, g.compile.Group),
		Fallbacks: []generate.Fallback{
			{Parameter: "environment", Value: cmp.Or(t.environment, g.compile.Environment), Kind: "environments", Source: "--environment"},
			{Parameter: "application", Value: cmp.Or(t.application, g.compile.Application), Kind: "applications", Source: "--application"},
		},
	}
	if t.bundle {
		_, b, err := g.compile.openBundle(ctx, t.arg)
		if err != nil {
			return &generate.Program{Err: err}
		}
		in.Bundle = b
	}
	s := g.source()
	if change != nil {
		change(&s)
	}
	p, _ := generate.Load(ctx, s, in) // what went wrong is in p
	return p
}

// source says how the programs of this run are read.
func (g *work) source() generate.Source {
	s := generate.Source{
		Compiler: g.compile.compiler, External: g.compile.external, Base: g.compile.base,
		Files: g.filesFor, Named: named{g}, Stdin: g.stdin, Shown: g.display, WarningsAsErrors: g.compile.strict,
	}
	s.Base.Symbolic, s.Base.Lenient = g.symbolic, g.partial
	return s
}

// filesFor returns the root and the files for one that is compiled. A manifest is made for a
// cluster, maybe of a repository that is not the user's own, so there is always a root.
func (g *work) filesFor(file string) (root string, files source.FS) {
	root, files = g.compile.base.Root, g.compile.base.FS
	if root == "" {
		root = filepath.Dir(file)
		files = workdir.FilesBelow(root)
	}
	if g.tree != nil && g.tree.Contains(file) {
		files = g.tree
	}
	if g.reads != nil {
		files = g.reads.Of(files)
	}
	return root, files
}

// named are the files that arguments name: of the revision that is looked at, if they are in its
// repository.
type named struct{ g *work }

func (n named) Exists(path string) error {
	_, err := n.g.stat(path)
	return err
}

func (n named) ReadFile(path string) ([]byte, error) {
	g := n.g
	abs, err := filepath.Abs(path)
	if err == nil && g.reads != nil {
		g.reads.NoteFile(abs)
	}
	if err != nil || g.tree == nil || !g.tree.Contains(abs) {
		return g.compile.bounds.ReadFileText(path)
	}
	b, err := g.tree.ReadFile(abs)
	if err != nil {
		return nil, err
	}
	if b, err = workdir.ReadText(bytes.NewReader(b)); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return b, err
}

// readRaw reads a file as it is: of the revision that is looked at, if it is in its repository.
func (g *work) readRaw(path string) ([]byte, error) {
	if g.tree != nil && g.tree.Contains(path) {
		return g.tree.ReadFile(path)
	}
	return g.compile.bounds.ReadFile(path)
}

// stat describes the file that is read.
func (g *work) stat(path string) (fs.FileInfo, error) {
	if g.tree == nil || !g.tree.Contains(path) {
		return g.compile.bounds.Stat(path)
	}
	return g.tree.Stat(path)
}

// using returns the template that a parameter file uses.
func (g *work) using(path string) (string, error) {
	_, files := g.filesFor(path)
	return bicep.Using(files, path)
}
