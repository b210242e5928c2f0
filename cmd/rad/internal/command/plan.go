package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/schema"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
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
	all        bool // what conditions leave out is planned, too
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

Each resource is created, updated, deleted, renamed, unchanged, or unknown, where that depends
on what only the deployment can know. What a condition leaves out that is false is not planned
without --all-conditions; where a change is about nothing else, the plan says so. A module that
cannot be fetched is one line. Formatting, comments, the order of declarations, names
of symbols, loops and modules make no difference. Secure values are compared, not shown.

Arguments and --parameters are those of generate-kubernetes-manifest. A parameter without
a value is unknown. Without arguments, the targets that .rad/bicep.yaml lists are shown.

Exit status: 0 done, 1 changes (--exit-code), 2 errors in the source or the parameters,
3 wrong usage or settings, 4 files or git.`,
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
	addOnly(c, &o.only)
	f.StringVar(&o.base, "base", "", "compare with the git revision `REV`, or two as A..B or A...B")
	completeBase(a, c)
	f.StringVar(&o.against, "against", "", "compare with the manifests in a `FILE` or folder, - for standard input")
	f.BoolVar(&o.details, "details", false, "list all properties of resources that are created, or none with --details=false (default: those of up to 20)")
	f.BoolVar(&o.all, "all-conditions", false, "plan also what is not deployed since its condition is false")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit 1 if something would change")
	settings.AddFlags(a.App, c, settings.Place)
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
	case o.all && o.against != "":
		return cli.Fail(cli.ExitUsage, "--all-conditions and --against cannot be used together: a manifest holds what its own conditions leave out")
	}
	return nil
}

// planner makes plans.
type planner struct {
	*generator
	plan      *planOptions
	base      *generator        // reads what is compared with; nil without --base
	baseText  string            // what titles call it
	baseShort string            // what lines of a plan call it
	was       []*project.Target // what base makes
	deployed  []manifest.Deployed
}

func (a *app) plan(c *cobra.Command, args []string, o *planOptions) (err error) {
	if err := o.validate(c); err != nil {
		return err
	}
	g, err := a.newGenerator(c, settings.Place, args, &generateOptions{Flags: project.Flags{Parameters: o.parameters, Only: o.only}})
	if err != nil {
		return err
	}
	g.Symbolic, g.Unfetched, g.mayUseNone, g.allConditions = true, o.against == "", true, o.all
	defer func() { err = g.Found.End(err) }()
	p := &planner{generator: g, plan: o}
	closeBase, err := p.openBase(c.Context())
	if err != nil {
		return err
	}
	defer closeBase()
	tasks, err := p.targets(args)
	if err == nil {
		err = p.CheckOptions(tasks)
	}
	if err != nil {
		return err
	}
	if err := p.readAgainst(); err != nil {
		return err
	}
	sections, err := p.sections(c.Context(), tasks)
	if err != nil {
		return err
	}
	if err := p.print(sections); err != nil {
		return cli.FailWith(cli.ExitIO, err)
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

// openBase opens the revisions of --base.
func (p *planner) openBase(ctx context.Context) (closeBase func(), err error) {
	if p.plan.base == "" {
		return func() {}, nil
	}
	if p.Project.External {
		return nil, cli.Fail(cli.ExitUsage, "--base needs the embedded compiler: another one reads files from the disk only")
	}
	b, notice, err := p.OpenBase(ctx, p.plan.base)
	if err != nil {
		return nil, err
	}
	if notice != "" {
		p.Found.Notice(notice)
	}
	p.baseText, p.baseShort, p.base = b.Text, b.Short, p.generator.at(b.Before)
	sides := []*generator{p.base}
	if b.After != nil {
		p.generator.Tree = b.After
		sides = append(sides, p.generator)
	}
	for _, side := range sides {
		if notice, err = side.SettleAt(); err != nil {
			b.Close()
			return nil, err
		}
		if notice != "" {
			p.Found.Notice(notice)
		}
	}
	return b.Close, nil
}

// targets returns what there is to plan, and notes what the base makes. With --base, an argument, or a
// word of --only, may name what only one of the two sides has.
func (p *planner) targets(args []string) ([]*project.Target, error) {
	if p.base == nil {
		return p.generator.TargetsAt(args)
	}
	p.generator.Compared, p.base.Compared = true, true
	tasks, err := p.bothTargets(args)
	if err == nil {
		err = project.CheckOnly(p.generator.Work, p.base.Work)
	}
	return tasks, err
}

func (p *planner) bothTargets(args []string) ([]*project.Target, error) {
	if len(args) == 0 {
		tasks, err := p.generator.TargetsAt(args)
		if err == nil {
			p.was, err = p.base.TargetsAt(args)
		}
		return tasks, err
	}
	var now, then []string
	for _, arg := range args {
		_, err := p.generator.ArgumentTargets([]string{arg})
		_, wasErr := p.base.ArgumentTargets([]string{arg})
		if err != nil && (!project.NamesNothing(err) || wasErr != nil) {
			return nil, err
		}
		if wasErr != nil && !project.NamesNothing(wasErr) {
			return nil, wasErr
		}
		if err == nil {
			now = append(now, arg)
		}
		if wasErr == nil {
			then = append(then, arg)
		}
	}
	tasks, err := p.generator.ArgumentTargets(now)
	if err == nil {
		p.was, err = p.base.ArgumentTargets(then)
	}
	return tasks, err
}

// readAgainst reads the manifests of --against.
func (p *planner) readAgainst() error {
	name := p.plan.against
	if name == "" {
		return nil
	}
	none := false // a list says that there are none, if it names none
	read := func(path string, content []byte, err error) error {
		if err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
		list, isList, err := manifest.ReadList(content)
		if err != nil {
			return cli.Fail(cli.ExitSource, "--against %s: %w", path, err)
		}
		none = none || isList
		p.deployed = append(p.deployed, list...)
		return nil
	}
	var err error
	if name == "-" {
		content, e := p.Work.Stdin()
		if e != nil {
			e = cli.Fail(cli.ExitIO, "standard input: %w", e)
		}
		err = read(name, content, e)
	} else if info, e := p.Project.Bounds.Stat(name); errors.Is(e, fs.ErrNotExist) {
		err = cli.Missing("--against %s: there is no such file and no such folder", name)
	} else if e != nil {
		err = cli.FailWith(cli.ExitIO, e)
	} else if info.IsDir() {
		err = filepath.WalkDir(name, func(path string, d fs.DirEntry, e error) error {
			switch ext := strings.ToLower(filepath.Ext(path)); {
			case e != nil:
				return cli.FailWith(cli.ExitIO, e)
			case d.IsDir() && d.Name() == ".git":
				return filepath.SkipDir
			case !d.Type().IsRegular() || ext != ".yaml" && ext != ".yml" && ext != ".json":
				return nil
			}
			content, e := p.Project.Bounds.ReadFileText(path)
			if e == nil && !strings.Contains(string(content), manifest.Kind) {
				return nil
			}
			return read(path, content, e)
		})
	} else {
		content, e := p.Project.Bounds.ReadFileText(name)
		err = read(name, content, e)
	}
	if err == nil && len(p.deployed) == 0 && !none {
		return cli.Fail(cli.ExitSource, "--against %s: it holds no %s", name, manifest.Kind)
	}
	return err
}

// sections makes the plans of all tasks. What is wrong with them is reported.
func (p *planner) sections(ctx context.Context, tasks []*project.Target) ([]plan.Section, error) {
	var sections []plan.Section
	var outcomes []*deliver.Outcome
	for _, t := range tasks {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := &deliver.Outcome{Target: t}
		outcomes = append(outcomes, r)
		o := project.Counterpart(t, &p.was)
		context, err := p.ExpandContext(t)
		if err != nil {
			r.Fail(err)
			continue
		}
		after := p.generator.predict(ctx, r, context)
		title := titleOf(t)
		switch {
		case r.Failed():
		case p.base != nil:
			title += ", against " + p.baseText
			var before *expand.Result
			was := &deliver.Outcome{Target: o}
			if o == nil && t.Listed == "" {
				r.Notices = append(r.Notices, fmt.Sprintf("%s is not in %s, so everything is new", t.Arg, p.base.Tree.Revision))
			}
			if o != nil {
				before = p.base.predictBase(ctx, was)
				r.Missing = addMissing(r.Missing, was.Missing)
				r.Findings, r.Err = append(r.Findings, was.Findings...), errors.Join(r.Err, was.Err)
				r.Notices = append(r.Notices, was.Notices...)
			}
			if !r.Failed() {
				made := plan.Compare(before, after)
				if made.Empty() && r.Program != nil && was.Program != nil && (before.LeftOut || after.LeftOut) {
					made.Hides(plan.Compare(was.Program.ExpandAll(was.Context), r.Program.ExpandAll(context)))
				}
				sections = append(sections, plan.Section{Title: title, Plan: made})
			}
		case p.plan.against != "":
			title += ", against " + p.plan.against
			d, err := p.match(t, len(tasks))
			if err != nil {
				r.Fail(err)
				break
			}
			if d != nil {
				given := context
				generate.FillContext(&context, d)
				if context != given { // as the manifest is deployed
					after = r.Program.Expand(context)
				}
			}
			before, err := generate.ExpandDeployed(d, context, r.Program.Hides, expand.RunOf(ctx))
			if err != nil {
				r.Fail(cli.Fail(cli.ExitSource, "--against %s: %w", p.plan.against, err))
				break
			}
			sections = append(sections, plan.Section{Title: title, Plan: plan.Compare(before, after)})
		default:
			sections = append(sections, plan.Section{Title: title, Plan: plan.List(after)})
		}
	}
	for _, o := range p.was { // what is not made any more
		r := &deliver.Outcome{Target: o}
		outcomes = append(outcomes, r)
		if before := p.base.predictBase(ctx, r); !r.Failed() {
			if o.Listed == "" {
				r.Notices = append(r.Notices, o.Arg+" is not there any more, so everything is deleted")
			}
			sections = append(sections, plan.Section{Title: titleOf(o) + ", against " + p.baseText, Plan: plan.Compare(before, nil)})
		}
	}
	for _, r := range outcomes {
		// A plan is about what changes; what could be better is for lint to say.
		r.Findings = slices.DeleteFunc(p.Project.Judge(r.Findings), func(f report.Finding) bool { return f.Severity != report.Error })
		r.Findings = append(r.Findings, r.Missing...)
	}
	return sections, p.Report(outcomes)
}

// addMissing adds what could not be read in a revision, unless it is the same on the other side.
func addMissing(list, was []report.Finding) []report.Finding {
	for _, f := range was {
		if !slices.ContainsFunc(list, func(o report.Finding) bool { return o.Path == f.Path && o.Message == f.Message }) {
			list = append(list, f)
		}
	}
	return list
}

// titleOf returns what a plan of a target is called.
func titleOf(t *project.Target) string {
	if t.Name != "" {
		return t.Name + " (" + t.Arg + ")"
	}
	return t.Arg
}

// predict loads the program of a task and expands it.
func (g *generator) predict(ctx context.Context, r *deliver.Outcome, x expand.Context) *expand.Result {
	p := g.Load(ctx, r.Target, func(s *generate.Source) {
		s.Secure, s.Missing, s.AsCompiled, s.NoTemplate = params.SecureAllow, generate.MissingAny, true, g.mayUseNone
	})
	defer func() { r.Settle(p) }()
	if r.Err != nil || p.Failed() != nil {
		return nil
	}
	r.Program, r.Context = p, x
	if g.allConditions {
		return p.ExpandAll(x)
	}
	return p.Expand(x)
}

// predictBase is predict for what is compared with. Nil is a template or a
// parameter file that the revision does not have: then all is new.
func (g *generator) predictBase(ctx context.Context, r *deliver.Outcome) *expand.Result {
	x, err := g.ExpandContext(r.Target)
	if err != nil {
		r.Fail(err)
		return nil
	}
	files := []string{r.Target.Input}
	for _, a := range r.Target.Args {
		if path := a.Source().Path; path != "" {
			files = append(files, path)
		}
	}
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil || !g.Tree.Contains(abs) {
			continue
		}
		if _, err := g.Tree.Stat(abs); errors.Is(err, fs.ErrNotExist) {
			r.Notices = append(r.Notices, fmt.Sprintf("%s is not in %s, so everything is new", g.Shown(abs), g.Tree.Revision))
			return nil
		}
	}
	result := g.predict(ctx, r, x)
	r.Notices = nil
	for i := range r.Findings {
		if r.Findings[i].Severity == report.Error {
			r.Findings[i].Message += " (in revision " + g.Tree.Revision + ")"
		}
	}
	return result
}

// match finds the manifest of a task: by its name, or the only one.
func (p *planner) match(t *project.Target, tasks int) (*manifest.Deployed, error) {
	name := t.Name
	if name == "" {
		name = filepath.Base(t.Input)
		if strings.EqualFold(filepath.Ext(name), ".bicepparam") {
			if using, err := p.Using(t.Input); err == nil && using != "" {
				name = filepath.Base(using)
			}
		}
	}
	var found []*manifest.Deployed
	for i := range p.deployed {
		if d := &p.deployed[i]; d.Name == name && (t.Namespace == "" || d.Namespace == "" || d.Namespace == t.Namespace) {
			found = append(found, d)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, cli.Fail(cli.ExitSource, "--against %s: %d manifests are named %s; give one of them", p.plan.against, len(found), name)
	case len(p.deployed) == 1 && tasks == 1:
		return &p.deployed[0], nil
	}
	p.Found.Notice(fmt.Sprintf("%s: no manifest is named %s, so everything is new", t.Arg, name))
	return nil, nil
}

// print writes the plans to standard output.
func (p *planner) print(sections []plan.Section) error {
	for _, s := range sections {
		s.Plan.Remedy = cli.UnknownRemedy
	}
	style := plan.Style{File: p.Shown, Base: p.baseShort, Details: p.plan.style}
	switch p.Form {
	case "json":
		p.Result = cli.RawJSON(planJSON(sections, p.Shown))
		return nil
	case "markdown":
		_, err := fmt.Fprint(p.Stdout, plan.Markdown(sections, style, plan.MaxMarkdown))
		return err
	}
	style.Color = cli.Colors(p.Project.Color, p.Stdout)
	return plan.WriteText(p.Stdout, sections, style)
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
	return armjson.NewObject(armjson.Member{Key: "version", Value: armjson.Int(schema.PlanVersion)}, armjson.Member{Key: "plans", Value: list})
}
