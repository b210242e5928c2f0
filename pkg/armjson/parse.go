package armjson

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Options says what a parser takes besides strict JSON. The zero value is strict.
type Options struct {
	Comments       bool // // and /* */ wherever white space may stand
	TrailingCommas bool // a comma before ] or }

	// Relaxed takes what Newtonsoft's reader takes: comments, trailing commas,
	// strings and names in single quotes, bare names, raw control characters
	// within strings, and numbers in hexadecimal and octal. Numbers come out as
	// that library writes them (1e3 as 1000.0).
	Relaxed bool

	// Untyped reads as Newtonsoft's serializer does when it is asked for a value of
	// whatever kind. Arrays and objects that the end of the text leaves open behind
	// one of their values are closed. A member whose name comes again stands where
	// it comes last.
	Untyped bool

	// Trailing passes over whatever stands behind the value, as that reader does too.
	Trailing bool

	// MaxDepth is how deep arrays and objects may nest; 0 stands for DefaultMaxDepth.
	MaxDepth int

	// OnDuplicate, if set, is told of each member whose name the object already
	// has, with the offset of that name. The later value takes the place of the
	// earlier one, whatever OnDuplicate does.
	OnDuplicate func(name string, offset int)
}

// DefaultMaxDepth is the nesting that is accepted if the options name none.
const DefaultMaxDepth = 512

// SyntaxError tells why a text is not JSON, and where.
type SyntaxError struct {
	Offset  int // in bytes, from the start of the text
	Problem string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at offset %d: %s", e.Offset, e.Problem)
}

// Parse reads the one JSON value that text holds. Strings of the result may
// share memory with text. A byte order mark at the start is passed over.
//
// An escaped pair of surrogates becomes the character that it stands for. A
// lone one is kept in the three bytes that UTF-8 would give it (WTF-8), so that
// nothing is lost while values are passed around; the printers write U+FFFD.
func Parse(text string, o Options) (Value, error) {
	p := parser{text: text, o: o, depth: o.MaxDepth}
	if p.depth <= 0 {
		p.depth = DefaultMaxDepth
	}
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
		return nil, p.err
	}
	return v, nil
}

// ParseBytes is Parse for a text that is at hand as bytes.
func ParseBytes(text []byte, o Options) (Value, error) { return Parse(string(text), o) }

// parser reads by recursive descent. After a failure err is set, and every
// method returns as soon as it sees that.
type parser struct {
	text  string
	pos   int
	depth int // how many more levels may open
	o     Options
	err   error

	// The members and elements of every collection that is open. A collection
	// takes its own from the end when it closes, in one allocation of the right size.
	members  []Member
	elements []Value
}

func (p *parser) fail(at int, problem string) {
	if p.err == nil {
		p.err = &SyntaxError{at, problem}
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
	switch c := p.text[p.pos]; c {
	case '{':
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
			return Null{}
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

// found names what stands at the position.
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

func (p *parser) open() bool {
	p.pos++
	p.depth--
	if p.depth < 0 {
		p.fail(p.pos-1, "arrays and objects are nested too deeply")
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

// member reads the colon behind a name, and the value.
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

// string reads a string that stands in the given quotes. Without escapes it is
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

// number reads a number as the JSON grammar has it.
func (p *parser) number() Value {
	start, i := p.pos, p.pos
	digits := func() bool {
		from := i
		for i < len(p.text) && p.text[i] >= '0' && p.text[i] <= '9' {
			i++
		}
		return i > from
	}
	if p.text[i] == '-' {
		i++
	}
	lead := i
	if !digits() {
		p.fail(start, "a number without digits")
		return nil
	}
	if p.text[lead] == '0' && i > lead+1 {
		p.fail(start, "a number must not begin with 0")
		return nil
	}
	if i < len(p.text) && p.text[i] == '.' {
		i++
		if !digits() {
			p.fail(start, "a number must have digits after its point")
			return nil
		}
	}
	if i < len(p.text) && (p.text[i] == 'e' || p.text[i] == 'E') {
		i++
		if i < len(p.text) && (p.text[i] == '+' || p.text[i] == '-') {
			i++
		}
		if !digits() {
			p.fail(start, "a number must have digits in its exponent")
			return nil
		}
	}
	if i < len(p.text) && isWordByte(p.text[i]) {
		p.fail(start, "a number must end before "+strconv.QuoteRune(rune(p.text[i])))
		return nil
	}
	p.pos = i
	return Number(p.text[start:i])
}

// relaxedNumber reads a number as Newtonsoft's reader does and puts it into the
// form in which its writer would print it.
func (p *parser) relaxedNumber() Value {
	start, i := p.pos, p.pos
	for i < len(p.text) && (isWordByte(p.text[i]) || p.text[i] == '+' || p.text[i] == '-' || p.text[i] == '.') {
		i++
	}
	s := p.text[start:i]
	p.pos = i
	if s == "-Infinity" {
		return Number(s)
	}
	if n, ok := canonicalNumber(s); ok {
		return n
	}
	p.fail(start, strconv.Quote(s)+" is not a number")
	return nil
}

func canonicalNumber(s string) (Number, bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" {
		return "", false
	}
	if len(digits) > 1 && digits[0] == '0' && digits[1] != '.' && digits[1] != 'e' && digits[1] != 'E' {
		base, d := 8, digits
		if digits[1] == 'x' || digits[1] == 'X' {
			base, d = 16, digits[2:]
		}
		n, err := strconv.ParseInt(d, base, 64)
		if err != nil || s != digits {
			return "", false
		}
		return Int(n), true
	}
	if allDigits(digits) {
		if digits == "0" {
			return "0", true
		}
		return Number(s), true
	}
	for i := range len(digits) {
		switch c := digits[i]; {
		case c >= '0' && c <= '9', c == '.', c == 'e', c == 'E', c == '+', c == '-':
		default:
			return "", false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return "", false
	}
	return Float(f), true // infinite if it is out of range
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return len(s) > 0
}

// Float returns the number f in the text that Newtonsoft's writer gives a
// double: the shortest digits that read back as f, a point or an exponent
// always (but for NaN and Infinity), the exponent from 1E+15 on and up to 1E-05.
func Float(f float64) Number {
	s := FormatFloat(f)
	if !strings.ContainsAny(s, ".ENI") {
		s += ".0"
	}
	return Number(s)
}

// Invariant returns the number as .NET's invariant culture prints it: 1.50 as 1.5.
// One that is beyond a double stays as it is.
func (n Number) Invariant() string {
	if i, ok := n.Int64(); ok {
		return strconv.FormatInt(i, 10)
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return string(n)
	}
	return FormatFloat(f)
}

// FormatFloat writes f as .NET's invariant double.ToString does.
func FormatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	e := strconv.FormatFloat(f, 'E', -1, 64) // d.dddE±xx, the exponent of two digits at least
	exp, _ := strconv.Atoi(e[strings.IndexByte(e, 'E')+1:])
	if exp >= 15 || exp <= -5 {
		return e
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
