// Package templatehash computes the templateHash of a template as ARM's
// deployment engine does.
//
// The engine reads the template into typed objects before it hashes it. So what
// is hashed is not the template's text: the members that the engine knows come
// in the order of its classes, first in the template, then in each parameter,
// type, function, output and resource; those it does not know come after them;
// what users name (parameters, variables, properties of resources) keeps its
// order, and so does everything within a nested template. The lists below are
// that order. The result is printed without blanks, put into upper case as a
// whole, escapes included, and hashed as UTF-8.
//
// Here no objects are made. A template is given as indented text, in which the
// members of an object are the lines of one indentation: they are found, and
// written in another order, by looking at the beginnings of lines.
package templatehash

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/bicep/internal/murmur"
)

// A class is an object whose members the engine knows.
type class struct {
	order []string                     // its members; others come after them
	drops func(key, value []byte) bool // those that are not hashed; nil: none
}

// The classes of the engine. Types are those that lie in parameters, outputs and other types.
var (
	templateClass  = class{order: []string{"$schema", "languageVersion", "contentVersion", "imports", "definitions", "extensions", "parameters", "variables", "functions", "resources", "asserts", "outputs", "metadata"}}
	parameterClass = class{order: []string{"$ref", "defaultValue", "allowedValues", "minLength", "maxLength", "minValue", "maxValue", "prefixItems", "items", "properties", "additionalProperties", "nullable", "discriminator", "validate", "type", "metadata"}}
	argumentClass  = class{order: append([]string{"name"}, parameterClass.order...)}
	outputClass    = class{order: []string{"$ref", "defaultValue", "copy", "allowedValues", "nullable", "discriminator", "minLength", "maxLength", "minValue", "maxValue", "prefixItems", "items", "properties", "additionalProperties", "validate", "type", "value", "metadata"}, drops: isNoValue}
	typeClass      = class{order: []string{"$ref", "type", "metadata", "validate", "allowedValues", "nullable", "discriminator", "prefixItems", "minLength", "minValue", "maxValue", "maxLength", "items", "properties", "additionalProperties"}}
	namespaceClass = class{order: []string{"namespace", "members"}}
	functionClass  = class{order: []string{"parameters", "output", "metadata"}}
	resourceClass  = class{order: []string{"import", "extension", "type", "apiVersion", "name", "existing", "location", "extendedLocation", "dependsOn", "tags", "sku", "kind", "zones", "scale", "identity", "plan", "properties", "scope", "managedBy", "managedByExtended", "metadata", "subscriptionId", "resourceGroup", "copy", "condition", "asserts", "@options"}, drops: isNotRead}
	userClass      class // its keys are the user's
)

// rank returns the place of a member among those of its class.
func (c class) rank(key []byte) int {
	name := key[1 : len(key)-1]
	for i, k := range c.order {
		if string(name) == k {
			return i
		}
	}
	return len(c.order)
}

// isNoValue: an output loses a value that is null.
func isNoValue(key, value []byte) bool { return string(key) == `"value"` && string(value) == "null" }

// isNotRead: the tag of a resource is no part of its template, and a text that is null is none.
func isNotRead(key, value []byte) bool {
	return string(key) == `"eTag"` || string(value) == "null" && isText(key[1:len(key)-1])
}

// isText tells whether the engine reads a member of a resource as text.
func isText(name []byte) bool {
	switch string(name) {
	case "import", "extension", "type", "apiVersion", "name", "location", "kind", "scope", "managedBy", "subscriptionId", "resourceGroup":
		return true
	}
	return false
}

// Sum returns the hash of a template that has no templateHash yet. The template is
// an object, printed as armjson.Append prints it with armjson.Indented. Known are templates
// nested in it, if they need not be read again.
func Sum(template []byte, known ...Known) string {
	w := writer{buf: make([]byte, 0, min(2*spillAt, len(template))), text: template, known: known}
	w.ordered(template, 0, templateClass, w.top)
	w.spill()
	return strconv.FormatUint(w.hash.Sum(), 10)
}

// Known is an object from the byte Start of a template to the byte End, within one of its
// resources. Nested objects do not overlap, and come in their order.
type Known struct {
	Start, End int
	Hashed     []byte // what Nested returns for it
}

// Nested returns what is hashed of an object, whose templates nested in it are known, where
// it lies within a resource.
func Nested(object []byte, known ...Known) []byte {
	w := writer{buf: make([]byte, 0, 3*len(object)/4), text: object, known: known, keeps: true}
	w.raw(nil, object, 0)
	w.spill()
	return w.kept
}

// spillAt is how much text is gathered before it is hashed.
const spillAt = 8 << 10

// spill hashes the text that was gathered. It ends where a letter ends.
func (w *writer) spill() {
	w.write(upper(w.buf))
	w.buf = w.buf[:0]
}

func (w *writer) write(b []byte) {
	if w.keeps {
		w.kept = append(w.kept, b...)
	} else {
		w.hash.Write(b)
	}
}

// # Reordering text by its indentation
//
// The template is text that this program has printed: each level is indented by two blanks, and every member
// and element begins a line. Strings hold no newlines, since JSON escapes them. So the members of an object
// that is within depth others are the lines with exactly 2*(depth+1) blanks, each with all deeper lines that
// follow:
//
//	{
//	  "outputs": {},            depth 0: "outputs" and "parameters" begin members
//	  "parameters": {
//	    "p": {                  deeper: a part of "parameters"
//	      "type": "string"
//	    }
//	  }
//	}
//
// The order of templateClass puts parameters first: {"parameters":{"p":{"type":"string"}},"outputs":{}} is
// hashed, in upper case. split finds members and parts elements, ordered sorts and writes members, raw writes a
// value without its blanks.
//
// Invariants:
//
//   - Every part of the template is a slice of writer.text that reaches to the end of its capacity, so that the
//     capacity tells where it begins (offset). No slice here has a third index.
//   - What was written is w.buf, after all that was spilled. spill is called between letters only, since the
//     upper case of a letter needs all of its bytes.
//   - Known objects are in the order of the text, do not overlap, and lie where the engine changes no order:
//     within resources. Their hashed text is written as it is, and their lines are skipped when members are
//     looked for.
//
// It ends because each call gets a part of the value of the call before. A line is looked at once for each
// collection around it whose members are found, and once more when it is written.

// writer puts a template together in the order of the engine's classes.
type writer struct {
	hash murmur.Hash
	buf  []byte   // what is not hashed yet
	open []member // the members of the objects that are being written

	text  []byte  // all of the template
	known []Known // in it

	keeps bool // the text is kept instead of hashed
	kept  []byte
}

// offset returns where a part of the template begins.
func (w *writer) offset(part []byte) int { return cap(w.text) - cap(part) }

// next returns the first of the known objects that begins at an offset or behind it.
func (w *writer) next(offset int) int {
	i, _ := slices.BinarySearchFunc(w.known, offset, func(k Known, offset int) int { return k.Start - offset })
	return i
}

// member is a member of an object, or an element of an array, in the text.
type member struct {
	key   []byte // as it is printed, with its quotes; nil in arrays
	value []byte
	rank  int // in an object of a class
}

// element writes the value of the member key of an object; depth is how many
// collections are around the value.
type element func(key, v []byte, depth int)

// split finds the members of an object that is within depth others, and appends those
// that are hashed to dst.
func (w *writer) split(dst []member, v []byte, depth int, c class) []member {
	w.parts(v, depth, func(m member) {
		if c.drops == nil || !c.drops(m.key, m.value) {
			m.rank = c.rank(m.key)
			dst = append(dst, m)
		}
	})
	return dst
}

// parts finds the members of an object or the elements of an array that is within depth
// others, one after the other.
func (w *writer) parts(v []byte, depth int, take func(member)) {
	if len(v) < 2 || v[1] != '\n' {
		return // not a collection, or an empty one
	}
	object := v[0] == '{'
	indent := 2 * (depth + 1)
	start := -1 // of the member that is being looked at
	add := func(end int) {
		if start < 0 {
			return
		}
		m := v[start:end]
		if n := len(m); m[n-1] == ',' {
			m = m[:n-1]
		}
		if !object {
			take(member{value: m})
			return
		}
		k := stringEnd(m)
		take(member{key: m[:k], value: m[k+2:]})
	}
	known, first := w.known, 0
	if len(known) > 0 {
		first = w.offset(v)
		known = known[w.next(first):]
	}
	for pos := 1; pos < len(v); {
		line := pos + 1 // after the newline
		next := endOfLine(v, line)
		if len(known) > 0 && known[0].Start-first < next { // its lines are deeper
			next = endOfLine(v, known[0].End-first)
			known = known[1:]
		}
		// Deeper lines, and those on which a collection ends, begin no member.
		if at := line + indent; at < next && v[at] != ' ' && v[at] != '}' && v[at] != ']' {
			add(pos)
			start = at
		}
		if next == len(v) {
			add(pos) // the last line closes the collection
		}
		pos = next
	}
}

// endOfLine returns where the line ends that begins, or goes on, at an offset.
func endOfLine(v []byte, at int) int {
	if i := bytes.IndexByte(v[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(v)
}

// stringEnd returns where the string ends that s begins with.
func stringEnd(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// ordered writes an object: the members that its class names first, then the others.
func (w *writer) ordered(v []byte, depth int, c class, value element) {
	if v[0] != '{' {
		w.raw(nil, v, depth)
		return
	}
	first := len(w.open)
	w.open = w.split(w.open, v, depth, c)
	if len(c.order) > 0 {
		slices.SortStableFunc(w.open[first:], func(a, b member) int { return a.rank - b.rank })
	}
	n := len(w.open) - first
	w.buf = append(w.buf, '{')
	for i := range n {
		m := w.open[first+i]
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		w.buf = append(w.buf, m.key...)
		w.buf = append(w.buf, ':')
		value(m.key[1:len(m.key)-1], m.value, depth+1)
	}
	w.open = w.open[:first]
	w.buf = append(w.buf, '}')
}

// each writes an object whose keys are the user's.
func (w *writer) each(v []byte, depth int, value func([]byte, int)) {
	w.ordered(v, depth, userClass, func(_, v []byte, depth int) { value(v, depth) })
}

// list writes an array.
func (w *writer) list(v []byte, depth int, value func([]byte, int)) {
	if v[0] != '[' {
		w.raw(nil, v, depth)
		return
	}
	w.buf = append(w.buf, '[')
	first := true
	w.parts(v, depth, func(m member) {
		if !first {
			w.buf = append(w.buf, ',')
		}
		first = false
		value(m.value, depth+1)
	})
	w.buf = append(w.buf, ']')
}

// raw writes a value as it is, without its blanks: those at the beginning of a
// line, and the one after the colon of a key.
func (w *writer) raw(_, v []byte, _ int) {
	if len(w.known) > 0 {
		v = w.rawKnown(v)
	}
	indent := 0 // of the line before: the next one has two blanks less at the least
	for {
		end := bytes.IndexByte(v, '\n')
		if end < 0 {
			w.line(v)
			return
		}
		w.line(v[:end])
		v = v[end+1:]
		indent = max(indent-2, 0)
		for indent < len(v) && v[indent] == ' ' {
			indent++
		}
		v = v[indent:]
	}
}

// rawKnown writes a value up to the end of the last of the known objects in it, and returns
// what is left.
func (w *writer) rawKnown(v []byte) []byte {
	known := w.known
	defer func() { w.known = known }()
	start := w.offset(v)
	for _, k := range known[w.next(start):] {
		if k.End-start > len(v) {
			break
		}
		w.known = nil
		w.raw(nil, v[:k.Start-start], 0)
		w.spill()
		w.write(k.Hashed)
		v, start = v[k.End-start:], k.End
	}
	return v
}

func (w *writer) line(s []byte) {
	if len(s) == 0 { // beside a known object
		return
	}
	if s[0] == '"' {
		if k := stringEnd(s); k+1 < len(s) && s[k] == ':' {
			w.buf = append(w.buf, s[:k+1]...)
			s = s[k+2:]
		}
	}
	w.buf = append(w.buf, s...)
	if len(w.buf) >= spillAt {
		w.spill()
	}
}

func (w *writer) top(key, v []byte, depth int) {
	switch string(key) {
	case "definitions":
		w.each(v, depth, w.definition)
	case "parameters":
		w.each(v, depth, func(v []byte, depth int) { w.ordered(v, depth, parameterClass, w.schema) })
	case "outputs":
		w.each(v, depth, func(v []byte, depth int) { w.ordered(v, depth, outputClass, w.schema) })
	case "functions":
		w.list(v, depth, func(v []byte, depth int) { w.ordered(v, depth, namespaceClass, w.namespace) })
	case "resources":
		w.resources(v, depth)
	default:
		w.raw(nil, v, depth)
	}
}

func (w *writer) definition(v []byte, depth int) { w.ordered(v, depth, typeClass, w.schema) }

// schema writes the value of a member of a type, in which other types can lie.
func (w *writer) schema(key, v []byte, depth int) {
	switch string(key) {
	case "items", "additionalProperties":
		w.definition(v, depth)
	case "prefixItems":
		w.list(v, depth, w.definition)
	case "properties":
		w.each(v, depth, w.definition)
	case "discriminator":
		w.ordered(v, depth, userClass, func(key, v []byte, depth int) {
			if string(key) == "mapping" {
				w.each(v, depth, w.definition)
			} else {
				w.raw(nil, v, depth)
			}
		})
	default:
		w.raw(nil, v, depth)
	}
}

func (w *writer) namespace(key, v []byte, depth int) {
	if string(key) != "members" {
		w.raw(nil, v, depth)
		return
	}
	w.each(v, depth, func(v []byte, depth int) {
		w.ordered(v, depth, functionClass, func(key, v []byte, depth int) {
			switch string(key) {
			case "parameters":
				w.list(v, depth, func(v []byte, depth int) { w.ordered(v, depth, argumentClass, w.schema) })
			case "output":
				w.ordered(v, depth, outputClass, w.schema)
			default:
				w.raw(nil, v, depth)
			}
		})
	})
}

func (w *writer) resources(v []byte, depth int) {
	resource := func(v []byte, depth int) { w.ordered(v, depth, resourceClass, w.ofResource) }
	switch {
	case v[0] == '[':
		w.list(v, depth, resource)
	case string(v) == "{}":
		w.buf = append(w.buf, "[]"...)
	default:
		w.each(v, depth, resource)
	}
}

// ofResource writes the value of a member of a resource. A number where the engine expects a
// text becomes one; a boolean stays one.
func (w *writer) ofResource(key, v []byte, depth int) {
	if c := v[0]; (c == '-' || '0' <= c && c <= '9') && isText(key) {
		w.buf = append(append(append(w.buf, '"'), v...), '"')
		return
	}
	w.raw(nil, v, depth)
}

// upper puts a text into upper case, letter by letter, in place where it can.
func upper(b []byte) []byte {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		// Eight letters at a time. In each byte of a sum, the highest bit tells whether the
		// letter is at least 'a', or more than 'z'. No sum exceeds its byte.
		const ones, highest = 0x0101010101010101, 0x8080808080808080
		w := binary.LittleEndian.Uint64(b[i:])
		if w&highest != 0 {
			return upperFrom(b, i)
		}
		small := (w + (0x80-'a')*ones) &^ (w + (0x80-'z'-1)*ones) & highest
		binary.LittleEndian.PutUint64(b[i:], w-small>>2) // 'a' - 'A' is a quarter of the highest bit
	}
	return upperFrom(b, i)
}

// upperFrom does so from position i on. The upper case of a letter beyond ASCII may be longer.
func upperFrom(b []byte, i int) []byte {
	for ; i < len(b) && b[i] < utf8.RuneSelf; i++ {
		if 'a' <= b[i] && b[i] <= 'z' {
			b[i] -= 'a' - 'A'
		}
	}
	if i == len(b) {
		return b
	}
	out := make([]byte, i, len(b)+16)
	copy(out, b)
	for i < len(b) {
		c := b[i]
		if c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			out = append(out, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r != 'ı' { // .NET's invariant culture leaves it alone
			r = unicode.ToUpper(r)
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	return out
}
