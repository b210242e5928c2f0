package project

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// SettingsFolder returns the folder from which settings are looked for: that of
// the first input, or "" if there is none. The input may be one of a revision, in a folder
// that is not on the disk.
func SettingsFolder(args []string) (string, error) {
	if len(args) == 0 {
		return "", nil
	}
	first := args[0]
	if i := strings.IndexByte(first, '*'); i >= 0 {
		first = first[:i]
		if j := strings.LastIndexAny(first, `/\`); j >= 0 {
			first = first[:j+1]
		} else {
			first = "."
		}
	}
	abs, err := filepath.Abs(first)
	if err != nil {
		return "", cli.FailWith(cli.ExitIO, err)
	}
	for {
		if info, err := os.Stat(abs); err == nil && info.IsDir() {
			return abs, nil
		}
		above := filepath.Dir(abs)
		if above == abs {
			return abs, nil
		}
		abs = above
	}
}

// Targets returns what there is to make: for the arguments, or else for the targets
// that the settings list.
func (g *Work) Targets(args []string) ([]*Target, error) {
	var tasks []*Target
	var err error
	if len(args) == 0 {
		tasks, err = g.listedTargets()
	} else {
		tasks, err = g.ArgumentTargets(args)
	}
	if err != nil {
		return nil, err
	}
	if len(tasks) > 1 {
		if g.Flags.Outfile != "" && (g.Flags.Outfile != "-" || g.Project.OutputFormat == "json") {
			return nil, cli.Fail(cli.ExitUsage, "--outfile names one file, and there are %d manifests; use --outdir%s", len(tasks), OrOnly(tasks))
		}
		if g.Flags.Name != "" {
			return nil, cli.Fail(cli.ExitUsage, "--name names one manifest, and there are %d; name one template%s", len(tasks), OrOnly(tasks))
		}
		g.nameApart(slices.DeleteFunc(slices.Clone(tasks), func(t *Target) bool { return t.Listed != "" }))
	}
	seen := map[string]*Target{}
	for _, t := range tasks {
		if t.Outfile == "-" {
			continue
		}
		path, err := filepath.Abs(t.Outfile)
		if err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
		if other, ok := seen[path]; ok {
			return nil, cli.Fail(cli.ExitUsage, "%s and %s would both be written to %s; give one of them another outfile", other.Place(), t.Place(), t.Outfile)
		}
		seen[path] = t
		if workdir.SameFile(path, t.Input) {
			return nil, cli.Fail(cli.ExitUsage, "%s: the manifest would replace its template; name another file with --outfile", t.Arg)
		}
	}
	return tasks, g.CheckOptions(tasks)
}

// newTarget returns the task for a file. target is what the settings say about it, which is
// nothing if an argument names the file; at resolves the paths in target. Flags count more.
func (g *Work) newTarget(path string, target settings.Target, at func(path string) string) (*Target, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	t := &Target{
		Arg: path, Input: abs,
		Name:        cmp.Or(g.Flags.Name, target.Name),
		Namespace:   target.Namespace,
		group:       target.Group,
		target:      target.Target,
		environment: target.Environment,
		application: target.Application,
		Labels:      target.Labels,
		Annotations: target.Annotations,
		options:     target.Options,
		OwnOutfile:  target.Outfile != "",
	}
	// Files in a target's own parameters are relative to the settings file, and those on the
	// command line to the current folder.
	for _, a := range target.Parameters {
		t.Args = append(t.Args, a.At(at))
	}
	t.Args = append(t.Args, g.Flags.Args...)
	t.usual = g.usualOutfile(path)
	if t.OwnOutfile {
		t.usual = at(target.Outfile)
	}
	t.Outfile = cmp.Or(g.Flags.Outfile, t.usual)
	return t, nil
}

// TargetsAt returns the tasks for the arguments, or for the targets that the settings list:
// those of the revision that g reads, if it reads one. A revision may have none.
func (g *Work) TargetsAt(args []string) ([]*Target, error) {
	if len(args) > 0 {
		return g.ArgumentTargets(args)
	}
	if g.Tree != nil {
		if l, err := g.listing(); err != nil || len(l.targets) == 0 {
			return nil, err
		}
	}
	return g.listedTargets()
}

// SettingsAt returns the settings file of the revision that g reads. One that does not exist
// is empty.
func (g *Work) SettingsAt(path string, trusted bool) (*settings.File, error) {
	then := settings.NewFile(path)
	text, err := g.Tree.ReadFile(path)
	if source.IsMissing(err) {
		return then, nil
	}
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	if err := then.Parse(text); err != nil {
		return nil, fmt.Errorf("in %s: %w", g.Tree.Revision, err)
	}
	if then.Trusted = trusted; !trusted {
		judge := &settings.Judge{File: then, Bounds: g.Project.Bounds}
		for i, t := range then.Targets {
			if err := judge.JudgeTarget(i, t); err != nil {
				return nil, fmt.Errorf("in %s: %w", g.Tree.Revision, err)
			}
		}
	}
	return then, nil
}

// nameApart names manifests after their parameter files where several of them are for one
// template, since they would all be called like that.
func (g *Work) nameApart(tasks []*Target) {
	byTemplate := map[string][]*Target{}
	for _, t := range tasks {
		if strings.ToLower(filepath.Ext(t.Input)) != ".bicepparam" || t.Name != "" {
			continue
		}
		if using, err := g.Using(t.Input); err == nil && using != "" {
			byTemplate[using] = append(byTemplate[using], t)
		}
	}
	for _, same := range byTemplate {
		if len(same) < 2 {
			continue
		}
		for _, t := range same {
			t.Name = strings.TrimSuffix(filepath.Base(t.Input), filepath.Ext(t.Input))
		}
	}
}

// Format returns the format of a target's manifest: that of --output-format or its setting, or else what the name of
// the outfile that the settings list says.
func (g *Work) Format(t *Target) manifest.Format {
	if t.OwnOutfile && strings.EqualFold(filepath.Ext(t.Outfile), ".json") && !g.Project.Given(settings.KeyOutputFormat) {
		return manifest.JSON
	}
	return manifest.Format(g.Project.OutputFormat)
}

// usualOutfile returns where the manifest of an input goes if nothing else is said.
func (g *Work) usualOutfile(path string) string {
	out := strings.TrimSuffix(path, filepath.Ext(path)) + "." + g.Project.OutputFormat
	if dir := g.Project.Outdir; dir != "" {
		out = filepath.Join(g.Shown(dir), filepath.Base(out))
	}
	return out
}

// bundleTarget returns the task of making a manifest from a bundle.
func (g *Work) bundleTarget(arg string) *Target {
	t := &Target{Arg: arg, Input: arg, Bundle: true, Args: g.Flags.Args, Name: g.Flags.Name}
	name := arg
	if strings.HasPrefix(arg, bundle.Scheme) {
		name = bundle.Stem(arg) + ".tar"
	} else if abs, err := filepath.Abs(arg); err == nil {
		t.Input = abs
		if !strings.EqualFold(filepath.Ext(arg), ".tar") {
			name = filepath.Clean(arg) + ".tar" // a folder may well have a dot in its name
		}
	}
	t.Outfile = cmp.Or(g.Flags.Outfile, g.usualOutfile(name))
	return t
}

// UseTemplate turns the task of a parameter file into that of the template that it uses, with
// the file as the first of its parameters. Where there is no such template, the task stays as
// it is: loading it says why.
func (g *Work) UseTemplate(t *Target) error {
	using, err := g.Using(t.Input)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	_, files := g.FilesFor(using)
	if _, err := files.Stat(using); err != nil || !slices.Contains([]string{".bicep", ".json"}, strings.ToLower(filepath.Ext(using))) {
		t.wantsFile = true
		return nil
	}
	t.Args = append([]params.Arg{{Kind: params.ArgBicepFile, Value: t.Input}}, t.Args...)
	t.Input = using
	return nil
}
