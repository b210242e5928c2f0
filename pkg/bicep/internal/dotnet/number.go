// Package dotnet does what .NET does where ARM and Bicep let users see it: formats of numbers and times in the
// invariant culture, UTF-16 code units, the case of letters, URIs, addresses and ranges of addresses, durations.
package dotnet

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// Number formats a number by a format that is not empty: a letter and a precision, or a picture of the digits.
func Number(n armjson.Number, spec string) (string, error) {
	v, ok := newNumeral(n)
	if !ok {
		return string(n), nil // NaN and the like have no digits
	}
	if letter := spec[0] | 0x20; letter < 'a' || letter > 'z' {
		return v.picture(spec), nil
	}
	prec := -1
	if len(spec) > 1 {
		if prec, ok = Digits(spec[1:]); !ok {
			return v.picture(spec), nil
		}
		if prec > 10_000 {
			return "", fmt.Errorf("the precision of %q is too large", spec)
		}
	}
	if s, ok := v.standard(spec[0], prec); ok {
		return s, nil
	}
	what := "a number"
	if v.isInteger() {
		what = "an integer"
	}
	return "", fmt.Errorf("%q is not a format of %s", spec[:1], what)
}

// Digits reads a number that is nothing but digits.
func Digits(s string) (int, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// numeral is a number on its way to being printed. .NET rounds integers half away
// from zero, by their digits, and floats to the nearest decimal of what they are
// exactly, half to even. Only floats can be -0.
type numeral struct {
	neg     bool
	integer string  // the digits of an integer; empty if it is a float
	float   float64 // without its sign
	n       armjson.Number
}

func newNumeral(n armjson.Number) (numeral, bool) {
	if whole := strings.TrimPrefix(string(n), "-"); !strings.ContainsAny(whole, ".eENI") {
		return numeral{neg: whole != string(n) && whole != "0", integer: whole, n: n}, true
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return numeral{}, false
	}
	return numeral{neg: math.Signbit(f), float: math.Abs(f), n: n}, true
}

func (v *numeral) isInteger() bool { return v.integer != "" }

// standard formats by one of .NET's standard formats. prec is negative if none is given.
func (v *numeral) standard(letter byte, prec int) (string, bool) {
	sign := ""
	if v.neg {
		sign = "-"
	}
	switch letter | 0x20 {
	case 'd':
		return sign + padZeros(v.integer, prec), v.isInteger()
	case 'x', 'b':
		i, ok := v.n.Int64()
		base := 16
		if letter|0x20 == 'b' {
			base = 2
		}
		s := strconv.FormatUint(uint64(i), base)
		if letter == 'X' {
			s = strings.ToUpper(s)
		}
		return padZeros(s, prec), ok
	case 'f':
		return sign + v.fixed(orElse(prec, 2), 0), true
	case 'n':
		return sign + grouped(v.fixed(orElse(prec, 2), 0)), true
	case 'c': // the invariant culture's currency
		s := "¤" + grouped(v.fixed(orElse(prec, 2), 0))
		if v.neg {
			s = "(" + s + ")"
		}
		return s, true
	case 'p':
		return sign + grouped(v.fixed(orElse(prec, 2), 2)) + " %", true
	case 'e':
		d := v.significant(orElse(prec, 6) + 1)
		return sign + d.scientific(orElse(prec, 6), letter, 3), true
	case 'g':
		return sign + v.general(letter, prec), true
	case 'r':
		if !v.isInteger() {
			prec = 0 // all digits; of an integer it is another letter for g
		}
		return sign + v.general(letter-'r'+'g', prec), true
	}
	return "", false
}

func orElse(prec, otherwise int) int {
	if prec < 0 {
		return otherwise
	}
	return prec
}

func padZeros(s string, n int) string {
	if len(s) < n {
		return strings.Repeat("0", n-len(s)) + s
	}
	return s
}

// fixed writes the number, times ten to the power of shift, with so many digits
// after the point.
func (v *numeral) fixed(prec, shift int) string {
	var s string
	if v.isInteger() {
		s = v.integer + "." + strings.Repeat("0", prec+shift)
	} else {
		s = strconv.FormatFloat(v.float, 'f', prec+shift, 64)
	}
	whole, fraction, _ := strings.Cut(s, ".")
	whole, fraction = whole+fraction[:shift], fraction[shift:]
	whole = padZeros(strings.TrimLeft(whole, "0"), 1)
	if prec == 0 {
		return whole
	}
	return whole + "." + fraction
}

// general writes so many significant digits, all that there are if prec is not
// positive, with an exponent only where there would be many zeros.
func (v *numeral) general(letter byte, prec int) string {
	if prec <= 0 {
		if v.isInteger() {
			return v.integer
		}
		s := armjson.FormatFloat(v.float)
		if letter == 'g' {
			s = strings.ToLower(s)
		}
		return s
	}
	d := v.significant(prec)
	switch {
	case d.digits == "":
		return "0"
	case d.scale > prec || d.scale < -3:
		return d.scientific(len(d.digits)-1, letter-'g'+'e', 2)
	case d.scale <= 0:
		return "0." + strings.Repeat("0", -d.scale) + d.digits
	case d.scale >= len(d.digits):
		return d.digits + strings.Repeat("0", d.scale-len(d.digits))
	}
	return d.digits[:d.scale] + "." + d.digits[d.scale:]
}

// grouped puts a comma before every third digit of the whole part.
func grouped(s string) string {
	whole, rest := s, ""
	if k := strings.IndexByte(s, '.'); k >= 0 {
		whole, rest = s[:k], s[k:]
	}
	var b strings.Builder
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[i])
	}
	return b.String() + rest
}

// decimal is 0.digits times ten to the power of scale. The first digit is not 0,
// nor is the last; zero has none, and scale 0.
type decimal struct {
	digits string
	scale  int
}

// significant returns the first n digits of a number, rounded.
func (v *numeral) significant(n int) decimal {
	if v.isInteger() {
		s := strings.TrimLeft(v.integer, "0")
		return decimal{s, len(s)}.rounded(n)
	}
	s := strconv.FormatFloat(v.float, 'e', n-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	e, _ := strconv.Atoi(exponent)
	d := decimal{strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0"), e + 1}
	if d.digits == "" {
		d.scale = 0
	}
	return d
}

// rounded keeps the first n digits, rounding half away from zero.
func (d decimal) rounded(n int) decimal {
	if n < 0 {
		return decimal{}
	}
	s := d.digits
	if n < len(s) {
		up := s[n] >= '5'
		s = s[:n]
		if up {
			s = strings.TrimRight(s, "9")
			if s == "" {
				return decimal{"1", d.scale + 1}
			}
			s = s[:len(s)-1] + string(s[len(s)-1]+1)
		}
	}
	s = strings.TrimRight(s, "0")
	if s == "" {
		return decimal{}
	}
	return decimal{s, d.scale}
}

// scientific writes one digit, the point, prec digits and an exponent of width digits.
func (d decimal) scientific(prec int, letter byte, width int) string {
	s, e := d.digits, d.scale-1
	if s == "" {
		s, e = "0", 0
	}
	s += strings.Repeat("0", max(0, prec+1-len(s)))
	out := s[:1]
	if prec > 0 {
		out += "." + s[1:prec+1]
	}
	sign := "+"
	if e < 0 {
		sign, e = "-", -e
	}
	return out + string(letter) + sign + padZeros(strconv.Itoa(e), width)
}

// picture formats by a custom format: 0 and # stand for digits, "." for the
// point, "," between digits for groups and after them for thousands, % and ‰
// scale, E0 (or E+0, E-0) stands for an exponent; text may be quoted or follow a
// backslash; up to three sections divided by ";" are for positive, negative and
// zero. Of a float no more than 15 digits count.
func (v *numeral) picture(spec string) string {
	var d decimal
	if v.isInteger() {
		d = v.significant(len(v.integer) + 1)
	} else {
		d = v.significant(15)
	}
	at := 0
	switch {
	case d.digits == "":
		at = findSection(spec, 2)
	case v.neg:
		at = findSection(spec, 1)
	}
	s := readSection(spec[at:])
	if d.digits != "" {
		d = s.scaled(d)
		if zero := findSection(spec, 2); d.digits == "" && zero != at {
			at = zero
			s = readSection(spec[at:])
		}
	}
	out := s.fill(spec[at:], d)
	if negative := v.neg && (d.digits != "" || !v.isInteger()); negative && at == 0 && (out != "" || d.scale != 0) {
		return "-" + out
	}
	return out
}

// findSection returns where the n-th section after the first begins, or 0 if
// there is none or it is empty.
func findSection(spec string, n int) int {
	for i := 0; i < len(spec); i++ {
		if spec[i] == ';' {
			if n--; n == 0 {
				if i+1 < len(spec) && spec[i+1] != ';' {
					return i + 1
				}
				return 0
			}
			continue
		}
		i += literalLen(spec[i:]) - 1
	}
	return 0
}

// literalLen returns how many bytes the quoted text, the character after a
// backslash or the plain character take that s begins with.
func literalLen(s string) int {
	switch c := s[0]; c {
	case '\\':
		return min(2, len(s))
	case '\'', '"':
		if k := strings.IndexByte(s[1:], c); k >= 0 {
			return k + 2
		}
		return len(s)
	}
	return 1
}

// exponentLen returns how long the E0, E+0 or E-0 is that s begins with, or 0.
func exponentLen(s string) int {
	i := 1
	if len(s) > 1 && (s[1] == '+' || s[1] == '-') {
		i = 2
	}
	zeros := i
	for i < len(s) && s[i] == '0' {
		i++
	}
	if s[0]|0x20 != 'e' || i == zeros {
		return 0
	}
	return i
}

// section is what a section of a picture says about its places for digits. They
// are counted from the left.
type section struct {
	places    int
	point     int // places before the point
	firstZero int // place of the first 0, or places if there is none
	lastZero  int // the place after the last 0
	group     bool
	shift     int // the power of ten by which the number is scaled
	exponent  bool
}

func readSection(spec string) section {
	var s section
	point, comma, commas, zero := -1, -1, 0, false
	for i := 0; i < len(spec) && spec[i] != ';'; {
		step := 1
		switch c := spec[i]; c {
		case '#', '0':
			if c == '0' {
				if !zero {
					zero, s.firstZero = true, s.places
				}
				s.lastZero = s.places + 1
			}
			s.places++
		case '.':
			if point < 0 {
				point = s.places
			}
		case ',':
			if s.places == 0 || point >= 0 {
				break
			}
			if comma == s.places {
				commas++
				break
			}
			s.group = s.group || comma >= 0
			comma, commas = s.places, 1
		case '%':
			s.shift += 2
		case 'e', 'E':
			if n := exponentLen(spec[i:]); n > 0 {
				s.exponent, step = true, n
			}
		default:
			if strings.HasPrefix(spec[i:], "‰") {
				s.shift += 3
			}
			step = literalLen(spec[i:])
		}
		i += step
	}
	s.point = point
	if point < 0 {
		s.point = s.places
	}
	if !zero {
		s.firstZero = s.places
	}
	switch comma {
	case -1:
	case s.point:
		s.shift -= 3 * commas
	default:
		s.group = true
	}
	return s
}

// scaled scales and rounds a number to what there are places for.
func (s *section) scaled(d decimal) decimal {
	d.scale += s.shift
	if s.exponent {
		return d.rounded(s.places)
	}
	return d.rounded(d.scale + s.places - s.point)
}

// fill puts digits into their places. If there are more digits than places, the surplus ones stand
// before the first place.
func (s *section) fill(spec string, d decimal) string {
	var b strings.Builder
	over := 0           // digits without a place; if negative, places without a digit
	position := s.point // of the next digit, counted from the point to the left
	if !s.exponent {
		over = d.scale - s.point
		position = max(position, d.scale)
	}
	rest := d.digits
	write := func(c byte) {
		b.WriteByte(c)
		if s.group && position > 1 && position%3 == 1 {
			b.WriteByte(',')
		}
	}
	next := func(otherwise byte) byte {
		if rest == "" {
			return otherwise
		}
		c := rest[0]
		rest = rest[1:]
		return c
	}
	pointed, exponent := false, s.exponent
	for i := 0; i < len(spec) && spec[i] != ';'; {
		step := 1
		c := spec[i]
		if c == '#' || c == '0' || c == '.' {
			for ; over > 0; over-- {
				write(next('0'))
				position--
			}
		}
		switch c {
		case '#', '0':
			var digit byte
			if over < 0 {
				over++
				if position <= max(0, s.point-s.firstZero) {
					digit = '0'
				}
			} else if digit = next(0); digit == 0 && position > min(0, s.point-s.lastZero) {
				digit = '0'
			}
			if digit != 0 {
				write(digit)
			}
			position--
		case '.':
			if position == 0 && !pointed && (s.lastZero > s.point || s.point < s.places && rest != "") {
				b.WriteByte('.')
				pointed = true
			}
		case ',':
		case 'e', 'E':
			n := exponentLen(spec[i:])
			if n == 0 || !exponent {
				step = max(1, n)
				b.WriteString(spec[i : i+step])
				break
			}
			exponent = false
			step = n
			s.writeExponent(&b, spec[i:i+n], d)
		default:
			step = literalLen(spec[i:])
			b.WriteString(literal(spec[i : i+step]))
		}
		i += step
	}
	return b.String()
}

// writeExponent writes the exponent of a number in the form of a part such as e+00.
func (s *section) writeExponent(b *strings.Builder, part string, d decimal) {
	e := 0
	if d.digits != "" {
		e = d.scale - s.point
	}
	b.WriteByte(part[0])
	if e < 0 {
		b.WriteByte('-')
	} else if part[1] == '+' {
		b.WriteByte('+')
	}
	b.WriteString(padZeros(strconv.Itoa(max(e, -e)), min(strings.Count(part, "0"), 10)))
}

// literal returns the text that a quoted, escaped or plain part of a picture stands for.
func literal(part string) string {
	switch c := part[0]; c {
	case '\\':
		return part[1:]
	case '\'', '"':
		return strings.TrimSuffix(part[1:], string(c))
	}
	return part
}
