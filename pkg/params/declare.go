package params

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// Declarations are the parameters that a template declares.
type Declarations struct {
	list        []*Declaration
	byName      map[string]*Declaration
	definitions *armjson.Object
}

// Declaration is one parameter of a template.
type Declaration struct {
	Name   string
	Secure bool // its value, or a part of it, must not be shown
	// HasDefault says that the template has a value of its own for it.
	HasDefault bool
	schema     schema
}

// Declare reads the parameters that an ARM template declares.
func Declare(template *armjson.Object) *Declarations {
	d := &Declarations{byName: map[string]*Declaration{}}
	// ARM does not look at the case of these names, so a secret cannot be hidden by it.
	d.definitions = objectIn(template, "definitions")
	parameters := objectIn(template, "parameters")
	if parameters == nil {
		return d
	}
	for name, v := range parameters.All() {
		o, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		one := &Declaration{Name: name, schema: schema{o, d}}
		_, one.HasDefault = member(o, "defaultValue")
		one.Secure = one.schema.secure(map[*armjson.Object]bool{})
		d.list = append(d.list, one)
		d.byName[name] = one
	}
	return d
}

// member looks a name up as ARM does: without regard to case, where it is not there as
// it is spelt.
func member(o *armjson.Object, name string) (armjson.Value, bool) {
	if v, ok := o.Get(name); ok {
		return v, true
	}
	if o != nil {
		for k, v := range o.All() {
			if strings.EqualFold(k, name) {
				return v, true
			}
		}
	}
	return nil, false
}

func objectIn(o *armjson.Object, name string) *armjson.Object {
	v, _ := member(o, name)
	inner, _ := v.(*armjson.Object)
	return inner
}

// hides returns what tells whether names within the value of a parameter must not be
// shown: those of a secure one, and of one that is not known.
func (d *Declarations) hides(parameter string) func(string) bool {
	one := d.get(parameter)
	return func(string) bool { return one == nil || one.Secure }
}

// hidesName reports whether a name in a file of parameters must not be shown: it may
// are within the value of a secure one.
func (d *Declarations) hidesName(name string) bool {
	if d == nil || d.get(name) != nil {
		return false
	}
	for _, one := range d.list {
		if one.Secure {
			return true
		}
	}
	return false
}

func hidesAll(string) bool { return true }

// MayShow reports whether messages may show what is given for a parameter: the template
// declares it, and not as secure.
func (d *Declarations) MayShow(name string) bool {
	one := d.get(name)
	return one != nil && !one.Secure
}

// SecureNames returns the names of the secure parameters.
func (d *Declarations) SecureNames() []string {
	var names []string
	for _, one := range d.list {
		if one.Secure {
			names = append(names, one.Name)
		}
	}
	return names
}

// All returns the declarations in the order of the template.
func (d *Declarations) All() []*Declaration { return d.list }

// Has reports whether the template declares a parameter of the name.
func (d *Declarations) Has(name string) bool { return d.get(name) != nil }

func (d *Declarations) get(name string) *Declaration {
	if d == nil {
		return nil
	}
	return d.byName[name]
}

// Names returns the names in the order of the template.
func (d *Declarations) Names() []string {
	names := make([]string, len(d.list))
	for i, one := range d.list {
		names[i] = one.Name
	}
	return names
}

// Required reports whether a value must be given.
func (d *Declaration) Required() bool { return !d.HasDefault && !d.schema.nullable() }

// Type returns what messages call the parameter's type.
func (d *Declaration) Type() string { return d.schema.describe() }

func (d *Declaration) kind() kind { return d.schema.kind() }

// kind is one of ARM's types.
type kind int

const (
	kindAny kind = iota
	kindString
	kindInt
	kindBool
	kindObject
	kindArray
)

// schema is a type as an ARM template writes it down.
type schema struct {
	o     *armjson.Object
	decls *Declarations
}

// maxRefs bounds a chain of references to definitions, which may be a cycle.
const maxRefs = 100

// get returns a member of the schema, following references: what is beside a
// $ref refines what it refers to.
func (s schema) get(name string) armjson.Value {
	o := s.o
	for range maxRefs {
		if o == nil {
			return nil
		}
		if v, ok := member(o, name); ok {
			return v
		}
		ref, ok := member(o, "$ref")
		if !ok {
			return nil
		}
		const definitions = "#/definitions/"
		text, _ := ref.(armjson.String)
		definition := string(text)
		if len(definition) < len(definitions) || !strings.EqualFold(definition[:len(definitions)], definitions) || s.decls == nil {
			return nil
		}
		definition = strings.NewReplacer("~1", "/", "~0", "~").Replace(definition[len(definitions):])
		o = objectIn(s.decls.definitions, definition)
	}
	return nil
}

func (s schema) object(name string) *armjson.Object {
	o, _ := s.get(name).(*armjson.Object)
	return o
}

// discriminator returns the property whose value names the type of an object,
// and the types by its values; nil if it does not.
func (s schema) discriminator() (property string, types *armjson.Object) {
	d := s.object("discriminator")
	if d == nil {
		return "", nil
	}
	name, _ := d.Get("propertyName")
	key, _ := name.(armjson.String)
	return string(key), d.Object("mapping")
}

func (s schema) int(name string) (int64, bool) {
	n, ok := s.get(name).(armjson.Number)
	if !ok {
		return 0, false
	}
	return n.Int64()
}

func (s schema) typeName() string {
	t, _ := s.get("type").(armjson.String)
	return string(t)
}

func (s schema) kind() kind {
	switch strings.ToLower(s.typeName()) {
	case "string", "securestring":
		return kindString
	case "int":
		return kindInt
	case "bool":
		return kindBool
	case "object", "secureobject":
		return kindObject
	case "array":
		return kindArray
	}
	return kindAny
}

func (s schema) nullable() bool {
	b, _ := s.get("nullable").(armjson.Bool)
	return bool(b)
}

// secure reports whether the type, or a part of it, is marked as a secret.
func (s schema) secure(seen map[*armjson.Object]bool) bool {
	if s.o == nil || seen[s.o] {
		return false
	}
	seen[s.o] = true
	if strings.HasPrefix(strings.ToLower(s.typeName()), "secure") {
		return true
	}
	for _, part := range s.parts() {
		if part.secure(seen) {
			return true
		}
	}
	return false
}

// parts returns the types that the type is made of.
func (s schema) parts() []schema {
	var parts []schema
	add := func(v armjson.Value) {
		if o, ok := v.(*armjson.Object); ok {
			parts = append(parts, schema{o, s.decls})
		}
	}
	if p := s.object("properties"); p != nil {
		for _, v := range p.All() {
			add(v)
		}
	}
	add(s.get("additionalProperties"))
	add(s.get("items"))
	if list, ok := s.get("prefixItems").(armjson.Array); ok {
		for _, v := range list {
			add(v)
		}
	}
	if _, types := s.discriminator(); types != nil {
		for _, v := range types.All() {
			add(v)
		}
	}
	return parts
}

// describe returns the type as messages name it.
func (s schema) describe() string {
	name := ""
	switch s.kind() {
	case kindString:
		name = "string"
	case kindInt:
		name = "int"
	case kindBool:
		name = "bool"
	case kindObject:
		name = "object"
	case kindArray:
		name = "array"
	default:
		name = "any"
	}
	if s.nullable() {
		name += " or null"
	}
	return name
}

// Placeholder returns a value that the declaration takes, for compilers that want
// one where another layer gives the true one.
func (d *Declaration) Placeholder() armjson.Value { return d.schema.placeholder(0) }

func (s schema) placeholder(depth int) armjson.Value {
	if s.o == nil || s.nullable() || depth > 20 {
		return armjson.Null{}
	}
	allowed, _ := s.get("allowedValues").(armjson.Array)
	least, _ := s.int("minLength")
	switch s.kind() {
	case kindArray: // what it allows is its elements
		list := armjson.Array{}
		if len(allowed) > 0 {
			return append(list, allowed[:min(len(allowed), int(least))]...)
		}
		prefix, _ := s.get("prefixItems").(armjson.Array)
		for _, p := range prefix {
			o, _ := p.(*armjson.Object)
			list = append(list, schema{o, s.decls}.placeholder(depth+1))
		}
		item := schema{s.object("items"), s.decls}
		for int64(len(list)) < min(least, 1000) {
			list = append(list, item.placeholder(depth+1))
		}
		return list
	case kindAny:
		if len(allowed) == 0 {
			return armjson.Null{}
		}
	}
	if len(allowed) > 0 {
		return allowed[0]
	}
	switch s.kind() {
	case kindString:
		return armjson.String(strings.Repeat("x", int(min(least, 10000))))
	case kindInt:
		low, hasLow := s.int("minValue")
		high, hasHigh := s.int("maxValue")
		switch {
		case hasLow && low > 0:
			return armjson.Int(low)
		case hasHigh && high < 0:
			return armjson.Int(high)
		}
		return armjson.Int(0)
	case kindBool:
		return armjson.Bool(false)
	}
	out := armjson.NewObject()
	if key, types := s.discriminator(); types != nil && types.Len() > 0 {
		first, _ := types.At(0).Value.(*armjson.Object)
		if chosen, ok := (schema{first, s.decls}).placeholder(depth + 1).(*armjson.Object); ok {
			out = chosen
		}
		out.Set(key, armjson.String(types.At(0).Key))
		return out
	}
	if properties := s.object("properties"); properties != nil {
		for name, p := range properties.All() {
			o, _ := p.(*armjson.Object)
			if inner := (schema{o, s.decls}); o != nil && !inner.nullable() {
				out.Set(name, inner.placeholder(depth+1))
			}
		}
	}
	return out
}
