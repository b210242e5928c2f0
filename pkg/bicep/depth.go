package bicep

import (
	"fmt"

	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// A template holds its modules, so the template of n modules that are in each other is as large as n squared. What
// is to be expanded and nests too deeply for that is refused before it is written.

// tooDeep returns the finding for modules that nest more deeply in a file than an expansion goes, or nil.
func tooDeep(program *graph.Program, f *graph.File) *report.Finding {
	limit := expand.DefaultLimits().Modules
	d := depths{of: make([]int, len(program.Files))}
	if f == nil || d.below(f) <= limit {
		return nil
	}
	for range limit {
		f = d.deepest(f).File
	}
	at := d.deepest(f).Stmt
	return &report.Finding{
		Path: f.Path, Start: f.Source.Position(at.Span().Start), Severity: report.Error, Code: expand.CodeCannotExpand,
		Message: fmt.Sprintf("Modules nest more than %d levels deep.", limit),
	}
}

// depths knows how deep modules nest in files, by graph.File.Index: one more than that, and 0 before it is asked for.
type depths struct{ of []int }

// below returns how deep modules nest in a file. There are no cycles.
func (d *depths) below(f *graph.File) int {
	if d.of[f.Index] == 0 {
		d.of[f.Index] = 1
		if r := d.deepest(f); r != nil {
			d.of[f.Index] = d.below(r.File) + 2
		}
	}
	return d.of[f.Index] - 1
}

// deepest returns the module of a file in which modules nest most deeply, the first of several; nil if there is none.
func (d *depths) deepest(f *graph.File) (deepest *graph.Reference) {
	for _, r := range f.References {
		if _, isModule := r.Stmt.(*syntax.Module); isModule && r.File != nil &&
			(deepest == nil || d.below(r.File) > d.below(deepest.File)) {
			deepest = r
		}
	}
	return deepest
}
