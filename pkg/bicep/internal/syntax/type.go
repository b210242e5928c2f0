package syntax

import "github.com/radbicep/rad/pkg/bicep/source"

type typeNode struct{ base }

func (*typeNode) typeExpr() {}

// TypeName is the use of a type's name: `string`, `myType`.
type TypeName struct {
	typeNode
	Name *Ident
}

// StringTypeLit is a string as a type. It may have holes, which is an error.
type StringTypeLit struct {
	typeNode
	Value *String
}

// IntTypeLit is an integer as a type.
type IntTypeLit struct {
	typeNode
	Value uint64
}

// BoolTypeLit is true or false as a type.
type BoolTypeLit struct {
	typeNode
	Value bool
}

// NullTypeLit is null as a type.
type NullTypeLit struct{ typeNode }

// UnaryType is `-1` or `!true` as a type.
type UnaryType struct {
	typeNode
	Op     UnaryOp
	OpSpan source.Span
	X      TypeExpr
}

// ParenType is `(T)`.
type ParenType struct {
	typeNode
	X TypeExpr
}

// NullableType is `T?`.
type NullableType struct {
	typeNode
	X    TypeExpr
	Mark source.Span
}

// NonNullType is `T!`.
type NonNullType struct {
	typeNode
	X    TypeExpr
	Mark source.Span
}

// ArrayType is `T[]`.
type ArrayType struct {
	typeNode
	Item TypeExpr
}

// UnionType is `A | B`.
type UnionType struct {
	typeNode
	Members []TypeExpr
}

// TupleType is `[A, B]`.
type TupleType struct {
	typeNode
	Items []*TupleItem
}

// TupleItem is one item of a tuple.
type TupleItem struct {
	base
	decorable
	Value TypeExpr
}

// ObjectType is `{ a: A, *: B }`.
type ObjectType struct {
	typeNode
	Members     []TypeMember
	Open, Close source.Span
}

// TypeMember is what an object type is made of: *TypeProperty, *TypeRest or *Skipped.
type TypeMember interface {
	Node
	typeMember()
}

// TypeProperty is `name: T`. Its span begins at its first decorator.
type TypeProperty struct {
	base
	decorable
	Key   Node // *Ident, *String or *Skipped
	Value TypeExpr
}

func (*TypeProperty) typeMember() {}

// KeyName returns the key, if it is a plain one.
func (p *TypeProperty) KeyName() (string, bool) { return plainKey(p.Key) }

// TypeRest is `*: T`: the type of the properties that are not named.
type TypeRest struct {
	base
	decorable
	Star  source.Span
	Value TypeExpr
}

func (*TypeRest) typeMember() {}

// TypeCall is `name<args>`, such as resourceInput<'…'>.
type TypeCall struct {
	typeNode
	Name        *Ident
	Args        []TypeExpr
	Open, Close source.Span
}

// InstanceTypeCall is `ns.name<args>`.
type InstanceTypeCall struct {
	typeNode
	X           TypeExpr
	Dot         source.Span
	Name        *Ident
	Args        []TypeExpr
	Open, Close source.Span
}

// TypePropertyAccess is `T.name`.
type TypePropertyAccess struct {
	typeNode
	X    TypeExpr
	Dot  source.Span
	Name *Ident
}

// TypeRestAccess is `T.*`.
type TypeRestAccess struct {
	typeNode
	X         TypeExpr
	Dot, Star source.Span
}

// TypeIndex is `T[0]` or `T['name']`.
type TypeIndex struct {
	typeNode
	X           TypeExpr
	Open, Close source.Span
	Index       Expr
}

// TypeItems is `T[*]`.
type TypeItems struct {
	typeNode
	X                 TypeExpr
	Open, Star, Close source.Span
}

// TypeAccess is a part of another type.
type TypeAccess interface {
	TypeExpr
	Base() TypeExpr
}

func (a *TypePropertyAccess) Base() TypeExpr { return a.X }
func (a *TypeRestAccess) Base() TypeExpr     { return a.X }
func (a *TypeIndex) Base() TypeExpr          { return a.X }
func (a *TypeItems) Base() TypeExpr          { return a.X }

// ResourceTypeRef is `resource 'T@v'` as the type of a parameter or output.
type ResourceTypeRef struct {
	typeNode
	Keyword source.Span
	Type    Expr // *String, *Skipped, or nil when left out
}
