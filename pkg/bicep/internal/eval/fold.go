package eval

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lower and upper change case as .NET's invariant culture does: letter by
// letter, so that ß stays, and leaving the Turkish dotted and dotless i alone.
func lower(s string) string {
	return mapRunes(s, func(r rune) rune {
		if r == 'İ' {
			return r
		}
		return unicode.ToLower(r)
	})
}

func upper(s string) string {
	return mapRunes(s, func(r rune) rune {
		if r == 'ı' {
			return r
		}
		return unicode.ToUpper(r)
	})
}

// mapRunes is strings.Map, except that it keeps what is not UTF-8.
func mapRunes(s string, f func(rune) rune) string {
	if utf8.ValidString(s) {
		return strings.Map(f, s)
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			out = append(out, s[i])
		} else {
			out = utf8.AppendRune(out, f(r))
		}
		i += n
	}
	return string(out)
}

// equalFold compares without regard to case as .NET's ordinal comparison does:
// by the upper case of each letter.
func equalFold(a, b string) bool {
	if len(a) == len(b) {
		same := true
		for i := range len(a) {
			x, y := a[i], b[i]
			if x >= utf8.RuneSelf || y >= utf8.RuneSelf {
				return upper(a) == upper(b)
			}
			if x != y && upperByte(x) != upperByte(y) {
				same = false
			}
		}
		return same
	}
	if isASCII(a) && isASCII(b) {
		return false
	}
	return upper(a) == upper(b)
}

func upperByte(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// compareFold orders the names of properties, as items and objectKeys do: without regard to case, by the
// characters of the upper case, not by their UTF-16 units. Text is ordered by package collate.
func compareFold(a, b string) int { return strings.Compare(upper(a), upper(b)) }

// folded returns the characters of a string in upper case.
func folded(s string) []rune {
	s = upper(s)
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		r, n := decode(s[i:])
		out = append(out, r)
		i += n
	}
	return out
}
