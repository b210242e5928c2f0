package command

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

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/scaffold"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// hookName is the configuration of pre-commit.
const hookName = ".pre-commit-config.yaml"

// hook is the hook rad-bicep-generate-system of .pre-commit-hooks.yaml. It is local, so pre-commit fetches and builds nothing.
const hook = `  - repo: local
    hooks:
      - id: rad-bicep-generate
        name: rad bicep generate-kubernetes-manifest
        entry: rad bicep generate-kubernetes-manifest --fail-on-change --hermetic
        language: system
        always_run: true
        pass_filenames: false
        require_serial: true
`

func newInit(a *app) *cobra.Command {
	var o initOptions
	c := &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write .rad/bicep.yaml for the templates and parameter files of a folder",
		Long: `Write .rad/bicep.yaml, which lists the manifests of a repository: one for each parameter
file and for each template that nothing else uses, in the folder and below it. Then
generate-kubernetes-manifest without arguments writes them all. At the top of a git repository,
.pre-commit-config.yaml with the hook is written too, if there is none.

On a terminal it asks which cluster the manifests are for, and for what has to be known of it:
for Radius --group, --environment and --application, for resources of Azure --subscription-id,
--resource-group and --location. These flags and --target answer without a question.

Files that are there are never changed.`,
		Example: `  rad bicep init --dry-run
  rad bicep init deploy --dry-run --target radius --group default`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Fail(cli.ExitUsage, "%s and %s: one folder at a time", args[0], args[1])
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(c *cobra.Command, args []string) error {
			return a.init(c, append(args, ".")[0], o)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.dryRun, "dry-run", false, "print the settings, and write nothing")
	f.BoolVar(&o.noHook, "no-hook", false, "do not write "+hookName)
	settings.AddFlags(a.App, c, settings.First)
	a.TakesFormat(c, "text", "json")
	return c
}

type initOptions struct{ dryRun, noHook bool }

// initResult is the result of init.
type initResult struct {
	Settings string            `json:"settings" doc:"path of the settings file"`
	Content  string            `json:"content" doc:"what it holds"`
	Targets  []scaffold.Target `json:"targets" doc:"the manifests that it lists"`
	Place    scaffold.Place    `json:"place" doc:"where they are deployed to, as far as that was given"`
	Hook     string            `json:"hook,omitempty" doc:"path of the configuration of pre-commit, if it was written"`
	Written  bool              `json:"written" doc:"false with --dry-run"`
}

// areaOf returns where files of a folder may lie, unless a link leads out of it.
func areaOf(c *cobra.Command, folder string) (workdir.Bounds, error) {
	area, _, err := settings.Area(c.Flags(), folder)
	if err == nil {
		_, err = area.Leads(folder)
		err = cli.FailWith(cli.ExitIO, err)
	}
	return area, err
}

func (a *app) init(c *cobra.Command, folder string, o initOptions) error {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return cli.Fail(cli.ExitIO, "%s: there is no such folder", folder)
	case err != nil:
		return cli.FailWith(cli.ExitIO, err)
	case !info.IsDir():
		return cli.Fail(cli.ExitUsage, "%s is a file; name the folder that is to hold .rad", folder)
	}
	area, err := areaOf(c, folder)
	if err != nil {
		return err
	}
	path := filepath.Join(folder, settings.FileName)
	for _, one := range []string{path, strings.TrimSuffix(path, ".yaml") + ".yml"} {
		if workdir.Exists(one) {
			return cli.Fail(cli.ExitUsage, "%s exists already; it is not changed", one)
		}
	}
	gitops := workdir.Exists(filepath.Join(folder, settings.GitopsName))
	targets, err := scaffold.Find(folder, area)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if len(targets) == 0 && !gitops {
		return cli.Fail(cli.ExitUsage,
			"%s: there is no template to make a manifest of: no .bicepparam file, and no .bicep file with resources, here or below", folder)
	}
	r := initResult{Settings: workdir.Slashed(path), Targets: append([]scaffold.Target{}, targets...)}
	if gitops {
		r.Targets = []scaffold.Target{}
	}
	if r.Place, err = a.placeOf(c, r.Targets, !o.dryRun); err != nil {
		return err
	}
	r.Place.Gives(r.Targets)
	r.Content = scaffold.Settings(r.Targets, r.Place, gitops)
	if o.dryRun {
		if a.Result = r; a.WantsJSON() {
			return nil
		}
		return a.WriteResult([]byte(r.Content))
	}
	if err := area.WriteFile(path, []byte(r.Content)); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	r.Written = true
	a.sayListed(path, r.Targets)
	if !o.noHook {
		when := ""
		if len(r.Targets) > 0 && !slices.ContainsFunc(r.Targets, scaffold.Target.Complete) { // without targets the hook fails
			when = ", once " + path + " lists a target"
		}
		if r.Hook, err = a.initHook(folder, when); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	a.sayNext(folder, path, r.Targets, &r.Place)
	a.Result = r
	return nil
}

// sayListed says what was written.
func (a *app) sayListed(path string, targets []scaffold.Target) {
	waiting := 0
	for _, t := range targets {
		if !t.Complete() {
			waiting++
		}
	}
	text := ""
	if waiting < len(targets) || waiting == 0 {
		text = ", with " + cli.Plural(len(targets)-waiting, "manifest")
	}
	switch {
	case waiting == 1:
		text += "; 1 manifest lacks values and is a comment"
	case waiting > 1:
		text += fmt.Sprintf("; %d manifests lack values and are comments", waiting)
	}
	a.Say("%s written%s", path, text)
}

// sayNext says what to do now. The command that it names works as it is.
func (a *app) sayNext(folder, path string, targets []scaffold.Target, place *scaffold.Place) {
	i := slices.IndexFunc(targets, func(t scaffold.Target) bool { return len(t.Required) > 0 })
	a.sayNeeded(targets, "Values are needed, in "+path+" or in a parameter file:", func(t scaffold.Target) []string { return t.Required })
	a.sayNeeded(targets,
		"Values of secure parameters are needed, and do not belong into these files; "+scaffold.SecretsPage+" says where they come from:",
		func(t scaffold.Target) []string { return t.Secure })
	if place.OfAzure() {
		var missing []string
		for key, value := range place.Azure() {
			if *value == "" {
				missing = append(missing, key)
			}
		}
		if len(missing) > 0 {
			a.Say("%s lacks %s: give there what the templates need", path, cli.OrAnd(missing))
		}
	}
	there := ""
	if abs, err := filepath.Abs(folder); err == nil && !workdir.SameFile(abs, ".") {
		there = "cd " + cli.ShellQuote(cli.AsArgument(folder)) + " && "
	}
	if len(targets) == 0 || slices.ContainsFunc(targets, scaffold.Target.Complete) {
		a.Say("\nTo write the manifests, run:\n%srad bicep generate-kubernetes-manifest", there)
		return
	}
	if i < 0 {
		return
	}
	a.Say("\nTo write a parameter file to fill in, which the list can name in place of its template, run:\n"+
		"%srad bicep generate-params %s --output-format bicepparam",
		there, cli.ShellQuote(cli.AsArgument(targets[i].Template)))
}

// sayNeeded lists the parameters of templates under one sentence.
func (a *app) sayNeeded(targets []scaffold.Target, sentence string, needed func(scaffold.Target) []string) {
	for _, t := range targets {
		names := needed(t)
		if len(names) == 0 {
			continue
		}
		if sentence != "" {
			a.Say("%s", sentence)
		}
		sentence = ""
		a.Say("  %s: %s", t.Template, cli.OrAnd(names))
	}
}

// initHook writes the configuration of pre-commit, if the folder is the top of a git repository, or says
// what to add to the one that is there. when says when the hook can be turned on. It returns the path of what was written.
func (a *app) initHook(folder, when string) (string, error) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	top := workdir.GitTop(abs)
	if top == "" || !workdir.SameFile(top, abs) { // the hook runs at the top, and finds no settings below it
		return "", nil
	}
	path := filepath.Join(top, hookName)
	text, err := workdir.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text = []byte("# Writes the manifests of .rad/bicep.yaml before each commit, with the rad on the PATH. " +
			"Once in a clone:\n# pre-commit install\nrepos:\n" + hook)
		if err := workdir.WriteFile(path, text); err != nil {
			return "", err
		}
		a.Say("%s written, with the hook rad-bicep-generate; 'pre-commit install' turns it on%s", workdir.Shown(path), when)
		return workdir.Slashed(workdir.Shown(path)), nil
	case err != nil:
		return "", err
	case bytes.Contains(text, []byte("rad-bicep-")):
		return "", nil
	}
	a.Say("%s exists already. To have the manifests written before each commit, add to its repos:", workdir.Shown(path))
	for line := range strings.Lines(hook) {
		a.Say("%s", strings.TrimSuffix(line, "\n"))
	}
	return "", nil
}
