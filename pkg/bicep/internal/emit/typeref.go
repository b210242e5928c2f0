package emit

import (
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// resolution is where a reference to a type leads: to a place within this
// template's definitions, or within a resource type.
type resolution struct {
	pointer []string
	// For a place in this template, what is declared there.
	declared ir.Type
	// For a place in a resource type.
	derived types.Type
	root    *types.ResourceTypeReference
	variant types.DerivedVariant
}

// at is the place below r.
func (r *resolution) at(declared ir.Type, derived types.Type, segments ...string) *resolution {
	pointer := append(r.pointer[:len(r.pointer):len(r.pointer)], segments...)
	return &resolution{pointer: pointer, declared: declared, derived: derived, root: r.root, variant: r.variant}
}

func (r *resolution) schema() *ir.Object {
	var b strings.Builder
	if r.root == nil {
		b.WriteByte('#')
		for _, s := range r.pointer {
			b.WriteByte('/')
			b.WriteString(pointerSegment(s))
		}
		return object("$ref", irString(b.String()))
	}
	b.WriteString(r.root.Name())
	for i, s := range r.pointer {
		b.WriteByte("#/"[min(i, 1)])
		b.WriteString(pointerSegment(s))
	}
	var source ir.Expr = irString(b.String())
	switch r.variant {
	case types.DerivedInput:
		source = irObject("source", source)
	case types.DerivedOutput:
		source = irObject("source", source, "output", yes)
	}
	o := &ir.Object{}
	if name := primitiveName(r.derived); name != "" {
		o.Props = append(o.Props, &ir.Property{Key: irString("type"), Value: irString(name)})
	}
	o.Props = append(o.Props, &ir.Property{Key: irString("metadata"), Value: object(armexpr.ResourceDerivedTypeKey, source)})
	return o
}

// pointerSegment escapes a segment of a JSON pointer within a URI.
func pointerSegment(s string) string {
	if strings.ContainsAny(s, "~/") {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
	}
	return escapeURI(s)
}

// escapeURI escapes all bytes but those that mean nothing in a URI.
func escapeURI(s string) string {
	const hex = "0123456789ABCDEF"
	plain := func(c byte) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.' || c == '~'
	}
	n := 0
	for n < len(s) && plain(s[n]) {
		n++
	}
	if n == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)+16), s[:n]...)
	for ; n < len(s); n++ {
		if c := s[n]; plain(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}

// definition is the place of a type that has a name here.
func (w *writer) definition(t ir.Type, name string) *resolution {
	d := w.types[name]
	if d == nil {
		w.failType(t, "a type named %s", name)
		return &resolution{pointer: []string{"definitions", name}}
	}
	return &resolution{pointer: []string{"definitions", name}, declared: d.Value}
}

// resolve follows a reference to a type. An access that goes through other
// references points into what those lead to.
func (w *writer) resolve(t ir.Type) *resolution {
	switch t := t.(type) {
	case *ir.TypeAlias:
		return w.definition(t, t.Name)
	case *ir.ImportedType:
		return w.definition(t, w.ctx.Imports().NameOf(t.Symbol))
	case *ir.WildcardType:
		return w.definition(t, w.ctx.Imports().WildcardName(t.Import, t.Name))
	case *ir.DerivedType:
		return &resolution{root: resourceTypeRef(t.Root), derived: typeOf(t), variant: t.Variant}
	case *ir.TypeProperty:
		r := w.container(t.Base, func(d ir.Type) bool { _, ok := d.(*ir.ObjectType); return ok })
		if o, ok := r.declared.(*ir.ObjectType); ok {
			for _, p := range o.Props {
				if strings.EqualFold(p.Name, t.Name) {
					return r.at(p.Value, nil, "properties", t.Name)
				}
			}
		}
		return r.at(nil, typeOf(t), "properties", t.Name)
	case *ir.TypeRest:
		r := w.container(t.Base, func(d ir.Type) bool { _, ok := d.(*ir.ObjectType); return ok })
		if o, ok := r.declared.(*ir.ObjectType); ok && o.Rest != nil {
			return r.at(o.Rest.Value, nil, "additionalProperties")
		}
		return r.at(nil, typeOf(t), "additionalProperties")
	case *ir.TypeIndex:
		r := w.container(t.Base, func(d ir.Type) bool { _, ok := d.(*ir.TupleType); return ok })
		index := strconv.FormatInt(t.Index, 10)
		if o, ok := r.declared.(*ir.TupleType); ok && t.Index >= 0 && t.Index < int64(len(o.Items)) {
			return r.at(o.Items[t.Index].Value, nil, "prefixItems", index)
		}
		return r.at(nil, typeOf(t), "prefixItems", index)
	case *ir.TypeItems:
		r := w.container(t.Base, func(d ir.Type) bool { _, ok := d.(*ir.ArrayType); return ok })
		if o, ok := r.declared.(*ir.ArrayType); ok {
			return r.at(o.Item, nil, "items")
		}
		return r.at(nil, typeOf(t), "items")
	}
	w.failType(t, "a reference to a type of the kind %T", t)
	return &resolution{}
}

// container follows a reference until it is at a declaration of the right kind or
// within a resource type.
func (w *writer) container(base ir.Type, right func(ir.Type) bool) *resolution {
	r := w.resolve(base)
	for range maxAliases {
		// A nullable type has the same place: it is the type with "nullable" beside it.
		switch d := r.declared.(type) {
		case *ir.NullableType:
			r = &resolution{pointer: r.pointer, declared: d.Base}
			continue
		case *ir.NonNullType:
			r = &resolution{pointer: r.pointer, declared: d.Base}
			continue
		}
		if r.root != nil || r.declared == nil || right(r.declared) {
			return r
		}
		r = w.resolve(r.declared)
	}
	w.failType(base, "a chain of more than %d types", maxAliases)
	return r
}

// maxAliases bounds the length of a chain of types that are names of one another.
const maxAliases = 10_000

func resourceTypeRef(t any) *types.ResourceTypeReference {
	switch t := t.(type) {
	case *types.Resource:
		return t.TypeRef
	case *types.ResourceParam:
		return t.TypeRef
	}
	return nil
}
