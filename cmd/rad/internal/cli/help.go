package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// FlagGroups are the groups of flags in help texts, in their order. A flag that is in none
// of them is in the last.
var FlagGroups = []struct {
	title string
	Flags string
}{
	{"Input", "pattern file bicep-file stdin-filename include-params base against config mode from-file update locked"},
	{"Parameter", "parameters environment application group azure-scope " +
		"aws-scope tenant-id subscription-id management-group-id resource-group location deployment-name " +
		"explain-parameters"},
	{"Output", "outfile destination-file outdir stdout format " +
		"output-format target name namespace label annotation compact generator-metadata generator-version force deps " +
		"newline-kind indent-kind indent-size insert-final-newline " +
		"vendor with-source documentation-uri dry-run no-hook reconcile-policy credential-from capi-paused " +
		"check diff fail-on-change fail-on-delete ignore-generator exit-code watch fix baseline write-baseline"},
	{"Safety", "root hermetic allow-env offline no-restore secure-parameters " +
		"trusted-folders trusted-registries token-servers registry-mirrors cache-root-directory plain-http"},
	{"Diagnostics", "diagnostics-format warnings-as-errors color statistics quiet"},
	{"Other", ""},
}

// RareFlags are those that few need, beside settings that say so themselves. They are shown by
// --help --all.
const RareFlags = " deps ignore-generator destination-file annotation "

// WithoutAll takes --all out of a command line that asks for help: it asks for all flags.
func WithoutAll(a *App, args []string) []string {
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

// ShowHelp prints the help of a command: what it does, examples, the details, and its flags; of
// one whose subcommands are in groups, the groups.
func (a *App) ShowHelp(c *cobra.Command) {
	var b strings.Builder
	if len(c.Groups()) > 0 {
		_ = Page(c.OutOrStdout(), groupHelp(c))
		return
	}
	first, rest, _ := strings.Cut(c.Long, "\n\n")
	first = cmp.Or(first, c.Short)
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
	_ = Page(c.OutOrStdout(), b.String())
}

// groupHelp lists the subcommands of a command by their groups. It fits on a screen.
func groupHelp(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s [command]\n\n", c.Short, c.CommandPath())
	for _, g := range c.Groups() {
		fmt.Fprintf(&b, "%s:\n", g.Title)
		for _, sub := range c.Commands() {
			if sub.GroupID == g.ID && sub.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-*s %s\n", sub.NamePadding(), sub.Name(), sub.Short)
			}
		}
	}
	fmt.Fprintf(&b, "\n\"%s [command] --help\" tells more; with --quiet, a command prints results and errors only.\n", c.CommandPath())
	return b.String()
}

// onOff is the value of a flag that is on or off, as help shows it: without [=true|false].
type onOff struct{ pflag.Value }

// flagHelp describes the flags of a command, in groups.
func (a *App) flagHelp(c *cobra.Command) string {
	sets := make([]*pflag.FlagSet, len(FlagGroups))
	hidden, settings := 0, false
	c.InitDefaultHelpFlag()
	add := func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		facts := a.Facts(f.Name)
		if !a.allFlags && (facts.Rare || strings.Contains(RareFlags, " "+f.Name+" ")) {
			hidden++
			return
		}
		i := slices.IndexFunc(FlagGroups, func(g struct{ title, Flags string }) bool {
			return slices.Contains(strings.Fields(g.Flags), f.Name)
		})
		if i < 0 {
			i = len(FlagGroups) - 1
		}
		if sets[i] == nil {
			sets[i] = pflag.NewFlagSet("", pflag.ContinueOnError)
		}
		shown := *f
		if f.Value.Type() == "bool" {
			shown.Value = onOff{f.Value}
		}
		if v := facts.Variable; v != "" {
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
		title := FlagGroups[i].title + " flags"
		if only {
			title = "Flags"
		}
		fmt.Fprintf(&b, "\n%s:\n%s", title, set.FlagUsages())
	}
	if settings {
		b.WriteString("\nEnvironment:\n  RAD_BICEP_OUTPUT_FORMAT stands for --output-format, and so on for each setting; " +
			"--help --all names them.\n")
		if a.allFlags {
			b.WriteString(environmentHelp)
		}
	}
	if hidden > 0 {
		fmt.Fprintf(&b, "\nFew need the other %s: %s --help --all\n", Plural(hidden, "flag"), c.CommandPath())
	}
	return b.String()
}

// environmentHelp names the variables that are not settings.
const environmentHelp = `  BICEP, RAD_BICEP             the compiler to use where --compiler is auto
  BICEP_TRUSTED_REGISTRIES     registries that are trusted, as --trusted-registries
  BICEP_TRUSTED_CLOUDS         JSON list of clouds that configurations may name beside Azure's own
  BICEP_PARAMETERS_OVERRIDES   JSON object of values that replace those of a file in build-params
  DOCKER_CONFIG, DOCKER_REGISTRY, DOCKER_USERNAME, DOCKER_PASSWORD   credentials of registries
  NO_COLOR                     no colours
  RAD_DEBUG                    the stack of an internal error
`
