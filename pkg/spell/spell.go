// Package spell suggests the known word that is closest to a misspelt one. Begin with Nearest,
// which returns "" if no candidate is close enough.
package spell

import "strings"

// Nearest returns the candidate that takes the fewest edits to reach from the word,
// or "" if all of them take too many. Letter case is ignored.
func Nearest(word string, candidates []string) string {
	best, at := "", limit(word)+1
	if len(word) > longest {
		return ""
	}
	for _, c := range candidates {
		if c == word || len(c) > 2*longest {
			continue
		}
		d := distance(strings.ToLower(word), strings.ToLower(c), at)
		if d < at {
			best, at = c, d
		}
	}
	return best
}

// Limited suggests words until it has compared a number of them: the first suggestions help, and
// thousands do not. The zero value compares a hundred thousand.
type Limited struct{ compared int }

const maxCompared = 100_000

// Nearest is the function Nearest.
func (l *Limited) Nearest(word string, candidates []string) string {
	if l.compared > maxCompared {
		return ""
	}
	l.compared += len(candidates)
	return Nearest(word, candidates)
}

// Near is the function Near.
func (l *Limited) Near(word string, candidates []string) string {
	if l.compared > maxCompared {
		return ""
	}
	l.compared += len(candidates)
	return Near(word, candidates)
}

// longest is how many bytes a word has for which others are suggested. It takes time in
// proportion to the product of both lengths to compare two words.
const longest = 200

// Near is Nearest for names that have little in common, such as those of variables: one is
// suggested only if it differs in about a letter of five. A word of two letters is near to
// everything, and so to nothing.
func Near(word string, candidates []string) string {
	if len(word) <= 2 {
		return ""
	}
	near := Nearest(word, candidates)
	bound := max(1, len(word)/5) + 1
	if near == "" || distance(strings.ToLower(word), strings.ToLower(near), bound) >= bound {
		return ""
	}
	return near
}

// limit returns how many edits a misspelt word may need.
func limit(word string) int {
	switch n := len(word); {
	case n <= 3:
		return 1
	case n <= 5:
		return 2
	default:
		return n/3 + 1
	}
}

// distance returns the number of insertions, deletions, replacements and swaps
// of neighbours that make a of b, or at least bound if it is not less than that.
func distance(a, b string, bound int) int {
	s, t := []rune(a), []rune(b)
	if d := len(s) - len(t); d >= bound || -d >= bound {
		return bound
	}
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}
