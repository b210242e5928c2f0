package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/planning"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/schema"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/plan"
)

// planOptions are the flags of plan that are not settings.
type planOptions struct {
	parameters []string
	only       []string
	base       string
	against    string
	exitCode   bool
	details    bool
	style      plan.Details
	all        bool // plan also what is not deployed since its condition is false
}

func newPlan(a *app) *cobra.Command {
	var o planOptions
	c := &cobra.Command{
		Use:   "plan [app.bicep | template.json | app.bicepparam | folder | 'glob']...",
		Short: "Show what a template would deploy, or what a change of it would change",
		Long: `Show the resources that a template would deploy, with their properties, and what cannot be
known before the deployment. Values are written as in Bicep.

--base REV compares with the last common commit of REV and HEAD, so that what came to REV
since then does not count. --base A...B compares B with the last common commit of A and B,
and --base A..B two revisions as they are. Nothing is checked out. A template that only one
side has is new, or deleted. --against compares with DeploymentTemplate manifests: a file,
a folder, or - for standard input, such as what kubectl get -o yaml prints.

Each resource is created, updated, deleted, replaced, renamed, unchanged, or unknown, where that
depends on what only the deployment can know. What gets another name is replaced in what a
controller deploys: the targets that .rad/bicep.yaml lists, what is compared with a manifest or
planned with --target, and programs with resources of Radius. --fail-on-delete exits 1 if
something is, or may be, deleted or replaced. What a condition leaves out that is false is not planned
without --all-conditions; where a change is about nothing else, the plan says so. A module that
cannot be fetched is one line. With --target kubernetes, or where a target says so, the plan shows
below each resource of Radius the objects that its recipe makes, whatever changes them: the
application, a recipe, a pack, a type, a setting or the release of Radius. Formatting, comments, the
order of declarations, names of symbols, loops and modules make no difference. Secure values are
compared, not shown.

Arguments and --parameters are those of generate-kubernetes-manifest. A parameter without
a value is unknown. Without arguments, the targets that .rad/bicep.yaml lists are shown.

Exit status: 0 done, 1 changes (--exit-code) or deletions (--fail-on-delete), 2 errors in the
source or the parameters, 3 wrong usage or settings, 4 files or git.`,
		Example: `  rad bicep plan app.bicep -p @app.bicepparam
  rad bicep plan app.bicep --base origin/main --format markdown
  kubectl get deploymenttemplates -A -o yaml | rad bicep plan app.bicep --against -`,
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam", "json"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.plan(c, args, &o)
		},
	}
	f := c.Flags()
	addParameters(a, c, &o.parameters)
	addRecipes(c)
	addOnly(a, c, &o.only)
	f.StringVar(&o.base, "base", "", "compare with the git revision `REV`, or two as A..B or A...B")
	completeBase(a, c)
	f.StringVar(&o.against, "against", "", "compare with the manifests in a `FILE` or folder, - for standard input")
	f.BoolVar(&o.details, "details", false,
		"list all properties of resources that are created, or none with --details=false (default: those of up to 20)")
	f.BoolVar(&o.all, "all-conditions", false, "plan also what is not deployed since its condition is false")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit 1 if something would change")
	settings.AddFlags(a.App, c, settings.Plan)
	a.TakesFormat(c, "text", "json", "markdown")
	return c
}

func (o *planOptions) validate(c *cobra.Command) error {
	changed := c.Flags().Changed
	switch {
	case o.details:
		o.style = plan.AllDetails
	case changed("details"):
		o.style = plan.NoDetails
	}
	switch {
	case o.base != "" && o.against != "":
		return cli.Fail(cli.ExitUsage, "--base and --against cannot be used together")
	case changed("base") && o.base == "":
		return cli.Fail(cli.ExitUsage, "--base: the revision is missing")
	case changed("against") && o.against == "":
		return cli.Fail(cli.ExitUsage, "--against: the name of a file or folder is missing")
	case o.exitCode && o.base == "" && o.against == "":
		return cli.Fail(cli.ExitUsage, "--exit-code needs something to compare with: --base or --against")
	case changed("fail-on-delete") && o.base == "" && o.against == "":
		return cli.Fail(cli.ExitUsage, "--fail-on-delete needs something to compare with: --base or --against")
	case o.all && o.against != "":
		return cli.Fail(cli.ExitUsage,
			"--all-conditions and --against cannot be used together: a manifest holds what its own conditions leave out")
	}
	return nil
}

func (a *app) plan(c *cobra.Command, args []string, o *planOptions) (err error) {
	if err := o.validate(c); err != nil {
		return err
	}
	d, s, err := a.begin(c, settings.Plan, args, o.parameters)
	if err != nil {
		return err
	}
	s.Only = o.only
	defer func() { err = d.Reporter.End(err) }()
	if d.External && o.base != "" {
		return cli.Fail(cli.ExitUsage, "--base needs the embedded compiler: another one reads files from the disk only")
	}
	base, err := d.OpenBase(c.Context(), o.base, d.Reporter.Notice)
	if err != nil {
		return err
	}
	defer base.Close()
	p := &planning.Planner{Delivery: d, Base: base, Against: o.against, AllConditions: o.all}
	sections, err := p.Sections(c.Context(), s)
	if err != nil {
		return err
	}
	if err := a.printPlans(sections, d.Project, plan.Style{File: d.Shown, Base: base.Short, Details: o.style}); err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if d.FailOnDelete {
		if list := deletions(sections); list != "" {
			return cli.Fail(cli.ExitStale, "%s: %s", d.Where(settings.KeyFailOnDelete), list)
		}
	}
	if o.exitCode {
		for _, s := range sections {
			if !s.Plan.Empty() {
				return cli.Silent(cli.ExitStale)
			}
		}
	}
	return nil
}

// deletions names what plans delete, or may delete; "" if that is nothing.
func deletions(sections []plan.Section) string {
	const few = 20
	var parts []string
	for _, d := range []struct {
		of   plan.Deletion
		text string
	}{{plan.IsGone, "deleted: "}, {plan.MayBeGone, "may be deleted: "}} {
		var list []string
		for _, s := range sections {
			list = append(list, s.Plan.Deletions(d.of)...)
		}
		if n := len(list) - few; n > 0 {
			list = append(list[:few], fmt.Sprintf("and %d more", n))
		}
		if len(list) > 0 {
			parts = append(parts, d.text+strings.Join(list, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// printPlans writes plans to standard output.
func (a *app) printPlans(sections []plan.Section, o *project.Project, style plan.Style) error {
	for _, s := range sections {
		s.Plan.Remedy = cli.UnknownRemedy
	}
	switch a.Form {
	case "json":
		a.Result = cli.RawJSON(planJSON(sections, style.File))
		return nil
	case "markdown":
		_, err := fmt.Fprint(a.Stdout, plan.Markdown(sections, style, plan.MaxMarkdown))
		return err
	}
	style.Color = cli.Colors(o.Color, a.Stdout)
	return plan.WriteText(a.Stdout, sections, style)
}

// planJSON returns the plans as --format json prints them.
func planJSON(sections []plan.Section, display func(string) string) *armjson.Object {
	list := armjson.Array{}
	for _, s := range sections {
		o := armjson.NewObject(armjson.Member{Key: "title", Value: armjson.String(s.Title)})
		for k, v := range s.Plan.JSON(display).All() {
			o.Set(k, v)
		}
		list = append(list, o)
	}
	return armjson.NewObject(armjson.Member{Key: "version", Value: armjson.Int(schema.PlanVersion)},
		armjson.Member{Key: "plans", Value: list})
}
