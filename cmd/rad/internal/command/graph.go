package command

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/planning"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/bicep/appgraph"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// graphOptions are the flags of graph that are not settings.
type graphOptions struct {
	parameters []string
	only       []string
}

func newGraph(a *app) *cobra.Command {
	var o graphOptions
	c := &cobra.Command{
		Use:   "graph app.bicep | template.json | app.bicepparam",
		Short: "Print the application graph of a template",
		Long: `Print the application graph of a template: its resources, the connections that they
declare, and what has to be deployed before what. Modules, loops and conditions are
expanded, and names are evaluated. Values that are secure, or kept under a name such as
password, are null.

--format json, the default, prints an answer that holds the graph in the shape of Radius' own
under "result"; text, the default on a terminal, draws it in lines, svg for a browser, mermaid
and dot for other programs.

A parameter without a value is unknown, which is not an error. A module or another file that
cannot be read is a warning; what depends on it is unknown, and the graph of the rest is
printed.`,
		Example: `  rad bicep graph app.bicep
  rad bicep graph app.bicep --format mermaid`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Fail(cli.ExitUsage, "name one .bicep, .bicepparam or .json file%s", cli.SuchAs())
			}
			return nil
		},
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam", "json"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.graph(c, args, &o)
		},
	}
	addParameters(a, c, &o.parameters)
	addOnly(a, c, &o.only)
	settings.AddFlags(a.App, c, settings.Place)
	forms := []string{"json", "text", "mermaid", "dot", "svg"}
	if cli.IsTerminal(a.Stdout) { // somebody looks at it
		forms[0], forms[1] = forms[1], forms[0]
	}
	a.TakesFormat(c, forms...)
	return c
}

func (a *app) graph(c *cobra.Command, args []string, o *graphOptions) (err error) {
	g, err := a.newGenerator(c, settings.Place, args, &generateOptions{Flags: project.Flags{Parameters: o.parameters, Only: o.only}})
	if err != nil {
		return err
	}
	g.Symbolic, g.Partial = true, true
	defer func() { err = g.Found.End(err) }()
	tasks, err := g.ArgumentTargets(args)
	if err != nil {
		return err
	}
	if len(tasks) != 1 {
		return cli.Fail(cli.ExitUsage, "%s: name one file%s", args[0], project.OrOnly(tasks))
	}
	if err := g.CheckOptions(tasks); err != nil {
		return err
	}
	x, err := g.ExpandContext(c.Context(), tasks[0])
	if err != nil {
		return err
	}
	scope := x.RadiusGroup
	r := &deliver.Outcome{Target: tasks[0]}
	result := planning.Expand(c.Context(), g.Work, r, x, planning.Options{})
	if result != nil && result.Crowded {
		r.Notices = append(r.Notices, fmt.Sprintf("%s: there are too many dependencies between its resources, so the graph does not have all of them", g.Shown(tasks[0].Input)))
	}
	r.Findings = slices.DeleteFunc(g.Project.Judge(r.Findings), func(f report.Finding) bool { return f.Severity != report.Error })
	r.Findings = append(r.Findings, r.Missing...)
	if err := g.Report([]*deliver.Outcome{r}); err != nil {
		return err
	}
	graph := appgraph.New(result, scope)
	var text string
	switch a.Form {
	case "text":
		text = graph.Text()
	case "mermaid":
		text = graph.Mermaid()
	case "dot":
		text = graph.Dot()
	case "svg":
		text = graph.SVG()
	default:
		a.Result = cli.RawJSON(graph.JSON())
		return nil
	}
	_, err = fmt.Fprint(a.Stdout, text)
	return cli.FailWith(cli.ExitIO, err)
}
