package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Certainty says how sure it is that a fix does what the author wants.
type Certainty uint8

// The certainties.
const (
	// Certain is a fix that keeps the meaning, or has one reading only.
	Certain Certainty = iota + 1
	// Likely is a fix that is right most of the time.
	Likely
	// NeedsPerson is a fix that somebody has to look at before it is applied.
	NeedsPerson
)

// String returns the certainty as logs show it.
func (c Certainty) String() string {
	switch c {
	case Certain:
		return "certain"
	case Likely:
		return "likely"
	case NeedsPerson:
		return "needs a person"
	}
	return "Certainty(?)"
}

// Fix is a change of the file of a finding after which the finding is gone.
type Fix struct {
	Title     string // what it does: "Remove the parameter."
	Certainty Certainty
	Edits     []Edit // in the order of the text; they do not overlap
	Parameter string // that the fix removes, if it removes one
	// Private is set if the texts may hold a secret. Printers leave the fix out.
	Private bool
}

// Edit replaces a part of a text.
type Edit struct {
	Span       source.Span // in bytes
	Start, End source.Position
	Text       string
}

// ChooseFixes returns the fixes of a file that are at least as certain as a level. What
// repairs errors comes alone: other findings may be there because of them.
func ChooseFixes(path string, findings []Finding, level Certainty) []*Fix {
	var all, first []*Fix
	for i := range findings {
		f := &findings[i]
		if f.Fix == nil || f.Path != path || f.Fix.Certainty > level {
			continue
		}
		all = append(all, f.Fix)
		if f.Severity == Error && strings.HasPrefix(f.Code, "BCP") {
			first = append(first, f.Fix)
		}
	}
	if len(first) > 0 {
		return first
	}
	return all
}

// ApplyFixes returns the text with fixes applied, and how many were. A fix that
// overlaps an earlier one is left out, unless it is the same.
func ApplyFixes(text string, fixes []*Fix) (string, int) {
	var done changes
	applied := 0
	for _, f := range fixes {
		if len(f.Edits) == 0 || !done.takes(f.Edits, len(text)) {
			continue
		}
		for _, e := range f.Edits {
			done.add(change{e.Span, e.Text})
		}
		applied++
	}
	var b strings.Builder
	at := int32(0)
	for _, c := range done {
		b.WriteString(text[at:c.span.Start])
		b.WriteString(c.text)
		at = c.span.End
	}
	b.WriteString(text[at:])
	return b.String(), applied
}

// change is the replacement of a part of a text.
type change struct {
	span source.Span
	text string
}

// changes are changes that can be made together, by place.
type changes []change

// near returns the changes that touch a part of the text: all that it may overlap. Fixes
// are sorted by place, so these are usually near the end.
func (l changes) near(span source.Span) (from, to int) {
	from, _ = slices.BinarySearchFunc(l, span.Start, func(c change, at int32) int { return cmp.Compare(c.span.End, at) })
	for to = from; to < len(l) && l[to].span.Start <= span.End; to++ {
	}
	return from, to
}

// takes reports whether edits can be made as well.
func (l changes) takes(edits []Edit, size int) bool {
	for _, e := range edits {
		if e.Span.Start < 0 || e.Span.End < e.Span.Start || int(e.Span.End) > size {
			return false
		}
		from, to := l.near(e.Span)
		for _, c := range l[from:to] {
			if overlap(c.span, e.Span) && (c != change{e.Span, e.Text}) {
				return false
			}
		}
	}
	return true
}

// add puts a change in its place, unless it is there.
func (l *changes) add(c change) {
	from, to := l.near(c.span)
	if slices.Contains((*l)[from:to], c) {
		return
	}
	for from < to && (*l)[from].span.Start < c.span.Start {
		from++
	}
	*l = slices.Insert(*l, from, c)
}

// overlap reports whether two changes cannot be made together. Parts that touch can,
// unless nothing is replaced in one of them: where its text goes would be open.
func overlap(a, b source.Span) bool {
	if a.Len() == 0 || b.Len() == 0 {
		return a.Start <= b.End && b.Start <= a.End
	}
	return a.Start < b.End && b.Start < a.End
}
