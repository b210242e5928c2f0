package targets

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// Target is one manifest to make.
type Target struct {
	Arg        string // as the user named it
	Input      string // absolute path of the .bicep, .json or .bicepparam file
	Args       []params.Arg
	listedArgs int    // how many of the first Args the settings list
	Outfile    string // as it is written in messages; - is stdout
	ListedAt   string // where the settings list it
	Named      string // the argument that stands for a target of the settings
	Bundle     bool   // the input is a bundle: a folder, an archive, or an address

	usual  string // the outfile without --outfile and --outdir
	called string // the name without --name

	Name      string // of the manifest; "" is that of the template's file
	DependsOn []manifest.Reference
	Outfiled  bool               // a flag or a target of the settings names the outfile
	strays    bool               // its path leads out of the folder that --outdir names
	Layer     settings.Layer     // what the target itself says of settings
	Settings  *settings.Settings // what counts for it
	// Environment is the ID of the only environment that recipes declare.
	Environment string
	bundle      *bundle.Bundle // that it is made of, once it is read
	WantsFile   bool           // the template has to be a file, and not one of a registry
}

// Says reports whether the target says a setting itself, so that what the settings of all targets say does not count.
func (t *Target) Says(key string) bool { return t.Layer.Values[key] != nil }

// Overrides returns what of the command line and the environment makes something else of a listed target than the
// settings say. There is nothing of which that matters if its manifest goes elsewhere.
func (t *Target) Overrides() (list []string) {
	if t.ListedAt == "" || t.Outfile != t.usual || t.Settings.Commanded(settings.KeyOutdir) {
		return nil
	}
	if slices.ContainsFunc(t.Args[t.listedArgs:], func(a params.Arg) bool { return !slices.Contains(t.Args[:t.listedArgs], a) }) {
		list = append(list, "--parameters")
	}
	if t.Name != t.called {
		list = append(list, "--name")
	}
	return append(list, t.Settings.Overrides(settings.Generate&^settings.Compiler)...)
}

// Place returns what messages call the target.
func (t *Target) Place() string {
	if t.ListedAt != "" {
		return t.ListedAt + " (" + t.Arg + ")"
	}
	return t.Arg
}

// And returns what messages call two targets, of one settings file as a rule.
func (t *Target) And(other *Target) string {
	file, _, _ := strings.Cut(t.ListedAt, ": ")
	return t.Place() + " and " + strings.TrimPrefix(other.Place(), file+": ")
}

func (t *Target) AbsOutfile() string {
	if abs, err := filepath.Abs(t.Outfile); err == nil {
		return abs
	}
	return t.Outfile
}

// ManifestOptions returns the options of the target's manifest as far as settings know them.
func (t *Target) ManifestOptions() manifest.Options {
	s := t.Settings
	o := manifest.Options{
		Namespace: s.Namespace, Labels: s.Labels, Annotations: s.Annotations,
		Group: s.Group, AzureScope: s.AzureScope, AWSScope: s.AWSScope, DependsOn: t.DependsOn,
		Target: manifest.Target(s.Target), Compact: s.Compact, DropGenerator: s.GeneratorMetadata == "drop",
	}
	if o.Namespace == "" && o.Target != manifest.Radius && !s.Changed(settings.KeyNamespace) {
		o.Namespace = manifest.DefaultNamespace
	}
	return o
}

// Kind returns the kind of objects that a target makes, or nil if it makes a DeploymentTemplate.
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
	if t.ListedAt != "" && !slices.ContainsFunc([]string{"name", "namespace", "group", "target"}, t.Settings.Flags.Changed) {
		named = cli.ListedOptionError
	}
	return fmt.Errorf("%s: %w", optionPlace(t, err), named(err))
}

// Kustomization is the name of the file that lists others of a folder.
const Kustomization = "kustomization.yaml"

// Format returns the format of a target's manifest: that of --output-format or its setting, or else what the name of
// the outfile says.
func (t *Target) Format() manifest.Format {
	if filepath.Base(t.Outfile) == Kustomization {
		return manifest.YAML
	}
	if t.Outfiled && strings.EqualFold(filepath.Ext(t.Outfile), ".json") && !t.Settings.Given(settings.KeyOutputFormat) {
		return manifest.JSON
	}
	return manifest.Format(t.Settings.OutputFormat)
}

// generated begins the comment at the top of a manifest.
const generated = "Generated by 'rad bicep generate-kubernetes-manifest'."

// HasHeader reports whether a file begins with the comment that Header returns.
func HasHeader(content []byte) bool { return bytes.HasPrefix(content, []byte("# "+generated)) }

// Header returns the lines of the comment at the top of a target's manifest, if the settings want it, or if nothing else
// tells that the file is ours. They are the same wherever the command is run: they hold neither a version nor what the
// command line says.
func (t *Target) Header() []string {
	if !t.Settings.Header && !t.Kind().OfAnyKind() || t.Format() == manifest.JSON { // JSON has no comments
		return nil
	}
	return []string{
		generated + " Do not edit: change the source, and run it again.",
		"Source: " + report.Visible(t.source()),
	}
}

// source returns what a target is made of: its path from the folder of the project's settings, or from the
// top of the git work tree, or else its name alone.
func (t *Target) source() string {
	if !filepath.IsAbs(t.Input) { // an address
		return t.Input
	}
	folder := filepath.Dir(t.Input)
	bases := []string{workdir.GitTop(folder), folder}
	if file := t.Settings.File; filepath.Base(filepath.Dir(file.Path)) == filepath.Dir(settings.FileName) { // not the user's own
		bases = append([]string{file.Base}, bases...)
	}
	for _, base := range bases {
		if base == "" {
			continue
		}
		if rel, err := filepath.Rel(base, t.Input); err == nil && filepath.IsLocal(rel) {
			return workdir.Slashed(rel)
		}
	}
	return filepath.Base(t.Input)
}
