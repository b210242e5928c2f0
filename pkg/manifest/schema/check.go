package schema

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/spell"
)

// checker checks one object.
type checker struct {
	kind     *Kind
	problems []Problem
	spelling spell.Limited
	hidden   bool // the value must not be shown
	within   bool // another schema says which fields there are
}

// add notes a problem. Of what must not be shown, it says where it is and no more.
func (c *checker) add(p Problem) {
	if c.hidden {
		p = Problem{Path: p.Path, Text: "has a value that does not fit and is not shown"}
	}
	c.problems = append(c.problems, p)
}

func (c *checker) wrong(path []string, v armjson.Value, want string) {
	text := armjson.Text(v)
	if len(text) > 100 {
		text = strings.ToValidUTF8(text[:100], "") + "…"
	}
	c.add(Problem{Path: path, Text: "is " + text + "; want " + want})
}

// in returns the way to a part of a value. What leads to a part of one that must not be shown is not shown, either.
func (c *checker) in(path []string, name string) []string {
	if c.hidden {
		return path
	}
	return append(slices.Clip(path), name)
}

// check holds a value to a schema.
func (c *checker) check(s *armjson.Object, v armjson.Value, path []string) {
	if h, ok := v.(*manifest.Hidden); ok {
		before := c.hidden
		c.hidden = true
		c.check(s, h.Value, path)
		c.hidden = before
		return
	}
	if ref := s.Str("$ref"); ref != "" && c.kind.release != "" {
		s = numbered(ref)
	}
	if s == nil || v == (armjson.Null{}) && s.Is("nullable") {
		return
	}
	_, isNumber := v.(armjson.Number)
	text, isText := v.(armjson.String)
	_, whole := integer(v)
	ok, want := hasType(v, s.Str("type"))
	switch {
	case s.Is("x-kubernetes-int-or-string"):
		if !whole && !isText {
			c.wrong(path, v, "an integer or a text")
			return
		}
	case s.Str("format") == "quantity":
		if !isNumber && !isText || isText && !quantity.MatchString(string(text)) {
			c.wrong(path, v, "a quantity, such as 500m or 1Gi")
		}
		return
	case !ok:
		c.wrong(path, v, want)
		return
	}
	same := func(x armjson.Value) bool { return armjson.Equal(x, v) }
	if list, ok := s.Value("enum").(armjson.Array); ok && !slices.ContainsFunc(list, same) {
		c.wrong(path, v, choices(list))
	}
	parts := want != "" || c.within // else nothing is said of them
	switch v := v.(type) {
	case *armjson.Object:
		if parts {
			c.members(s, v, path)
		}
	case armjson.Array:
		if parts {
			c.elements(s, v, path)
		}
	case armjson.String:
		c.checkText(s, string(v), path)
	case armjson.Number:
		c.checkNumber(s, v, path)
	}
	c.combined(s, v, path)
}

// hasType reports whether a value is of a type, and what messages call the type.
func hasType(v armjson.Value, kind string) (ok bool, called string) {
	switch kind {
	case "object":
		_, ok = v.(*armjson.Object)
		return ok, "an object"
	case "array":
		_, ok = v.(armjson.Array)
		return ok, "an array"
	case "string":
		_, ok = v.(armjson.String)
		return ok, "a text"
	case "integer":
		_, ok = integer(v)
		return ok, "an integer"
	case "number":
		_, ok = v.(armjson.Number)
		return ok, "a number"
	case "boolean":
		_, ok = v.(armjson.Bool)
		return ok, "true or false"
	}
	return true, ""
}

// everywhere are the members that every object of a cluster has.
var everywhere = []string{"apiVersion", "kind", "metadata"}

// elements checks those of an array.
func (c *checker) elements(s *armjson.Object, list armjson.Array, path []string) {
	c.bounds(s, "Items", len(list), "element", path)
	for i, x := range list {
		c.check(s.Object("items"), x, c.in(path, strconv.Itoa(i)))
	}
}

// members checks the members of an object.
func (c *checker) members(s, o *armjson.Object, path []string) {
	properties, more := s.Object("properties"), s.Value("additionalProperties")
	rest, _ := more.(*armjson.Object)
	free := s.Is("x-kubernetes-preserve-unknown-fields") || rest != nil || more == armjson.Bool(true) || s == nil || c.within
	embedded := s.Is("x-kubernetes-embedded-resource") || len(path) == 0
	for name, v := range o.All() {
		at := c.in(path, name)
		switch known, ok := properties.Value(name).(*armjson.Object); {
		case ok:
			c.check(known, v, at)
			if n := len(path); name == "labels" && n > 0 && path[n-1] == "metadata" && (n == 1 || !c.kind.custom) {
				c.labels(v, at)
			}
		case free:
			c.check(rest, v, at)
		case embedded && slices.Contains(everywhere, name):
		default:
			c.unknown(properties, name, at)
		}
	}
	required, _ := s.Value("required").(armjson.Array)
	for _, name := range required {
		if name, _ := name.(armjson.String); o.Value(string(name)) == nil && !(embedded && slices.Contains(everywhere, string(name))) {
			c.add(Problem{Path: path, Text: "lacks " + string(name) + ", which is required"})
		}
	}
	c.bounds(s, "Properties", o.Len(), "member", path)
}

// labels holds the labels of an object, or of those that it makes, to what a cluster takes.
func (c *checker) labels(v armjson.Value, path []string) {
	labels, _ := v.(*armjson.Object) // of others the type is wrong, or they are not shown
	for key, v := range labels.All() {
		if why := manifest.LabelKeyProblem(key); why != "" {
			c.add(Problem{Path: c.in(path, key), Text: "has no key that labels take; " + why})
		}
		text, _ := v.(armjson.String)
		if why := manifest.LabelProblem(string(text)); why != "" {
			c.wrong(c.in(path, key), text, strings.TrimPrefix(why, "want "))
		}
	}
}

// unknown tells of a field that the schema does not have. A cluster may be newer than the table.
func (c *checker) unknown(properties *armjson.Object, name string, at []string) {
	var names []string
	for known := range properties.All() {
		names = append(names, known)
	}
	p := Problem{Path: at, Unknown: true}
	switch near := c.spelling.Near(name, names); {
	case near != "":
		p.Text = fmt.Sprintf("is no field of %s; did you mean %q?", c.kind.called(), near)
	case c.kind.release == "":
		p.Text = "is no field of " + c.kind.called() + ", as its definition says"
	default:
		p.Text, p.Doubtful = "is no field of "+c.kind.called()+" in "+c.kind.release+"; a newer cluster may have it", true
	}
	c.add(p)
}

// called is how messages call a kind.
func (k *Kind) called() string {
	return k.name + " (" + strings.TrimPrefix(k.group+"/"+k.version, "/") + ")"
}

// checkText checks a text beyond its type.
func (c *checker) checkText(s *armjson.Object, text string, path []string) {
	c.bounds(s, "Length", utf8.RuneCountInString(text), "character", path)
	if pattern := s.Str("pattern"); pattern != "" {
		if p, err := regexp.Compile(pattern); err == nil && !p.MatchString(text) {
			c.wrong(path, armjson.String(text), "a text that matches "+pattern)
		}
	}
	if s.Str("format") == "byte" {
		if _, err := base64.StdEncoding.DecodeString(text); err != nil {
			c.wrong(path, armjson.String(text), "base64, such as base64() gives")
		}
	}
}

// bounds checks how long a text is, or how much is in an array or an object.
func (c *checker) bounds(s *armjson.Object, what string, n int, unit string, path []string) {
	for _, one := range []struct {
		key, words string
		sign       int64
	}{{"min" + what, "at least", 1}, {"max" + what, "at most", -1}} {
		if bound, ok := integer(s.Value(one.key)); ok && one.sign*int64(n) < one.sign*bound.Int64() {
			plural := "s"
			if bound.Int64() == 1 {
				plural = ""
			}
			c.add(Problem{Path: path, Text: fmt.Sprintf("has %d; want %s %s %s%s", n, one.words, bound, unit, plural)})
		}
	}
}

// checkNumber checks a number beyond its type.
func (c *checker) checkNumber(s *armjson.Object, v armjson.Number, path []string) {
	n, ok := new(big.Rat).SetString(string(v))
	if !ok {
		return
	}
	bound := func(key string) *big.Rat {
		text, _ := s.Value(key).(armjson.Number)
		if r, ok := new(big.Rat).SetString(string(text)); ok {
			return r
		}
		return nil
	}
	low, high, step := bound("minimum"), bound("maximum"), bound("multipleOf")
	if s.Str("format") == "int32" && s.Str("type") == "integer" {
		if least := big.NewRat(-1<<31, 1); low == nil || low.Cmp(least) < 0 {
			low = least
		}
		if most := big.NewRat(1<<31-1, 1); high == nil || high.Cmp(most) > 0 {
			high = most
		}
	}
	switch above, below := s.Is("exclusiveMinimum"), s.Is("exclusiveMaximum"); {
	case low != nil && above && n.Cmp(low) <= 0:
		c.wrong(path, v, "more than "+low.RatString())
	case low != nil && n.Cmp(low) < 0:
		c.wrong(path, v, "at least "+low.RatString())
	case high != nil && below && n.Cmp(high) >= 0:
		c.wrong(path, v, "less than "+high.RatString())
	case high != nil && n.Cmp(high) > 0:
		c.wrong(path, v, "at most "+high.RatString())
	case step != nil && step.Sign() > 0 && !new(big.Rat).Quo(n, step).IsInt():
		c.wrong(path, v, "a multiple of "+step.RatString())
	}
}

// combined checks what a schema says by others.
func (c *checker) combined(s *armjson.Object, v armjson.Value, path []string) {
	fits := func(s armjson.Value) bool {
		inner := &checker{kind: c.kind, hidden: c.hidden, within: true}
		o, _ := s.(*armjson.Object)
		inner.check(o, v, path)
		return len(inner.problems) == 0
	}
	count := func(key string) (n, of int) {
		list, _ := s.Value(key).(armjson.Array)
		for _, x := range list {
			if fits(x) {
				n++
			}
		}
		return n, len(list)
	}
	if n, of := count("allOf"); n < of {
		c.wrong(path, v, "what all parts of its schema (allOf) take")
	}
	if n, of := count("anyOf"); of > 0 && n == 0 {
		c.wrong(path, v, "one of the forms that its schema (anyOf) takes")
	}
	if n, of := count("oneOf"); of > 0 && n != 1 {
		c.wrong(path, v, "exactly one of the forms that its schema (oneOf) takes")
	}
	if not := s.Value("not"); not != nil && fits(not) {
		c.wrong(path, v, "anything but what its schema excludes (not)")
	}
}

// quantity is what Kubernetes takes for an amount of something.
var quantity = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$`)

// integer returns a value as an integer, if it is one.
func integer(v armjson.Value) (*big.Int, bool) {
	n, ok := v.(armjson.Number)
	if !ok {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || !r.IsInt() {
		return nil, false
	}
	return r.Num(), true
}

// choices lists the values of an enumeration.
func choices(list armjson.Array) string {
	words := make([]string, len(list))
	for i, v := range list {
		if words[i] = armjson.Text(v); i > 20 {
			words = append(words[:i], "…")
			break
		}
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}
