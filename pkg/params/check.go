package params

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/spell"
)

// finding is what the check of one value found.
type finding struct {
	code    string
	text    string
	warning bool
}

// checker holds a value to a type.
type checker struct {
	secure   bool   // values must not be shown
	name     string // of the parameter, for examples
	declared bool   // the declaration says so, so what it allows must not be shown either
	compiled bool   // a compiler has checked it, and warned
	findings []finding
	spelling *spell.Limited
	allowed  map[*armjson.Value]*allowed // by the first value
}

// maxFindings is how many findings there are for one value. Nobody reads more.
const maxFindings = 100

func (c *checker) full() bool { return len(c.findings) >= maxFindings }

func (c *checker) add(code string, at *path, format string, args ...any) {
	if c.full() {
		return
	}
	text := fmt.Sprintf(format, args...)
	if at != nil {
		text = at.String() + ": " + text
	}
	if c.findings = append(c.findings, finding{code: code, text: text}); c.full() {
		c.findings[maxFindings-1].text += "; what else is wrong with the value is not listed"
	}
}

// path is where a part of a value is: a step further than another path, or in the value itself.
type path struct {
	up    *path
	name  string // of a property
	index int    // of an element, if there is no name
	named bool
}

func (p *path) property(name string) *path { return &path{up: p, name: name, named: true} }

func (p *path) element(i int) *path { return &path{up: p, index: i} }

// String returns the path as messages show it. A long one is cut.
func (p *path) String() string {
	var steps []*path
	for ; p != nil; p = p.up {
		steps = append(steps, p)
	}
	slices.Reverse(steps)
	var b strings.Builder
	for i, p := range steps {
		const longest = 500
		switch {
		case b.Len() > longest:
			return strings.TrimSuffix(b.String(), "…") + "…"
		case !p.named:
			fmt.Fprintf(&b, "[%d]", p.index)
			continue
		case i > 0:
			b.WriteByte('.')
		}
		b.WriteString(clipTo(p.name, longest))
	}
	return b.String()
}

// notText says why a text is refused: no file can hold it, and what would be written in its place is
// another value.
const notText = "it holds what is no Unicode text: a byte that is not UTF-8, or half of a pair of surrogates, such as \\ud800 alone"

// text holds all texts of a value, and its names, to Unicode.
func (c *checker) text(v armjson.Value, at *path) {
	switch v := v.(type) {
	case armjson.String:
		if !armjson.IsText(string(v)) {
			c.add(CodeType, at, "%s", notText)
		}
	case armjson.Array:
		for i, one := range v {
			c.text(one, at.element(i))
		}
	case *armjson.Object:
		for name, one := range v.All() {
			if !armjson.IsText(name) {
				c.add(CodeType, at, "the name of a property: %s", notText)
				continue
			}
			c.text(one, at.property(name))
		}
	}
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
		case err == nil && trimmed[0] != '+':
			return armjson.Int(n)
		case wholeNumber(trimmed):
			c.add(CodeType, nil, "%swant an int from %d to %d", c.shown(text), int64(math.MinInt64), int64(math.MaxInt64))
		default:
			c.add(CodeType, nil, "%swant an int, such as 8080", c.shown(text))
		}
		return nil
	case kindBool:
		switch strings.ToLower(strings.TrimSpace(text)) {
		case "true":
			return armjson.Bool(true)
		case "false":
			return armjson.Bool(false)
		}
		c.add(CodeType, nil, "%swant true or false", c.shown(text))
		return nil
	case kindObject, kindArray:
		v, problem := parseJSON(text, Source{}, func(string) bool { return c.secure }, nil)
		switch {
		case problem != nil && v != nil: // a name twice
			c.add(problem.Code, nil, "%s", problem.Message)
			return nil
		case problem != nil:
			c.add(CodeType, nil, "want %s as JSON%s, or from a file by name=@file.json", article(s.describe()), c.example(text, s))
			return nil
		}
		return v
	case kindAny: // any, or a union of literals of several kinds
		if allowed, ok := s.get(ofAllowed).(armjson.Array); ok {
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
	s = strings.TrimPrefix(s, "-")
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// example shows how a text that is no JSON is written as an array, or what an object looks like.
func (c *checker) example(text string, s schema) string {
	if c.name == "" {
		return ""
	}
	if s.kind() == kindObject {
		return fmt.Sprintf(`, such as %s:={"key":"value"}, a property by %s.key=value`, c.name, c.name)
	}
	list := armjson.Array{armjson.String("…")}
	if !c.secure {
		list = nil
		for one := range strings.SplitSeq(clip(text), ",") {
			one = strings.TrimSpace(one)
			if v, err := armjson.Parse(one, armjson.Options{}); err == nil && (schema{s.object(ofItems), s.decls}).typeName() != "string" {
				list = append(list, v)
			} else {
				list = append(list, armjson.String(one))
			}
		}
	}
	return ", such as " + c.name + ":=" + armjson.Text(list)
}

// shown quotes a value at the beginning of a message, unless it is a secret.
func (c *checker) shown(text string) string {
	if c.secure {
		return ""
	}
	return strconv.Quote(clip(text)) + ": "
}

// check holds a value to a type, and adds what does not fit.
func (c *checker) check(v armjson.Value, s schema, at *path) {
	if s.o == nil || c.full() || isUnknown(v) {
		return
	}
	if _, ok := v.(armjson.Null); ok {
		if !s.nullable() && s.kind() != kindAny {
			c.add(CodeType, at, "want %s%s", article(s.describe()), c.not("null"))
		}
		return
	}
	if !c.kind(v, s, at) {
		return
	}
	if allowed, ok := s.get(ofAllowed).(armjson.Array); ok && !c.isAllowed(v, allowed) {
		c.add(CodeConstraint, at, "%s", c.notAllowed(v, allowed))
		return
	}
	switch v := v.(type) {
	case armjson.Number:
		n, ok := v.Int64()
		if !ok {
			return
		}
		if low, ok := s.int(ofLeast); ok && n < low {
			c.add(CodeConstraint, at, "%sthe least value is %d", c.shownNumber(v), low)
		}
		if high, ok := s.int(ofMost); ok && n > high {
			c.add(CodeConstraint, at, "%sthe greatest value is %d", c.shownNumber(v), high)
		}
	case armjson.String:
		c.length(utf16Len(string(v)), s, at, "character")
	case armjson.Array:
		c.length(len(v), s, at, "element")
		c.elements(v, s, at)
	case *armjson.Object:
		c.members(v, s, at)
	}
}

// told returns what may be told of the findings on a value. Which part of a secret is wrong, and how, is not: whoever
// writes the declaration could ask for a part at a time.
func (c *checker) told(v armjson.Value) []finding {
	if !c.secure || len(c.findings) == 0 {
		return c.findings
	}
	switch v.(type) {
	case armjson.Array, *armjson.Object:
		return []finding{{code: CodeConstraint, text: "its value does not fit its type"}}
	}
	return c.findings[:1]
}

// not says at the end of a message what a value is, unless it is a secret.
func (c *checker) not(what string) string {
	if c.secure {
		return ""
	}
	return ", not " + what
}

// isUnknown reports whether a value is an expand.Unknown, which fits every type: this package does not know that one.
func isUnknown(v armjson.Value) bool {
	_, ok := v.(interface{ IsSecure() bool })
	return ok
}

func (c *checker) shownNumber(n armjson.Number) string {
	if c.secure {
		return ""
	}
	return clipTo(string(n), longestName) + ": "
}

// kind reports whether a value is of the type's kind.
func (c *checker) kind(v armjson.Value, s schema, at *path) bool {
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
					c.add(CodeType, at, "%swant an int from %d to %d", c.shownNumber(n), int64(math.MinInt64), int64(math.MaxInt64))
				} else {
					c.add(CodeType, at, "%swant an int, without fraction and exponent", c.shownNumber(n))
				}
				return false
			}
		}
	}
	if !fits {
		c.add(CodeType, at, "want %s%s", article(s.describe()), c.not(describe(v)))
	}
	return fits
}

func (c *checker) length(n int, s schema, at *path, unit string) {
	if low, ok := s.int(ofShortest); ok && int64(n) < low {
		c.add(CodeConstraint, at, "want at least %s%s", count(low, unit), c.not(strconv.Itoa(n)))
	}
	if high, ok := s.int(ofLongest); ok && int64(n) > high {
		c.add(CodeConstraint, at, "want at most %s%s", count(high, unit), c.not(strconv.Itoa(n)))
	}
}

// count returns "1 element", "2 elements".
func count(n int64, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

func (c *checker) elements(v armjson.Array, s schema, at *path) {
	prefix, _ := s.get(ofPrefix).(armjson.Array)
	items, _ := s.get(ofItems).(*armjson.Object)
	for i, element := range v {
		if i < len(prefix) {
			o, _ := prefix[i].(*armjson.Object)
			c.check(element, schema{o, s.decls}, at.element(i))
		} else if items != nil {
			c.check(element, schema{items, s.decls}, at.element(i))
		}
	}
	more, ok := s.get(ofItems).(armjson.Bool)
	if closed := ok && !bool(more); len(v) < len(prefix) || closed && len(v) > len(prefix) {
		c.add(CodeType, at, "want %s, not %d", count(int64(len(prefix)), "element"), len(v))
	}
}

// variant returns the type that an object says it is of, which may be one of those
// that say so again.
func (c *checker) variant(v *armjson.Object, s schema, at *path) (schema, bool) {
	for range maxTags {
		key, mapping := s.discriminator()
		if mapping == nil {
			return s, true
		}
		chosen, _ := v.Get(key)
		text, ok := chosen.(armjson.String)
		if !ok {
			c.add(CodeType, at, "want the property %q, which says what the object is", key)
			return s, false
		}
		inner := mapping.Object(string(text))
		if inner == nil {
			c.add(CodeConstraint, at.property(key), "want %s", quotedList(mapping))
			return s, false
		}
		s = schema{inner, s.decls}
	}
	return s, false // a cycle, about which nothing is known
}

func (c *checker) members(v *armjson.Object, s schema, at *path) {
	s, ok := c.variant(v, s, at)
	if !ok {
		return
	}
	properties := s.object(ofProperties)
	if properties != nil {
		for name, p := range properties.All() {
			o, _ := p.(*armjson.Object)
			inner := schema{o, s.decls}
			if value, ok := v.Get(name); ok {
				c.check(value, inner, at.property(name))
			} else if o != nil && !inner.nullable() && o.Find("defaultValue") < 0 {
				c.add(CodeType, at, "the property %q is missing", clipTo(name, longestName))
			}
		}
	}
	switch more := s.get(ofMore).(type) {
	case nil:
		// The deployment takes it. It is a mistake as a rule, so the compiler warns of it in a .bicepparam file.
		if properties != nil && properties.Len() > 0 && !c.secure && !c.compiled {
			c.unknown(v, properties, at, true)
		}
	case armjson.Bool:
		if !bool(more) {
			c.unknown(v, properties, at, false)
		}
	case *armjson.Object:
		for name, value := range v.All() {
			if properties == nil || properties.Find(name) < 0 {
				c.check(value, schema{more, s.decls}, at.property(name))
			}
		}
	}
}

// unknown adds the properties of an object that its type does not have.
func (c *checker) unknown(v, properties *armjson.Object, at *path, warning bool) {
	var known []string
	for name := range v.All() {
		if c.full() {
			return
		}
		if properties != nil && properties.Find(name) >= 0 {
			continue
		}
		if known == nil {
			known = keys(properties)
		}
		c.add(CodeType, at, "the property %q is unknown%s", clipTo(name, longestName), suggest(c.spelling, name, known))
		c.findings[len(c.findings)-1].warning = warning
	}
}

// allowed are the values that a schema allows: those that a map can hold, and the others.
type allowed struct {
	plain  map[string]bool
	others armjson.Array
}

// key returns a text that equal texts, booleans and whole numbers have in common.
func key(v armjson.Value) (string, bool) {
	switch v := v.(type) {
	case armjson.String:
		return "s" + string(v), true
	case armjson.Null, armjson.Bool:
		return armjson.Text(v), true
	case armjson.Number:
		n, ok := v.Int64()
		return strconv.FormatInt(n, 10), ok
	}
	return "", false
}

// isAllowed reports whether a value is one of those allowed. An array is allowed as well if each of
// its elements is.
func (c *checker) isAllowed(v armjson.Value, list armjson.Array) bool {
	if len(list) == 0 {
		return false
	}
	set := c.allowed[&list[0]]
	if set == nil {
		set = &allowed{plain: make(map[string]bool, len(list))}
		for _, a := range list {
			if k, ok := key(a); ok {
				set.plain[k] = true
			} else {
				set.others = append(set.others, a)
			}
		}
		if c.allowed == nil {
			c.allowed = map[*armjson.Value]*allowed{}
		}
		c.allowed[&list[0]] = set
	}
	return set.has(v)
}

func (s *allowed) has(v armjson.Value) bool {
	k, plain := key(v)
	if plain && s.plain[k] {
		return true
	}
	for _, a := range s.others {
		if armjson.Equal(v, a) {
			return true
		}
	}
	if n, ok := v.(armjson.Number); ok && !plain { // 1.0 is 1
		f, _ := strconv.ParseFloat(string(n), 64)
		if whole := armjson.Int(int64(f)); s.plain[string(whole)] && armjson.Equal(n, whole) {
			return true
		}
	}
	list, ok := v.(armjson.Array)
	return ok && !slices.ContainsFunc(list, func(element armjson.Value) bool { return !s.has(element) })
}

// notAllowed says what is allowed.
func (c *checker) notAllowed(v armjson.Value, allowed armjson.Array) string {
	if c.declared {
		return "want one of the values that the template allows"
	}
	texts := make([]string, len(allowed))
	var words []string
	for i, a := range allowed {
		if i <= maxListed {
			texts[i] = armjson.Text(a)
		}
		if s, ok := a.(armjson.String); ok {
			words = append(words, string(s))
		}
	}
	text := "want one of " + strings.Join(some(texts, plainly, "and "), ", ")
	if s, ok := v.(armjson.String); ok && !c.secure {
		text += suggest(c.spelling, string(s), words)
	}
	return text
}

// A message lists maxListed names, or one more, and shows longestName characters of each.
const maxListed, longestName = 12, 200

// some returns names as they are shown: all, or the first of them and, behind a word, how many more there are.
func some(names []string, show func(string) string, before string) []string {
	var out []string
	for i, name := range names {
		if i == maxListed && len(names) > maxListed+1 {
			return append(out, fmt.Sprintf("%s%d more", before, len(names)-i))
		}
		out = append(out, show(clipTo(name, longestName)))
	}
	return out
}

func plainly(name string) string { return name }

func quotedList(o *armjson.Object) string {
	return strings.Join(some(keys(o), strconv.Quote, ""), " or ")
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

func suggest(spelling *spell.Limited, word string, candidates []string) string {
	if near := spelling.Nearest(word, candidates); near != "" {
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
