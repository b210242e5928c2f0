package main

import (
	"github.com/spf13/cobra"
)

// completeFiles completes files of the given extensions, and folders.
func completeFiles(extensions ...string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// completeEnums completes the values of the settings that have a list of them.
func completeEnums(c *cobra.Command, settings []setting) {
	for _, s := range settings {
		if len(s.enum) > 0 {
			_ = c.RegisterFlagCompletionFunc(s.flag(), cobra.FixedCompletions(s.enum, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	if c.Flags().Lookup(keyCompiler) != nil {
		_ = c.RegisterFlagCompletionFunc(keyCompiler, cobra.FixedCompletions([]string{"auto", "embedded", "bicep", "rad"}, cobra.ShellCompDirectiveDefault))
	}
}
