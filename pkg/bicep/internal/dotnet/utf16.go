package dotnet

import (
	"unicode/utf8"
)

// Strings are sequences of UTF-16 code units. Most are ASCII, where units are
// bytes; the others are taken apart by these functions.

// IsASCII reports whether a string has no other characters than those of ASCII.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Units returns the UTF-16 code units of a string.
func Units(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		r, n := Decode(s[i:])
		i += n
		if r >= 0x10000 {
			r -= 0x10000
			out = append(out, uint16(0xD800+r>>10), uint16(0xDC00+r&0x3FF))
			continue
		}
		out = append(out, uint16(r))
	}
	return out
}

// Decode reads a character, or a lone surrogate in WTF-8.
func Decode(s string) (rune, int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}

// FromUnits is the inverse of Units; surrogates that form a pair are joined.
func FromUnits(u []uint16) string {
	out := make([]byte, 0, len(u)+len(u)/2)
	for i := 0; i < len(u); i++ {
		r := rune(u[i])
		if r >= 0xD800 && r < 0xE000 {
			if r < 0xDC00 && i+1 < len(u) && u[i+1] >= 0xDC00 && u[i+1] < 0xE000 {
				i++
				out = utf8.AppendRune(out, 0x10000+(r-0xD800)<<10+(rune(u[i])-0xDC00))
				continue
			}
			out = append(out, 0xED, 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

// Joined repairs a string in which surrogates may have met as a pair, and
// returns it as valid as it can be.
func Joined(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return FromUnits(Units(s))
}

// Length returns the number of UTF-16 code units.
func Length(s string) int {
	n := 0
	for i := 0; i < len(s); n++ {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := Decode(s[i:])
		if r >= 0x10000 {
			n++
		}
		i += size
	}
	return n
}

// Slice returns the code units from start to end.
func Slice(s string, start, end int) string {
	if IsASCII(s) {
		return s[start:end]
	}
	return FromUnits(Units(s)[start:end])
}

// UTF8 returns a string's bytes, with U+FFFD in place of lone surrogates.
func UTF8(s string) []byte {
	if utf8.ValidString(s) {
		return []byte(s)
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		r, n := Decode(s[i:])
		out = utf8.AppendRune(out, r)
		i += n
	}
	return out
}
