package command

import (
	"cmp"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/watch"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// app is what a command has: the streams, and with --watch what is known from the run before.
type app struct {
	*cli.App
	stdin func() ([]byte, error) // standard input, which can be read once

	toldVain bool // that an external compiler does not take settings

	// With --watch:
	workspace *bicep.Workspace // what is known from the run before
	written   deliver.Written  // its outputs
	watcher   *watch.Watcher
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	read := sync.OnceValues(func() ([]byte, error) { return workdir.ReadText(stdin) })
	return &app{App: &cli.App{Stdin: stdin, Stdout: stdout, Stderr: stderr, Facts: settings.Facts}, stdin: read}
}

// reporterFor returns the reporter of a run that compiles.
func (a *app) reporterFor(o *project.Project, base string) *cli.Reporter {
	return a.reporterIn(o, base, o.DiagnosticsFormat)
}

// reporterIn is reporterFor with a format of findings.
func (a *app) reporterIn(o *project.Project, base, format string) *cli.Reporter {
	r := a.NewReporter(report.Format(format), o.Color, cmp.Or(o.Base.Root, o.Cwd), base)
	r.Strict = o.WarningsAsErrors
	if len(o.InVain) > 0 && !a.toldVain {
		a.toldVain = true
		r.Notice("Warning: an external compiler does not take what is set here: " + strings.Join(o.InVain, ", "))
	}
	return r
}

// open merges the settings for inputs in a folder, and chooses the compiler.
func (a *app) open(flags *pflag.FlagSet, set settings.Set, folder string) (*project.Project, error) {
	return project.Open(project.Process{App: a.App, Stdin: a.stdin, Workspace: a.workspace}, flags, set, folder, settings.Caller{})
}

// begin opens what a command about targets works with. values are those of --parameters.
func (a *app) begin(c *cobra.Command, set settings.Set, args, values []string) (d *deliver.Delivery, s targets.Selection, err error) {
	s.Args = args
	if s.Values, err = settings.ParseArgs(values); err != nil {
		return nil, s, cli.FailWith(cli.ExitUsage, err)
	}
	folder, err := targets.Folder(args)
	if err != nil {
		return nil, s, err
	}
	o, err := a.open(c.Flags(), set, folder)
	if err != nil {
		return nil, s, err
	}
	found := a.reporterIn(o, o.Cwd, o.Annotated())
	return &deliver.Delivery{Project: o, Console: a.App, Reporter: found, Args: s.Values, Written: a.written}, s, nil
}

// one returns the only target that an argument of a command names.
func one(side project.Side, s targets.Selection, what string) (*targets.Target, error) {
	list, _, err := targets.List(side, s)
	if err == nil && len(list) != 1 {
		err = cli.Fail(cli.ExitUsage, "%s: name one %s%s", s.Args[0], what, targets.OrOnly(list))
	}
	if err != nil {
		return nil, err
	}
	return list[0], nil
}
