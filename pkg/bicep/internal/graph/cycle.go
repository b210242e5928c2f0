package graph

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/cycles"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// reportCycles takes the file away from every reference to one that is part of
// a cycle, so that following references ends.
func (p *Program) reportCycles() {
	found := cycles.Find(len(p.Files), func(i int) []int {
		refs := p.Files[i].References
		var next []int
		for j, ref := range refs {
			if ref.File != nil && !referredBefore(refs[:j], ref.File) {
				next = append(next, ref.File.Index)
			}
		}
		return next
	})
	if found == nil {
		return
	}
	for _, f := range p.Files {
		for _, ref := range f.References {
			if _, ok := ref.Stmt.(*syntax.Extension); ok || ref.File == nil {
				continue
			}
			cycle := found.Cycle(ref.File.Index)
			switch {
			case cycle == nil:
				continue
			case len(cycle) > 1:
				var chain diag.Words
				chain.Text = diag.Chain(cycle, func(file int) string {
					chain.Files = append(chain.Files, p.Files[file].Path)
					return p.Files[file].Path
				})
				ref.Problem = diag.BCP095.With(chain)
			case p.Files[cycle[0]].Kind == Params:
				ref.Problem = diag.BCP278.With()
			default:
				ref.Problem = diag.BCP094.With()
			}
			ref.File = nil
		}
	}
}

func referredBefore(refs []*Reference, f *File) bool {
	return slices.ContainsFunc(refs, func(r *Reference) bool { return r.File == f })
}
