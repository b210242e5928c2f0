// Package spell finds the name that was probably meant.
package spell

import (
	"sort"
	"strings"
	"unicode/utf16"
)

// Suggest returns the candidate that is nearest to name, or "" if none is near.
// Whether there is one decides between two diagnostics, so the rule is the
// official compiler's: one insertion, deletion or replacement for about every
// three characters, case aside; of equally near ones the last.
//
// Candidates are taken in the order given; sort them with Sort first.
func Suggest(name string, candidates []string) string {
	n := utf16.Encode([]rune(name))
	allowed := len(n) * 34 / 100
	maxDistance := allowed + 1
	maxGap := min(allowed, 2)
	upper := fold(n)
	best, onlyFold := "", false
	var d distance
	for _, c := range candidates {
		if c == "" {
			continue
		}
		u := utf16.Encode([]rune(c))
		if gap := len(u) - len(n); gap > maxGap || -gap > maxGap {
			continue
		}
		cu := fold(u)
		if string(utf16.Decode(cu)) == string(utf16.Decode(upper)) {
			return c
		}
		if onlyFold || len(u) < 3 {
			continue
		}
		switch k := d.of(upper, cu, maxDistance-1); {
		case k < 0:
		case k < 2:
			best, onlyFold = c, true
		default:
			best, maxDistance = c, k
		}
	}
	return best
}

func fold(u []uint16) []uint16 {
	return utf16.Encode([]rune(strings.ToUpper(string(utf16.Decode(u)))))
}

// distance counts edits between two texts, keeping two rows of the table.
type distance struct{ previous, current []int }

// of returns the number of edits, or -1 if it is more than limit. Only a band
// of the table along its diagonal is filled.
func (d *distance) of(a, b []uint16, limit int) int {
	if gap := len(a) - len(b); gap > limit || -gap > limit {
		return -1
	}
	if cap(d.previous) <= len(b) {
		d.previous, d.current = make([]int, len(b)+1), make([]int, len(b)+1)
	}
	previous, current := d.previous[:len(b)+1], d.current[:len(b)+1]
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-limit), min(len(b), i+limit)
		least := i
		current[0] = i
		for j := 1; j < from; j++ {
			current[j] = limit + 1
		}
		for j := from; j <= to; j++ {
			if a[i-1] == b[j-1] {
				current[j] = previous[j-1]
			} else {
				current[j] = 1 + min(previous[j], current[j-1], previous[j-1])
			}
			least = min(least, current[j])
		}
		for j := to + 1; j <= len(b); j++ {
			current[j] = limit + 1
		}
		if least > limit {
			return -1
		}
		previous, current = current, previous
	}
	if k := previous[len(b)]; k <= limit {
		return k
	}
	return -1
}

// Sort puts names in the order in which candidates are tried, without regard to
// case, and leaves out those that differ from one before only in case.
func Sort(names []string) []string {
	sort.SliceStable(names, func(i, j int) bool { return strings.ToUpper(names[i]) < strings.ToUpper(names[j]) })
	kept := names[:0]
	for i, n := range names {
		if i == 0 || !strings.EqualFold(n, kept[len(kept)-1]) {
			kept = append(kept, n)
		}
	}
	return kept
}
