package project

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/params"
)

// Target is one manifest to make.
type Target struct {
	Arg     string // as the user named it
	Input   string // absolute path of the .bicep, .json or .bicepparam file
	Args    []params.Arg
	Outfile string // as it is written in messages; - is stdout
	Listed  string // where the settings list it
	Bundle  bool   // the input is a bundle: a folder, an archive, or an address
	base    string // the folder that files in parameters are relative to; "" is the current one

	wantsFile bool // the template has to be a file, and not one of a registry

	// As a target of the settings says; "" leaves it to flags and settings.
	Name, Namespace, group, target, environment, application string

	Labels, Annotations map[string]string
	options             map[string]string // of the target, by the key of the setting
	OwnOutfile          bool              // a target of the settings names the outfile
}

// Place returns what messages call the task.
func (t *Target) Place() string {
	if t.Listed != "" {
		return t.Listed + " (" + t.Arg + ")"
	}
	return t.Arg
}

func (t *Target) AbsOutfile() string {
	if abs, err := filepath.Abs(t.Outfile); err == nil {
		return abs
	}
	return t.Outfile
}

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
	if g.Flags.Outfile != "" && len(tasks) > 1 && (g.Flags.Outfile != "-" || g.Project.OutputFormat == "json") {
		return nil, cli.Fail(cli.ExitUsage, "--outfile names one file, and there are %d manifests; use --outdir", len(tasks))
	}
	if len(tasks) > 1 {
		g.nameApart(tasks)
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
	if t.OwnOutfile && g.Flags.Outfile == "" {
		t.Outfile = at(target.Outfile)
	} else {
		t.Outfile = g.outfileFor(path)
	}
	return t, nil
}

// TargetsAt returns the tasks for the arguments, or for the targets that the settings list:
// those of the revision that g reads, if it reads one. A revision may have none.
func (g *Work) TargetsAt(args []string) ([]*Target, error) {
	switch {
	case len(args) > 0:
		return g.ArgumentTargets(args)
	case g.Tree == nil:
		return g.listedTargets()
	}
	file := g.Project.File
	then := &settings.File{}
	if file.Path != "" && g.Tree.Contains(file.Path) {
		var err error
		if then, err = g.SettingsAt(file.Path, file.Trusted); err != nil {
			return nil, err
		}
	} else if len(file.Targets) > 0 {
		return g.listedTargets() // they are outside of the repository
	}
	compile := *g.Project
	s := *compile.Settings
	s.File = then
	compile.Settings = &s
	at := *g
	at.Project = &compile
	if len(then.Targets) == 0 {
		if gitops, err := settings.FindGitops(compile.Cwd, compile.Bounds, at.ReadRaw); gitops == nil || err != nil {
			return nil, err
		}
	}
	return at.listedTargets()
}

// SettingsAt returns the settings file of the revision that g reads. One that does not exist
// is empty.
func (g *Work) SettingsAt(path string, trusted bool) (*settings.File, error) {
	then := settings.NewFile(path)
	text, err := g.Tree.ReadFile(path)
	if workdir.IsMissing(err) {
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
		if using, err := bicep.Using(g.Project.Base.FS, t.Input); err == nil && using != "" {
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

// outfileFor returns where the manifest of an input goes.
func (g *Work) outfileFor(path string) string {
	if g.Flags.Outfile != "" {
		return g.Flags.Outfile
	}
	out := strings.TrimSuffix(path, filepath.Ext(path)) + "." + g.Project.OutputFormat
	if dir := g.Project.Outdir; dir != "" {
		out = filepath.Join(g.Shown(dir), filepath.Base(out))
	}
	return out
}

// listedTargets returns the tasks for the targets in the settings file. Paths there
// are relative to the folder that holds .rad.
func (g *Work) listedTargets() ([]*Target, error) {
	file, list := g.Project.File, "targets"
	if len(file.Targets) == 0 {
		gitops, err := settings.FindGitops(g.Project.Cwd, g.Project.Bounds, g.ReadRaw)
		if err != nil {
			return nil, err
		}
		if gitops != nil {
			file, list = gitops, "config"
		}
	}
	if len(file.Targets) == 0 {
		if file.Path != "" {
			return nil, cli.Fail(cli.ExitUsage, "name a template; %s lists no targets", g.Shown(file.Path))
		}
		return nil, cli.Fail(cli.ExitUsage, "name a template, or list targets in %s", settings.FileName)
	}
	if g.Flags.Outfile != "" && len(file.Targets) > 1 && g.Flags.Outfile != "-" {
		return nil, cli.Fail(cli.ExitUsage, "--outfile names one file, and %s lists %d targets", g.Shown(file.Path), len(file.Targets))
	}
	if g.Flags.Name != "" && len(file.Targets) > 1 {
		return nil, cli.Fail(cli.ExitUsage, "--name names one manifest, and %s lists %d targets", g.Shown(file.Path), len(file.Targets))
	}
	var tasks []*Target
	for i, spec := range file.Targets {
		if !isTemplate(spec.Template) {
			return nil, cli.Fail(cli.ExitUsage, "%s: %s[%d]: %s: want a .bicep file, an ARM .json template or a .bicepparam file", g.Shown(file.Path), list, i, spec.Template)
		}
		base := file.TargetBase(spec, g.Stat)
		at := func(path string) string {
			if path == "" || filepath.IsAbs(path) || cli.IsURL(path) { // no URL is fetched, and the message names it as it is
				return path
			}
			return g.Shown(filepath.Join(base, filepath.FromSlash(path)))
		}
		input := at(spec.Template)
		t, err := g.newTarget(input, spec, at)
		if err != nil {
			return nil, err
		}
		if _, err := g.Stat(t.Input); errors.Is(err, fs.ErrNotExist) && g.AbsentInputs {
			// The question is what depends on it, and an answer is that it was deleted.
		} else if errors.Is(err, fs.ErrNotExist) {
			return nil, cli.Missing("%s: %s[%d]: %s: there is no such file", g.Shown(file.Path), list, i, input)
		} else if err != nil {
			return nil, cli.Fail(cli.ExitIO, "%s: %s[%d]: %w", g.Shown(file.Path), list, i, err)
		}
		t.base = base
		t.Listed = fmt.Sprintf("%s: %s[%d]", g.Shown(file.Path), list, i)
		tasks = append(tasks, t)
	}
	return tasks, nil
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
	t.Outfile = g.outfileFor(name)
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
