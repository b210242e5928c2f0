package ir

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Type is an expression of the type language.
type Type interface {
	Expr
	// Expressed returns the type the expression stands for.
	Expressed() types.Type
	typeExpr()
}

// TypeInfo says which type a type expression stands for. Every type expression
// embeds it.
type TypeInfo struct{ Type types.Type }

// Expressed returns the type the expression stands for.
func (o *TypeInfo) Expressed() types.Type { return o.Type }
func (*TypeInfo) typeExpr()               {}

// AmbientType is a type that the language knows: string, int, …
type AmbientType struct {
	At
	TypeInfo
	Name string
}

// QualifiedAmbientType is a type of a namespace: sys.string.
type QualifiedAmbientType struct {
	At
	TypeInfo
	Name string
}

// TypeAlias is a use of a type of the file.
type TypeAlias struct {
	At
	TypeInfo
	Name string
	// Symbol is nil for what imports brought.
	Symbol *bind.TypeAlias
}

// ImportedType is a use of a type that is imported by name.
type ImportedType struct {
	At
	TypeInfo
	Symbol bind.Imported
}

// WildcardType is a use of a type through `import * as ns`.
type WildcardType struct {
	At
	TypeInfo
	Import *bind.WildcardImport
	Name   string
}

// TypeProperty is `T.name`.
type TypeProperty struct {
	At
	TypeInfo
	Base Type
	Name string
}

// TypeRest is `T.*`.
type TypeRest struct {
	At
	TypeInfo
	Base Type
}

// TypeIndex is `T[0]`.
type TypeIndex struct {
	At
	TypeInfo
	Base  Type
	Index int64
}

// TypeItems is `T[*]`.
type TypeItems struct {
	At
	TypeInfo
	Base Type
}

// StringType is a string as a type.
type StringType struct {
	At
	TypeInfo
	Value string
}

// IntType is an integer as a type.
type IntType struct {
	At
	TypeInfo
	Value int64
}

// BoolType is true or false as a type.
type BoolType struct {
	At
	TypeInfo
	Value bool
}

// NullType is null as a type.
type NullType struct {
	At
	TypeInfo
}

// ResourceType is `resource 'T@v'`.
type ResourceType struct {
	At
	TypeInfo
}

// ObjectType is `{ name: T, *: T }`.
type ObjectType struct {
	At
	TypeInfo
	Props []*ObjectTypeProperty
	Rest  *ObjectTypeRest // or nil
}

// ObjectTypeProperty is one property of an ObjectType.
type ObjectTypeProperty struct {
	At
	Modifiers
	Name  string
	Value Type
}

// ObjectTypeRest is `*: T` in an ObjectType.
type ObjectTypeRest struct {
	At
	Modifiers
	Value Type
}

// TupleType is `[T, U]`.
type TupleType struct {
	At
	TypeInfo
	Items []*TupleItem
}

// TupleItem is one item of a TupleType.
type TupleItem struct {
	At
	Modifiers
	Value Type
}

// ArrayType is `T[]`.
type ArrayType struct {
	At
	TypeInfo
	Item Type
}

// NullableType is `T?`.
type NullableType struct {
	At
	TypeInfo
	Base Type
}

// NonNullType is `T!`.
type NonNullType struct {
	At
	TypeInfo
	Base Type
}

// UnionType is `T | U`. Expressed is a union even when the members came down to one literal.
type UnionType struct {
	At
	TypeInfo
	Members []Type
}

// DiscriminatedType is a union of objects that one property tells apart.
type DiscriminatedType struct {
	At
	TypeInfo
	Members []Type
}

// DerivedType is a type taken from a resource's.
type DerivedType struct {
	At
	TypeInfo
	Root    types.Type // the resource type
	Variant types.DerivedVariant
}
