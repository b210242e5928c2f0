package command

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
)

// recipeRestore restores the recipes of targets that make plain objects of Radius' resources. Which those are is known by running
// them, so this comes after modules and extensions.
type recipeRestore struct {
	artifacts.RestoreRequest                 // of modules and extensions
	refs                     []string        // to update; all of them if there are none
	all                      bool            // files are not named
	used                     map[string]bool // the recipes that are needed
	programs                 []string        // that need them
	failed                   bool            // what is needed is not known
	done                     map[restored]error
	read                     map[string]bool // settings files
}

// restored is a recipe that a lock file pins.
type restored struct {
	lock   string
	source artifacts.RecipeSource
}

// restoreRecipes restores the recipes of the targets that settings list: of all of them, or of those that files are of.
// Folders may have settings of their own.
func (a *app) restoreRecipes(c *cobra.Command, first *project.Project, x *recipeRestore) (findings []report.Finding, err error) {
	list, err := a.projects(c, first, x)
	if err != nil {
		return nil, err
	}
	for _, o := range list {
		found, err := a.restoreRecipesOf(c, o, x)
		findings = append(findings, found...)
		if err := cmp.Or(c.Context().Err(), err); err != nil {
			return findings, err
		}
	}
	x.failed = x.failed || len(findings) > 0
	return findings, a.finishRecipes(c.Context(), x)
}

// projects returns the project of each settings file that counts for the folders of files.
func (a *app) projects(c *cobra.Command, first *project.Project, x *recipeRestore) ([]*project.Project, error) {
	list := []*project.Project{first}
	x.read = map[string]bool{first.File.Path: true}
	var folders []string
	if x.all {
		folders = append(folders, first.Cwd)
	}
	for _, file := range x.Files {
		folders = append(folders, filepath.Dir(file))
	}
	seen := map[string]bool{}
	for _, folder := range folders {
		for dir := folder; !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			path := filepath.Join(dir, settings.FileName)
			if _, err := os.Lstat(path); err != nil {
				continue
			}
			if !x.read[path] {
				o, err := a.open(c.Flags(), settings.Fetch, folder)
				if err != nil {
					return nil, err
				}
				if !x.read[o.File.Path] { // else it does not count
					x.read[o.File.Path], list = true, append(list, o)
				}
			}
			break
		}
	}
	return list, nil
}

// restoreRecipesOf restores the recipes of the targets of a project.
func (a *app) restoreRecipesOf(c *cobra.Command, o *project.Project, x *recipeRestore) (findings []report.Finding, err error) {
	plain := func(said map[string]any) bool { return said[settings.KeyTarget] == settings.KubernetesTarget }
	ofTarget := func(t settings.Target) bool { return plain(t.Values) }
	if len(o.File.Targets) == 0 || !plain(o.File.Values) && !slices.ContainsFunc(o.File.Targets, ofTarget) {
		return nil, nil
	}
	if o, err = a.open(c.Flags(), settings.Manifest|settings.Fetch, o.Folder); err != nil {
		return nil, err
	}
	if x.VendorTo != "" {
		o.Base.Artifacts.Vendor = "" // what is there is replaced
	}
	side := o.Disk()
	list, _, err := targets.List(side, targets.Selection{MayMiss: true})
	if err != nil {
		return nil, err
	}
	ask, shared := func(s *generate.Source) { s.Base.NoRestore, s.Base.Symbolic = true, true }, &run.Shared{}
	shared.Recipes.Restore = x.restore
	for _, t := range list {
		if !t.Kind().OfAnyKind() || t.Settings.Group == "" || !x.all && !x.names(side, t) {
			continue
		}
		r := &run.Outcome{Target: t}
		var err error
		of := r.ObjectOptions(c.Context(), side, ask, shared)
		if p := r.Load(c.Context(), side, ask); !r.Failed() {
			var found generate.Found
			found, err = p.RestoreRecipes(of.Recipes, of.Context)
			if findings = append(findings, found.Findings...); p.Err != nil {
				return findings, p.Err
			}
		}
		if c.Context().Err() != nil {
			return findings, c.Context().Err()
		}
		if x.failed = x.failed || err != nil || r.Failed(); err != nil || r.Failed() {
			a.Say("Notice: %s: it has errors, so not all its recipes are known; generate-kubernetes-manifest names them", t.Arg)
		}
	}
	return findings, nil
}

// names reports whether one of the files is that of a target, or has values for it.
func (x *recipeRestore) names(side project.Side, t *targets.Target) bool {
	using, _ := side.Using(t.Input)
	of := []string{t.Input, using}
	for _, arg := range t.Args {
		of = append(of, arg.Source().Path)
	}
	return slices.ContainsFunc(of, func(path string) bool {
		abs, err := filepath.Abs(path)
		return path != "" && err == nil && slices.Contains(x.Files, abs)
	})
}

// restore restores recipes of a program.
func (x *recipeRestore) restore(ctx context.Context, q bicep.Request, list []artifacts.RecipeSource) map[artifacts.RecipeSource]error {
	r := x.RestoreRequest
	r.Files, r.FS, r.Root, r.Recipes = []string{q.File}, q.FS, q.Root, []artifacts.RecipeSource{}
	r.Only, r.Update = x.refs, x.Update && (len(x.refs) > 0 || len(x.Only) == 0)
	x.programs = append(x.programs, q.File)
	lock := artifacts.LockPath(q)
	for _, s := range list {
		x.used[s.String()] = true
		if _, done := x.done[restored{lock, s}]; !done {
			r.Recipes = append(r.Recipes, s)
		}
	}
	result, err := artifacts.Restore(ctx, r)
	for _, s := range r.Recipes {
		if x.done[restored{lock, s}] = err; err == nil {
			x.done[restored{lock, s}] = result.Recipes[s]
		}
	}
	failed := map[artifacts.RecipeSource]error{}
	for _, s := range list {
		failed[s] = x.done[restored{lock, s}]
	}
	return failed
}

// finishRecipes takes what is not needed out of the lock files, if that is asked for. Targets whose settings were not read may need it.
func (a *app) finishRecipes(ctx context.Context, x *recipeRestore) error {
	for _, ref := range x.refs {
		if !x.used[ref] {
			return fmt.Errorf("%s: no target that was named needs this recipe", ref)
		}
	}
	if !x.all || x.failed || !x.Update || len(x.refs)+len(x.Only) > 0 {
		return nil
	}
	r := x.RestoreRequest
	r.Files = slices.Concat(x.Files, x.programs)
	return artifacts.PruneRecipes(ctx, r, slices.Collect(maps.Keys(x.used)), func(lock string) bool {
		other := x.unread(ctx, filepath.Dir(lock))
		if other != "" {
			a.Say("Notice: %s keeps recipes that nothing here needs: targets of %s may need them. "+
				"'rad bicep restore --update' in a folder above both takes out those that no target needs", lock, other)
		}
		return other == ""
	})
}

// unread returns a settings file above, in or below a folder that was not read; "" if there is none.
func (x *recipeRestore) unread(ctx context.Context, folder string) (other string) {
	look := func(dir string) bool {
		path := filepath.Join(dir, settings.FileName)
		if _, err := os.Lstat(path); err == nil && !x.read[path] {
			other = path
		}
		return other != ""
	}
	for dir := folder; x.Root != "" && dir != x.Root && filepath.Dir(dir) != dir; {
		if dir = filepath.Dir(dir); look(dir) {
			return other
		}
	}
	err := workdir.Walk(folder, func(path string, d fs.DirEntry) error {
		if d.IsDir() && look(path) {
			return fs.SkipAll
		}
		return ctx.Err()
	})
	if err != nil {
		return folder
	}
	return other
}

// splitReferences returns the references to modules and extensions, and those to recipes.
func splitReferences(refs []string) (modules, recipes []string) {
	for _, ref := range refs {
		if strings.HasPrefix(ref, "br:") {
			modules = append(modules, ref)
		} else {
			recipes = append(recipes, ref)
		}
	}
	return modules, recipes
}
