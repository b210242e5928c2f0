package typelib

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
)

// cursor walks JSON text in place, handing out what its caller knows to be there
// and passing over the rest. It is no validator: text that is not JSON sets bad,
// or is passed over.
type cursor struct {
	b   string
	i   int
	bad bool
}

// peek returns the first byte of the next value, or 0 at the end.
func (c *cursor) peek() byte {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return c.b[c.i]
		}
	}
	return 0
}

func (c *cursor) take(want byte) bool {
	if c.peek() != want {
		c.bad = true
		return false
	}
	c.i++
	return true
}

// object calls f with each name, the cursor standing before its value; f must pass it.
func (c *cursor) object(f func(name string)) {
	if !c.take('{') {
		return
	}
	if c.peek() == '}' {
		c.i++
		return
	}
	for !c.bad {
		name := c.str()
		if !c.take(':') {
			return
		}
		f(name)
		if c.bad {
			return
		}
		if c.peek() == ',' {
			c.i++
			continue
		}
		c.take('}')
		return
	}
}

// array calls f with the cursor before each element; f must pass it.
func (c *cursor) array(f func()) {
	if !c.take('[') {
		return
	}
	if c.peek() == ']' {
		c.i++
		return
	}
	for !c.bad {
		f()
		if c.bad {
			return
		}
		if c.peek() == ',' {
			c.i++
			continue
		}
		c.take(']')
		return
	}
}

// rawString returns what stands between the quotes, and whether it has escapes.
func (c *cursor) rawString() (raw string, escaped bool) {
	if !c.take('"') {
		return "", false
	}
	start := c.i
	for c.i < len(c.b) {
		n := strings.IndexByte(c.b[c.i:], '"')
		if n < 0 {
			break
		}
		if k := strings.IndexByte(c.b[c.i:c.i+n], '\\'); k >= 0 {
			escaped = true
			c.i += k + 2
			continue
		}
		c.i += n + 1
		return c.b[start : c.i-1], escaped
	}
	c.i, c.bad = len(c.b), true
	return "", false
}

func (c *cursor) str() string {
	start := c.peekAt()
	raw, escaped := c.rawString()
	if !escaped {
		return raw
	}
	v, err := armjson.Parse(c.b[start:c.i], armjson.Options{})
	s, ok := v.(armjson.String)
	if err != nil || !ok || !utf8.ValidString(string(s)) {
		c.bad = true
		return ""
	}
	return string(s)
}

func (c *cursor) peekAt() int {
	c.peek()
	return c.i
}

// skip passes over a value of any kind.
func (c *cursor) skip() {
	depth := 0
	for {
		switch c.peek() {
		case 0:
			c.bad = true
			return
		case '"':
			c.rawString()
		case '{', '[':
			depth++
			c.i++
			continue
		case '}', ']':
			depth--
			c.i++
		case ',', ':':
			c.i++
			continue
		default:
			if c.word() == "" {
				c.bad = true // a control character
			}
		}
		if depth < 0 {
			c.bad = true
		}
		if depth <= 0 || c.bad {
			return
		}
	}
}

func delimits(b byte) bool {
	return b <= ' ' || b == ',' || b == '}' || b == ']' || b == ':' || b == '"'
}

func (c *cursor) word() string {
	start := c.peekAt()
	for c.i < len(c.b) && !delimits(c.b[c.i]) {
		c.i++
	}
	return c.b[start:c.i]
}

// integer reads a whole number; null and anything else that is none gives nil.
func (c *cursor) integer() *int64 {
	if b := c.peek(); b != '-' && (b < '0' || b > '9') {
		c.skip()
		return nil
	}
	n, err := strconv.ParseInt(c.word(), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

func (c *cursor) number() int {
	if n := c.integer(); n != nil {
		return int(*n)
	}
	return 0
}

func (c *cursor) boolean() bool {
	if c.peek() != 't' {
		c.skip()
		return false
	}
	return c.word() == "true"
}

// optional reports whether a value of the wanted kind stands here; any other is passed.
func (c *cursor) optional(want byte) bool {
	if c.peek() == want {
		return true
	}
	c.skip()
	return false
}

// text reads a string; anything else is passed, and is none.
func (c *cursor) text() string {
	if !c.optional('"') {
		return ""
	}
	return c.str()
}

// ref reads a reference {"$ref": "dir/file.json#/7"}.
func (c *cursor) ref() ref {
	r := nowhere
	if !c.optional('{') {
		return r
	}
	c.object(func(name string) {
		if name != "$ref" {
			c.skip()
			return
		}
		r = splitRef(c.text())
	})
	return r
}

func splitRef(s string) ref {
	for i := len(s) - 1; i > 0; i-- {
		if s[i] == '/' {
			if s[i-1] != '#' {
				break
			}
			n, err := strconv.Atoi(s[i+1:])
			if err != nil || n < 0 {
				break
			}
			return ref{s[:i-1], n}
		}
	}
	return nowhere
}
