package diag

import (
	"cmp"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Finding returns the diagnostic as it is shown.
func (d Diagnostic) Finding() report.Finding {
	return d.finding(d.Kind.finding())
}

// finding returns what all findings of a kind have in common.
func (k Kind) finding() report.Finding {
	return report.Finding{Code: k.Code(), URL: k.Page(), Summary: k.Summary(), Default: k.Level(), Hint: k.Hint()}
}

// finding adds what only this diagnostic has to what all findings of its kind have.
func (d *Diagnostic) finding(f report.Finding) report.Finding {
	f.Severity, f.Message, f.Fix, f.Consequence = d.Severity, d.Message(), d.Fix, d.Consequence
	if d.Kind == BCP081 {
		f.ResourceType, _ = d.Args[0].(string)
	}
	for _, a := range d.Args {
		switch a := a.(type) {
		case *source.OutsideError:
			f.Cause = a
			f.AddFile(a.Path)
		case error:
			f.Cause = a
		case Words:
			for _, name := range a.Files {
				f.AddFile(name)
			}
		}
	}
	if d.File != nil {
		if d.Inherited != nil {
			name := d.Inherited.File.Path
			f.Message = d.inherited(name)
			f.AddFile(name)
		}
		f.Path = d.File.Path
		f.Start = d.File.Position(d.Span.Start)
		f.End = d.File.Position(d.Span.End)
		f.Line = d.File.Line(f.Start.Line)
		if d.Severity == Error && source.IsConflictMarker(f.Line) {
			f.Message = "A merge conflict is not resolved here. Keep one of its sides, and remove the lines of the markers."
		}
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
	list = list.readable().unique().first()
	if len(list) == 0 {
		return nil
	}
	out := make([]report.Finding, len(list))
	kinds := map[Kind]report.Finding{}
	for i := range list {
		d := &list[i]
		of, ok := kinds[d.Kind]
		if !ok {
			of = d.Kind.finding()
			kinds[d.Kind] = of
		}
		out[i] = d.finding(of)
	}
	return out
}

// readable leaves out what else is wrong with files that are not UTF-8.
func (l List) readable() List {
	unreadable := map[*source.File]bool{}
	for i := range l {
		if l[i].Kind == NotUTF8 {
			unreadable[l[i].File] = true
		}
	}
	if len(unreadable) == 0 {
		return l
	}
	return slices.DeleteFunc(l, func(d Diagnostic) bool { return d.Kind != NotUTF8 && unreadable[d.File] })
}

// sortByFile orders diagnostics by file, the entry file first, and by place.
func (l List) sortByFile(entry string) {
	slices.SortStableFunc(l, func(a, b Diagnostic) int {
		if p, q := a.path(), b.path(); p != q {
			switch entry {
			case p:
				return -1
			case q:
				return 1
			}
			return strings.Compare(p, q)
		}
		return cmp.Compare(a.Span.Start, b.Span.Start)
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
