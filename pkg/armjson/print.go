package armjson

import (
	"fmt"
	"unicode/utf8"
)

// The two ways to print that the official compiler has.
const (
	Compact  = ""
	Indented = "  "
)

// Append appends v as JSON text, letter for letter as Newtonsoft's writer prints
// it: on one line without blanks if indent is empty, else with a line for each
// member and element, indented by indent for each level. No newline ends the text.
func Append(dst []byte, v Value, indent string) []byte {
	if indent == "" {
		return appendCompact(dst, v)
	}
	return appendIndented(dst, v, indent, 0)
}

// Text returns v as compact JSON.
func Text(v Value) string { return string(appendCompact(nil, v)) }

// String returns the array as compact JSON.
func (a Array) String() string { return Text(a) }

// String returns the object as compact JSON.
func (o *Object) String() string { return Text(o) }

func appendCompact(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case *Object:
		dst = append(dst, '{')
		for i := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendString(dst, v.members[i].Key)
			dst = append(dst, ':')
			dst = appendCompact(dst, v.members[i].Value)
		}
		return append(dst, '}')
	case Array:
		dst = append(dst, '[')
		for i := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCompact(dst, v[i])
		}
		return append(dst, ']')
	}
	return appendScalar(dst, v)
}

func appendIndented(dst []byte, v Value, indent string, depth int) []byte {
	switch v := v.(type) {
	case *Object:
		if len(v.members) == 0 {
			return append(dst, "{}"...)
		}
		dst = append(dst, '{')
		for i := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendNewline(dst, indent, depth+1)
			dst = AppendString(dst, v.members[i].Key)
			dst = append(dst, ": "...)
			dst = appendIndented(dst, v.members[i].Value, indent, depth+1)
		}
		return append(AppendNewline(dst, indent, depth), '}')
	case Array:
		if len(v) == 0 {
			return append(dst, "[]"...)
		}
		dst = append(dst, '[')
		for i := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendNewline(dst, indent, depth+1)
			dst = appendIndented(dst, v[i], indent, depth+1)
		}
		return append(AppendNewline(dst, indent, depth), ']')
	}
	return appendScalar(dst, v)
}

const manySpaces = "\n                                                                "

// AppendNewline begins a new line at the given depth.
func AppendNewline(dst []byte, indent string, depth int) []byte {
	if n := 2 * depth; indent == Indented && n < len(manySpaces) {
		return append(dst, manySpaces[:1+n]...)
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, indent...)
	}
	return dst
}

func appendScalar(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case String:
		return AppendString(dst, string(v))
	case Number:
		if v == "NaN" || v == "Infinity" || v == "-Infinity" {
			return AppendString(dst, string(v)) // JSON has no such numbers
		}
		return append(dst, v...)
	case Bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case fmt.Stringer: // of another package
		return AppendString(dst, v.String())
	}
	return append(dst, "null"...)
}

const lowerHex = "0123456789abcdef"

// AppendString appends s as a JSON string. Escaped are the quote, the backslash, the control
// characters below U+0020 (the usual ones in their short form), and U+0085, U+2028 and U+2029;
// nothing else is. Bytes that are not UTF-8, and lone surrogates, are written as U+FFFD. Two
// surrogates that make a pair are written as the character.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0 // of the run that needs no change
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c < utf8.RuneSelf && c != '"' && c != '\\' {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			dst = append(dst, s[start:i]...)
			i++
			start = i
			dst = append(dst, '\\')
			switch c {
			case '"', '\\':
				dst = append(dst, c)
			case '\b':
				dst = append(dst, 'b')
			case '\t':
				dst = append(dst, 't')
			case '\n':
				dst = append(dst, 'n')
			case '\f':
				dst = append(dst, 'f')
			case '\r':
				dst = append(dst, 'r')
			default:
				dst = append(dst, 'u', '0', '0', lowerHex[c>>4], lowerHex[c&15])
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, s[start:i]...)
			r, n = brokenRune(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			start = i
			continue
		}
		switch r {
		case 0x85, 0x2028, 0x2029:
			dst = append(dst, s[start:i]...)
			dst = append(dst, '\\', 'u', lowerHex[r>>12], lowerHex[r>>8&15], lowerHex[r>>4&15], lowerHex[r&15])
			start = i + n
		}
		i += n
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// IsText reports whether AppendString writes s without a loss: it is UTF-8, but for surrogates that
// make a pair.
func IsText(s string) bool {
	if utf8.ValidString(s) {
		return true
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			if r, n = brokenRune(s[i:]); r == utf8.RuneError {
				return false
			}
		}
		i += n
	}
	return true
}

// brokenRune says what to print for the bytes that s begins with, which are not UTF-8.
func brokenRune(s string) (rune, int) {
	high, ok := surrogate(s)
	if !ok {
		return utf8.RuneError, 1
	}
	if high < 0xDC00 {
		if low, ok := surrogate(s[3:]); ok && low >= 0xDC00 {
			return 0x10000 + (high-0xD800)<<10 + (low - 0xDC00), 6
		}
	}
	return utf8.RuneError, 3
}

// surrogate reads a surrogate in WTF-8.
func surrogate(s string) (rune, bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}
