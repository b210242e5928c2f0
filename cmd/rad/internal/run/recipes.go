package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/schema"
	"github.com/radbicep/rad/pkg/params"
)

// Shared are files that targets of one side have in common, each of which is read once.
type Shared struct {
	Recipes generate.Templates
	crds    sync.Map
}

// ObjectOptions returns how the objects of a target are made. Recipes are read for it where a target makes plain objects: a
// program whose environment nobody names is for the only one that is declared.
func (r *Outcome) ObjectOptions(ctx context.Context, side project.Side, ask Ask, shared *Shared) (o generate.ObjectOptions) {
	t := *r.Target
	k, said := t.Kind(), t.Settings
	o = generate.ObjectOptions{Name: t.Name, Namespace: said.Namespace, Labels: said.Labels, Annotations: said.Annotations,
		Settings: map[string]string{}, Secure: params.SecurePolicy(side.SecureParameters)}
	if o.Secure == params.SecureReference || k.OfAnyKind() {
		o.Secure = params.SecureOmit // these objects have references of their own, or hold nothing of the kind
	}
	for _, s := range settings.OfTarget(k.Name) {
		o.Settings[s.Key] = said.Text(s.Key)
	}
	if o.Recipes = Recipes(ctx, side, &t, ask, &shared.Recipes); o.Recipes != nil {
		t.Environment = o.Recipes.OnlyEnvironment()
		r.Target = &t
		if r.Note(o.Recipes.Found); o.Recipes.Err != nil {
			r.Fail(cli.ProgramError(o.Recipes.Err, t.ListedAt))
		}
	}
	if err := manifest.CheckMetadata(o.Namespace, o.Labels, o.Annotations); err != nil {
		r.Fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
	}
	var err error
	if o.Context, err = t.ObjectContext(); err != nil {
		r.Fail(err)
	}
	if o.CRDs, err = shared.definitions(side, said.CRDs); err != nil {
		r.Fail(err)
	}
	return o
}

// definitions reads the CRDs in a file or a folder, each file once.
func (m *Shared) definitions(side project.Side, path string) (list []*schema.Definition, err error) {
	if path == "" {
		return nil, nil
	}
	fail := func(status int, err error) ([]*schema.Definition, error) {
		return nil, cli.Fail(status, "--%s: %w", settings.KeyCRDs, err)
	}
	seen := map[string]*schema.Definition{}
	for _, path := range Definitions(side, path) {
		text, err := side.ReadLarge(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, cli.Missing("--%s: there is no file or folder %s", settings.KeyCRDs, side.Shown(path))
		case err != nil:
			return fail(cli.ExitIO, err)
		}
		read, _ := m.crds.LoadOrStore(path, sync.OnceValues(func() ([]*schema.Definition, error) { return schema.ReadDefinitions(text) }))
		crds, err := read.(func() ([]*schema.Definition, error))()
		if err != nil {
			return fail(cli.ExitUsage, fmt.Errorf("%s: %w", side.Shown(path), err))
		}
		for _, d := range crds {
			name := d.Kind + " (" + d.Group + ")"
			if other := seen[name]; other != nil && !slices.EqualFunc(d.Versions, other.Versions, sameVersion) {
				err = fmt.Errorf("%s: %s is defined in another way, too; give the CRDs of one cluster", side.Shown(path), name)
				return fail(cli.ExitUsage, err)
			}
			seen[name] = d
		}
		list = append(list, crds...)
	}
	if len(list) == 0 {
		return fail(cli.ExitUsage, fmt.Errorf("there is no CustomResourceDefinition in %s", side.Shown(path)))
	}
	return list, nil
}

func sameVersion(a, b *schema.Version) bool {
	return a.Name == b.Name && a.Served == b.Served && bytes.Equal(a.Text, b.Text)
}

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
			if side.Reads != nil {
				side.Reads.NoteFile(said.Sources[from])
			}
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
