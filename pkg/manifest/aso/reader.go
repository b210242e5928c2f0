package aso

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// reader reads the schema of a CRD as object types of the table.
type reader struct {
	t         *table
	described bool // the schema has descriptions
}

// unclear is the type of what can be read in two ways.
const unclear = "?"

// object adds the object type of a schema and returns its number. like are the same object in the table, in other versions.
func (r *reader) object(s *armjson.Object, like []*object, root bool) int {
	o := &object{byPath: map[string]*field{}}
	id := len(r.t.types)
	r.t.types = append(r.t.types, "")
	r.t.read[id] = o
	required, _ := exactly(s, "required").(armjson.Array)
	for _, name := range names(s) {
		if root && slices.Contains([]string{"azureName", "operatorSpec", "owner"}, name) {
			continue
		}
		if of, isTwin := strings.CutSuffix(name, "FromConfig"); isTwin && property(s, of) != nil {
			continue
		}
		p := property(s, name)
		f := &field{name: name, required: slices.Contains(required, armjson.Value(armjson.String(name))),
			config: property(s, name+"FromConfig") != nil, limits: limitsIn(p)}
		known := fieldsCalled(like, name)
		f.typ = r.typeOf(p, known)
		o.fields = append(o.fields, f)
		if len(known) > 0 {
			f.path, f.nested, f.inBody = known[0].path, known[0].nested, known[0].inBody
			o.byPath[strings.ToLower(f.inBody)] = f
		}
	}
	r.place(s, o, like, root)
	r.union(o, like)
	return id
}

// fieldsCalled returns the fields of a name.
func fieldsCalled(list []*object, name string) (found []*field) {
	for _, o := range list {
		for _, f := range o.fields {
			if f.name == name {
				found = append(found, f)
			}
		}
	}
	return found
}

// envelope are the properties that the body of a resource has beside properties.
var envelope = []string{
	"etag", "extendedLocation", "identity", "kind", "location", "managedBy", "plan", "sku", "systemData", "tags", "type", "zones",
}

// place finds where in the body those fields stand that the table does not know. All but a few properties of a resource are
// below properties. Elsewhere a field may be there or beside it, and the body that is given decides.
func (r *reader) place(s *armjson.Object, o *object, like []*object, root bool) {
	kept := property(s, "properties") != nil // it is a field, as any other
	nests := root || slices.ContainsFunc(like, func(o *object) bool {
		return slices.ContainsFunc(o.fields, func(f *field) bool { return f.nested })
	})
	derived := map[string]bool{}
	claim := func(f *field, name string, isDerived bool) {
		paths := []string{"properties." + name, name}
		switch {
		case kept:
			paths = paths[1:]
		case f.nested && root && !slices.Contains(envelope, name):
			paths = paths[:1]
		}
		for _, path := range paths {
			path = strings.ToLower(path)
			switch other := o.byPath[path]; {
			case other == nil:
				o.byPath[path], derived[path] = f, isDerived
			case other != f && derived[path]:
				o.byPath[path] = &field{name: f.name, path: f.path, inBody: path, typ: unclear}
			}
		}
	}
	var references []*field
	for _, f := range o.fields {
		if f.inBody != "" {
			continue
		}
		inner, isInner := strings.CutPrefix(f.name, "properties_") // the same name stands beside properties
		f.path = inner
		isReference := strings.TrimLeft(f.typ, "[{") == "r"
		if isReference {
			f.path = bodyNames(f.name)[0]
		}
		f.nested = !kept && nests && (isInner || !root || !slices.Contains(envelope, f.path))
		if f.inBody = f.path; f.nested {
			f.inBody = "properties." + f.path
		}
		if isReference {
			references = append(references, f)
		} else {
			claim(f, f.path, false)
		}
	}
	for _, f := range references {
		for _, name := range bodyNames(f.name) {
			claim(f, name, true)
		}
	}
}

// bodyNames returns what a reference may be called in the body, where it is an ID.
func bodyNames(reference string) []string {
	if strings.EqualFold(reference, "reference") {
		return []string{"id", reference}
	}
	if of, ok := strings.CutSuffix(reference, "References"); ok {
		return []string{of + "Ids", of}
	}
	of := strings.TrimSuffix(reference, "Reference")
	return []string{of + "Id", of}
}

// union finds out whether the fields are the variants of an object, of which each has a value of one property that all have.
func (r *reader) union(o *object, like []*object) {
	var candidates []string
	values := map[string]string{} // by field and discriminator
	for i, f := range o.fields {
		n, err := strconv.Atoi(f.typ)
		if err != nil {
			return
		}
		var own []string
		for _, inner := range r.t.object(n).fields {
			if inner.typ[0] != 'e' || !inner.required {
				continue
			}
			if all := r.t.enum(number(inner.typ[1:])); len(all) == 1 && (i == 0 || slices.Contains(candidates, inner.name)) {
				own = append(own, inner.name)
				values[f.name+"/"+inner.name] = all[0]
			}
		}
		candidates = own
	}
	for _, one := range like {
		if len(one.fields) > 0 && one.discriminator == "" {
			return
		}
		if one.discriminator != "" && slices.Contains(candidates, one.discriminator) {
			candidates = []string{one.discriminator}
		}
	}
	if len(candidates) == 0 {
		return
	}
	if o.discriminator = candidates[0]; len(candidates) > 1 {
		o.discriminator = unclear
	}
	for _, f := range o.fields {
		f.value = values[f.name+"/"+o.discriminator]
	}
}

// typeOf returns the type of a schema, as the table writes it. known are the same field in the table.
func (r *reader) typeOf(s *armjson.Object, known []*field) string {
	if items, ok := exactly(s, "items").(*armjson.Object); ok {
		if reference := property(items, "reference"); len(names(items)) == 1 && isReference(reference) && isOf(known, "u", true) {
			return "u"
		}
		return "[" + r.typeOf(items, known)
	}
	if of, ok := exactly(s, "additionalProperties").(*armjson.Object); ok {
		return "{" + r.typeOf(of, known)
	}
	if list, ok := exactly(s, "enum").(armjson.Array); ok {
		return r.enumeration(s.Str("type"), list)
	}
	switch typ := s.Str("type"); typ {
	case "string", "integer", "number", "boolean":
		return typ[:1]
	}
	var like []*object
	for _, f := range known {
		if n, err := strconv.Atoi(strings.TrimLeft(f.typ, "[{")); err == nil {
			like = append(like, r.t.object(n))
		}
	}
	switch of := names(s); {
	case len(of) == 0 && exactly(s, "x-kubernetes-preserve-unknown-fields") == armjson.Bool(true):
		return "j"
	case isReference(s):
		return "r"
	case len(like) > 0:
	case len(of) == 2 && isText(s, "key") && isText(s, "name"):
		return "p"
	case len(of) == 1 && isText(s, "name"):
		switch description := property(s, "name").Str("description"); {
		case strings.Contains(description, "Kubernetes secret") || isOf(known, "P", false):
			return "P"
		case !r.described:
			return unclear
		}
	}
	return strconv.Itoa(r.object(s, like, false))
}

// isOf reports whether fields of the table have a type, or there are none and that is enough.
func isOf(known []*field, typ string, enough bool) bool {
	for _, f := range known {
		return f.typ == typ
	}
	return enough
}

// isReference reports whether a schema is that of a reference to a resource.
func isReference(s *armjson.Object) bool {
	return property(s, "armId") != nil &&
		!slices.ContainsFunc(names(s), func(name string) bool { return !slices.Contains([]string{"armId", "group", "kind", "name"}, name) })
}

// isText reports whether a property is a text that is required, and may be any.
func isText(s *armjson.Object, name string) bool {
	p := property(s, name)
	required, _ := exactly(s, "required").(armjson.Array)
	return p.Str("type") == "string" && exactly(p, "enum") == nil && limitsIn(p) == nil &&
		slices.Contains(required, armjson.Value(armjson.String(name)))
}

func (r *reader) enumeration(typ string, list armjson.Array) string {
	values := make([]string, len(list))
	for i, v := range list {
		switch v := v.(type) {
		case armjson.String:
			values[i] = string(v)
		default:
			values[i] = armjson.Text(v)
		}
	}
	r.t.enums = append(r.t.enums, strings.Join(values, "|"))
	prefix := "e"
	if typ == "integer" {
		prefix = "E"
	}
	return prefix + strconv.Itoa(len(r.t.enums)-1)
}

// limitsIn returns what a schema demands beside its type; nil if that is nothing.
func limitsIn(s *armjson.Object) *limits {
	l := &limits{pattern: s.Str("pattern")}
	has := l.pattern != ""
	for name, bound := range l.bounds() {
		n, isNumber := exactly(s, strings.ToLower(name[:1])+name[1:]).(armjson.Number)
		if i, ok := n.Int64(); isNumber && ok {
			*bound, has = &i, true
		}
	}
	if !has {
		return nil
	}
	return l
}
