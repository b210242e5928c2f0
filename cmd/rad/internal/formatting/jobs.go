package formatting

import (
	"path/filepath"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// job is one file to lay out.
type job struct {
	name   string // as it is shown
	input  string // absolute path
	output string // absolute path; "" is standard output
	stdin  bool
}

// checkJobs refuses places that do not fit the number of files.
func (o *Options) checkJobs(jobs []job) error {
	if len(jobs) > 1 && o.Outfile != "" {
		return cli.Fail(cli.ExitUsage, "--outfile names one file, and there are %d; use --outdir", len(jobs))
	}
	if len(jobs) > 1 && o.Print {
		return cli.Fail(cli.ExitUsage, "--stdout prints one file, and there are %d", len(jobs))
	}
	seen := map[string]string{}
	for _, j := range jobs {
		if j.stdin || j.output == "" {
			continue
		}
		if other, ok := seen[j.output]; ok {
			return cli.Fail(cli.ExitUsage, "%s and %s would both be written to %s", other, j.name, j.output)
		}
		seen[j.output] = j.name
	}
	return nil
}

// jobs returns the files that the arguments, or the pattern, stand for.
func (o *Options) jobs(args []string) ([]job, error) {
	list := jobList{options: o, seen: map[string]bool{}}
	if len(args) == 0 {
		if err := project.CheckPath(o.Pattern); err != nil {
			return nil, err
		}
		root, paths, err := workdir.Glob(o.Pattern)
		if err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
		paths, o.others = project.OfKind(paths, "")
		for _, path := range paths {
			if workdir.IsLink(path) { // which may lead anywhere
				continue
			}
			if err := list.add(workdir.Shown(path), root); err != nil {
				return nil, err
			}
		}
		return list.jobs, nil
	}
	for _, arg := range args {
		if err := list.argument(arg); err != nil {
			return nil, err
		}
	}
	return list.jobs, nil
}

// jobList gathers jobs.
type jobList struct {
	options *Options
	jobs    []job
	seen    map[string]bool
}

func (l *jobList) argument(arg string) error {
	if arg == "-" {
		return l.stdin()
	}
	if err := project.CheckPath(arg); err != nil {
		return err
	}
	paths, below, err := project.BicepFiles(arg)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := l.add(path, below); err != nil {
			return err
		}
	}
	return nil
}

// add appends a file, unless it is there already. below is the folder that it was
// found in.
func (l *jobList) add(path, below string) error {
	if err := project.CheckExtension(path, ""); err != nil {
		return err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if l.seen[abs] {
		return nil
	}
	l.seen[abs] = true
	j := job{name: path, input: abs, output: abs}
	o := l.options
	switch {
	case o.Print:
		j.output = ""
	case o.Outfile != "":
		j.output, err = filepath.Abs(o.Outfile)
	case o.Outdir != "":
		name := filepath.Base(abs)
		if below != "" {
			if base, err := filepath.Abs(below); err == nil {
				if rel, err := filepath.Rel(base, abs); err == nil && filepath.IsLocal(rel) {
					name = rel
				}
			}
		}
		j.output, err = filepath.Abs(filepath.Join(o.Outdir, name))
	}
	l.jobs = append(l.jobs, j)
	return cli.FailWith(cli.ExitIO, err)
}

func (l *jobList) stdin() error {
	o := l.options
	if err := project.CheckExtension(o.StdinFilename, ""); err != nil {
		return cli.Fail(cli.ExitUsage, "--stdin-filename %w", err)
	}
	abs, err := filepath.Abs(o.StdinFilename)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	j := job{name: o.StdinFilename, input: abs, stdin: true}
	switch {
	case o.Outfile != "":
		j.output, err = filepath.Abs(o.Outfile)
	case o.Outdir != "":
		j.output, err = filepath.Abs(filepath.Join(o.Outdir, filepath.Base(abs)))
	}
	l.jobs = append(l.jobs, j)
	return cli.FailWith(cli.ExitIO, err)
}
