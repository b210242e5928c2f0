package types

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Guess returns the candidate that a misspelt name most likely means, and whether it is the only one near.
// A candidate that differs in case only wins at once. Otherwise it may need one
// change for every three characters of the name, and the last of the best
// candidates is taken.
func Guess(name string, candidates []string) diag.Suggestion {
	if len(candidates) > MaxCandidates {
		for _, c := range candidates {
			if len(c) == len(name) && strings.EqualFold(name, c) {
				return diag.Suggestion{Name: c, Only: true}
			}
		}
		return diag.Suggestion{}
	}
	n := source.UTF16Len(name)
	allowed := n * 34 / 100
	maxLength := min(allowed, 2)
	limit := allowed + 1
	best := ""
	caseOnly, near := false, 0
	var upper, other []uint16
	var rows [2][]int
	for _, c := range candidates {
		cl := source.UTF16Len(c)
		if c == "" || n-cl > maxLength || cl-n > maxLength {
			continue
		}
		if strings.EqualFold(name, c) {
			return diag.Suggestion{Name: c, Only: true}
		}
		if cl < 3 {
			continue
		}
		if upper == nil {
			upper = appendUpper(nil, name)
		}
		other = appendUpper(other[:0], c)
		d := distance(upper, other, allowed, &rows)
		if d >= 0 {
			near++
		}
		switch {
		case d < 0, d >= limit, caseOnly:
		case d < 2:
			caseOnly = true
			best = c
		default:
			limit = d
			best = c
		}
	}
	return diag.Suggestion{Name: best, Only: near == 1}
}

// MaxCandidates is how many names a misspelt one is compared with. If there are more, only a name
// that differs in case is found, because thousands of names may be misspelt as well.
const MaxCandidates = 1000

// nameList holds names for messages, in their order.
type nameList struct {
	sorted []string
	folded map[string]string // in lower case, to themselves; if there are too many for Suggest
}

func newNameList(names []string) *nameList {
	collate.SortFunc(names, func(n string) string { return n })
	l := &nameList{sorted: names}
	if len(names) > MaxCandidates {
		l.folded = make(map[string]string, len(names))
		for _, n := range names {
			if f := strings.ToLower(n); l.folded[f] == "" {
				l.folded[f] = n
			}
		}
	}
	return l
}

// suggest is Guess among these names.
func (l *nameList) suggest(name string) diag.Suggestion {
	if l.folded != nil {
		return diag.Suggestion{Name: l.folded[strings.ToLower(name)], Only: true}
	}
	return Guess(name, l.sorted)
}

// appendUpper appends the UTF-16 units of a text in upper case.
func appendUpper(to []uint16, s string) []uint16 {
	for _, r := range s {
		to = utf16.AppendRune(to, unicode.ToUpper(r))
	}
	return to
}

// distance is the Levenshtein distance, or -1 if it is above limit. rows are buffers that are used
// again.
func distance(a, b []uint16, limit int, rows *[2][]int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return -1
	}
	for i := range rows {
		rows[i] = slices.Grow(rows[i][:0], len(b)+1)[:len(b)+1]
	}
	prev, cur := rows[0], rows[1]
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			if a[i-1] == b[j-1] {
				cur[j] = prev[j-1]
			} else {
				cur[j] = 1 + min(prev[j], cur[j-1], prev[j-1])
			}
			least = min(least, cur[j])
		}
		if least > limit {
			return -1
		}
		prev, cur = cur, prev
	}
	if prev[len(b)] > limit {
		return -1
	}
	return prev[len(b)]
}
