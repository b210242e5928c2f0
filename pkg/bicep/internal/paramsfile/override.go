package paramsfile

import (
	"errors"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Override returns the text of a parameter file, without byte order mark, in
// which the values of a JSON object replace what is assigned.
// Parameters that the file does not assign are added at its end.
func Override(text, values string) (string, error) {
	v, err := armjson.Parse(values, armjson.Options{Relaxed: true})
	if err != nil {
		return "", err
	}
	overrides, ok := v.(*armjson.Object)
	if !ok {
		if v == armjson.Value(armjson.Null{}) {
			return text, nil
		}
		return "", errors.New("the overrides are not a JSON object of parameters")
	}
	for name := range overrides.All() {
		if !syntax.IsIdentifier(name) {
			return "", errors.New("one of the names in them is not that of a parameter")
		}
	}
	file := &source.File{Text: source.ValidUTF8(text)}
	tree, _ := syntax.ParseParams(file)
	var out strings.Builder
	done := map[string]bool{}
	end := int32(0) // of what is copied
	for _, s := range tree.Stmts {
		p, ok := s.(*syntax.ParamAssign)
		if !ok {
			continue
		}
		v, ok := overrides.Get(p.Name.Name)
		if !ok {
			continue
		}
		done[p.Name.Name] = true
		at := p.Value.Span()
		out.WriteString(file.Text[end:at.Start])
		write(&out, v, 0)
		end = at.End
	}
	out.WriteString(file.Text[end:])
	for name, v := range overrides.All() {
		if done[name] {
			continue
		}
		out.WriteString("\n\nparam " + name + " = ")
		write(&out, v, 0)
	}
	return out.String(), nil
}

// write writes a value as a Bicep expression. Bicep has no numbers but integers:
// others are read from text.
func write(b *strings.Builder, v armjson.Value, depth int) {
	line := func(depth int) {
		b.WriteByte('\n')
		b.WriteString(strings.Repeat("  ", depth))
	}
	switch v := v.(type) {
	case armjson.String:
		b.WriteString(types.QuoteString(string(v)))
	case armjson.Bool:
		b.WriteString(strconv.FormatBool(bool(v)))
	case armjson.Number:
		if n, ok := v.Int64(); ok {
			b.WriteString(strconv.FormatInt(n, 10))
			return
		}
		b.WriteString("json('" + v.Invariant() + "')")
	case armjson.Array:
		b.WriteByte('[')
		for _, x := range v {
			line(depth + 1)
			write(b, x, depth+1)
		}
		line(depth)
		b.WriteByte(']')
	case *armjson.Object:
		b.WriteByte('{')
		for k, x := range v.All() {
			line(depth + 1)
			b.WriteString(types.QuoteProperty(k))
			b.WriteString(": ")
			write(b, x, depth+1)
		}
		line(depth)
		b.WriteByte('}')
	default:
		b.WriteString("null")
	}
}
