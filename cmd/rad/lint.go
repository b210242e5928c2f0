package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep/report"
)

func newLint(a *app) *cobra.Command {
	var o buildOptions
	var statistics bool
	c := &cobra.Command{
		Use:   "lint [file.bicep | file.bicepparam | folder | glob]...",
		Short: "Report what is wrong with Bicep files, and write nothing",
		Long: `Report what is wrong with Bicep files, as the official 'bicep lint' does. Diagnostics go to
stderr in the text format, and to stdout in the others. A folder stands for the Bicep files in
it and below. For several files a line at the end says how much was found.`,
		Example: `  rad bicep lint app.bicep
  rad bicep lint app.bicep --diagnostics-format sarif > app.sarif`,
		Annotations:       map[string]string{dropIn: "lint"},
		ValidArgsFunction: completeFiles("bicep", "bicepparam"),
		RunE: func(c *cobra.Command, args []string) error {
			files, err := lintFiles(args)
			if err != nil {
				return err
			}
			o.tally = &tally{statistics: statistics, known: map[string]bool{}, codes: map[string]int{}}
			return a.build(c, files, &o, "")
		},
	}
	o.addInput(c)
	c.Flags().BoolVar(&statistics, "statistics", false, "in the text format, tell how often each code was found")
	return c
}

// lintFiles returns the files that arguments stand for, each once.
func lintFiles(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		if err := checkPath(arg); err != nil {
			return nil, err
		}
		paths, _, err := bicepInputs(arg)
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

// tally counts findings. A module that several files use is told of once.
type tally struct {
	statistics bool
	known      map[string]bool
	codes      map[string]int
	severities [report.Error + 1]int
}

// count counts findings, and returns those that were not there before.
func (t *tally) count(list []report.Finding) []report.Finding {
	fresh := make([]report.Finding, 0, len(list))
	for _, f := range list {
		key := fmt.Sprint(f.Path, f.Start, f.End, f.Severity, f.Code, f.Message)
		if t.known[key] {
			continue
		}
		t.known[key] = true
		t.codes[f.Code]++
		t.severities[f.Severity]++
		fresh = append(fresh, f)
	}
	return fresh
}

// write tells what was counted.
func (t *tally) write(w io.Writer, files int) {
	if t.statistics {
		codes := make([]string, 0, len(t.codes))
		for code := range t.codes {
			codes = append(codes, code)
		}
		slices.SortFunc(codes, func(a, b string) int {
			if n := t.codes[b] - t.codes[a]; n != 0 {
				return n
			}
			return strings.Compare(a, b)
		})
		for _, code := range codes {
			fmt.Fprintf(w, "%6d  %s\n", t.codes[code], code)
		}
	}
	if t.statistics || files > 1 && len(t.known) > 0 {
		fmt.Fprintf(w, "%s, %s, %s in %s\n", plural(t.severities[report.Error], "error"), plural(t.severities[report.Warning], "warning"),
			plural(t.severities[report.Info], "note"), plural(files, "file"))
	}
}

// plural returns a number and a noun: "1 file", "2 files".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
