package command

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/migrating"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

func newMigrate(a *app) *cobra.Command {
	var o migrating.Options
	c := &cobra.Command{
		Use:   "migrate file.bicep | folder...",
		Short: "Move programs to the resource types that take the place of those that Radius removes",
		Long: `Move programs from Applications.* to the resource types of Radius ` + "0.60" + ` that take their place,
Radius.Core, Radius.Compute and so on. Files are written in place; comments and layout stay. A
program goes with its local modules: all of its files, or none. In a folder, each program goes
by itself.

What the new types have no place for is named with its place, and the status is 2; then
nothing of the program is written, unless --drop leaves it out.`,
		Example: `  rad bicep migrate app.bicep --diff
  rad bicep migrate .
  rad bicep migrate app.bicep --drop`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Fail(cli.ExitUsage, "name a .bicep file or a folder%s", cli.SuchAs())
			}
			return nil
		},
		ValidArgsFunction: cli.CompleteFiles("bicep"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.migrate(c, args, o)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.Diff, "diff", false, "write nothing; show what would change, and exit 1 if something would")
	f.BoolVar(&o.Drop, "drop", false, "leave out what has no counterpart")
	settings.AddFlags(a.App, c, settings.Checker)
	a.TakesFormat(c, "text", "json")
	return c
}

func (a *app) migrate(c *cobra.Command, args []string, o migrating.Options) error {
	files, err := migrating.Files(args)
	if err != nil {
		return err
	}
	folder := ""
	if len(files) > 0 {
		folder = filepath.Dir(files[0])
	}
	p, err := a.open(c.Flags(), settings.Checker, folder)
	if err != nil {
		return err
	}
	found := a.reporterIn(p, p.Cwd, p.Annotated())
	return cli.FailWith(cli.ExitIO, found.End(migrating.Run(c.Context(), a.App, p, found, files, o)))
}
