package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/params"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// generator makes manifests.
type generator struct {
	*app
	options      *generateOptions
	compile      *compileOptions
	folder       string // from which settings are looked for
	namespaceSet bool
	labels       map[string]string
	annotations  map[string]string
	stdin        func() ([]byte, error)
	folders      []string // that were named as inputs
	found        *cli.Reporter

	tree     *gittree.Tree  // the revision that files are read from; nil for the disk
	symbolic bool           // templates are to name their resources
	partial  bool           // files that cannot be read are not errors
	reads    *workdir.Trace // notes what is read, if that is wanted

	absentInputs bool // targets whose templates do not exist are not errors
	mayUseNone   bool // a parameter file that uses no template is not an error: it deploys nothing
}

// newGenerator returns a generator for the arguments of a command, which has the given
// settings.
func (a *app) newGenerator(c *cobra.Command, set settings.Set, args []string, o *generateOptions) (*generator, error) {
	var err error
	if o.args, err = parseArgs(o.parameters); err != nil {
		return nil, err
	}
	folder, err := settingsFolder(args)
	if err != nil {
		return nil, err
	}
	options, err := a.newCompileOptions(c.Flags(), set, folder)
	if err != nil {
		return nil, err
	}
	options.annotate()
	return &generator{
		app: a, options: o, compile: options, folder: cmp.Or(folder, options.cwd),
		namespaceSet: c.Flags().Changed(settings.KeyNamespace),
		stdin:        a.readStdin(),
		found:        a.reporterFor(options, options.cwd),
	}, nil
}

// readStdin returns a function that reads standard input when it is first called. The input
// can be read once, however often the manifests are made.
func (a *app) readStdin() func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) { return workdir.ReadText(a.Stdin) })
}

// openRevisions opens the revisions that --base names, or none of them.
func (g *generator) openRevisions(ctx context.Context, base string, revisions ...string) (trees []*gittree.Tree, closeAll func(), err error) {
	closeAll = func() {
		for _, t := range trees {
			t.Close()
		}
	}
	for _, revision := range revisions {
		t, err := gittree.Open(ctx, g.folder, revision)
		if err != nil {
			closeAll()
			return nil, nil, cli.FailWith(cli.ExitIO, &cli.GitError{Err: fmt.Errorf("--base %s: %w", base, err)})
		}
		trees = append(trees, t)
	}
	return trees, closeAll, nil
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

// parseArgs takes the arguments of --parameters apart.
func parseArgs(list []string) ([]params.Arg, error) {
	args, err := params.ParseArgs(list)
	for i := range args {
		args[i].Label = "--parameters "
	}
	return args, cli.FailWith(cli.ExitUsage, cli.ArgumentError(err))
}
