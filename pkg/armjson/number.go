package armjson

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

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
