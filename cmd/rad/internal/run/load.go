package run

import (
	"context"
	"path/filepath"

	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/generate"
)

// Ask is what a command asks beside, of how a program is loaded. An external compiler gets no options.
type Ask func(*generate.Source)

// Load compiles the template of a target, as it is on a side, and binds its parameters. The program is never nil: what
// went wrong is in it.
func Load(ctx context.Context, side project.Side, t *targets.Target, ask Ask) *generate.Program {
	t, err := t.Open(ctx, side)
	if err != nil {
		return &generate.Program{Err: err}
	}
	if side.Reads != nil {
		for _, path := range Definitions(side, t.Settings.CRDs) {
			_, _ = side.ReadFile(path) // what cannot be read is said where it is needed
		}
	}
	s := generate.Source{Compiler: side.Compiler, Base: side.Base, Host: side}
	ask(&s)
	s.Base = side.Request(s.Base, t.Input)
	p, _ := generate.Load(ctx, s, t.GenerateInput()) // what went wrong is in p
	if t.WantsFile && p.Failed() == nil {
		p.Err = &generate.TemplateError{Problem: generate.NotFile, File: t.Arg, Text: "it uses no template that is a file"}
	}
	return p
}

// Definitions returns the files of CRDs that objects are held to: the one that is named, or those of a folder.
func Definitions(side project.Side, path string) (paths []string) {
	if path == "" {
		return nil
	}
	entries, err := side.ReadDir(path)
	if err != nil {
		return []string{path}
	}
	if abs, err := filepath.Abs(path); err == nil && side.Reads != nil {
		side.Reads.NoteFile(abs)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == ".yaml" || ext == ".yml" || ext == ".json" {
			paths = append(paths, filepath.Join(path, e.Name()))
		}
	}
	return paths
}
