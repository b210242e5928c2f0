// Package project is what a run works on: the settings, the compiler, and the targets that arguments
// or settings name, on the disk or in a git revision.
package project

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// Flags are what a command line says of targets.
type Flags struct {
	Parameters []string
	Args       []params.Arg // parameters, parsed
	Outfile    string
	Name       string
	Only       []string // names, outfiles or patterns of the targets that are meant; all of them without any
}

// Work is a project as targets and programs are made of it: on the disk, or in a git revision.
type Work struct {
	Project *Project
	Flags   *Flags
	Folder  string // from which settings are looked for
	Stdin   func() ([]byte, error)
	Folders []string // that were named as inputs

	Tree         *gittree.Tree  // the revision that files are read from; nil for the disk
	Reads        *workdir.Trace // notes what is read, if that is wanted
	Symbolic     bool           // templates are to name their resources
	Unfetched    bool           // modules of registries that cannot be fetched are not errors
	Partial      bool           // files that cannot be read are not errors
	AbsentInputs bool           // targets whose templates do not exist are not errors

	Compared bool // this is one side of a comparison: what --only chooses may be on the other. See CheckOnly

	listed  *listing  // once it is known
	offered []*Target // of which --only has chosen
}

// Shown returns a path as messages show it: relative to where the user is.
func (g *Work) Shown(path string) string { return g.Project.Shown(path) }

func (o *Project) Shown(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(o.Cwd, path); err == nil && (filepath.IsLocal(rel) || o.Bounds.Contains(path) && o.Bounds.Contains(o.Cwd)) {
		return rel
	}
	return path
}

// ManifestOptions returns the manifest's options as far as flags, settings and the
// target know them.
func (g *Work) ManifestOptions(t *Target) manifest.Options {
	s := t.Settings
	o := manifest.Options{
		Namespace: s.Namespace, Labels: s.Labels, Annotations: s.Annotations, Group: s.Group, AzureScope: s.AzureScope, AWSScope: s.AWSScope,
		Target: manifest.Target(s.Target), Compact: s.Compact, DropGenerator: s.GeneratorMetadata == "drop",
	}
	if o.Namespace == "" && o.Target != manifest.Radius && !s.Changed(settings.KeyNamespace) {
		o.Namespace = manifest.DefaultNamespace
	}
	return o
}

// Kind returns the kind of objects that a task makes, or nil if it makes a DeploymentTemplate.
func (t *Target) Kind() *generate.Kind { return generate.KindOf(t.Settings.Target) }

// optionPlace says where an option of a manifest was set that is wrong: in the settings or the environment,
// or else for the target.
func optionPlace(t *Target, err error) string {
	var e *manifest.OptionError
	if !errors.As(err, &e) {
		return t.Place()
	}
	key := map[manifest.Option]string{
		manifest.OptionNamespace: settings.KeyNamespace, manifest.OptionGroup: settings.KeyGroup,
		manifest.OptionAzureScope: settings.KeyAzureScope, manifest.OptionAWSScope: settings.KeyAWSScope,
	}[e.Option]
	if s := t.Settings; key == "" || s.Changed(key) || !s.Given(key) {
		return t.Place()
	}
	return t.Settings.Where(key)
}

// OptionError says what is wrong with an option of a target's manifest, and where it was set.
func (t *Target) OptionError(err error) error {
	named := cli.OptionError
	if t.Listed != "" && !slices.ContainsFunc([]string{"name", "namespace", "group", "target"}, t.Settings.Flags.Changed) {
		named = cli.ListedOptionError
	}
	return fmt.Errorf("%s: %w", optionPlace(t, err), named(err))
}

// SettleAt takes what the settings file of the revision that g reads says of where things
// are deployed to, in place of what it says now. It returns what the user should know.
func (g *Work) SettleAt() (notice string, err error) {
	now := g.Project.File
	if now.Path == "" || !g.Tree.Contains(now.Path) {
		return "", nil
	}
	then, err := g.SettingsAt(now.Path, now.Trusted)
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
	s, err := settings.Load(g.Project.Flags, settings.Plan, user, &file, settings.Caller{})
	if err != nil {
		return "", cli.FailWith(cli.ExitUsage, err)
	}
	compile := *g.Project
	compile.Settings = s
	g.Project, g.listed = &compile, nil
	return "", nil
}

// At returns the work on the files of a revision.
func (g *Work) At(tree *gittree.Tree) *Work {
	w := *g
	w.Tree, w.listed = tree, nil
	return &w
}

// Traced returns the work with notes of what it reads.
func (g *Work) Traced(reads *workdir.Trace) *Work {
	w := *g
	w.Reads = reads
	return &w
}

// Counterpart finds the target of another side that makes the same: of its name, or of
// its template and output. It is taken out of the list.
func Counterpart(t *Target, list *[]*Target) *Target {
	for _, same := range []func(o *Target) bool{
		func(o *Target) bool { return o.Name == t.Name && o.Input == t.Input && o.Outfile == t.Outfile },
		func(o *Target) bool { return o.Name == t.Name && t.Name != "" },
		func(o *Target) bool { return o.Outfile == t.Outfile },
		func(o *Target) bool { return o.Input == t.Input },
	} {
		if i := slices.IndexFunc(*list, same); i >= 0 {
			o := (*list)[i]
			*list = slices.Delete(slices.Clone(*list), i, i+1)
			return o
		}
	}
	return nil
}
