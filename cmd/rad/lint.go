package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/project"
)

func newLint(a *app) *cobra.Command {
	var o buildOptions
	var l lintOptions
	c := &cobra.Command{
		Use:   "lint [file.bicep | file.bicepparam | folder | glob]...",
		Short: "Report what is wrong with Bicep files, and write nothing",
		Long: `Report what is wrong with Bicep files, as the official 'bicep lint' does. Diagnostics go to
stderr in the text format, and to stdout in the others. A folder stands for the Bicep files in
it and below. For several files a line at the end says how much was found.

--fix repairs the files that are named, as far as it is certain what is meant, and reports what
is left. Modules that they use are not changed.`,
		Example: `  rad bicep lint app.bicep
  rad bicep lint app.bicep --diagnostics-format sarif > app.sarif
  rad bicep lint . --fix
  rad bicep lint . --fix=likely --diff
  rad bicep lint . --baseline lint.json --write-baseline
  rad bicep lint . --baseline lint.json`,
		Annotations:       map[string]string{cli.DropIn: "lint"},
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam"),
		RunE: func(c *cobra.Command, args []string) error {
			args, err := l.validate(c, args)
			if err != nil {
				return err
			}
			files, err := lintFiles(args)
			if err != nil {
				return err
			}
			o.lint = &l
			o.tally = &cli.Tally{Statistics: l.statistics, Known: map[string]bool{}, Codes: map[string]int{}}
			return a.build(c, files, &o, "")
		},
	}
	o.addInput(c)
	f := c.Flags()
	f.BoolVar(&l.statistics, "statistics", false, "in the text format, tell how often each code was found")
	f.StringVar(&l.fix, "fix", "", "repair what has a repair of this `CERTAINTY`, certain or likely; certain if it is left out")
	f.Lookup("fix").NoOptDefVal = "certain"
	f.BoolVar(&l.diff, "diff", false, "show what --fix would change, and write nothing; exit 1 if something would")
	f.StringVar(&l.baseline, "baseline", "", "leave out the findings that are in `FILE`; exit 1 if there is another error or warning")
	f.StringVar(&l.writeBaseline, "write-baseline", "", "write all findings to `FILE`, or to that of --baseline")
	f.Lookup("write-baseline").NoOptDefVal = baselineUnnamed
	f.StringVar(&l.config, "config", "", "use the configuration `FILE` for all files, instead of the nearest bicepconfig.json")
	_ = c.RegisterFlagCompletionFunc("fix", cobra.FixedCompletions([]string{"certain", "likely"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.MarkFlagFilename("baseline", "json")
	_ = c.MarkFlagFilename("config", "json")
	return c
}

// lintOptions are the flags that lint has for itself.
type lintOptions struct {
	statistics    bool
	fix           string // the certainty; "" to leave the files alone
	diff          bool
	baseline      string
	writeBaseline string
	config        string
}

// baselineUnnamed is the value of --write-baseline when it names no file.
const baselineUnnamed = "-"

// validate refuses flags that do not go together, and returns the files to look at.
// A JSON file after --write-baseline is its value.
func (l *lintOptions) validate(c *cobra.Command, args []string) ([]string, error) {
	if c.Flags().Changed("fix") || l.diff {
		if l.fix == "" {
			l.fix = "certain"
		}
		if _, err := certainty(l.fix); err != nil {
			return nil, err
		}
	}
	if l.writeBaseline == baselineUnnamed {
		l.writeBaseline = l.baseline
		if i := slices.IndexFunc(args, isJSON); l.baseline == "" && i >= 0 {
			l.writeBaseline = args[i]
			args = slices.Delete(slices.Clone(args), i, i+1)
		}
		if l.writeBaseline == "" {
			return nil, cli.Fail(cli.ExitUsage, "--write-baseline: name the file by --baseline")
		}
	}
	if l.writeBaseline != "" && l.diff {
		return nil, cli.Fail(cli.ExitUsage, "--diff writes nothing; it cannot be used with --write-baseline")
	}
	if l.config != "" {
		info, err := os.Stat(l.config)
		if err != nil {
			return nil, cli.Fail(cli.ExitUsage, "--config %s: %w", l.config, cli.ReasonOf(err))
		}
		if !info.Mode().IsRegular() {
			return nil, cli.Fail(cli.ExitUsage, "--config %s: not a file", l.config)
		}
		if l.config, err = filepath.Abs(l.config); err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
	}
	return args, nil
}

func isJSON(path string) bool { return strings.EqualFold(filepath.Ext(path), ".json") }

// lintFiles returns the files that arguments stand for, each once.
func lintFiles(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		if err := project.CheckPath(arg); err != nil {
			return nil, err
		}
		paths, _, err := project.BicepFiles(arg)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if !slices.Contains(files, path) {
				files = append(files, path)
			}
		}
	}
	return files, nil
}
