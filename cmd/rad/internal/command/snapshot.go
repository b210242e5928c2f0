package command

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/snapshots"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/snapshot"
)

// snapshotOptions are the flags of snapshot that are not settings.
type snapshotOptions struct {
	mode string
}

func newSnapshot(a *app) *cobra.Command {
	var o snapshotOptions
	c := &cobra.Command{
		Use:   "snapshot FILE.bicepparam",
		Short: "Write what a template would deploy to a snapshot file, or compare with one",
		Long: `Write down the resources that a parameter file and its template would deploy, as the
official 'bicep snapshot' does: FILE.snapshot.json beside the parameter file. What only the
deployment can know is an expression in it. With --mode validate nothing is written:
the differences from the file that is there are printed, and the status is 1 if there are any.

The other options say what is known of the deployment.`,
		Example: `  rad bicep snapshot app.bicepparam --subscription-id 00000000-0000-0000-0000-000000000000 --resource-group apps
  rad bicep snapshot app.bicepparam --mode validate`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Fail(cli.ExitUsage, "name one .bicepparam file")
			}
			return nil
		},
		Annotations:       map[string]string{cli.DropIn: "snapshot"},
		ValidArgsFunction: cli.CompleteFiles("bicepparam"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.snapshot(c, args[0], &o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.mode, "mode", "overwrite", "overwrite the snapshot, or validate it: `MODE`")
	settings.AddFlags(a.App, c, settings.Compiler|settings.Context)
	a.CompleteFlag(c, "mode", cobra.FixedCompletions([]string{"overwrite", "validate"}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) snapshot(c *cobra.Command, arg string, o *snapshotOptions) error {
	mode := strings.ToLower(o.mode)
	if mode != "overwrite" && mode != "validate" {
		return cli.Fail(cli.ExitUsage, "--mode %s: it is overwrite or validate", o.mode)
	}
	if err := project.CheckPath(arg); err != nil {
		return err
	}
	if err := project.CheckExtension(arg, ".bicepparam"); err != nil {
		return err
	}
	input, err := filepath.Abs(arg)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	options, err := a.open(c.Flags(), settings.Compiler|settings.Context, filepath.Dir(input))
	if err != nil {
		return err
	}
	reporter := a.reporterFor(options, "")
	now, hider, err := snapshots.Take(c.Context(), options, input, snapshots.FromSettings(c.Flags(), options), func(r *bicep.Result) error {
		failed, err := reporter.Take(r)
		if err == nil && failed {
			err = cli.Silent(cli.ExitSource)
		}
		return err
	})
	if err = reporter.Finish(err); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if len(now.Diagnostics) > 0 {
		fmt.Fprintln(a.Stderr, "Snapshot generation diagnostics:")
		for _, d := range now.Diagnostics {
			a.Tell("  %s", hider.Text(d))
		}
	}
	path := strings.TrimSuffix(input, filepath.Ext(input)) + ".snapshot.json"
	if mode == "overwrite" {
		return cli.FailWith(cli.ExitIO, options.Bounds.WriteFile(path, now.Text()))
	}
	text, err := options.Bounds.ReadFileText(path)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	before, err := snapshot.Parse(text)
	if err != nil {
		return cli.Fail(cli.ExitSource, "%s: %w", path, err)
	}
	changes := snapshot.Changes(before, now)
	if len(changes) == 0 {
		return nil
	}
	changes = hider.Hide(changes)
	fmt.Fprintln(a.Stderr, "Snapshot validation failed. Expected no changes, but found the following:")
	if _, err := fmt.Fprint(a.Stdout, snapshot.Format(changes, cli.Colors(options.Color, a.Stdout))); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	return cli.Silent(cli.ExitStale)
}
