package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// targetFlags are what a command line says of targets.
type targetFlags struct {
	parameters  []string
	args        []params.Arg // parameters, parsed
	outfile     string
	name        string
	labels      []string
	annotations []string
}

// work is a project as targets and programs are made of it: on the disk, or in a git revision.
type work struct {
	compile      *compileOptions
	flags        *targetFlags
	folder       string // from which settings are looked for
	namespaceSet bool
	labels       map[string]string
	annotations  map[string]string
	stdin        func() ([]byte, error)
	folders      []string // that were named as inputs

	tree         *gittree.Tree  // the revision that files are read from; nil for the disk
	reads        *workdir.Trace // notes what is read, if that is wanted
	symbolic     bool           // templates are to name their resources
	partial      bool           // files that cannot be read are not errors
	absentInputs bool           // targets whose templates do not exist are not errors
}

// openRevisions opens the revisions that --base names, or none of them.
func (g *work) openRevisions(ctx context.Context, base string, revisions ...string) (trees []*gittree.Tree, closeAll func(), err error) {
	closeAll = func() {
		for _, t := range trees {
			t.Close()
		}
	}
	for _, revision := range revisions {
		t, err := gittree.Open(ctx, g.folder, revision)
		if err != nil {
			closeAll()
			return nil, nil, cli.FailWith(cli.ExitIO, &cli.GitError{Err: fmt.Errorf("--base %s: %w", base, err)})
		}
		trees = append(trees, t)
	}
	return trees, closeAll, nil
}

// parseMaps reads --label and --annotation, which add to those of the settings.
func (g *work) parseMaps() (err error) {
	if g.labels, err = parseMap("label", g.flags.labels); err != nil {
		return err
	}
	if g.annotations, err = parseMap("annotation", g.flags.annotations); err != nil {
		return err
	}
	g.labels = settings.MergeMaps(g.compile.File.Labels, g.labels)
	g.annotations = settings.MergeMaps(g.compile.File.Annots, g.annotations)
	return nil
}

func parseMap(flag string, list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, one := range list {
		k, v, ok := strings.Cut(one, "=")
		if !ok || k == "" {
			return nil, cli.Fail(cli.ExitUsage, "--%s %s: want KEY=VALUE", flag, one)
		}
		out[k] = v
	}
	return out, nil
}

// parseArgs takes the arguments of --parameters apart.
func parseArgs(list []string) ([]params.Arg, error) {
	args, err := params.ParseArgs(list)
	for i := range args {
		args[i].Label = "--parameters "
	}
	return args, cli.FailWith(cli.ExitUsage, cli.ArgumentError(err))
}

// display returns a path as messages show it: relative to where the user is.
func (g *work) display(path string) string { return g.compile.display(path) }

func (o *compileOptions) display(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(o.cwd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// manifestOptions returns the manifest's options as far as flags, settings and the
// target know them.
func (g *work) manifestOptions(t *task) manifest.Options {
	o := manifest.Options{
		Namespace:     cmp.Or(t.namespace, g.compile.Namespace),
		Labels:        settings.MergeMaps(g.labels, t.labels),
		Annotations:   settings.MergeMaps(g.annotations, t.annotations),
		Group:         cmp.Or(t.group, g.compile.Group),
		AzureScope:    g.compile.AzureScope,
		AWSScope:      g.compile.AWSScope,
		Target:        manifest.Target(cmp.Or(t.target, g.compile.Target)),
		Compact:       g.compile.Compact,
		DropGenerator: g.compile.GeneratorMetadata == "drop",
	}
	if o.Namespace == "" && o.Target != manifest.Radius && !g.namespaceSet {
		o.Namespace = manifest.DefaultNamespace
	}
	return o
}

// kind returns the kind of objects that a task makes, or nil if it makes a DeploymentTemplate.
func (g *work) kind(t *task) *generate.Kind {
	return generate.KindOf(cmp.Or(t.target, g.compile.Target))
}

// option returns a setting of a target as a task or the settings have it.
func (g *work) option(t *task, key string) string {
	if v, ok := t.options[key]; ok && !g.compile.Changed(key) {
		return v
	}
	return g.compile.Text(key)
}

// targetContext returns what flags, settings and a listed target say of the deployment.
func (g *work) targetContext(t *task) (bicep.ExpandContext, error) {
	for _, s := range settings.Context.All() {
		if v := g.option(t, s.Key); strings.ContainsAny(v, "/\\ \t\r\n") {
			return bicep.ExpandContext{}, cli.Fail(cli.ExitUsage, "--%s %q: want a name or an ID without slashes and blanks", s.Flag(), v)
		}
	}
	x, err := g.expandContext(t)
	x.RadiusGroup = t.group // that of the flag is about a DeploymentTemplate
	return x, err
}

// optionPlace says where an option of a manifest was set that is wrong: in the settings, or
// else for the template.
func (g *work) optionPlace(t *task, err error) string {
	var e *manifest.OptionError
	if !errors.As(err, &e) || t.listed != "" {
		return t.place()
	}
	key := map[manifest.Option]string{
		manifest.OptionNamespace: settings.KeyNamespace, manifest.OptionGroup: settings.KeyGroup,
		manifest.OptionAzureScope: settings.KeyAzureScope, manifest.OptionAWSScope: settings.KeyAWSScope,
	}[e.Option]
	if key == "" || !g.compile.Given(key) || g.compile.Changed(key) {
		return t.arg
	}
	return g.compile.Where(key)
}

// settleAt takes what the settings file of the revision that g reads says of where things
// are deployed to, in place of what it says now. It returns what the user should know.
func (g *work) settleAt() (notice string, err error) {
	now := g.compile.File
	if now.Path == "" || !g.tree.Contains(now.Path) {
		return "", nil
	}
	then, err := g.settingsAt(now.Path, now.Trusted)
	if err != nil {
		return fmt.Sprintf("%v; the settings of now are used", err), nil
	}
	file := *now
	file.Values = maps.Clone(now.Values)
	for _, s := range (settings.Scope | settings.Context).All() {
		delete(file.Values, s.Key)
		if v, ok := then.Values[s.Key]; ok {
			file.Values[s.Key] = v
		}
	}
	if maps.EqualFunc(file.Values, now.Values, func(a, b any) bool { return reflect.DeepEqual(a, b) }) {
		return "", nil
	}
	user, err := settings.ReadUser()
	if err != nil {
		return "", err
	}
	s, err := settings.Load(g.compile.Flags, settings.Place, user, &file)
	if err != nil {
		return "", cli.FailWith(cli.ExitUsage, err)
	}
	compile := *g.compile
	compile.Settings = s
	g.compile = &compile
	return "", nil
}
