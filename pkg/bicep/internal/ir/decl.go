package ir

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Turns are the declarations of one kind, which are made one after the other in the same
// memory. The declaration of a turn, and all nodes below it, are gone at the next turn: the body of a
// loop over Turns writes what it gets, and keeps no part of it. For 20,000 resources that
// saves a fifth of all memory. In tests, memory is cleared between turns (arena.Check).
//
// What a turn shares with others is not made for it and stays: symbols, types, syntax and
// strings.
type Turns[T any] func(yield func(T) bool)

// Program is a whole file. Its resources and variables are most of it, and each is needed
// only until it is written.
type Program struct {
	At
	Metadata   []*Metadata
	Extensions []*Extension
	Types      []*TypeDecl
	Params     []*Param
	Loops      Turns[*Var] // the variables whose values are loops
	Vars       Turns[*Var] // the others
	Funcs      []*Func
	Resources  Turns[*ResourceDecl]
	Modules    []*ModuleDecl
	Outputs    []*Output
	Asserts    []*Assert
}

// Modifiers are what decorators say about a type or about what has one. A nil
// field means that the decorator is absent.
type Modifiers struct {
	Description Expr
	Metadata    Expr
	Secure      Expr
	MinLength   Expr
	MaxLength   Expr
	MinValue    Expr
	MaxValue    Expr
	Sealed      Expr
	// Constraint holds the arguments of @validate.
	Constraint *Array
}

// Metadata is `metadata name = value`.
type Metadata struct {
	At
	Name  string
	Value Expr
}

// Extension is an extension that the template uses.
type Extension struct {
	At
	Name     string // the alias
	Settings types.NamespaceSettings
	Config   Expr // or nil
}

// Param is `param name type = default`.
type Param struct {
	At
	Modifiers
	Name    string
	Type    Type
	Default Expr // or nil
	Allowed Expr // the array of @allowed, or nil
}

// Var is `var name type = value`.
type Var struct {
	At
	Name  string
	Value Expr
}

// Func is `func name(a T) R => value`.
type Func struct {
	At
	Namespace   string
	Name        string
	Lambda      Expr // *Lambda
	Description Expr
	Exported    Expr
}

// TypeDecl is `type name = type`.
type TypeDecl struct {
	At
	Modifiers
	Name     string
	Value    Type
	Exported Expr
}

// Output is `output name type = value`.
type Output struct {
	At
	Modifiers
	Name  string
	Type  Type
	Value Expr
}

// Assert is `assert name = condition`.
type Assert struct {
	At
	Name  string
	Value Expr
}

// DecoratorConfig is what a decorator of a resource asks of the deployment engine.
type DecoratorConfig struct {
	Name string
	Args *Array
}

// ResourceDecl is a resource. Body is an *Object, in a *Condition if there is one,
// in a *ForLoop if there is one.
type ResourceDecl struct {
	At
	Resource    *resources.Resource
	BodySyntax  *syntax.Object
	Body        Expr
	DependsOn   []Dependency
	Decorators  []DecoratorConfig
	Description Expr
}

// ModuleDecl is a module. Body is as in ResourceDecl.
type ModuleDecl struct {
	At
	Module           *bind.Module
	BodySyntax       *syntax.Object
	Body             Expr
	Params           Expr // or nil
	ExtensionConfigs Expr // or nil
	DependsOn        []Dependency
	Description      Expr
}

// Dependency is an entry of dependsOn.
type Dependency struct {
	At
	Ref Expr // *ResourceRef or *ModuleRef
}
