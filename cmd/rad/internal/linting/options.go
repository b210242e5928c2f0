package linting

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// Options are the flags that lint has for itself.
type Options struct {
	Statistics    bool
	Fix           string // the certainty; "" to leave the files alone
	Diff          bool
	Baseline      string
	WriteBaseline string
}

// BaselineUnnamed is the value of --write-baseline when it names no file.
const BaselineUnnamed = "-"

// Validate refuses flags that do not go together, and returns the files to look at.
// A JSON file after --write-baseline is its value.
func (l *Options) Validate(c *cobra.Command, args []string) ([]string, error) {
	if c.Flags().Changed("fix") || l.Diff {
		l.Fix = cmp.Or(l.Fix, "certain")
		if _, err := certainty(l.Fix); err != nil {
			return nil, err
		}
	}
	if l.WriteBaseline == BaselineUnnamed {
		l.WriteBaseline = l.Baseline
		if i := slices.IndexFunc(args, isJSON); l.Baseline == "" && i >= 0 {
			l.WriteBaseline = args[i]
			args = slices.Delete(slices.Clone(args), i, i+1)
		}
		if l.WriteBaseline == "" {
			return nil, cli.Fail(cli.ExitUsage, "--write-baseline: name the file by --baseline")
		}
	}
	if l.WriteBaseline != "" && l.Diff {
		return nil, cli.Fail(cli.ExitUsage, "--diff writes nothing; it cannot be used with --write-baseline")
	}
	return args, nil
}

func isJSON(path string) bool { return strings.EqualFold(filepath.Ext(path), ".json") }
