package deliver

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// staged fails where git would not commit the manifests as they are now: a file is new to
// it, or its content is not in the index. Files outside of a git work tree do not count.
func (g *Delivery) staged(ctx context.Context, outcomes []*run.Outcome) error {
	var missing []string
	for _, top := range g.workTrees(outcomes) {
		unstaged, err := gittree.Unstaged(ctx, top.dir, top.files)
		if err != nil { // no git here, or no repository after all
			continue
		}
		for _, f := range top.files {
			if rel, err := filepath.Rel(top.dir, f); err == nil && unstaged[filepath.ToSlash(rel)] {
				missing = append(missing, f)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	words := make([]string, len(missing))
	for i, f := range missing {
		words[i] = cli.ShellQuote(cli.AsArgument(g.Shown(f)))
		if g.Reporter.Printer.Format != report.Text {
			g.Reporter.Put(report.Finding{Path: f, Severity: report.Error, Code: "unstaged-manifest",
				Message: fmt.Sprintf("Git would not commit this manifest as it is. Run: git add %s", words[i])})
		}
	}
	if g.Reporter.Printer.Format == report.Text {
		g.Reporter.Say("Git would not commit these manifests as they are. Run:\ngit add %s", strings.Join(words, " "))
	}
	return cli.Silent(cli.ExitStale)
}

// workTree is a git work tree with the manifests that are in it.
type workTree struct {
	dir   string
	files []string // absolute
}

// workTrees returns the git work trees that the manifests are in, in their order.
func (g *Delivery) workTrees(outcomes []*run.Outcome) []*workTree {
	var list []*workTree
	byDir := map[string]*workTree{}
	type place struct{ resolved, top string }
	places := map[string]place{} // of folders
	for _, r := range outcomes {
		path := r.Target.AbsOutfile()
		if _, err := os.Lstat(path); err != nil {
			continue // --check has said so
		}
		folder := filepath.Dir(path)
		at, known := places[folder]
		if !known {
			// Git names files by their real folders.
			if resolved, err := filepath.EvalSymlinks(folder); err == nil {
				at = place{resolved, workdir.GitTop(resolved)}
			}
			places[folder] = at
		}
		if at.top == "" {
			continue
		}
		tree := byDir[at.top]
		if tree == nil {
			tree = &workTree{dir: at.top}
			byDir[at.top], list = tree, append(list, tree)
		}
		tree.files = append(tree.files, filepath.Join(at.resolved, filepath.Base(path)))
	}
	return list
}
