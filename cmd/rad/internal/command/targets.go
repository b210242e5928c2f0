package command

import (
	"context"
	"errors"
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// templateOnly are the flags that say something about a DeploymentTemplate only.
var templateOnly = []string{"group", "compact", "generator-metadata", "ignore-generator"}

// checkTargetFlags refuses flags that no task has a use for.
func (g *generator) checkTargetFlags(tasks []*project.Target) error {
	used := map[string]bool{}
	templates, objects := false, false
	for _, t := range tasks {
		k := t.Kind()
		if k == nil {
			templates = true
			continue
		}
		objects = true
		for _, s := range settings.OfTarget(k.Name) {
			used[s.Flag()] = true
		}
	}
	changed := g.Project.Flags.Changed
	for _, s := range settings.OfTargets() {
		if !changed(s.Flag()) || used[s.Flag()] {
			continue
		}
		return needsTarget(s)
	}
	for _, name := range templateOnly {
		if changed(name) && !templates {
			return cli.Fail(cli.ExitUsage, "--%s is about a DeploymentTemplate; it has no meaning with --target %s", name, tasks[0].Kind().Name)
		}
	}
	if g.Options.Diff == "resources" && objects {
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

// makeObjects makes the objects of one task.
func (g *generator) makeObjects(ctx context.Context, r *deliver.Outcome, k *generate.Kind) {
	t := r.Target
	r.Kind, r.Making = k, k.Name
	p := g.Load(ctx, r.Target, func(s *generate.Source) {
		if s.Secure = params.SecurePolicy(g.Project.SecureParameters); s.Secure == params.SecureReference {
			s.Secure = params.SecureOmit // these objects have references of their own
		}
		s.Missing, s.Existing = generate.MissingSecure, k.Existing
		s.Base.Symbolic = true // only the symbolic form names existing resources
	})
	defer func() { r.Settle(p) }()
	o := generate.ObjectOptions{
		Name: t.Name, Namespace: t.Settings.Namespace, Labels: t.Settings.Labels, Annotations: t.Settings.Annotations, Settings: map[string]string{},
	}
	for _, s := range settings.OfTarget(k.Name) {
		o.Settings[s.Key] = t.Settings.Text(s.Key)
	}
	if err := manifest.CheckMetadata(o.Namespace, o.Labels, o.Annotations); err != nil {
		r.Fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
	}
	var err error
	if o.Context, err = g.TargetContext(ctx, t); err != nil {
		r.Fail(err)
	} else if p.Tree != nil {
		all := func(string) bool { return true }
		if err := project.CheckContext(o.Context, p.Tree, all); err != nil && t.Settings.AzureScope == "" {
			r.Fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
		}
	}
	g.explain(r, p)
	if r.Err != nil || p.Failed() != nil {
		return
	}
	made, err := p.Objects(k, o)
	switch {
	case errors.Is(err, generate.ErrOptions):
		r.Fail(cli.Silent(cli.ExitUsage))
		return
	case p.Failed() != nil:
		return
	case err != nil:
		r.Fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
		return
	}
	r.Objects, r.Comments = made.List, made.Comments
	format := g.Format(t)
	if format == manifest.JSON && (g.Project.Outdir == "" || t.OwnOutfile) {
		r.Notices = append(r.Notices, r.Comments...) // JSON has no comments
	}
	if r.Content, err = manifest.RenderObjects(made.List, slices.Concat(r.Header, made.Comments), format); err != nil {
		r.Fail(cli.Fail(cli.ExitSource, "%s: %w", t.Arg, err))
	}
}
