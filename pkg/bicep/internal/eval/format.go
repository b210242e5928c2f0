package eval

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// format evaluates format('…{0,5:N2}…', …), .NET's composite format in the
// invariant culture. Arrays and objects are shown as JSON in which all double quotes are replaced
// by single ones, whatever else the text holds: that of createArray('it”s', '"')
// is ['it's','\”], which nobody can read back.
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
	return armjson.String(dotnet.Joined(unsafe.String(unsafe.SliceData(out), len(out)))), nil // nobody else has the bytes
}

var errFormat = errors.New("the format string is not well formed")

// compose reads a composite format string:
//
//	item = "{" index [ "," [ "-" ] width ] [ ":" format ] "}"
//
// with {{ and }} standing for braces.
func compose(f string, args []Value) ([]byte, error) {
	size := len(f) + 32
	for _, a := range args { // mostly each is shown once, and texts are what is long
		s, _ := a.(armjson.String)
		size += len(s)
	}
	out := make([]byte, 0, min(size, maxValueText))
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

// appendItem appends what is between braces.
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
		n, ok := dotnet.Digits(w)
		if !ok || n >= maxString {
			return nil, errFormat
		}
		item, width = item[:k], n
	}
	index, ok := dotnet.Digits(strings.TrimRight(item, " "))
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
	fill := width - dotnet.Length(s)
	if fill > 0 && !left {
		out = append(out, strings.Repeat(" ", fill)...)
	}
	out = append(out, s...)
	if fill > 0 && left {
		out = append(out, strings.Repeat(" ", fill)...)
	}
	return out, nil
}

// formatValue formats one value. The format applies to numbers only.
func formatValue(v Value, spec string) (string, error) {
	switch x := v.(type) {
	case armjson.Number:
		if spec == "" {
			break
		}
		return dotnet.Number(x, spec)
	case armjson.Array, *armjson.Object:
		return strings.ReplaceAll(armjson.Text(v), `"`, "'"), nil
	}
	s, _ := stringOf(v)
	return s, nil
}
