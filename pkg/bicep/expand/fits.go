package expand

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// # Whether a value fits its declaration
//
// The deployment engine checks the values that a module's parameters are given, and those of outputs: their types,
// lengths and ranges, the values that are allowed, the members that objects must and must not have. The compiler
// cannot do all of that, since any(…) hides types. What is not known is not checked. Each part of a value is looked at
// once. The messages name the part and what is expected, and never the value, which may be a secret.

// maxRefs is how many references in a row are followed to a declaration. More lead in a circle.
const maxRefs = 64

// fits returns an error if a value does not fit its schema. at names the value in the error, which does not show it.
func (d *deployment) fits(schema *armjson.Object, v Value, at string) error {
	if schema == nil {
		return nil
	}
	if err := d.ev.Spend(1); err != nil {
		return err
	}
	switch v.(type) {
	case *unknown, nil:
		return nil
	}
	for range maxRefs {
		if err := d.constrained(schema, v, at); err != nil {
			return err
		}
		ref := findString(schema, "$ref")
		if ref == "" {
			return nil
		}
		if _, null := v.(armjson.Null); null && d.nullable(schema) {
			return nil
		}
		name := strings.NewReplacer("~1", "/", "~0", "~").Replace(ref[strings.LastIndexByte(ref, '/')+1:])
		if schema = findObject(findObject(d.template, "definitions"), name); schema == nil {
			return nil
		}
	}
	return nil
}

// constrained checks a value against one schema, without what it refers to.
func (d *deployment) constrained(schema *armjson.Object, v Value, at string) error {
	if _, null := v.(armjson.Null); null {
		if d.nullable(schema) || findString(schema, "$ref") != "" {
			return nil
		}
		return fmt.Errorf("%s is null, which its type does not allow", at)
	}
	if kind := strings.ToLower(findString(schema, "type")); kind != "" && !isKind(kind, v) {
		return fmt.Errorf("%s is %s; its type is %s", at, kindOf(v), strings.TrimPrefix(kind, "secure"))
	}
	if err := allowed(schema, v, at); err != nil {
		return err
	}
	if err := inRange(schema, v, at); err != nil {
		return err
	}
	switch v := v.(type) {
	case *armjson.Object:
		return d.membersFit(schema, v, at)
	case armjson.Array:
		return d.elementsFit(schema, v, at)
	}
	return nil
}

func isKind(kind string, v Value) bool {
	switch kind {
	case "string", "securestring":
		_, ok := v.(armjson.String)
		return ok
	case "int":
		n, ok := v.(armjson.Number)
		if ok {
			_, ok = n.Int64()
		}
		return ok
	case "bool":
		_, ok := v.(armjson.Bool)
		return ok
	case "object", "secureobject":
		_, ok := v.(*armjson.Object)
		return ok
	case "array":
		_, ok := v.(armjson.Array)
		return ok
	}
	return true
}

func kindOf(v Value) string {
	switch v := v.(type) {
	case armjson.String:
		return "a string"
	case armjson.Bool:
		return "a boolean"
	case armjson.Array:
		return "an array"
	case *armjson.Object:
		return "an object"
	case armjson.Number:
		if _, ok := v.Int64(); !ok {
			return "a number with a fraction"
		}
		return "an integer"
	}
	return "null"
}

// allowed checks a value, or the elements of an array, against allowedValues.
func allowed(schema *armjson.Object, v Value, at string) error {
	values, _ := find(schema, "allowedValues")
	list, ok := values.(armjson.Array)
	if !ok || !IsKnown(v) {
		return nil
	}
	has := func(v Value) bool {
		return slices.ContainsFunc(list, func(x Value) bool { return armjson.Equal(x, v) })
	}
	if has(v) {
		return nil
	}
	if a, ok := v.(armjson.Array); ok && !slices.ContainsFunc(a, func(x Value) bool { return !has(x) }) {
		return nil
	}
	return fmt.Errorf("%s is not one of the values that are allowed: %s", at, armjson.Text(list))
}

// inRange checks the length of a text or an array, and the value of an integer.
func inRange(schema *armjson.Object, v Value, at string) error {
	low, high, what, n := "minLength", "maxLength", "length", int64(0)
	switch v := v.(type) {
	case armjson.String:
		n = int64(len(utf16.Encode([]rune(string(v)))))
	case armjson.Array:
		n = int64(len(v))
	case armjson.Number:
		low, high, what = "minValue", "maxValue", "number"
		var ok bool
		if n, ok = v.Int64(); !ok {
			return nil
		}
	default:
		return nil
	}
	if least, ok := limit(schema, low); ok && n < least {
		return fmt.Errorf("%s is not valid: its %s is below %d", at, what, least)
	}
	if most, ok := limit(schema, high); ok && n > most {
		return fmt.Errorf("%s is not valid: its %s is above %d", at, what, most)
	}
	return nil
}

func limit(schema *armjson.Object, name string) (int64, bool) {
	v, _ := find(schema, name)
	n, ok := v.(armjson.Number)
	if !ok {
		return 0, false
	}
	return n.Int64()
}

// membersFit checks the members of an object. One whose name is not known may be any of them.
func (d *deployment) membersFit(schema *armjson.Object, o *armjson.Object, at string) error {
	if choice := findObject(schema, "discriminator"); choice != nil {
		return d.variantFits(choice, o, at)
	}
	list := findObject(schema, "properties")
	if list != nil && !eval.HasUnknownName(o) {
		for name, s := range list.All() {
			p, ok := s.(*armjson.Object)
			v, given := find(o, name)
			if _, null := v.(armjson.Null); ok && (!given || null) && !d.nullable(p) {
				return fmt.Errorf("%s has no property %q, which its type needs", at, name)
			}
		}
	}
	more, sealed := find(schema, "additionalProperties")
	others, _ := more.(*armjson.Object)
	sealed = sealed && more == armjson.Bool(false)
	if list == nil && others == nil && !sealed {
		return nil
	}
	for name, v := range o.All() {
		p := findObject(list, name)
		if p == nil {
			if sealed && !eval.HasUnknownName(o) {
				return fmt.Errorf("%s has a property %q, which its type does not have", at, name)
			}
			p = others
		}
		if err := d.fits(p, v, at+"."+name); err != nil {
			return err
		}
	}
	return nil
}

// variantFits checks an object against the variant that its tag names.
func (d *deployment) variantFits(choice, o *armjson.Object, at string) error {
	tag := findString(choice, "propertyName")
	v, ok := find(o, tag)
	if !ok {
		if eval.HasUnknownName(o) {
			return nil
		}
		return fmt.Errorf("%s has no property %q, which says of which kind it is", at, tag)
	}
	if !IsKnown(v) {
		return nil
	}
	name, _ := v.(armjson.String)
	variant, _ := findObject(choice, "mapping").Get(string(name))
	schema, ok := variant.(*armjson.Object)
	if !ok {
		return fmt.Errorf("the property %q of %s names none of its kinds", tag, at)
	}
	return d.fits(schema, o, at)
}

// elementsFit checks the elements of an array.
func (d *deployment) elementsFit(schema *armjson.Object, a armjson.Array, at string) error {
	first, _ := find(schema, "prefixItems")
	prefix, _ := first.(armjson.Array)
	rest, _ := find(schema, "items")
	items, _ := rest.(*armjson.Object)
	if rest == armjson.Bool(false) && len(a) > len(prefix) {
		return fmt.Errorf("%s has the length %d; its type has %d", at, len(a), len(prefix))
	}
	for i, v := range a {
		s := items
		if i < len(prefix) {
			s, _ = prefix[i].(*armjson.Object)
		}
		if s == nil {
			continue
		}
		if err := d.fits(s, v, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}
