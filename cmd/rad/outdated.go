package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep"
)

func newOutdated(a *app) *cobra.Command {
	var pattern, format string
	var exitCode bool
	c := &cobra.Command{
		Use:   "outdated [file.bicep | file.bicepparam | folder]...",
		Short: "List modules and extensions of which there are newer versions",
		Long: `List the modules and extensions of registries that files lead to and of which there are newer
tags: higher versions, and of those before a release only if the present one is such. A tag
that means something else now than bicep.lock.json names is listed as moved. Without a file,
every Bicep file in the current folder and below it counts.

Exit status: 0, also if there is something newer; with --exit-code 1 then. 1 if a registry
did not answer.`,
		Example: `  rad bicep outdated
  rad bicep outdated app.bicep --output json`,
		Annotations:       map[string]string{dropIn: "outdated"},
		ValidArgsFunction: completeFiles("bicep", "bicepparam"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.outdated(c, args, pattern, format, exitCode)
		},
	}
	f := c.Flags()
	f.StringVar(&pattern, "pattern", "", "take all files that match the glob `PATTERN`")
	f.StringVarP(&format, "output", "o", "text", "`FORM` of the list: text or json")
	f.BoolVar(&exitCode, "exit-code", false, "exit with 1 if there is something newer")
	addFlags(f, restoreSettings)
	completeSettings(c, restoreSettings)
	return c
}

func (a *app) outdated(c *cobra.Command, args []string, pattern, format string, exitCode bool) error {
	if format != "text" && format != "json" {
		return fail(exitUsage, "--output: want text or json, not %q%s", format, didYouMean(format, []string{"text", "json"}))
	}
	files, err := restoreFiles(args, pattern)
	if err != nil {
		return err
	}
	folder := ""
	if len(files) > 0 {
		folder = filepath.Dir(files[0])
	}
	options, err := a.newCompileOptions(c.Flags(), restoreSettings, folder)
	if err != nil {
		return err
	}
	list, err := bicep.FindOutdated(c.Context(), bicep.RestoreRequest{Files: files, Root: options.base.Root, Artifacts: options.base.Artifacts})
	if err != nil {
		return failWith(exitIO, err)
	}
	if format == "json" {
		if list == nil {
			list = []bicep.Outdated{}
		}
		text, err := json.MarshalIndent(list, "", "  ")
		if err == nil {
			_, err = fmt.Fprintf(a.stdout, "%s\n", text)
		}
		if err != nil {
			return failWith(exitIO, err)
		}
	}
	some, failed := false, false
	for _, o := range list {
		some = some || o.Latest != "" || o.Moved != ""
		if o.Error != "" {
			failed = true
			a.tell("Error: %s: %s", o.Reference, o.Error)
		}
		if format == "text" {
			if err := printOutdated(a, o); err != nil {
				return failWith(exitIO, err)
			}
		}
	}
	switch {
	case failed:
		return silent(exitIO)
	case some && exitCode:
		return silent(exitStale)
	}
	return nil
}

// printOutdated prints a line for one artifact.
func printOutdated(a *app, o bicep.Outdated) error {
	var notes []string
	if o.Latest != "" {
		notes = append(notes, o.Latest)
	}
	if o.Moved != "" {
		notes = append(notes, "moved to "+o.Moved)
	}
	if len(notes) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(a.stdout, "%s -> %s\n", o.Reference, strings.Join(notes, ", "))
	return err
}
