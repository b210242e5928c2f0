package project

import (
	"cmp"
	"context"
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
	"github.com/radbicep/rad/pkg/generate"
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

// newTarget returns the task for a file that an argument names.
func (g *Work) newTarget(path string) (*Target, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	t := &Target{Arg: path, Input: abs, Name: g.Flags.Name, Args: g.Flags.Args, usual: g.usualOutfile(path), Settings: g.Project.Settings}
	t.Outfile = cmp.Or(g.Flags.Outfile, t.usual)
	return t, nil
}

// listedTarget returns the task for a target that a settings file lists. Paths there are relative to the folder that
// holds .rad, and those on the command line to the current folder.
func (g *Work) listedTarget(file *settings.File, i int) (*Target, error) {
	spec := file.Targets[i]
	base, at := g.pathsOf(file, spec)
	t, err := g.newTarget(at(spec.Template))
	if err != nil {
		return nil, err
	}
	t.Listed, t.base, t.Own = g.Shown(file.Path)+": "+file.PlaceOf(i), base, spec.Layer
	if t.Settings, err = g.Project.With(spec.Layer, t.Listed); err != nil {
		return nil, cli.FailWith(cli.ExitUsage, err)
	}
	t.called, t.Name = spec.Name, cmp.Or(g.Flags.Name, spec.Name)
	t.Args = nil
	for _, a := range spec.Parameters {
		t.Args = append(t.Args, a.At(at))
	}
	t.own = len(t.Args)
	t.Args = append(t.Args, g.Flags.Args...)
	if spec.Outfile == "" {
		return t, nil
	}
	t.OwnOutfile, t.usual = true, at(spec.Outfile)
	t.Outfile = cmp.Or(g.Flags.Outfile, t.usual)
	if dir := g.Project.Outdir; dir != "" && g.Flags.Outfile == "" && g.Project.Commanded(settings.KeyOutdir) {
		below, err := filepath.Rel(file.Base, filepath.Join(base, filepath.FromSlash(spec.Outfile)))
		if filepath.IsAbs(spec.Outfile) {
			below, err = filepath.Rel(file.Base, spec.Outfile)
		}
		t.strays = err != nil || !filepath.IsLocal(below)
		t.Outfile = filepath.Join(g.Shown(dir), below)
	}
	return t, nil
}

// pathsOf returns the folder that the paths of a listed target are relative to, and such a path as messages show it.
func (g *Work) pathsOf(file *settings.File, spec settings.Target) (base string, at func(path string) string) {
	base = file.TargetBase(spec, g.Stat)
	return base, func(path string) string {
		if path == "" || filepath.IsAbs(path) || cli.IsURL(path) { // no URL is fetched, and the message names it as it is
			return path
		}
		return g.Shown(filepath.Join(base, filepath.FromSlash(path)))
	}
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
		if strings.ToLower(filepath.Ext(t.Input)) != ".bicepparam" || t.called != "" {
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
			t.called = strings.TrimSuffix(filepath.Base(t.Input), filepath.Ext(t.Input))
			t.Name = cmp.Or(t.Name, t.called)
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
	return g.outfileIn(g.Project.Outdir, path, g.Project.OutputFormat)
}

func (g *Work) outfileIn(outdir, path, format string) string {
	out := strings.TrimSuffix(path, filepath.Ext(path)) + "." + format
	if outdir != "" {
		out = filepath.Join(g.Shown(outdir), filepath.Base(out))
	}
	return out
}

// bundleTarget returns the task of making a manifest from a bundle. Until it is read, it is one of a DeploymentTemplate.
func (g *Work) bundleTarget(arg string) (*Target, error) {
	t, err := g.newTarget(arg)
	if err != nil {
		return nil, err
	}
	t.Bundle = true
	if t.Settings, err = g.Project.With(settings.Layer{Values: map[string]any{settings.KeyTarget: settings.DesignTarget}}, arg); err != nil {
		return nil, cli.FailWith(cli.ExitUsage, err)
	}
	name := arg
	if strings.HasPrefix(arg, bundle.Scheme) {
		t.Input, name = arg, bundle.Stem(arg)+".tar"
	} else if !strings.EqualFold(filepath.Ext(arg), ".tar") {
		name = filepath.Clean(arg) + ".tar" // a folder may well have a dot in its name
	}
	t.Outfile = cmp.Or(g.Flags.Outfile, g.usualOutfile(name))
	return t, nil
}

// Open reads the bundle of a target, if it is one. What the bundle says of its manifest counts more than the files.
func (g *Work) Open(ctx context.Context, t *Target) error {
	if !t.Bundle || t.bundle != nil {
		return nil
	}
	_, b, err := g.Project.OpenBundle(ctx, t.Arg)
	if err != nil {
		return err
	}
	said, _ := generate.Recorded(b)
	own := settings.Layer{Values: map[string]any{}, Labels: said.Labels, Annotations: said.Annotations}
	for key, value := range map[string]string{
		settings.KeyNamespace: said.Namespace, settings.KeyGroup: said.Group, settings.KeyTarget: string(said.Target),
		settings.KeyAzureScope: said.AzureScope, settings.KeyAWSScope: said.AWSScope,
	} {
		if value != "" {
			own.Values[key] = value
		}
	}
	if said.Compact {
		own.Values[settings.KeyCompact] = true
	}
	if said.DropGenerator {
		own.Values[settings.KeyGeneratorMetadata] = "drop"
	}
	t.bundle, t.Name = b, cmp.Or(t.Name, said.Name)
	t.Settings, err = g.Project.With(own, t.Arg)
	return cli.FailWith(cli.ExitUsage, err)
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
