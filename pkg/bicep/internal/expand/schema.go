package expand

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// schemas reads the types that a template writes down, as far as they tell what is secure
// and what may be null. Each schema is read once. References may lead in circles.
//
// What is not clear counts as secure: a value that two schemas describe which both hold
// something secure, or an object whose tag names no variant of its union. So at most one
// schema is followed into a part of a value, and marking a value takes no longer than reading it.
type schemas struct {
	definitions map[string]*armjson.Object // by folded name
	byObject    map[*armjson.Object]*schema
}

// schema is what one of them says. Names are folded, since ARM ignores their case.
type schema struct {
	secure   bool
	nullable bool
	same     []*schema // what else describes the same value: where $ref leads
	props    map[string]*schema
	more     *schema // the other properties
	prefix   []*schema
	items    *schema
	tag      string             // the property that names the variant
	variants map[string]*schema // by tag, whose case counts

	text     *armjson.Object
	holds    bool      // something in the value may be secure:
	union    bool      // as a variant has it,
	members  bool      // in a property,
	elements bool      // in an element
	holders  []*schema // what holds something secure if this does, while that is found out
	looked   state
	view     view
}

// view is how a value is looked at: all of it is secure, or what at says of its parts.
type view struct {
	secure, nullable bool
	at               *schema // nil if no part may be secure
}

func newSchemas(template *armjson.Object) *schemas {
	s := &schemas{definitions: map[string]*armjson.Object{}, byObject: map[*armjson.Object]*schema{}}
	for name, v := range template.All() {
		list, ok := v.(*armjson.Object)
		if !ok || !strings.EqualFold(name, "definitions") {
			continue
		}
		for name, v := range list.All() {
			if o, ok := v.(*armjson.Object); ok {
				s.definitions[eval.Fold(name)] = o
			}
		}
	}
	return s
}

// of returns what a schema says; nil if there is none.
func (s *schemas) of(o *armjson.Object) *schema {
	if o == nil {
		return nil
	}
	if known := s.byObject[o]; known != nil {
		return known
	}
	r := reader{schemas: s}
	first := r.add(o)
	for i := 0; i < len(r.list); i++ { // it grows
		if x := r.list[i]; x.text != nil {
			r.read(x)
		}
	}
	var holding []*schema
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

func anyHolds(list iter.Seq[*schema]) bool {
	for x := range list {
		if x != nil && x.holds {
			return true
		}
	}
	return false
}

// parts yields all that a schema is made of.
func (x *schema) parts(yield func(*schema) bool) {
	one := func(p *schema) bool { return p == nil || yield(p) }
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
	*schemas
	list []*schema
}

// add adds a schema to the list, unless it was read before. It returns nil for a value that is not a schema.
func (r *reader) add(v armjson.Value) *schema {
	o, ok := v.(*armjson.Object)
	if !ok {
		return nil
	}
	x := r.byObject[o]
	if x == nil {
		x = &schema{text: o}
		r.byObject[o] = x
		r.list = append(r.list, x)
	}
	return x
}

// either returns a schema for what two describe, of which either may be nil.
func (r *reader) either(a, b *schema) *schema {
	switch {
	case a == nil:
		return b
	case b == nil || a == b:
		return a
	}
	x := &schema{same: []*schema{a, b}}
	r.list = append(r.list, x)
	return x
}

func (r *reader) read(x *schema) {
	for name, v := range x.text.All() {
		o, _ := v.(*armjson.Object)
		switch strings.ToLower(name) {
		case "type":
			kind, _ := v.(armjson.String)
			x.secure = x.secure || strings.EqualFold(string(kind), "securestring") || strings.EqualFold(string(kind), "secureobject")
		case "nullable":
			x.nullable = x.nullable || v == armjson.Bool(true)
		case "$ref":
			ref, _ := v.(armjson.String)
			if to := r.definition(string(ref)); to != nil {
				x.same = append(x.same, r.add(to))
			}
		case "properties":
			r.named(&x.props, o, eval.Fold)
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
			x.tag = findString(o, "propertyName")
			r.named(&x.variants, findObject(o, "mapping"), func(tag string) string { return tag })
		}
	}
}

// named reads schemas that have names.
func (r *reader) named(to *map[string]*schema, list *armjson.Object, fold func(string) string) {
	if list == nil {
		return
	}
	if *to == nil {
		*to = make(map[string]*schema, list.Len())
	}
	for name, v := range list.All() {
		name = fold(name)
		(*to)[name] = r.either((*to)[name], r.add(v))
	}
}

// definition returns what a reference leads to; nil if that is nothing.
func (s *schemas) definition(ref string) *armjson.Object {
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	return s.definitions[eval.Fold(strings.NewReplacer("~1", "/", "~0", "~").Replace(name))]
}

// look follows the references of a schema.
func (x *schema) look() view {
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

// mark marks what is secure in a value by its schema, at any depth.
func (d *deployment) mark(x *schema, v Value, at *step) Value {
	if x == nil || !x.holds {
		return v
	}
	how := x.look()
	if how.secure {
		return d.secret(v, at.expression())
	}
	if x = how.at; x == nil {
		return v
	}
	switch v := v.(type) {
	case *armjson.Object:
		if x.union {
			if x = x.variant(v); x == nil {
				return d.secret(v, at.expression())
			}
		}
		if !x.members {
			return v
		}
		var out *armjson.Object
		for i := range v.Len() {
			m := v.At(i)
			p := x.props[eval.Fold(m.Key)]
			if p == nil {
				p = x.more
			}
			marked := d.mark(p, m.Value, at.to(armexpr.Str(m.Key)))
			if unmarked(marked, m.Value) {
				continue
			}
			if out == nil {
				out = v.Clone()
			}
			out.Set(m.Key, marked)
		}
		if out != nil {
			return out
		}
	case armjson.Array:
		if !x.elements {
			return v
		}
		var out armjson.Array
		for i, y := range v {
			p := x.items
			if i < len(x.prefix) {
				p = x.prefix[i]
			}
			marked := d.mark(p, y, at.to(armexpr.Int(int64(i))))
			if unmarked(marked, y) {
				continue
			}
			if out == nil {
				out = slices.Clone(v)
			}
			out[i] = marked
		}
		if out != nil {
			return out
		}
	case *Unknown:
		// Known values may be in it that were not marked, since nothing said that they would
		// become secure.
		if c, ok := v.Expr.(*armexpr.Call); ok {
			if _, given := causeOf(c); given {
				return v
			}
		}
		return d.secret(v, at.expression())
	}
	return v
}

// variant returns the schema for the properties of an object whose type is a union. It
// returns nil if the whole object must not be shown.
func (x *schema) variant(o *armjson.Object) *schema {
	v, _ := find(o, x.tag)
	tag, _ := Known(v)
	one := x.variants[tag]
	switch {
	case one == nil:
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

// step is a step of the way from a parameter to a part of its value.
type step struct {
	up   *step
	key  armexpr.Expr // the parameter, if there is no step before
	size int          // of the text so far, about
	cut  bool         // it stands for all steps that follow
}

// maxWay is how long the expression for a part of a value may become, in bytes. A longer one
// is cut, because each of a million secrets might lie as deep.
const maxWay = 512

// to returns the step to a property or an element.
func (s *step) to(key armexpr.Expr) *step {
	if s.cut {
		return s
	}
	next := &step{up: s, key: key, size: s.size + 3}
	if name, ok := key.(armexpr.Str); ok {
		next.size += len(name)
	}
	if next.cut = next.size > maxWay; next.cut {
		next.key = armexpr.Str("…")
	}
	return next
}

// expression returns the expression that leads to the part.
func (s *step) expression() armexpr.Expr {
	var keys []armexpr.Expr
	for ; s.up != nil; s = s.up {
		keys = append(keys, s.key)
	}
	slices.Reverse(keys)
	return armexpr.Access(s.key, keys...)
}
