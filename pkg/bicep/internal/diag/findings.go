package diag

import (
	"slices"
	"sort"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Finding returns the diagnostic as it is shown.
func (d Diagnostic) Finding() report.Finding {
	f := report.Finding{
		Severity: d.Severity, Code: d.Kind.Code(), Message: d.Message(), URL: d.Kind.Page(),
		Summary: d.Kind.Summary(), Default: d.Kind.Level(), Fix: d.Fix,
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

// MaxShown is how many diagnostics a run shows, and after how many syntax errors the
// rest of a file is passed over. Nobody reads more, and random bytes have one in almost every place.
const MaxShown = 10_000

// first returns the diagnostics that are shown first, and one that counts the others:
// an error if there is one among them.
func first(entry string, list List) List {
	if len(list) <= MaxShown {
		return list
	}
	path := func(d *Diagnostic) string {
		if d.File == nil {
			return ""
		}
		return d.File.Path
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		if p, q := path(a), path(b); p != q {
			if (p == entry) != (q == entry) {
				return p == entry
			}
			return p < q
		}
		return a.Span.Start < b.Span.Start
	})
	rest := list[MaxShown:]
	more := TooManyFindings.At(source.Span{Start: rest[0].Span.Start, End: rest[0].Span.Start}, len(rest))
	more.File = rest[0].File
	if rest.HasErrors() {
		more.Severity = Error
	}
	shown := append(list[:MaxShown:MaxShown], more)
	for _, d := range rest {
		if d.Kind == TooManyErrors { // which says why there are so many
			shown = append(shown, d)
		}
	}
	return shown
}

// Findings returns the diagnostics as they are shown: those of the entry file
// first, the other files by path, each file's by place; what is off is left out,
// and so is what says the same at the same place.
func Findings(entry string, list List) []report.Finding {
	if len(list) == 0 {
		return nil
	}
	list = slices.DeleteFunc(slices.Clone(list), func(d Diagnostic) bool { return d.Severity == Off || d.Severity == 0 })
	list = first(entry, list)
	out := make([]report.Finding, 0, len(list))
	for _, d := range list {
		out = append(out, d.Finding())
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
	first := 0                       // of those that begin where this one does
	var seen map[report.Finding]bool // those, once there are many
	for _, f := range out {
		if n := len(kept); n > 0 && (kept[n-1].Start != f.Start || kept[n-1].Path != f.Path) {
			first, seen = n, nil
		}
		if len(kept)-first > 32 {
			if seen == nil {
				seen = map[report.Finding]bool{}
				for _, k := range kept[first:] {
					seen[shown(k)] = true
				}
			}
			if seen[shown(f)] {
				continue
			}
			seen[shown(f)] = true
		} else if slices.ContainsFunc(kept[first:], func(k report.Finding) bool { return shown(k) == shown(f) }) {
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

// shown is what is shown of a finding: two that are shown alike are one.
func shown(f report.Finding) report.Finding {
	f.Cause, f.Fix = nil, nil
	return f
}
