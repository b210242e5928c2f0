// Package ir describes a Bicep file in terms of an ARM template: expressions over the
// template's parameters, variables and resources, and the declarations that contain
// them. Package lower builds this tree, and package emit writes it.
//
// A node refers to the syntax that it was made from, since some decisions depend on the
// source text. Nodes that were not written in the source have none. Nodes do not change
// after they are built, so they may be shared.
//
// Begin with Program (decl.go) and Expr (ir.go). The package walks and rewrites trees and decides
// nothing.
package ir

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Expr is an expression or a declaration. The concrete types are the pointers to
// this package's structs that embed At, and no others.
type Expr interface {
	// Source returns the syntax the expression came from, or nil.
	Source() syntax.Node
	expr()
}

// At says where a node came from. Every node embeds it.
type At struct{ Src syntax.Node }

// Source returns the syntax the node came from, or nil.
func (a *At) Source() syntax.Node { return a.Src }
func (*At) expr()                 {}

// From returns the At of a node that came from n.
func From(n syntax.Node) At { return At{n} }

// Bool is true or false.
type Bool struct {
	At
	Value bool
}

// Int is an integer.
type Int struct {
	At
	Value int64
}

// String is a string without holes.
type String struct {
	At
	Value string
}

// Null is null.
type Null struct{ At }

// Interpolated is a string with holes: Segments[0], Exprs[0], Segments[1], …
type Interpolated struct {
	At
	Segments []string
	Exprs    []Expr
}

// Property is a property of an Object.
type Property struct {
	At
	Key   Expr
	Value Expr
}

// KeyText returns the key, if it is a plain string.
func (p *Property) KeyText() (string, bool) {
	if s, ok := p.Key.(*String); ok {
		return s.Value, true
	}
	return "", false
}

// Object is an object. Keys may repeat; the last one counts.
type Object struct {
	At
	Props []*Property
}

// Property returns the first property with the plain key name, or nil.
func (o *Object) Property(name string) *Property {
	for _, p := range o.Props {
		if s, ok := p.Key.(*String); ok && s.Value == name {
			return p
		}
	}
	return nil
}

// Array is an array.
type Array struct {
	At
	Items []Expr
}

// Ternary is `Cond ? Then : Else`.
type Ternary struct {
	At
	Cond, Then, Else Expr
}

// Binary is `X Op Y`.
type Binary struct {
	At
	Op   syntax.BinaryOp
	X, Y Expr
}

// Unary is `Op X`.
type Unary struct {
	At
	Op syntax.UnaryOp
	X  Expr
}

// Call is a call of a function of the template language.
type Call struct {
	At
	Name string
	Args []Expr

	Expansion *types.Expansion // what stands for the call, or nil
}

// ResourceCall is a method of a resource, such as kv.getSecret('x') or stg.listKeys().
type ResourceCall struct {
	At
	Resource *ResourceRef
	Name     string
	Args     []Expr
}

// AccessFlags say how a property or element is accessed.
type AccessFlags uint8

const (
	// SafeAccess is `.?` or `[?`: null instead of an error.
	SafeAccess AccessFlags = 1 << iota
	// Chained is set when the base is itself an access and not in parentheses: if the
	// base is null because of a safe access, so is the whole chain.
	Chained
	// FromEnd counts an index from the array's end.
	FromEnd
)

// Index is `Base[Access]`. An index that is a plain string is a PropertyAccess instead.
type Index struct {
	At
	Base   Expr
	Access Expr
	Flags  AccessFlags
}

// PropertyAccess is `Base.Name`.
type PropertyAccess struct {
	At
	Base  Expr
	Name  string
	Flags AccessFlags
}

// ModuleOutput is `Base.Name` where Base is the outputs of a module.
type ModuleOutput struct {
	At
	Base   Expr
	Name   string
	Secure bool
	Flags  AccessFlags
}

// ResourceRef is a use of a resource. Index is nil unless the resource is one of a collection.
type ResourceRef struct {
	At
	Resource *resources.Resource
	Index    *IndexContext
}

// ModuleRef is a use of a module. Index is nil unless the module is one of a collection.
type ModuleRef struct {
	At
	Module *bind.Module
	Index  *IndexContext
}

// IndexContext is how one element of a collection is chosen: the expressions that
// stand for the loop's variables when the element's own expressions (its name, its
// scope) are written elsewhere, and the index itself.
type IndexContext struct {
	Locals *Locals
	Index  Expr
}

// Locals maps local variables to expressions. It is a list: what is put in front
// hides what follows. The nil list is empty.
type Locals struct {
	local *bind.Local
	value Expr
	next  *Locals
}

// With returns l with v standing for local.
func (l *Locals) With(local *bind.Local, v Expr) *Locals { return &Locals{local, v, l} }

// Lookup returns what stands for local, or nil.
func (l *Locals) Lookup(local *bind.Local) Expr {
	for ; l != nil; l = l.next {
		if l.local == local {
			return l.value
		}
	}
	return nil
}

// VarRef is a use of a variable of the file.
type VarRef struct {
	At
	Name string
	// Symbol is nil for variables that have no declaration: $fxv#0 and what imports brought.
	Symbol *bind.Var
}

// ImportedVarRef is a use of a variable that is imported by name.
type ImportedVarRef struct {
	At
	Symbol bind.Imported
}

// WildcardVarRef is a use of a variable through `import * as ns`.
type WildcardVarRef struct {
	At
	Import *bind.WildcardImport
	Name   string
}

// ParamRef is a use of a parameter.
type ParamRef struct {
	At
	Name string
}

// ParamAssignRef is a use of a parameter's value in a parameter file.
type ParamAssignRef struct {
	At
	Name string
}

// LambdaVarRef is a use of a lambda's or a user function's parameter.
type LambdaVarRef struct {
	At
	Name string
	// Function is set for the parameters of a user function.
	Function bool
}

// ExtensionRef is a use of an extension's alias as a value.
type ExtensionRef struct {
	At
	Alias string
}

// ExtensionConfigRef is a use of an extension's alias as a value in a parameter file.
type ExtensionConfigRef struct {
	At
	Alias string
}

// ForLoop is a loop. Name is set for those of resources and modules.
type ForLoop struct {
	At
	X         Expr
	Body      Expr
	Name      string
	BatchSize uint64 // 0 if not given
}

// CopyIndex is the number of the current turn of a loop. Name is empty for the
// loop of the resource, module or output around it.
type CopyIndex struct {
	At
	Name string
}

// Condition is a resource or module that is deployed if Cond is true.
type Condition struct {
	At
	Cond, Body Expr
}

// Lambda is a lambda or, with types, a user function's right side.
type Lambda struct {
	At
	Params []string
	Types  []Type // nil, or one for each parameter
	Body   Expr
	Output Type // nil for lambdas
}

// UserCall is a call of a function of the file.
type UserCall struct {
	At
	Namespace string
	Name      string
	// Symbol is nil for what imports brought.
	Symbol *bind.Func
	Args   []Expr
}

// ImportedUserCall is a call of a function that is imported by name.
type ImportedUserCall struct {
	At
	Symbol bind.Imported
	Args   []Expr
}

// WildcardUserCall is a call of a function through `import * as ns`.
type WildcardUserCall struct {
	At
	Import *bind.WildcardImport
	Name   string
	Args   []Expr
}

// KeyVaultReference is a parameter's value that is kept in a key vault.
type KeyVaultReference struct {
	At
	VaultID Expr
	Secret  Expr
	Version Expr // or nil
}
