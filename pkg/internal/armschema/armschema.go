// Package armschema reads the types that an ARM template writes down, as far as they tell what
// is secure and what may be null.
//
// What is not clear counts as secure: a value that two schemas describe which both hold
// something secure, or an object whose tag names no variant of its union. So at most one
// schema is followed into a part of a value, and to find what is secure in a value takes no
// longer than to read it. Each schema is read once; references may lead in circles.
package armschema

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// Schemas are those of a template.
type Schemas struct {
	definitions map[string]*armjson.Object // by folded name
	byObject    map[*armjson.Object]*Schema
}

// Schema is what one of them says. Names are folded, since ARM ignores their case.
type Schema struct {
	secure   bool
	nullable bool
	same     []*Schema // what else describes the same value: where $ref leads
	props    map[string]*Schema
	more     *Schema // the other properties
	prefix   []*Schema
	items    *Schema
	tag      string             // the property that names the variant
	variants map[string]*Schema // by tag, whose case counts

	text     *armjson.Object
	holds    bool      // something in the value may be secure:
	union    bool      // as a variant has it,
	members  bool      // in a property,
	elements bool      // in an element
	holders  []*Schema // what holds something secure if this does, while that is found out
	looked   progress
	view     view
}

// progress is how far something has got that is done once.
type progress int

const (
	untouched progress = iota
	running
	done
)

// view is how a value is looked at: all of it is secure, or what at says of its parts.
type view struct {
	secure, nullable bool
	at               *Schema // nil if no part may be secure
}

// New returns the schemas of a template.
func New(template *armjson.Object) *Schemas {
	s := &Schemas{definitions: map[string]*armjson.Object{}, byObject: map[*armjson.Object]*Schema{}}
	for name, v := range template.All() {
		list, ok := v.(*armjson.Object)
		if !ok || !strings.EqualFold(name, "definitions") {
			continue
		}
		for name, v := range list.All() {
			if o, ok := v.(*armjson.Object); ok {
				s.definitions[fold(name)] = o
			}
		}
	}
	return s
}

// Read returns what a schema says. It returns nil for nil.
func (s *Schemas) Read(o *armjson.Object) *Schema {
	if o == nil {
		return nil
	}
	if known := s.byObject[o]; known != nil {
		return known
	}
	r := reader{Schemas: s}
	first := r.add(o)
	for i := 0; i < len(r.list); i++ { // it grows
		if x := r.list[i]; x.text != nil {
			r.read(x)
		}
	}
	var holding []*Schema
	for _, x := range r.list {
		if x.secure {
			holding = append(holding, x)
		}
		for part := range x.parts {
			if part.holds { // found out before
				holding = append(holding, x)
			} else {
				part.holders = append(part.holders, x)
			}
		}
	}
	for len(holding) > 0 {
		x := holding[len(holding)-1]
		holding = holding[:len(holding)-1]
		if !x.holds {
			x.holds = true
			holding = append(holding, x.holders...)
		}
	}
	for _, x := range r.list {
		for part := range x.parts {
			part.holders = nil
		}
		x.union = anyHolds(maps.Values(x.variants))
		x.members = anyHolds(maps.Values(x.props)) || x.more != nil && x.more.holds
		x.elements = anyHolds(slices.Values(x.prefix)) || x.items != nil && x.items.holds
	}
	return first
}

func anyHolds(list iter.Seq[*Schema]) bool {
	for x := range list {
		if x != nil && x.holds {
			return true
		}
	}
	return false
}

// parts yields all that a schema is made of.
func (x *Schema) parts(yield func(*Schema) bool) {
	one := func(p *Schema) bool { return p == nil || yield(p) }
	for _, p := range x.same {
		if !one(p) {
			return
		}
	}
	for _, p := range x.props {
		if !one(p) {
			return
		}
	}
	for _, p := range x.prefix {
		if !one(p) {
			return
		}
	}
	for _, p := range x.variants {
		if !one(p) {
			return
		}
	}
	_ = one(x.more) && one(x.items)
}

// reader reads a schema and those that it is made of, as far as they were not read before.
type reader struct {
	*Schemas
	list []*Schema
}

// add adds a schema to the list, unless it was read before. It returns nil for a value that is not a schema.
func (r *reader) add(v armjson.Value) *Schema {
	o, ok := v.(*armjson.Object)
	if !ok {
		return nil
	}
	x := r.byObject[o]
	if x == nil {
		x = &Schema{text: o}
		r.byObject[o] = x
		r.list = append(r.list, x)
	}
	return x
}

// either returns a schema for what two describe, of which either may be nil.
func (r *reader) either(a, b *Schema) *Schema {
	switch {
	case a == nil:
		return b
	case b == nil || a == b:
		return a
	}
	x := &Schema{same: []*Schema{a, b}}
	r.list = append(r.list, x)
	return x
}

func (r *reader) read(x *Schema) {
	for name, v := range x.text.All() {
		o, _ := v.(*armjson.Object)
		switch strings.ToLower(name) {
		case "type":
			kind, _ := v.(armjson.String)
			x.secure = x.secure || strings.HasPrefix(strings.ToLower(string(kind)), "secure")
		case "nullable":
			x.nullable = x.nullable || v == armjson.Bool(true)
		case "$ref":
			ref, _ := v.(armjson.String)
			if to := r.definition(string(ref)); to != nil {
				x.same = append(x.same, r.add(to))
			}
		case "properties":
			r.named(&x.props, o, fold)
		case "additionalproperties":
			x.more = r.either(x.more, r.add(v))
		case "items":
			x.items = r.either(x.items, r.add(v))
		case "prefixitems":
			list, _ := v.(armjson.Array)
			for _, item := range list {
				x.prefix = append(x.prefix, r.add(item))
			}
		case "discriminator":
			tag, _ := member(o, "propertyName").(armjson.String)
			x.tag = string(tag)
			mapping, _ := member(o, "mapping").(*armjson.Object)
			r.named(&x.variants, mapping, func(tag string) string { return tag })
		}
	}
}

// named reads schemas that have names.
func (r *reader) named(to *map[string]*Schema, list *armjson.Object, fold func(string) string) {
	if list == nil {
		return
	}
	if *to == nil {
		*to = make(map[string]*Schema, list.Len())
	}
	for name, v := range list.All() {
		name = fold(name)
		(*to)[name] = r.either((*to)[name], r.add(v))
	}
}

// definition returns what a reference leads to; nil if that is nothing.
func (s *Schemas) definition(ref string) *armjson.Object {
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	return s.definitions[fold(strings.NewReplacer("~1", "/", "~0", "~").Replace(name))]
}

// look follows the references of a schema.
func (x *Schema) look() view {
	switch x.looked {
	case running: // it refers to itself
		return view{secure: x.holds}
	case untouched:
		x.looked = running
		v := view{secure: x.secure, nullable: x.nullable}
		if x.union || x.members || x.elements {
			v.at = x
		}
		for _, other := range x.same {
			w := other.look()
			v.secure = v.secure || w.secure || v.at != nil && w.at != nil
			v.nullable = v.nullable || w.nullable
			if v.at == nil {
				v.at = w.at
			}
		}
		x.view, x.looked = v, done
	}
	return x.view
}

// Holds reports whether something in a value of the schema may be secure.
func (x *Schema) Holds() bool { return x != nil && x.holds }

// Secure reports whether all of a value is secure.
func (x *Schema) Secure() bool { return x != nil && x.look().secure }

// Nullable reports whether a value may be null.
func (x *Schema) Nullable() bool { return x != nil && x.look().nullable }

// Object returns what describes the members of an object, nil if none may be secure. It
// reports whether all of the object is secure instead.
func (x *Schema) Object(o *armjson.Object) (members *Schema, secure bool) {
	if x = x.look().at; x == nil {
		return nil, false
	}
	if x.union {
		if x = x.variant(o); x == nil {
			return nil, true
		}
	}
	if !x.members {
		return nil, false
	}
	return x, false
}

// Member returns the schema of a member; nil if there is none. x is what Object returned.
func (x *Schema) Member(name string) *Schema {
	if p := x.props[fold(name)]; p != nil {
		return p
	}
	return x.more
}

// Array returns what describes the elements of an array, nil if none may be secure.
func (x *Schema) Array() *Schema {
	if x = x.look().at; x == nil || !x.elements {
		return nil
	}
	return x
}

// Element returns the schema of an element; nil if there is none. x is what Array returned.
func (x *Schema) Element(i int) *Schema {
	if i < len(x.prefix) {
		return x.prefix[i]
	}
	return x.items
}

// variant returns the schema for the members of an object whose type is a union. It returns
// nil if the whole object is secure.
func (x *Schema) variant(o *armjson.Object) *Schema {
	tag, ok := member(o, x.tag).(armjson.String)
	one := x.variants[string(tag)]
	switch {
	case !ok || one == nil:
		return nil
	case !one.holds:
		return x
	}
	how := one.look()
	if how.secure || how.at == nil || how.at.union || x.members {
		return nil
	}
	return how.at
}

// fold returns a name so that names which differ only in case become equal.
func fold(name string) string { return strings.ToUpper(name) }

// member returns a member by its name as ARM does, nil if there is none.
func member(o *armjson.Object, name string) armjson.Value {
	v, _ := o.Lookup(name)
	return v
}
