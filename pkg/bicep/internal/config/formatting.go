package config

import (
	"math"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// Formatting is how files are laid out. A setting that the configuration leaves out keeps the value
// that the caller had before.
type Formatting struct{ tree *armjson.Object }

// formatting reads the section of that name, of which each value is checked.
func (b *binder) formatting(tree *armjson.Object) Formatting {
	f := Formatting{b.object(tree, "formatting")}
	for key, fits := range map[string]func(armjson.Value) bool{
		"indentKind":         word("space", "tab"),
		"newlineKind":        word("lf", "crlf", "cr"),
		"indentSize":         isInt32,
		"width":              isInt32,
		"insertFinalNewline": func(v armjson.Value) bool { _, ok := v.(armjson.Bool); return ok },
	} {
		if v, ok := f.tree.Get(key); ok && v != (armjson.Null{}) && !fits(v) {
			b.fail("%q of \"formatting\" has a value that it cannot have", key)
		}
	}
	return f
}

// word accepts one of a few words, in any letter case.
func word(words ...string) func(armjson.Value) bool {
	return func(v armjson.Value) bool {
		s, ok := v.(armjson.String)
		return slices.ContainsFunc(words, func(w string) bool { return ok && strings.EqualFold(string(s), w) })
	}
}

func isInt32(v armjson.Value) bool {
	n, ok := v.(armjson.Number)
	if !ok {
		return false
	}
	i, ok := n.Int64()
	return ok && math.MinInt32 <= i && i <= math.MaxInt32
}

// Word returns a setting that is one of a few words, in lower case.
func (f Formatting) Word(key string) (string, bool) {
	s, ok := f.get(key).(armjson.String)
	return strings.ToLower(string(s)), ok
}

// Int returns a setting that is a number.
func (f Formatting) Int(key string) (int, bool) {
	if n, ok := f.get(key).(armjson.Number); ok {
		i, ok := n.Int64()
		return int(i), ok
	}
	return 0, false
}

// Bool returns a setting that is true or false.
func (f Formatting) Bool(key string) (value, ok bool) {
	b, ok := f.get(key).(armjson.Bool)
	return bool(b), ok
}

func (f Formatting) get(key string) armjson.Value {
	if f.tree == nil {
		return nil
	}
	v, _ := f.tree.Get(key)
	return v
}
