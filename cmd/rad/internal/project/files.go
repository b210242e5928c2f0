package project

import (
	"cmp"
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
		return cli.Fail(cli.ExitUsage, "%s: a path must not hold a backslash on this system%s", path, cli.Near(path))
	}
	return nil
}

// CheckExtension holds a file to the command's extension; "" stands for both.
func CheckExtension(path, ext string) error {
	have := strings.ToLower(filepath.Ext(path))
	switch {
	case strings.Contains(path, "*") && !workdir.Exists(path):
		return cli.Fail(cli.ExitUsage, "%s: one file at a time; --pattern takes a glob", workdir.Shown(path))
	case IsOfKind(path, ext):
		return nil
	case ext == "" && have == "" && !workdir.Exists(path):
		return nil // that there is no such file is said where it is read
	case workdir.IsFolder(path):
		return cli.Fail(cli.ExitUsage, "%s is a folder; name a file, or files by --pattern", workdir.Shown(path))
	}
	path = workdir.Shown(path)
	near := ""
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		near = cli.Near(path, cmp.Or(ext, ".bicep"), cmp.Or(ext, ".bicepparam"))
	}
	switch {
	case ext == "":
		return cli.Fail(cli.ExitUsage, "%s: not a Bicep file; its name must end in .bicep or .bicepparam%s", path, near)
	case have == ".bicepparam":
		return cli.Fail(cli.ExitUsage, "%s is a parameter file, which 'build-params' takes; this command takes a template (.bicep)%s",
			path, near)
	case have == ".bicep":
		near = cmp.Or(cli.Near(path, ext), "; 'generate-params --output-format bicepparam' writes one")
		return cli.Fail(cli.ExitUsage, "%s is a template, and this command takes a parameter file (.bicepparam)%s", path, near)
	}
	return cli.Fail(cli.ExitUsage, "%s: not a Bicep file that this command takes; its name must end in %s%s", path, ext, near)
}

// IsOfKind reports whether a file has a command's extension; "" stands for both.
func IsOfKind(path, ext string) bool {
	have := strings.ToLower(filepath.Ext(path))
	return have == ext && ext != "" || ext == "" && (have == ".bicep" || have == ".bicepparam")
}

// OfKind returns those of the files of a pattern that have the command's extension, and an error that names
// the others. Those are no reason to leave out what is right. A link to a folder is no file.
func OfKind(paths []string, ext string) (right []string, others error) {
	const most = 10 // of files that are named one by one
	var wrong []error
	more := 0
	for _, path := range paths {
		switch {
		case IsOfKind(path, ext):
			right = append(right, path)
		case workdir.IsFolder(path):
		case len(wrong) < most:
			wrong = append(wrong, CheckExtension(path, ext))
		default:
			more++
		}
	}
	if len(wrong) == 0 {
		return right, nil
	}
	if more > 0 {
		wrong = append(wrong, cli.Fail(cli.ExitUsage, "and %s more that are no such files", cli.Plural(more, "file")))
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
		if IsOfKind(path, "") && !workdir.IsLink(path) {
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

// BicepFilesBelow lists the Bicep files in a folder and below it, as workdir.Walk finds them.
func BicepFilesBelow(folder string) ([]string, error) {
	var files []string
	err := workdir.Walk(folder, func(path string, d fs.DirEntry) error {
		if d.Type().IsRegular() && IsOfKind(path, "") {
			files = append(files, path)
		}
		return nil
	})
	return files, err
}
