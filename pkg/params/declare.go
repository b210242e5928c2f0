package params

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/internal/armschema"
	"github.com/radbicep/rad/pkg/spell"
)

// Declarations are the parameters that a template declares.
type Declarations struct {
	list        []*Declaration
	byName      map[string]*Declaration
	definitions *armjson.Object
	byFolded    map[string]*armjson.Object // definitions by lower case; once one is asked for
	views       map[*armjson.Object]*view
	spelt       map[string]string // names as they are spelt, by lower case; once one is asked for
	spelling    spell.Limited
}

// Declaration is one parameter of a template.
type Declaration struct {
	Name   string
	Secure bool // its value, or a part of it, must not be shown
	// HasDefault says that the template has a value of its own for it.
	HasDefault bool
	schema     schema
}

// Default returns the template's own value, which may be an expression; nil if there is none, or if it must
// not be shown.
func (d *Declaration) Default() armjson.Value {
	if d.Secure {
		return nil
	}
	v, _ := d.schema.o.Lookup("defaultValue")
	return v
}

// Declare reads the parameters that an ARM template declares.
func Declare(template *armjson.Object) *Declarations {
	d := &Declarations{byName: map[string]*Declaration{}, views: map[*armjson.Object]*view{}}
	// ARM does not look at the case of these names, so a secret cannot be hidden by it.
	d.definitions = objectIn(template, "definitions")
	parameters := objectIn(template, "parameters")
	if parameters == nil {
		return d
	}
	schemas := armschema.New(template)
	for name, v := range parameters.All() {
		o, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		one := &Declaration{Name: name, schema: schema{o, d}}
		_, one.HasDefault = o.Lookup("defaultValue")
		one.Secure = schemas.Read(o).Holds()
		d.list = append(d.list, one)
		d.byName[name] = one
	}
	return d
}

func objectIn(o *armjson.Object, name string) *armjson.Object {
	v, _ := o.Lookup(name)
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
// be within the value of a secure one.
func (d *Declarations) hidesName(name string) bool {
	if d == nil || d.get(name) != nil {
		return false
	}
	return slices.ContainsFunc(d.list, func(one *Declaration) bool { return one.Secure })
}

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

// maxTags bounds a chain of unions whose variants are unions, which may be a cycle.
const maxTags = 100

// The members of a schema that are looked at.
const (
	ofType = iota
	ofNullable
	ofAllowed
	ofLeast
	ofMost
	ofShortest
	ofLongest
	ofItems
	ofPrefix
	ofProperties
	ofMore
	ofDiscriminator
	ofAll
)

var keywords = [ofAll]string{
	"type", "nullable", "allowedValues", "minValue", "maxValue", "minLength", "maxLength", "items", "prefixItems", "properties",
	"additionalProperties", "discriminator",
}

// view is a schema with what it refers to: what is beside a $ref refines that.
type view [ofAll]armjson.Value

// get returns a member of the schema, following references.
func (s schema) get(keyword int) armjson.Value {
	if s.o == nil {
		return nil
	}
	return s.decls.view(s.o)[keyword]
}

// view returns a schema with what it refers to. Each is read once.
func (d *Declarations) view(o *armjson.Object) *view {
	var chain []*armjson.Object
	var below *view
	reading := map[*armjson.Object]bool{}
	for o != nil && !reading[o] { // or it refers to itself
		if below = d.views[o]; below != nil {
			break
		}
		chain = append(chain, o)
		reading[o] = true
		o = d.definition(o)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		v := readView(chain[i])
		for k := range v {
			if v[k] == nil && below != nil {
				v[k] = below[k]
			}
		}
		d.views[chain[i]] = v
		below = v
	}
	return below
}

func readView(o *armjson.Object) *view {
	v := &view{}
	for name, x := range o.All() {
		for k, keyword := range keywords {
			if name == keyword || v[k] == nil && strings.EqualFold(name, keyword) {
				v[k] = x
			}
		}
	}
	return v
}

// definition returns what a schema refers to; nil if it refers to nothing.
func (d *Declarations) definition(o *armjson.Object) *armjson.Object {
	ref, ok := o.Lookup("$ref")
	if !ok {
		return nil
	}
	const definitions = "#/definitions/"
	text, _ := ref.(armjson.String)
	name := string(text)
	if len(name) < len(definitions) || !strings.EqualFold(name[:len(definitions)], definitions) || d.definitions == nil {
		return nil
	}
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name[len(definitions):])
	if to := d.definitions.Object(name); to != nil {
		return to
	}
	if d.byFolded == nil {
		d.byFolded = map[string]*armjson.Object{}
		for k, v := range d.definitions.All() {
			if to, ok := v.(*armjson.Object); ok {
				d.byFolded[strings.ToLower(k)] = to
			}
		}
	}
	return d.byFolded[strings.ToLower(name)]
}

func (s schema) object(keyword int) *armjson.Object {
	o, _ := s.get(keyword).(*armjson.Object)
	return o
}

// discriminator returns the property whose value names the type of an object,
// and the types by its values; nil if it does not.
func (s schema) discriminator() (property string, types *armjson.Object) {
	d := s.object(ofDiscriminator)
	if d == nil {
		return "", nil
	}
	name, _ := d.Lookup("propertyName")
	key, _ := name.(armjson.String)
	return string(key), objectIn(d, "mapping")
}

func (s schema) int(keyword int) (int64, bool) {
	n, ok := s.get(keyword).(armjson.Number)
	if !ok {
		return 0, false
	}
	return n.Int64()
}

func (s schema) typeName() string {
	t, _ := s.get(ofType).(armjson.String)
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
	b, _ := s.get(ofNullable).(armjson.Bool)
	return bool(b)
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
func (d *Declaration) Placeholder() armjson.Value {
	left := 10_000
	return d.schema.placeholder(0, &left)
}

// placeholder makes a value of as many parts as are left: types that have themselves in several
// places have values of any size.
func (s schema) placeholder(depth int, left *int) armjson.Value {
	if *left--; s.o == nil || s.nullable() || depth > 20 || *left < 0 {
		return armjson.Null{}
	}
	allowed, _ := s.get(ofAllowed).(armjson.Array)
	least, _ := s.int(ofShortest)
	least = max(0, least)
	switch s.kind() {
	case kindArray:
		list := armjson.Array{}
		if len(allowed) > 0 { // what it allows is its elements, each as often as somebody likes
			for i := range min(int(least), 1000) {
				list = append(list, allowed[i%len(allowed)])
			}
			return list
		}
		prefix, _ := s.get(ofPrefix).(armjson.Array)
		for _, p := range prefix {
			o, _ := p.(*armjson.Object)
			list = append(list, schema{o, s.decls}.placeholder(depth+1, left))
		}
		item := schema{s.object(ofItems), s.decls}
		for int64(len(list)) < min(least, 1000) {
			list = append(list, item.placeholder(depth+1, left))
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
		low, hasLow := s.int(ofLeast)
		high, hasHigh := s.int(ofMost)
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
		if chosen, ok := (schema{first, s.decls}).placeholder(depth+1, left).(*armjson.Object); ok {
			out = chosen
		}
		out.Set(key, armjson.String(types.At(0).Key))
		return out
	}
	if properties := s.object(ofProperties); properties != nil {
		for name, p := range properties.All() {
			o, _ := p.(*armjson.Object)
			if inner := (schema{o, s.decls}); o != nil && !inner.nullable() {
				out.Set(name, inner.placeholder(depth+1, left))
			}
		}
	}
	return out
}
