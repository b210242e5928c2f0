package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/changed"
	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// affectedOptions are the flags of affected that are not settings.
type affectedOptions struct {
	parameters []string
	base       string
	deps       string
	exitCode   bool
	null       bool
}

func newAffected(a *app) *cobra.Command {
	var o affectedOptions
	c := &cobra.Command{
		Use:   "affected [app.bicep | template.json | app.bicepparam | folder | 'glob']...",
		Short: "List the targets that a change can alter",
		Long: `List the targets that a change since a git revision can alter, by what compiling them reads:
modules, loaded files and lists of files, parameter files, bicepconfig.json on every level,
bicep.lock.json, vendored artifacts, and the settings in .rad/bicep.yaml.

--base REV compares the work tree, with files that git does not know, with the last common
commit of REV and HEAD, so that what came to REV since then does not count. --base A...B
compares B with the last common commit of A and B, and --base A..B two revisions as they
are. Nothing is checked out and no connection is opened.

Arguments and --parameters are those of generate-kubernetes-manifest. Without arguments, the
targets that .rad/bicep.yaml lists are looked at. Each line of the output names the template of
a target; --format json tells the targets apart, and why each is listed. A name that begins
with a dash or an @ is printed as ./NAME, so no command takes it for an option. --null prints
names as xargs -0 reads them, whatever they hold.

Exit status: 0 done, 1 some are affected (--exit-code), 3 wrong usage or settings, 4 files or git.`,
		Example: `  rad bicep affected 'deploy/**/*.bicepparam' --base origin/main
  rad bicep affected app.bicep --base HEAD --format json
  rad bicep affected --base origin/main -0 | xargs -0 -r rad bicep lint --`,
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam", "json"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.affected(c, args, &o)
		},
	}
	f := c.Flags()
	addParameters(a, c, &o.parameters)
	f.StringVar(&o.base, "base", "", "git revision `REV` to compare with, or two as A..B or A...B")
	completeBase(a, c)
	f.StringVar(&o.deps, "deps", "", "write what all targets read to `FILE`, for make; --base is optional then")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit 1 if a target is affected")
	f.BoolVarP(&o.null, "null", "0", false, "end each name with a NUL byte, for xargs -0")
	settings.AddFlags(a.App, c, settings.Affected)
	a.TakesFormat(c, "text", "json")
	return c
}

func (a *app) affected(c *cobra.Command, args []string, o *affectedOptions) (err error) {
	if o.base == "" && o.deps == "" {
		return cli.Fail(cli.ExitUsage, "--base is missing: the revision to compare with, such as origin/main")
	}
	if o.null && a.WantsJSON() {
		return cli.Fail(cli.ExitUsage, "--null ends the names of --format text; it cannot be used with --format json")
	}
	d, s, err := a.begin(c, settings.Affected, args, o.parameters)
	if err != nil {
		return err
	}
	if d.External {
		return cli.Fail(cli.ExitUsage, "affected needs the embedded compiler: what another one reads is not known")
	}
	s.MayMiss = true // a template that is deleted is an answer
	defer func() { err = d.Reporter.End(err) }()
	base, err := d.OpenBase(c.Context(), o.base, d.Reporter.Notice)
	if err != nil {
		return err
	}
	defer base.Close()
	list, _, err := targets.List(base.Now, s)
	if err == nil {
		err = targets.Check(list, true)
	}
	if err != nil {
		return err
	}
	x := changed.New(base.Now, base.Was)
	traces := x.Trace(c.Context(), list)
	if err := c.Context().Err(); err != nil {
		return err
	}
	if o.deps != "" {
		if err := writeRead(d.Project, o.deps, list, traces); err != nil {
			return err
		}
	}
	if base.Was.Tree() == nil {
		return nil
	}
	var was []*targets.Target
	if len(args) == 0 {
		if was, _, err = targets.List(base.Was, s); err != nil {
			// A revision whose settings are wrong made other targets, if any.
			d.Reporter.Notice(fmt.Sprintf("%v; all targets count as new", err))
			was = nil
		}
	}
	result, err := x.Compare(c.Context(), list, traces, was, len(args) == 0)
	if err != nil {
		return err
	}
	a.Result = result
	if !a.WantsJSON() {
		if err := a.printAffected(result, o.null, d.Reporter); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	if o.exitCode && len(result.Targets)+len(result.Removed) > 0 {
		return cli.Silent(cli.ExitStale)
	}
	return nil
}

// printAffected writes a line for each template that is affected. The names are those of a stranger's
// branch, and are handed to other commands.
func (a *app) printAffected(result changed.Result, null bool, found *cli.Reporter) error {
	seen := map[string]bool{}
	for _, t := range result.Targets {
		if seen[t.Template] {
			continue
		}
		seen[t.Template] = true
		if null {
			if err := a.WriteResult([]byte(cli.AsArgument(t.Template) + "\x00")); err != nil {
				return err
			}
		} else if _, err := fmt.Fprintln(a.Stdout, cli.ShowControls(cli.AsArgument(t.Template))); err != nil {
			return err
		}
	}
	for _, t := range result.Removed {
		found.Notice(fmt.Sprintf("%s is no longer a target; its manifest was %s", t.Template, t.Outfile))
	}
	return nil
}

// writeRead writes what all targets read.
func writeRead(o *project.Project, path string, list []*targets.Target, traces []*workdir.Trace) error {
	var rules deliver.Rules
	for i, t := range list {
		rules.Add(t.Outfile, deliver.Dependencies(o, traces[i], t.Outfile, deliver.SettingsInputs(o)))
	}
	return rules.Write(o, path)
}
