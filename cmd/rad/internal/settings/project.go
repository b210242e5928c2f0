package settings

import (
	"os"
	"path/filepath"
	"strings"

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
	if root, err = projectRoot(flags, user, folder); err != nil {
		return nil, "", area, err
	}
	area = workdir.NewBounds(folder)
	if root != "" {
		area = workdir.NewBounds(root)
	}
	project, err := findSettings(folder, root, trustedFolders(flags, user))
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
		if root, err = rootFolder(s.Root); err != nil {
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
	root, err := projectRoot(flags, user, folder)
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

// projectRoot returns the folder outside of which no file is read: what the user names,
// or else the git work tree of a folder. It is "" where there is none.
func projectRoot(flags *pflag.FlagSet, user *File, folder string) (string, error) {
	given := os.Getenv(Of(KeyRoot).Env())
	if f := flags.Lookup(KeyRoot); f != nil && f.Changed {
		given = f.Value.String()
	}
	if given == "" && user != nil {
		given, _ = user.Values[KeyRoot].(string)
	}
	root, err := rootFolder(given)
	if err != nil && !flags.Changed(KeyRoot) {
		where := userSettingsName() + ": " + KeyRoot
		if variable := Of(KeyRoot).Env(); os.Getenv(variable) != "" {
			where = "the environment's " + variable
		}
		err = cli.Fail(cli.ExitUsage, "%s: %w", where, err)
	}
	if root == "" && err == nil {
		root = workdir.GitTop(folder)
	}
	return root, err
}

// trustedFolders returns the folders whose settings the user trusts.
func trustedFolders(flags *pflag.FlagSet, user *File) []string {
	if f := flags.Lookup(cli.Kebab(KeyTrustedFolders)); f != nil && f.Changed {
		list, _ := flags.GetStringSlice(cli.Kebab(KeyTrustedFolders))
		return list
	}
	if v := os.Getenv("RAD_BICEP_TRUSTED_FOLDERS"); v != "" {
		return strings.Split(v, ",")
	}
	if user == nil {
		return nil
	}
	list, _ := textList(user.Values[KeyTrustedFolders])
	return list
}

// rootFolder returns the absolute path of what is given as the root, if it is.
func rootFolder(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	root, err := filepath.Abs(given)
	if err != nil {
		return "", cli.FailWith(cli.ExitIO, err)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return "", cli.Fail(cli.ExitUsage, "--root %s: not a folder", given)
	}
	return root, nil
}
