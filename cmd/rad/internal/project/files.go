package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// CheckPath refuses URLs, and what the official compiler refuses, so that a command line
// works on all systems or on none.
func CheckPath(path string) error {
	if cli.IsURL(path) {
		return cli.Fail(cli.ExitUsage, "%s: no URL is fetched; download the file first", cli.Redacted(path))
	}
	if runtime.GOOS != "windows" && strings.Contains(path, `\`) {
		return cli.Fail(cli.ExitUsage, "%s: a path must not hold a backslash on this system", path)
	}
	return nil
}

// CheckExtension holds a file to the command's extension; "" stands for both.
func CheckExtension(path, ext string) error {
	have := strings.ToLower(filepath.Ext(path))
	switch {
	case strings.Contains(path, "*") && !workdir.Exists(path):
		return cli.Fail(cli.ExitUsage, "%s: one file at a time; --pattern takes a glob", workdir.Shown(path))
	case ext == "" && (have == ".bicep" || have == ".bicepparam"), ext != "" && have == ext:
		return nil
	case ext == "" && have == "" && !workdir.Exists(path):
		return nil // that there is no such file is said where it is read
	case workdir.IsFolder(path):
		return cli.Fail(cli.ExitUsage, "%s is a folder; name a file, or files by --pattern", workdir.Shown(path))
	case ext == "":
		return cli.Fail(cli.ExitUsage, "%s: not a Bicep file; its name must end in .bicep or .bicepparam", workdir.Shown(path))
	}
	return cli.Fail(cli.ExitUsage, "%s: not a Bicep file that this command takes; its name must end in %s", workdir.Shown(path), ext)
}

// OfKind returns those of the files of a pattern that have the command's extension, and an error that names
// the others. Those are no reason to leave out what is right. A link to a folder is no file.
func OfKind(paths []string, ext string) (right []string, others error) {
	const most = 10 // of files that are named one by one
	var wrong []error
	for _, path := range paths {
		switch err := CheckExtension(path, ext); {
		case err == nil:
			right = append(right, path)
		case workdir.IsFolder(path):
		default:
			wrong = append(wrong, err)
		}
	}
	if len(wrong) == 0 {
		return right, nil
	}
	if more := len(wrong) - most; more > 1 {
		wrong = append(wrong[:most], cli.Fail(cli.ExitUsage, "and %s more that are no such files", cli.Plural(more, "file")))
	}
	return right, cli.FailWith(cli.ExitUsage, errors.Join(wrong...))
}

// BicepFiles returns the files that an argument stands for: a file, those in a
// folder and below, or those that a glob matches. below is the folder that they
// were found in, if it is not a file. Links are left out, which may lead anywhere.
func BicepFiles(arg string) (paths []string, below string, err error) {
	info, err := os.Stat(arg)
	switch {
	case err == nil && info.IsDir():
		if paths, err = BicepFilesBelow(arg); err == nil && len(paths) == 0 {
			err = cli.Fail(cli.ExitUsage, "%s: the folder holds no Bicep file", arg)
		}
		return paths, arg, cli.FailWith(cli.ExitIO, err)
	case err == nil || !strings.Contains(arg, "*"):
		return []string{arg}, "", nil
	}
	below, found, err := workdir.Glob(arg)
	if err != nil {
		return nil, "", cli.FailWith(cli.ExitIO, err)
	}
	for _, path := range found {
		if CheckExtension(path, "") == nil && !workdir.IsLink(path) {
			paths = append(paths, workdir.Shown(path))
		}
	}
	if len(paths) == 0 {
		return nil, "", cli.Fail(cli.ExitUsage, "%s: no Bicep file matches", arg)
	}
	return paths, below, nil
}

// FilesOf returns the files that arguments and a pattern stand for, as absolute
// paths.
func FilesOf(args []string, pattern string) ([]string, error) {
	if len(args) == 0 && pattern != "" {
		if err := CheckPath(pattern); err != nil {
			return nil, err
		}
		_, paths, err := workdir.Glob(pattern)
		return paths, cli.FailWith(cli.ExitIO, err)
	}
	if len(args) == 0 {
		args = []string{"."}
	}
	var files []string
	for _, arg := range args {
		if err := CheckPath(arg); err != nil {
			return nil, err
		}
		info, err := os.Stat(arg)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, cli.NoFile(arg, "file and no such folder")
		}
		if err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
		if arg, err = filepath.Abs(arg); err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
		if !info.IsDir() {
			if err := CheckExtension(arg, ""); err != nil {
				return nil, err
			}
			files = append(files, arg)
			continue
		}
		below, err := BicepFilesBelow(arg)
		if err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
		files = append(files, below...)
	}
	return files, nil
}

// BicepFilesBelow lists the Bicep files in a folder and below it. Folders whose
// names begin with a dot are left out.
func BicepFilesBelow(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission):
			return fs.SkipDir
		case err != nil:
			return err
		case d.IsDir() && path != folder && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.Type().IsRegular() && CheckExtension(path, "") == nil:
			files = append(files, path)
		}
		return nil
	})
	return files, err
}
