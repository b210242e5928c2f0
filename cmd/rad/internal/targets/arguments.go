package targets

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
)

// ofArguments returns the targets for the arguments of a command. A file that is the template or
// the parameter file of a listed target stands for that target, and for all of them if there are
// several. What is named twice has one target.
func (l *lister) ofArguments(args []string, of *fileTargets) ([]*Target, error) {
	var list []*Target
	seen := map[string]bool{}
	for _, arg := range args {
		if arg != "" && l.IsBundle(arg) {
			t, err := l.bundleTarget(arg)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
			continue
		}
		paths, err := l.argumentPaths(arg)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			those, err := l.targetsFor(of, path)
			if err != nil {
				return nil, err
			}
			if len(those) == 0 {
				t, err := l.newTarget(path)
				if err != nil {
					return nil, err
				}
				those = []*Target{t}
			}
			for _, t := range those {
				if key := t.ListedAt + "\x00" + t.Input; !seen[key] {
					seen[key] = true
					list = append(list, t)
				}
			}
		}
	}
	return list, nil
}

// argumentPaths returns the files that an argument stands for.
func (l *lister) argumentPaths(arg string) ([]string, error) {
	switch {
	case arg == "":
		return nil, cli.Fail(cli.ExitUsage, "an argument is empty; name a template, a parameter file or a folder")
	case cli.IsURL(arg):
		return nil, cli.Fail(cli.ExitUsage, "%s: a template is a file, and no URL is fetched; "+
			"download it first, refer to it as a module of a registry (br:…), or name a bundle (oci://HOST/PATH:TAG)", cli.Redacted(arg))
	}
	info, err := l.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		return l.folderArgument(arg)
	case err == nil:
	case isModule(arg):
		return nil, cli.Fail(cli.ExitUsage,
			"%s: a module is deployed by a template, which names it: module m '%s'. A bundle is named oci://HOST/PATH:TAG", arg, arg)
	case project.IsReference(arg):
		return nil, cli.Fail(cli.ExitUsage, "%s: a bundle in a registry is named %s", arg, project.AddressOf(arg))
	case strings.Contains(arg, "*"):
		return l.patternArgument(arg)
	case errors.Is(err, fs.ErrNotExist) && isAssignment(arg):
		name, _, _ := strings.Cut(arg, "=")
		return nil, cli.Fail(cli.ExitUsage, "%s=… is a value for a parameter; write --parameters before each of them", name)
	}
	return l.fileArgument(arg, err)
}

// namesNothing reports whether an error says that an argument names no file, and not what is
// wrong with one.
func namesNothing(err error) bool {
	var none emptyError
	return errors.Is(err, fs.ErrNotExist) || errors.As(err, &none)
}

// noInputs returns the error for a folder or a pattern that stands for no file.
func noInputs(format string, args ...any) error {
	return &cli.Failure{Status: cli.ExitUsage, Err: emptyError(fmt.Sprintf(format, args...))}
}

type emptyError string

func (e emptyError) Error() string { return string(e) }

// isModule reports whether an argument is written as the path of a module of a registry.
func isModule(arg string) bool {
	return strings.HasPrefix(arg, "br:") || strings.HasPrefix(arg, "br/") || strings.HasPrefix(arg, "ts:")
}

func (l *lister) folderArgument(arg string) ([]string, error) {
	l.folders = append(l.folders, arg)
	paths, err := l.folderInputs(arg)
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	if len(paths) > 0 {
		return l.withoutBases(paths), nil
	}
	pattern := filepath.Join(arg, "**", "*.bicep")
	if _, below, err := workdir.GlobIn(l.ReadDir, pattern); err == nil && len(below) > 0 {
		return nil, noInputs("%s: the folder itself holds no .bicep and no .bicepparam file; '%s' names those in its folders",
			arg, filepath.ToSlash(pattern))
	}
	return nil, noInputs("%s: the folder holds no .bicep and no .bicepparam file", arg)
}

// folderInputs returns the inputs that a folder stands for: its .bicepparam files
// and its .bicep files, but for those that another of them uses.
func (l *lister) folderInputs(dir string) ([]string, error) {
	entries, err := l.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	used := map[string]bool{}
	for _, e := range entries {
		ext := strings.ToLower(filepath.Ext(e.Name()))
		if e.IsDir() || ext != ".bicep" && ext != ".bicepparam" {
			continue
		}
		path := filepath.Join(dir, e.Name())
		paths = append(paths, path)
		self, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		_, files := l.FilesFor(self)
		refs, err := bicep.References(files, self)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			if ref != self {
				used[ref] = true
			}
		}
	}
	var inputs []string
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if !used[abs] {
			inputs = append(inputs, path)
		}
	}
	sort.Strings(inputs)
	return inputs, nil
}

func (l *lister) patternArgument(arg string) ([]string, error) {
	_, found, err := workdir.GlobIn(func(path string) ([]fs.DirEntry, error) {
		l.folders = append(l.folders, path)
		return l.ReadDir(path)
	}, arg)
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	if len(found) == 0 {
		return nil, noInputs("%s: no file matches", arg)
	}
	var paths []string
	for _, path := range l.withoutBases(found) {
		path = l.Shown(path)
		if err := l.checkTemplate(path); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// withoutBases leaves out the parameter files that are only there to be extended (`using none`),
// unless there are no others.
func (l *lister) withoutBases(paths []string) []string {
	var out []string
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err == nil && strings.ToLower(filepath.Ext(path)) == ".bicepparam" {
			if _, files := l.FilesFor(abs); bicep.UsesNone(files, abs) {
				continue
			}
		}
		out = append(out, path)
	}
	if len(out) == 0 {
		return paths
	}
	return out
}

// isAssignment reports whether an argument looks like name=value, a value for a parameter.
func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && !strings.ContainsAny(name, `./\`)
}

// fileArgument is an argument that names a file, or err says why not.
func (l *lister) fileArgument(arg string, err error) ([]string, error) {
	absent := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !absent:
		return nil, cli.FailWith(cli.ExitIO, err)
	case absent && isTemplate(arg):
		return nil, cli.NoFile(arg, "file")
	case absent && filepath.Ext(arg) == "" && !l.isTargetName(arg):
		return nil, cli.NoFile(arg, "file and no such folder")
	}
	return []string{arg}, l.checkTemplate(arg)
}

// checkTemplate refuses a file that is neither a template nor a parameter file.
func (l *lister) checkTemplate(path string) error {
	switch {
	case isTemplate(path):
		return nil
	case l.isTargetName(path):
		return cli.Fail(cli.ExitUsage, "%s: an argument is a template or a parameter file; choose the target with --only %s",
			path, cli.ShellQuote(path))
	}
	return cli.Fail(cli.ExitUsage, "%s: want a .bicep file, an ARM .json template, a .bicepparam file or a folder%s", path, cli.Near(path))
}

// isTargetName reports whether a word is the name or the outfile of a listed target.
func (l *lister) isTargetName(word string) bool {
	of, err := l.fileTargets()
	word = workdir.Slashed(filepath.Clean(word))
	return err == nil && slices.ContainsFunc(of.targets, func(t *Target) bool { return slices.Contains(l.names(t), word) })
}

// isTemplate reports whether a file has the extension of a template or a parameter file.
func isTemplate(path string) bool {
	return slices.Contains([]string{".bicep", ".bicepparam", ".json"}, strings.ToLower(filepath.Ext(path)))
}
