package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/report"
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
	now, hider, err := o.take(c, options, reporter, input)
	if e := reporter.Finish(); e != nil && err == nil {
		err = e
	}
	if err != nil {
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

// notedEnvironment notes the values of the variables that are read.
type notedEnvironment struct {
	bicep.Environment
	mu     sync.Mutex
	values []string
}

func (e *notedEnvironment) Lookup(name string) (string, bool) {
	v, ok := e.Environment.Lookup(name)
	if ok {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.values = append(e.values, v)
	}
	return v, ok
}

// take compiles and expands a parameter file. For messages and differences it returns what
// hides values of secure parameters and of the environment in them.
func (o *snapshotOptions) take(c *cobra.Command, options *project.Project, reporter *cli.Reporter, input string) (*snapshot.Snapshot, *snapshot.Hider, error) {
	request := options.Request(input)
	env := &notedEnvironment{Environment: request.Env}
	request.Env = env
	result, err := options.Compiler.BuildParams(c.Context(), request)
	if err != nil {
		return nil, nil, err
	}
	for _, n := range result.Notices {
		reporter.Notice(n)
	}
	findings := options.Judge(result.Findings)
	if err := reporter.Add(findings); err != nil {
		return nil, nil, err
	}
	if report.AnyError(findings) {
		return nil, nil, cli.Silent(cli.ExitSource)
	}
	if result.Template == nil {
		return nil, nil, cli.Fail(cli.ExitSource, "%s: it uses no template that can be expanded", input)
	}
	template, err := result.TemplateTree()
	if err != nil {
		return nil, nil, cli.Fail(cli.ExitSource, "%s: its template is not a JSON object", input)
	}
	var x expand.Context
	for key, to := range project.ContextFields(&x) {
		*to = options.Text(key)
	}
	if err := project.CheckContext(x, template, project.ChangedFlag(c.Flags())); err != nil {
		return nil, nil, cli.FailWith(cli.ExitUsage, err)
	}
	if s := x.SubscriptionID; s != "" && !guid(s) {
		return nil, nil, cli.Fail(cli.ExitUsage, "--subscription-id %q: the ID of a subscription is a GUID, such as 00000000-0000-0000-0000-000000000000", s)
	}
	expand := func(forWriting bool) (*snapshot.Snapshot, error) {
		parameters := map[string]expand.Parameter{}
		for _, one := range result.Assigned {
			p := expand.Parameter{Value: one.Value, Expression: one.Expression, Mark: one.Mark}
			if one.Reference != nil {
				p.Reference = one.Reference
			}
			parameters[one.Name] = p
		}
		expansion, err := expand.Expand(template, expand.Options{Parameters: parameters, Context: x, Official: true, ForWriting: forWriting, Run: expand.RunOf(c.Context())})
		if err != nil {
			return nil, err
		}
		return snapshot.New(expansion), nil
	}
	// Messages are those of the expansion in which the environment is secret, too.
	const incomplete = "Template snapshotting could not be completed for the following reason: '%s'."
	marked, err := expand(false)
	if err != nil {
		return nil, nil, cli.Fail(cli.ExitSource, incomplete, officialReason(err))
	}
	now := marked
	if slices.ContainsFunc(result.Assigned, func(a bicep.Assigned) bool { return !a.Mark.Shown() && a.Mark.Written() }) {
		if now, err = expand(true); err != nil {
			return nil, nil, cli.Fail(cli.ExitSource, incomplete, "a value of the environment does not fit")
		}
	}
	values := env.values
	for _, one := range result.Assigned {
		if s, ok := one.Value.(armjson.String); ok && !one.Mark.Written() {
			values = append(values, string(s))
		}
	}
	return now, snapshot.NewHider(now, marked, values), nil
}

func guid(s string) bool {
	ok, err := regexp.MatchString(`^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$`, s)
	return ok && err == nil
}

// officialReason words an error of an expansion as the deployment engine does.
func officialReason(err error) string {
	var e *expand.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	kind := e.Kind
	if kind == "module" {
		kind = "resource"
	}
	return fmt.Sprintf("The template %s '%s' is not valid: %s.", kind, e.Name, strings.TrimSuffix(expand.Reason(e.Err), "."))
}
