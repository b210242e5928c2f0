package armjson

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// string reads a string that is in the given quotes. Without escapes it is
// a slice of the text.
func (p *parser) string(quote byte) string {
	start := p.pos + 1
	for i := start; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == quote:
			p.pos = i + 1
			return p.text[start:i]
		case c == '\\':
			return p.escaped(quote, start, i)
		case c < ' ' && !p.o.Relaxed:
			p.fail(i, "a control character within a string must be escaped")
			return ""
		}
	}
	p.fail(p.pos, "a string is not closed")
	return ""
}

// escaped reads a string whose first backslash is at i.
func (p *parser) escaped(quote byte, start, i int) string {
	buf := make([]byte, 0, i-start+32)
	buf = append(buf, p.text[start:i]...)
	for i < len(p.text) {
		c := p.text[i]
		if c == quote {
			p.pos = i + 1
			return string(buf)
		}
		if c != '\\' {
			if c < ' ' && !p.o.Relaxed {
				p.fail(i, "a control character within a string must be escaped")
				return ""
			}
			j := i + 1
			for j < len(p.text) && p.text[j] != quote && p.text[j] != '\\' && p.text[j] >= ' ' {
				j++
			}
			buf = append(buf, p.text[i:j]...)
			i = j
			continue
		}
		if i+1 >= len(p.text) {
			break
		}
		i += 2
		switch e := p.text[i-1]; e {
		case '"', '\\', '/':
			buf = append(buf, e)
		case 'b':
			buf = append(buf, '\b')
		case 'f':
			buf = append(buf, '\f')
		case 'n':
			buf = append(buf, '\n')
		case 'r':
			buf = append(buf, '\r')
		case 't':
			buf = append(buf, '\t')
		case 'u':
			r, ok := hex4(p.text[i:])
			if !ok {
				p.fail(i-2, `\u must be followed by four hexadecimal digits`)
				return ""
			}
			i += 4
			if utf16.IsSurrogate(r) && strings.HasPrefix(p.text[i:], `\u`) {
				if low, ok := hex4(p.text[i+2:]); ok {
					if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
						r = pair
						i += 6
					}
				}
			}
			buf = appendWTF8(buf, r)
		default:
			if e == '\'' && p.o.Relaxed {
				buf = append(buf, e)
				continue
			}
			p.fail(i-2, "an unknown escape in a string")
			return ""
		}
	}
	p.fail(start-1, "a string is not closed")
	return ""
}

// hex4 reads the four hexadecimal digits that s begins with.
func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var r rune
	for i := range 4 {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// appendWTF8 appends a code point, a surrogate too.
func appendWTF8(dst []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(dst, 0xED, 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	}
	return utf8.AppendRune(dst, r)
}
