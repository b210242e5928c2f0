package syntax

import (
	"strings"
	"unicode/utf8"
)

// stringSegment returns the text that a piece of a string stands for. ok is
// false when the lexer had to end the piece early, or it has a bad escape.
func stringSegment(t token, text string) (value string, ok bool) {
	s := text[t.start:t.end]
	first := t.kind == stringComplete || t.kind == stringLeft
	last := t.kind == stringComplete || t.kind == stringRight
	if t.marks.has(plain) {
		if last {
			return s[1 : len(s)-len("'")], true
		}
		return s[1 : len(s)-len("${")], true
	}
	var open, end string
	if t.marks.has(multiline) {
		dollars := strings.Repeat("$", t.marks.dollars())
		open, end = "}", dollars+"{"
		if first {
			open = dollars + "'''"
		}
		if last {
			end = "'''"
		}
	} else {
		open, end = "}", "${"
		if first {
			open = "'"
		}
		if last {
			end = "'"
		}
	}
	if len(s) < len(open)+len(end) || !strings.HasPrefix(s, open) || !strings.HasSuffix(s, end) {
		return "", false
	}
	s = s[len(open) : len(s)-len(end)]
	if t.marks.has(multiline) {
		if first {
			// The line end right after the opening quotes is not part of the text.
			s = strings.TrimPrefix(s, "\r")
			s = strings.TrimPrefix(s, "\n")
		}
		return s, true
	}
	return unescape(s)
}

// unescape replaces the escape sequences of a single-line string.
func unescape(s string) (string, bool) {
	if strings.IndexByte(s, '\'') >= 0 && !onlyEscapedQuotes(s) {
		return "", false
	}
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s, true
	}
	var b strings.Builder
	b.Grow(len(s))
	high := rune(0) // a high surrogate that waits for its partner
	flush := func() {
		if high != 0 {
			writeSurrogate(&b, high)
			high = 0
		}
	}
	for {
		if i > 0 {
			flush()
			b.WriteString(s[:i])
		}
		s = s[i:]
		r, n := decodeEscape(s)
		if n == 0 {
			return "", false
		}
		switch {
		case r >= 0xd800 && r < 0xdc00:
			flush()
			high = r
		case r >= 0xdc00 && r < 0xe000:
			if high != 0 {
				b.WriteRune((high-0xd800)<<10 + (r - 0xdc00) + 0x10000)
				high = 0
			} else {
				writeSurrogate(&b, r)
			}
		default:
			flush()
			b.WriteRune(r)
		}
		s = s[n:]
		if i = strings.IndexByte(s, '\\'); i < 0 {
			if s != "" {
				flush()
				b.WriteString(s)
			}
			flush()
			return b.String(), true
		}
	}
}

func onlyEscapedQuotes(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'':
			return false
		}
	}
	return true
}

// writeSurrogate writes a lone surrogate as three bytes, the way WTF-8 does:
// utf8 has no form for it, and it must survive until the text is printed.
func writeSurrogate(b *strings.Builder, r rune) {
	var buf [utf8.UTFMax]byte
	buf[0] = 0xe0 | byte(r>>12)
	buf[1] = 0x80 | byte(r>>6)&0x3f
	buf[2] = 0x80 | byte(r)&0x3f
	b.Write(buf[:3])
}
