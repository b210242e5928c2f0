package test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/pkg/generate"
)

// The tests of secrets and of bounds have a case for each command and each kind of file that it takes,
// and try each value of each flag that chooses. What there is, is read from the tree of commands. So a
// command, a format, a target or a kind of file that is added fails a test until it has a case.

// leaf is a command of the tree that does something.
type leaf struct {
	*cobra.Command
	path    string              // without rad
	files   []string            // the extensions of the files that it takes
	choices map[string][]string // the values of its flags that have a few
	paths   []string            // its flags that name files and folders
}

var pathName = pattern(`(?i)file|folder|dir\b`)

// leaves returns the commands below root. Those that only name a command of other programs are left out.
func leaves(root *cobra.Command) (list []leaf) {
	for _, c := range root.Commands() {
		list = append(list, leaves(c)...)
		if c.HasSubCommands() || !c.Runnable() || c.Hidden || c.Name() == "help" {
			continue
		}
		l := leaf{Command: c, path: strings.TrimPrefix(c.CommandPath(), "rad "), choices: map[string][]string{}}
		if c.ValidArgsFunction != nil {
			if files, d := c.ValidArgsFunction(c, nil, "no such folder/"); d&cobra.ShellCompDirectiveFilterFileExt != 0 {
				l.files = files
			}
		}
		c.InheritedFlags()
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if complete, ok := c.GetFlagCompletionFunc(f.Name); ok {
				if values, _ := complete(c, nil, ""); len(values) > 0 {
					l.choices[f.Name] = values
				}
			}
			if name, _ := pflag.UnquoteUsage(f); pathName().MatchString(name) {
				l.paths = append(l.paths, f.Name)
			}
		})
		list = append(list, l)
	}
	return list
}

// treeCase is what a test does with a command: a command line for each kind of file that it takes, ""
// for none. Why says why there is nothing to do, for a kind or for all.
type treeCase struct {
	lines map[string][]string
	why   string
}

// gaps returns what the tree has and the cases of a test lack. inert are the flags whose choices make no
// difference to the test.
func gaps(root *cobra.Command, cases map[string]treeCase, inert []string) (list []string) {
	known := map[string]bool{}
	for _, l := range leaves(root) {
		known[l.path] = true
		c, ok := cases[l.path]
		switch {
		case !ok:
			list = append(list, fmt.Sprintf("the command %q has no case", l.path))
			continue
		case c.why != "" && len(c.lines) == 0:
			continue
		}
		for _, kind := range l.files {
			if _, ok := c.lines[kind]; !ok {
				list = append(list, fmt.Sprintf("the command %q takes files of the kind %q, which has no case", l.path, kind))
			}
		}
		for flag := range l.choices {
			if !slices.Contains(inert, flag) && !slices.Contains(varied, flag) {
				list = append(list, fmt.Sprintf("the flag --%s of %q has choices, and is neither in varied nor said to make no difference", flag, l.path))
			}
		}
	}
	for path := range cases {
		if !known[path] {
			list = append(list, fmt.Sprintf("there is no command %q", path))
		}
	}
	slices.Sort(list)
	return list
}

// varied are the flags whose values are all tried.
var varied = []string{"format", "diagnostics-format", "output-format", "target", "mode", "secure-parameters", "fix", "color"}

// linesOf returns the command lines of the cases: each as it is, and with each value of the flags in varied.
func linesOf(root *cobra.Command, cases map[string]treeCase) (lines [][]string) {
	for _, l := range leaves(root) {
		c := cases[l.path]
		for _, kind := range slices.Sorted(keysOf(c.lines)) {
			line := append(strings.Fields(l.path), c.lines[kind]...)
			lines = append(lines, line)
			for _, flag := range varied {
				for _, value := range l.choices[flag] {
					value, _, _ = strings.Cut(value, "\t")
					lines = append(lines, append(slices.Clip(line), "--"+flag+"="+value))
				}
			}
		}
	}
	return lines
}

func keysOf[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// requireGapsAreFound checks that what is added to the tree fails a test until it has a case.
func requireGapsAreFound(t *testing.T, find func(root *cobra.Command) []string) {
	require.Empty(t, find(command.Tree()))

	root := command.Tree()
	group, _, err := root.Find([]string{"bicep"})
	require.NoError(t, err)
	dummy := &cobra.Command{Use: "dummy", Run: func(*cobra.Command, []string) {}}
	group.AddCommand(dummy)
	require.Equal(t, []string{`the command "bicep dummy" has no case`}, find(root))

	root = command.Tree()
	inner, _, err := root.Find([]string{"bicep", "cache"})
	require.NoError(t, err)
	inner.AddCommand(&cobra.Command{Use: "dummy", Run: func(*cobra.Command, []string) {}})
	require.Equal(t, []string{`the command "bicep cache dummy" has no case`}, find(root))

	root = command.Tree()
	lint, _, err := root.Find([]string{"bicep", "lint"})
	require.NoError(t, err)
	lint.ValidArgsFunction = cli.CompleteFiles("bicep", "bicepparam", "dummy")
	require.Equal(t, []string{`the command "bicep lint" takes files of the kind "dummy", which has no case`}, find(root))
}

// targetNames returns the names of all targets that there are.
func targetNames(root *cobra.Command) []string {
	names := map[string]bool{}
	for _, l := range leaves(root) {
		for _, value := range l.choices["target"] {
			value, _, _ = strings.Cut(value, "\t")
			names[value] = true
		}
	}
	for _, k := range generate.Kinds {
		names[k.Name] = true
	}
	return slices.Sorted(keysOf(names))
}
