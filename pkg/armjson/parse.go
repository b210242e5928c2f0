package armjson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Options says what a parser takes besides strict JSON. The zero value is strict.
type Options struct {
	Comments       bool // // and /* */ wherever white space is allowed
	TrailingCommas bool // a comma before ] or }

	// Relaxed takes what Newtonsoft's reader takes: comments, trailing commas,
	// strings and names in single quotes, bare names, raw control characters
	// within strings, and numbers in hexadecimal and octal. Numbers come out as
	// that library writes them (1e3 as 1000.0). undefined is a value, and so is nothing
	// before a comma, as in [1,,2].
	Relaxed bool

	// Undefined stands for these; null if it is nil.
	Undefined Value

	// Untyped reads as Newtonsoft's serializer does when it is asked for a value of
	// whatever kind. Arrays and objects that the end of the text leaves open behind
	// one of their values are closed. A member whose name comes again is where
	// it comes last.
	Untyped bool

	// Trailing passes over whatever follows the value, as that reader does too.
	Trailing bool

	// MaxDepth is how deep arrays and objects may nest; 0 stands for DefaultMaxDepth.
	MaxDepth int

	// Known are values within the text that have been parsed already, in their order.
	// The text must not have a byte order mark.
	Known []Known

	// OnDuplicate, if set, is called for each member whose name the object already
	// has, with the offset of that name. The later value takes the place of the
	// earlier one, whatever OnDuplicate does.
	OnDuplicate func(name string, offset int)

	// OnName, if set, is called for each member before its value is read, with the offset of
	// the name. The members of the outermost object are at level 1.
	OnName func(level int, name string, offset int)
}

// MaxValues is how many values a text may hold: a text of some megabytes with more of
// them would take gigabytes, and a template that can be deployed has far fewer.
const MaxValues = 1_000_000

// DefaultMaxDepth is the nesting that is accepted if the options name none.
const DefaultMaxDepth = 512

// TemplateMaxDepth is the nesting that is accepted in compiled templates. Each level of
// modules takes four.
const TemplateMaxDepth = 8 * DefaultMaxDepth

// Known is a value from the byte Start of a text to the byte End. Objects of several texts
// that share it are the same objects, so they must not be changed.
type Known struct {
	Start, End int
	Value      *Parsed
}

// Parsed is a value, and what it counts towards the limits of a text that holds it.
type Parsed struct {
	Value         Value
	values, depth int
}

// SyntaxError tells why a text is not JSON, and where.
type SyntaxError struct {
	Offset  int // in bytes, from the start of the text
	Problem string
	// TooDeep is the limit to nesting, where the text goes beyond it. It may be JSON otherwise.
	TooDeep int
}

// Error says what is wrong, and at which byte.
func (e *SyntaxError) Error() string {
	if e.TooDeep > 0 {
		return fmt.Sprintf("%s, at offset %d", e.Problem, e.Offset)
	}
	return fmt.Sprintf("invalid JSON at offset %d: %s", e.Offset, e.Problem)
}

// Parse reads the one JSON value that text holds. Strings of the result may
// share memory with text. A byte order mark at the start is passed over.
//
// An escaped pair of surrogates becomes the character that it stands for. A
// lone one is kept in the three bytes that UTF-8 would give it (WTF-8), so that
// nothing is lost while values are passed around; the printers write U+FFFD.
func Parse(text string, o Options) (Value, error) {
	p, err := ParseKnown(text, o)
	return p.Value, err
}

// ParseKnown is Parse for a value that may be Known within other texts.
func ParseKnown(text string, o Options) (Parsed, error) {
	p := parser{text: text, o: o, left: MaxValues}
	p.depth = p.limit()
	p.lowest = p.depth
	if o.Relaxed {
		p.o.Comments, p.o.TrailingCommas = true, true
	}
	if strings.HasPrefix(text, "\ufeff") {
		p.pos = 3
	}
	v := p.value()
	if p.err == nil && !o.Trailing {
		if p.space(); p.err == nil && p.pos < len(text) {
			p.fail(p.pos, "text after the value")
		}
	}
	if p.err != nil {
		return Parsed{}, p.err
	}
	return Parsed{v, MaxValues - p.left, p.limit() - p.lowest}, nil
}

// ParseBytes is Parse for a text given as bytes.
func ParseBytes(text []byte, o Options) (Value, error) { return Parse(string(text), o) }

// parser reads by recursive descent. After a failure err is set, and every
// method returns as soon as it sees that.
type parser struct {
	text   string
	pos    int
	depth  int // how many more levels may open
	lowest int // that depth was
	left   int // how many more values there may be
	o      Options
	err    error

	// The members and elements of every collection that is open. A collection
	// takes its own from the end when it closes, in one allocation of the right size.
	members  []Member
	elements []Value
}

func (p *parser) fail(at int, problem string) {
	if p.err == nil {
		if strings.HasPrefix(p.text[at:], "<<<<<<< ") {
			problem = "a merge conflict is not resolved here"
		}
		p.err = &SyntaxError{Offset: at, Problem: problem}
	}
}

// space passes over white space and, if they are allowed, comments.
func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		case '/':
			if !p.o.Comments {
				return
			}
			if !p.comment() {
				return
			}
		default:
			if !p.o.Relaxed || !p.oddSpace() {
				return
			}
		}
	}
}

// oddSpace passes over one character of the white space that only Newtonsoft's reader knows.
func (p *parser) oddSpace() bool {
	c := p.text[p.pos]
	if c == '\v' || c == '\f' {
		p.pos++
		return true
	}
	if c < utf8.RuneSelf {
		return false
	}
	switch r, n := utf8.DecodeRuneInString(p.text[p.pos:]); r {
	case 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		p.pos += n
		return true
	default:
		if r >= 0x2000 && r <= 0x200A {
			p.pos += n
			return true
		}
	}
	return false
}

func (p *parser) comment() bool {
	start := p.pos
	rest := p.text[start:]
	switch {
	case strings.HasPrefix(rest, "//"):
		if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
			p.pos += i
		} else {
			p.pos = len(p.text)
		}
	case strings.HasPrefix(rest, "/*"):
		i := strings.Index(rest[2:], "*/")
		if i < 0 {
			p.fail(start, "a comment is not closed")
			return false
		}
		p.pos += i + 4
	default:
		p.fail(start, "expected a value, found '/'")
		return false
	}
	return true
}

func (p *parser) value() Value {
	p.space()
	if p.err != nil {
		return nil
	}
	if p.pos >= len(p.text) {
		p.fail(p.pos, "the text ends where a value is expected")
		return nil
	}
	if p.left--; p.left < 0 {
		p.fail(p.pos, fmt.Sprintf("there are more than %d values", MaxValues))
		return nil
	}
	switch c := p.text[p.pos]; c {
	case '{':
		if len(p.o.Known) > 0 {
			if v := p.known(); v != nil {
				return v
			}
		}
		return p.object()
	case '[':
		return p.array()
	case '"':
		return String(p.string('"'))
	case '\'':
		if p.o.Relaxed {
			return String(p.string('\''))
		}
	case 't':
		if p.word("true") {
			return Bool(true)
		}
	case 'f':
		if p.word("false") {
			return Bool(false)
		}
	case 'n':
		if p.word("null") {
			return Null{}
		}
	case 'u':
		if p.o.Relaxed && p.word("undefined") {
			return p.undefined()
		}
	case ',':
		if p.o.Relaxed && p.depth < p.limit() {
			return p.undefined()
		}
	case 'N':
		if p.o.Relaxed && p.word("NaN") {
			return Number("NaN")
		}
	case 'I':
		if p.o.Relaxed && p.word("Infinity") {
			return Number("Infinity")
		}
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if p.o.Relaxed {
			return p.relaxedNumber()
		}
		return p.number()
	case '.':
		if p.o.Relaxed {
			return p.relaxedNumber()
		}
	}
	p.fail(p.pos, "expected a value, found "+p.found())
	return nil
}

// known passes over a value that is known, and returns it. It returns nil if there is none
// here, or if it would exceed a limit: then parsing it tells where.
func (p *parser) known() Value {
	for len(p.o.Known) > 0 && p.o.Known[0].Start < p.pos {
		p.o.Known = p.o.Known[1:]
	}
	if len(p.o.Known) == 0 || p.o.Known[0].Start != p.pos {
		return nil
	}
	k := p.o.Known[0]
	if p.left-(k.Value.values-1) < 0 || p.depth < k.Value.depth {
		return nil
	}
	p.left -= k.Value.values - 1 // value has counted one
	p.lowest = min(p.lowest, p.depth-k.Value.depth)
	p.pos = k.End
	return k.Value.Value
}

// undefined is what stands for a value that is not there.
func (p *parser) undefined() Value {
	if p.o.Undefined != nil {
		return p.o.Undefined
	}
	return Null{}
}

// found names what is at the position.
func (p *parser) found() string {
	if p.pos >= len(p.text) {
		return "the end of the text"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.pos:])
	return strconv.QuoteRune(r)
}

func (p *parser) word(w string) bool {
	if !strings.HasPrefix(p.text[p.pos:], w) {
		return false
	}
	if end := p.pos + len(w); end < len(p.text) && isWordByte(p.text[end]) {
		return false
	}
	p.pos += len(w)
	return true
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}

// limit is how deep arrays and objects may nest.
func (p *parser) limit() int {
	if p.o.MaxDepth > 0 {
		return p.o.MaxDepth
	}
	return DefaultMaxDepth
}

func (p *parser) open() bool {
	p.pos++
	p.depth--
	p.lowest = min(p.lowest, p.depth)
	if p.depth < 0 {
		if p.err == nil {
			limit := p.limit()
			p.err = &SyntaxError{p.pos - 1, fmt.Sprintf("arrays and objects are nested more than %d levels deep", limit), limit}
		}
		return false
	}
	return true
}

// another reads what follows an item: a comma, after which there may be another,
// or the end of the list.
func (p *parser) another(closing byte) bool {
	p.space()
	if p.err != nil {
		return false
	}
	if p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ',':
			p.pos++
			return true
		case closing:
			p.pos++
			return false
		}
	}
	if !p.breaksOff() {
		p.fail(p.pos, "expected ',' or '"+string(rune(closing))+"', found "+p.found())
	}
	return false
}

func (p *parser) array() Value {
	if !p.open() {
		return nil
	}
	base := len(p.elements)
	for first := true; ; first = false {
		p.space()
		if p.err != nil {
			return nil
		}
		if p.pos < len(p.text) && p.text[p.pos] == ']' && (first || p.o.TrailingCommas) {
			p.pos++
			break
		}
		v := p.value()
		if p.err != nil {
			return nil
		}
		p.elements = append(p.elements, v)
		if !p.another(']') {
			break
		}
	}
	if p.err != nil {
		return nil
	}
	p.depth++
	a := make(Array, len(p.elements)-base)
	copy(a, p.elements[base:])
	clear(p.elements[base:])
	p.elements = p.elements[:base]
	return a
}

// breaksOff reports whether the text ends here and may do so.
func (p *parser) breaksOff() bool { return p.o.Untyped && p.pos >= len(p.text) }

// member reads the colon after a name, and the value.
func (p *parser) member() Value {
	p.space()
	if p.err != nil {
		return nil
	}
	if p.pos >= len(p.text) || p.text[p.pos] != ':' {
		p.fail(p.pos, "expected ':' after a name, found "+p.found())
		return nil
	}
	p.pos++
	return p.value()
}

func (p *parser) object() Value {
	if !p.open() {
		return nil
	}
	base := len(p.members)
	var index map[string]int // of the members since base, once there are many
	gone := false            // some of them are superseded: they have no value
	for first := true; ; first = false {
		p.space()
		if p.err != nil {
			return nil
		}
		if p.pos < len(p.text) && p.text[p.pos] == '}' && (first || p.o.TrailingCommas) {
			p.pos++
			break
		}
		at := p.pos
		name := p.name()
		if p.err != nil {
			return nil
		}
		if p.o.OnName != nil {
			p.o.OnName(p.limit()-p.depth, name, at)
		}
		v := p.member()
		if p.err != nil {
			return nil
		}
		i := p.earlier(base, index, name)
		if i >= 0 && p.o.OnDuplicate != nil {
			p.o.OnDuplicate(name, at)
		}
		if i >= 0 && !p.o.Untyped {
			p.members[base+i].Value = v
		} else {
			if i >= 0 {
				p.members[base+i].Value = nil
				gone = true
			}
			p.members = append(p.members, Member{name, v})
			n := len(p.members) - base
			if index != nil {
				index[name] = n - 1
			} else if n > indexFrom {
				index = make(map[string]int, 2*n)
				for i, m := range p.members[base:] {
					index[m.Key] = i // of superseded ones the last
				}
			}
		}
		if !p.another('}') {
			break
		}
	}
	if p.err != nil {
		return nil
	}
	p.depth++
	if gone {
		mine := slices.DeleteFunc(p.members[base:], func(m Member) bool { return m.Value == nil })
		p.members = p.members[:base+len(mine)]
		index = nil
	}
	o := &Object{index: index}
	if n := len(p.members) - base; n > 0 {
		o.members = make([]Member, n)
		copy(o.members, p.members[base:])
		clear(p.members[base:])
		p.members = p.members[:base]
	}
	if gone && len(o.members) > indexFrom {
		o.reindex()
	}
	return o
}

// earlier finds a name among the members since base.
func (p *parser) earlier(base int, index map[string]int, name string) int {
	if index != nil {
		if i, ok := index[name]; ok {
			return i
		}
		return -1
	}
	for i := base; i < len(p.members); i++ {
		if p.members[i].Key == name && p.members[i].Value != nil {
			return i - base
		}
	}
	return -1
}

func (p *parser) name() string {
	if p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"', c == '\'' && p.o.Relaxed:
			return p.string(c)
		case p.o.Relaxed && (isWordByte(c) || c >= utf8.RuneSelf):
			start := p.pos
			for p.pos < len(p.text) && (isWordByte(p.text[p.pos]) || p.text[p.pos] >= utf8.RuneSelf) {
				p.pos++
			}
			return p.text[start:p.pos]
		}
	}
	p.fail(p.pos, "expected a name in quotes, found "+p.found())
	return ""
}
