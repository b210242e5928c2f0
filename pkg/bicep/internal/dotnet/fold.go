package dotnet

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lower and Upper change case as .NET's invariant culture does: letter by
// letter, so that ß stays, and leaving the Turkish dotted and dotless i alone.
func Lower(s string) string {
	return mapRunes(s, func(r rune) rune {
		if r == 'İ' {
			return r
		}
		return unicode.ToLower(r)
	})
}

// Upper is the other way.
func Upper(s string) string {
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

// EqualFold compares without regard to case as .NET's ordinal comparison does:
// by the upper case of each letter.
func EqualFold(a, b string) bool {
	if len(a) == len(b) {
		same := true
		for i := range len(a) {
			x, y := a[i], b[i]
			if x >= utf8.RuneSelf || y >= utf8.RuneSelf {
				return Upper(a) == Upper(b)
			}
			if x != y && upperByte(x) != upperByte(y) {
				same = false
			}
		}
		return same
	}
	if IsASCII(a) && IsASCII(b) {
		return false
	}
	return Upper(a) == Upper(b)
}

func upperByte(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - ('a' - 'A')
	}
	return c
}

// CompareFold orders the names of properties, as items and objectKeys do: without regard to case, by the
// characters of the upper case, not by their UTF-16 units. Text is ordered by package collate.
func CompareFold(a, b string) int { return strings.Compare(Upper(a), Upper(b)) }

// Folded returns the characters of a string in upper case.
func Folded(s string) []rune {
	s = Upper(s)
	out := make([]rune, 0, len(s))
	for i := 0; i < len(s); {
		r, n := Decode(s[i:])
		out = append(out, r)
		i += n
	}
	return out
}
