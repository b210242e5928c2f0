package armexpr

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
)

// Append appends the text of e as it is in a template's string. An
// expression is between brackets. A string that is the whole expression
// is unchanged, with one more [ in front if it would else be taken for an
// expression.
func Append(dst []byte, e Expr) []byte {
	if s, ok := e.(Str); ok {
		return AppendLiteral(dst, string(s))
	}
	dst = append(dst, '[')
	dst = AppendInner(dst, e)
	return append(dst, ']')
}

// AppendLiteral appends a plain string so that ARM takes it for just that.
func AppendLiteral(dst []byte, s string) []byte {
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		dst = append(dst, '[')
	}
	return append(dst, s...)
}

// Text returns the text that Append appends.
func Text(e Expr) string {
	if s, ok := e.(Str); ok && !strings.HasPrefix(string(s), "[") {
		return string(s)
	}
	return string(Append(nil, e))
}

// AppendJSON appends the text of e as a JSON string, quotes and all.
func AppendJSON(dst []byte, e Expr) []byte {
	if s, ok := e.(Str); ok && !strings.HasPrefix(string(s), "[") {
		return armjson.AppendString(dst, string(s))
	}
	start := len(dst)
	dst = append(dst, '"')
	dst = Append(dst, e)
	for _, c := range dst[start+1:] {
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			text := string(dst[start+1:])
			return armjson.AppendString(dst[:start], text)
		}
	}
	return append(dst, '"')
}

// AppendInner appends the text of e as a part of an expression, without brackets.
func AppendInner(dst []byte, e Expr) []byte { return AppendSome(dst, e, math.MaxInt) }

// AppendSome is AppendInner that stops soon after dst has more than a number of bytes. The
// text of an expression whose parts are shared can be much longer than it takes memory.
func AppendSome(dst []byte, e Expr, enough int) []byte {
	switch e := e.(type) {
	case Str:
		if len(e) > enough {
			e = e[:enough]
		}
		return appendQuoted(dst, string(e))
	case Int:
		return strconv.AppendInt(dst, int64(e), 10)
	case *Call:
		dst = append(dst, e.Name...)
		dst = append(dst, '(')
		for i, a := range e.Args {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if len(dst) > enough {
				return dst
			}
			dst = AppendSome(dst, a, enough)
		}
		dst = append(dst, ')')
		for _, k := range e.Access {
			if len(dst) > enough {
				return dst
			}
			if s, ok := k.(Str); ok && isIdentifier(string(s)) {
				dst = append(dst, '.')
				dst = append(dst, s...)
				continue
			}
			dst = append(dst, '[')
			dst = AppendSome(dst, k, enough)
			dst = append(dst, ']')
		}
	}
	return dst
}

func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '\'')
	for {
		i := strings.IndexByte(s, '\'')
		if i < 0 {
			break
		}
		dst = append(dst, s[:i]...)
		dst = append(dst, "''"...)
		s = s[i+1:]
	}
	dst = append(dst, s...)
	return append(dst, '\'')
}

// isIdentifier reports whether a name can be accessed with a point: it has letters of any script, digits
// that do not come first, _ and $. Letters beyond U+FFFF do not count, since ARM sees two halves of them.
func isIdentifier(s string) bool {
	for i, c := range s {
		switch {
		case c < utf8.RuneSelf && isLetter(byte(c)), c == '$':
		case c >= utf8.RuneSelf && c <= 0xFFFF && unicode.IsLetter(c):
		case i > 0 && c <= 0xFFFF && unicode.IsDigit(c):
		default:
			return false
		}
	}
	return s != ""
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
