package lower

import (
	"fmt"
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Type lowers an expression of the type language. The file has no errors.
func (b *Builder) Type(n syntax.TypeExpr) ir.Type {
	at := ir.From(n)
	if b.isMissed(n) { // for a plan: it takes any value, and may be secure
		return &ir.AmbientType{At: at, TypeInfo: ir.TypeInfo{Type: types.TAny}, Name: "secureAny"}
	}
	switch n := n.(type) {
	case *syntax.TypeName:
		return b.typeName(n)
	case *syntax.StringTypeLit, *syntax.IntTypeLit, *syntax.BoolTypeLit, *syntax.NullTypeLit, *syntax.UnaryType:
		return literalType(at, b.Model.TypeOf(n))
	case *syntax.ParenType:
		return b.Type(n.X)
	case *syntax.NullableType:
		base := b.Type(n.X)
		return &ir.NullableType{At: at, TypeInfo: ir.TypeInfo{Type: types.Nullable(base.Expressed())}, Base: base}
	case *syntax.NonNullType:
		base := b.Type(n.X)
		return &ir.NonNullType{At: at, TypeInfo: ir.TypeInfo{Type: types.NonNull(base.Expressed())}, Base: base}
	case *syntax.ArrayType:
		return &ir.ArrayType{At: at, TypeInfo: b.typeOf(n), Item: b.Type(n.Item)}
	case *syntax.TupleType:
		t := &ir.TupleType{At: at, TypeInfo: b.typeOf(n)}
		for _, item := range n.Items {
			d := b.decorators(item)
			t.Items = append(t.Items, &ir.TupleItem{At: ir.From(item), Modifiers: d.Modifiers, Value: b.Type(item.Value)})
		}
		return t
	case *syntax.ObjectType:
		return b.objectType(n)
	case *syntax.UnionType:
		return b.unionType(n)
	case *syntax.TypePropertyAccess:
		return b.typeProperty(n, n.X, n.Name.Name)
	case *syntax.TypeRestAccess:
		base := b.Type(n.X)
		var is types.Type = types.TAny
		if o, ok := base.Expressed().(*types.Object); ok && o.Additional != nil {
			is = o.Additional.Type.Type()
		}
		return &ir.TypeRest{At: at, TypeInfo: ir.TypeInfo{Type: is}, Base: base}
	case *syntax.TypeIndex:
		switch i := b.Model.TypeOf(n.Index).(type) {
		case *types.StringLiteral:
			return b.typeProperty(n, n.X, i.Value)
		case *types.IntLiteral:
			base := b.Type(n.X)
			var is types.Type = types.TAny
			if t, ok := base.Expressed().(*types.Tuple); ok && i.Value >= 0 && i.Value < int64(len(t.Items)) {
				is = t.Items[i.Value].Type()
			}
			return &ir.TypeIndex{At: at, TypeInfo: ir.TypeInfo{Type: is}, Base: base, Index: i.Value}
		}
	case *syntax.TypeItems:
		base := b.Type(n.X)
		var is types.Type = types.TAny
		if a, ok := base.Expressed().(*types.Array); ok {
			is = a.Item.Type()
		}
		return &ir.TypeItems{At: at, TypeInfo: ir.TypeInfo{Type: is}, Base: base}
	case *syntax.TypeCall, *syntax.InstanceTypeCall:
		if t := b.Model.Instance(n); t != nil && t.Resource != nil {
			return &ir.DerivedType{At: at, TypeInfo: ir.TypeInfo{Type: t.Type}, Root: t.Resource, Variant: t.Variant}
		}
	case *syntax.ResourceTypeRef:
		return &ir.ResourceType{At: at, TypeInfo: b.typeOf(n)}
	}
	panic(fmt.Sprintf("lower: no type known for %T", n))
}

// isMissed reports whether a type is that of a file that could not be fetched, or a choice with such a one.
func (b *Builder) isMissed(n syntax.TypeExpr) bool {
	u, ok := n.(*syntax.UnionType)
	return b.typeOf(n).Type == types.Type(types.TMissed) || ok && slices.ContainsFunc(u.Members, b.isMissed)
}

func (b *Builder) typeOf(n syntax.Node) ir.TypeInfo {
	return ir.TypeInfo{Type: unwrapType(b.Model.TypeOf(n))}
}

func unwrapType(t types.Type) types.Type {
	if w, ok := t.(*types.TypeType); ok {
		return w.Inner
	}
	return t
}

func literalType(at ir.At, t types.Type) ir.Type {
	t = unwrapType(t)
	of := ir.TypeInfo{Type: t}
	switch t := t.(type) {
	case *types.StringLiteral:
		return &ir.StringType{At: at, TypeInfo: of, Value: t.Value}
	case *types.IntLiteral:
		return &ir.IntType{At: at, TypeInfo: of, Value: t.Value}
	case *types.BoolLiteral:
		return &ir.BoolType{At: at, TypeInfo: of, Value: t.Value}
	case *types.NullType:
		return &ir.NullType{At: at, TypeInfo: of}
	}
	panic(fmt.Sprintf("lower: %s is no literal", t))
}

func (b *Builder) typeName(n *syntax.TypeName) ir.Type {
	at := ir.From(n)
	switch s := b.Model.Symbol(n).(type) {
	case *bind.AmbientType:
		return &ir.AmbientType{At: at, TypeInfo: ir.TypeInfo{Type: unwrapType(s.Type)}, Name: s.Name()}
	case *bind.TypeAlias:
		return &ir.TypeAlias{At: at, TypeInfo: ir.TypeInfo{Type: unwrapType(b.Model.SymbolType(s))}, Name: s.Name(), Symbol: s}
	case *bind.ImportedType:
		return &ir.ImportedType{At: at, TypeInfo: ir.TypeInfo{Type: unwrapType(b.Model.SymbolType(s))}, Symbol: s}
	}
	panic(fmt.Sprintf("lower: the name %q means no type", n.Name.Name))
}

func (b *Builder) objectType(n *syntax.ObjectType) ir.Type {
	t := &ir.ObjectType{At: ir.From(n), TypeInfo: b.typeOf(n)}
	for _, m := range n.Members {
		switch m := m.(type) {
		case *syntax.TypeProperty:
			name, _ := m.KeyName()
			d := b.decorators(m)
			t.Props = append(t.Props, &ir.ObjectTypeProperty{At: ir.From(m), Modifiers: d.Modifiers, Name: name, Value: b.Type(m.Value)})
		case *syntax.TypeRest:
			d := b.decorators(m)
			t.Rest = &ir.ObjectTypeRest{At: ir.From(m), Modifiers: d.Modifiers, Value: b.Type(m.Value)}
		}
	}
	return t
}

// unionType lowers a union. If all its members are the same, it is a union of one.
func (b *Builder) unionType(n *syntax.UnionType) ir.Type {
	at, of := ir.From(n), b.typeOf(n)
	members := make([]ir.Type, len(n.Members))
	for i, m := range n.Members {
		members[i] = b.Type(m)
	}
	switch t := of.Type.(type) {
	case *types.DiscriminatedObject:
		return &ir.DiscriminatedType{At: at, TypeInfo: of, Members: members}
	case *types.Union:
	default:
		of = ir.TypeInfo{Type: &types.Union{Members: []types.Ref{t}}}
	}
	return &ir.UnionType{At: at, TypeInfo: of, Members: members}
}

// typeProperty lowers `T.name`, where T may be a namespace or a wildcard import.
func (b *Builder) typeProperty(n, x syntax.TypeExpr, name string) ir.Type {
	at := ir.From(n)
	switch s := b.Model.Symbol(x).(type) {
	case *bind.BuiltInNamespace, *bind.ExtensionNamespace:
		if ns := bind.NamespaceType(s); ns != nil {
			if p := ns.Property(name); p != nil {
				return &ir.QualifiedAmbientType{At: at, TypeInfo: ir.TypeInfo{Type: unwrapType(p.Type.Type())}, Name: name}
			}
		}
	case *bind.WildcardImport:
		var is types.Type = types.TAny
		if ns, ok := b.Model.SymbolType(s).(*types.Namespace); ok {
			if p := ns.Property(name); p != nil {
				is = unwrapType(p.Type.Type())
			}
		}
		return &ir.WildcardType{At: at, TypeInfo: ir.TypeInfo{Type: is}, Import: s, Name: name}
	}
	base := b.Type(x)
	var is types.Type = types.TAny
	if o, ok := base.Expressed().(*types.Object); ok {
		if p := o.Property(name); p != nil {
			is = p.Type.Type()
		}
	}
	return &ir.TypeProperty{At: at, TypeInfo: ir.TypeInfo{Type: is}, Base: base, Name: name}
}
