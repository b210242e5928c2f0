package test

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// TestHelpShowsEveryFlag: with --all, the help of each command shows each of its flags once, in
// a group; without it, those that few need are left out, and the help says so.
func TestHelpShowsEveryFlag(t *testing.T) {
	t.Parallel()
	for name, c := range command.Runnable() {
		args := strings.Fields(c.CommandPath())[1:]
		status, all, _ := runIn(t, append(args, "--help", "--all")...)
		require.Equal(t, 0, status, name)
		status, short, _ := runIn(t, append(args, "--help")...)
		require.Equal(t, 0, status, name)
		hidden := 0
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden {
				return
			}
			flag := "--" + f.Name + " "
			require.Equal(t, 1, flagLines(all, flag), "%s %s:\n%s", name, flag, all)
			if settings.Facts(f.Name).Rare || strings.Contains(cli.RareFlags, " "+f.Name+" ") {
				hidden++
				require.Zero(t, flagLines(short, flag), "%s %s", name, flag)
			} else {
				require.Equal(t, 1, flagLines(short, flag), "%s %s", name, flag)
			}
		})
		require.Equal(t, hidden > 0, strings.Contains(short, "rad "+strings.Join(args, " ")+" --help --all\n"), name)
		require.NotContains(t, all, "Few need", name)
	}
}

// TestHelpFitsOnAScreen: the list of commands shows each of them once, the main one first.
func TestHelpFitsOnAScreen(t *testing.T) {
	t.Parallel()
	status, help, _ := runIn(t, "bicep", "--help")
	require.Equal(t, 0, status)
	require.LessOrEqual(t, strings.Count(help, "\n"), 41)
	var listed []string
	for line := range strings.Lines(help) {
		if name, ok := strings.CutPrefix(line, "  "); ok && !strings.HasPrefix(name, "rad ") {
			listed = append(listed, strings.Fields(name)[0])
			require.LessOrEqual(t, len(line), 120)
		}
	}
	var all []string
	bicep, _, err := command.Tree().Find([]string{"bicep"})
	require.NoError(t, err)
	for _, c := range bicep.Commands() {
		if !c.Hidden {
			all = append(all, c.Name())
		}
	}
	require.Equal(t, all, listed)
	require.Equal(t, "generate-kubernetes-manifest", listed[0])
}

// flagLines returns how many lines describe a flag.
func flagLines(help, flag string) (n int) {
	for line := range strings.Lines(help) {
		fields := strings.TrimPrefix(strings.TrimSpace(line), "-")
		if _, rest, ok := strings.Cut(fields, ", "); ok && len(fields)-len(rest) == 3 {
			fields = strings.TrimPrefix(rest, "-")
		}
		word, _, _ := strings.Cut(strings.ReplaceAll(fields, "[=", " "), " ")
		if strings.HasPrefix(line, "  ") && "-"+word+" " == flag {
			n++
		}
	}
	return n
}

// TestGroupsOfFlagsAreUsed: the table of groups names no flag that no command has.
func TestGroupsOfFlagsAreUsed(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		c.PersistentFlags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(command.Tree())
	seen := map[string]bool{}
	for _, g := range cli.FlagGroups {
		for name := range strings.FieldsSeq(g.Flags) {
			require.True(t, known[name], "--%s", name)
			require.False(t, seen[name], "--%s is in two groups", name)
			seen[name] = true
		}
	}
	for name := range strings.FieldsSeq(cli.RareFlags) {
		require.True(t, known[name], "--%s", name)
	}
}
