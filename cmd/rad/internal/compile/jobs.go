package compile

import (
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// Places says where the outputs of a command go, and which files it takes if none is named.
type Places struct {
	Outfile, Outdir string // where outputs go: one file, or a folder; "" is beside the source
	Pattern         string // a glob of files
}

// Jobs returns what there is to do, with absolute paths. ext is the extension that files of the pattern must
// have; "" stands for both. others names the files of the pattern that are not of that kind.
func (o *Places) Jobs(args []string, ext string) (jobs []Job, others, err error) {
	add := func(input, below string) error {
		if err := project.CheckPath(input); err != nil {
			return err
		}
		abs, err := filepath.Abs(input)
		if err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
		j := Job{Input: abs, Output: strings.TrimSuffix(abs, filepath.Ext(abs)) + ".json"}
		switch {
		case o.Outfile != "":
			j.Output, err = filepath.Abs(o.Outfile)
		case o.Outdir != "":
			name := filepath.Base(j.Output)
			if below != "" {
				if rel, err := filepath.Rel(below, j.Output); err == nil {
					name = rel
				}
			}
			j.Output, err = filepath.Abs(filepath.Join(o.Outdir, name))
		}
		if err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
		if workdir.SameFile(j.Input, j.Output) {
			return cli.Fail(cli.ExitUsage, "%s: the output would replace its source; name another file with --outfile", input)
		}
		jobs = append(jobs, j)
		return nil
	}
	for _, arg := range args {
		if err := add(arg, ""); err != nil {
			return nil, nil, err
		}
	}
	if len(args) > 0 {
		return jobs, nil, nil
	}
	if o.Pattern == "" {
		return nil, nil, cli.Fail(cli.ExitUsage, "name a file%s, or files by --pattern", cli.SuchAs())
	}
	if err := project.CheckPath(o.Pattern); err != nil {
		return nil, nil, err
	}
	root, paths, err := workdir.Glob(o.Pattern)
	if err != nil {
		return nil, nil, cli.FailWith(cli.ExitIO, err)
	}
	paths, others = project.OfKind(paths, ext)
	for _, path := range paths {
		if err := add(path, root); err != nil {
			return nil, nil, err
		}
	}
	return jobs, others, nil
}
