package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"

	"github.com/radbicep/rad/cmd/rad/internal/project"

	"github.com/radbicep/rad/cmd/rad/internal/schema"
)

// hookName is the configuration of pre-commit.
const hookName = ".pre-commit-config.yaml"

func newInit(a *app) *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write .rad/bicep.yaml for the templates and parameter files of a folder",
		Long: `Write .rad/bicep.yaml, which lists the manifests of a repository: one for each parameter
file and for each template that nothing else uses, in the folder and below it. Then
generate-kubernetes-manifest without arguments writes them all. In a git repository,
.pre-commit-config.yaml with the hook is written too, if there is none.

Files that are there are never changed.`,
		Example: `  rad bicep init --dry-run
  rad bicep init deploy --dry-run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Fail(cli.ExitUsage, "%s and %s: one folder at a time", args[0], args[1])
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return a.init(append(args, ".")[0], o)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.dryRun, "dry-run", false, "print the settings, and write nothing")
	f.BoolVar(&o.noHook, "no-hook", false, "do not write "+hookName)
	a.TakesFormat(c, "text", "json")
	return c
}

type initOptions struct{ dryRun, noHook bool }

// initResult is the result of init.
type initResult struct {
	Settings string       `json:"settings" doc:"path of the settings file"`
	Content  string       `json:"content" doc:"what it holds"`
	Targets  []initTarget `json:"targets" doc:"the manifests that it lists"`
	Hook     string       `json:"hook,omitempty" doc:"path of the configuration of pre-commit, if it was written"`
	Written  bool         `json:"written" doc:"false with --dry-run"`
}

// initTarget is a manifest that was found.
type initTarget struct {
	Template   string   `json:"template" doc:"template or parameter file, from the folder"`
	Parameters []string `json:"parameters,omitempty"`
	Name       string   `json:"name,omitempty" doc:"name of the manifest, where that of the template is taken"`
	Outfile    string   `json:"outfile,omitempty"`
	Required   []string `json:"required,omitempty" doc:"parameters that need a value"`

	base string // the name that the manifest would have
}

func (a *app) init(folder string, o initOptions) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return cli.Fail(cli.ExitIO, "%s: there is no such folder", folder)
	case err != nil:
		return cli.FailWith(cli.ExitIO, err)
	case !info.IsDir():
		return cli.Fail(cli.ExitUsage, "%s is a file; name the folder that is to hold .rad", folder)
	}
	path := filepath.Join(folder, settings.FileName)
	for _, one := range []string{path, strings.TrimSuffix(path, ".yaml") + ".yml"} {
		if workdir.Exists(one) {
			return cli.Fail(cli.ExitUsage, "%s exists already; it is not changed", one)
		}
	}
	gitops := workdir.Exists(filepath.Join(folder, settings.GitopsName))
	targets, err := findTargets(folder)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if len(targets) == 0 && !gitops {
		return cli.Fail(cli.ExitUsage, "%s: there is no template to make a manifest of: no .bicepparam file, and no .bicep file with resources, here or below", folder)
	}
	r := initResult{Settings: workdir.Slashed(path), Targets: append([]initTarget{}, targets...)}
	if gitops {
		r.Targets = []initTarget{}
	}
	r.Content = settingsText(r.Targets, gitops)
	if o.dryRun {
		if a.Result = r; a.WantsJSON() {
			return nil
		}
		_, err := fmt.Fprint(a.Stdout, r.Content)
		return cli.FailWith(cli.ExitIO, err)
	}
	if err := workdir.WriteFile(path, []byte(r.Content)); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	r.Written = true
	a.Say("%s written, with %s", path, cli.Plural(len(r.Targets), "manifest"))
	if !o.noHook {
		if r.Hook, err = a.initHook(folder); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	for _, t := range r.Targets {
		if len(t.Required) > 0 {
			a.Say("%s needs values for %s: give them in %s or in a parameter file", t.Template, cli.OrAnd(t.Required), path)
		}
	}
	a.Say("\nTo write the manifests, run:\nrad bicep generate-kubernetes-manifest")
	a.Result = r
	return nil
}

// findTargets returns the manifests that the files of a folder, and below it, make.
func findTargets(folder string) ([]initTarget, error) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	files, err := project.BicepFilesBelow(root)
	if err != nil {
		return nil, err
	}
	var fsys source.FS = workdir.FilesBelow(root)
	if top := workdir.GitTop(root); top != "" {
		fsys = workdir.FilesBelow(top)
	}
	used := map[string]bool{}
	for _, f := range files {
		refs, err := bicep.References(fsys, f)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			used[ref] = used[ref] || ref != f
		}
	}
	slices.Sort(files)
	var targets []initTarget
	for _, f := range files {
		if used[f] {
			continue
		}
		rel, err := filepath.Rel(root, f)
		if err != nil {
			return nil, err
		}
		t := initTarget{Template: workdir.Slashed(rel), base: workdir.Stem(f)}
		if strings.EqualFold(filepath.Ext(f), ".bicepparam") {
			using, err := bicep.Using(fsys, f)
			if err != nil || using == "" { // it is there to be extended
				continue
			}
			t.base = workdir.Stem(using)
			targets = append(targets, t)
			continue
		}
		outline, err := bicep.OutlineOf(fsys, f)
		if err != nil {
			return nil, err
		}
		if !outline.Deploys { // it holds types and functions for others
			continue
		}
		sets, err := parameterSets(f)
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			one := t
			one.Parameters = []string{"@" + workdir.Slashed(filepath.Join(filepath.Dir(rel), set))}
			if len(sets) > 1 {
				middle := strings.TrimSuffix(set[:len(set)-len(parametersEnding)], ".")
				one.base = middle
				one.Outfile = workdir.Slashed(filepath.Join(filepath.Dir(rel), middle+".yaml"))
			}
			targets = append(targets, one)
		}
		if len(sets) == 0 {
			t.Required = outline.Required
			targets = append(targets, t)
		}
	}
	nameTargets(targets)
	return targets, nil
}

// parametersEnding is how the names of ARM parameter files end.
const parametersEnding = ".parameters.json"

// parameterSets returns the ARM parameter files beside a template that are named after it.
func parameterSets(template string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(template))
	if err != nil {
		return nil, err
	}
	var sets []string
	for _, e := range entries {
		lower := strings.ToLower(e.Name())
		if strings.HasSuffix(lower, parametersEnding) && strings.HasPrefix(lower, strings.ToLower(workdir.Stem(template))+".") && e.Type().IsRegular() {
			sets = append(sets, e.Name())
		}
	}
	return sets, nil
}

// nameTargets gives manifests names of their own where several would have the same.
func nameTargets(targets []initTarget) {
	count := func(name func(initTarget) string) map[string]int {
		n := map[string]int{}
		for _, t := range targets {
			n[name(t)]++
		}
		return n
	}
	byFile := func(t initTarget) string { return workdir.Stem(t.Template) }
	bases, files := count(func(t initTarget) string { return t.base }), count(byFile)
	for i := range targets {
		t := &targets[i]
		switch {
		case bases[t.base] == 1 && t.Outfile == "" && isPlainName(t.base):
		case bases[t.base] == 1:
			t.Name = objectName(t.base)
		case files[byFile(*t)] == 1 && bases[byFile(*t)] == 0:
			t.Name = objectName(byFile(*t))
		default:
			path := strings.TrimSuffix(t.Template, filepath.Ext(t.Template))
			if t.Outfile != "" {
				path = strings.TrimSuffix(t.Outfile, filepath.Ext(t.Outfile))
			}
			t.Name = objectName(path)
		}
	}
}

// isPlainName reports whether the name of a template can be that of a Kubernetes object.
func isPlainName(name string) bool {
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789.-") == "" && strings.Trim(name, ".-") == name
}

// objectName makes a name of a Kubernetes object of a path.
func objectName(path string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(path) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String()[:min(b.Len(), 63)], "-")
}

// settingsText returns the settings file.
func settingsText(targets []initTarget, gitops bool) string {
	var b strings.Builder
	b.WriteString("# yaml-language-server: $schema=" + schema.Home + "settings.json\n" + `#
# Settings of rad bicep for this repository, made by 'rad bicep init'. All keys are in
# https://github.com/radbicep/rad/blob/main/docs/settings.md

# The DeploymentTemplate that the cluster takes: radius for released Radius, design for the
# controller of this project.
# target: radius

# The namespace of the manifests, and the resource group of Radius that they deploy to.
# namespace: default
# group: default

`)
	if gitops {
		b.WriteString("# The manifests are those that " + settings.GitopsName + " lists. Targets here would replace them.\n# targets: []\n")
		return b.String()
	}
	b.WriteString("# The manifests. 'rad bicep generate-kubernetes-manifest' without arguments writes them all.\ntargets:\n")
	for _, t := range targets {
		fmt.Fprintf(&b, "  - template: %s\n", cli.YAMLText(t.Template))
		if len(t.Parameters) > 0 {
			fmt.Fprintf(&b, "    parameters: [%s]\n", cli.YAMLText(t.Parameters[0]))
		}
		if len(t.Required) > 0 {
			example := make([]string, len(t.Required))
			for i, name := range t.Required {
				example[i] = name + "=…"
			}
			fmt.Fprintf(&b, "    # These parameters need values, here or in a parameter file.\n    # parameters: [%s]\n", strings.Join(example, ", "))
		}
		if t.Name != "" {
			fmt.Fprintf(&b, "    name: %s\n", cli.YAMLText(t.Name))
		}
		if t.Outfile != "" {
			fmt.Fprintf(&b, "    outfile: %s\n", cli.YAMLText(t.Outfile))
		}
	}
	return b.String()
}

// initHook writes the configuration of pre-commit at the top of the git repository, or says
// what to add to the one that is there. It returns the path of what was written.
func (a *app) initHook(folder string) (string, error) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	top := workdir.GitTop(abs)
	if top == "" {
		return "", nil
	}
	rev := cli.Version()
	if strings.Trim(rev, "v.0123456789") != "" || !strings.HasPrefix(rev, "v") { // no release
		rev = "v0.1.0"
	}
	entry := fmt.Sprintf("  - repo: https://github.com/radbicep/rad\n    rev: %s\n    hooks:\n      - id: rad-bicep-generate\n", rev)
	path := filepath.Join(top, hookName)
	text, err := workdir.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = []byte("# Writes the manifests of .rad/bicep.yaml before each commit. Once in a clone: pre-commit install\nrepos:\n" + entry)
		if err := workdir.WriteFile(path, text); err != nil {
			return "", err
		}
		a.Say("%s written, with the hook rad-bicep-generate; 'pre-commit install' turns it on", workdir.Shown(path))
		return workdir.Slashed(workdir.Shown(path)), nil
	case err != nil:
		return "", err
	case bytes.Contains(text, []byte("rad-bicep-")):
		return "", nil
	}
	a.Say("%s exists already. To have the manifests written before each commit, add to its repos:", workdir.Shown(path))
	for line := range strings.Lines(entry) {
		a.Say("%s", strings.TrimSuffix(line, "\n"))
	}
	return "", nil
}
