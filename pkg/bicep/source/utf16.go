package source

import "unicode/utf8"

// UTF16Len returns the length of a string in UTF-16 code units, in which
// lengths are counted.
func UTF16Len(s string) int {
	n := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c < 0x80:
			n++
			i++
		case c >= 0xF0:
			n += 2
			i += 4
		default:
			n++
			if c == 0xED && i+2 < len(s) { // a lone surrogate may be here
				i += 3
				continue
			}
			_, size := utf8.DecodeRuneInString(s[i:])
			i += size
		}
	}
	return n
}
