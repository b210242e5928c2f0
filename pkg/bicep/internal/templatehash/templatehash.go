// Package templatehash computes the templateHash of a template as ARM's
// deployment engine does.
//
// The engine reads the template into typed objects before it hashes it. So what
// is hashed is not the template's text: the members that the engine knows come
// in the order of its classes, first in the template, then in each parameter,
// type, function, output and resource; those it does not know come behind them;
// what users name (parameters, variables, properties of resources) keeps its
// order, and so does everything within a nested template. The lists below are
// that order. The result is printed without blanks, put into upper case as a
// whole, escapes included, and hashed as UTF-8.
package templatehash

import (
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/murmur"
)

var (
	topOrder        = []string{"$schema", "languageVersion", "contentVersion", "definitions", "imports", "extensions", "parameters", "variables", "functions", "resources", "outputs", "asserts", "metadata"}
	parameterOrder  = []string{"$ref", "defaultValue", "allowedValues", "minLength", "maxLength", "items", "minValue", "maxValue", "prefixItems", "properties", "additionalProperties", "nullable", "discriminator", "type", "validate", "metadata"}
	argumentOrder   = append([]string{"name"}, parameterOrder...)
	outputOrder     = []string{"nullable", "discriminator", "copy", "items", "$ref", "allowedValues", "minLength", "maxLength", "minValue", "maxValue", "type", "prefixItems", "properties", "additionalProperties", "validate", "value", "metadata"}
	definitionOrder = []string{"$ref", "type", "metadata", "validate", "allowedValues", "nullable", "discriminator", "prefixItems", "minLength", "minValue", "maxValue", "maxLength", "items", "properties", "additionalProperties"}
	namespaceOrder  = []string{"namespace", "members"}
	functionOrder   = []string{"parameters", "output", "metadata"}
	resultOrder     = []string{"$ref", "items", "type", "value"}
	resourceOrder   = []string{"import", "extension", "type", "apiVersion", "name", "existing", "location", "extendedLocation", "dependsOn", "tags", "sku", "kind", "zones", "identity", "plan", "properties", "subscriptionId", "scope", "metadata", "resourceGroup", "copy", "condition"}
)

// Of returns the hash of a template that has no templateHash yet.
func Of(template *armjson.Object) string {
	w := writer{buf: make([]byte, 0, 4096)}
	w.ordered(template, topOrder, w.top)
	return strconv.FormatUint(murmur.Sum(upper(w.buf)), 10)
}

// writer puts a template together in the order of the engine's classes.
type writer struct{ buf []byte }

// element writes the value of the member key of an object.
type element func(key string, v armjson.Value)

// ordered writes an object: the members named in order first, then the others.
func (w *writer) ordered(v armjson.Value, order []string, value element) {
	o, ok := v.(*armjson.Object)
	if !ok {
		w.raw("", v)
		return
	}
	w.buf = append(w.buf, '{')
	empty := len(w.buf)
	member := func(m armjson.Member) {
		if len(w.buf) > empty {
			w.buf = append(w.buf, ',')
		}
		w.buf = armjson.AppendString(w.buf, m.Key)
		w.buf = append(w.buf, ':')
		value(m.Key, m.Value)
	}
	var known uint64 // positions that order names, of the first 64
	for _, k := range order {
		if i := o.Find(k); i >= 0 {
			member(o.At(i))
			if i < 64 {
				known |= 1 << i
			}
		}
	}
	for i := range o.Len() {
		if m := o.At(i); i >= 64 && !contains(order, m.Key) || i < 64 && known&(1<<i) == 0 {
			member(m)
		}
	}
	w.buf = append(w.buf, '}')
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// each writes an object whose keys are the user's.
func (w *writer) each(v armjson.Value, value func(armjson.Value)) {
	w.ordered(v, nil, func(_ string, v armjson.Value) { value(v) })
}

// list writes an array.
func (w *writer) list(v armjson.Value, value func(armjson.Value)) {
	a, ok := v.(armjson.Array)
	if !ok {
		w.raw("", v)
		return
	}
	w.buf = append(w.buf, '[')
	for i, x := range a {
		if i > 0 {
			w.buf = append(w.buf, ',')
		}
		value(x)
	}
	w.buf = append(w.buf, ']')
}

func (w *writer) raw(_ string, v armjson.Value) { w.buf = armjson.Append(w.buf, v, armjson.Compact) }

func (w *writer) top(key string, v armjson.Value) {
	switch key {
	case "definitions":
		w.each(v, w.definition)
	case "parameters":
		w.each(v, func(v armjson.Value) { w.ordered(v, parameterOrder, w.schema) })
	case "outputs":
		w.each(v, w.output)
	case "functions":
		w.list(v, func(v armjson.Value) { w.ordered(v, namespaceOrder, w.namespace) })
	case "resources":
		w.resources(v)
	default:
		w.raw("", v)
	}
}

func (w *writer) definition(v armjson.Value) { w.ordered(v, definitionOrder, w.schema) }

// schema writes the value of a member of a type, in which other types can lie.
func (w *writer) schema(key string, v armjson.Value) {
	switch key {
	case "items", "additionalProperties":
		w.definition(v)
	case "prefixItems":
		w.list(v, w.definition)
	case "properties":
		w.each(v, w.definition)
	case "discriminator":
		w.ordered(v, nil, func(key string, v armjson.Value) {
			if key == "mapping" {
				w.each(v, w.definition)
			} else {
				w.raw("", v)
			}
		})
	default:
		w.raw("", v)
	}
}

// output writes an output, which loses a value that is null.
func (w *writer) output(v armjson.Value) {
	if o, ok := v.(*armjson.Object); ok {
		if x, ok := o.Get("value"); ok && x == armjson.Value(armjson.Null{}) {
			rest := armjson.NewObject()
			for k, x := range o.All() {
				if k != "value" {
					rest.Set(k, x)
				}
			}
			v = rest
		}
	}
	w.ordered(v, outputOrder, w.schema)
}

func (w *writer) namespace(key string, v armjson.Value) {
	if key != "members" {
		w.raw("", v)
		return
	}
	w.each(v, func(v armjson.Value) {
		w.ordered(v, functionOrder, func(key string, v armjson.Value) {
			switch key {
			case "parameters":
				w.list(v, func(v armjson.Value) { w.ordered(v, argumentOrder, w.schema) })
			case "output":
				w.ordered(v, resultOrder, w.schema)
			default:
				w.raw("", v)
			}
		})
	})
}

func (w *writer) resources(v armjson.Value) {
	resource := func(v armjson.Value) { w.ordered(v, resourceOrder, w.raw) }
	switch r := v.(type) {
	case armjson.Array:
		w.list(r, resource)
	case *armjson.Object:
		if r.Len() == 0 {
			w.buf = append(w.buf, "[]"...)
			return
		}
		w.each(r, resource)
	default:
		w.raw("", v)
	}
}

// upper puts a text into upper case, letter by letter, in place where it can.
func upper(b []byte) []byte {
	for i, c := range b {
		if c >= utf8.RuneSelf {
			return upperFrom(b, i)
		}
		if 'a' <= c && c <= 'z' {
			b[i] = c - ('a' - 'A')
		}
	}
	return b
}

// upperFrom does so from position i on, where letters beyond ASCII begin.
func upperFrom(b []byte, i int) []byte {
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
