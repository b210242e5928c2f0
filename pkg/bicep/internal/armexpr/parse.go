package armexpr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deep calls may nest in a text that is parsed.
const maxDepth = 1000

// IsExpression reports whether a template's string is an expression rather than
// plain text.
func IsExpression(s string) bool {
	return len(s) >= 2 && s[0] == '[' && s[1] != '[' && s[len(s)-1] == ']'
}

// Parse reads a template's string: an expression if it is between brackets,
// else a plain string, from which the [ that protects it is taken off.
func Parse(s string) (Expr, error) {
	if !IsExpression(s) {
		if strings.HasPrefix(s, "[[") && strings.HasSuffix(s, "]") {
			s = s[1:]
		}
		return Str(s), nil
	}
	p := parser{s: s[:len(s)-1], i: 1, depth: maxDepth}
	e, err := p.expression()
	if err != nil {
		return nil, err
	}
	if p.space(); p.i < len(p.s) {
		return nil, p.unexpected("the end of the expression")
	}
	return e, nil
}

// The grammar:
//
//	expression = string | integer | call { "." name | "[" expression "]" }
//	call       = name { "." name } "(" [ expression { "," expression } ] ")"
//	string     = "'" { any but ' | "''" } "'"
type parser struct {
	s     string
	i     int
	depth int
}

func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\t', '\n', '\r':
			p.i++
		default:
			return
		}
	}
}

// peek returns the next byte after white space, 0 at the end.
func (p *parser) peek() byte {
	if p.space(); p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

func (p *parser) unexpected(want string) error {
	if p.peek() == 0 && p.i >= len(p.s) {
		return fmt.Errorf("the ARM expression ends where %s is expected", want)
	}
	r, _ := utf8.DecodeRuneInString(p.s[p.i:])
	return fmt.Errorf("the ARM expression has %q at position %d where %s is expected", r, p.i, want)
}

func (p *parser) expression() (Expr, error) {
	if p.depth--; p.depth < 0 {
		return nil, fmt.Errorf("the ARM expression is nested too deeply")
	}
	defer func() { p.depth++ }()
	switch c := p.peek(); {
	case c == '\'':
		s, err := p.quoted()
		return Str(s), err
	case c == '-' || c == '+' || c >= '0' && c <= '9':
		start := p.i
		p.i++
		for p.i < len(p.s) && p.s[p.i] >= '0' && p.s[p.i] <= '9' {
			p.i++
		}
		n, err := strconv.ParseInt(p.s[start:p.i], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q in the ARM expression is not an integer", p.s[start:p.i])
		}
		return Int(n), nil
	case isLetter(c) || c >= utf8.RuneSelf:
		return p.call()
	}
	return nil, p.unexpected("a literal or a function call")
}

func (p *parser) quoted() (string, error) {
	p.i++
	start := p.i
	doubled := false
	for {
		i := strings.IndexByte(p.s[p.i:], '\'')
		if i < 0 {
			return "", fmt.Errorf("a string in the ARM expression is not closed")
		}
		p.i += i + 1
		if p.i < len(p.s) && p.s[p.i] == '\'' {
			doubled = true
			p.i++
			continue
		}
		break
	}
	s := p.s[start : p.i-1]
	if doubled {
		s = strings.ReplaceAll(s, "''", "'")
	}
	return s, nil
}

// word reads a name. Names of parameters and the like can hold any letter.
func (p *parser) word() (string, error) {
	p.space()
	start := p.i
	for p.i < len(p.s) && (isLetter(p.s[p.i]) || p.s[p.i] >= '0' && p.s[p.i] <= '9' || p.s[p.i] == '$' || p.s[p.i] >= utf8.RuneSelf) {
		p.i++
	}
	if start == p.i {
		return "", p.unexpected("a name")
	}
	return p.s[start:p.i], nil
}

func (p *parser) call() (Expr, error) {
	start := p.i
	if _, err := p.word(); err != nil {
		return nil, err
	}
	for p.i < len(p.s) && p.s[p.i] == '.' {
		p.i++
		if _, err := p.word(); err != nil {
			return nil, err
		}
	}
	c := &Call{Name: p.s[start:p.i]}
	if p.peek() != '(' {
		return nil, p.unexpected("'('")
	}
	p.i++
	if p.peek() != ')' {
		for {
			a, err := p.expression()
			if err != nil {
				return nil, err
			}
			c.Args = append(c.Args, a)
			if p.peek() == ',' {
				p.i++
				continue
			}
			break
		}
	}
	if p.peek() != ')' {
		return nil, p.unexpected("',' or ')'")
	}
	p.i++
	for {
		switch p.peek() {
		case '.':
			p.i++
			name, err := p.word()
			if err != nil {
				return nil, err
			}
			c.Access = append(c.Access, Str(name))
		case '[':
			p.i++
			k, err := p.expression()
			if err != nil {
				return nil, err
			}
			if p.peek() != ']' {
				return nil, p.unexpected("']'")
			}
			p.i++
			c.Access = append(c.Access, k)
		default:
			return c, nil
		}
	}
}
