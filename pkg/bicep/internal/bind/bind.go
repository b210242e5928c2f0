// Package bind resolves the names of a file: which symbols its statements declare, in which scopes
// they are visible, and to which symbol each use of a name refers. It reports names that are
// declared twice or depend on themselves.
//
// Begin with Bind. The package does not know the types of expressions, so it does not resolve names
// after a dot: check does.
package bind

import (
	"github.com/radbicep/rad/pkg/bicep/internal/cycles"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Env is what binding a file needs of the stages around it. Package check
// implements it.
type Env interface {
	// Namespaces returns the namespaces that a file sees: those of its
	// `extension` statements in order, and those that need none.
	Namespaces(f *graph.File, scope types.ResourceScope) []Namespace
	// This returns the namespace that `this` is in the body of a resource.
	This() types.Type
	// Exporter returns what can be imported from a file of the program.
	Exporter(f *graph.File) Exporter
	// Binding returns the binding of a parameter file that is extended, or nil.
	Binding(f *graph.File) *Binding
}

// Namespace is a namespace that a file sees.
type Namespace struct {
	Name   string            // under which the file knows it
	Type   types.Type        // *types.Namespace, or *types.Error with what is wrong
	Origin *syntax.Extension // nil if no statement declares it
}

// Exporter is a file from which names can be imported.
type Exporter interface {
	File() *graph.File
	// HasErrors reports whether the file is too broken to import from.
	HasErrors() bool
	// Exports returns all exports, in the ordinal order of their names.
	Exports() []*Export
	// FindExport returns the export of that name, or nil.
	FindExport(name string) *Export
}

// ExportKind tells the kinds of exports apart.
type ExportKind uint8

const (
	ExportError ExportKind = iota // it cannot be imported; Description says why
	ExportType
	ExportVar
	ExportFunc
)

func (k ExportKind) String() string {
	return [...]string{"Error", "Type", "Variable", "Function"}[k]
}

// Export is one thing that a file exports.
type Export struct {
	Kind ExportKind
	Name string
	Type types.Ref // of a type, a *types.Wrapped; of a function, a *types.Lambda
	Why  string    // of an error: what is wrong

	Description string // of a variable of a Bicep file

	Params []ExportedParam // of a function
	Return types.Ref

	// Duplicate is set on errors that stand for several exports of one name.
	Duplicate bool
}

// ExportedParam is a parameter of an exported function.
type ExportedParam struct {
	Name string
	Type types.Ref
}

// Binding is what is known of the names of one file.
type Binding struct {
	File        *graph.File
	TargetScope types.ResourceScope

	// Namespaces are all namespaces that the file sees.
	Namespaces []Namespace

	// Root is the scope of the file; its children are those of loops, lambdas
	// and resources' bodies.
	Root *Scope

	// The declarations of the file by kind, in the order of the source.
	Extensions       []*ExtensionNamespace
	ExtensionConfigs []*ExtensionConfig
	Metadata         []*Metadata
	Params           []*Param
	Types            []*TypeAlias
	Vars             []*Var
	Funcs            []*Func
	Resources        []*Resource // of the top level: see DeclaredResources
	Modules          []*Module
	Outputs          []*Output
	Asserts          []*Assert
	ParamAssigns     []*ParamAssign // and those of the files that this one extends, unless it has its own
	Base             *BaseParams    // nil if there is nothing that `base` could mean
	Tests            []*Test
	ImportedTypes    []*ImportedType
	ImportedVars     []*ImportedVar
	ImportedFuncs    []*ImportedFunc
	ErroredImports   []*ErroredImport
	Wildcards        []*WildcardImport

	env      Env
	implicit map[string]*BuiltInNamespace
	visible  []visible // the namespaces that could be made, each name once

	// symbols are those that nodes declare or mean; the first one is nil. of has the number
	// of each node's symbol, or isScope and a place in scopes.
	symbols []Symbol
	of      []uint32
	scopes  []nodeScope

	flags map[*syntax.InstanceCall]types.FunctionFlags

	allResources []*Resource // see DeclaredResources

	sameNames bool // of two declarations of the file that can be referred to

	// cycles are those of the declarations, by their numbers in ordered.
	cycles  *cycles.Set
	ordered []Declared
	refs    map[Declared][]Declared

	unexportable *Reach // made when it is first needed
}

// nodeScope is the scope that is in force within a node. The node can have a symbol, too.
type nodeScope struct {
	scope  *Scope
	symbol uint32
}

const isScope = 1 << 31

// visible is a namespace under its name.
type visible struct {
	name string
	ns   *types.Namespace
}

// Scope is a part of a file in which certain names are visible.
type Scope struct {
	Locals     []Declared
	Children   []*Scope
	Resolution Resolution
}

// Resolution says what a scope sees of those around it.
type Resolution uint8

const (
	GlobalsOnly                  Resolution = iota // nothing, but what namespaces offer
	InheritAll                                     // everything
	InheritFunctionsAndVariables                   // what the body of a function may use
)

// ImportedByName returns what the file imports by name: types, then variables, then
// functions.
func (b *Binding) ImportedByName() []Imported {
	var list []Imported
	for _, s := range b.ImportedTypes {
		list = append(list, s)
	}
	for _, s := range b.ImportedVars {
		list = append(list, s)
	}
	for _, s := range b.ImportedFuncs {
		list = append(list, s)
	}
	return list
}

// Symbol returns what a node declares or means: a use of a name always means
// something, if only an ErrorSymbol. Other nodes have none: nil.
func (b *Binding) Symbol(n syntax.Node) Symbol {
	if n == nil {
		return nil
	}
	number := b.of[n.ID()]
	if number >= isScope {
		number = b.scopes[number-isScope].symbol
	}
	return b.symbols[number]
}

// setSymbol says which symbol a node declares or means, by its number.
func (b *Binding) setSymbol(id syntax.ID, number uint32) {
	if of := b.of[id]; of >= isScope {
		b.scopes[of-isScope].symbol = number
	} else {
		b.of[id] = number
	}
}

// add gives a symbol a number.
func (b *Binding) add(s Symbol) uint32 {
	b.symbols = append(b.symbols, s)
	return uint32(len(b.symbols) - 1)
}

// numberOf returns the number of a symbol that this file or another one declares.
func (b *Binding) numberOf(d Declared) uint32 {
	base := d.base()
	if base.binding != b {
		return b.add(d)
	}
	if base.number == 0 {
		base.number = b.add(d)
	}
	return base.number
}

// scope returns the scope that is in force within a node and not around it, or nil.
func (b *Binding) scope(id syntax.ID) *Scope {
	if of := b.of[id]; of >= isScope {
		return b.scopes[of-isScope].scope
	}
	return nil
}

// setScope says which scope is in force within a node.
func (b *Binding) setScope(id syntax.ID, s *Scope) {
	b.scopes = append(b.scopes, nodeScope{s, b.of[id]})
	b.of[id] = isScope + uint32(len(b.scopes)-1)
}

// Parent returns the node around n, or nil for the file.
func (b *Binding) Parent(n syntax.Node) syntax.Node { return b.File.Tree.Parent(n) }

// Around returns what holds n, past parentheses, and the child of it that n is in.
func (b *Binding) Around(n syntax.Node) (parent, child syntax.Node) {
	for {
		p := b.Parent(n)
		if _, ok := p.(*syntax.Paren); !ok {
			return p, n
		}
		n = p
	}
}

// EnclosingResource returns the resource statement that contains n, or nil.
func (b *Binding) EnclosingResource(n syntax.Node) *syntax.Resource {
	for p := b.Parent(n); p != nil; p = b.Parent(p) {
		if r, ok := p.(*syntax.Resource); ok {
			return r
		}
	}
	return nil
}

// Declarations returns the symbols of the file's own scope: first those of
// extensions, then kind by kind in the order of the fields of Binding.
func (b *Binding) Declarations() []Declared {
	var list []Declared
	list = appendDeclared(list, b.Extensions)
	list = appendDeclared(list, b.ExtensionConfigs)
	list = appendDeclared(list, b.Metadata)
	list = appendDeclared(list, b.Params)
	list = appendDeclared(list, b.Types)
	list = appendDeclared(list, b.Vars)
	list = appendDeclared(list, b.Funcs)
	list = appendDeclared(list, b.Resources)
	list = appendDeclared(list, b.Modules)
	list = appendDeclared(list, b.Outputs)
	list = appendDeclared(list, b.Asserts)
	list = appendDeclared(list, b.ParamAssigns)
	if b.Base != nil {
		list = append(list, b.Base)
	}
	list = appendDeclared(list, b.Tests)
	list = appendDeclared(list, b.ImportedTypes)
	list = appendDeclared(list, b.ImportedVars)
	list = appendDeclared(list, b.ImportedFuncs)
	list = appendDeclared(list, b.ErroredImports)
	return appendDeclared(list, b.Wildcards)
}

func appendDeclared[D Declared](list []Declared, more []D) []Declared {
	for _, d := range more {
		list = append(list, d)
	}
	return list
}

// DeclarationsOf returns the symbols of the file's own scope that have a name.
func (b *Binding) DeclarationsOf(name string) []Declared {
	var list []Declared
	for _, d := range b.Root.Locals {
		if d.Name() == name {
			list = append(list, d)
		}
	}
	return list
}

// DeclaredResources returns all resources of the file in the order in which the
// template takes them: nested ones before those around them, and those before
// the ones of the top level. The list must not be changed.
func (b *Binding) DeclaredResources() []*Resource { return b.allResources }

// listResources lists all resources, when those of the top level are known.
func (b *Binding) listResources() {
	var nested []*Resource
	var walk func(*Scope)
	walk = func(s *Scope) {
		for _, c := range s.Children {
			walk(c)
		}
		for _, d := range s.Locals {
			if r, ok := d.(*Resource); ok {
				nested = append(nested, r)
			}
		}
	}
	for _, c := range b.Root.Children {
		walk(c)
	}
	b.allResources = b.Resources
	if len(nested) > 0 {
		b.allResources = append(nested, b.Resources...)
	}
}

// ImplicitNamespace returns the namespace of that name that needs no declaration, or nil.
func (b *Binding) ImplicitNamespace(name string) *BuiltInNamespace { return b.implicit[name] }

// Namespace returns the namespace that the file knows under a name, or nil.
func (b *Binding) Namespace(name string) *types.Namespace {
	for i := range b.visible {
		if b.visible[i].name == name {
			return b.visible[i].ns
		}
	}
	return nil
}

// NamespaceTypes returns the namespaces that the file sees and that could be made.
func (b *Binding) NamespaceTypes() []*types.Namespace {
	list := make([]*types.Namespace, len(b.visible))
	for i := range b.visible {
		list[i] = b.visible[i].ns
	}
	return list
}

// InstanceFlags returns which functions may be called where an instance call is.
func (b *Binding) InstanceFlags(c *syntax.InstanceCall) types.FunctionFlags { return b.flags[c] }

// Using returns the first `using` statement of a parameter file, or nil.
func (b *Binding) Using() *syntax.Using {
	for _, s := range b.File.Tree.Stmts {
		if u, ok := s.(*syntax.Using); ok {
			return u
		}
	}
	return nil
}
