package emit

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// schema is a type as the template writes it: the constraints that the
// deployment engine checks.
func (w *writer) schema(t ir.Type) *ir.Object {
	switch t := t.(type) {
	case *ir.AmbientType:
		return builtinSchema(t.Name)
	case *ir.QualifiedAmbientType:
		return builtinSchema(t.Name)
	case *ir.TypeAlias, *ir.ImportedType, *ir.WildcardType, *ir.DerivedType, *ir.TypeProperty, *ir.TypeRest, *ir.TypeIndex, *ir.TypeItems:
		return w.resolve(t).schema()
	case *ir.StringType:
		return irObject("type", irString("string"), "allowedValues", irArray(irString(t.Value)))
	case *ir.IntType:
		return irObject("type", irString("int"), "allowedValues", irArray(&ir.Int{Value: t.Value}))
	case *ir.BoolType:
		return irObject("type", irString("bool"), "allowedValues", irArray(&ir.Bool{Value: t.Value}))
	case *ir.UnionType:
		return unionSchema(t)
	case *ir.ResourceType:
		name := ""
		if r := resourceTypeRef(t.Expressed()); r != nil {
			name = r.Name()
		}
		return irObject("type", irString("string"), "metadata", object("resourceType", irString(name)))
	case *ir.ArrayType:
		if allowed := allowedItems(t.Item); allowed != nil {
			return irObject("type", irString("array"), "allowedValues", allowed)
		}
		return irObject("type", irString("array"), "items", w.schema(t.Item))
	case *ir.ObjectType:
		return w.objectSchema(t)
	case *ir.TupleType:
		items := make([]ir.Expr, len(t.Items))
		for i, x := range t.Items {
			items[i] = modify(w.schema(x.Value), &x.Modifiers, false)
		}
		return irObject("type", irString("array"), "prefixItems", &ir.Array{Items: items}, "items", no)
	case *ir.NullableType:
		return ir.MergeProperty(w.schema(t.Base), "nullable", yes)
	case *ir.NonNullType:
		return ir.MergeProperty(w.schema(t.Base), "nullable", no)
	case *ir.DiscriminatedType:
		name := ""
		if d, ok := t.Expressed().(*types.DiscriminatedObject); ok {
			name = d.Discriminator.Name
		}
		return irObject("type", irString("object"), "discriminator", irObject(
			"propertyName", irString(name),
			"mapping", &ir.Object{Props: w.mapping(nil, name, t)}))
	}
	w.failType(t, "a type of the kind %T", t)
	return &ir.Object{}
}

var yes, no = &ir.Bool{Value: true}, &ir.Bool{}

// builtinSchema is a type of the language.
func builtinSchema(name string) *ir.Object {
	if name == "any" {
		return &ir.Object{}
	}
	return irObject("type", irString(name))
}

func irObject(kv ...any) *ir.Object {
	o := &ir.Object{Props: make([]*ir.Property, 0, len(kv)/2)}
	for i := 0; i < len(kv); i += 2 {
		o.Props = append(o.Props, &ir.Property{Key: irString(kv[i].(string)), Value: kv[i+1].(ir.Expr)})
	}
	return o
}

func irArray(items ...ir.Expr) *ir.Array { return &ir.Array{Items: items} }

func (w *writer) objectSchema(t *ir.ObjectType) *ir.Object {
	members := make([]*ir.Property, len(t.Props))
	for i, p := range t.Props {
		members[i] = &ir.Property{Key: irString(p.Name), Value: modify(w.schema(p.Value), &p.Modifiers, false)}
	}
	o := irObject("type", irString("object"), "properties", &ir.Object{Props: members})
	if t.Rest != nil {
		o.Props = append(o.Props, &ir.Property{
			Key:   irString("additionalProperties"),
			Value: modify(w.schema(t.Rest.Value), &t.Rest.Modifiers, false),
		})
	}
	return o
}

// unionSchema lists the values that a union of literals allows. Its type is that
// of the first; null among them makes it nullable.
func unionSchema(t *ir.UnionType) *ir.Object {
	of := typeOf(t)
	rest := types.RemoveNullability(of)
	if rest != nil {
		of = rest
	}
	first := of
	var allowed *ir.Array
	if u, ok := of.(*types.Union); ok && len(u.Members) > 0 {
		first = u.Members[0].Type()
		allowed = literals(u)
	} else {
		allowed = irArray(literal(of))
	}
	o := &ir.Object{}
	if name := primitiveName(first); name != "" {
		o.Props = append(o.Props, &ir.Property{Key: irString("type"), Value: irString(name)})
	}
	o.Props = append(o.Props, &ir.Property{Key: irString("allowedValues"), Value: allowed})
	if rest != nil {
		o.Props = append(o.Props, &ir.Property{Key: irString("nullable"), Value: yes})
	}
	return o
}

func typeOf(t ir.Type) types.Type {
	x := t.Expressed()
	if x == nil {
		return types.TAny
	}
	return x
}

func literals(u *types.Union) *ir.Array {
	items := make([]ir.Expr, len(u.Members))
	for i, m := range u.Members {
		items[i] = literal(m.Type())
	}
	return &ir.Array{Items: items}
}

// literal is the one value of a type.
func literal(t types.Type) ir.Expr {
	switch t := t.(type) {
	case *types.StringLiteral:
		return irString(t.Value)
	case *types.IntLiteral:
		return &ir.Int{Value: t.Value}
	case *types.BoolLiteral:
		return &ir.Bool{Value: t.Value}
	case *types.Object:
		o := &ir.Object{Props: make([]*ir.Property, len(t.Properties()))}
		for i, p := range t.Properties() {
			o.Props[i] = &ir.Property{Key: irString(p.Name), Value: literal(p.Type.Type())}
		}
		return o
	case *types.Tuple:
		a := &ir.Array{Items: make([]ir.Expr, len(t.Items))}
		for i, x := range t.Items {
			a.Items[i] = literal(x.Type())
		}
		return a
	}
	return &ir.Null{}
}

// allowedItems are the values that an array's items may have, if they are all
// known: then the array is checked against those, not item by item.
func allowedItems(t ir.Type) *ir.Array {
	switch t := t.(type) {
	case *ir.StringType:
		return irArray(irString(t.Value))
	case *ir.IntType:
		return irArray(&ir.Int{Value: t.Value})
	case *ir.BoolType:
		return irArray(&ir.Bool{Value: t.Value})
	case *ir.NullType:
		return irArray(&ir.Null{})
	case *ir.ObjectType, *ir.TupleType:
		if of := typeOf(t); isLiteral(of) {
			return irArray(literal(of))
		}
	case *ir.UnionType:
		if u, ok := typeOf(t).(*types.Union); ok {
			return literals(u)
		}
		return irArray(literal(typeOf(t)))
	}
	return nil
}

// isLiteral reports whether a type has just one value.
func isLiteral(t types.Type) bool {
	switch t := t.(type) {
	case *types.StringLiteral, *types.IntLiteral, *types.BoolLiteral, *types.NullType:
		return true
	case *types.Tuple:
		return !slices.ContainsFunc(t.Items, func(x types.Ref) bool { return !isLiteral(x.Type()) })
	case *types.Object:
		if t.HasExplicitAdditional() {
			return false
		}
		for i := range t.Properties() {
			if p := &t.Properties()[i]; !p.Flags.Has(types.Required) || !isLiteral(p.Type.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// primitiveName is the engine's name for the kind of values a type has, or "".
func primitiveName(t types.Type) string {
	switch t := t.(type) {
	case *types.String, *types.StringLiteral:
		return "string"
	case *types.Int, *types.IntLiteral:
		return "int"
	case *types.Bool, *types.BoolLiteral:
		return "bool"
	case *types.Object, *types.DiscriminatedObject:
		return "object"
	case *types.Array, *types.Tuple:
		return "array"
	case *types.Union:
		name := ""
		for i, m := range t.Members {
			switch n := primitiveName(m.Type()); {
			case i == 0:
				name = n
			case n != name:
				return ""
			}
		}
		return name
	}
	return ""
}

// modify adds what decorators say to a schema. The order of the steps is the order of the keys.
func modify(o *ir.Object, m *ir.Modifiers, exported bool) *ir.Object {
	if m.Secure != nil {
		if p := o.Property("type"); p != nil {
			if s, ok := p.Value.(*ir.String); ok && s.Value == "string" {
				o = ir.MergeProperty(o, "type", irString("securestring"))
			} else if ok && s.Value == "object" {
				o = ir.MergeProperty(o, "type", irString("secureObject"))
			}
		}
	}
	if m.Sealed != nil {
		o = ir.MergeProperty(o, "additionalProperties", no)
	}
	if exported {
		o = ir.MergeProperty(o, "metadata", object(armexpr.ExportedKey, yes))
	}
	for _, x := range [...]struct {
		v   ir.Expr
		key string
	}{
		{m.Metadata, "metadata"},
		{m.MinLength, "minLength"},
		{m.MaxLength, "maxLength"},
		{m.MinValue, "minValue"},
		{m.MaxValue, "maxValue"},
	} {
		if x.v != nil {
			o = ir.MergeProperty(o, x.key, x.v)
		}
	}
	if m.Constraint != nil {
		o = ir.MergeProperty(o, "validate", m.Constraint)
	}
	if m.Description != nil {
		o = ir.MergeProperty(o, "metadata", object("description", m.Description))
	}
	return o
}

// definitions writes the types of the file and those that imports brought.
func (w *writer) definitions(decls []*ir.TypeDecl) {
	if len(decls) == 0 {
		return
	}
	w.key("definitions")
	w.uniqueObject()
	for _, d := range decls {
		w.key(d.Name)
		o := modify(w.schema(d.Value), &d.Modifiers, d.Exported != nil)
		if origin, ok := w.ctx.Imports().Origin(d.Name); ok {
			from := object("sourceTemplate", irString(origin.Template))
			if !strings.HasSuffix(d.Name, origin.Name) {
				from.Props = append(from.Props, &ir.Property{Key: irString("originalIdentifier"), Value: irString(origin.Name)})
			}
			o = ir.MergeProperty(o, "metadata", object(armexpr.ImportedFromKey, from))
		}
		w.plainObject(o)
	}
	w.end()
}

// mapping lists the choices of a discriminated union by the value that decides.
// It is the last of open, the others are those of which it is a choice.
func (w *writer) mapping(dst []*ir.Property, key string, open ...*ir.DiscriminatedType) []*ir.Property {
	for _, m := range open[len(open)-1].Members {
		var r *resolution
		switch m.(type) {
		case *ir.TypeAlias, *ir.ImportedType, *ir.WildcardType, *ir.TypeProperty, *ir.TypeRest, *ir.TypeIndex, *ir.TypeItems:
			r = w.resolve(m)
			if r.root != nil {
				dst = derivedMapping(dst, r, key)
				continue
			}
			m = r.declared
		}
		switch m := m.(type) {
		case *ir.ObjectType:
			var o *ir.Object
			if r != nil {
				o = r.schema()
			} else {
				o = w.objectSchema(m)
			}
			dst = append(dst, &ir.Property{Key: irString(discriminator(typeOf(m), key)), Value: o})
		case *ir.DiscriminatedType:
			if slices.Contains(open, m) {
				w.failType(m, "a union that is one of its own choices")
				return dst
			}
			dst = w.mapping(dst, key, append(open[:len(open):len(open)], m)...)
		default:
			w.failType(m, "a union with a choice that is not an object, though %q is its discriminator", key)
		}
	}
	return dst
}

func derivedMapping(dst []*ir.Property, r *resolution, key string) []*ir.Property {
	switch t := r.derived.(type) {
	case *types.Object:
		dst = append(dst, &ir.Property{Key: irString(discriminator(t, key)), Value: r.schema()})
	case *types.DiscriminatedObject:
		for _, m := range t.Members {
			value := m.Key.Value
			dst = append(dst, &ir.Property{Key: irString(value), Value: r.at(nil, m.Object, "discriminator", "mapping", value).schema()})
		}
	}
	return dst
}

// discriminator is the value of an object type's discriminator.
func discriminator(t types.Type, key string) string {
	if o, ok := t.(*types.Object); ok {
		if p := o.Property(key); p != nil {
			if s, ok := p.Type.Type().(*types.StringLiteral); ok {
				return s.Value
			}
		}
	}
	return ""
}
