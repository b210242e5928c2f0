package settings

import (
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// For reads and merges the settings for inputs in a folder. root is the
// project's root, or "" where there is none; area is the root or else the folder.
func For(flags *pflag.FlagSet, set Set, folder string, caller Caller) (s *Settings, root string, area workdir.Bounds, err error) {
	user, err := ReadUser()
	if err != nil {
		return nil, "", area, err
	}
	first, err := early(flags, user)
	if err == nil {
		root, err = first.projectRoot(folder)
	}
	if err != nil {
		return nil, "", area, err
	}
	area = workdir.NewBounds(folder)
	if root != "" {
		area = workdir.NewBounds(root)
	}
	project, err := findSettings(folder, root, first.TrustedFolders)
	if err != nil {
		return nil, "", area, err
	}
	if project != nil {
		judge := &Judge{File: project, user: user, Bounds: area}
		if err := judge.Judge(); err != nil {
			return nil, "", area, err
		}
	}
	if s, err = Load(flags, set, user, project, caller); err != nil {
		return nil, "", area, cli.FailWith(cli.ExitUsage, err)
	}
	if s.Root != "" {
		if root, err = s.projectRoot(folder); err != nil {
			return nil, "", area, err
		}
		area = workdir.NewBounds(root)
	}
	return s, root, area, nil
}

// Area returns the bounds of what a command without settings reads and writes for inputs in a
// folder: the root that the user names, if the folder is in it, or else the git work tree, or else
// the folder. No link that is in the bounds leads out of them. rooted is false for the folder: the
// official commands read above it then.
func Area(flags *pflag.FlagSet, folder string) (area workdir.Bounds, rooted bool, err error) {
	if folder, err = filepath.Abs(folder); err != nil {
		return area, false, cli.FailWith(cli.ExitIO, err)
	}
	user, err := ReadUser()
	if err != nil {
		return area, false, err
	}
	first, err := early(flags, user)
	if err != nil {
		return area, false, err
	}
	root, err := first.projectRoot(folder)
	if err != nil {
		return area, false, err
	}
	if area = workdir.NewBounds(root); root != "" && (area.Contains(folder) || area.Contains(workdir.NewBounds(folder).Resolved)) {
		return area, true, nil
	}
	if root = workdir.GitTop(folder); root != "" {
		return workdir.NewBounds(root), true, nil
	}
	return workdir.NewBounds(folder), false, nil
}

// early returns the settings that say how a project's file is found and read, by which it is not asked.
func early(flags *pflag.FlagSet, user *File) (*Settings, error) {
	s := &Settings{Flags: flags, File: &File{}}
	if user != nil {
		s.below = []Layer{user.layer()}
	}
	return s, s.fill([]*Setting{Of(KeyRoot), Of(KeyTrustedFolders)}, true)
}

// projectRoot returns the folder outside of which no file is read: what is given, or else the git work
// tree of a folder. It is "" where there is none.
func (s *Settings) projectRoot(folder string) (string, error) {
	if s.Root == "" {
		return workdir.GitTop(folder), nil
	}
	root, err := filepath.Abs(s.Root)
	if err != nil {
		return "", cli.FailWith(cli.ExitIO, err)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return "", cli.Fail(cli.ExitUsage, "%s: not a folder", s.Named(KeyRoot, s.Root))
	}
	return root, nil
}
