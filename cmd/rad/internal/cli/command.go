package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/radbicep/rad/pkg/spell"
)

// CompleteFiles completes files of the given extensions, and folders.
func CompleteFiles(extensions ...string) func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return extensions, cobra.ShellCompDirectiveFilterFileExt
	}
}

// FlagError says what is wrong with a flag, in the words of this program.
func FlagError(c *cobra.Command, err error) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := spell.Nearest(name, names); near != "" {
			text += fmt.Sprintf("; did you mean --%s?", near)
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		flag := "--" + invalid.GetFlag().Name
		switch invalid.GetFlag().Value.Type() {
		case "duration":
			text = fmt.Sprintf("%s: want a duration such as 30s or 2m, not %q", flag, invalid.GetValue())
		case "int", "int64":
			text = fmt.Sprintf("%s: want a whole number, not %q", flag, invalid.GetValue())
		case "bool":
			text = fmt.Sprintf("%s: want true or false, not %q", flag, invalid.GetValue())
		}
	}
	return Fail(ExitUsage, "%s", text)
}

func Help(c *cobra.Command, _ []string) error { return c.Help() }

// IsSubcommand refuses the arguments of a command that only holds others: what
// gets here is the name of none of them.
func IsSubcommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names, longer []string
	for _, sub := range c.Commands() {
		if sub.Hidden {
			continue
		}
		names = append(append(names, sub.Name()), sub.Aliases...)
		if strings.HasPrefix(sub.Name(), args[0]) {
			longer = append(longer, strconv.Quote(sub.Name()))
		}
	}
	hint := DidYouMean(args[0], names)
	if len(longer) > 0 && len(longer) < 4 {
		hint = fmt.Sprintf("; did you mean %s?", OrList(longer))
	}
	if path := c.CommandPath(); hint == "" && (path == "rad" || path == "rad bicep") {
		hint = radiusHas
	}
	if hint == "" {
		hint = "; want " + OrList(names)
	}
	return Fail(ExitUsage, "%s has no command %q%s", c.CommandPath(), args[0], hint)
}
