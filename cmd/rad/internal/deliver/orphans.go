package deliver

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
)

// orphans returns the manifests of Bicep templates that no listed target makes, in the folders that
// the targets write manifests to. base is the folder of the settings that list them: what is outside
// of it, or belongs to settings of a folder in it, may be the manifest of other targets.
func (g *Delivery) orphans(outcomes []*run.Outcome, base string) ([]string, error) {
	var folders, made []string
	for _, r := range outcomes {
		path := r.Target.AbsOutfile()
		made = append(made, path)
		if folder := filepath.Dir(path); r.Kind == nil && !slices.Contains(folders, folder) && ownFolder(folder, base) {
			folders = append(folders, folder)
		}
	}
	var found []string
	for _, folder := range folders {
		entries, err := g.Bounds.Entries(folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			ext := strings.ToLower(filepath.Ext(path))
			if !e.Type().IsRegular() || ext != ".yaml" && ext != ".yml" && ext != ".json" || slices.Contains(made, path) {
				continue
			}
			content, err := g.Bounds.ReadFile(path)
			if err != nil || !manifest.HoldsBicep(content) ||
				slices.ContainsFunc(made, func(o string) bool { return workdir.SameFile(path, o) }) {
				continue // what cannot be read is not known to be ours
			}
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	others, err := g.Seen.OutfilesBelow(base)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(path string) bool { return slices.Contains(others, path) }), nil
}

// ownFolder reports whether a folder belongs to the settings of the folder base.
func ownFolder(folder, base string) bool {
	if !workdir.Within(base, folder) {
		return false
	}
	for dir := folder; dir != base && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if workdir.Exists(filepath.Join(dir, settings.FileName)) {
			return false
		}
	}
	return true
}

// judgeOrphans says which manifests no target makes any more. They are deleted with --prune, and
// fail --check. changed is true if there are any of which either is so.
func (g *Delivery) judgeOrphans(outcomes []*run.Outcome) (changed bool, err error) {
	base := g.Seen.CompleteFolder()
	if base == "" || g.Options.Watch || g.Options.Diff != "" && !g.Options.Check {
		return false, nil
	}
	paths, err := g.orphans(outcomes, base)
	if err != nil {
		return false, err
	}
	for _, path := range paths {
		shown := g.Shown(path)
		g.orphaned = append(g.orphaned, workdir.Slashed(shown))
		switch {
		case g.Options.Prune:
			if err := g.Bounds.Remove(path); err != nil {
				return changed, cli.FailWith(cli.ExitIO, err)
			}
			g.Reporter.Say("%s deleted: no target makes it any more", shown)
		case g.Options.Check && g.Reporter.Printer.Format != report.Text:
			g.Reporter.Put(report.Finding{Path: path, Severity: report.Error, Code: "orphan-manifest",
				Message: "No target makes this manifest any more; delete it with --prune, or list its target."})
		case g.Options.Check:
			g.Reporter.Say("%s: no target makes this manifest any more; delete it with %s, or list its target", shown,
				strings.Join(g.repeated("rad bicep generate-kubernetes-manifest", "--prune"), " "))
		default:
			g.Reporter.Notice(fmt.Sprintf("%s: no target makes this manifest any more; --prune deletes it", shown))
		}
	}
	return len(paths) > 0 && (g.Options.Prune || g.Options.Check), nil
}
