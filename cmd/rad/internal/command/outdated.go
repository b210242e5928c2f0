package command

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/report"
)

func newOutdated(a *app) *cobra.Command {
	var pattern string
	var exitCode bool
	c := &cobra.Command{
		Use:   "outdated [file.bicep | file.bicepparam | folder]...",
		Short: "List modules, extensions and recipes that have newer versions",
		Long: `List the modules and extensions of registries that files lead to, and the recipes of Radius
that bicep.lock.json names, of which there are newer tags: higher versions, and of those before
a release only if the present one is such. A tag that means something else now than
bicep.lock.json names is listed as moved. Without a file,
every Bicep file in the current folder and below it counts.

Exit status: 0 done, also if there is something newer; 1 then with --exit-code; 3 wrong usage or
settings; 4 a registry did not answer.`,
		Example: `  rad bicep outdated
  rad bicep outdated app.bicep --format json`,
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.outdated(c, args, pattern, exitCode)
		},
	}
	f := c.Flags()
	f.StringVar(&pattern, "pattern", "", "take all files that match the glob `PATTERN`")
	f.BoolVar(&exitCode, "exit-code", false, "exit with 1 if there is something newer")
	settings.AddFlags(a.App, c, settings.Fetch)
	a.TakesFormat(c, "text", "json")
	return c
}

func (a *app) outdated(c *cobra.Command, args []string, pattern string, exitCode bool) error {
	files, err := project.FilesOf(args, pattern)
	if err != nil {
		return err
	}
	folder := ""
	if len(files) > 0 {
		folder = filepath.Dir(files[0])
	}
	options, err := a.open(c.Flags(), settings.Fetch, folder)
	if err != nil {
		return err
	}
	var list []artifacts.Outdated
	for _, part := range filesByRoot(options, args, files) {
		more, err := artifacts.FindOutdated(c.Context(), part)
		if err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
		list = append(list, more...)
	}
	slices.SortFunc(list, func(a, b artifacts.Outdated) int { return strings.Compare(a.Reference, b.Reference) })
	list = slices.CompactFunc(list, func(a, b artifacts.Outdated) bool { return reflect.DeepEqual(a, b) })
	a.Result = outdatedResult{append([]artifacts.Outdated{}, list...)}
	some := false
	var failed []string
	for _, o := range list {
		some = some || o.Latest != "" || o.Moved != ""
		if o.Error != "" {
			failed = append(failed, o.Reference)
			a.Tell("Error: %s: %s", o.Reference, o.Error)
		}
		if !a.WantsJSON() {
			if err := printOutdated(a, o); err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
		}
	}
	switch {
	case len(failed) > 0:
		return &cli.Failure{Status: cli.ExitIO, Err: cli.Unanswered(failed), Said: true}
	case some && exitCode:
		return cli.Silent(cli.ExitStale)
	}
	return nil
}

// filesByRoot returns the requests for files. Where there is neither a root nor a git work tree, what
// a folder's files lead to is read in that folder, and what a file leads to in its own: the registries
// that are asked are those of the user's folder, whatever its links lead to.
func filesByRoot(o *project.Project, args, files []string) []artifacts.RestoreRequest {
	all := artifacts.RestoreRequest{Files: files, FS: o.Base.FS, Root: o.Base.Root, Artifacts: o.Base.Artifacts}
	if all.Root != "" {
		return []artifacts.RestoreRequest{all}
	}
	var roots []string
	if len(args) == 0 {
		roots = append(roots, o.Cwd)
	}
	for _, arg := range args {
		if abs, err := filepath.Abs(arg); err == nil && workdir.IsFolder(abs) {
			roots = append(roots, abs)
		}
	}
	var order []string
	byRoot := map[string][]string{}
	for _, f := range files {
		root := filepath.Dir(f)
		for _, r := range roots {
			if workdir.Within(r, f) && len(r) < len(root) {
				root = r
			}
		}
		if byRoot[root] == nil {
			order = append(order, root)
		}
		byRoot[root] = append(byRoot[root], f)
	}
	var parts []artifacts.RestoreRequest
	for _, root := range order {
		part := all
		part.Files, part.Root, part.FS = byRoot[root], root, workdir.FilesBelow(root)
		parts = append(parts, part)
	}
	return parts
}

// outdatedResult is the result of the command.
type outdatedResult struct {
	Artifacts []artifacts.Outdated `json:"artifacts" doc:"those of which there is something newer, and those whose registry did not answer"`
}

// printOutdated prints a line for one artifact.
func printOutdated(a *app, o artifacts.Outdated) error {
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
	_, err := fmt.Fprintln(a.Stdout, report.Visible(o.Reference+" -> "+strings.Join(notes, ", ")))
	return err
}
