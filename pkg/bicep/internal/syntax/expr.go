package syntax

import "github.com/radbicep/rad/pkg/bicep/source"

type expression struct{ base }

func (*expression) expr() {}

// String is a string. Most have no holes: those that have keep more than their text.
type String struct {
	expression
	// Multiline is set for ''' strings.
	Multiline bool
	text      [1]string // of a string without holes
	holed     *holed    // of one with holes
}

// holed is a string with holes: segments[0], exprs[0], segments[1], …
type holed struct {
	segments []string
	exprs    []Expr
	tokens   []source.Span // the pieces of the literal, one per segment
}

// Segments returns the texts around the holes, one more than there are holes. They are
// decoded. Lone surrogates that escapes made are in them as three bytes each (WTF-8).
func (s *String) Segments() []string {
	if s.holed != nil {
		return s.holed.segments
	}
	return s.text[:]
}

// Exprs returns what is in the holes.
func (s *String) Exprs() []Expr {
	if s.holed != nil {
		return s.holed.exprs
	}
	return nil
}

// Tokens returns the places of the pieces of the literal, one for each segment.
func (s *String) Tokens() []source.Span {
	if s.holed != nil {
		return s.holed.tokens
	}
	return []source.Span{s.span}
}

// Literal returns the text of a string without holes.
func (s *String) Literal() (string, bool) { return s.text[0], s.holed == nil }

// Int is an integer as it is written: without a sign.
type Int struct {
	expression
	Value uint64
}

// Bool is true or false.
type Bool struct {
	expression
	Value bool
}

// Null is null.
type Null struct{ expression }

// None is the `none` of `using none`.
type None struct{ expression }

// Array is `[a, b, ...c]`.
type Array struct {
	expression
	Items []Expr // any expression, *Spread or *Skipped
}

// Object is `{a: 1, ...b, resource c … }`.
type Object struct {
	expression
	Items []ObjectItem

	named map[string]*Property // the properties by name, once one of a large object was looked up
}

// Close returns the place of the closing brace.
func (o *Object) Close() source.Span { return source.Span{Start: o.span.End - 1, End: o.span.End} }

// ObjectItem is what an object is made of: *Property, *Spread, *Resource, *Missing or *Skipped.
type ObjectItem interface {
	Node
	objectItem()
}

// Property is `key: value`. It is not an expression.
type Property struct {
	base
	Key   Node // *Ident, *String or *Skipped
	Value Expr
}

func (*Property) objectItem() {}

// KeyName returns the key, if it is known without evaluating anything.
func (p *Property) KeyName() (string, bool) { return plainKey(p.Key) }

// plainKey returns the name that a key gives, if it is one without holes.
func plainKey(key Node) (string, bool) {
	switch k := key.(type) {
	case *Ident:
		return k.Name, k.Name != ""
	case *String:
		return k.Literal()
	}
	return "", false
}

// Spread is `...value` in an array or an object.
type Spread struct {
	expression
	X Expr
}

func (*Spread) objectItem() {}

// Paren is `(x)`.
type Paren struct {
	expression
	X Expr
}

// UnaryOp is an operator before its operand.
type UnaryOp uint8

const (
	Not UnaryOp = iota
	Minus
)

// Unary is `!x` or `-x`.
type Unary struct {
	expression
	Op UnaryOp
	X  Expr
}

// BinaryOp is an operator between its operands.
type BinaryOp uint8

const (
	OpOr BinaryOp = iota
	OpAnd
	OpEquals
	OpNotEquals
	OpEqualsFold    // =~
	OpNotEqualsFold // !~
	OpLess
	OpLessOrEqual
	OpGreater
	OpGreaterOrEqual
	OpAdd
	OpSubtract
	OpMultiply
	OpDivide
	OpModulo
	OpCoalesce
)

var binaryOps = [...]string{"||", "&&", "==", "!=", "=~", "!~", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "??"}

func (op BinaryOp) String() string { return binaryOps[op] }

func (op UnaryOp) String() string { return [...]string{"!", "-"}[op] }

// Binary is `x op y`.
type Binary struct {
	expression
	Op   BinaryOp
	X, Y Expr
}

// Ternary is `cond ? then : else`.
type Ternary struct {
	expression
	Cond, Then, Else Expr
}

// Call is `name(args)`.
type Call struct {
	expression
	Name  *Ident
	Args  []Expr
	Open  source.Span
	Close source.Span
}

// InstanceCall is `x.name(args)`.
type InstanceCall struct {
	expression
	X     Expr
	Dot   source.Span
	Name  *Ident
	Args  []Expr
	Open  source.Span
	Close source.Span
}

// VarRef is the use of a name.
type VarRef struct {
	expression
	Name *Ident
}

// Access is a property, an element or a nested resource of something.
type Access interface {
	Expr
	Base() Expr
	IsSafe() bool
}

// PropertyAccess is `x.name` or `x.?name`.
type PropertyAccess struct {
	expression
	dot  int32 // where the dot is
	Safe bool
	X    Expr
	Name *Ident
}

// Dot returns the place of the dot.
func (a *PropertyAccess) Dot() source.Span { return source.Span{Start: a.dot, End: a.dot + 1} }

// Index is `x[i]`, `x[?i]`, `x[^i]` or `x[?^i]`.
type Index struct {
	expression
	X       Expr
	Open    source.Span
	Safe    bool
	FromEnd bool
	Index   Expr
	Close   source.Span
}

// NestedAccess is `x::name`.
type NestedAccess struct {
	expression
	X           Expr
	DoubleColon source.Span
	Name        *Ident
}

// NonNull is `x!`.
type NonNull struct {
	expression
	X Expr
}

func (a *PropertyAccess) Base() Expr   { return a.X }
func (a *Index) Base() Expr            { return a.X }
func (a *NestedAccess) Base() Expr     { return a.X }
func (a *PropertyAccess) IsSafe() bool { return a.Safe }
func (a *Index) IsSafe() bool          { return a.Safe }
func (a *NestedAccess) IsSafe() bool   { return false }

// Local declares a name that is visible in one lambda or loop.
type Local struct {
	base
	Name *Ident
	Type TypeExpr // of a user function's parameter; nil elsewhere
}

// Lambda is `a => body` or `(a, b) => body`.
type Lambda struct {
	expression
	Params []*Local
	Arrow  source.Span
	Body   Expr
}

// TypedLambda is `(a T, b T) R => body`, the right side of a func.
type TypedLambda struct {
	expression
	Params []*Local
	Return TypeExpr
	Arrow  source.Span
	Body   Expr
}

// For is `[for item in x: body]` or `[for (item, index) in x: body]`.
type For struct {
	expression
	Open, Close source.Span
	Keyword     source.Span
	Vars        Node // *ForVars or *Skipped
	In          source.Span
	X           Expr
	Colon       source.Span
	Body        Expr
}

// Item returns the loop's item variable, or nil.
func (f *For) Item() *Local {
	if v, ok := f.Vars.(*ForVars); ok {
		return v.Item
	}
	return nil
}

// IndexVar returns the loop's index variable, or nil.
func (f *For) IndexVar() *Local {
	if v, ok := f.Vars.(*ForVars); ok {
		return v.Index
	}
	return nil
}

// ForVars are a loop's variables: `item` or `(item, index)`.
type ForVars struct {
	base
	Item  *Local
	Index *Local // nil when left out
}

// If is `if (cond) body` on the right side of a resource or module, or in a loop's body.
type If struct {
	expression
	Keyword source.Span
	Cond    Expr // *Paren or *Skipped
	Body    Expr
}
