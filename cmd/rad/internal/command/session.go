package command

import (
	"cmp"
	"io"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/watch"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// app is what a command has: the streams, and with --watch what is known from the run before.
type app struct {
	*cli.App

	// With --watch:
	workspace *bicep.Workspace // what is known from the run before
	written   deliver.Written  // its outputs
	watcher   *watch.Watcher
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{App: &cli.App{Stdin: stdin, Stdout: stdout, Stderr: stderr, Facts: settings.Facts}}
}

// reporterFor returns the reporter of a run that compiles.
func (a *app) reporterFor(o *project.Project, base string) *cli.Reporter {
	return a.NewReporter(report.Format(o.DiagnosticsFormat), o.Color, cmp.Or(o.Base.Root, o.Cwd), base)
}

// open merges the settings for inputs in a folder, and chooses the compiler.
func (a *app) open(flags *pflag.FlagSet, set settings.Set, folder string) (*project.Project, error) {
	return a.openFor(flags, set, folder, settings.Caller{})
}

// openFor is open for a program that runs this one.
func (a *app) openFor(flags *pflag.FlagSet, set settings.Set, folder string, caller settings.Caller) (*project.Project, error) {
	o, err := project.Open(a.App, flags, set, folder, caller)
	if err != nil {
		return nil, err
	}
	o.Base.Workspace = a.workspace
	return o, nil
}
