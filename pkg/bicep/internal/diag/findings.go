package diag

import (
	"slices"
	"sort"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// Finding returns the diagnostic as it is shown.
func (d Diagnostic) Finding() report.Finding {
	f := report.Finding{
		Severity: d.Severity, Code: d.Kind.Code(), Message: d.Message(), URL: d.Kind.Page(),
		Summary: d.Kind.Summary(), Default: d.Kind.Level(),
	}
	for _, a := range d.Args {
		if err, ok := a.(error); ok {
			f.Cause = err
		}
	}
	if d.File != nil {
		f.Path = d.File.Path
		f.Start = d.File.Position(d.Span.Start)
		f.End = d.File.Position(d.Span.End)
		f.Line = d.File.Line(f.Start.Line)
	}
	return f
}

// Findings returns the diagnostics as they are shown: those of the entry file
// first, the other files by path, each file's by place; what is off is left out,
// and so is what says the same at the same place.
func Findings(entry string, list List) []report.Finding {
	if len(list) == 0 {
		return nil
	}
	out := make([]report.Finding, 0, len(list))
	for _, d := range list {
		if d.Severity != Off && d.Severity != 0 {
			out = append(out, d.Finding())
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		if a.Path != b.Path {
			if (a.Path == entry) != (b.Path == entry) {
				return a.Path == entry
			}
			return a.Path < b.Path
		}
		if a.Start.Line != b.Start.Line {
			return a.Start.Line < b.Start.Line
		}
		return a.Start.Column < b.Start.Column
	})
	kept := out[:0]
	first := 0 // of those that begin where this one does
	for _, f := range out {
		if n := len(kept); n > 0 && (kept[n-1].Start != f.Start || kept[n-1].Path != f.Path) {
			first = n
		}
		if !slices.ContainsFunc(kept[first:], func(k report.Finding) bool { return same(k, f) }) {
			kept = append(kept, f)
		}
	}
	return kept
}

// same reports whether two findings are shown alike.
func same(a, b report.Finding) bool {
	a.Cause, b.Cause = nil, nil
	return a == b
}
