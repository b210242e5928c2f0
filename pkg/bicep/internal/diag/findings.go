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
	if d.Kind == BCP081 {
		f.ResourceType, _ = d.Args[0].(string)
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
// rest of a file is passed over. No user reads more, and random bytes have one at almost every place.
const MaxShown = 10_000

// Findings returns the diagnostics as they are shown: those of the entry file first, the
// other files by path, each file's by place. Diagnostics that are off are left out, and so
// are those that repeat another one. This is the only place where repetitions are removed.
func Findings(entry string, list List) []report.Finding {
	list = slices.DeleteFunc(slices.Clone(list), func(d Diagnostic) bool { return d.Severity == Off || d.Severity == 0 })
	list.sortByFile(entry)
	list = list.unique().first()
	var out []report.Finding
	for _, d := range list {
		out = append(out, d.Finding())
	}
	return out
}

// sortByFile orders diagnostics by file, the entry file first, and by place.
func (l List) sortByFile(entry string) {
	sort.SliceStable(l, func(i, j int) bool {
		a, b := &l[i], &l[j]
		if p, q := a.path(), b.path(); p != q {
			if (p == entry) != (q == entry) {
				return p == entry
			}
			return p < q
		}
		return a.Span.Start < b.Span.Start
	})
}

func (d *Diagnostic) path() string {
	if d.File == nil {
		return ""
	}
	return d.File.Path
}

// unique removes from a sorted list what repeats another diagnostic.
func (l List) unique() List {
	type key struct {
		kind     Kind
		severity Severity
		end      int32
		message  string
	}
	keyOf := func(d *Diagnostic) key { return key{d.Kind, d.Severity, d.Span.End, d.Message()} }
	kept := l[:0]
	first := 0            // of those that begin where this one does
	var seen map[key]bool // those, once there are two
	for _, d := range l {
		n := len(kept)
		if n > 0 && (kept[n-1].Span.Start != d.Span.Start || kept[n-1].path() != d.path()) {
			first, seen = n, nil
		}
		if n > first {
			if seen == nil {
				seen = map[key]bool{keyOf(&kept[first]): true}
			}
			k := keyOf(&d)
			if seen[k] {
				continue
			}
			seen[k] = true
		}
		kept = append(kept, d)
	}
	return kept
}

// first returns the diagnostics that are shown first, and one that counts the others:
// an error if there is one among them.
func (l List) first() List {
	if len(l) <= MaxShown {
		return l
	}
	rest := l[MaxShown:]
	more := TooManyFindings.At(source.Span{Start: rest[0].Span.Start, End: rest[0].Span.Start}, len(rest))
	more.File = rest[0].File
	if rest.HasErrors() {
		more.Severity = Error
	}
	shown := append(l[:MaxShown:MaxShown], more)
	for _, d := range rest {
		if d.Kind == TooManyErrors { // which says why there are so many
			shown = append(shown, d)
		}
	}
	return shown
}
