package emit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
)

// viaTree prints a text the way the official compiler does: through a tree.
func viaTree(t *testing.T, s string) string {
	t.Helper()
	v, err := armjson.Parse(s, armjson.Options{})
	require.NoError(t, err, "%v in %s", err, s)
	return string(armjson.Append(nil, v, armjson.Indented))
}

// play writes a value that is given as nested pairs.
func play(p *printer, v any) {
	switch v := v.(type) {
	case nil:
		p.null()
	case bool:
		p.bool(v)
	case int:
		p.int(int64(v))
	case string:
		p.string(v)
	case []any:
		p.array()
		for _, x := range v {
			p.item()
			play(p, x)
		}
		p.end()
	case [][2]any:
		p.object()
		for _, m := range v {
			p.key(m[0].(string))
			play(p, m[1])
		}
		p.end()
	default:
		panic(v)
	}
}

func compact(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return string(armjson.AppendString(nil, v))
	case []any:
		var parts []string
		for _, x := range v {
			parts = append(parts, compact(x))
		}
		return "[" + strings.Join(parts, ",") + "]"
	case [][2]any:
		var parts []string
		for i, m := range v {
			if !slices.ContainsFunc(v[i+1:], func(later [2]any) bool { return later[0] == m[0] }) {
				parts = append(parts, compact(m[0])+":"+compact(m[1]))
			}
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return fmt.Sprint(v)
}

func TestPrinter(t *testing.T) {
	t.Parallel()
	type o = [][2]any
	type a = []any
	many := o{}
	for i := range 60 {
		many = append(many, [2]any{fmt.Sprintf("k%d", i%37), o{{"x", i}, {"x", a{i}}}})
	}
	for _, v := range []any{
		o{}, a{}, a{a{}, o{}, nil, true, -1, "é\n\"\u2028"},
		o{{"a", 1}, {"b", o{{"c", a{1, o{}}}}}},
		o{{"a", 1}, {"b", 2}, {"a", 3}},
		o{{"a", 1}, {"a", o{{"long", a{1, 2, 3}}}}},
		o{{"a", o{{"long", a{1, 2, 3}}}}, {"b", 2}, {"c", 3}, {"a", 0}, {"b", o{{"q", 1}, {"q", a{}}}}, {"d", 4}, {"c", "x"}},
		o{{"p", o{{"a", 1}, {"b", 2}, {"a", 3}}}, {"q", 1}, {"p", o{{"a", 1}, {"b", 2}, {"b", 4}}}},
		many,
	} {
		p := &printer{}
		play(p, v)
		if got, want := string(p.buf), viaTree(t, compact(v)); got != want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", compact(v), got, want)
		}
		if len(p.frames) != 0 || len(p.members) != 0 {
			t.Errorf("%s: %d frames and %d members are left", compact(v), len(p.frames), len(p.members))
		}
	}
}

func TestTextIsMovedToTheRight(t *testing.T) {
	t.Parallel()
	inner := viaTree(t, `{"a":[1,{"b":"x\ny{"}],"c":{},"d":["[","}",[]],"e":"{"}`)
	for _, module := range []bool{false, true} {
		text := &Text{bytes: []byte(inner), module: module}
		p := &printer{}
		p.object()
		p.key("m")
		p.array()
		p.item()
		size := len(p.buf) + text.sizeAt(2)
		p.buf = text.appendAt(p.buf, 2)
		assert.Len(t, p.buf, size)
		p.end()
		p.end()
		got, want := string(p.buf), viaTree(t, `{"m":[`+inner+`]}`)
		assert.Equal(t, want, got)
	}
}
