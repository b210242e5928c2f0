package types

import (
	"regexp"
	"strings"
	"sync"
)

var patterns sync.Map // string -> *regexp.Regexp, or nil for an invalid pattern

func pattern(p string) *regexp.Regexp {
	if re, ok := patterns.Load(p); ok {
		return re.(*regexp.Regexp)
	}
	re, err := regexp.Compile(goPattern(p))
	if err != nil {
		re = nil
	}
	patterns.Store(p, re)
	return re
}

// MatchesPattern reports whether a value matches a pattern. Every value matches an invalid one.
func MatchesPattern(p, value string) bool {
	re := pattern(p)
	return re == nil || re.MatchString(value)
}

// goPattern rewrites what .NET's regular expressions mean differently: letters
// and digits are those of all scripts, and $ matches before a final line end.
func goPattern(p string) string {
	if !strings.ContainsAny(p, `\$`) {
		return p
	}
	var b strings.Builder
	class := false
	for i := 0; i < len(p); i++ {
		c := p[i]
		switch {
		case c == '\\' && i+1 < len(p):
			i++
			b.WriteString(goEscape(p[i], class))
		case c == '[' && !class:
			class = true
			b.WriteByte(c)
			if i+1 < len(p) && p[i+1] == '^' {
				i++
				b.WriteByte('^')
			}
			if i+1 < len(p) && p[i+1] == ']' {
				i++
				b.WriteString(`\]`)
			}
		case c == '[' && class:
			b.WriteString(`\[`)
		case c == ']' && class:
			class = false
			b.WriteByte(c)
		case c == '$' && !class:
			b.WriteString(`(?:\n?\z)`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func goEscape(c byte, class bool) string {
	const word, space = `\p{L}\p{Mn}\p{Nd}\p{Pc}`, `\f\n\r\t\v\x{85}\p{Z}`
	switch c {
	case 'w':
		if class {
			return word
		}
		return "[" + word + "]"
	case 'W':
		if !class {
			return "[^" + word + "]"
		}
	case 'd':
		return `\p{Nd}`
	case 'D':
		return `\P{Nd}`
	case 's':
		if class {
			return space
		}
		return "[" + space + "]"
	case 'S':
		if !class {
			return "[^" + space + "]"
		}
	case 'Z':
		return `(?:\n?\z)`
	case '/', '-', '_', '@', '#', '&', '\'', '"', ',', ':', ';', '<', '>', '=', '!', '%', '~', '`', ' ':
		return regexp.QuoteMeta(string(c))
	}
	return `\` + string(c)
}
