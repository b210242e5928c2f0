// Package jsonscan reads JSON in place: a cursor hands out the values that its caller asks for, and
// passes over the rest. The type files of an extension are many megabytes, of which a program needs
// a few elements.
//
// Begin with New. A cursor does not check the JSON that it passes over.
package jsonscan

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
)

// Cursor walks JSON text in place, handing out what its caller knows to be there
// and passing over the rest. It is not a validator: text that is not JSON sets Bad,
// or is passed over.
type Cursor struct {
	b   string
	i   int
	Bad bool // the text is not JSON
}

// New returns a cursor that is at a place in text.
func New(text string, at int) *Cursor { return &Cursor{b: text, i: at} }

// Peek returns the first byte of the next value, or 0 at the end.
func (c *Cursor) Peek() byte {
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

func (c *Cursor) take(want byte) bool {
	if c.Peek() != want {
		c.Bad = true
		return false
	}
	c.i++
	return true
}

// Object calls f with each name, with the cursor before its value; f must pass it.
func (c *Cursor) Object(f func(name string)) {
	if !c.take('{') {
		return
	}
	if c.Peek() == '}' {
		c.i++
		return
	}
	for !c.Bad {
		name := c.Str()
		if !c.take(':') {
			return
		}
		f(name)
		if c.Bad {
			return
		}
		if c.Peek() == ',' {
			c.i++
			continue
		}
		c.take('}')
		return
	}
}

// Array calls f with the cursor before each element; f must pass it.
func (c *Cursor) Array(f func()) {
	if !c.take('[') {
		return
	}
	if c.Peek() == ']' {
		c.i++
		return
	}
	for !c.Bad {
		f()
		if c.Bad {
			return
		}
		if c.Peek() == ',' {
			c.i++
			continue
		}
		c.take(']')
		return
	}
}

// rawString returns what is between the quotes, and whether it has escapes.
func (c *Cursor) rawString() (raw string, escaped bool) {
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
	c.i, c.Bad = len(c.b), true
	return "", false
}

func (c *Cursor) Str() string {
	start := c.PeekAt()
	raw, escaped := c.rawString()
	if !escaped {
		return raw
	}
	v, err := armjson.Parse(c.b[start:c.i], armjson.Options{})
	s, ok := v.(armjson.String)
	if err != nil || !ok || !utf8.ValidString(string(s)) {
		c.Bad = true
		return ""
	}
	return string(s)
}

func (c *Cursor) PeekAt() int {
	c.Peek()
	return c.i
}

// Skip passes over a value of any kind.
func (c *Cursor) Skip() {
	depth := 0
	for {
		switch c.Peek() {
		case 0:
			c.Bad = true
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
				c.Bad = true // a control character
			}
		}
		if depth < 0 {
			c.Bad = true
		}
		if depth <= 0 || c.Bad {
			return
		}
	}
}

func delimits(b byte) bool {
	return b <= ' ' || b == ',' || b == '}' || b == ']' || b == ':' || b == '"'
}

func (c *Cursor) word() string {
	start := c.PeekAt()
	for c.i < len(c.b) && !delimits(c.b[c.i]) {
		c.i++
	}
	return c.b[start:c.i]
}

// Integer reads a whole number; it returns nil for anything else.
func (c *Cursor) Integer() *int64 {
	if b := c.Peek(); b != '-' && (b < '0' || b > '9') {
		c.Skip()
		return nil
	}
	n, err := strconv.ParseInt(c.word(), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

func (c *Cursor) Number() int {
	if n := c.Integer(); n != nil {
		return int(*n)
	}
	return 0
}

func (c *Cursor) Boolean() bool {
	if c.Peek() != 't' {
		c.Skip()
		return false
	}
	return c.word() == "true"
}

// Optional reports whether a value of the wanted kind is here; any other is passed.
func (c *Cursor) Optional(want byte) bool {
	if c.Peek() == want {
		return true
	}
	c.Skip()
	return false
}

// Text reads a string; anything else is skipped, and the result is empty.
func (c *Cursor) Text() string {
	if !c.Optional('"') {
		return ""
	}
	return c.Str()
}

// Ref reads a reference {"$ref": "dir/file.json#/7"}.
func (c *Cursor) Ref() Ref {
	r := Nowhere
	if !c.Optional('{') {
		return r
	}
	c.Object(func(name string) {
		if name != "$ref" {
			c.Skip()
			return
		}
		r = splitRef(c.Text())
	})
	return r
}

// Properties reads what a file of types says about the properties of an object,
// {"name": {"type": {"$ref": "#/7"}, "flags": 1}}, and calls visit for each.
func (c *Cursor) Properties(visit func(name string, to Ref, flags int)) {
	if !c.Optional('{') {
		return
	}
	c.Object(func(name string) {
		if !c.Optional('{') {
			return
		}
		to, flags := Nowhere, 0
		c.Object(func(key string) {
			switch key {
			case "type":
				to = c.Ref()
			case "flags":
				flags = c.Number()
			default:
				c.Skip()
			}
		})
		visit(name, to, flags)
	})
}

func splitRef(s string) Ref {
	for i := len(s) - 1; i > 0; i-- {
		if s[i] == '/' {
			if s[i-1] != '#' {
				break
			}
			n, err := strconv.Atoi(s[i+1:])
			if err != nil || n < 0 {
				break
			}
			return Ref{s[:i-1], n}
		}
	}
	return Nowhere
}

// Ref points to an element of a file of types; no file is the one that it is in.
type Ref struct {
	File  string
	Index int
}

// Nowhere is what a reference that cannot be read points to.
var Nowhere = Ref{Index: -1}
