// Package pragma tells which diagnostics the pragmas of a file silence:
// #disable-next-line, #disable-diagnostics and #restore-diagnostics.
//
// Begin with Silenced. The package decides about diagnostics and removes none: check does.
package pragma

import (
	"cmp"
	"slices"
	"sort"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Silence holds, by code, the spans in which pragmas silence it. The spans of a code are
// in order and do not overlap.
type Silence map[string][]source.Span

// Hides reports whether a diagnostic is silenced. Errors of the compiler never are.
func (s Silence) Hides(d *diag.Diagnostic) bool {
	return (d.FromLinter() || d.Severity != diag.Error) && s.at(d.Code(), d.Span.Start)
}

func (s Silence) at(code string, pos int32) bool {
	spans := s[code]
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End >= pos })
	return i < len(spans) && spans[i].Start <= pos
}

// Silenced returns what the pragmas of a file silence.
func Silenced(f *source.File, pragmas []syntax.Pragma) Silence {
	if len(pragmas) == 0 {
		return nil
	}
	s := Silence{}
	open := map[string]int32{}
	end := int32(len(f.Text))
	for _, p := range pragmas {
		var line source.Span
		if p.Kind == syntax.DisableNextLine {
			line = source.Span{Start: p.Span.Start, End: nextLineEnd(f.Text, p.Span.Start)}
		}
		for _, c := range p.Codes {
			switch p.Kind {
			case syntax.DisableNextLine:
				s[c.Code] = append(s[c.Code], line)
			case syntax.DisableDiagnostics:
				if _, ok := open[c.Code]; !ok {
					open[c.Code] = p.Span.Start
				}
			case syntax.RestoreDiagnostics:
				if from, ok := open[c.Code]; ok {
					s[c.Code] = append(s[c.Code], source.Span{Start: from, End: p.Span.End})
					delete(open, c.Code)
				}
			}
		}
	}
	for code, from := range open {
		s[code] = append(s[code], source.Span{Start: from, End: end})
	}
	for code, spans := range s {
		s[code] = merged(spans)
	}
	return s
}

// merged sorts spans and joins those that overlap.
func merged(spans []source.Span) []source.Span {
	slices.SortFunc(spans, func(a, b source.Span) int { return cmp.Compare(a.Start, b.Start) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}

// nextLineEnd returns where the line after that of a position ends: before the last
// character of its line break.
func nextLineEnd(text string, pos int32) int32 {
	breaks := 0
	for i := int(pos); i < len(text); i++ {
		switch text[i] {
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				continue
			}
		case '\n':
		default:
			continue
		}
		if breaks++; breaks == 2 {
			return int32(i)
		}
	}
	return int32(len(text))
}
