// Package check finds the types of declarations and expressions in a file whose names
// are bound, and reports what is wrong with them.
//
// A Model answers questions about one file. It answers when it is asked, and keeps the
// answers in slices indexed by the IDs of nodes. The models of a program ask each other.
// Neither a Model nor the models of one program are safe for concurrent use.
//
// # Which file answers which question
//
// In the order in which the questions are asked:
//
//   - program.go: which files belong to the program? What does a file offer to others
//     (Signature)? With signature.go for Bicep files and arm.go for ARM templates.
//   - declared.go: which type is expected at this place? It passes types down from
//     declarations to literals (declared_literal.go), names and accesses
//     (declared_access.go). Package typeexpr turns type expressions into types.
//   - resource_type.go: which type do the properties of a resource, module or test have?
//     Package resourcetypes finds the types of resources.
//   - params.go: which template does a parameter file name, and which types does the
//     template declare for the values?
//   - assign.go: which type does this node have? One file for each kind of node:
//     expressions (assign_expr.go), accesses (assign_access.go), calls (assign_call.go),
//     type expressions (assign_type.go), simple statements (assign_stmt.go), resources
//     and modules (assign_deploy.go), imports and extensions (assign_extern.go).
//     Package narrow compares the two types.
//   - decorators.go: what do the decorators of a declaration say?
//   - diagnostics.go: what is wrong with the file? It asks for all types, collects what
//     was reported, asks the inspectors, and removes what pragmas silence.
//   - lang.go: short names and helpers.
//
// # Where a new check belongs
//
// A check of one kind of node belongs in the assign file for that kind. A check that needs
// only names and statements belongs in package bind. Where a resource or module is deployed
// is checked in package resources, and whether a parameter file fits its template in package
// paramscheck. A check that depends on when a value is known, or on what a template can
// express, belongs in package deploytime. Advice belongs in package lint. These packages are
// built on this one, and report through an Inspector.
package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/narrow"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/resourcetypes"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typeexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Model is what is known about one Bicep or parameter file.
type Model struct {
	program       *Program
	file          *graph.File
	tree          *syntax.File
	features      *config.Features
	binding       *bind.Binding
	narrower      *narrow.Checker
	resourceTypes *resourcetypes.Finder
	typeExprs     *typeexpr.Resolver
	counted       map[types.Type]bool // see tooLarge

	// Makers of the types of the file.
	literals   arena.Arena[types.StringLiteral]
	recent     [64]*types.StringLiteral // see literal
	stringsOf  map[[2]int64]types.Type  // by the least and the greatest length
	parts      []types.Type             // of the strings and calls whose types are being worked out
	ints       arena.Arena[types.IntLiteral]
	objects    arena.Arena[types.Object]
	tuples     arena.Arena[types.Tuple]
	refs       arena.Arena[types.Ref]
	properties arena.Arena[types.Property]

	// By the IDs of nodes.
	assigned []types.Type
	working  []uint64 // a bit for each node whose type is being worked out
	declared syntax.NodeMap[declaredSlot]
	origins  map[syntax.ID]syntax.Node // of declared types, where they are not the nodes themselves
	calls    syntax.NodeMap[*types.FunctionOverload]
	results  map[syntax.ID]types.FunctionResult // of calls whose values are known

	base      types.Type
	functions map[bind.Symbol]*types.FunctionOverload

	params     memo.Value[namedList[*Parameter]]
	outputs    memo.Value[namedList[*Output]]
	exports    memo.Value[namedList[*bind.Export]]
	extensions memo.Value[namedList[*ExtensionInfo]]

	memos []any // the results of other packages about the file, each a pointer of its own type: see Memo

	sink      diag.Sink             // report, made a function once
	diags     diag.List             // what finding the types has reported so far
	valueless []*syntax.VarRef      // the uses of names that have no value
	checked   memo.Value[diag.List] // all diagnostics, in order
}

func newModel(p *Program, f *graph.File) *Model {
	n := f.Tree.NodeCount()
	m := &Model{
		program:  p,
		file:     f,
		tree:     f.Tree,
		features: p.features(f),
		assigned: make([]types.Type, n),
		working:  make([]uint64, n/64+1),
		declared: syntax.NewNodeMap[declaredSlot](f.Tree),
		calls:    syntax.NewNodeMap[*types.FunctionOverload](f.Tree),
	}
	m.sink = m.report
	m.narrower = narrow.New(m)
	return m
}

// Program returns the program that the file belongs to.
func (m *Model) Program() *Program { return m.program }

// File returns the file.
func (m *Model) File() *graph.File { return m.file }

// Memo returns the result of type T about the file, and computes it where there is none yet. Packages
// built on this one keep what they know of a file with it: a handful of results, each of a
// type that only its package has. compute may ask for results of other types.
func Memo[T any](m *Model, compute func() *T) *T {
	for _, v := range m.memos {
		if v, ok := v.(*T); ok {
			return v
		}
	}
	v := compute()
	m.memos = append(m.memos, v)
	return v
}

// Tree returns the file's tree.
func (m *Model) Tree() *syntax.File { return m.tree }

// Source returns the file's text.
func (m *Model) Source() *source.File { return m.file.Source }

// Binding returns what the file's names stand for.
func (m *Model) Binding() *bind.Binding { return m.binding }

// Has reports whether the release of Bicep that the program is compiled as has a fact.
func (m *Model) Has(f release.Fact) bool { return m.file.Has(f) }

// Features returns the experiments that the file's configuration enables.
func (m *Model) Features() *config.Features { return m.features }

// Config returns the file's configuration.
func (m *Model) Config() *config.Config { return m.file.Config }

// IsParams reports whether the file is a parameter file.
func (m *Model) IsParams() bool { return m.tree.Params }

// Parent returns the node around a node, or nil for the file.
func (m *Model) Parent(n syntax.Node) syntax.Node { return m.binding.Parent(n) }

// bound is the symbol that binding gave a node.
func (m *Model) bound(n syntax.Node) bind.Symbol { return m.binding.Symbol(n) }

// Symbol returns what a node declares or means, or nil for nodes that mean
// nothing. Beyond what binding finds, it knows the functions that are called on
// namespaces, imports and resources.
func (m *Model) Symbol(n syntax.Node) bind.Symbol {
	if c, ok := n.(*syntax.InstanceCall); ok {
		return m.instanceSymbol(c)
	}
	return m.bound(n)
}

// Overload returns the overload that a call was resolved to, or nil. The call is
// a *syntax.Call or *syntax.InstanceCall.
func (m *Model) Overload(call syntax.Node) *types.FunctionOverload {
	m.TypeOf(call)
	if o := m.calls.Get(call.ID()); o != nil {
		return *o
	}
	return nil
}

// CallResult returns what is known of the value of a call, beside its type.
func (m *Model) CallResult(call syntax.Node) (types.FunctionResult, bool) {
	m.TypeOf(call)
	r, ok := m.results[call.ID()]
	return r, ok
}

// IsCollection reports whether a resource or module is declared by a loop.
func (m *Model) IsCollection(s bind.Symbol) bool {
	switch s := s.(type) {
	case *bind.Resource:
		_, ok := types.AsArray(m.symbolType(s))
		return ok
	case *bind.Module:
		_, ok := types.AsArray(m.symbolType(s))
		return ok
	case *bind.Param:
		_, ok := types.AsArray(m.symbolType(s))
		return ok
	}
	return false
}

// Referenced returns the template that a statement names: a module, test, import,
// using or extends. It is nil if that could not be found, which is reported.
func (m *Model) Referenced(stmt syntax.Node) Signature {
	r := m.file.Reference(stmt)
	if r == nil || r.File == nil {
		return nil
	}
	return m.program.Signature(r.File)
}

// Instance returns what a *syntax.TypeCall or *syntax.InstanceTypeCall stands for.
func (m *Model) Instance(n syntax.Node) *typeexpr.Instance { return m.typeExprs.Instance(n) }

// ResolveDerived replaces the derived types within a type of another file by the resource
// types that this file sees.
func (m *Model) ResolveDerived(t types.Type) types.Type { return m.resourceTypes.Resolve(t) }

// Narrow checks an expression against the type that is expected of it.
func (m *Model) Narrow(report diag.Sink, x syntax.Node, target types.Type) types.Type {
	return m.narrow(report, x, target)
}

// report adds a diagnostic about types.
func (m *Model) report(d diag.Diagnostic) { m.diags = append(m.diags, d) }

func (m *Model) reportAll(list []diag.Diagnostic) { m.diags = append(m.diags, list...) }

// TargetScope returns the scope that the template is deployed to; of a parameters
// file, that of its template.
func (m *Model) TargetScope() types.ResourceScope {
	if m.IsParams() {
		if t, _ := m.Used(); t != nil {
			return t.TargetScope()
		}
	}
	return m.binding.TargetScope
}
