package source

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ByteOrderMark returns the encoding that a byte order mark names, and the length of the mark.
func ByteOrderMark(b []byte) (encoding string, size int) {
	at := func(i int) byte {
		if i < len(b) {
			return b[i]
		}
		return 1
	}
	switch {
	case at(0) == 0xef && at(1) == 0xbb && at(2) == 0xbf:
		return "utf-8", 3
	case at(0) == 0xff && at(1) == 0xfe && at(2) == 0 && at(3) == 0:
		return "utf-32", 4
	case at(0) == 0xff && at(1) == 0xfe:
		return "utf-16", 2
	case at(0) == 0xfe && at(1) == 0xff:
		return "utf-16BE", 2
	case at(0) == 0 && at(1) == 0 && at(2) == 0xfe && at(3) == 0xff:
		return "utf-32BE", 4
	}
	return "", 0
}

// Decode returns the text of data, in the encoding of its byte order mark, or else in the named one
// ("" is UTF-8). Bytes that are not text in the encoding become U+FFFD, or a question mark in
// ASCII.
func Decode(data []byte, encoding string) string {
	if name, size := ByteOrderMark(data); name != "" {
		encoding, data = name, data[size:]
	}
	switch encoding {
	case "us-ascii", "iso-8859-1":
		ascii := encoding == "us-ascii"
		var b strings.Builder
		b.Grow(len(data))
		for _, c := range data {
			switch {
			case c < 0x80:
				b.WriteByte(c)
			case ascii:
				b.WriteByte('?')
			default:
				b.WriteRune(rune(c))
			}
		}
		return b.String()
	case "utf-16", "utf-16BE":
		u := make([]uint16, 0, len(data)/2+1)
		for i := 0; i+1 < len(data); i += 2 {
			lo, hi := data[i], data[i+1]
			if encoding == "utf-16BE" {
				lo, hi = hi, lo
			}
			u = append(u, uint16(hi)<<8|uint16(lo))
		}
		if len(data)%2 == 1 {
			u = append(u, utf8.RuneError)
		}
		return string(utf16.Decode(u))
	case "utf-32", "utf-32BE":
		var b strings.Builder
		for ; len(data) >= 4; data = data[4:] {
			r := rune(data[0]) | rune(data[1])<<8 | rune(data[2])<<16 | rune(data[3])<<24
			if encoding == "utf-32BE" {
				r = rune(data[3]) | rune(data[2])<<8 | rune(data[1])<<16 | rune(data[0])<<24
			}
			b.WriteRune(r)
		}
		if len(data) > 0 {
			b.WriteRune(utf8.RuneError)
		}
		return b.String()
	}
	return ValidUTF8(string(data))
}

// DecodeText is Decode for a text that was read as a string, which is most likely UTF-8.
func DecodeText(text string) string {
	if name, _ := ByteOrderMark([]byte(text[:min(4, len(text))])); name != "" {
		return Decode([]byte(text), "")
	}
	return ValidUTF8(text)
}

// ValidUTF8 returns text with U+FFFD for bytes that are not UTF-8: one for each sequence
// of bytes that begins like a character and breaks off, and one for each byte
// with which no character begins.
func ValidUTF8(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 8)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size <= 1 {
			size = brokenLen(text[i:])
		}
		b.WriteRune(r)
		i += size
	}
	return b.String()
}

// brokenLen returns how many of the first bytes could begin a character.
func brokenLen(s string) int {
	lo, hi, need := byte(0x80), byte(0xbf), 0
	switch c := s[0]; {
	case 0xc2 <= c && c <= 0xdf:
		need = 1
	case c == 0xe0:
		lo, need = 0xa0, 2
	case c == 0xed:
		hi, need = 0x9f, 2
	case 0xe1 <= c && c <= 0xef:
		need = 2
	case c == 0xf0:
		lo, need = 0x90, 3
	case c == 0xf4:
		hi, need = 0x8f, 3
	case 0xf1 <= c && c <= 0xf3:
		need = 3
	}
	n := 1
	for ; n <= need && n < len(s) && lo <= s[n] && s[n] <= hi; n++ {
		lo, hi = 0x80, 0xbf
	}
	return n
}
