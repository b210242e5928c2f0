package params

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// Merge lays layers over each other, as the function Merge does. The entry of an argument whose name is
// that of a property of a parameter, such as tags.env, sets that property of what was given before, or else
// of the parameter's default.
func (d *Declarations) Merge(layers ...Layer) (Layer, []Problem) {
	var out Layer
	var problems []Problem
	at := map[string]int{}
	for _, layer := range layers {
		for _, e := range layer {
			if one, steps := d.property(e); one != nil {
				var was *Entry
				if i, ok := at[one.Name]; ok {
					was = &out[i]
				}
				whole, problem := one.with(was, steps, e)
				if problem != "" {
					message := fmt.Sprintf("parameter %q: %s", e.Name, problem)
					problems = append(problems, Problem{Code: CodeType, Parameter: one.Name, Source: e.Source, Message: message})
					continue
				}
				e = whole
			}
			i, ok := at[e.Name]
			if !ok {
				i = len(out)
				at[e.Name], out = i, append(out, Entry{})
			}
			out[i] = e
		}
	}
	return out, problems
}

// property returns the parameter that an entry sets a property of, and the names that lead there; nil if it
// sets a parameter.
func (d *Declarations) property(e Entry) (*Declaration, []string) {
	if !e.Named || d.Has(e.Name) {
		return nil, nil
	}
	steps := strings.Split(e.Name, ".")
	if len(steps) == 1 || slices.Contains(steps, "") {
		return nil, nil
	}
	return d.get(steps[0]), steps[1:]
}

// with returns what a parameter is given with one property more. was is what it was given before, if it was.
func (d *Declaration) with(was *Entry, steps []string, e Entry) (whole Entry, problem string) {
	whole = Entry{Name: d.Name, Source: e.Source, Mark: e.Mark}
	if k := d.kind(); k != kindObject && k != kindAny {
		return whole, fmt.Sprintf("the parameter %q is %s, which has no properties", d.Name, article(d.Type()))
	}
	root, problem := d.before(was)
	if problem != "" {
		return whole, problem
	}
	if was != nil {
		whole.Mark |= was.Mark
	}
	at, s := root, d.schema
	for i, name := range steps {
		if s = s.property(name); i == len(steps)-1 {
			break
		}
		next := armjson.NewObject()
		switch v, _ := at.Get(name); v := v.(type) {
		case nil, armjson.Null:
		case *armjson.Object:
			next = v.Clone()
		default:
			return whole, fmt.Sprintf("%q is %s, which has no properties", strings.Join(steps[:i+1], "."), describe(v))
		}
		at.Set(name, next)
		at = next
	}
	var v armjson.Value
	switch given := e.Value.(type) {
	case Text:
		if !armjson.IsText(string(given)) {
			return whole, notText
		}
		c := checker{secure: d.Secure || !e.Mark.Shown(), declared: d.Secure, spelling: &d.schema.decls.spelling}
		if v = c.convert(string(given), s); len(c.findings) > 0 {
			return whole, c.findings[0].text
		}
	case JSON:
		v = given.Value
	}
	at.Set(steps[len(steps)-1], v)
	whole.Value = JSON{root}
	return whole, ""
}

// before returns the object whose property is set: what the parameter was given before, or else its default.
// null is an object without properties, but as the value of a parameter that cannot be null it stands for the default.
func (d *Declaration) before(was *Entry) (_ *armjson.Object, problem string) {
	if was != nil {
		v := was.Value
		if text, ok := v.(Text); ok {
			c := checker{}
			v = JSON{c.convert(string(text), d.schema)}
		}
		given, _ := v.(JSON)
		_, null := given.Value.(armjson.Null)
		if o, ok := given.Value.(*armjson.Object); ok {
			return o.Clone(), ""
		} else if !null {
			return nil, fmt.Sprintf("what is given for the parameter %q before is no object that is known here; give all of it at once",
				d.Name)
		} else if d.schema.nullable() {
			return armjson.NewObject(), ""
		}
	}
	if !d.HasDefault {
		return armjson.NewObject(), ""
	}
	v, _ := d.schema.o.Lookup("defaultValue")
	literal, ok := literalOf(v)
	if !ok {
		return nil, fmt.Sprintf("the default of the parameter %q is computed, so its other properties are not known; "+
			"give all of it at once", d.Name)
	}
	switch v := literal.(type) {
	case armjson.Null:
		return armjson.NewObject(), ""
	case *armjson.Object:
		return v, ""
	}
	return nil, fmt.Sprintf("the default of the parameter %q is %s, which has no properties", d.Name, describe(literal))
}

// property returns the type of a property; that of anything if the type does not say.
func (s schema) property(name string) schema {
	if s.o == nil {
		return s
	}
	if o := s.object(ofProperties); o != nil {
		if one, ok := o.Lookup(name); ok {
			inner, _ := one.(*armjson.Object)
			return schema{inner, s.decls}
		}
	}
	return schema{s.object(ofMore), s.decls}
}

// literalOf returns a value of a template without its escapes. It is not ok if an expression is in it.
func literalOf(v armjson.Value) (_ armjson.Value, ok bool) {
	switch v := v.(type) {
	case armjson.String:
		switch text := string(v); {
		case !strings.HasPrefix(text, "[") || !strings.HasSuffix(text, "]"):
			return v, true
		case strings.HasPrefix(text, "[["):
			return v[1:], true
		}
		return nil, false
	case armjson.Array:
		out := make(armjson.Array, len(v))
		for i, one := range v {
			if out[i], ok = literalOf(one); !ok {
				return nil, false
			}
		}
		return out, true
	case *armjson.Object:
		out := armjson.NewObject()
		for name, one := range v.All() {
			literal, ok := literalOf(one)
			if !ok {
				return nil, false
			}
			out.Set(name, literal)
		}
		return out, true
	}
	return v, true
}
