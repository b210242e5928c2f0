package params

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/spell"
)

// finding is what the check of one value found.
type finding struct {
	code string
	text string
}

// checker holds a value to a type.
type checker struct {
	secure   bool // values must not be shown
	declared bool // the declaration says so, so what it allows must not be shown either
	findings []finding
}

func (c *checker) add(code, path, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if path != "" {
		text = strings.TrimPrefix(path, ".") + ": " + text
	}
	c.findings = append(c.findings, finding{code, text})
}

// convert makes of a text from the command line what the declaration says it is,
// or adds why it cannot and returns nil.
func (c *checker) convert(text string, s schema) armjson.Value {
	if text == "null" && s.nullable() && s.kind() != kindString {
		return armjson.Null{}
	}
	switch s.kind() {
	case kindInt:
		trimmed := strings.TrimSpace(text)
		n, err := strconv.ParseInt(trimmed, 10, 64)
		switch {
		case err == nil && !strings.HasPrefix(trimmed, "+"):
			return armjson.Int(n)
		case wholeNumber(trimmed):
			c.add(CodeType, "", "%swant an int from %d to %d", c.shown(text), int64(math.MinInt64), int64(math.MaxInt64))
		default:
			c.add(CodeType, "", "%swant an int, such as 8080", c.shown(text))
		}
		return nil
	case kindBool:
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true":
			return armjson.Bool(true)
		case "false":
			return armjson.Bool(false)
		}
		c.add(CodeType, "", "%swant true or false", c.shown(text))
		return nil
	case kindObject, kindArray:
		v, problem := parseJSON(text, Source{}, hidesAll)
		if problem != nil {
			c.add(CodeType, "", "want %s as JSON, or from a file by name=@file.json", article(s.describe()))
			return nil
		}
		return v
	case kindAny: // any, or a union of literals of several kinds
		if allowed, ok := s.get("allowedValues").(armjson.Array); ok {
			for _, v := range allowed {
				if str, ok := v.(armjson.String); ok && string(str) == text {
					return v
				}
			}
			if v, err := armjson.Parse(text, armjson.Options{}); err == nil {
				return v
			}
		}
	}
	return armjson.String(strings.ToValidUTF8(text, "\ufffd"))
}

func wholeNumber(s string) bool {
	_, ok := new(big.Int).SetString(s, 10)
	return ok
}

// shown quotes a value at the beginning of a message, unless it is a secret.
func (c *checker) shown(text string) string {
	if c.secure {
		return ""
	}
	return strconv.Quote(clip(text)) + ": "
}

// check holds a value to a type, and adds what does not fit.
func (c *checker) check(v armjson.Value, s schema, path string) {
	if s.o == nil {
		return
	}
	if _, ok := v.(armjson.Null); ok {
		if !s.nullable() && s.kind() != kindAny {
			c.add(CodeType, path, "want %s, not null", article(s.describe()))
		}
		return
	}
	if !c.kind(v, s, path) {
		return
	}
	if allowed, ok := s.get("allowedValues").(armjson.Array); ok && !isAllowed(v, allowed) {
		c.add(CodeConstraint, path, "%s", c.notAllowed(v, allowed))
		return
	}
	switch v := v.(type) {
	case armjson.Number:
		n, ok := v.Int64()
		if !ok {
			return
		}
		if low, ok := s.int("minValue"); ok && n < low {
			c.add(CodeConstraint, path, "%sthe least value is %d", c.shownNumber(v), low)
		}
		if high, ok := s.int("maxValue"); ok && n > high {
			c.add(CodeConstraint, path, "%sthe greatest value is %d", c.shownNumber(v), high)
		}
	case armjson.String:
		c.length(utf16Len(string(v)), s, path, "character")
	case armjson.Array:
		c.length(len(v), s, path, "element")
		c.elements(v, s, path)
	case *armjson.Object:
		c.members(v, s, path)
	}
}

func (c *checker) shownNumber(n armjson.Number) string {
	if c.secure {
		return ""
	}
	return string(n) + ": "
}

// kind reports whether a value is of the type's kind.
func (c *checker) kind(v armjson.Value, s schema, path string) bool {
	fits := true
	switch s.kind() {
	case kindString:
		_, fits = v.(armjson.String)
	case kindBool:
		_, fits = v.(armjson.Bool)
	case kindObject:
		_, fits = v.(*armjson.Object)
	case kindArray:
		_, fits = v.(armjson.Array)
	case kindInt:
		var n armjson.Number
		if n, fits = v.(armjson.Number); fits {
			if _, ok := n.Int64(); !ok {
				if wholeNumber(string(n)) {
					c.add(CodeType, path, "%swant an int from %d to %d", c.shownNumber(n), int64(math.MinInt64), int64(math.MaxInt64))
				} else {
					c.add(CodeType, path, "%swant an int, without fraction and exponent", c.shownNumber(n))
				}
				return false
			}
		}
	}
	if !fits {
		c.add(CodeType, path, "want %s, not %s", article(s.describe()), describe(v))
	}
	return fits
}

func (c *checker) length(n int, s schema, path, unit string) {
	if low, ok := s.int("minLength"); ok && int64(n) < low {
		c.add(CodeConstraint, path, "want at least %s, not %d", count(low, unit), n)
	}
	if high, ok := s.int("maxLength"); ok && int64(n) > high {
		c.add(CodeConstraint, path, "want at most %s, not %d", count(high, unit), n)
	}
}

// count returns "1 element", "2 elements".
func count(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func (c *checker) elements(v armjson.Array, s schema, path string) {
	prefix, _ := s.get("prefixItems").(armjson.Array)
	items, _ := s.get("items").(*armjson.Object)
	for i, element := range v {
		at := fmt.Sprintf("%s[%d]", path, i)
		if i < len(prefix) {
			o, _ := prefix[i].(*armjson.Object)
			c.check(element, schema{o, s.decls}, at)
		} else if items != nil {
			c.check(element, schema{items, s.decls}, at)
		}
	}
	more, ok := s.get("items").(armjson.Bool)
	if closed := ok && !bool(more); len(v) < len(prefix) || closed && len(v) > len(prefix) {
		c.add(CodeType, path, "want %s, not %d", count(int64(len(prefix)), "element"), len(v))
	}
}

// variant returns the type that an object says it is of, which may be one of those
// that say so again.
func (c *checker) variant(v *armjson.Object, s schema, path string) (schema, bool) {
	for range maxRefs {
		key, mapping := s.discriminator()
		if mapping == nil {
			return s, true
		}
		chosen, _ := v.Get(key)
		text, ok := chosen.(armjson.String)
		if !ok {
			c.add(CodeType, path, "want the property %q, which says what the object is", key)
			return s, false
		}
		inner := mapping.Object(string(text))
		if inner == nil {
			c.add(CodeConstraint, path+"."+key, "want %s", quotedList(mapping))
			return s, false
		}
		s = schema{inner, s.decls}
	}
	return s, false // a cycle, about which nothing is known
}

func (c *checker) members(v *armjson.Object, s schema, path string) {
	s, ok := c.variant(v, s, path)
	if !ok {
		return
	}
	properties := s.object("properties")
	if properties != nil {
		for name, p := range properties.All() {
			o, _ := p.(*armjson.Object)
			inner := schema{o, s.decls}
			if value, ok := v.Get(name); ok {
				c.check(value, inner, path+"."+name)
			} else if o != nil && !inner.nullable() && o.Find("defaultValue") < 0 {
				c.add(CodeType, path, "the property %q is missing", name)
			}
		}
	}
	switch more := s.get("additionalProperties").(type) {
	case armjson.Bool:
		if bool(more) {
			return
		}
		for name := range v.All() {
			if properties == nil || properties.Find(name) < 0 {
				if c.secure { // a name may be a part of the secret
					c.add(CodeType, path, "it has a property that is unknown; want %s", strings.Join(keys(properties), ", "))
					return
				}
				c.add(CodeType, path, "the property %q is unknown%s", name, suggest(name, keys(properties)))
			}
		}
	case *armjson.Object:
		for name, value := range v.All() {
			if properties == nil || properties.Find(name) < 0 {
				if c.secure {
					name = "(secure)"
				}
				c.check(value, schema{more, s.decls}, path+"."+name)
			}
		}
	}
}

// isAllowed reports whether a value is one of those allowed. What an array allows
// is its elements.
func isAllowed(v armjson.Value, allowed armjson.Array) bool {
	for _, a := range allowed {
		if armjson.Equal(v, a) {
			return true
		}
	}
	list, ok := v.(armjson.Array)
	if !ok {
		return false
	}
	for _, element := range list {
		if !isAllowed(element, allowed) {
			return false
		}
	}
	return true
}

// notAllowed says what is allowed.
func (c *checker) notAllowed(v armjson.Value, allowed armjson.Array) string {
	if c.declared {
		return "want one of the values that the template allows"
	}
	var texts []string
	var words []string
	for i, a := range allowed {
		if i == 12 && len(allowed) > 13 {
			texts = append(texts, fmt.Sprintf("and %d more", len(allowed)-i))
			break
		}
		texts = append(texts, armjson.Text(a))
	}
	for _, a := range allowed {
		if s, ok := a.(armjson.String); ok {
			words = append(words, string(s))
		}
	}
	text := "want one of " + strings.Join(texts, ", ")
	if s, ok := v.(armjson.String); ok && !c.secure {
		text += suggest(string(s), words)
	}
	return text
}

func quotedList(o *armjson.Object) string {
	var names []string
	if o != nil {
		for name := range o.All() {
			names = append(names, strconv.Quote(name))
		}
	}
	return strings.Join(names, " or ")
}

func keys(o *armjson.Object) []string {
	var names []string
	if o != nil {
		for name := range o.All() {
			names = append(names, name)
		}
	}
	return names
}

func suggest(word string, candidates []string) string {
	if near := spell.Nearest(word, candidates); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	return ""
}

// utf16Len counts as ARM does.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

// describe names a value's kind with its article.
func describe(v armjson.Value) string {
	switch v.(type) {
	case armjson.Null, nil:
		return "null"
	case armjson.Bool:
		return "a bool"
	case armjson.Number:
		return "a number"
	case armjson.String:
		return "a string"
	case armjson.Array:
		return "an array"
	case *armjson.Object:
		return "an object"
	}
	return fmt.Sprintf("%T", v)
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}
