package command

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// This file is the program as it behaves under the name bicep: the commands come
// right after the name, as those of the official compiler do.

// CalledAsBicep reports whether a program was started by the name bicep.
func CalledAsBicep(program string) bool {
	name := filepath.Base(program)
	if runtime.GOOS == "windows" {
		name = strings.TrimSuffix(strings.ToLower(name), ".exe")
	}
	return name == "bicep"
}

// newBicepRoot returns the command tree of the program called bicep. As in
// newRoot, a command that is named is made alone.
func newBicepRoot(a *app, args []string) *cobra.Command {
	root := newBicepCommands(a, args)
	a.addTimeLimit(root)
	return root
}

func newBicepCommands(a *app, args []string) *cobra.Command {
	root := newBicepGroup(a)
	root.Long = "rad stands in for the official bicep. " + root.Short + "."
	root.Example = `  bicep build app.bicep --stdout
  bicep format app.bicep`
	root.SilenceErrors, root.SilenceUsage = true, true
	root.Annotations = map[string]string{cli.DropIn: "bicep"}
	root.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 && !c.Flags().Changed("license") && !c.Flags().Changed("third-party-notices") {
			return cli.Fail(cli.ExitUsage, "name a command, such as build or format")
		}
		return cli.IsSubcommand(c, args)
	}
	var license, notices bool
	root.Flags().BoolVar(&license, "license", false, "print the license")
	root.Flags().BoolVar(&notices, "third-party-notices", false, "print what the program is built from")
	root.RunE = func(*cobra.Command, []string) error {
		text := "rad is free software under the Apache License 2.0: https://github.com/radbicep/rad/blob/main/LICENSE\n"
		if notices {
			text = noticesText()
		}
		return cli.Page(a.Stdout, text)
	}
	root.SetFlagErrorFunc(cli.FlagError)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { a.ShowHelp(c) })
	for _, c := range bicepCommands {
		if len(args) > 0 && c.name == args[0] {
			root.CompletionOptions.DisableDefaultCmd = true
			root.AddCommand(c.build(a))
			return root
		}
	}
	for _, c := range bicepCommands {
		root.AddCommand(c.build(a))
	}
	addAbsent(root)
	if len(args) > 0 && args[0] == "completion" {
		addCompletion(root)
	}
	return root
}

// noticesText lists the modules that the program is built from.
func noticesText() string {
	var b strings.Builder
	b.WriteString("rad is built from these modules. Each one's license is in its source.\n")
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			fmt.Fprintf(&b, "%s %s\n", m.Path, m.Version)
		}
	}
	return b.String()
}

// notHere are the official compiler's commands that there are not here, and what to
// use instead.
var notHere = []struct{ name, instead string }{
	{"decompile", "the official bicep turns ARM JSON into Bicep; rad bicep compiles what it wrote"},
	{"decompile-params", "the official bicep turns ARM parameter files into .bicepparam; --parameters takes the JSON as it is"},
	{"test", "use assertions of a test framework on what 'build --stdout' prints"},
	{"console", "put the expression into an output and look at 'snapshot'"},
	{"local-deploy", "deploy with Radius: 'rad bicep generate-kubernetes-manifest' and kubectl apply"},
	{"deploy", "deploy with 'az deployment group create' or with Radius"},
	{"what-if", "use 'az deployment group what-if', or 'snapshot' for what needs no cloud"},
	{"teardown", "use 'az stack group delete', or delete the DeploymentTemplate"},
	{"docs", "the official bicep generates pages from templates"},
}

// addAbsent adds to a group the commands that there are not, which say so.
func addAbsent(group *cobra.Command) {
	for _, one := range notHere {
		group.AddCommand(&cobra.Command{
			Use:                one.name,
			Hidden:             true,
			DisableFlagParsing: true,
			Annotations:        map[string]string{cli.DropIn: one.name},
			RunE: func(*cobra.Command, []string) error {
				return cli.Fail(cli.ExitIO, "rad bicep has no command %q: %s", one.name, one.instead)
			},
		})
	}
}

// isBicepCommand reports whether `rad bicep NAME` is answered here: it is a command, or one
// that is refused with an explanation, or it is misspelt.
func isBicepCommand(name string) bool {
	var names []string
	for _, c := range bicepCommands {
		names = append(names, c.name)
		if cli.Abbreviates(name, c.name) {
			return true
		}
	}
	for _, one := range notHere {
		if one.name == name {
			return true
		}
	}
	return name == "gkm" || cli.OtherName(name) != "" || name == "help" || cli.DidYouMean(name, append(names, "gkm")) != ""
}
