package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/bundles"
	"github.com/radbicep/rad/cmd/rad/internal/changed"
	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/migrating"
	"github.com/radbicep/rad/cmd/rad/internal/schema"
)

// The schemas of what programs read and write: the answers of the commands, the settings
// file and the lock file. Those of answers are made of the types that are printed, and that
// of the settings of their table, so they are always up to date.

// Schemas returns all schemas, in the order in which they are listed.
func Schemas() []schema.Named {
	list := []schema.Named{
		{Name: "settings", Title: "Settings of rad bicep: .rad/bicep.yaml", Make: schema.Settings},
		{Name: "lock", Title: "bicep.lock.json", Make: schema.Lock},
		{Name: "answer", Title: "What a command with --format json prints",
			Make: func() schema.Schema { return schema.Answer("", schema.Schema{}) }},
	}
	for _, r := range commandResults {
		list = append(list, schema.Named{
			Name: strings.ReplaceAll(r.command, " ", "-"), Title: "What rad bicep " + r.command + " --format json prints",
			Make: func() schema.Schema { return schema.Answer(r.command, r.schema()) },
		})
	}
	return list
}

// commandResults are the results of the commands that take --format json. A test compares
// the list with the commands.
var commandResults = []struct {
	command string
	schema  func() schema.Schema
}{
	{"generate-kubernetes-manifest", schema.Of[deliver.GenerateResult]},
	{"plan", schema.Plan},
	{"graph", schema.Graph},
	{"affected", schema.Of[changed.Result]},
	{"bundle", schema.Of[bundleResult]},
	{"inspect", schema.Of[bundles.Inspection]},
	{"verify", schema.Of[bundles.Verification]},
	{"migrate", schema.Of[migrating.Result]},
	{"outdated", schema.Of[outdatedResult]},
	{"cache list", schema.Of[cacheContent]},
	{"cache path", schema.Of[cachePath]},
	{"cache clean", schema.Of[cacheContent]},
	{"types import az", schema.Of[azureTypes]},
	{"types import radius", schema.Of[radiusImport]},
	{"explain", schema.Of[explainResult]},
	{"init", schema.Of[initResult]},
	{"link", schema.Of[linked]},
	{"schema", schema.Of[schemaResult]},
	{"version", schema.Of[bicepVersionResult]},
	{"rad version", schema.Of[versionResult]},
}

func newSchema(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON schema of a result, of the settings file or of the lock file",
		Long: `Print a JSON schema: of what a command prints with --format json, of .rad/bicep.yaml
(settings), or of bicep.lock.json (lock). Without a name, the names are listed.`,
		Example: `  rad bicep schema
  rad bicep schema plan
  rad bicep schema settings > settings.json`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return cli.Fail(cli.ExitUsage, "%s and %s: one schema at a time", args[0], args[1])
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return schemaNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.schema(args) },
	}
	a.TakesFormat(c, "text", "json")
	return c
}

// schemaResult is the result of schema.
type schemaResult struct {
	Names  []string      `json:"names,omitempty" doc:"without a name: those of the schemas"`
	Schema schema.Schema `json:"schema,omitempty" doc:"the schema that was named"`
}

func schemaNames() []string {
	var names []string
	for _, s := range Schemas() {
		names = append(names, s.Name)
	}
	return names
}

func (a *app) schema(args []string) error {
	all := Schemas()
	if len(args) == 0 {
		if a.WantsJSON() {
			a.Result = schemaResult{Names: schemaNames()}
			return nil
		}
		for _, s := range all {
			if _, err := fmt.Fprintf(a.Stdout, "%-30s %s\n", cli.ShowControls(s.Name), cli.ShowControls(s.Title)); err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
		}
		return nil
	}
	i := slices.IndexFunc(all, func(s schema.Named) bool { return s.Name == args[0] })
	if i < 0 {
		return cli.Fail(cli.ExitUsage, "there is no schema %q%s; 'rad bicep schema' lists them",
			args[0], cli.DidYouMean(args[0], schemaNames()))
	}
	if a.WantsJSON() {
		a.Result = schemaResult{Schema: all[i].Document()}
		return nil
	}
	text, err := all[i].Text()
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	return cli.Page(a.Stdout, string(text))
}
