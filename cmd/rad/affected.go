package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"

	"github.com/radbicep/rad/cmd/rad/internal/project"

	"github.com/radbicep/rad/cmd/rad/internal/deliver"
)

// affectedOptions are the flags of affected that are not settings.
type affectedOptions struct {
	parameters []string
	base       string
	deps       string
	exitCode   bool
	null       bool
}

func newAffected(a *app) *cobra.Command {
	var o affectedOptions
	c := &cobra.Command{
		Use:   "affected [app.bicep | template.json | app.bicepparam | folder | 'glob']...",
		Short: "List the targets that a change can alter",
		Long: `List the targets that a change since a git revision can alter, by what compiling them reads:
modules, loaded files and lists of files, parameter files, bicepconfig.json on every level,
bicep.lock.json, vendored artifacts, and the settings in .rad/bicep.yaml.

--base REV compares the work tree, with files that git does not know, with the last common
commit of REV and HEAD, so that what came to REV since then does not count. --base A..B
compares two revisions as they are. Nothing is checked out and no connection is opened.

Arguments and --parameters are those of generate-kubernetes-manifest. Without arguments, the
targets that .rad/bicep.yaml lists are looked at. Each line of the output names the template of
a target; --format json tells the targets apart, and why each is listed. A name that begins
with a dash or an @ is printed as ./NAME, so no command takes it for an option. --null prints
names as xargs -0 reads them, whatever they hold.

Exit status: 0 done, 1 some are affected (--exit-code), 3 wrong usage or settings, 4 files or git.`,
		Example: `  rad bicep affected 'deploy/**/*.bicepparam' --base origin/main
  rad bicep affected app.bicep --base HEAD --format json
  rad bicep affected --base origin/main -0 | xargs -0 -r rad bicep lint --`,
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam", "json"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.affected(c, args, &o)
		},
	}
	f := c.Flags()
	addParameters(c, &o.parameters)
	f.StringVar(&o.base, "base", "", "git revision `REV` to compare with, or two as A..B")
	f.StringVar(&o.deps, "deps", "", "write what all targets read to `FILE`, for make; --base is optional then")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit 1 if a target is affected")
	f.BoolVarP(&o.null, "null", "0", false, "end each name with a NUL byte, for xargs -0")
	settings.AddFlags(c, settings.Affected)
	a.TakesFormat(c, "text", "json")
	return c
}

// affectedResult is the result of affected.
type affectedResult struct {
	Base    string           `json:"base,omitempty" doc:"the commit that is compared with"`
	Total   int              `json:"total" doc:"how many targets there are"`
	Targets []affectedTarget `json:"targets" doc:"those that the change can alter"`
	Removed []targetName     `json:"removed" doc:"targets that the revision has and that are there no more"`
}

// targetName identifies a target.
type targetName struct {
	Template string `json:"template" doc:"the .bicep, .bicepparam or .json file"`
	Outfile  string `json:"outfile" doc:"where generate-kubernetes-manifest writes its manifest"`
	Name     string `json:"name,omitempty" doc:"the manifest's name, if the settings say it"`
}

type affectedTarget struct {
	targetName
	Reasons []reason `json:"reasons" doc:"what it reads and what has changed"`
}

// reason is a change that a target depends on.
type reason struct {
	Kind string `json:"kind" enum:"added,changed,deleted,listing,setting,target" doc:"of a file; listing: files in a folder; setting: in the settings file; target: the target is new, or defined in another way"`
	Path string `json:"path,omitempty"`
	Key  string `json:"key,omitempty" doc:"the setting"`
}

// affecter finds out what a change alters.
type affecter struct {
	*generator
	options *affectedOptions
	base    *generator // reads what is compared with; nil without --base
	now     source.FS  // what is compared

	mu   sync.Mutex
	memo map[workdir.Read]string
}

func (a *app) affected(c *cobra.Command, args []string, o *affectedOptions) (err error) {
	if o.base == "" && o.deps == "" {
		return cli.Fail(cli.ExitUsage, "--base is missing: the revision to compare with, such as origin/main")
	}
	if o.null && a.WantsJSON() {
		return cli.Fail(cli.ExitUsage, "--null ends the names of --format text; it cannot be used with --format json")
	}
	g, err := a.newGenerator(c, settings.Affected, args, &generateOptions{Flags: project.Flags{Parameters: o.parameters}})
	if err != nil {
		return err
	}
	if g.Project.External {
		return cli.Fail(cli.ExitUsage, "affected needs the embedded compiler: what another one reads is not known")
	}
	g.Project.Base.NoRestore = true
	g.Partial, g.AbsentInputs = true, true
	defer func() { err = g.Found.End(err) }()
	x := &affecter{generator: g, options: o, memo: map[workdir.Read]string{}}
	closeTrees, err := x.openBase(c.Context())
	if err != nil {
		return err
	}
	defer closeTrees()
	tasks, err := g.TargetsAt(args)
	if err == nil {
		err = g.CheckOptions(tasks)
	}
	if err != nil {
		return err
	}
	traces := x.traceAll(c.Context(), tasks)
	if err := c.Context().Err(); err != nil {
		return err
	}
	if o.deps != "" {
		if err := x.writeDeps(tasks, traces); err != nil {
			return err
		}
	}
	if x.base == nil {
		return nil
	}
	var was []*project.Target
	if len(args) == 0 {
		if was, err = x.base.TargetsAt(nil); err != nil {
			// A revision whose settings are wrong made other targets, if any.
			g.Found.Notice(fmt.Sprintf("%v; all targets count as new", err))
			was = nil
		}
	}
	result, err := x.compareAll(tasks, traces, was, len(args) == 0)
	if err != nil {
		return err
	}
	a.Result = result
	if !a.WantsJSON() {
		if err := x.print(result); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	if o.exitCode && len(result.Targets)+len(result.Removed) > 0 {
		return cli.Silent(cli.ExitStale)
	}
	return nil
}

// openBase opens the revisions of --base.
func (x *affecter) openBase(ctx context.Context) (func(), error) {
	if x.options.base == "" {
		return func() {}, nil
	}
	revisions := strings.SplitN(x.options.base, "..", 2)
	if len(revisions) == 1 {
		switch ancestor, err := gittree.MergeBase(ctx, x.Folder, revisions[0]); {
		case err == nil:
			revisions[0] = ancestor
		case errors.Is(err, gittree.ErrNoMergeBase):
			x.Found.Notice(fmt.Sprintf("--base %s: it has no common ancestor with HEAD here, as in a shallow clone; it is compared as it is", revisions[0]))
		}
		// Another error is that of opening the revision, in better words.
	}
	trees, closeAll, err := x.OpenRevisions(ctx, x.options.base, revisions...)
	if err != nil {
		return nil, err
	}
	x.base, x.now = x.generator.at(trees[0]), workdir.FilesBelow(x.Project.Base.Root)
	if len(trees) == 2 {
		x.Tree = trees[1]
		x.now = x.Tree
	}
	return closeAll, nil
}

// traceAll compiles all tasks, and returns what each one read.
func (x *affecter) traceAll(ctx context.Context, tasks []*project.Target) []*workdir.Trace {
	traces := make([]*workdir.Trace, len(tasks))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, t := range tasks {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if ctx.Err() == nil {
				traces[i] = x.traceOne(ctx, t)
			}
		})
	}
	wg.Wait()
	return traces
}

// traceOne compiles a task and reads its parameters. What is wrong with them is for other
// commands to say: what was read until then decides that it is wrong.
func (x *affecter) traceOne(ctx context.Context, t *project.Target) *workdir.Trace {
	g := x.generator.traced(workdir.NewTrace())
	read := *t
	read.Args = slices.DeleteFunc(slices.Clone(t.Args), func(a params.Arg) bool { return a.Kind == params.ArgStdin || a.Kind == params.ArgEnvironment })
	g.Load(ctx, &read, func(s *generate.Source) { s.AsCompiled, s.ReadOn, s.Missing = true, true, generate.MissingAny })
	// Types that the settings name are read in another way.
	if path := g.Project.Base.AzTypes; path != "" && path != bicep.NoAzTypes {
		if abs, err := filepath.Abs(path); err == nil {
			g.Reads.NoteFile(abs)
		}
	}
	return g.Reads
}

// compareAll compares what the tasks read with the revision.
func (x *affecter) compareAll(tasks []*project.Target, traces []*workdir.Trace, was []*project.Target, listed bool) (affectedResult, error) {
	result := affectedResult{Base: x.base.Tree.Revision, Total: len(tasks), Targets: []affectedTarget{}, Removed: []targetName{}}
	settings := x.settingsChanges()
	for i, t := range tasks {
		var reasons []reason
		if listed {
			if o := counterpart(t, &was); o == nil || !sameTarget(o, t) {
				reasons = append(reasons, reason{Kind: "target", Path: x.shown(x.Project.File.Path)})
			}
		}
		reasons = append(reasons, settings...)
		for _, r := range traces[i].All() {
			kind, err := x.compare(r)
			if err != nil {
				return result, err
			}
			if kind == "" || slices.ContainsFunc(reasons, func(o reason) bool { return o.Path == x.shown(r.Path) }) {
				continue
			}
			reasons = append(reasons, reason{Kind: kind, Path: x.shown(r.Path)})
		}
		for _, folder := range traces[i].Folders() {
			if x.listingDiffers(traces[i], folder) {
				reasons = append(reasons, reason{Kind: "listing", Path: x.shown(folder)})
			}
		}
		if len(reasons) > 0 {
			result.Targets = append(result.Targets, affectedTarget{nameOf(t), reasons})
		}
	}
	for _, t := range was {
		result.Removed = append(result.Removed, nameOf(t))
	}
	return result, nil
}

func nameOf(t *project.Target) targetName {
	return targetName{workdir.Slashed(t.Arg), workdir.Slashed(t.Outfile), t.Name}
}

// sameTarget reports whether two targets are defined alike.
func sameTarget(a, b *project.Target) bool {
	x, y := *a, *b
	x.Listed, y.Listed = "", "" // its place in the list
	return reflect.DeepEqual(x, y)
}

// shown returns a path relative to the top of the work tree.
func (x *affecter) shown(path string) string {
	for _, top := range []string{x.base.Tree.Top(), x.Project.Bounds.Dir, x.Project.Bounds.Resolved} {
		if rel, err := filepath.Rel(top, path); err == nil && filepath.IsLocal(rel) {
			return workdir.Slashed(rel)
		}
	}
	return workdir.Slashed(path)
}

// compare says how what was read differs in the revision: added, changed or deleted, or ""
// if it does not. Files outside of the repository do not change with it.
func (x *affecter) compare(r workdir.Read) (string, error) {
	x.mu.Lock()
	kind, known := x.memo[r]
	x.mu.Unlock()
	if known {
		return kind, nil
	}
	kind, err := x.difference(r)
	x.mu.Lock()
	x.memo[r] = kind
	x.mu.Unlock()
	return kind, err
}

func (x *affecter) difference(r workdir.Read) (string, error) {
	tree := x.base.Tree
	if !tree.Contains(r.Path) {
		return "", nil
	}
	var outside *source.OutsideError
	before, err := tree.Stat(r.Path)
	if err != nil && !workdir.IsMissing(err) {
		if errors.As(err, &outside) {
			return "", nil
		}
		return "", cli.FailWith(cli.ExitIO, &cli.GitError{Err: err})
	}
	after, err2 := x.Stat(r.Path)
	if err2 != nil && !workdir.IsMissing(err2) {
		if errors.As(err2, &outside) {
			return "", nil // it is not read on either side
		}
		return "changed", nil // it cannot be read now
	}
	switch {
	case err != nil && err2 != nil:
		return "", nil
	case err != nil:
		return "added", nil
	case err2 != nil:
		return "deleted", nil
	case before.IsDir() != after.IsDir():
		return "changed", nil
	case !r.Content || before.IsDir():
		return "", nil
	}
	content, err := x.ReadRaw(r.Path)
	if err != nil {
		return "changed", nil
	}
	same, err := tree.HasContent(r.Path, content)
	if err != nil {
		return "changed", nil // a submodule, or what else git has no content of
	}
	if !same {
		return "changed", nil
	}
	return "", nil
}

// listingDiffers reports whether a folder has other files, of those that were looked for.
func (x *affecter) listingDiffers(t *workdir.Trace, folder string) bool {
	if !x.base.Tree.Contains(folder) {
		return false
	}
	names := func(fsys source.FS) map[string]bool {
		list, err := workdir.FileNames(fsys, folder, filepath.Join)
		if err != nil {
			return nil // whether there is such a folder was asked for, too
		}
		maps.DeleteFunc(list, func(name string, _ bool) bool { return !t.Listed(folder, name) })
		return list
	}
	return !maps.Equal(names(x.base.Tree), names(x.now))
}

// settingsChanges returns how the project's settings differ, but for its targets.
func (x *affecter) settingsChanges() []reason {
	var list []reason
	for _, path := range x.settingsPlaces() {
		if !x.base.Tree.Contains(path) {
			continue
		}
		before, err := x.base.SettingsAt(path, true)
		if err != nil {
			return []reason{{Kind: "changed", Path: x.shown(path)}}
		}
		after := settings.NewFile(path)
		if text, err := x.ReadRaw(path); err == nil {
			if err := after.Parse(text); err != nil {
				return []reason{{Kind: "changed", Path: x.shown(path)}}
			}
		}
		keys := map[string]bool{}
		for _, values := range []map[string]any{before.Values, after.Values} {
			for key := range values {
				if !settings.Of(key).Harmless && !reflect.DeepEqual(before.Values[key], after.Values[key]) {
					keys[key] = true
				}
			}
		}
		if !maps.Equal(before.Labels, after.Labels) {
			keys["labels"] = true
		}
		if !maps.Equal(before.Annots, after.Annots) {
			keys["annotations"] = true
		}
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			list = append(list, reason{Kind: "setting", Path: x.shown(path), Key: key})
		}
	}
	return list
}

// settingsPlaces returns the settings files that count now, or in the revision.
func (x *affecter) settingsPlaces() []string {
	var list []string
	if path := x.Project.File.Path; path != "" && filepath.Base(path) == filepath.Base(settings.FileName) {
		list = append(list, path)
	}
	for dir := x.Folder; x.base.Tree.Contains(dir); dir = filepath.Dir(dir) {
		path := filepath.Join(dir, settings.FileName)
		if info, err := x.base.Tree.Stat(path); err == nil && !info.IsDir() {
			if !slices.Contains(list, path) {
				list = append(list, path)
			}
			break
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return list
}

// print writes a line for each template that is affected. The names are those of a stranger's
// branch, and are handed to other commands.
func (x *affecter) print(result affectedResult) error {
	seen := map[string]bool{}
	for _, t := range result.Targets {
		if seen[t.Template] {
			continue
		}
		seen[t.Template] = true
		line := cli.ShowControls(cli.AsArgument(t.Template)) + "\n"
		if x.options.null {
			line = cli.AsArgument(t.Template) + "\x00"
		}
		if _, err := io.WriteString(x.Stdout, line); err != nil {
			return err
		}
	}
	for _, t := range result.Removed {
		x.Found.Notice(fmt.Sprintf("%s is no longer a target; its manifest was %s", t.Template, t.Outfile))
	}
	return nil
}

// writeDeps writes what all targets read.
func (x *affecter) writeDeps(tasks []*project.Target, traces []*workdir.Trace) error {
	var rules deliver.Rules
	for i, t := range tasks {
		rules.Add(t.Outfile, deliver.Dependencies(x.Project, traces[i], t.Outfile, deliver.SettingsInputs(x.Project)))
	}
	return rules.Write(x.Project, x.options.deps)
}
