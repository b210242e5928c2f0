package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/aso"
	names "github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// templateOnly are the flags that say something about a DeploymentTemplate only.
var templateOnly = []string{"group", "compact", "generator-metadata", "ignore-generator"}

// checkTargetFlags refuses flags that no target has a use for.
func checkTargetFlags(flags *pflag.FlagSet, byResources bool, list []*targets.Target) error {
	if err := targets.CheckFlags(flags, settings.OfTargets(), list); err != nil {
		return err
	}
	templates, objects, plain := false, false, false
	for _, t := range list {
		k := t.Kind()
		templates, objects, plain = templates || k == nil, objects || k != nil, plain || k.OfAnyKind()
	}
	for _, name := range templateOnly {
		if flags.Changed(name) && !templates && (name != settings.KeyGroup || !plain) {
			return cli.Fail(cli.ExitUsage, "--%s is about a DeploymentTemplate; it has no meaning with --target %s",
				name, list[0].Kind().Name)
		}
	}
	if byResources && objects {
		return cli.Fail(cli.ExitUsage, "--diff=resources compares DeploymentTemplates; use --diff")
	}
	return nil
}

// objects makes the objects of a target.
func (m *maker) objects(ctx context.Context, side project.Side, r *run.Outcome, k *generate.Kind) {
	r.Kind, r.Making = k, k.Name
	if said := r.Target.Settings; k.OfAnyKind() && said.Recipes.Environment != "" && said.Group == "" {
		r.Fail(cli.Fail(cli.ExitUsage,
			"%s: recipes need --group, or group in the settings: IDs of the resources of Radius go into objects", r.Target.Arg))
		return
	}
	o := r.ObjectOptions(ctx, side, m.ask, &m.shared)
	if r.Failed() {
		return
	}
	t := r.Target
	p := r.Load(ctx, side, func(s *generate.Source) {
		m.ask(s)
		made := func(rule string) bool { return strings.HasSuffix(rule, aso.ExistingForms[1]) }
		s.Existing = k.Existing || slices.ContainsFunc(t.Settings.Existing, made)
		s.Base.Symbolic = true // only the symbolic form names existing resources
	})
	if of := o.Recipes; of != nil {
		defer func() { r.Files = append(r.Files, of.Files...) }()
	}
	if p.Tree != nil {
		own := func(key string) (string, bool) { // what is said for all targets counts where there is a place for it
			name := "--" + cli.Kebab(key)
			if t.Settings.Commanded(key) {
				r.Notices = append(r.Notices,
					fmt.Sprintf("%s: %s is not used: the scope of the template is %s", t.Arg, name, expand.TemplateScope(p.Tree)))
				return name, false
			}
			return name, t.Says(key)
		}
		if err := targets.CheckContext(o.Context, p.Tree, own); err != nil && t.Settings.AzureScope == "" {
			r.Fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
		}
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
	case p.Err != nil:
		r.Fail(cli.ProgramError(p.Err, t.ListedAt))
		return
	case r.Failed():
		return
	case err != nil:
		r.Fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
		return
	}
	r.Objects, r.CRDs, r.Comments, r.Secrets, r.LeftOut = made.List, o.CRDs, made.Comments, made.Secrets, made.LeftOut
	format, apart := t.Format(), m.apart && !t.Outfiled
	if format == manifest.JSON || apart {
		r.Notices = append(r.Notices, r.Comments...) // JSON has no comments, and none is of one object of a folder
	}
	for _, l := range r.LeftOut { // which is told as a warning, too
		r.Comments = append(r.Comments, l.String())
	}
	if apart { // Spread renders each object
		return
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
