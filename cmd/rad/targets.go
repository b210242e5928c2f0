package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"

	"github.com/radbicep/rad/cmd/rad/internal/project"
)

// templateOnly are the flags that say something about a DeploymentTemplate only.
var templateOnly = []string{"group", "compact", "generator-metadata", "ignore-generator"}

// checkTargetFlags refuses flags that no task has a use for.
func (g *generator) checkTargetFlags(tasks []*project.Target) error {
	used := map[string]bool{}
	templates, objects := false, false
	for _, t := range tasks {
		k := g.Kind(t)
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
		var names []string
		for _, t := range generate.Kinds {
			if slices.ContainsFunc(settings.OfTarget(t.Name), func(o *settings.Setting) bool { return o.Key == s.Key }) {
				names = append(names, "--target "+t.Name)
			}
		}
		return cli.Fail(cli.ExitUsage, "--%s needs %s", s.Flag(), cli.OrList(names))
	}
	for _, name := range templateOnly {
		if changed(name) && !templates {
			return cli.Fail(cli.ExitUsage, "--%s is about a DeploymentTemplate; it has no meaning with --target %s", name, g.Kind(tasks[0]).Name)
		}
	}
	if g.options.diff == "resources" && objects {
		return cli.Fail(cli.ExitUsage, "--diff=resources compares DeploymentTemplates; use --diff")
	}
	return nil
}

// makeObjects makes the objects of one task.
func (g *generator) makeObjects(ctx context.Context, r *outcome, k *generate.Kind) {
	t := r.task
	r.target = k
	p := g.Load(ctx, r.task, func(s *generate.Source) {
		s.Secure = params.SecurePolicy(g.Project.SecureParameters)
		s.Missing, s.Existing = generate.MissingSecure, k.Existing
		s.Base.Symbolic = true // only the symbolic form names existing resources
	})
	defer func() { r.settle(p) }()
	o := generate.ObjectOptions{
		Name: t.Name, Namespace: cmp.Or(t.Namespace, g.Project.Namespace),
		Labels: settings.MergeMaps(g.Labels, t.Labels), Annotations: settings.MergeMaps(g.Annotations, t.Annotations), Settings: map[string]string{},
	}
	for _, s := range settings.OfTarget(k.Name) {
		o.Settings[s.Key] = g.Option(t, s.Key)
	}
	if err := manifest.CheckMetadata(o.Namespace, o.Labels, o.Annotations); err != nil {
		r.fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
	}
	var err error
	if o.Context, err = g.TargetContext(t); err != nil {
		r.fail(err)
	} else if p.Tree != nil {
		all := func(string) bool { return true }
		if err := project.CheckContext(o.Context, p.Tree, all); err != nil && g.Project.AzureScope == "" {
			r.fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
		}
	}
	g.explain(r, p)
	if r.err != nil || p.Failed() != nil {
		return
	}
	made, err := p.Objects(k, o)
	switch {
	case errors.Is(err, generate.ErrOptions):
		r.fail(cli.Silent(cli.ExitUsage))
		return
	case p.Failed() != nil:
		return
	case err != nil:
		r.fail(cli.Fail(cli.ExitUsage, "%s: %w", t.Arg, err))
		return
	}
	r.objects, r.comments = made.List, made.Comments
	if g.Project.OutputFormat == string(manifest.JSON) && g.Project.Outdir == "" {
		r.notices = append(r.notices, r.comments...) // JSON has no comments
	}
	if r.content, err = manifest.RenderObjects(made.List, made.Comments, manifest.Format(g.Project.OutputFormat)); err != nil {
		r.fail(err)
	}
}

// spread makes one outcome for each object where objects go to a folder.
func (g *generator) spread(outcomes []*outcome) ([]*outcome, error) {
	dir := g.Project.Outdir
	format := manifest.Format(g.Project.OutputFormat)
	var out []*outcome
	seen := map[string]*project.Target{}
	for _, r := range outcomes {
		if r.target == nil || dir == "" || r.task.OwnOutfile || g.options.Outfile != "" {
			out = append(out, r)
			continue
		}
		for _, line := range r.comments {
			g.found.Notice(line)
		}
		alike := map[string]int{} // objects of one kind and name, in several groups
		for _, o := range r.objects {
			alike[o.Kind+"-"+o.Called()]++
		}
		for _, o := range r.objects {
			t := *r.task
			file := o.Kind + "-" + o.Called()
			if alike[file] > 1 {
				file = o.Kind + "." + o.Group() + "-" + o.Called()
			}
			t.Outfile = filepath.Join(g.Shown(dir), file+"."+string(format))
			if other, ok := seen[strings.ToLower(t.Outfile)]; ok {
				return nil, cli.Fail(cli.ExitUsage, "%s and %s would both write %s; give one of them another folder", other.Place(), t.Place(), t.Outfile)
			}
			seen[strings.ToLower(t.Outfile)] = &t
			one := &outcome{task: &t, target: r.target, objects: []*manifest.Object{o}, files: r.files, reads: r.reads, folder: dir}
			var err error
			if one.content, err = manifest.RenderObjects(one.objects, nil, format); err != nil {
				return nil, err
			}
			out = append(out, one)
		}
	}
	return out, nil
}

// what is how messages call what a task makes.
func (r *outcome) what() string {
	if r.target == nil {
		return "DeploymentTemplate resource"
	}
	return strings.ToUpper(r.target.What[:1]) + r.target.What[1:]
}

// called returns the name and the namespace of what was made: of the manifest, or of the
// one object.
func (r *outcome) called() (name, namespace string) {
	switch {
	case r.manifest != nil:
		return r.manifest.Name, r.manifest.Namespace
	case len(r.objects) == 1:
		return r.objects[0].Called(), r.objects[0].Namespace
	}
	return filepath.Base(r.task.Input), r.objects[0].Namespace
}

// verb is the verb that goes with what.
func (r *outcome) verb() string {
	if r.target == nil {
		return "is"
	}
	return "are"
}

// owns reports whether the content of a file is what the target makes, so that the command
// may replace it.
func (r *outcome) owns(content []byte) bool {
	if r.target == nil {
		return manifest.IsManifest(content)
	}
	heads, ok := manifest.Heads(content)
	return ok && len(heads) > 0 && !slices.ContainsFunc(heads, func(h manifest.Head) bool { return !r.target.Owns(h) })
}

// objectKey is what identifies an object in a cluster, and how messages show it.
type objectKey struct{ key, shown string }

func (r *outcome) identities() []objectKey {
	if r.manifest != nil {
		return []objectKey{{key: manifest.Kind + "/" + r.manifest.Namespace + "/" + r.manifest.Name, shown: r.manifest.Name}}
	}
	var list []objectKey
	for _, o := range r.objects {
		of := fmt.Sprintf("%s.%s/%s/", o.Kind, o.Group(), o.Namespace)
		list = append(list, objectKey{key: of + o.Name, shown: of + o.Called()})
	}
	return list
}
