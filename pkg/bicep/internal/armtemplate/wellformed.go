package armtemplate

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// wellFormed reports whether a template has the shape that the deployment
// engine reads: the right kinds of values in the places that matter here, and
// types that exist. Resources are not looked at.
func wellFormed(o *armjson.Object) bool {
	c := &shapes{loader: newLoader(o)}
	for _, name := range [...]string{"$schema", "contentVersion", "languageVersion", "apiProfile"} {
		if v, ok := member(o, name); ok {
			if _, ok := v.(armjson.String); !ok {
				return false
			}
		}
	}
	for _, name := range [...]string{"metadata", "variables"} {
		if v, ok := member(o, name); ok {
			if _, ok := v.(*armjson.Object); !ok {
				return false
			}
		}
	}
	for _, name := range [...]string{"definitions", "parameters", "outputs"} {
		c.defining = name == "definitions"
		if !c.schemas(o, name) {
			return false
		}
	}
	if v, ok := member(o, "functions"); ok {
		list, ok := v.(armjson.Array)
		if !ok {
			return false
		}
		for _, ns := range list {
			if n, ok := ns.(*armjson.Object); !ok || !c.functions(n) {
				return false
			}
		}
	}
	return true
}

func (c *shapes) functions(ns *armjson.Object) bool {
	v, ok := member(ns, "members")
	if !ok {
		return true
	}
	members, ok := v.(*armjson.Object)
	if !ok {
		return false
	}
	for _, v := range members.All() {
		f, ok := v.(*armjson.Object)
		if !ok {
			return false
		}
		if !c.schemaList(f, "parameters") {
			return false
		}
		if out, ok := member(f, "output"); ok && !c.schema(out) {
			return false
		}
	}
	return true
}

// shapes checks the schemas of a template.
type shapes struct {
	*loader
	defining bool // a definition may refer to nothing, as long as it is not used
}

// schemas checks a member that maps names to schemas.
func (c *shapes) schemas(o *armjson.Object, name string) bool {
	v, ok := member(o, name)
	if !ok {
		return true
	}
	m, ok := v.(*armjson.Object)
	if !ok {
		return false
	}
	for _, s := range m.All() {
		if !c.schema(s) {
			return false
		}
	}
	return true
}

// schemaList checks a member that lists schemas.
func (c *shapes) schemaList(o *armjson.Object, name string) bool {
	v, ok := member(o, name)
	if !ok {
		return true
	}
	list, ok := v.(armjson.Array)
	return ok && !slices.ContainsFunc(list, func(s armjson.Value) bool { return !c.schema(s) })
}

// schema checks one node of the schema language, and those within it.
func (c *shapes) schema(v armjson.Value) bool {
	o, ok := v.(*armjson.Object)
	if !ok {
		return false
	}
	if t, ok := member(o, "type"); ok {
		s, ok := t.(armjson.String)
		if !ok || kindOf(string(s)) == noKind {
			return false
		}
	}
	if r, ok := member(o, "$ref"); ok {
		ref, ok := r.(armjson.String)
		if !ok {
			return false
		}
		if _, err := c.definition(string(ref)); err != nil && !c.defining {
			return false
		}
	}
	// Version 1 of the template language knows no nullable types.
	if _, ok := member(o, "nullable"); ok && !c.allRequired {
		return false
	}
	if a, ok := member(o, "allowedValues"); ok {
		if _, ok := a.(armjson.Array); !ok {
			return false
		}
	}
	if !c.schemaList(o, "prefixItems") {
		return false
	}
	for _, name := range [...]string{"items", "additionalProperties"} {
		if x, ok := member(o, name); ok {
			if _, isBool := x.(armjson.Bool); !isBool && !c.schema(x) {
				return false
			}
		}
	}
	if !c.schemas(o, "properties") {
		return false
	}
	if d, ok := member(o, "discriminator"); ok {
		m, ok := d.(*armjson.Object)
		if !ok || !c.schemas(m, "mapping") {
			return false
		}
		if _, ok := stringMember(m, "propertyName"); !ok {
			return false
		}
	}
	return true
}

// kind is a type of the schema language.
type kind uint8

const (
	noKind kind = iota
	stringKind
	secureStringKind
	intKind
	boolKind
	arrayKind
	objectKind
	secureObjectKind
)

func kindOf(name string) kind {
	switch strings.ToLower(name) {
	case "string":
		return stringKind
	case "securestring":
		return secureStringKind
	case "int":
		return intKind
	case "bool":
		return boolKind
	case "array":
		return arrayKind
	case "object":
		return objectKind
	case "secureobject":
		return secureObjectKind
	}
	return noKind
}
