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
	"github.com/radbicep/rad/cmd/rad/internal/targets"
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
	found, err := g.unmade(folders, made, manifest.HoldsBicep)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, nil
	}
	return g.withoutOthers(found, base)
}

// leftovers returns the files of plain objects, in the folders that this run writes these to, that it does not write.
func (g *Delivery) leftovers(outcomes []*run.Outcome) ([]string, error) {
	var folders, made []string
	for _, r := range slices.Concat(outcomes, g.empty) {
		path := r.Target.AbsOutfile()
		made = append(made, path)
		if folder := filepath.Dir(path); r.Kind.OfAnyKind() && r.Folder != "" && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	found, err := g.unmade(folders, made, func(content []byte) bool {
		return targets.HasHeader(content) && !manifest.IsManifest(content)
	})
	if len(found) == 0 {
		return nil, err
	}
	return g.withoutOthers(found, filepath.Dir(found[0]))
}

// unmade returns the files in folders that are not among those that were made, and whose content is ours.
func (g *Delivery) unmade(folders, made []string, ours func(content []byte) bool) (found []string, err error) {
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
			if err != nil || !ours(content) ||
				slices.ContainsFunc(made, func(o string) bool { return workdir.SameFile(path, o) }) {
				continue // what cannot be read is not known to be ours
			}
			found = append(found, path)
		}
	}
	return found, nil
}

// withoutOthers returns files without those that other targets of the settings of a folder, and of folders below it, make.
func (g *Delivery) withoutOthers(paths []string, base string) ([]string, error) {
	others, err := g.Seen.OutfilesBelow(base)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(paths, func(path string) bool { return slices.Contains(others, path) }), nil
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
	if g.Options.Watch || g.Options.Diff != "" && !g.Options.Check {
		return false, nil
	}
	paths, err := g.leftovers(outcomes)
	left := len(paths)
	words := []string{"rad bicep generate-kubernetes-manifest"}
	if base := g.Seen.CompleteFolder(); base == "" {
		for _, r := range slices.Concat(outcomes, g.empty) {
			if arg := cli.ShellQuote(cli.AsArgument(r.Target.Arg)); !slices.Contains(words, arg) {
				words = append(words, arg)
			}
		}
	} else if err == nil {
		var more []string
		more, err = g.orphans(outcomes, base)
		paths = append(paths, more...)
	}
	if err != nil {
		return false, err
	}
	prune := strings.Join(g.repeated(append(words, "--prune")...), " ")
	for i, path := range paths {
		shown, why, or := g.Shown(path), "no target makes this manifest any more", ", or list its target"
		if i < left {
			why, or = "this run does not make this file", ""
		}
		g.orphaned = append(g.orphaned, workdir.Slashed(shown))
		switch {
		case g.Options.Prune:
			if err := g.Bounds.Remove(path); err != nil {
				return changed, cli.FailWith(cli.ExitIO, err)
			}
			g.Reporter.Say("%s deleted: %s", shown, strings.NewReplacer("this manifest", "it", "this file", "it").Replace(why))
		case g.Options.Check && g.Reporter.Printer.Format != report.Text:
			g.Reporter.Put(report.Finding{Path: path, Severity: report.Error, Code: "orphan-manifest",
				Message: report.Sentence(why + "; delete it with --prune" + or)})
		case g.Options.Check:
			g.Reporter.Say("%s: %s; delete it with %s%s", shown, why, prune, or)
		default:
			g.Reporter.Notice(fmt.Sprintf("%s: %s; --prune deletes it", shown, why))
		}
	}
	return len(paths) > 0 && (g.Options.Prune || g.Options.Check), nil
}
