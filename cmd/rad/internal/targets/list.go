// Package targets finds what there is to make: the targets that arguments or settings name, on one side of a project.
//
//	List(Side, Selection) ─► []*Target    one for each manifest, with the settings that count for it
//	Both ─► the same of two sides that are compared
//
// A target reads no file by itself: the methods that need one take the side.
package targets

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// Selection is what a run says of its targets.
type Selection struct {
	Args     []string       // files, folders and patterns; without any, the targets that the settings list are meant
	Only     []string       // names, outfiles or patterns of the targets that are meant; all of them without any
	Outfile  string         // --outfile
	Name     string         // --name
	Values   []params.Arg   // of --parameters
	ListFile *settings.File // lists targets in place of the settings; see Permit
	MayMiss  bool           // a target whose template does not exist is no error
}

// Folder returns the folder from which settings are looked for: that of the first argument, or "" if there is none.
// The argument may be one of a revision, in a folder that is not on the disk.
func Folder(args []string) (string, error) {
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

// lister finds the targets of a side.
type lister struct {
	project.Side
	Selection
	ofFile    *fileTargets // once they are known
	offered   []*Target    // of which --only has chosen
	folders   []string     // that arguments name
	compared  bool         // what --only chooses may be on the other side
	mayBeNone bool         // that no targets are listed is no error
}

// List returns what there is to make on a side, and what it looked at for that, also with an error.
func List(side project.Side, s Selection) ([]*Target, *Seen, error) {
	l := &lister{Side: side, Selection: s}
	list, err := l.list(s.Args)
	return list, &Seen{l}, err
}

func (l *lister) list(args []string) ([]*Target, error) {
	of, err := l.fileTargets()
	if err != nil {
		return nil, err
	}
	var list []*Target
	switch {
	case len(args) > 0:
		list, err = l.ofArguments(args, of)
	case len(of.targets) > 0:
		list = of.targets
	case l.Tree() != nil || l.mayBeNone: // a revision may have none
		return nil, nil
	case of.file.Path != "":
		return nil, cli.Fail(cli.ExitUsage, "name a template%s; %s lists no targets", cli.SuchAs(), l.Shown(of.file.Path))
	default:
		return nil, cli.Fail(cli.ExitUsage, "name a template%s, or list targets in %s (rad bicep init writes it)",
			cli.SuchAs(), settings.FileName)
	}
	if err == nil {
		list, err = l.only(list)
	}
	if err != nil || len(args) > 0 {
		return list, err
	}
	return l.ready(list)
}

// ToWrite returns targets with different names for manifests of one template. It refuses those whose manifests cannot be
// written as the selection says.
func ToWrite(side project.Side, s Selection, list []*Target) ([]*Target, error) {
	if len(list) > 1 {
		if s.Outfile != "" && (s.Outfile != "-" || side.OutputFormat == "json") {
			return nil, cli.Fail(cli.ExitUsage, "--outfile names one file, and there are %d manifests; use --outdir%s",
				len(list), OrOnly(list))
		}
		if s.Name != "" {
			return nil, cli.Fail(cli.ExitUsage, "--name names one manifest, and there are %d; name one template%s", len(list), OrOnly(list))
		}
		list = slices.Clone(list)
		for i, t := range list {
			one := *t
			list[i] = &one
		}
		nameApart(side, slices.DeleteFunc(slices.Clone(list), func(t *Target) bool { return t.ListedAt != "" }))
	}
	seen := map[string]*Target{}
	for _, t := range list {
		if t.Outfile == "-" {
			continue
		}
		path, err := filepath.Abs(t.Outfile)
		if err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
		if other, ok := seen[path]; ok {
			return nil, cli.Fail(cli.ExitUsage, "%s would both be written to %s; give one of them another outfile",
				other.And(t), t.Outfile)
		}
		seen[path] = t
		if workdir.SameFile(path, t.Input) {
			return nil, cli.Fail(cli.ExitUsage, "%s: the manifest would replace its template; name another file with --outfile", t.Arg)
		}
	}
	return list, nil
}

// newTarget returns the target for a file that an argument names.
func (l *lister) newTarget(path string) (*Target, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	t := &Target{
		Arg: path, Input: abs, Name: l.Name, Args: l.Values, usual: l.usualOutfile(path), Outfiled: l.Outfile != "", Settings: l.Settings,
	}
	t.Outfile = cmp.Or(l.Outfile, t.usual)
	return t, nil
}

// listedTarget returns a target that a settings file lists. Paths there are relative to the folder that
// holds .rad, and those on the command line to the current folder.
func (l *lister) listedTarget(file *settings.File, i int) (*Target, error) {
	spec := file.Targets[i]
	base, at := l.pathsOf(file, spec)
	t, err := l.newTarget(at(spec.Template))
	if err != nil {
		return nil, err
	}
	spec.Recipes = spec.Recipes.At(func(path string) string { return filepath.Join(base, filepath.FromSlash(path)) })
	t.ListedAt, t.Layer = l.Shown(file.Path)+": "+file.PlaceOf(i), spec.Layer
	if t.Settings, err = l.With(spec.Layer, t.ListedAt); err != nil {
		return nil, cli.FailWith(cli.ExitUsage, err)
	}
	t.called, t.Name = spec.Name, cmp.Or(l.Name, spec.Name)
	if t.DependsOn, err = l.dependencies(file, t, spec.DependsOn); err != nil {
		return nil, cli.Fail(cli.ExitUsage, "%s: dependsOn: %w", t.Place(), err)
	}
	t.Args = nil
	for _, a := range spec.Parameters {
		t.Args = append(t.Args, a.At(at))
	}
	t.listedArgs = len(t.Args)
	t.Args = append(t.Args, l.Values...)
	if spec.Outfile == "" {
		return t, nil
	}
	t.Outfiled, t.usual = true, at(spec.Outfile)
	t.Outfile = cmp.Or(l.Outfile, t.usual)
	if dir := l.Outdir; dir != "" && l.Outfile == "" && l.Commanded(settings.KeyOutdir) {
		below, err := filepath.Rel(file.Base, filepath.Join(base, filepath.FromSlash(spec.Outfile)))
		if filepath.IsAbs(spec.Outfile) {
			below, err = filepath.Rel(file.Base, spec.Outfile)
		}
		t.strays = err != nil || !filepath.IsLocal(below)
		t.Outfile = filepath.Join(l.Shown(dir), below)
	}
	return t, nil
}

// dependencies returns the objects that the manifest of a target depends on.
func (l *lister) dependencies(file *settings.File, t *Target, list []settings.Dependency) ([]manifest.Reference, error) {
	if len(list) > 0 && t.Settings.Target != settings.DesignTarget {
		return nil, fmt.Errorf("only the manifest of the target %s can say it, and not that of %s",
			settings.DesignTarget, t.Settings.Target)
	}
	var all []manifest.Reference
	for _, d := range list {
		if d.Target == "" {
			all = append(all, manifest.Reference{APIVersion: d.APIVersion, Kind: d.Kind, Name: d.Name})
			continue
		}
		var names []string
		var found []*settings.Settings
		for i, other := range file.Targets {
			names = append(names, other.Name)
			if other.Name == d.Target {
				s, err := l.With(other.Layer, file.PlaceOf(i))
				if err != nil {
					return nil, err
				}
				found = append(found, s)
			}
		}
		switch {
		case d.Target == t.called:
			return nil, fmt.Errorf("%s is the target itself", d.Target)
		case len(found) == 0:
			return nil, fmt.Errorf("no target has the name %q%s; give it one, or write apiVersion, kind and name of an object",
				d.Target, cli.DidYouMean(d.Target, names))
		case len(found) > 1:
			return nil, fmt.Errorf("%d targets have the name %q", len(found), d.Target)
		}
		other := (&Target{Settings: found[0]}).ManifestOptions()
		switch {
		case generate.KindOf(found[0].Target) != nil:
			return nil, fmt.Errorf("the target %s makes objects of %s: write apiVersion, kind and name of those that it waits for",
				d.Target, found[0].Target)
		case other.Namespace != t.ManifestOptions().Namespace:
			return nil, fmt.Errorf("the target %s is for another namespace, and objects wait for those of their own only", d.Target)
		}
		all = append(all, manifest.Reference{APIVersion: manifest.APIVersion, Kind: manifest.Kind, Name: d.Target})
	}
	return all, nil
}

// pathsOf returns the folder that the paths of a listed target are relative to, and such a path as messages show it.
func (l *lister) pathsOf(file *settings.File, spec settings.Target) (base string, at func(path string) string) {
	base = file.TargetBase(spec, l.Stat)
	return base, func(path string) string {
		if path == "" || filepath.IsAbs(path) || cli.IsURL(path) { // no URL is fetched, and the message names it as it is
			return path
		}
		return l.Shown(filepath.Join(base, filepath.FromSlash(path)))
	}
}

// nameApart names manifests after their parameter files where several of them are for one
// template, since they would all be called like that.
func nameApart(side project.Side, list []*Target) {
	byTemplate := map[string][]*Target{}
	for _, t := range list {
		if strings.ToLower(filepath.Ext(t.Input)) != ".bicepparam" || t.called != "" {
			continue
		}
		if using, err := side.Using(t.Input); err == nil && using != "" {
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

// usualOutfile returns where the manifest of an input goes if nothing else is said.
func (l *lister) usualOutfile(path string) string {
	return l.outfileIn(l.Outdir, path, l.OutputFormat)
}

func (l *lister) outfileIn(outdir, path, format string) string {
	out := strings.TrimSuffix(path, filepath.Ext(path)) + "." + format
	if outdir != "" {
		out = filepath.Join(l.Shown(outdir), filepath.Base(out))
	}
	return out
}

// bundleTarget returns the target of a manifest that is made from a bundle. Until the bundle is read, it is one of a DeploymentTemplate.
func (l *lister) bundleTarget(arg string) (*Target, error) {
	t, err := l.newTarget(arg)
	if err != nil {
		return nil, err
	}
	t.Bundle = true
	if t.Settings, err = l.With(settings.Layer{Values: map[string]any{settings.KeyTarget: settings.DesignTarget}}, arg); err != nil {
		return nil, cli.FailWith(cli.ExitUsage, err)
	}
	name := arg
	if strings.HasPrefix(arg, bundle.Scheme) {
		t.Input, name = arg, bundle.Stem(arg)+".tar"
	} else if !strings.EqualFold(filepath.Ext(arg), ".tar") {
		name = filepath.Clean(arg) + ".tar" // a folder may well have a dot in its name
	}
	t.Outfile = cmp.Or(l.Outfile, l.usualOutfile(name))
	return t, nil
}

// Open returns the target with its bundle, if it is one. What the bundle says of its manifest counts more than the files.
func (t *Target) Open(ctx context.Context, side project.Side) (*Target, error) {
	if !t.Bundle || t.bundle != nil {
		return t, nil
	}
	_, b, err := side.OpenBundle(ctx, t.Arg)
	if err != nil {
		return t, err
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
	opened := *t
	opened.bundle, opened.Name, opened.DependsOn = b, cmp.Or(t.Name, said.Name), said.DependsOn
	opened.Settings, err = side.With(own, t.Arg)
	return &opened, cli.FailWith(cli.ExitUsage, err)
}

// OfTemplate returns the target of the template that a parameter file uses, with the file as the first of its
// parameters; other targets are of their template already. Where there is no such template, loading the target says why.
func (t *Target) OfTemplate(side project.Side) (*Target, error) {
	if !strings.EqualFold(filepath.Ext(t.Input), ".bicepparam") {
		return t, nil
	}
	using, err := side.Using(t.Input)
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	out := *t
	_, files := side.FilesFor(using)
	if _, err := files.Stat(using); err != nil || !slices.Contains([]string{".bicep", ".json"}, strings.ToLower(filepath.Ext(using))) {
		out.WantsFile = true
		return &out, nil
	}
	out.Args = append([]params.Arg{{Kind: params.ArgBicepFile, Value: t.Input}}, t.Args...)
	if out.Input = using; t.ListedAt != "" {
		out.listedArgs++
	}
	return &out, nil
}

// WithoutValues returns the target without values of parameters.
func (t *Target) WithoutValues() *Target {
	out := *t
	out.Args, out.listedArgs = nil, 0
	return &out
}

// GenerateInput returns what the program of the target is made of, once its bundle is read.
func (t *Target) GenerateInput() generate.Input {
	fallback := func(parameter, key, kind string) generate.Fallback {
		s := t.Settings
		if value := s.Text(key); value == "" && key == settings.KeyEnvironment && t.Environment != "" {
			return generate.Fallback{Parameter: parameter, Value: t.Environment, Kind: kind, Source: "the environment that recipes declare"}
		}
		return generate.Fallback{Parameter: parameter, Value: s.Text(key),
			Kind: kind, Source: s.Where(key), Firm: t.ListedAt != "" && s.Asked(key)}
	}
	return generate.Input{
		Template: t.Input, Text: t.Arg, Bundle: t.bundle, Args: t.Args, Own: t.listedArgs, Group: t.Settings.Group,
		Fallbacks: []generate.Fallback{
			fallback("environment", settings.KeyEnvironment, "environments"),
			fallback("application", settings.KeyApplication, "applications"),
		},
	}
}
