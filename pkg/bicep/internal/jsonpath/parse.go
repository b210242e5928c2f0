// Package jsonpath selects values from JSON by the dialect of JSONPath that
// loadJsonContent and loadYamlContent take: Newtonsoft's.
package jsonpath

import (
	"errors"
	"strconv"
	"strings"
	"unicode"
)

// ErrPath is returned for a path that does not parse, and for one that cannot be
// applied to the value that was met.
var ErrPath = errors.New("the JSONPath is not valid")

// maxNesting bounds queries within queries.
const maxNesting = 64

// Path is a parsed path.
type Path struct {
	steps []step
}

// Parse reads a path:
//
//	path    = ["$"] part*                     a lone "$", or none at all, is the root
//	part    = ["." | ".."] name               "*" is any member
//	        | "[" indexer "]" | "(" indexer ")"
//	indexer = quoted ("," quoted)*            members
//	        | int ("," int)* | "*"            elements
//	        | [int] ":" [int] [":" [int]]     a slice
//	        | "?(" query ")"
//	query   = side [op side] (("&&" | "||") side [op side])*
//	side    = ("@" | "$") part* | quoted | number | true | false | null | /regex/flags
func Parse(text string) (*Path, error) {
	p := &parser{s: []rune(text)}
	steps, err := p.whole()
	if err != nil {
		return nil, err
	}
	return &Path{steps: steps}, nil
}

type parser struct {
	s     []rune
	i     int
	depth int
}

func (p *parser) blanks() {
	for p.i < len(p.s) && p.s[p.i] == ' ' {
		p.i++
	}
}

// here returns the current character, or 0 at the end, which no path holds in a
// place where that matters.
func (p *parser) here() rune {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *parser) match(word string) bool {
	if p.i+len(word) > len(p.s) || string(p.s[p.i:p.i+len(word)]) != word {
		return false
	}
	p.i += len(word)
	return true
}

func (p *parser) whole() ([]step, error) {
	start := p.i
	p.blanks()
	if p.i == len(p.s) {
		return nil, nil
	}
	if p.here() == '$' {
		if len(p.s) == 1 {
			return nil, nil
		}
		// Elsewhere a dollar is the first letter of a name.
		if p.i+1 < len(p.s) && (p.s[p.i+1] == '.' || p.s[p.i+1] == '[') {
			p.i++
			start = p.i
		}
	}
	steps, atEnd, err := p.parts(nil, start, false)
	if err != nil {
		return nil, err
	}
	if !atEnd {
		p.blanks()
		if p.i < len(p.s) {
			return nil, ErrPath
		}
	}
	return steps, nil
}

// parts reads parts of a path into steps. start is where the current name began.
func (p *parser) parts(steps []step, start int, query bool) (_ []step, atEnd bool, err error) {
	var scan, afterIndexer, afterDot bool
	name := func(to int) step {
		return members(strings.TrimRight(string(p.s[start:to]), " "), scan)
	}
loop:
	for p.i < len(p.s) {
		switch c := p.s[p.i]; c {
		case '[', '(':
			if p.i > start {
				steps = append(steps, members(string(p.s[start:p.i]), scan))
				scan = false
			}
			s, err := p.indexer(c, scan)
			if err != nil {
				return nil, false, err
			}
			steps = append(steps, s)
			scan = false
			p.i++
			start = p.i
			afterIndexer, afterDot = true, false
		case ']', ')', ' ':
			break loop
		case '.':
			if p.i > start {
				steps = append(steps, members(string(p.s[start:p.i]), scan))
				scan = false
			}
			if p.i+1 < len(p.s) && p.s[p.i+1] == '.' {
				scan = true
				p.i++
			}
			p.i++
			start = p.i
			afterIndexer, afterDot = false, true
		case '=', '<', '!', '>', '|', '&':
			if query {
				break loop
			}
			fallthrough
		default:
			if afterIndexer {
				return nil, false, ErrPath
			}
			p.i++
		}
	}
	atEnd = p.i == len(p.s)
	if p.i > start {
		steps = append(steps, name(p.i))
	} else if afterDot && (atEnd || query) {
		return nil, false, ErrPath
	}
	return steps, atEnd, nil
}

func members(name string, scan bool) step {
	if name == "*" {
		return &memberStep{any: true, scan: scan}
	}
	return &memberStep{names: []string{name}, scan: scan}
}

func (p *parser) indexer(open rune, scan bool) (step, error) {
	end := ']'
	if open == '(' {
		end = ')'
	}
	p.i++
	p.blanks()
	switch p.here() {
	case 0:
		return nil, ErrPath
	case '\'':
		return p.quotedNames(end, scan)
	case '?':
		return p.query(end, scan)
	}
	return p.elements(end)
}

func (p *parser) quotedNames(end rune, scan bool) (step, error) {
	var names []string
	for p.i < len(p.s) {
		n, err := p.quoted()
		if err != nil {
			return nil, err
		}
		names = append(names, n)
		p.blanks()
		switch p.here() {
		case end:
			return &memberStep{names: names, scan: scan}, nil
		case ',':
			p.i++
			p.blanks()
		default:
			return nil, ErrPath
		}
	}
	return nil, ErrPath
}

func (p *parser) quoted() (string, error) {
	var b strings.Builder
	for p.i++; p.i < len(p.s); p.i++ {
		c := p.s[p.i]
		if c == '\'' {
			p.i++
			return b.String(), nil
		}
		if c == '\\' && p.i+1 < len(p.s) {
			p.i++
			switch c = p.s[p.i]; c {
			case 'b':
				c = '\b'
			case 't':
				c = '\t'
			case 'n':
				c = '\n'
			case 'f':
				c = '\f'
			case 'r':
				c = '\r'
			case '\\', '"', '\'', '/':
			default:
				return "", ErrPath
			}
		}
		b.WriteRune(c)
	}
	return "", ErrPath
}

// elements reads what picks elements of an array: indexes, a slice or all.
func (p *parser) elements(end rune) (step, error) {
	var (
		indexes []int
		slice   sliceStep
		colons  int
	)
	start, stop := p.i, -1 // the number being read; stop is set by a blank after it
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ' ':
			stop = p.i
			p.blanks()
		case c == end:
			n, some, err := p.index(start, stop)
			switch {
			case err != nil:
				return nil, err
			case indexes == nil && colons > 0:
				if some {
					slice.set(colons, n)
				}
				return &slice, nil
			case !some:
				return nil, ErrPath
			}
			return &indexStep{indexes: append(indexes, n)}, nil
		case c == ',':
			n, some, err := p.index(start, stop)
			if err != nil || !some {
				return nil, ErrPath
			}
			indexes = append(indexes, n)
			p.i++
			p.blanks()
			start, stop = p.i, -1
		case c == '*':
			p.i++
			p.blanks()
			if p.here() != end {
				return nil, ErrPath
			}
			return &indexStep{}, nil
		case c == ':':
			n, some, err := p.index(start, stop)
			if err != nil {
				return nil, err
			}
			if some {
				slice.set(colons, n)
			}
			colons++
			p.i++
			p.blanks()
			start, stop = p.i, -1
		case stop >= 0, !unicode.IsDigit(c) && c != '-':
			return nil, ErrPath
		default:
			p.i++
		}
	}
	return nil, ErrPath
}

// index reads a number that begins at start. It ends at stop, or here if stop is negative.
func (p *parser) index(start, stop int) (n int, some bool, err error) {
	if stop < 0 {
		stop = p.i
	}
	if stop == start {
		return 0, false, nil
	}
	v, err := strconv.ParseInt(string(p.s[start:stop]), 10, 32)
	if err != nil {
		return 0, false, ErrPath
	}
	return int(v), true, nil
}

// set sets the bound that stands after a number of colons.
func (s *sliceStep) set(colons, n int) {
	switch colons {
	case 0:
		s.start = &n
	case 1:
		s.end = &n
	default:
		s.step = &n
	}
}

func (p *parser) query(end rune, scan bool) (step, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, ErrPath
	}
	defer func() { p.depth-- }()
	p.i++
	if p.here() != '(' {
		return nil, ErrPath
	}
	p.i++
	q, err := p.condition()
	if err != nil {
		return nil, err
	}
	p.i++
	p.blanks()
	if p.here() != end {
		return nil, ErrPath
	}
	return &queryStep{cond: q, scan: scan}, nil
}

// condition reads comparisons joined by && and ||, up to the closing parenthesis.
// There is no precedence: where the operator changes, what follows becomes the
// last operand of what went before.
func (p *parser) condition() (condition, error) {
	var root condition
	var parent *composite
	join := func(or bool, c condition) {
		if parent == nil || parent.or != or {
			n := &composite{or: or}
			if parent != nil {
				parent.of = append(parent.of, n)
			}
			parent = n
			if root == nil {
				root = n
			}
		}
		parent.of = append(parent.of, c)
	}
	for p.i < len(p.s) {
		c, err := p.comparison()
		if err != nil {
			return nil, err
		}
		switch {
		case p.here() == ')':
			if parent == nil {
				return c, nil
			}
			parent.of = append(parent.of, c)
			return root, nil
		case p.match("&&"):
			join(false, c)
		case p.match("||"):
			join(true, c)
		case p.here() == '&', p.here() == '|':
			return nil, ErrPath
		}
	}
	return nil, ErrPath
}

func (p *parser) comparison() (condition, error) {
	left, err := p.side()
	if err != nil {
		return nil, err
	}
	if c := p.here(); c == ')' || c == '|' || c == '&' {
		return &comparison{op: exists, left: left}, nil
	}
	op, ok := p.operator()
	if !ok {
		return nil, ErrPath
	}
	right, err := p.side()
	if err != nil {
		return nil, err
	}
	return &comparison{op: op, left: left, right: right}, nil
}

func (p *parser) operator() (operator, bool) {
	if p.i+1 >= len(p.s) {
		return 0, false
	}
	for _, o := range [...]struct {
		text string
		op   operator
	}{{"===", strictEqual}, {"==", equal}, {"=~", matches}, {"!==", strictNotEqual}, {"!=", notEqual},
		{"<>", notEqual}, {"<=", lessOrEqual}, {"<", less}, {">=", greaterOrEqual}, {">", greater}} {
		if p.match(o.text) {
			return o.op, true
		}
	}
	return 0, false
}

func (p *parser) side() (side, error) {
	p.blanks()
	var s side
	switch c := p.here(); {
	case c == '$', c == '@':
		p.i++
		steps, atEnd, err := p.parts(nil, p.i, true)
		if err != nil {
			return s, err
		}
		if atEnd {
			return s, ErrPath
		}
		s = side{path: true, fromRoot: c == '$', steps: steps}
	case c == '\'':
		text, err := p.quoted()
		if err != nil {
			return s, err
		}
		s.value = scalar{kind: text_, s: text}
	case c == '/':
		text, err := p.regex()
		if err != nil {
			return s, err
		}
		s.value = scalar{kind: text_, s: text}
	case unicode.IsDigit(c), c == '-':
		v, ok := p.number()
		if !ok {
			return s, ErrPath
		}
		s.value = v
	case p.match("true"):
		s.value = scalar{kind: boolean, b: true}
	case p.match("false"):
		s.value = scalar{kind: boolean}
	case p.match("null"):
		s.value = scalar{kind: null}
	default:
		return s, ErrPath
	}
	p.blanks()
	if p.i >= len(p.s) {
		return s, ErrPath
	}
	return s, nil
}

func (p *parser) number() (scalar, bool) {
	start := p.i
	for p.i < len(p.s) && p.s[p.i] != ' ' && p.s[p.i] != ')' {
		p.i++
	}
	if p.i == len(p.s) {
		return scalar{}, false
	}
	t := string(p.s[start:p.i])
	if strings.ContainsAny(t, ".eE") {
		f, err := strconv.ParseFloat(strings.ReplaceAll(t, ",", ""), 64)
		return scalar{kind: float, f: f}, err == nil && !strings.ContainsAny(t, "xXpP_iInN")
	}
	n, err := strconv.ParseInt(t, 10, 64)
	return scalar{kind: integer, n: n}, err == nil
}

// regex reads /pattern/flags and returns it as it is.
func (p *parser) regex() (string, error) {
	start := p.i
	for p.i++; p.i < len(p.s); p.i++ {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case '/':
			for p.i++; p.i < len(p.s) && unicode.IsLetter(p.s[p.i]); p.i++ {
			}
			return string(p.s[start:p.i]), nil
		}
	}
	return "", ErrPath
}
