package ir

// Type is an expression of the type language.
type Type interface {
	Expr
	// Expressed returns the type the expression stands for.
	Expressed() TypeModel
	typeExpr()
}

// Of is the part of a type expression that says what type it stands for.
type Of struct{ Is TypeModel }

// Expressed returns the type the expression stands for.
func (o *Of) Expressed() TypeModel { return o.Is }
func (*Of) typeExpr()              {}

// AmbientType is a type that the language knows: string, int, …
type AmbientType struct {
	At
	Of
	Name string
}

// QualifiedAmbientType is a type of a namespace: sys.string.
type QualifiedAmbientType struct {
	At
	Of
	Namespace string // the name of the extension, not the alias
	Name      string
}

// TypeAlias is a use of a type of the file.
type TypeAlias struct {
	At
	Of
	Name string
	// Symbol is nil for what imports brought.
	Symbol TypeAliasSymbol
}

// ImportedType is a use of a type that is imported by name.
type ImportedType struct {
	At
	Of
	Symbol ImportedSymbol
}

// WildcardType is a use of a type through `import * as ns`.
type WildcardType struct {
	At
	Of
	Import WildcardSymbol
	Name   string
}

// TypeAccess is an access to a part of another type.
type TypeAccess interface {
	Type
	BaseType() Type
}

// TypeProperty is `T.name`.
type TypeProperty struct {
	At
	Of
	Base Type
	Name string
}

// TypeRest is `T.*`.
type TypeRest struct {
	At
	Of
	Base Type
}

// TypeIndex is `T[0]`.
type TypeIndex struct {
	At
	Of
	Base  Type
	Index int64
}

// TypeItems is `T[*]`.
type TypeItems struct {
	At
	Of
	Base Type
}

func (t *TypeProperty) BaseType() Type { return t.Base }
func (t *TypeRest) BaseType() Type     { return t.Base }
func (t *TypeIndex) BaseType() Type    { return t.Base }
func (t *TypeItems) BaseType() Type    { return t.Base }

// StringType is a string as a type.
type StringType struct {
	At
	Of
	Value string
}

// IntType is an integer as a type.
type IntType struct {
	At
	Of
	Value int64
}

// BoolType is true or false as a type.
type BoolType struct {
	At
	Of
	Value bool
}

// NullType is null as a type.
type NullType struct {
	At
	Of
}

// ResourceType is `resource 'T@v'`.
type ResourceType struct {
	At
	Of
}

// ObjectType is `{ name: T, *: T }`.
type ObjectType struct {
	At
	Of
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
	Of
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
	Of
	Item Type
}

// NullableType is `T?`.
type NullableType struct {
	At
	Of
	Base Type
}

// NonNullType is `T!`.
type NonNullType struct {
	At
	Of
	Base Type
}

// UnionType is `T | U`. Expressed is a union even when the members came down to one literal.
type UnionType struct {
	At
	Of
	Members []Type
}

// DiscriminatedType is a union of objects that one property tells apart.
type DiscriminatedType struct {
	At
	Of
	Members []Type
}

// DerivedVariant is what a resource-derived type was made with.
type DerivedVariant uint8

const (
	DerivedNone   DerivedVariant = iota // resource<'T@v'>, the old form
	DerivedInput                        // resourceInput<'T@v'>
	DerivedOutput                       // resourceOutput<'T@v'>
)

// DerivedType is a type taken from a resource's.
type DerivedType struct {
	At
	Of
	Root    TypeModel // the resource type
	Variant DerivedVariant
}
