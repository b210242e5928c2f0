package project

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/params"
)

// listing is the targets that a settings file lists.
type listing struct {
	file    *settings.File
	targets []*Target
	byFile  map[string][]*Target // by each file that a target is named by
}

// listing returns the targets of the settings file, or else of that of Radius' Flux controller: of
// the revision that g reads, if it reads one.
func (g *Work) listing() (*listing, error) {
	if g.listed != nil {
		return g.listed, nil
	}
	l := &listing{file: g.Project.File}
	if file := l.file; g.Tree != nil && file.Path != "" && g.Tree.Contains(file.Path) {
		var err error
		if l.file, err = g.SettingsAt(file.Path, file.Trusted); err != nil {
			return nil, err
		}
	}
	if len(l.file.Targets) == 0 {
		gitops, err := settings.FindGitops(g.Project.Cwd, g.Project.Bounds, g.ReadRaw)
		if err != nil {
			return nil, err
		}
		if gitops != nil {
			l.file = gitops
		}
	}
	return l, g.list(l)
}

// list makes the targets of a listing, and remembers it.
func (g *Work) list(l *listing) error {
	for i := range l.file.Targets {
		t, err := g.listedTarget(l.file, i)
		if err != nil {
			return err
		}
		l.targets = append(l.targets, t)
	}
	if len(l.targets) > 1 {
		g.nameApart(l.targets)
	}
	g.listed = l
	return nil
}

// List makes targets that another program has given the ones of the run. They come from a repository or from its
// users, so they may do what a project's settings may. file says what messages call them.
func (g *Work) List(file *settings.File) error {
	if err := g.Permit(file); err != nil {
		return err
	}
	return g.list(&listing{file: file})
}

// Permit refuses targets that another program has given and that do what a project's settings may not.
func (g *Work) Permit(file *settings.File) error {
	file.Base, file.Trusted = g.Project.Cwd, settings.IsTrusted(g.Project.Cwd, g.Project.TrustedFolders)
	return (&settings.Judge{File: file, Bounds: g.Project.Bounds}).Judge()
}

// WholeListing returns the folder of the settings that list targets, if all of these are made, each
// into a file of its own; "" otherwise.
func (g *Work) WholeListing(args []string) string {
	if l, err := g.listing(); err == nil && len(args)+len(g.Flags.Only) == 0 && g.Flags.Outfile == "" {
		return l.file.Base
	}
	return ""
}

// Named returns the files and folders that decide which targets there are, and which these need first,
// whether or not they exist.
func (g *Work) Named(args []string) (list []string) {
	list = append(settings.Places(g.Folder), filepath.Join(g.Project.Cwd, settings.GitopsName))
	for _, arg := range args {
		if before, _, isPattern := strings.Cut(arg, "*"); isPattern && !workdir.Exists(arg) {
			arg = filepath.Dir(before + "x")
		}
		list = append(list, arg)
	}
	if l, err := g.listing(); err == nil {
		for _, t := range l.targets {
			list = append(list, t.Input)
			for _, a := range t.Args {
				if path := a.Path(); path != "" {
					list = append(list, path)
				}
			}
		}
	}
	return append(list, g.Folders...)
}

// OutfilesBelow returns the files that targets of the settings of a folder, and of those in folders below it,
// are written to if neither flags nor the environment say otherwise.
func (g *Work) OutfilesBelow(base string) (list []string, err error) {
	l, err := g.listing()
	if err != nil {
		return nil, err
	}
	if list, err = g.outfilesOf(l.file); err != nil {
		return nil, err
	}
	err = filepath.WalkDir(base, func(folder string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission):
			return fs.SkipDir
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case folder == base:
			return nil
		case strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules":
			return fs.SkipDir
		}
		file := settings.NewFile(filepath.Join(folder, settings.FileName))
		text, err := g.Project.Bounds.ReadFile(file.Path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = file.Parse(text)
		}
		if err != nil {
			return err
		}
		those, err := g.outfilesOf(file)
		list = append(list, those...)
		return err
	})
	return list, cli.FailWith(cli.ExitIO, err)
}

// outfilesOf returns the files that the targets of a settings file are written to, as it says alone.
func (g *Work) outfilesOf(file *settings.File) (list []string, err error) {
	outdir, _ := file.Values[settings.KeyOutdir].(string)
	format, _ := file.Values[settings.KeyOutputFormat].(string)
	for _, spec := range file.Targets {
		_, at := g.pathsOf(file, spec)
		path := at(spec.Outfile)
		if path == "" {
			path = g.outfileIn(outdir, at(spec.Template), cmp.Or(format, "yaml"))
		}
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		list = append(list, path)
	}
	return list, nil
}

// listedTargets returns the tasks for the targets that the settings list.
func (g *Work) listedTargets() ([]*Target, error) {
	l, err := g.listing()
	if err != nil {
		return nil, err
	}
	if len(l.targets) == 0 {
		if l.file.Path != "" {
			return nil, cli.Fail(cli.ExitUsage, "name a template%s; %s lists no targets", cli.SuchAs(), g.Shown(l.file.Path))
		}
		return nil, cli.Fail(cli.ExitUsage, "name a template%s, or list targets in %s (rad bicep init writes it)", cli.SuchAs(), settings.FileName)
	}
	tasks, err := g.only(l.targets)
	if err != nil {
		return nil, err
	}
	return g.ready(tasks)
}

// ready checks listed targets that are to be made, and returns copies of them.
func (g *Work) ready(tasks []*Target) ([]*Target, error) {
	out := make([]*Target, len(tasks))
	for i, t := range tasks {
		_, err := g.Stat(t.Input)
		absent := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !absent:
			return nil, cli.Fail(cli.ExitIO, "%s: %w", t.Listed, err)
		case !isTemplate(t.Arg):
			return nil, cli.Fail(cli.ExitUsage, "%s: %s: want a .bicep file, an ARM .json template or a .bicepparam file%s", t.Listed, t.Arg, cli.Near(t.Arg))
		case absent && !g.AbsentInputs: // with it, the question is what depends on the file, and an answer is that it was deleted
			return nil, cli.Missing("%s: %s: there is no such file%s", t.Listed, t.Arg, cli.Near(t.Arg))
		}
		if t.strays {
			return nil, cli.Fail(cli.ExitUsage, "%s: its outfile %s leads out of %s, which %s names; write it alone, with --outfile", t.Place(), t.usual, g.Shown(g.Project.Outdir), g.Project.Where(settings.KeyOutdir))
		}
		one := *t
		out[i] = &one
	}
	return out, nil
}

// listedAs returns the listed targets whose template or parameter file a path is. If the command line
// names a parameter file, too, and some of them have it, it is those that are meant.
func (g *Work) listedAs(l *listing, path string) ([]*Target, error) {
	if len(l.targets) == 0 {
		return nil, nil
	}
	if l.byFile == nil {
		l.byFile = map[string][]*Target{}
		for _, t := range l.targets {
			for _, name := range g.namesOf(t) {
				if same := l.byFile[name]; !slices.Contains(same, t) {
					l.byFile[name] = append(same, t)
				}
			}
		}
	}
	those := l.byFile[g.identity(path)]
	for _, a := range g.Flags.Args {
		if !isParameterFile(a) {
			continue
		}
		with := l.byFile[g.identity(a.Value)]
		if both := slices.DeleteFunc(slices.Clone(those), func(t *Target) bool { return !slices.Contains(with, t) }); len(both) > 0 {
			those = both
		}
	}
	those, err := g.ready(those)
	for _, t := range those {
		t.Named = path
	}
	return those, err
}

// namesOf returns the files that stand for a listed target.
func (g *Work) namesOf(t *Target) []string {
	names := []string{g.identity(t.Input)}
	if strings.EqualFold(filepath.Ext(t.Input), ".bicepparam") {
		if using, err := g.Using(t.Input); err == nil && using != "" {
			names = append(names, g.identity(using))
		}
	}
	for _, a := range t.Args[:t.own] {
		if isParameterFile(a) {
			names = append(names, g.identity(a.Value))
		}
	}
	return names
}

// isParameterFile reports whether an argument of --parameters is a file with values of parameters.
func isParameterFile(a params.Arg) bool {
	return a.Kind == params.ArgFile || a.Kind == params.ArgBicepFile
}

// identity returns what two names of one file have in common.
func (g *Work) identity(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if g.Tree == nil {
		if target, err := filepath.EvalSymlinks(abs); err == nil {
			return target
		}
	}
	return abs
}

// only returns the targets that --only chooses, by their names or outfiles; all of them without it.
func (g *Work) only(tasks []*Target) ([]*Target, error) {
	if len(g.Flags.Only) == 0 {
		return tasks, nil
	}
	if g.Compared {
		g.offered = append(g.offered, tasks...)
	} else {
		g.offered = tasks
	}
	chosen := map[*Target]bool{}
	for _, pattern := range g.Flags.Only {
		those := g.chosenBy(pattern, tasks)
		if len(those) == 0 && !g.Compared {
			return nil, choosesNone(pattern, g)
		}
		for _, t := range those {
			chosen[t] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(tasks), func(t *Target) bool { return !chosen[t] }), nil
}

// chosenBy returns the targets that a word of --only means: those of that name, or else those that it is a pattern of.
func (g *Work) chosenBy(pattern string, tasks []*Target) []*Target {
	matching := func(match func(name string) bool) (those []*Target) {
		for _, t := range tasks {
			if slices.ContainsFunc(g.names(t), match) {
				those = append(those, t)
			}
		}
		return those
	}
	if those := matching(func(name string) bool { return name == pattern }); len(those) > 0 {
		return those
	}
	return matching(func(name string) bool { return workdir.MatchPath(pattern, name) })
}

// CheckOnly fails if a word of --only chooses no target on any of the sides that are compared.
func CheckOnly(sides ...*Work) error {
	for _, pattern := range sides[0].Flags.Only {
		if !slices.ContainsFunc(sides, func(g *Work) bool { return len(g.chosenBy(pattern, g.offered)) > 0 }) {
			return choosesNone(pattern, sides...)
		}
	}
	return nil
}

func choosesNone(pattern string, sides ...*Work) error {
	if isOfKind(pattern, "") {
		return cli.Fail(cli.ExitUsage, "--only %s: no target has such a name or outfile; a template or a parameter file is named without --only", pattern)
	}
	return cli.Fail(cli.ExitUsage, "--only %s: no target has such a name or outfile%s", pattern, near(pattern, sides))
}

// names returns what --only knows a target by: the name of its manifest, which is that of its
// template's file if none is given, also without the extension; and its outfile.
func (g *Work) names(t *Target) []string {
	outfile := workdir.Slashed(t.usual)
	if t.called != "" {
		return []string{t.called, outfile}
	}
	name := g.NameOf(&Target{Input: t.Input})
	return []string{strings.TrimSuffix(name, filepath.Ext(name)), name, outfile}
}

// NameOf returns the name of a target's manifest: that of its template's file if none is given.
func (g *Work) NameOf(t *Target) string {
	path := t.Input
	if t.Name == "" && strings.EqualFold(filepath.Ext(path), ".bicepparam") {
		if using, err := g.Using(path); err == nil && using != "" {
			path = using
		}
	}
	return cmp.Or(t.Name, filepath.Base(path))
}

// near says which names there are for a word that is none of them.
func near(word string, sides []*Work) string {
	var all, names []string
	for _, g := range sides {
		for _, t := range g.offered {
			those := g.names(t)
			if all = append(all, those...); !slices.Contains(names, those[0]) {
				names = append(names, those[0])
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	if hint := cli.DidYouMean(word, all); hint != "" {
		return hint
	}
	const most = 10
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return "; there are " + strings.Join(names, ", ")
}

// OrOnly is how a message goes on that says that there are too many targets.
func OrOnly(tasks []*Target) string {
	if !slices.ContainsFunc(tasks, func(t *Target) bool { return t.Listed != "" }) {
		return ""
	}
	return ", or choose one of the targets with --only"
}
