// Package collate compares names the way the official compiler does where it sorts
// by "culture": the root order of the Unicode Collation Algorithm. Punctuation comes
// before digits, digits before letters, and case decides only when nothing else does.
package collate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// order lists the characters of ASCII that are not letters by their primary weight.
const order = "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789"

// Letters follow order; what is not ASCII follows the letters.
const (
	letters  = len(order) + 1
	nonASCII = letters + 26
)

// weight returns the primary weight of an ASCII character; 0 means it is ignored.
func weight(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return letters + int(c-'a')
	case 'A' <= c && c <= 'Z':
		return letters + int(c-'A')
	}
	return strings.IndexByte(order, c) + 1
}

// Compare returns -1, 0 or 1 as a sorts before, with or after b. Different strings
// can sort as equals (they then differ in ignored control characters), so sorts
// that use it should be stable.
func Compare(a, b string) int {
	i, j := 0, 0
	tie := 0 // the first difference in case
	for {
		wa, ua, ni := next(a, i)
		wb, ub, nj := next(b, j)
		if c := cmp.Compare(wa, wb); c != 0 {
			return c
		}
		if wa == 0 {
			return tie
		}
		if tie == 0 && ua != ub {
			tie = 1
			if ub {
				tie = -1
			}
		}
		i, j = ni, nj
	}
}

// next returns the weight of the next character that counts at or after i, whether
// it is an upper-case letter, and where the one after it begins. The weight is 0 at the end.
func next(s string, i int) (w int, upper bool, end int) {
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			i++
			if w := weight(c); w != 0 {
				return w, 'A' <= c && c <= 'Z', i
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		return nonASCII + int(unicode.ToLower(r)), unicode.IsUpper(r), i + n
	}
	return 0, false, i
}

// SortFunc sorts list by the names that key returns, keeping the order of equals.
func SortFunc[E any](list []E, key func(E) string) {
	slices.SortStableFunc(list, func(a, b E) int { return Compare(key(a), key(b)) })
}
