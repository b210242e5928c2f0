package syntax

import "github.com/radbicep/rad/pkg/bicep/source"

// The span of a decorated statement begins at its first decorator; Keyword is
// where the statement proper begins.
type statement struct {
	base
	decorable
	Keyword source.Span
}

func (*statement) stmt() {}

// KeywordSpan returns where the statement's keyword is.
func (s *statement) KeywordSpan() source.Span { return s.Keyword }

// TargetScope is `targetScope = 'subscription'`.
type TargetScope struct {
	statement
	Assign source.Span
	Value  Expr
}

// Metadata is `metadata name = value`.
type Metadata struct {
	statement
	Name   *Ident
	Assign source.Span
	Value  Expr
}

// Param is `param name type = default`.
type Param struct {
	statement
	Name    *Ident
	Type    TypeExpr      // *Skipped when left out
	Default *ParamDefault // nil when left out
	Bad     *Skipped      // in place of a default, but not one
}

// ParamDefault is the `= value` of a parameter. Its span begins at the `=`.
type ParamDefault struct {
	base
	Assign source.Span
	Value  Expr
}

// TypeDecl is `type name = type`.
type TypeDecl struct {
	statement
	Name   *Ident
	Assign source.Span
	Value  TypeExpr
}

// Var is `var name type = value`.
type Var struct {
	statement
	Name   *Ident
	Type   TypeExpr // nil when left out
	Assign source.Span
	Value  Expr
}

// Func is `func name(a T) R => value`.
type Func struct {
	statement
	Name   *Ident
	Lambda Expr // *TypedLambda or *Skipped
}

// Resource is `resource name 'type@version' existing = body`, at the top level or inside the body of another.
type Resource struct {
	statement
	Name     *Ident
	Type     Expr        // *String or *Skipped
	Existing source.Span // of the word; empty (Len 0) when the resource is not existing
	Assign   source.Span
	Value    Expr // *Object, *If, *For or *Skipped
}

// IsExisting reports whether the resource is declared `existing`.
func (r *Resource) IsExisting() bool { return r.Existing.Len() > 0 }

func (*Resource) objectItem() {}

// Module is `module name 'path' = body`.
type Module struct {
	statement
	Name   *Ident
	Path   Expr // *String or *Skipped
	Assign source.Span
	Value  Expr // *Object, *If, *For or *Skipped
}

// Output is `output name type = value`.
type Output struct {
	statement
	Name   *Ident
	Type   TypeExpr
	Assign source.Span
	Value  Expr
}

// Test is `test name 'path' = body`.
type Test struct {
	statement
	Name   *Ident
	Path   Expr
	Assign source.Span
	Value  Expr
}

// Assert is `assert name = condition`.
type Assert struct {
	statement
	Name   *Ident
	Assign source.Span
	Value  Expr
}

// Import is `import {a, b as c} from 'path'` or `import * as ns from 'path'`.
type Import struct {
	statement
	Symbols Node // *ImportList, *WildcardImport or *Skipped
	From    Node // *FromClause or *Skipped
}

// Path returns the expression that names the imported file, or nil.
func (i *Import) Path() Expr {
	if from, ok := i.From.(*FromClause); ok {
		return from.Path
	}
	return nil
}

// ImportList is `{a, b as c}`.
type ImportList struct {
	base
	Items []*ImportItem
}

// ImportItem is `original as alias`; Original may be a string for names that are not identifiers.
type ImportItem struct {
	base
	Original Node // *Ident, *String or *Skipped
	As       *AsClause
}

// Names returns the place of the name that the item declares, and the name that it imports.
func (item *ImportItem) Names() (name *Ident, original string, ok bool) {
	switch o := item.Original.(type) {
	case *Ident:
		name, original, ok = o, o.Name, o.Valid()
	case *String:
		original, ok = o.Literal()
	}
	if item.As != nil && item.As.Name != nil {
		name = item.As.Name
	}
	return name, original, ok
}

// WildcardImport is `* as name`.
type WildcardImport struct {
	base
	As *AsClause
}

// FromClause is `from 'path'`.
type FromClause struct {
	base
	Keyword source.Span
	Path    Expr // *String or *Skipped
}

// AsClause is `as name`.
type AsClause struct {
	base
	Keyword source.Span
	Name    *Ident
}

// Extension is `extension spec with {…} as alias`.
type Extension struct {
	statement
	Spec Node        // *Ident, *String or *Skipped
	With *WithClause // nil when left out
	As   *AsClause   // nil when left out
	// Bad stands for text after the specification that is neither clause.
	Bad *Skipped
}

// WithClause is `with {…}`.
type WithClause struct {
	base
	Keyword source.Span
	Config  Expr // *Object or *Skipped
}

// Using is `using 'path' with {…}` or `using none`.
type Using struct {
	statement
	Path Expr        // *String, *None or *Skipped
	With *WithClause // nil when left out
	Bad  *Skipped
}

// Extends is `extends 'path'`.
type Extends struct {
	statement
	Path Expr
}

// ParamAssign is `param name = value` of a parameter file.
type ParamAssign struct {
	statement
	Name   *Ident
	Assign source.Span
	Value  Expr
}

// ExtensionConfig is `extensionConfig alias with {…}` of a parameter file.
type ExtensionConfig struct {
	statement
	Alias *Ident
	With  *WithClause
	Bad   *Skipped
}

// Missing stands for decorators that no declaration follows.
type Missing struct {
	statement
}

func (*Missing) objectItem() {}
