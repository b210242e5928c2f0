// Package changed finds the targets that a change of a repository's files affects.
//
// Begin with Finder: Trace compiles a target and notes what it asks of the files, and Compare
// compares the answers with those of a git revision.
package changed

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"
)

// Result is the result of affected.
type Result struct {
	Base    string       `json:"base,omitempty" doc:"the commit that is compared with"`
	Total   int          `json:"total" doc:"how many targets there are"`
	Targets []Target     `json:"targets" doc:"those that the change can alter"`
	Removed []TargetName `json:"removed" doc:"targets that the revision has and that are there no more"`
}

// TargetName identifies a target.
type TargetName struct {
	Template string `json:"template" doc:"the .bicep, .bicepparam or .json file"`
	Outfile  string `json:"outfile" doc:"where generate-kubernetes-manifest writes its manifest"`
	Name     string `json:"name,omitempty" doc:"the manifest's name, if the settings say it"`
}

type Target struct {
	TargetName
	Reasons []Reason `json:"reasons" doc:"what it reads and what has changed"`
}

// Reason is a change that a target depends on.
type Reason struct {
	Kind string `json:"kind" enum:"added,changed,deleted,listing,environment,setting,target,manifest" doc:"of a file; listing: files in a folder; environment: which file it reads depends on an environment variable; setting: in the settings file; target: the target is new, or defined in another way; manifest: what the target writes was changed or deleted"`
	Path string `json:"path,omitempty"`
	Key  string `json:"key,omitempty" doc:"the setting"`
}

// New compares a side with a revision, whose tree may be nil.
func New(now, base project.Side) *Finder {
	x := &Finder{Side: now, base: base, now: workdir.FilesBelow(now.Base.Root),
		memo: map[workdir.Read]string{}, unsure: map[*targets.Target]string{}}
	if now.Tree() != nil {
		x.now = now.Tree()
	}
	return x
}

// Finder finds out what a change alters.
type Finder struct {
	project.Side
	base project.Side // what is compared with
	now  source.FS    // what is compared

	mu   sync.Mutex
	memo map[workdir.Read]string
	// unsure are the parameter files of targets that read a file whose name comes from the environment.
	unsure map[*targets.Target]string
}

// Trace compiles all targets, and returns what each one read.
func (x *Finder) Trace(ctx context.Context, list []*targets.Target) []*workdir.Trace {
	traces := make([]*workdir.Trace, len(list))
	for i, trace := range run.Each(list, run.Workers(len(list)), func(t *targets.Target) *workdir.Trace { return x.traceOne(ctx, t) }) {
		traces[i] = trace
	}
	return traces
}

// codeNotConstant is the code of a finding on a file that is not read, since its name is not constant.
const codeNotConstant = "BCP032"

// traceOne compiles a target and reads its parameters. What is wrong with them is for other
// commands to say: what was read until then decides that it is wrong.
func (x *Finder) traceOne(ctx context.Context, t *targets.Target) *workdir.Trace {
	side := x.Traced(workdir.NewTrace())
	if ctx.Err() == nil {
		p := x.program(ctx, side, t)
		for _, f := range p.Missing {
			if f.Code == codeNotConstant {
				x.mu.Lock()
				x.unsure[t] = f.Path
				x.mu.Unlock()
			}
		}
		if r := run.Recipes(ctx, side, t, asked, &generate.Templates{}); r != nil {
			r.ReadAll(p)
		}
	}
	// Types that the settings name are read in another way.
	if path := side.Base.AzTypes; path != "" && path != bicep.NoAzTypes {
		if abs, err := filepath.Abs(path); err == nil {
			side.Reads.NoteFile(abs)
		}
	}
	return side.Reads
}

// program compiles a target and reads its parameters, but for those that do not come from files.
func (x *Finder) program(ctx context.Context, side project.Side, t *targets.Target) *generate.Program {
	read := *t
	read.Args = slices.DeleteFunc(slices.Clone(t.Args),
		func(a params.Arg) bool { return a.Kind == params.ArgStdin || a.Kind == params.ArgEnvironment })
	return run.Load(ctx, side, &read, asked)
}

func asked(s *generate.Source) {
	s.AsCompiled, s.ReadOn, s.Base.HideEnvironment, s.Base.Lenient, s.Base.NoRestore = true, true, true, true, true
}

// Compare compares what the targets read with the revision.
func (x *Finder) Compare(ctx context.Context, list []*targets.Target,
	traces []*workdir.Trace, was []*targets.Target, listed bool) (Result, error) {
	result := Result{Base: x.base.Tree().Revision, Total: len(list), Targets: []Target{}, Removed: []TargetName{}}
	changed := x.settingsChanges()
	for i, t := range list {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		var reasons []Reason
		if listed {
			if o := targets.Counterpart(t, &was); o == nil || !sameTarget(o, t) {
				reasons = append(reasons, Reason{Kind: "target", Path: x.shown(x.File.Path)})
			}
		}
		for _, r := range changed {
			if r.Key == settings.KeyRecipes && !t.Kind().OfAnyKind() {
				continue
			}
			if r.Key == "" || !t.Says(r.Key) {
				reasons = append(reasons, r)
			}
		}
		for _, r := range traces[i].All() {
			kind, err := x.compare(r)
			if err != nil {
				return result, err
			}
			if kind == "" || slices.ContainsFunc(reasons, func(o Reason) bool { return o.Path == x.shown(r.Path) }) {
				continue
			}
			reasons = append(reasons, Reason{Kind: kind, Path: x.shown(r.Path)})
		}
		if file := x.unsure[t]; file != "" {
			reasons = append(reasons, Reason{Kind: "environment", Path: x.shown(file)})
		}
		for _, folder := range traces[i].Folders() {
			if x.listingDiffers(traces[i], folder) {
				reasons = append(reasons, Reason{Kind: "listing", Path: x.shown(folder)})
			}
		}
		if onlyConfigurations(reasons) && x.sameOutcome(ctx, t) {
			reasons = nil
		}
		if manifest := x.manifestDiffers(t); manifest != nil {
			reasons = append(reasons, *manifest)
		}
		if len(reasons) > 0 {
			result.Targets = append(result.Targets, Target{nameOf(t), reasons})
		}
	}
	for _, t := range was {
		result.Removed = append(result.Removed, nameOf(t))
	}
	return result, nil
}

// onlyConfigurations reports whether nothing has changed but files of the compiler's configuration.
func onlyConfigurations(reasons []Reason) bool {
	return len(reasons) > 0 && !slices.ContainsFunc(reasons, func(r Reason) bool {
		return r.Kind == "target" || r.Kind == "setting" || filepath.Base(filepath.FromSlash(r.Path)) != "bicepconfig.json"
	})
}

// sameOutcome reports whether a target is compiled to the same on both sides, with the same findings. Most of what a
// configuration says is about files that a target does not have, or rules that it keeps.
func (x *Finder) sameOutcome(ctx context.Context, t *targets.Target) bool {
	was, is := x.program(ctx, x.base, t), x.program(ctx, x.Side, t)
	if was.Err != nil || is.Err != nil || !bytes.Equal(was.Text, is.Text) || len(was.Values) != len(is.Values) {
		return false
	}
	for i, v := range was.Values {
		if w := is.Values[i]; v.Name != w.Name || !reflect.DeepEqual(v.Value, w.Value) || !reflect.DeepEqual(v.Reference, w.Reference) {
			return false
		}
	}
	return slices.EqualFunc(was.Findings, is.Findings, func(a, b report.Finding) bool {
		return a.Path == b.Path && a.Start == b.Start && a.Severity == b.Severity && a.Code == b.Code && a.Message == b.Message
	})
}

// manifestDiffers says that what a target writes is not what the revision has, as after an edit by hand. A manifest that
// the revision does not have is not kept in it.
func (x *Finder) manifestDiffers(t *targets.Target) *Reason {
	path, err := filepath.Abs(t.Outfile)
	if err != nil || t.Outfile == "" || !x.base.Tree().Contains(path) {
		return nil
	}
	if info, err := x.base.Tree().Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if kind, err := x.compare(workdir.Read{Path: path, Content: true}); err != nil || kind == "" {
		return nil
	}
	return &Reason{Kind: "manifest", Path: x.shown(path)}
}

func nameOf(t *targets.Target) TargetName {
	return TargetName{workdir.Slashed(t.Arg), workdir.Slashed(t.Outfile), t.Name}
}

// sameTarget reports whether two targets are defined alike.
func sameTarget(a, b *targets.Target) bool {
	x, y := *a, *b
	x.ListedAt, y.ListedAt = "", ""   // its place in the list
	x.Settings, y.Settings = nil, nil // changes of files count by themselves
	return reflect.DeepEqual(x, y)
}

// shown returns a path relative to the top of the work tree.
func (x *Finder) shown(path string) string {
	for _, top := range []string{x.base.Tree().Top(), x.Bounds.Dir, x.Bounds.Resolved} {
		if rel, err := filepath.Rel(top, path); err == nil && filepath.IsLocal(rel) {
			return workdir.Slashed(rel)
		}
	}
	return workdir.Slashed(path)
}

// compare says how what was read differs in the revision: added, changed or deleted, or ""
// if it does not. Files outside of the repository do not change with it.
func (x *Finder) compare(r workdir.Read) (string, error) {
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

func (x *Finder) difference(r workdir.Read) (string, error) {
	tree := x.base.Tree()
	if !tree.Contains(r.Path) {
		return "", nil
	}
	var outside *source.OutsideError
	before, err := tree.Stat(r.Path)
	if err != nil && !source.IsMissing(err) {
		if errors.As(err, &outside) {
			return "", nil
		}
		return "", cli.FailWith(cli.ExitIO, &cli.GitError{Err: err})
	}
	after, err2 := x.Stat(r.Path)
	if err2 != nil && !source.IsMissing(err2) {
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
func (x *Finder) listingDiffers(t *workdir.Trace, folder string) bool {
	if !x.base.Tree().Contains(folder) {
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
	return !maps.Equal(names(x.base.Tree()), names(x.now))
}

// settingsChanges returns how the project's settings differ, but for its targets.
func (x *Finder) settingsChanges() []Reason {
	var list []Reason
	for _, path := range x.settingsPlaces() {
		if !x.base.Tree().Contains(path) {
			continue
		}
		before, err := x.base.SettingsFile(path, true)
		if err != nil {
			return []Reason{{Kind: "changed", Path: x.shown(path)}}
		}
		after := settings.NewFile(path)
		if text, err := x.ReadRaw(path); err == nil {
			if err := after.Parse(text); err != nil {
				return []Reason{{Kind: "changed", Path: x.shown(path)}}
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
		if !reflect.DeepEqual(before.Recipes, after.Recipes) {
			keys[settings.KeyRecipes] = true
		}
		if !maps.Equal(before.Annotations, after.Annotations) {
			keys["annotations"] = true
		}
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			list = append(list, Reason{Kind: "setting", Path: x.shown(path), Key: key})
		}
	}
	return list
}

// settingsPlaces returns the settings files that count now, or in the revision.
func (x *Finder) settingsPlaces() []string {
	var list []string
	if path := x.File.Path; path != "" && filepath.Base(path) == filepath.Base(settings.FileName) {
		list = append(list, path)
	}
	for dir := x.Folder; x.base.Tree().Contains(dir); dir = filepath.Dir(dir) {
		path := filepath.Join(dir, settings.FileName)
		if info, err := x.base.Tree().Stat(path); err == nil && !info.IsDir() {
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
