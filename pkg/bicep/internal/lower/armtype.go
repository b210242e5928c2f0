package lower

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// modifiers reads off a type of an ARM template what decorators say in Bicep.
func (t *armTemplate) modifiers(n armjson.Value) ir.Modifiers {
	var m ir.Modifiers
	metadata := get(n, "metadata")
	if s, ok := asString(get(metadata, "description")); ok {
		m.Description = &ir.String{At: t.at(), Value: s}
	}
	if o, ok := metadata.(*armjson.Object); ok {
		if rest := t.otherMetadata(o); rest != nil {
			m.Metadata = rest
		}
	}
	if s, ok := asString(get(n, "type")); ok && (strings.EqualFold(s, "securestring") || strings.EqualFold(s, "secureobject")) {
		m.Secure = &ir.Bool{At: t.at(), Value: true}
	}
	number := func(name string) ir.Expr {
		if v, ok := get(n, name).(armjson.Number); ok {
			if i, ok := v.Int64(); ok {
				return &ir.Int{At: t.at(), Value: i}
			}
		}
		return nil
	}
	m.MinLength, m.MaxLength = number("minLength"), number("maxLength")
	m.MinValue, m.MaxValue = number("minValue"), number("maxValue")
	if b, ok := get(n, "additionalProperties").(armjson.Bool); ok && !bool(b) {
		m.Sealed = &ir.Bool{At: t.at(), Value: true}
	}
	return m
}

// otherMetadata returns the metadata that has no other form in Bicep.
func (t *armTemplate) otherMetadata(o *armjson.Object) ir.Expr {
	out := &ir.Object{At: t.at()}
	for key, v := range o.All() {
		if strings.EqualFold(key, "description") || strings.EqualFold(key, armexpr.ExportedKey) {
			continue
		}
		out.Props = append(out.Props, &ir.Property{At: t.at(), Key: &ir.String{At: t.at(), Value: key}, Value: Value(v, t.from)})
	}
	if len(out.Props) == 0 {
		return nil
	}
	return out
}

// typ converts a type of an ARM template.
func (t *armTemplate) typ(n armjson.Value) ir.Type {
	base := t.nonNull(n)
	if b, ok := get(n, "nullable").(armjson.Bool); ok {
		if b {
			return &ir.NullableType{At: t.at(), TypeInfo: ir.TypeInfo{Type: types.Nullable(base.Expressed())}, Base: base}
		}
		return &ir.NonNullType{At: t.at(), TypeInfo: ir.TypeInfo{Type: types.NonNull(base.Expressed())}, Base: base}
	}
	return base
}

func (t *armTemplate) nonNull(n armjson.Value) ir.Type {
	kind, _ := asString(get(n, "type"))
	kind = strings.ToLower(kind)
	if allowed, ok := get(n, "allowedValues").(armjson.Array); ok {
		members := make([]ir.Type, len(allowed))
		for i, v := range allowed {
			members[i] = t.literal(v)
		}
		isList := func(v armjson.Value) bool { _, ok := v.(armjson.Array); return ok }
		if kind == "array" && !slices.ContainsFunc(allowed, isList) {
			// What is allowed are the items.
			item := t.union(members)
			return &ir.ArrayType{At: t.at(), TypeInfo: ir.TypeInfo{Type: types.NewTypedArray(item.Expressed(), nil, nil, 0)}, Item: item}
		}
		// Null among the values once said that the whole may be null; it counts no more.
		isNull := func(m ir.Type) bool { _, ok := m.(*ir.NullType); return ok }
		if some := slices.DeleteFunc(slices.Clone(members), isNull); len(some) > 0 {
			members = some
		}
		return t.union(members)
	}
	if ref, ok := asString(get(n, "$ref")); ok {
		return &ir.TypeAlias{At: t.at(), TypeInfo: ir.TypeInfo{Type: t.expressed(ref)}, Name: t.names[armID{armType, ref}.key()]}
	}
	ambient := func(name string, is types.Type) ir.Type {
		return &ir.AmbientType{At: t.at(), TypeInfo: ir.TypeInfo{Type: is}, Name: name}
	}
	switch kind {
	case "string", "securestring":
		return ambient("string", types.TString)
	case "int":
		return ambient("int", types.TInt)
	case "bool":
		return ambient("bool", types.TBool)
	case "array":
		return t.arrayType(n)
	case "object", "secureobject":
		return t.objectType(n)
	}
	return ambient("any", types.TAny)
}

// maxRefs bounds how many references are followed one after the other.
const maxRefs = 64

// expressed returns the type that a reference leads to, as far as the emission of
// what refers to it needs it: whether it is a literal, and which.
func (t *armTemplate) expressed(ref string) types.Type {
	for range maxRefs {
		n := t.schema(ref)
		next, ok := asString(get(n, "$ref"))
		if !ok {
			if _, ok := get(n, "allowedValues").(armjson.Array); ok {
				return t.nonNull(n).Expressed()
			}
			kind, _ := asString(get(n, "type"))
			switch strings.ToLower(kind) {
			case "string", "securestring":
				return types.TString
			case "int":
				return types.TInt
			case "bool":
				return types.TBool
			case "array":
				return types.TArray
			case "object", "secureobject":
				return types.TObject
			}
			break
		}
		ref = next
	}
	return types.TAny
}

func (t *armTemplate) union(members []ir.Type) ir.Type {
	if len(members) == 1 {
		return members[0]
	}
	refs := make([]types.Ref, len(members))
	for i, m := range members {
		refs[i] = m.Expressed()
	}
	is := types.NewUnion(refs...)
	if _, ok := is.(*types.Union); !ok {
		is = &types.Union{Members: []types.Ref{is}}
	}
	return &ir.UnionType{At: t.at(), TypeInfo: ir.TypeInfo{Type: is}, Members: members}
}

// literal converts one of the allowed values.
func (t *armTemplate) literal(v armjson.Value) ir.Type {
	at := t.at()
	switch v := v.(type) {
	case armjson.String:
		return &ir.StringType{At: at, TypeInfo: ir.TypeInfo{Type: types.Str(string(v))}, Value: string(v)}
	case armjson.Number:
		i, _ := v.Int64()
		return &ir.IntType{At: at, TypeInfo: ir.TypeInfo{Type: types.NewIntLiteral(i, 0)}, Value: i}
	case armjson.Bool:
		return &ir.BoolType{At: at, TypeInfo: ir.TypeInfo{Type: types.NewBoolLiteral(bool(v), 0)}, Value: bool(v)}
	case armjson.Array:
		out := &ir.TupleType{At: at}
		var items []types.Ref
		for _, x := range v {
			item := t.literal(x)
			out.Items = append(out.Items, &ir.TupleItem{At: at, Value: item})
			items = append(items, item.Expressed())
		}
		out.Type = types.NewTuple(items, 0)
		return out
	case *armjson.Object:
		out := &ir.ObjectType{At: at}
		var props []types.Property
		for key, x := range v.All() {
			value := t.literal(x)
			out.Props = append(out.Props, &ir.ObjectTypeProperty{At: at, Name: key, Value: value})
			props = append(props, types.Property{Name: key, Type: value.Expressed()})
		}
		out.Type = types.NewObject("", 0, props, nil)
		return out
	case nil, armjson.Null:
		return &ir.NullType{At: at, TypeInfo: ir.TypeInfo{Type: types.TNull}}
	}
	panic(fmt.Sprintf("lower: no type known for %T", v))
}

func (t *armTemplate) arrayType(n armjson.Value) ir.Type {
	at := t.at()
	if prefix, ok := get(n, "prefixItems").(armjson.Array); ok {
		out := &ir.TupleType{At: at}
		var items []types.Ref
		for _, x := range prefix {
			item := t.typ(x)
			out.Items = append(out.Items, &ir.TupleItem{At: at, Modifiers: t.modifiers(x), Value: item})
			items = append(items, item.Expressed())
		}
		out.Type = types.NewTuple(items, 0)
		return out
	}
	if items, ok := get(n, "items").(*armjson.Object); ok {
		item := t.typ(items)
		return &ir.ArrayType{At: at, TypeInfo: ir.TypeInfo{Type: types.NewTypedArray(item.Expressed(), nil, nil, 0)}, Item: item}
	}
	return &ir.AmbientType{At: at, TypeInfo: ir.TypeInfo{Type: types.TArray}, Name: "array"}
}

func (t *armTemplate) objectType(n armjson.Value) ir.Type {
	at := t.at()
	properties, rest, discriminator := get(n, "properties"), get(n, "additionalProperties"), get(n, "discriminator")
	if properties == nil && rest == nil && discriminator == nil && get(n, "sealed") == nil {
		return &ir.AmbientType{At: at, TypeInfo: ir.TypeInfo{Type: types.TObject}, Name: "object"}
	}
	if discriminator != nil {
		return t.discriminated(discriminator)
	}
	out := &ir.ObjectType{At: at}
	var props []types.Property
	if o, ok := properties.(*armjson.Object); ok {
		for key, x := range o.All() {
			value := t.typ(x)
			out.Props = append(out.Props, &ir.ObjectTypeProperty{At: at, Modifiers: t.modifiers(x), Name: key, Value: value})
			props = append(props, types.Property{Name: key, Type: value.Expressed()})
		}
	}
	var additional *types.Property
	if o, ok := rest.(*armjson.Object); ok {
		value := t.typ(o)
		out.Rest = &ir.ObjectTypeRest{At: at, Modifiers: t.modifiers(o), Value: value}
		additional = &types.Property{Type: value.Expressed()}
	}
	out.Type = types.NewObject("", 0, props, additional)
	return out
}

// discriminated converts a union of objects that one property tells apart; its
// members come in the order of that property's values.
func (t *armTemplate) discriminated(d armjson.Value) ir.Type {
	out := &ir.DiscriminatedType{At: t.at()}
	mapping, ok := get(d, "mapping").(*armjson.Object)
	if !ok {
		mapping = &armjson.Object{}
	}
	var keys []string
	for key := range mapping.All() {
		keys = append(keys, key)
	}
	slices.SortStableFunc(keys, func(a, b string) int {
		return strings.Compare(strings.ToUpper(a), strings.ToUpper(b))
	})
	for _, key := range keys {
		x, _ := mapping.Get(key)
		out.Members = append(out.Members, t.typ(x))
	}
	// The branches can be references, of which no more is known here than that they
	// are objects. Which property tells them apart is all that emission asks for.
	name, _ := asString(get(d, "propertyName"))
	out.Type = &types.DiscriminatedObject{Discriminator: types.Property{Name: name, Flags: types.Required}}
	return out
}
