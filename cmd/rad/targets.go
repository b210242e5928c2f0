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
)

// templateOnly are the flags that say something about a DeploymentTemplate only.
var templateOnly = []string{"group", "compact", "generator-metadata", "ignore-generator"}

// checkTargetFlags refuses flags that no task has a use for.
func (g *generator) checkTargetFlags(tasks []*task) error {
	used := map[string]bool{}
	templates, objects := false, false
	for _, t := range tasks {
		k := g.kind(t)
		if k == nil {
			templates = true
			continue
		}
		objects = true
		for _, s := range settings.OfTarget(k.Name) {
			used[s.Flag()] = true
		}
	}
	changed := g.compile.Flags.Changed
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
			return cli.Fail(cli.ExitUsage, "--%s is about a DeploymentTemplate; it has no meaning with --target %s", name, g.kind(tasks[0]).Name)
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
	p := g.load(ctx, r.task, func(s *generate.Source) {
		s.Secure = params.SecurePolicy(g.compile.SecureParameters)
		s.Missing, s.Existing = generate.MissingSecure, k.Existing
		s.Base.Symbolic = true // only the symbolic form names existing resources
	})
	defer func() { r.settle(p) }()
	o := generate.ObjectOptions{
		Name: t.name, Namespace: cmp.Or(t.namespace, g.compile.Namespace),
		Labels: settings.MergeMaps(g.labels, t.labels), Annotations: settings.MergeMaps(g.annotations, t.annotations), Settings: map[string]string{},
	}
	for _, s := range settings.OfTarget(k.Name) {
		o.Settings[s.Key] = g.option(t, s.Key)
	}
	if err := manifest.CheckMetadata(o.Namespace, o.Labels, o.Annotations); err != nil {
		r.fail(cli.Fail(cli.ExitUsage, "%s: %w", t.arg, err))
	}
	var err error
	if o.Context, err = g.targetContext(t); err != nil {
		r.fail(err)
	} else if p.Tree != nil {
		all := func(string) bool { return true }
		if err := checkContext(o.Context, p.Tree, all); err != nil && g.compile.AzureScope == "" {
			r.fail(cli.Fail(cli.ExitUsage, "%s: %w", t.arg, err))
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
		r.fail(cli.Fail(cli.ExitUsage, "%s: %w", t.arg, err))
		return
	}
	r.objects, r.comments = made.List, made.Comments
	if g.compile.OutputFormat == string(manifest.JSON) && g.compile.Outdir == "" {
		r.notices = append(r.notices, r.comments...) // JSON has no comments
	}
	if r.content, err = manifest.RenderObjects(made.List, made.Comments, manifest.Format(g.compile.OutputFormat)); err != nil {
		r.fail(err)
	}
}

// spread makes one outcome for each object where objects go to a folder.
func (g *generator) spread(outcomes []*outcome) ([]*outcome, error) {
	dir := g.compile.Outdir
	format := manifest.Format(g.compile.OutputFormat)
	var out []*outcome
	seen := map[string]*task{}
	for _, r := range outcomes {
		if r.target == nil || dir == "" || r.task.ownOutfile || g.options.outfile != "" {
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
			t.outfile = filepath.Join(g.display(dir), file+"."+string(format))
			if other, ok := seen[strings.ToLower(t.outfile)]; ok {
				return nil, cli.Fail(cli.ExitUsage, "%s and %s would both write %s; give one of them another folder", other.place(), t.place(), t.outfile)
			}
			seen[strings.ToLower(t.outfile)] = &t
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
	return filepath.Base(r.task.input), r.objects[0].Namespace
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
