package dotnet

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// EscapeURL percent-encodes all that RFC 3986 does not leave unreserved.
func EscapeURL(s string) string {
	var b strings.Builder
	for _, c := range UTF8(s) {
		if isAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&15])
	}
	return b.String()
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// UnescapeData decodes percent-encodings that are UTF-8 and leaves others as they are.
func UnescapeData(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		if s[i] != '%' {
			out = append(out, s[i])
			i++
			continue
		}
		var run []byte // the bytes that are encoded from here on
		j := i
		for j+2 < len(s) && s[j] == '%' && IsHex(s[j+1]) && IsHex(s[j+2]) {
			n, _ := strconv.ParseUint(s[j+1:j+3], 16, 8)
			run = append(run, byte(n))
			j += 3
		}
		if len(run) == 0 {
			out = append(out, '%')
			i++
			continue
		}
		for k := 0; k < len(run); {
			r, n := utf8.DecodeRune(run[k:])
			if r == utf8.RuneError && n == 1 {
				out = append(out, s[i+3*k:i+3*k+3]...)
			} else {
				out = append(out, run[k:k+n]...)
			}
			k += n
		}
		i = j
	}
	return string(out)
}

// IsHex reports whether a byte is a digit of base sixteen.
func IsHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
