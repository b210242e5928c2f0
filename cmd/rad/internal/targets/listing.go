package targets

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/params"
)

// fileTargets are the targets that a settings file lists.
type fileTargets struct {
	file    *settings.File
	targets []*Target
	byFile  map[string][]*Target // by each file that a target is named by
}

// fileTargets returns the targets of the settings file of the side, or else of that of Radius' Flux controller.
func (l *lister) fileTargets() (*fileTargets, error) {
	if l.ofFile != nil {
		return l.ofFile, nil
	}
	of := &fileTargets{file: l.ListFile}
	if of.file == nil {
		var err error
		if of.file, err = l.findListFile(); err != nil {
			return nil, err
		}
	}
	for i := range of.file.Targets {
		t, err := l.listedTarget(of.file, i)
		if err != nil {
			return nil, err
		}
		of.targets = append(of.targets, t)
	}
	if len(of.targets) > 1 {
		nameApart(l.Side, of.targets)
	}
	l.ofFile = of
	return of, nil
}

// findListFile returns the file that lists targets: the settings, or else that of Radius' Flux controller.
func (l *lister) findListFile() (*settings.File, error) {
	file := l.File
	if l.Tree() != nil && file.Path != "" && l.Tree().Contains(file.Path) {
		var err error
		if file, err = l.SettingsFile(file.Path, file.Trusted); err != nil {
			return nil, err
		}
	}
	if len(file.Targets) > 0 {
		return file, nil
	}
	gitops, err := settings.FindGitops(l.Cwd, l.Bounds, l.ReadRaw)
	if err != nil || gitops == nil {
		return file, err
	}
	return gitops, nil
}

// Permit refuses targets that another program has given and that do what a project's settings may not: they come from
// a repository or from its users. file says what messages call them.
func Permit(p *project.Project, file *settings.File) error {
	file.Base, file.Trusted = p.Cwd, settings.IsTrusted(p.Cwd, p.TrustedFolders)
	return (&settings.Judge{File: file, Bounds: p.Bounds}).Judge()
}

// Seen is what List looked at.
type Seen struct{ l *lister }

// CompleteFolder returns the folder of the settings that list targets, if List returned all of these, each with a file of
// its own; "" otherwise. Whoever leaves out some of them must not ask: what no target makes is deleted by --prune.
func (s *Seen) CompleteFolder() string {
	if of, err := s.l.fileTargets(); err == nil && len(s.l.Args)+len(s.l.Only) == 0 && s.l.Outfile == "" {
		return of.file.Base
	}
	return ""
}

// Files returns the files and folders that decide which targets there are, and which these need first,
// whether or not they exist.
func (s *Seen) Files() (list []string) {
	list = append(settings.Places(s.l.Folder), filepath.Join(s.l.Cwd, settings.GitopsName))
	for _, arg := range s.l.Args {
		if before, _, isPattern := strings.Cut(arg, "*"); isPattern && !workdir.Exists(arg) {
			arg = filepath.Dir(before + "x")
		}
		list = append(list, arg)
	}
	if of, err := s.l.fileTargets(); err == nil {
		for _, t := range of.targets {
			list = append(list, t.Input)
			for _, a := range t.Args {
				if path := a.Path(); path != "" {
					list = append(list, path)
				}
			}
		}
	}
	return append(list, s.l.folders...)
}

// OutfilesBelow returns the files that targets of the settings of a folder, and of those in folders below it,
// are written to if neither flags nor the environment say otherwise.
func (s *Seen) OutfilesBelow(base string) (list []string, err error) {
	of, err := s.l.fileTargets()
	if err != nil {
		return nil, err
	}
	if list, err = s.l.outfilesOf(of.file); err != nil {
		return nil, err
	}
	err = workdir.Walk(base, func(folder string, d fs.DirEntry) error {
		if !d.IsDir() || folder == base {
			return nil
		}
		file := settings.NewFile(filepath.Join(folder, settings.FileName))
		text, err := s.l.Bounds.ReadFile(file.Path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = file.Parse(text)
		}
		if err != nil {
			return err
		}
		those, err := s.l.outfilesOf(file)
		list = append(list, those...)
		return err
	})
	return list, cli.FailWith(cli.ExitIO, err)
}

// outfilesOf returns the files that the targets of a settings file are written to, as it says alone.
func (l *lister) outfilesOf(file *settings.File) (list []string, err error) {
	outdir, _ := file.Values[settings.KeyOutdir].(string)
	format, _ := file.Values[settings.KeyOutputFormat].(string)
	for _, spec := range file.Targets {
		_, at := l.pathsOf(file, spec)
		path := at(spec.Outfile)
		if path == "" {
			path = l.outfileIn(outdir, at(spec.Template), cmp.Or(format, "yaml"))
		}
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		list = append(list, path)
	}
	return list, nil
}

// ready checks listed targets that are to be made, and returns copies of them.
func (l *lister) ready(list []*Target) ([]*Target, error) {
	out := make([]*Target, len(list))
	for i, t := range list {
		_, err := l.Stat(t.Input)
		absent := errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && !absent:
			return nil, cli.Fail(cli.ExitIO, "%s: %w", t.ListedAt, err)
		case !isTemplate(t.Arg):
			return nil, cli.Fail(cli.ExitUsage, "%s: %s: want a .bicep file, an ARM .json template or a .bicepparam file%s",
				t.ListedAt, t.Arg, cli.Near(t.Arg))
		case absent && !l.MayMiss: // with it, the question is what depends on the file, and an answer is that it was deleted
			return nil, cli.Missing("%s: %s: there is no such file%s", t.ListedAt, t.Arg, cli.Near(t.Arg))
		}
		if t.strays {
			return nil, cli.Fail(cli.ExitUsage, "%s: its outfile %s leads out of %s, which %s names; write it alone, with --outfile",
				t.Place(), t.usual, l.Shown(l.Outdir), l.Where(settings.KeyOutdir))
		}
		one := *t
		out[i] = &one
	}
	return out, nil
}

// targetsFor returns the listed targets whose template or parameter file a path is. If the command line
// names a parameter file, too, and some of them have it, it is those that are meant.
func (l *lister) targetsFor(of *fileTargets, path string) ([]*Target, error) {
	if len(of.targets) == 0 {
		return nil, nil
	}
	if of.byFile == nil {
		of.byFile = map[string][]*Target{}
		for _, t := range of.targets {
			for _, name := range l.namesOf(t) {
				if same := of.byFile[name]; !slices.Contains(same, t) {
					of.byFile[name] = append(same, t)
				}
			}
		}
	}
	those := of.byFile[l.identity(path)]
	for _, a := range l.Values {
		if !isParameterFile(a) {
			continue
		}
		with := of.byFile[l.identity(a.Value)]
		if both := slices.DeleteFunc(slices.Clone(those), func(t *Target) bool { return !slices.Contains(with, t) }); len(both) > 0 {
			those = both
		}
	}
	those, err := l.ready(those)
	for _, t := range those {
		t.Named = path
	}
	return those, err
}

// namesOf returns the files that stand for a listed target.
func (l *lister) namesOf(t *Target) []string {
	names := []string{l.identity(t.Input)}
	if strings.EqualFold(filepath.Ext(t.Input), ".bicepparam") {
		if using, err := l.Using(t.Input); err == nil && using != "" {
			names = append(names, l.identity(using))
		}
	}
	for _, a := range t.Args[:t.listedArgs] {
		if isParameterFile(a) {
			names = append(names, l.identity(a.Value))
		}
	}
	return names
}

// isParameterFile reports whether an argument of --parameters is a file with values of parameters.
func isParameterFile(a params.Arg) bool {
	return a.Kind == params.ArgFile || a.Kind == params.ArgBicepFile
}

// identity returns what two names of one file have in common.
func (l *lister) identity(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if l.Tree() == nil {
		if target, err := filepath.EvalSymlinks(abs); err == nil {
			return target
		}
	}
	return abs
}
