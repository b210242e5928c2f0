package command

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/planning"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/bicep/appgraph"
)

// graphOptions are the flags of graph that are not settings.
type graphOptions struct {
	parameters []string
	only       []string
	objects    bool // draw also what the resources become
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
and dot for other programs. With --objects and --target kubernetes, what the recipe of each
resource of Radius makes is drawn as well.

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
	addRecipes(c)
	addOnly(a, c, &o.only)
	c.Flags().BoolVar(&o.objects, "objects", false, "draw also what the recipes of resources make (--target kubernetes)")
	settings.AddFlags(a.App, c, settings.Graph)
	forms := []string{"json", "text", "mermaid", "dot", "svg"}
	if cli.IsTerminal(a.Stdout) { // somebody looks at it
		forms[0], forms[1] = forms[1], forms[0]
	}
	a.TakesFormat(c, forms...)
	return c
}

func (a *app) graph(c *cobra.Command, args []string, o *graphOptions) (err error) {
	d, s, err := a.begin(c, settings.Graph, args, o.parameters)
	if err != nil {
		return err
	}
	s.Only = o.only
	defer func() { err = d.Reporter.End(err) }()
	side := d.Disk()
	t, err := one(side, s, "file")
	if err != nil {
		return err
	}
	if err := cmp.Or(targets.Check([]*targets.Target{t}, false),
		targets.CheckFlags(c.Flags(), settings.OnlyObjects(), []*targets.Target{t})); err != nil {
		return err
	}
	options := planning.Options{Lenient: true}
	if o.objects {
		options.Plain = &run.Shared{}
		if !t.Kind().OfAnyKind() {
			return cli.Fail(cli.ExitUsage, "--objects needs --target %s", settings.KubernetesTarget)
		}
	}
	r := &run.Outcome{Target: t}
	result := planning.Expand(c.Context(), d.Reporter, side, r, options)
	if result != nil && result.Crowded {
		r.Notices = append(r.Notices,
			fmt.Sprintf("%s: there are too many dependencies between its resources, so the graph does not have all of them",
				d.Shown(t.Input)))
	}
	if err := d.Report([]*run.Outcome{r}); err != nil {
		return err
	}
	graph := appgraph.New(result, r.Context.RadiusGroup)
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
