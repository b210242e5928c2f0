package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroups are the groups of flags in help texts, in their order. A flag that is in none
// of them is in the last.
var flagGroups = []struct {
	title string
	flags string
}{
	{"Input", "pattern file bicep-file stdin-filename include-params base against config mode from-file update locked"},
	{"Parameter", "parameters environment application group azure-scope aws-scope tenant-id subscription-id management-group-id resource-group location deployment-name " +
		"explain-parameters"},
	{"Output", "outfile destination-file outdir stdout format output-format target name namespace label annotation compact generator-metadata generator-version force deps " +
		"newline-kind indent-kind indent-size insert-final-newline vendor with-source documentation-uri dry-run no-hook reconcile-policy credential-from capi-paused " +
		"check diff fail-on-change ignore-generator exit-code watch fix baseline write-baseline"},
	{"Safety", "root hermetic allow-env offline no-restore secure-parameters trusted-folders trusted-registries token-servers registry-mirrors cache-root-directory plain-http"},
	{"Diagnostics", "diagnostics-format warnings-as-errors color statistics quiet"},
	{"Other", ""},
}

// rareFlags are those that few need. They are shown by --help --all.
const rareFlags = " compiler timeout required-version generator-version az-types trusted-folders trusted-registries token-servers registry-mirrors " +
	"cache-root-directory radius-version builtin-types vendor deps ignore-generator generator-metadata compact destination-file azure-scope aws-scope tenant-id subscription-id " +
	"management-group-id deployment-name allow-env annotation location resource-group reconcile-policy credential-from capi-paused "

// withoutAll takes --all out of a command line that asks for help: it asks for all flags.
func withoutAll(a *app, args []string) []string {
	asks := len(args) > 0 && args[0] == "help"
	options := beforeNames(args)
	for _, arg := range options {
		asks = asks || arg == "--help" || arg == "-h"
	}
	if i := slices.Index(options, "--all"); asks && i >= 0 {
		a.allFlags = true
		return slices.Delete(slices.Clone(args), i, i+1)
	}
	return args
}

// showHelp prints the help of a command: what it does, examples, the details, and its flags.
func (a *app) showHelp(c *cobra.Command) {
	var b strings.Builder
	first, rest, _ := strings.Cut(c.Long, "\n\n")
	if first == "" {
		first = c.Short
	}
	fmt.Fprintf(&b, "%s\n\nUsage:\n", first)
	if c.Runnable() {
		fmt.Fprintf(&b, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", c.CommandPath())
	}
	if len(c.Aliases) > 0 {
		fmt.Fprintf(&b, "\nAliases:\n  %s\n", c.NameAndAliases())
	}
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", c.Example)
	}
	if rest != "" {
		fmt.Fprintf(&b, "\n%s\n", rest)
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\nAvailable Commands:\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	b.WriteString(a.flagHelp(c))
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\nUse \"%s [command] --help\" for more information about a command.\n", c.CommandPath())
	}
	_, _ = fmt.Fprint(c.OutOrStdout(), b.String())
}

// flagHelp describes the flags of a command, in groups.
func (a *app) flagHelp(c *cobra.Command) string {
	variables := map[string]string{}
	for _, s := range generateSettings {
		variables[s.flag()] = s.env()
	}
	sets := make([]*pflag.FlagSet, len(flagGroups))
	hidden, settings := 0, false
	c.InitDefaultHelpFlag()
	add := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if !a.allFlags && strings.Contains(rareFlags, " "+f.Name+" ") {
			hidden++
			return
		}
		i := slices.IndexFunc(flagGroups, func(g struct{ title, flags string }) bool {
			return slices.Contains(strings.Fields(g.flags), f.Name)
		})
		if i < 0 {
			i = len(flagGroups) - 1
		}
		if sets[i] == nil {
			sets[i] = pflag.NewFlagSet("", pflag.ContinueOnError)
		}
		shown := *f
		if v := variables[f.Name]; v != "" {
			settings = true
			if a.allFlags {
				shown.Usage += " [" + v + "]"
			}
		}
		sets[i].AddFlag(&shown)
	}
	c.LocalFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	var b strings.Builder
	only := true // one group
	for i, set := range sets {
		only = only && (set == nil || i == len(sets)-1)
	}
	for i, set := range sets {
		if set == nil {
			continue
		}
		title := flagGroups[i].title + " flags"
		if only {
			title = "Flags"
		}
		fmt.Fprintf(&b, "\n%s:\n%s", title, set.FlagUsages())
	}
	if settings {
		b.WriteString("\nEnvironment:\n  RAD_BICEP_OUTPUT_FORMAT stands for --output-format, and so on for each setting; --help --all names them.\n")
		if a.allFlags {
			b.WriteString(environmentHelp)
		}
	}
	if hidden > 0 {
		fmt.Fprintf(&b, "\nFew need the other %s: %s --help --all\n", plural(hidden, "flag"), c.CommandPath())
	}
	return b.String()
}

// environmentHelp names the variables that are not settings.
const environmentHelp = `  BICEP, RAD_BICEP             the compiler to use where --compiler is auto
  BICEP_TRUSTED_REGISTRIES     registries that are trusted, as --trusted-registries
  BICEP_PARAMETERS_OVERRIDES   JSON object of values that replace those of a file in build-params
  DOCKER_CONFIG, DOCKER_REGISTRY, DOCKER_USERNAME, DOCKER_PASSWORD   credentials of registries
  NO_COLOR                     no colours
  RAD_DEBUG                    the stack of an internal error
`
