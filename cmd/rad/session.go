package main

import (
	"cmp"
	"io"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// app is what a command has: the streams, and with --watch what is known from the run before.
type app struct {
	*cli.App

	// With --watch:
	workspace *bicep.Workspace // what is known from the run before
	written   writtenFiles     // its outputs
	changing  *burst           // the changes that the run is for; nil in the first one
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{App: &cli.App{Stdin: stdin, Stdout: stdout, Stderr: stderr, Facts: settingFacts}}
}

// reporterFor returns the reporter of a run that compiles.
func (a *app) reporterFor(o *compileOptions, base string) *cli.Reporter {
	return a.NewReporter(report.Format(o.str(keyDiagnosticsFormat)), o.str(keyColor), cmp.Or(o.base.Root, o.cwd), base)
}

// settingFacts describes a flag, if it is a setting.
func settingFacts(flag string) cli.FlagFacts {
	for _, s := range generateSettings {
		if s.flag() == flag {
			return cli.FlagFacts{Variable: s.env()}
		}
	}
	return cli.FlagFacts{}
}
