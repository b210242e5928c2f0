package test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// testedCommand is a command of the tree, as tests that try something with every command call it.
type testedCommand struct {
	*cobra.Command
	name string // its words after rad: bicep argocd generate
	// target is the value of --target, where the command has the flag: what is tried is
	// tried for each.
	target string
}

func (c *testedCommand) String() string {
	if c.target == "" {
		return c.name
	}
	return c.name + " --target " + c.target
}

// has reports whether the command takes a flag.
func (c *testedCommand) has(flag string) bool { return c.Flags().Lookup(flag) != nil }

// testedCommands returns the commands that can be run, read from the command tree: tests that
// make their lists of it find a new command by themselves. One that writes manifests is there
// once for each target.
func testedCommands(t *testing.T) []*testedCommand {
	t.Helper()
	var list []*testedCommand
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if c.Hidden || c.HasSubCommands() {
			return
		}
		name := strings.TrimPrefix(c.CommandPath(), "rad ")
		if c.Flags().Lookup(settings.KeyTarget) == nil || c.Flags().Lookup(settings.KeyNamespace) == nil {
			list = append(list, &testedCommand{Command: c, name: name})
			return
		}
		for _, target := range settings.TargetNames {
			list = append(list, &testedCommand{Command: c, name: name, target: target})
		}
	}
	walk(command.Tree())
	require.NotEmpty(t, list)
	return list
}
