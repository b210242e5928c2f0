package run

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
)

// Recipes reads what stands for a cluster of Radius where a target makes plain objects; nil for other targets. shared holds
// the recipes that several targets have in common.
func Recipes(ctx context.Context, side project.Side, t *targets.Target, ask Ask, shared *generate.Templates) *generate.Recipes {
	if !t.Kind().OfAnyKind() {
		return nil
	}
	s := generate.Source{Compiler: side.Compiler, Base: side.Base, Host: besideRoot{side}}
	ask(&s)
	s.Base = side.Request(s.Base, t.Input)
	said := t.Settings.Recipes.At(func(path string) string {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
		return path
	})
	in := generate.RecipeInput{
		Environment: said.Environment, Packs: said.Packs, Types: said.Types, Sources: said.Sources,
		Group: t.Settings.Group, Namespace: t.Settings.Namespace, Release: t.Settings.RadiusVersion, Assume: said.Assume,
	}
	r := generate.LoadRecipes(ctx, s, in, shared)
	for _, from := range slices.Sorted(maps.Keys(said.Sources)) {
		if _, err := side.Stat(said.Sources[from]); err != nil && r.Err == nil {
			r.Err = cli.Fail(cli.ExitIO, "%s: %w", side.Shown(said.Sources[from]), cli.ReasonOf(err))
		}
	}
	return r
}

// besideRoot is a side of which files that are not below the root are read below their own work tree, or their folder: a flag
// names them. What a settings file names is held to the root where it is read.
type besideRoot struct{ project.Side }

func (h besideRoot) FilesFor(file string) (root string, files source.FS) {
	root, files = h.Side.FilesFor(file)
	if h.Base.Root == "" || h.Bounds.Contains(file) || h.Tree() != nil && h.Tree().Contains(file) {
		return root, files
	}
	if root = workdir.GitTop(filepath.Dir(file)); root == "" {
		root = filepath.Dir(file)
	}
	if files = workdir.FilesBelow(root); h.Reads != nil {
		files = h.Reads.Of(files)
	}
	return root, files
}
