package command

import (
	"cmp"
	"sync"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// generator makes manifests.
type generator struct {
	*app
	*deliver.Delivery
	flags *generateOptions
}

// traced returns the generator with notes of what it reads.
func (g *generator) traced(reads *workdir.Trace) *generator {
	d, out := *g.Delivery, *g
	d.Work, out.Delivery = g.Work.Traced(reads), &d
	return &out
}

// newGenerator returns a generator for the arguments of a command, which has the given
// settings.
func (a *app) newGenerator(c *cobra.Command, set settings.Set, args []string, o *generateOptions) (*generator, error) {
	var err error
	if o.Args, err = settings.ParseArgs(o.Parameters); err != nil {
		return nil, cli.FailWith(cli.ExitUsage, err)
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
		Project: options, Flags: &o.Flags, Folder: cmp.Or(folder, options.Cwd), Stdin: a.readStdin(),
	}
	d := &deliver.Delivery{Work: w, Console: a.App, Found: a.reporterFor(options, options.Cwd), Options: o.Options, Written: a.written}
	return &generator{app: a, Delivery: d, flags: o}, nil
}

// readStdin returns a function that reads standard input when it is first called. The input
// can be read once, however often the manifests are made.
func (a *app) readStdin() func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) { return workdir.ReadText(a.Stdin) })
}
