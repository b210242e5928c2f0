// Package collate orders and finds text the way .NET does by "culture", in the invariant culture: by the root order
// of the Unicode Collation Algorithm.
//
// Each character is one or more elements of three weights (elements.go). Two texts are compared by the first weights of all their
// elements; only if these are the same, by the second ones; and only then by the third ones:
//
//	first    which letter, digit or sign it is; 0 for an accent     a < b, _ < - < 1 < a, 2 < 10 is false
//	second   its accents                                            resume < résumé < resumes
//	third    its case and form, small before large                  a < A, fi < ﬁ, Å > å
//
// Control characters, the joiner of emoji and the like have no element: they are ignored, wherever they are.
package collate

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Compare returns -1, 0 or 1 as a sorts before, with or after b. Different strings
// can sort as equals (they then differ in what is ignored), so sorts
// that use it should be stable.
func Compare(a, b string) int {
	if c, ok := compareASCII(a, b); ok {
		return c
	}
	x, y := elementsOf(a), elementsOf(b)
	if c := compareBy(x, y, func(e element) uint32 { return e.first }); c != 0 {
		return c
	}
	if c := compareBy(x, y, func(e element) uint32 { return uint32(e.second) }); c != 0 {
		return c
	}
	return compareBy(x, y, func(e element) uint32 { return uint32(e.third) })
}

// compareBy compares by one weight; elements without it do not count.
func compareBy(x, y []element, weight func(element) uint32) int {
	for i, j := 0, 0; ; i, j = i+1, j+1 {
		for i < len(x) && weight(x[i]) == 0 {
			i++
		}
		for j < len(y) && weight(y[j]) == 0 {
			j++
		}
		if i == len(x) || j == len(y) {
			return cmp.Compare(len(x)-i, len(y)-j)
		}
		if c := cmp.Compare(weight(x[i]), weight(y[j])); c != 0 {
			return c
		}
	}
}

// compareASCII is Compare for texts that are ASCII up to where they differ; ok is false if they are not.
func compareASCII(a, b string) (order int, ok bool) {
	weights := asciiWeights()
	i, j := 0, 0
	tie := 0 // the first difference in case
	for {
		var x, y ascii
		x, i = nextASCII(weights, a, i)
		y, j = nextASCII(weights, b, j)
		if i > len(a) || j > len(b) {
			return 0, false
		}
		if c := cmp.Compare(x.first, y.first); c != 0 {
			// An accent that follows could belong to either.
			return c, plainAt(a, i) && plainAt(b, j)
		}
		if x.first == 0 {
			return tie, true
		}
		if tie == 0 && x.upper != y.upper {
			tie = 1
			if y.upper {
				tie = -1
			}
		}
	}
}

type ascii struct {
	first uint32
	upper bool
}

// nextASCII returns the next character that counts at or after i, and where the one after it begins: behind the end
// of the text if the character is not ASCII. The weight is 0 at the end.
func nextASCII(weights *[utf8.RuneSelf]uint32, s string, i int) (ascii, int) {
	for i < len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return ascii{}, len(s) + 1
		}
		i++
		if w := weights[c]; w != 0 {
			return ascii{w, 'A' <= c && c <= 'Z'}, i
		}
	}
	return ascii{}, i
}

func plainAt(s string, i int) bool { return i >= len(s) || s[i] < utf8.RuneSelf }

// SortFunc sorts list by the names that key returns, keeping the order of equals.
func SortFunc[E any](list []E, key func(E) string) {
	slices.SortStableFunc(list, func(a, b E) int { return Compare(key(a), key(b)) })
}
