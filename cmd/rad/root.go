package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// newRoot returns the command tree. A command line that names one of the bicep
// commands gets that branch alone: a compile takes a few milliseconds, and
// putting together commands that are not run would show.
func newRoot(a *app, args []string) *cobra.Command {
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
				group.AddCommand(c.make(a))
				root.AddCommand(group)
				return root
			}
		}
	}
	root.Version = cli.Version() // which takes longer to find out than all the flags
	root.SetHelpCommand(newHelp(root))
	root.SetVersionTemplate("rad {{.Version}}\n")
	group := newBicepGroup(a)
	for _, c := range bicepCommands {
		group.AddCommand(c.make(a))
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

// bicepCommands are the commands under `rad bicep`, in the order of help.
var bicepCommands = []struct {
	name string
	make func(*app) *cobra.Command
}{
	{"generate-kubernetes-manifest", newGenerate},
	{"build", newBuild},
	{"build-params", newBuildParams},
	{"format", newFormat},
	{"generate-params", newGenerateParams},
	{"fn", newFn},
	{"argocd", newArgoCD},
	{"link", newLink},
	{"lint", newLint},
	{"snapshot", newSnapshot},
	{"restore", newRestore},
	{"publish", newPublish},
	{"publish-extension", newPublishExtension},
	{"outdated", newOutdated},
	{"cache", newCache},
	{"plan", newPlan},
	{"graph", newGraph},
	{"affected", newAffected},
	{"bundle", newBundle},
	{"inspect", newInspect},
	{"verify", newVerify},
	{"types", newTypes},
	{"init", newInit},
	{"explain", newExplain},
	{"schema", newSchema},
	{"version", newBicepVersion},
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
