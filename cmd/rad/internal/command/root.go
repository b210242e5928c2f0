package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

func init() {
	cobra.EnableCommandSorting = false // help has an order of its own
}

// newRoot returns the command tree. A command line that names a command gets that branch
// alone: a compile takes a few milliseconds, and putting together commands that are not
// run would show.
func newRoot(a *app, args []string) *cobra.Command {
	root := newCommands(a, args)
	a.addTimeLimit(root)
	return root
}

func newCommands(a *app, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "rad",
		Short: "Compile Bicep and write Radius manifests",
		Long: `rad compiles Bicep templates and writes the manifests that Radius deploys on
Kubernetes. It needs no other program, no configuration and no network.

Radius has a command line of the same name. Commands that only that one has, such as
rad deploy, are handed to it: to the next rad on the PATH, or to the one in ~/.rad/bin.`,
		Example: `  rad bicep generate-kubernetes-manifest app.bicep --parameters @app.bicepparam
  rad bicep build app.bicep --stdout`,
		Args:          cli.IsSubcommand,
		RunE:          cli.Help,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(cli.FlagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		if a.ShowHelp(c); !c.HasParent() {
			fmt.Fprintf(c.OutOrStdout(), "\n%s\n", cli.WhichIsWhich())
		}
	})
	if len(args) > 1 && args[0] == "bicep" {
		for _, c := range bicepCommands {
			if c.name == args[1] {
				root.CompletionOptions.DisableDefaultCmd = true
				group := newBicepGroup(a)
				group.AddCommand(c.build(a))
				root.AddCommand(group)
				return root
			}
		}
	}
	if len(args) > 0 && args[0] == "version" {
		root.CompletionOptions.DisableDefaultCmd = true
		root.AddCommand(newVersion(a))
		return root
	}
	root.Version = cli.Version() // which takes longer to find out than all the flags
	root.SetHelpCommand(newHelp(root))
	root.SetVersionTemplate("rad {{.Version}}\n")
	group := newBicepGroup(a)
	for _, c := range bicepCommands {
		if !group.ContainsGroup(c.group) {
			group.AddGroup(&cobra.Group{ID: c.group, Title: c.group})
		}
		sub := c.build(a)
		sub.GroupID = c.group
		group.AddCommand(sub)
	}
	addAbsent(group)
	root.AddCommand(group, newVersion(a))
	if len(args) > 0 && args[0] == "completion" {
		addCompletion(root)
	}
	return root
}

// addCompletion adds cobra's command, which would take the name of any shell.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args, c.RunE = cli.IsSubcommand, cli.Help
		}
	}
}

// bicepCommand is a command under `rad bicep`.
type bicepCommand struct {
	group, name string
	make        func(*app) *cobra.Command
}

// build returns the command for a command line.
func (b *bicepCommand) build(a *app) *cobra.Command {
	c := b.make(a)
	if !a.Completing { // completion parses a line more than once
		cli.HoldFlags(c)
	}
	return c
}

// bicepCommands are in the order of help: by what users do.
var bicepCommands = []bicepCommand{
	{"Write manifests", "generate-kubernetes-manifest", newGenerate},
	{"Write manifests", "init", newInit},
	{"Write manifests", "bundle", newBundle},
	{"Check a change", "plan", newPlan},
	{"Check a change", "affected", newAffected},
	{"Check a change", "lint", newLint},
	{"Check a change", "verify", newVerify},
	{"Check a change", "migrate", newMigrate},
	{"Understand", "explain", newExplain},
	{"Understand", "graph", newGraph},
	{"Understand", "inspect", newInspect},
	{"Understand", "schema", newSchema},
	{"Understand", "version", newBicepVersion},
	{"In place of the official compiler", "build", newBuild},
	{"In place of the official compiler", "build-params", newBuildParams},
	{"In place of the official compiler", "format", newFormat},
	{"In place of the official compiler", "generate-params", newGenerateParams},
	{"In place of the official compiler", "snapshot", newSnapshot},
	{"In place of the official compiler", "jsonrpc", newJSONRPC},
	{"Modules, extensions and types", "restore", newRestore},
	{"Modules, extensions and types", "outdated", newOutdated},
	{"Modules, extensions and types", "publish", newPublish},
	{"Modules, extensions and types", "publish-extension", newPublishExtension},
	{"Modules, extensions and types", "types", newTypes},
	{"Modules, extensions and types", "cache", newCache},
	{"With other programs", "fn", newFn},
	{"With other programs", "argocd", newArgoCD},
	{"With other programs", "link", newLink},
}

func newBicepGroup(a *app) *cobra.Command {
	group := &cobra.Command{
		Use:   "bicep",
		Short: "Compile Bicep files and write manifests from them",
		Example: `  rad bicep generate-kubernetes-manifest app.bicep --parameters @app.bicepparam
  rad bicep build app.bicep --stdout
  rad bicep lint app.bicep
  rad bicep plan app.bicep
  rad bicep explain no-unused-params`,
		Version: cli.BicepVersion(),
		Args:    cli.IsSubcommand,
		RunE:    cli.Help,
	}
	group.SetVersionTemplate("{{.Version}}\n")
	group.PersistentFlags().BoolVarP(&a.Quiet, "quiet", "q", false, "print results and errors only")
	return group
}

// newHelp returns the command `rad help`. It differs from cobra's in that it fails where
// there is no such command.
func newHelp(root *cobra.Command) *cobra.Command {
	man := ""
	c := &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		ValidArgsFunction: func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			var names []string
			if c, rest, err := root.Find(args); err == nil && len(rest) == 0 {
				for _, sub := range c.Commands() {
					if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), word) {
						names = append(names, sub.Name())
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if man != "" {
				return cli.WriteManPages(root, man)
			}
			c, rest, err := root.Find(args)
			if c == nil {
				c = root
			}
			if err != nil || len(rest) > 0 {
				if len(rest) == 0 {
					rest = args
				}
				return cli.IsSubcommand(c, rest)
			}
			c.InitDefaultHelpFlag()
			return cli.Help(c, nil)
		},
	}
	c.Flags().StringVar(&man, "man", "", "write the manual pages of all commands into this `folder`")
	return c
}

// Tree returns the tree of all commands, which know the values of their flags. It is for tests.
func Tree() *cobra.Command {
	a := newApp(strings.NewReader(""), nil, nil)
	a.Completing = true
	return newRoot(a, nil)
}

// Runnable returns the commands of Tree that do something, by their names.
func Runnable() map[string]*cobra.Command {
	all := map[string]*cobra.Command{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if !c.HasSubCommands() && !c.Hidden && c.Name() != "help" {
			all[cli.CommandName(c)] = c
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(Tree())
	return all
}
