package types

import (
	"strings"
	"unicode/utf16"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Suggest returns the candidate that a misspelt name most likely means, or "".
// A candidate that differs in case only wins at once. Otherwise it may need one
// change for every three characters of the name, and the last of the best
// candidates is taken.
func Suggest(name string, candidates []string) string {
	n := source.UTF16Len(name)
	allowed := n * 34 / 100
	maxLength := min(allowed, 2)
	limit := allowed + 1
	best := ""
	caseOnly := false
	var upper []uint16
	for _, c := range candidates {
		cl := source.UTF16Len(c)
		if c == "" || n-cl > maxLength || cl-n > maxLength {
			continue
		}
		if strings.EqualFold(name, c) {
			return c
		}
		if caseOnly || cl < 3 {
			continue
		}
		if upper == nil {
			upper = units(name)
		}
		d := distance(upper, units(c), limit-1)
		switch {
		case d < 0:
		case d < 2:
			caseOnly = true
			best = c
		default:
			limit = d
			best = c
		}
	}
	return best
}

func units(s string) []uint16 { return utf16.Encode([]rune(strings.ToUpper(s))) }

// distance is the Levenshtein distance, or -1 if it is above limit.
func distance(a, b []uint16, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return -1
	}
	prev := make([]int, len(b)+1)
	cur := make([]int, len(b)+1)
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
