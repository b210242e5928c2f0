package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/aso"
	names "github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/manifest/schema"
	"github.com/radbicep/rad/pkg/params"
)

// templateOnly are the flags that say something about a DeploymentTemplate only.
var templateOnly = []string{"group", "compact", "generator-metadata", "ignore-generator"}

// checkTargetFlags refuses flags that no target has a use for.
func checkTargetFlags(flags *pflag.FlagSet, byResources bool, list []*targets.Target) error {
	used := map[string]bool{}
	templates, objects, plain := false, false, false
	for _, t := range list {
		k := t.Kind()
		if k == nil {
			templates = true
			continue
		}
		objects, plain = true, plain || k.OfAnyKind()
		for _, s := range settings.OfTarget(k.Name) {
			used[s.Flag()] = true
		}
	}
	changed := flags.Changed
	for _, s := range settings.OfTargets() {
		if !changed(s.Flag()) || used[s.Flag()] {
			continue
		}
		return needsTarget(s)
	}
	for _, name := range settings.RecipeFlags {
		if changed(name) && !plain {
			return cli.Fail(cli.ExitUsage, "--%s needs --target %s", name, settings.KubernetesTarget)
		}
	}
	for _, name := range templateOnly {
		if changed(name) && !templates && (name != settings.KeyGroup || !plain) {
			return cli.Fail(cli.ExitUsage, "--%s is about a DeploymentTemplate; it has no meaning with --target %s",
				name, list[0].Kind().Name)
		}
	}
	if byResources && objects {
		return cli.Fail(cli.ExitUsage, "--diff=resources compares DeploymentTemplates; use --diff")
	}
	return nil
}

// needsTarget refuses a setting that only some targets have.
func needsTarget(s *settings.Setting) error {
	names := make([]string, len(s.Targets))
	for i, name := range s.Targets {
		names[i] = "--target " + name
	}
	return cli.Fail(cli.ExitUsage, "--%s needs %s", s.Flag(), cli.OrList(names))
}

// recipesOf returns what stands for a cluster of Radius; nil for targets that have no use for it. A program whose environment
// nobody names is for the only one that is declared.
func (m *maker) recipesOf(ctx context.Context, side project.Side, r *run.Outcome) *generate.Recipes {
	t := *r.Target
	of := run.Recipes(ctx, side, &t, m.ask, &m.recipes)
	if of == nil {
		return nil
	}
	if t.Settings.Recipes.Environment != "" && t.Settings.Group == "" {
		r.Fail(cli.Fail(cli.ExitUsage,
			"%s: recipes need --group, or group in the settings: IDs of the resources of Radius go into objects", t.Arg))
		return nil
	}
	t.Environment = of.OnlyEnvironment()
	r.Target = &t
	if r.Note(of.Found); of.Err != nil {
		r.Fail(cli.ProgramError(of.Err, t.ListedAt))
	}
	return of
}

// objects makes the objects of a target.
func (m *maker) objects(ctx context.Context, side project.Side, r *run.Outcome, k *generate.Kind) {
	t := r.Target
	r.Kind, r.Making = k, k.Name
	of := m.recipesOf(ctx, side, r)
	if r.Failed() {
		return
	}
	t = r.Target
	p := r.Load(ctx, side, func(s *generate.Source) {
		m.ask(s)
		made := func(rule string) bool { return strings.HasSuffix(rule, aso.ExistingForms[1]) }
		s.Existing = k.Existing || slices.ContainsFunc(t.Settings.Existing, made)
		s.Base.Symbolic = true // only the symbolic form names existing resources
	})
	o := generate.ObjectOptions{
		Name: t.Name, Namespace: t.Settings.Namespace, Labels: t.Settings.Labels,
		Annotations: t.Settings.Annotations, Settings: map[string]string{},
		Secure: params.SecurePolicy(side.SecureParameters),
	}
	if o.Secure == params.SecureReference || k.OfAnyKind() {
		o.Secure = params.SecureOmit // these objects have references of their own, or hold nothing of the kind
	}
	for _, s := range settings.OfTarget(k.Name) {
		o.Settings[s.Key] = t.Settings.Text(s.Key)
	}
	if err := manifest.CheckMetadata(o.Namespace, o.Labels, o.Annotations); err != nil {
		r.Fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
	}
	var err error
	if o.Recipes = of; of != nil {
		defer func() { r.Files = append(r.Files, of.Files...) }()
	}
	if o.Context, err = t.ObjectContext(); err != nil {
		r.Fail(err)
	} else if p.Tree != nil {
		own := func(key string) (string, bool) { // what is said for all targets counts where there is a place for it
			return "--" + cli.Kebab(key), t.Settings.Commanded(key) || t.Says(key)
		}
		if err := targets.CheckContext(o.Context, p.Tree, own); err != nil && t.Settings.AzureScope == "" {
			r.Fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
		}
	}
	if o.CRDs, err = m.definitions(side, t.Settings.CRDs); err != nil {
		r.Fail(err)
	}
	values, found := p.Written(o.Secure, k)
	m.explained(r, p, values)
	if r.Err != nil {
		r.Note(found)
		return
	}
	made, found, err := p.Objects(k, o)
	switch r.Note(found); {
	case errors.Is(err, generate.ErrOptions):
		r.Fail(cli.Silent(cli.ExitUsage))
		return
	case r.Failed():
		return
	case err != nil:
		r.Fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
		return
	}
	r.Objects, r.CRDs, r.Comments, r.Secrets, r.LeftOut = made.List, o.CRDs, made.Comments, made.Secrets, made.LeftOut
	format := t.Format()
	if format == manifest.JSON || side.Outdir != "" && !t.Outfiled {
		r.Notices = append(r.Notices, r.Comments...) // JSON has no comments, and none is of one object of a folder
	}
	for _, l := range r.LeftOut { // which is told as a warning, too
		r.Comments = append(r.Comments, l.String())
	}
	if r.Content, err = manifest.RenderObjects(made.List, slices.Concat(r.Header, r.Comments), format); err != nil {
		r.Fail(cli.Fail(cli.ExitSource, "%s: %w", t.Arg, err))
	}
}

// requirements makes what has to be in a cluster for the objects of all targets.
func requirements(made []*run.Outcome) (*run.Outcome, error) {
	one := *made[0]
	one.Objects = nil
	kinds := &schema.Kinds{}
	for _, r := range made {
		if r.Kind == nil || r.Kind.Requirements == nil {
			return nil, cli.Fail(cli.ExitUsage, "%s: --requirements needs --target aso", r.Target.Arg)
		}
		one.Objects = append(one.Objects, r.Objects...)
		kinds.Use(r.CRDs)
	}
	if len(one.Objects) == 0 {
		return nil, cli.Fail(cli.ExitSource, "--requirements: there are no objects, so nothing is needed")
	}
	base := filepath.Base(one.Target.Input)
	name := names.SafeName(cmp.Or(one.Target.Name, strings.TrimSuffix(base, filepath.Ext(base))), base, false)
	one.Objects, one.Comments = one.Kind.Requirements(name+"-azure", one.Objects, kinds)
	var err error
	if one.Content, err = manifest.RenderObjects(one.Objects, slices.Concat(one.Header, one.Comments), manifest.YAML); err != nil {
		return nil, err
	}
	return &one, nil
}

// definitions reads the CRDs in a file or a folder, each file once.
func (m *maker) definitions(side project.Side, path string) (list []*schema.Definition, err error) {
	if path == "" {
		return nil, nil
	}
	fail := func(status int, err error) ([]*schema.Definition, error) {
		return nil, cli.Fail(status, "--%s: %w", settings.KeyCRDs, err)
	}
	for _, path := range run.Definitions(side, path) {
		text, err := side.ReadLarge(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, cli.Missing("--%s: there is no file or folder %s", settings.KeyCRDs, side.Shown(path))
		case err != nil:
			return fail(cli.ExitIO, err)
		}
		read, _ := m.read.LoadOrStore(path, sync.OnceValues(func() ([]*schema.Definition, error) { return schema.ReadDefinitions(text) }))
		crds, err := read.(func() ([]*schema.Definition, error))()
		if err != nil {
			return fail(cli.ExitUsage, fmt.Errorf("%s: %w", side.Shown(path), err))
		}
		list = append(list, crds...)
	}
	if len(list) == 0 {
		return fail(cli.ExitUsage, fmt.Errorf("there is no CustomResourceDefinition in %s", side.Shown(path)))
	}
	return list, nil
}
