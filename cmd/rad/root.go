package main

import (
	"github.com/spf13/cobra"
)

// newRoot returns the command tree. A command line that names one of the bicep
// commands gets that branch alone: a compile takes a few milliseconds, and
// putting together commands that are not run would show.
func newRoot(a *app, args []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "rad",
		Short: "Compile Bicep and write Radius manifests",
		Long: `rad compiles Bicep templates and writes the manifests that Radius deploys on
Kubernetes. It needs no other program, no configuration and no network.`,
		Example: `  rad bicep generate-kubernetes-manifest app.bicep --parameters @app.bicepparam
  rad bicep build app.bicep --stdout`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return failWith(exitUsage, err) })
	if len(args) > 1 && args[0] == "bicep" {
		for _, c := range bicepCommands {
			if c.name == args[1] {
				root.CompletionOptions.DisableDefaultCmd = true
				group := newBicepGroup()
				group.AddCommand(c.make(a))
				root.AddCommand(group)
				return root
			}
		}
	}
	root.Version = version() // which takes longer to find out than all the flags
	root.SetVersionTemplate("rad {{.Version}}\n")
	group := newBicepGroup()
	for _, c := range bicepCommands {
		group.AddCommand(c.make(a))
	}
	root.AddCommand(group, newVersion(a))
	return root
}

// bicepCommands are the commands under `rad bicep`, in the order of help.
var bicepCommands = []struct {
	name string
	make func(*app) *cobra.Command
}{
	{"generate-kubernetes-manifest", newGenerate},
	{"build", newBuild},
	{"build-params", newBuildParams},
	{"lint", newLint},
}

func newBicepGroup() *cobra.Command {
	group := &cobra.Command{
		Use:   "bicep",
		Short: "Compile Bicep files and write manifests from them",
		Example: `  rad bicep generate-kubernetes-manifest app.bicep --parameters @app.bicepparam
  rad bicep build app.bicep --stdout`,
		Version: bicepVersion(),
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	group.SetVersionTemplate("{{.Version}}\n")
	return group
}
