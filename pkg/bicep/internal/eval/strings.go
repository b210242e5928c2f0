package eval

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// addStrings adds the functions of strings.
func addStrings(m map[string]builtin) {
	m["concat"] = builtin{1, -1, concat}
	m["format"] = builtin{1, -1, format}
	m["tolower"] = mapString(dotnet.Lower)
	m["toupper"] = mapString(dotnet.Upper)
	m["trim"] = mapString(func(s string) string { return strings.TrimFunc(s, unicode.IsSpace) })
	m["padleft"] = builtin{2, 3, padLeft}
	m["replace"] = builtin{3, 3, replace}
	m["substring"] = builtin{2, 3, substring}
	m["split"] = builtin{2, 2, split}
	m["join"] = builtin{2, 2, join}
	m["startswith"] = builtin{2, 2, affix(collate.HasPrefix)}
	m["endswith"] = builtin{2, 2, affix(collate.HasSuffix)}
	m["like"] = builtin{2, 2, like}
}

// mapString makes a function from strings to strings.
func mapString(f func(string) string) builtin {
	return ofString(func(c *invocation, s string) (Value, error) { return c.makeString(f(s)) })
}

// concat joins arrays, or scalars to a string, according to its first argument.
func concat(c *invocation) (Value, error) {
	if _, ok := c.args[0].v.(armjson.Array); ok {
		n := 0
		for i := range c.args {
			a, err := c.array(i)
			if err != nil {
				return nil, err
			}
			n += len(a)
		}
		if err := c.ev.roomFor(n); err != nil {
			return nil, err
		}
		out := make(armjson.Array, 0, n)
		for i := range c.args {
			out = append(out, c.args[i].v.(armjson.Array)...)
		}
		return out, nil
	}
	parts := make([]string, len(c.args))
	n := 0
	for i := range c.args {
		v, err := c.value(i)
		if err != nil {
			return nil, err
		}
		s, ok := stringOf(v)
		if !ok || isNull(v) {
			return nil, c.bad(i, "a string, an integer or a boolean")
		}
		parts[i] = s
		n += len(s)
	}
	if err := c.ev.room(n); err != nil {
		return nil, err
	}
	return armjson.String(dotnet.Joined(strings.Join(parts, ""))), nil
}

// maxString is the longest string that alignments of format make.
const maxString = 1 << 20

// maxPadded is the largest width of padLeft.
const maxPadded = 16

// padLeft evaluates padLeft(text, width [, character]). A longer text stays as it is.
func padLeft(c *invocation) (Value, error) {
	v, err := c.value(0)
	if err != nil {
		return nil, err
	}
	switch v.(type) {
	case armjson.String, armjson.Number:
	default:
		return nil, c.bad(0, "a string or an integer")
	}
	s, _ := stringOf(v)
	total, err := c.int(1)
	if err != nil {
		return nil, err
	}
	pad := " "
	if len(c.args) == 3 {
		if pad, err = c.str(2); err != nil {
			return nil, err
		}
		if dotnet.Length(pad) != 1 {
			return nil, c.errorf("the padding must be one character")
		}
	}
	if total < 1 || total > maxPadded {
		return nil, c.errorf("the length is %d; it must be between 1 and %d", total, maxPadded)
	}
	n := int(total) - dotnet.Length(s)
	if n <= 0 {
		return armjson.String(s), nil
	}
	if err := c.ev.room(n*len(pad) + len(s)); err != nil {
		return nil, err
	}
	return armjson.String(dotnet.Joined(strings.Repeat(pad, n) + s)), nil
}

func replace(c *invocation) (Value, error) {
	var s [3]string
	for i := range s {
		var err error
		if s[i], err = c.str(i); err != nil {
			return nil, err
		}
	}
	if s[1] == "" {
		return nil, c.errorf("the string to replace is empty")
	}
	if n := strings.Count(s[0], s[1]); n > 0 {
		if err := c.ev.room(len(s[0]) + n*len(s[2])); err != nil {
			return nil, err
		}
	}
	return armjson.String(dotnet.Joined(strings.ReplaceAll(s[0], s[1], s[2]))), nil
}

func substring(c *invocation) (Value, error) {
	s, start, err := args2(c.str, c.int)
	if err != nil {
		return nil, err
	}
	total := int64(dotnet.Length(s))
	if start < 0 || start > total {
		return nil, c.errorf("the start %d is outside the string, whose length is %d", start, total)
	}
	n := total - start
	if len(c.args) == 3 {
		if n, err = c.int(2); err != nil {
			return nil, err
		}
		if n < 0 || n > total-start {
			return nil, c.errorf("the %d characters from %d on are outside the string, whose length is %d", n, start, total)
		}
	}
	return armjson.String(dotnet.Slice(s, int(start), int(start+n))), nil
}

// split splits at any of its separators. As in .NET, an empty separator
// separates nothing, and no separators at all stand for white space.
func split(c *invocation) (Value, error) {
	s, err := c.str(0)
	if err != nil {
		return nil, err
	}
	var seps []string
	switch d := c.args[1].v.(type) {
	case armjson.String:
		seps = []string{string(d)}
	case armjson.Array:
		for _, x := range d {
			sep, ok := x.(armjson.String)
			if !ok {
				return nil, c.errorf("one of the separators is %s, not a string", describe(x))
			}
			seps = append(seps, string(sep))
		}
	default:
		return nil, c.bad(1, "a string or an array of strings")
	}
	var parts []string
	start := 0
	for i := 0; i < len(s); {
		n := 0
		if len(seps) == 0 {
			if r, size := utf8.DecodeRuneInString(s[i:]); unicode.IsSpace(r) {
				n = size
			}
		}
		for _, sep := range seps {
			if sep != "" && strings.HasPrefix(s[i:], sep) {
				n = len(sep)
				break
			}
		}
		if n == 0 {
			i++
			continue
		}
		parts = append(parts, s[start:i])
		i += n
		start = i
	}
	parts = append(parts, s[start:])
	if err := c.ev.roomFor(len(parts)); err != nil {
		return nil, err
	}
	out := make(armjson.Array, len(parts))
	for i, p := range parts {
		out[i] = armjson.String(p)
	}
	return out, nil
}

func join(c *invocation) (Value, error) {
	a, sep, err := args2(c.array, c.str)
	if err != nil {
		return nil, err
	}
	parts := make([]string, len(a))
	n := 0
	for i, x := range a {
		s, ok := stringOf(x)
		if !ok || isNull(x) || isFraction(x) {
			return nil, c.errorf("element %d is %s, which cannot be joined", i, describe(x))
		}
		parts[i] = s
		n += len(s) + len(sep)
	}
	if err := c.ev.room(n); err != nil {
		return nil, err
	}
	return armjson.String(dotnet.Joined(strings.Join(parts, sep))), nil
}

// affix makes startsWith and endsWith, which compare as people read and do not look at case (package collate).
func affix(has func(s, x string) bool) func(*invocation) (Value, error) {
	return func(c *invocation) (Value, error) {
		s, x, err := args2(c.str, c.str)
		if err != nil {
			return nil, err
		}
		return armjson.Bool(has(s, x)), nil
	}
}

// like matches a pattern in which * stands for any text, without looking at case.
func like(c *invocation) (Value, error) {
	s, pattern, err := args2(c.str, c.str)
	if err != nil {
		return nil, err
	}
	text, pat := dotnet.Folded(s), dotnet.Folded(pattern)
	// The usual matching of wildcards: after a mismatch, the last star matches one more character.
	i, p, star, mark := 0, 0, -1, 0
	for i < len(text) {
		switch {
		case p < len(pat) && pat[p] == '*':
			star, mark = p, i
			p++
		case p < len(pat) && pat[p] == text[i]:
			p++
			i++
		case star >= 0:
			if err := c.ev.step(1); err != nil {
				return nil, err
			}
			p = star + 1
			mark++
			i = mark
		default:
			return armjson.Bool(false), nil
		}
	}
	for p < len(pat) && pat[p] == '*' {
		p++
	}
	return armjson.Bool(p == len(pat)), nil
}
