package main

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"

	"github.com/radbicep/rad/cmd/rad/internal/project"
)

// generator makes manifests.
type generator struct {
	*app
	*project.Work
	options    *generateOptions
	found      *cli.Reporter
	mayUseNone bool // a parameter file that uses no template is not an error: it deploys nothing
}

// at returns the generator for the files of a revision.
func (g *generator) at(tree *gittree.Tree) *generator {
	w := *g.Work
	w.Tree = tree
	out := *g
	out.Work = &w
	return &out
}

// traced returns the generator with notes of what it reads.
func (g *generator) traced(reads *workdir.Trace) *generator {
	w := *g.Work
	w.Reads = reads
	out := *g
	out.Work = &w
	return &out
}

// newGenerator returns a generator for the arguments of a command, which has the given
// settings.
func (a *app) newGenerator(c *cobra.Command, set settings.Set, args []string, o *generateOptions) (*generator, error) {
	var err error
	if o.Args, err = project.ParseArgs(o.Parameters); err != nil {
		return nil, err
	}
	folder, err := project.SettingsFolder(args)
	if err != nil {
		return nil, err
	}
	options, err := a.open(c.Flags(), set, folder)
	if err != nil {
		return nil, err
	}
	options.Annotate()
	w := &project.Work{
		Project: options, Flags: &o.Flags, Folder: cmp.Or(folder, options.Cwd),
		NamespaceSet: c.Flags().Changed(settings.KeyNamespace), Stdin: a.readStdin(),
	}
	return &generator{app: a, Work: w, options: o, found: a.reporterFor(options, options.Cwd)}, nil
}

// readStdin returns a function that reads standard input when it is first called. The input
// can be read once, however often the manifests are made.
func (a *app) readStdin() func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) { return workdir.ReadText(a.Stdin) })
}

// say tells the user how it goes.
func (g *generator) say(format string, args ...any) {
	if !g.found.Document() {
		g.app.Say(format, args...)
	}
}

// finish ends the report. In a document, the error that ends the run is a finding
// like the others.
func (g *generator) finish(err error) error {
	if err != nil && err.Error() != "" && g.found.Printer.Format != report.Text && !errors.Is(err, context.Canceled) {
		status := cli.ExitUsage
		var f *cli.Failure
		if errors.As(err, &f) {
			status = f.Status
		}
		var internal *bicep.InternalError
		if !errors.As(err, &internal) {
			g.found.Pending = append(g.found.Pending, report.Finding{Severity: report.Error, Code: "rad", Message: err.Error()})
			err = &cli.Failure{Status: status, Err: err, Said: true}
		}
	}
	if e := g.found.Finish(); e != nil && err == nil {
		return cli.FailWith(cli.ExitIO, e)
	}
	return err
}
