package diag

import (
	"slices"
	"sort"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Finding is a diagnostic as it is shown: its place counted in lines and
// columns, its message put together. It is what leaves the compiler, whichever
// compiler that was, and what the printers take.
type Finding struct {
	Path     string // "" when the finding concerns no file
	Start    source.Position
	End      source.Position // the zero Position when only the start is known
	Severity Severity
	Code     string
	Message  string
	URL      string
	Line     string // the text of the line that Start is on, for the caret
	Rule     *Rule  // the entry of the catalogue; nil if it has none for the code
}

// Finding returns the diagnostic as it is shown.
func (d Diagnostic) Finding() Finding {
	f := Finding{Severity: d.Severity, Code: d.Rule.Code, Message: d.Message(), URL: d.Rule.Page(), Rule: d.Rule}
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
func Findings(entry string, list List) []Finding {
	if len(list) == 0 {
		return nil
	}
	out := make([]Finding, 0, len(list))
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
		if !slices.Contains(kept[first:], f) {
			kept = append(kept, f)
		}
	}
	return kept
}

// AnyError reports whether one of the findings is an error.
func AnyError(findings []Finding) bool {
	for i := range findings {
		if findings[i].Severity == Error {
			return true
		}
	}
	return false
}

// String returns the severity as diagnostics show it.
func (s Severity) String() string {
	switch s {
	case Error:
		return "Error"
	case Warning:
		return "Warning"
	case Info:
		return "Info"
	case Off:
		return "Off"
	}
	return "Severity(?)"
}
