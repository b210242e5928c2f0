package command

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/linting"
	"github.com/radbicep/rad/cmd/rad/internal/project"
)

func newLint(a *app) *cobra.Command {
	var o buildOptions
	var l linting.Options
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
			args, err := l.Validate(c, args)
			if err != nil {
				return err
			}
			files, err := lintFiles(args)
			if err != nil {
				return err
			}
			o.lint = &l
			o.tally = &cli.Tally{Statistics: l.Statistics, Known: map[string]bool{}, Codes: map[string]int{}}
			return a.build(c, files, &o, "")
		},
	}
	o.addInput(a, c)
	f := c.Flags()
	f.BoolVar(&l.Statistics, "statistics", false, "in the text format, tell how often each code was found")
	f.StringVar(&l.Fix, "fix", "", "repair what has a repair of this `CERTAINTY`, certain or likely; certain if it is left out")
	f.Lookup("fix").NoOptDefVal = "certain"
	f.BoolVar(&l.Diff, "diff", false, "show what --fix would change, and write nothing; exit 1 if something would")
	f.StringVar(&l.Baseline, "baseline", "", "leave out the findings that are in `FILE`; exit 1 if there is another error or warning")
	f.StringVar(&l.WriteBaseline, "write-baseline", "", "write all findings to `FILE`, or to that of --baseline")
	f.Lookup("write-baseline").NoOptDefVal = linting.BaselineUnnamed
	a.CompleteFlag(c, "fix", cobra.FixedCompletions([]string{"certain", "likely"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.MarkFlagFilename("baseline", "json")
	return c
}

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
