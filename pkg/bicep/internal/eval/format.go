package eval

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// format evaluates format('…{0,5:N2}…', …), .NET's composite format in the
// invariant culture. Arrays and objects are shown as JSON in single quotes.
func format(c *invocation) (Value, error) {
	f, err := c.str(0)
	if err != nil {
		return nil, err
	}
	args := make([]Value, len(c.args)-1)
	for i := range args {
		if args[i], err = c.value(i + 1); err != nil {
			return nil, err
		}
		if err := c.ev.weigh(args[i]); err != nil {
			return nil, err
		}
	}
	out, err := compose(f, args)
	if err != nil {
		return nil, c.errorf("%v", err)
	}
	if err := c.ev.room(len(out)); err != nil {
		return nil, err
	}
	return armjson.String(joined(string(out))), nil
}

var errFormat = errors.New("the format string is not well formed")

// compose reads a composite format string:
//
//	item = "{" index [ "," [ "-" ] width ] [ ":" format ] "}"
//
// with {{ and }} standing for braces.
func compose(f string, args []Value) ([]byte, error) {
	out := make([]byte, 0, len(f)+32)
	for i := 0; i < len(f); {
		c := f[i]
		if c != '{' && c != '}' {
			j := i + 1
			for j < len(f) && f[j] != '{' && f[j] != '}' {
				j++
			}
			out = append(out, f[i:j]...)
			i = j
			continue
		}
		if i+1 < len(f) && f[i+1] == c {
			out = append(out, c)
			i += 2
			continue
		}
		if c == '}' {
			return nil, errFormat
		}
		end := strings.IndexByte(f[i:], '}')
		if end < 0 {
			return nil, errFormat
		}
		item := f[i+1 : i+end]
		i += end + 1
		if strings.IndexByte(item, '{') >= 0 {
			return nil, errFormat
		}
		var err error
		if out, err = appendItem(out, item, args); err != nil {
			return nil, err
		}
		if len(out) > maxValueText {
			return nil, errSize
		}
	}
	return out, nil
}

// appendItem appends what stands between braces.
func appendItem(out []byte, item string, args []Value) ([]byte, error) {
	spec := ""
	if k := strings.IndexByte(item, ':'); k >= 0 {
		item, spec = item[:k], item[k+1:]
	}
	width, left := 0, false
	if k := strings.IndexByte(item, ','); k >= 0 {
		w := strings.Trim(item[k+1:], " ")
		if strings.HasPrefix(w, "-") {
			left = true
			w = w[1:]
		}
		n, ok := digits(w)
		if !ok || n >= maxString {
			return nil, errFormat
		}
		item, width = item[:k], n
	}
	index, ok := digits(strings.TrimRight(item, " "))
	if !ok {
		return nil, errFormat
	}
	if index >= len(args) {
		return nil, fmt.Errorf("{%d} has no argument: there are %d", index, len(args))
	}
	s, err := formatValue(args[index], spec)
	if err != nil {
		return nil, err
	}
	fill := width - length(s)
	if fill > 0 && !left {
		out = append(out, strings.Repeat(" ", fill)...)
	}
	out = append(out, s...)
	if fill > 0 && left {
		out = append(out, strings.Repeat(" ", fill)...)
	}
	return out, nil
}

// digits reads a number that is nothing but digits.
func digits(s string) (int, bool) {
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

// formatValue formats one value. Only numbers heed the format.
func formatValue(v Value, spec string) (string, error) {
	switch x := v.(type) {
	case armjson.Number:
		if spec == "" {
			break
		}
		return formatNumber(x, spec)
	case armjson.Array, *armjson.Object:
		return string(appendSingleQuoted(nil, v)), nil
	}
	s, _ := text(v)
	return s, nil
}

// appendSingleQuoted appends compact JSON whose strings stand in single quotes.
func appendSingleQuoted(dst []byte, v Value) []byte {
	switch v := v.(type) {
	case armjson.String:
		return appendQuote(dst, string(v))
	case armjson.Array:
		dst = append(dst, '[')
		for i, x := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendSingleQuoted(dst, x)
		}
		return append(dst, ']')
	case *armjson.Object:
		dst = append(dst, '{')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			m := v.At(i)
			dst = appendQuote(dst, m.Key)
			dst = append(dst, ':')
			dst = appendSingleQuoted(dst, m.Value)
		}
		return append(dst, '}')
	}
	return armjson.Append(dst, v, armjson.Compact)
}

// appendQuote is armjson.AppendString with the quotes exchanged: ' is escaped, " is not.
func appendQuote(dst []byte, s string) []byte {
	dst = append(dst, '\'')
	for i, part := range strings.Split(s, "'") {
		if i > 0 {
			dst = append(dst, '\\', '\'')
		}
		for j, p := range strings.Split(part, `"`) {
			if j > 0 {
				dst = append(dst, '"')
			}
			q := armjson.AppendString(nil, p)
			dst = append(dst, q[1:len(q)-1]...)
		}
	}
	return append(dst, '\'')
}

// formatNumber formats an integer or a float by a .NET format string: a letter
// and a precision, or a picture of the digits.
func formatNumber(n armjson.Number, spec string) (string, error) {
	i, isInt := n.Int64()
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return string(n), nil
	}
	letter := spec[0] | 0x20
	if letter >= 'a' && letter <= 'z' {
		prec := -1
		if len(spec) > 1 {
			p, ok := digits(spec[1:])
			if !ok {
				return picture(n, f, isInt, spec), nil
			}
			if p > 10_000 {
				return "", fmt.Errorf("the precision of %q is too large", spec)
			}
			prec = p
		}
		return standard(n, i, f, isInt, spec[0], prec)
	}
	return picture(n, f, isInt, spec), nil
}

// standard formats by one of .NET's standard formats.
func standard(n armjson.Number, i int64, f float64, isInt bool, letter byte, prec int) (string, error) {
	bad := fmt.Errorf("%q is not a format of %s", string(letter), describe(n))
	switch letter | 0x20 {
	case 'd', 'x', 'b':
		if !isInt {
			return "", bad
		}
		var s string
		neg := false
		switch letter {
		case 'x':
			s = strconv.FormatUint(uint64(i), 16)
		case 'X':
			s = strings.ToUpper(strconv.FormatUint(uint64(i), 16))
		case 'b', 'B':
			s = strconv.FormatUint(uint64(i), 2)
		default:
			neg = i < 0
			s = strings.TrimPrefix(strconv.FormatInt(i, 10), "-")
		}
		if len(s) < prec {
			s = strings.Repeat("0", prec-len(s)) + s
		}
		if neg {
			s = "-" + s
		}
		return s, nil
	case 'f':
		return fixed(n, f, orElse(prec, 2)), nil
	case 'n':
		return grouped(fixed(n, f, orElse(prec, 2))), nil
	case 'c': // the invariant culture's currency
		s := grouped(fixed(n, f, orElse(prec, 2)))
		if strings.HasPrefix(s, "-") {
			return "(¤" + s[1:] + ")", nil
		}
		return "¤" + s, nil
	case 'p':
		r := rational(n)
		if r == nil {
			return "", bad
		}
		return grouped(trimSign(r.Mul(r, big.NewRat(100, 1)).FloatString(orElse(prec, 2)))) + " %", nil
	case 'e':
		s := strconv.FormatFloat(f, letter, orElse(prec, 6), 64)
		return wideExponent(s), nil
	case 'g':
		if isInt && prec <= 0 {
			return strconv.FormatInt(i, 10), nil
		}
		if prec <= 0 {
			return armjson.FormatFloat(f), nil
		}
		s := strconv.FormatFloat(f, 'E'|letter&0x20, prec-1, 64)
		k := strings.IndexByte(s, 'E'|letter&0x20)
		exp, _ := strconv.Atoi(s[k+1:])
		if exp < -5 || exp >= prec {
			mantissa := s[:k]
			if strings.Contains(mantissa, ".") {
				mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
			}
			return mantissa + s[k:], nil
		}
		rounded, _ := strconv.ParseFloat(s, 64)
		return strconv.FormatFloat(rounded, 'f', -1, 64), nil
	case 'r':
		if isInt {
			return "", bad
		}
		return armjson.FormatFloat(f), nil
	}
	return "", bad
}

func orElse(prec, otherwise int) int {
	if prec < 0 {
		return otherwise
	}
	return prec
}

// rational returns the number exactly, or nil if its exponent is out of hand.
func rational(n armjson.Number) *big.Rat {
	if k := strings.IndexAny(string(n), "eE"); k >= 0 && len(n)-k > 5 {
		return nil
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil
	}
	return r
}

// fixed formats with so many digits after the point, rounding half away from zero.
func fixed(n armjson.Number, f float64, prec int) string {
	if r := rational(n); r != nil {
		return trimSign(r.FloatString(prec))
	}
	return trimSign(strconv.FormatFloat(f, 'f', prec, 64))
}

// trimSign takes the sign from a zero.
func trimSign(s string) string {
	if strings.HasPrefix(s, "-") && strings.Trim(s[1:], "0.") == "" {
		return s[1:]
	}
	return s
}

// grouped puts a comma before every third digit of the whole part.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, rest := s, ""
	if k := strings.IndexByte(s, '.'); k >= 0 {
		whole, rest = s[:k], s[k:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[i])
	}
	b.WriteString(rest)
	return b.String()
}

// wideExponent gives an exponent the three digits that .NET's E has.
func wideExponent(s string) string {
	k := strings.IndexAny(s, "eE")
	if k < 0 {
		return s
	}
	digits := s[k+2:]
	for len(digits) < 3 {
		digits = "0" + digits
	}
	return s[:k+2] + digits
}

// picture formats by a custom format: 0 and # stand for digits, "." for the
// point, "," between digits for groups and behind them for thousands, % and ‰
// scale; text may be quoted or follow a backslash; up to three sections divided
// by ";" are for positive, negative and zero.
func picture(n armjson.Number, f float64, isInt bool, spec string) string {
	sections := splitSections(spec)
	section, explicit := sections[0], false
	zero := f == 0
	switch {
	case zero && len(sections) > 2 && sections[2] != "":
		section = sections[2]
	case f < 0 && len(sections) > 1 && sections[1] != "":
		section, explicit = sections[1], true
	}
	p := readPicture(section)
	if !p.any {
		if f < 0 && !explicit {
			return "-" + p.literal()
		}
		return p.literal()
	}
	r := rational(n)
	if r == nil {
		r = new(big.Rat)
		r.SetFloat64(f)
	}
	neg := r.Sign() < 0
	r.Abs(r)
	for range p.percent {
		r.Mul(r, big.NewRat(100, 1))
	}
	for range p.permille {
		r.Mul(r, big.NewRat(1000, 1))
	}
	for range p.thousands {
		r.Quo(r, big.NewRat(1000, 1))
	}
	s := r.FloatString(p.after)
	if strings.Trim(s, "0.") == "" && !zero && neg && explicit && len(sections) > 2 && sections[2] != "" {
		return picture("0", 0, isInt, spec)
	}
	if strings.Trim(s, "0.") == "" {
		neg = false
	}
	whole, frac := s, ""
	if k := strings.IndexByte(s, '.'); k >= 0 {
		whole, frac = s[:k], s[k+1:]
	}
	whole = strings.TrimLeft(whole, "0")
	for len(whole) < p.minWhole {
		whole = "0" + whole
	}
	for len(frac) > p.minAfter && frac[len(frac)-1] == '0' {
		frac = frac[:len(frac)-1]
	}
	out := p.fill(whole, frac)
	if neg && !explicit {
		return "-" + out
	}
	return out
}

func splitSections(spec string) []string {
	var out []string
	start := 0
	for i := 0; i < len(spec); i++ {
		switch c := spec[i]; c {
		case '\\':
			i++
		case '\'', '"':
			if k := strings.IndexByte(spec[i+1:], c); k >= 0 {
				i += k + 1
			} else {
				i = len(spec)
			}
		case ';':
			out = append(out, spec[start:i])
			start = i + 1
		}
	}
	return append(out, spec[start:])
}

// pictureToken is a digit's place, the point, or literal text.
type pictureToken struct {
	kind byte // '0', '#', '.', or 't' for text
	text string
}

type pictureFormat struct {
	tokens                       []pictureToken
	any, group                   bool
	whole, minWhole              int // places before the point; those that must be filled
	after, minAfter              int // likewise after it
	percent, permille, thousands int
}

func readPicture(s string) pictureFormat {
	var p pictureFormat
	point := false
	commas := 0
	add := func(kind byte, text string) { p.tokens = append(p.tokens, pictureToken{kind, text}) }
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '0', '#':
			p.any = true
			if commas > 0 && !point {
				p.group = true
			}
			commas = 0
			add(c, "")
			if point {
				p.after++
				if c == '0' {
					p.minAfter = p.after
				}
			} else {
				p.whole++
				if c == '0' || p.minWhole > 0 {
					p.minWhole++
				}
			}
		case ',':
			if p.whole > 0 && !point {
				commas++
			}
		case '.':
			if !point {
				p.thousands += commas
				commas = 0
				point = true
				add('.', "")
			}
		case '%':
			p.percent++
			add('t', "%")
		case '\\':
			if i+1 < len(s) {
				i++
				add('t', s[i:i+1])
			}
		case '\'', '"':
			k := strings.IndexByte(s[i+1:], c)
			if k < 0 {
				k = len(s) - i - 1
			}
			add('t', s[i+1:i+1+k])
			i += k + 1
		default:
			if strings.HasPrefix(s[i:], "‰") {
				p.permille++
				add('t', "‰")
				i += len("‰") - 1
				continue
			}
			add('t', s[i:i+1])
		}
	}
	p.thousands += commas
	return p
}

func (p *pictureFormat) literal() string {
	var b strings.Builder
	for _, t := range p.tokens {
		b.WriteString(t.text)
	}
	return b.String()
}

// fill puts digits into their places. What has more digits than places stands
// before the first place.
func (p *pictureFormat) fill(whole, frac string) string {
	var b strings.Builder
	place := 0 // of the whole part, from the left
	next := 0  // of the digits of the whole part
	digit := func() {
		if left := len(whole) - next; p.group && next > 0 && left%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(whole[next])
		next++
	}
	after := 0
	for _, t := range p.tokens {
		switch t.kind {
		case 't':
			b.WriteString(t.text)
		case '.':
			for next < len(whole) {
				digit()
			}
			if frac != "" {
				b.WriteByte('.')
			}
			place = p.whole
		default:
			if place >= p.whole { // after the point
				if after < len(frac) {
					b.WriteByte(frac[after])
				}
				after++
				continue
			}
			// A place shows a digit if there is one for it; the first shows all that are over.
			for len(whole)-next >= p.whole-place {
				digit()
			}
			place++
		}
	}
	return b.String()
}
