package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/params"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// task is one manifest to make.
type task struct {
	arg     string // as the user named it
	input   string // absolute path of the .bicep, .json or .bicepparam file
	args    []params.Arg
	outfile string // as it is written in messages; - is stdout
	listed  string // where the settings list it
	bundle  bool   // the input is a bundle: a folder, an archive, or an address
	base    string // the folder that files in parameters are relative to; "" is the current one

	// What a target of the settings says; "" leaves it to flags and settings.
	name, namespace, group, target, environment, application string

	labels, annotations map[string]string
	options             map[string]string // of the target, by the key of the setting
	ownOutfile          bool              // a target of the settings names the outfile
}

// place returns what messages call the task.
func (t *task) place() string {
	if t.listed != "" {
		return t.listed + " (" + t.arg + ")"
	}
	return t.arg
}

func (t *task) absOutfile() string {
	if abs, err := filepath.Abs(t.outfile); err == nil {
		return abs
	}
	return t.outfile
}

// settingsFolder returns the folder from which settings are looked for: that of
// the first input, or "" if there is none.
func settingsFolder(args []string) (string, error) {
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
	if info, err := os.Stat(abs); err == nil && info.IsDir() {
		return abs, nil
	}
	return filepath.Dir(abs), nil
}

// tasks returns what there is to make: for the arguments, or else for the targets
// that the settings list.
func (g *work) tasks(args []string) ([]*task, error) {
	var tasks []*task
	var err error
	if len(args) == 0 {
		tasks, err = g.targetTasks()
	} else {
		tasks, err = g.argumentTasks(args)
	}
	if err != nil {
		return nil, err
	}
	if g.flags.outfile != "" && len(tasks) > 1 && (g.flags.outfile != "-" || g.compile.OutputFormat == "json") {
		return nil, cli.Fail(cli.ExitUsage, "--outfile names one file, and there are %d manifests; use --outdir", len(tasks))
	}
	if len(tasks) > 1 {
		g.nameApart(tasks)
	}
	seen := map[string]*task{}
	for _, t := range tasks {
		if t.outfile == "-" {
			continue
		}
		path, err := filepath.Abs(t.outfile)
		if err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
		if other, ok := seen[path]; ok {
			return nil, cli.Fail(cli.ExitUsage, "%s and %s would both be written to %s; give one of them another outfile", other.place(), t.place(), t.outfile)
		}
		seen[path] = t
		if workdir.SameFile(path, t.input) {
			return nil, cli.Fail(cli.ExitUsage, "%s: the manifest would replace its template; name another file by --outfile", t.arg)
		}
	}
	return tasks, nil
}

// newTask returns the task for a file. target is what the settings say about it, which is
// nothing if an argument names the file; at resolves the paths in target. Flags count more.
func (g *work) newTask(path string, target settings.Target, at func(path string) string) (*task, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	t := &task{
		arg: path, input: abs,
		name:        cmp.Or(g.flags.name, target.Name),
		namespace:   target.Namespace,
		group:       target.Group,
		target:      target.Target,
		environment: target.Environment,
		application: target.Application,
		labels:      target.Labels,
		annotations: target.Annotations,
		options:     target.Options,
		ownOutfile:  target.Outfile != "",
	}
	// Files in a target's own parameters are relative to the settings file, and those on the
	// command line to the current folder.
	for _, a := range target.Parameters {
		t.args = append(t.args, a.At(at))
	}
	t.args = append(t.args, g.flags.args...)
	if t.ownOutfile && g.flags.outfile == "" {
		t.outfile = at(target.Outfile)
	} else {
		t.outfile = g.outfileFor(path)
	}
	return t, nil
}

// tasksAt returns the tasks for the arguments, or for the targets that the settings list:
// those of the revision that g reads, if it reads one. A revision may have none.
func (g *work) tasksAt(args []string) ([]*task, error) {
	switch {
	case len(args) > 0:
		return g.argumentTasks(args)
	case g.tree == nil:
		return g.targetTasks()
	}
	file := g.compile.File
	then := &settings.File{}
	if file.Path != "" && g.tree.Contains(file.Path) {
		var err error
		if then, err = g.settingsAt(file.Path, file.Trusted); err != nil {
			return nil, err
		}
	} else if len(file.Targets) > 0 {
		return g.targetTasks() // they are outside of the repository
	}
	compile := *g.compile
	s := *compile.Settings
	s.File = then
	compile.Settings = &s
	at := *g
	at.compile = &compile
	if len(then.Targets) == 0 {
		if gitops, err := settings.FindGitops(compile.cwd, compile.bounds, at.readRaw); gitops == nil || err != nil {
			return nil, err
		}
	}
	return at.targetTasks()
}

// settingsAt returns the settings file of the revision that g reads. One that does not exist
// is empty.
func (g *work) settingsAt(path string, trusted bool) (*settings.File, error) {
	then := settings.NewFile(path)
	text, err := g.tree.ReadFile(path)
	if workdir.IsMissing(err) {
		return then, nil
	}
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	if err := then.Parse(text); err != nil {
		return nil, fmt.Errorf("in %s: %w", g.tree.Revision, err)
	}
	if then.Trusted = trusted; !trusted {
		judge := &settings.Judge{File: then, Bounds: g.compile.bounds}
		for i, t := range then.Targets {
			if err := judge.JudgeTarget(i, t); err != nil {
				return nil, fmt.Errorf("in %s: %w", g.tree.Revision, err)
			}
		}
	}
	return then, nil
}

// nameApart names manifests after their parameter files where several of them are for one
// template, since they would all be called like that.
func (g *work) nameApart(tasks []*task) {
	byTemplate := map[string][]*task{}
	for _, t := range tasks {
		if strings.ToLower(filepath.Ext(t.input)) != ".bicepparam" || t.name != "" {
			continue
		}
		if using, err := bicep.Using(g.compile.base.FS, t.input); err == nil && using != "" {
			byTemplate[using] = append(byTemplate[using], t)
		}
	}
	for _, same := range byTemplate {
		if len(same) < 2 {
			continue
		}
		for _, t := range same {
			t.name = strings.TrimSuffix(filepath.Base(t.input), filepath.Ext(t.input))
		}
	}
}

// outfileFor returns where the manifest of an input goes.
func (g *work) outfileFor(path string) string {
	if g.flags.outfile != "" {
		return g.flags.outfile
	}
	out := strings.TrimSuffix(path, filepath.Ext(path)) + "." + g.compile.OutputFormat
	if dir := g.compile.Outdir; dir != "" {
		out = filepath.Join(g.display(dir), filepath.Base(out))
	}
	return out
}

// targetTasks returns the tasks for the targets in the settings file. Paths there
// are relative to the folder that holds .rad.
func (g *work) targetTasks() ([]*task, error) {
	file, list := g.compile.File, "targets"
	if len(file.Targets) == 0 {
		gitops, err := settings.FindGitops(g.compile.cwd, g.compile.bounds, g.readRaw)
		if err != nil {
			return nil, err
		}
		if gitops != nil {
			file, list = gitops, "config"
		}
	}
	if len(file.Targets) == 0 {
		if file.Path != "" {
			return nil, cli.Fail(cli.ExitUsage, "name a template; %s lists no targets", g.display(file.Path))
		}
		return nil, cli.Fail(cli.ExitUsage, "name a template, or list targets in %s", settings.FileName)
	}
	if g.flags.outfile != "" && len(file.Targets) > 1 && g.flags.outfile != "-" {
		return nil, cli.Fail(cli.ExitUsage, "--outfile names one file, and %s lists %d targets", g.display(file.Path), len(file.Targets))
	}
	if g.flags.name != "" && len(file.Targets) > 1 {
		return nil, cli.Fail(cli.ExitUsage, "--name names one manifest, and %s lists %d targets", g.display(file.Path), len(file.Targets))
	}
	var tasks []*task
	for i, spec := range file.Targets {
		if err := checkTemplate(spec.Template); err != nil {
			return nil, cli.Fail(cli.ExitUsage, "%s: %s[%d]: %v", g.display(file.Path), list, i, err)
		}
		base := file.TargetBase(spec, g.stat)
		at := func(path string) string {
			if path == "" || filepath.IsAbs(path) {
				return path
			}
			return g.display(filepath.Join(base, filepath.FromSlash(path)))
		}
		input := at(spec.Template)
		t, err := g.newTask(input, spec, at)
		if err != nil {
			return nil, err
		}
		if _, err := g.stat(t.input); errors.Is(err, fs.ErrNotExist) && g.absentInputs {
			// The question is what depends on it, and an answer is that it was deleted.
		} else if errors.Is(err, fs.ErrNotExist) {
			return nil, cli.Missing("%s: %s[%d]: there is no file %s", g.display(file.Path), list, i, input)
		} else if err != nil {
			return nil, cli.Fail(cli.ExitIO, "%s: %s[%d]: %w", g.display(file.Path), list, i, err)
		}
		t.base = base
		t.listed = fmt.Sprintf("%s: %s[%d]", g.display(file.Path), list, i)
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// bundleTask returns the task of making a manifest from a bundle.
func (g *work) bundleTask(arg string) *task {
	t := &task{arg: arg, input: arg, bundle: true, args: g.flags.args, name: g.flags.name}
	name := arg
	if strings.HasPrefix(arg, bundle.Scheme) {
		name = bundle.Stem(arg) + ".tar"
	} else if abs, err := filepath.Abs(arg); err == nil {
		t.input = abs
		if !strings.EqualFold(filepath.Ext(arg), ".tar") {
			name = filepath.Clean(arg) + ".tar" // a folder may well have a dot in its name
		}
	}
	t.outfile = g.outfileFor(name)
	return t
}

// useTemplate turns the task of a parameter file into that of the template that it uses, with
// the file as the first of its parameters.
func (g *work) useTemplate(t *task) error {
	using, err := g.using(t.input)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if using == "" || !slices.Contains([]string{".bicep", ".json"}, strings.ToLower(filepath.Ext(using))) {
		return cli.Fail(cli.ExitUsage, "%s: it uses no template that is a file; name the template, and give this file by --parameters", t.arg)
	}
	t.args = append([]params.Arg{{Kind: params.ArgBicepFile, Value: t.input}}, t.args...)
	t.input = using
	return nil
}
