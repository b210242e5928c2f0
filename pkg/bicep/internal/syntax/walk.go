package syntax

import "fmt"

// Walk visits n and everything below it, parents first, in the order of the text, but for
// names: they are parts of the nodes that hold them. It does not go below a node for which
// visit returns false.
func Walk(n Node, visit func(Node) bool) {
	if visit(n) {
		Children(n, func(c Node) { Walk(c, visit) })
	}
}

// Walk is the function of that name for a node of the file. It takes the nodes from a
// list, which is several times as fast: for what goes through a whole file.
func (f *File) Walk(n Node, visit func(Node) bool) {
	if _, isName := n.(*Ident); isName {
		visit(n)
		return
	}
	f.walk(n.ID(), f.ends[n.ID()], visit)
}

// WalkBelow is Walk without the node itself.
func (f *File) WalkBelow(n Node, visit func(Node) bool) {
	if _, isName := n.(*Ident); !isName {
		f.walk(n.ID()+1, f.ends[n.ID()], visit)
	}
}

func (f *File) walk(i, end ID, visit func(Node) bool) {
	for i < end {
		if visit(f.nodes[i]) {
			i++
		} else {
			i = f.ends[i]
		}
	}
}

// Children is the function of that name for a node of the file. It takes the nodes from
// the list that Walk uses.
func (f *File) Children(n Node, visit func(Node)) {
	if _, isName := n.(*Ident); isName {
		return
	}
	id := n.ID()
	for i, end := id+1, f.ends[id]; i < end; i = f.ends[i] {
		visit(f.nodes[i])
	}
}

// index numbers the nodes of a tree that has been made of as many as that, or fewer.
func (f *File) index(atMost int) {
	f.nodes, f.ends = make([]Node, 0, atMost), make([]ID, 0, atMost)
	parent := ID(-1)
	name := func(i *Ident) { i.id, i.parent = parent, parent }
	var visit func(Node)
	visit = func(n Node) {
		b, id := n.node(), ID(len(f.nodes))
		b.id, b.parent = id, parent
		f.nodes = append(f.nodes, n)
		f.ends = append(f.ends, 0)
		parent = id
		visitor{visit, name}.below(n)
		parent = b.parent
		f.ends[id] = ID(len(f.nodes))
	}
	visit(f)
}

// Children calls fn for each node right below n, in the order of the text, but for names.
func Children(n Node, fn func(Node)) { visitor{fn, nil}.below(n) }

// Names calls fn for each name right below n, in the order of the text.
func Names(n Node, fn func(*Ident)) { visitor{func(Node) {}, fn}.below(n) }

// visitor calls functions for what is there.
type visitor struct {
	visit func(Node)
	name  func(*Ident) // nil if names are not wanted
}

// parts visits nodes that may be nil; those that are names are named.
func (f visitor) parts(nodes ...Node) {
	for _, n := range nodes {
		if name, ok := n.(*Ident); ok {
			f.ident(name)
		} else if n != nil {
			f.visit(n)
		}
	}
}

func (f visitor) ident(i *Ident) {
	if f.name != nil && i != nil {
		f.name(i)
	}
}

// statement visits what may have decorators.
func (f visitor) statement(decorators []*Decorator, parts ...Node) {
	each(f, decorators)
	f.parts(parts...)
}

func each[N Node](f visitor, nodes []N) {
	for _, n := range nodes {
		f.visit(n)
	}
}

// maybe is a node that may be absent, without a type if it is.
func maybe[T any, P interface {
	*T
	Node
}](n P) Node {
	if n == nil {
		return nil
	}
	return n
}

// below visits what is right below n, in the order of the text.
func (f visitor) below(n Node) {
	switch n := n.(type) {
	case *Skipped, *Ident, *Int, *Bool, *Null, *None, *IntTypeLit, *BoolTypeLit, *NullTypeLit:
	case *File:
		each(f, n.Stmts)
	case *Decorator:
		f.parts(n.Expr)

	case *TargetScope:
		f.statement(n.Decorators, n.Value)
	case *Metadata:
		f.statement(n.Decorators, n.Name, n.Value)
	case *Param:
		f.statement(n.Decorators, n.Name, n.Type, maybe(n.Default), maybe(n.Bad))
	case *ParamDefault:
		f.parts(n.Value)
	case *TypeDecl:
		f.statement(n.Decorators, n.Name, n.Value)
	case *Var:
		f.statement(n.Decorators, n.Name, n.Type, n.Value)
	case *Func:
		f.statement(n.Decorators, n.Name, n.Lambda)
	case *Resource:
		f.statement(n.Decorators, n.Name, n.Type, n.Value)
	case *Module:
		f.statement(n.Decorators, n.Name, n.Path, n.Value)
	case *Output:
		f.statement(n.Decorators, n.Name, n.Type, n.Value)
	case *Test:
		f.statement(n.Decorators, n.Name, n.Path, n.Value)
	case *Assert:
		f.statement(n.Decorators, n.Name, n.Value)
	case *Import:
		f.statement(n.Decorators, n.Symbols, n.From)
	case *ImportList:
		each(f, n.Items)
	case *ImportItem:
		f.parts(n.Original, maybe(n.As))
	case *WildcardImport:
		f.parts(n.As)
	case *FromClause:
		f.parts(n.Path)
	case *AsClause:
		f.ident(n.Name)
	case *Extension:
		f.statement(n.Decorators, n.Spec, maybe(n.With), maybe(n.As), maybe(n.Bad))
	case *WithClause:
		f.parts(n.Config)
	case *Using:
		f.statement(n.Decorators, n.Path, maybe(n.With), maybe(n.Bad))
	case *Extends:
		f.statement(n.Decorators, n.Path)
	case *ParamAssign:
		f.statement(n.Decorators, n.Name, n.Value)
	case *ExtensionConfig:
		f.statement(n.Decorators, n.Alias, maybe(n.With), maybe(n.Bad))
	case *Missing:
		each(f, n.Decorators)

	case *String:
		each(f, n.Exprs())
	case *Array:
		each(f, n.Items)
	case *Object:
		each(f, n.Items)
	case *Property:
		f.parts(n.Key, n.Value)
	case *Spread:
		f.parts(n.X)
	case *Paren:
		f.parts(n.X)
	case *Unary:
		f.parts(n.X)
	case *Binary:
		f.parts(n.X, n.Y)
	case *Ternary:
		f.parts(n.Cond, n.Then, n.Else)
	case *Call:
		f.ident(n.Name)
		each(f, n.Args)
	case *InstanceCall:
		f.parts(n.X, n.Name)
		each(f, n.Args)
	case *VarRef:
		f.ident(n.Name)
	case *PropertyAccess:
		f.parts(n.X, n.Name)
	case *Index:
		f.parts(n.X, n.Index)
	case *NestedAccess:
		f.parts(n.X, n.Name)
	case *NonNull:
		f.parts(n.X)
	case *Local:
		f.parts(n.Name, n.Type)
	case *Lambda:
		each(f, n.Params)
		f.parts(n.Body)
	case *TypedLambda:
		each(f, n.Params)
		f.parts(n.Return, n.Body)
	case *For:
		f.parts(n.Vars, n.X, n.Body)
	case *ForVars:
		f.parts(maybe(n.Item), maybe(n.Index))
	case *If:
		f.parts(n.Cond, n.Body)

	case *TypeName:
		f.ident(n.Name)
	case *StringTypeLit:
		f.parts(n.Value)
	case *UnaryType:
		f.parts(n.X)
	case *ParenType:
		f.parts(n.X)
	case *NullableType:
		f.parts(n.X)
	case *NonNullType:
		f.parts(n.X)
	case *ArrayType:
		f.parts(n.Item)
	case *UnionType:
		each(f, n.Members)
	case *TupleType:
		each(f, n.Items)
	case *TupleItem:
		f.statement(n.Decorators, n.Value)
	case *ObjectType:
		each(f, n.Members)
	case *TypeProperty:
		f.statement(n.Decorators, n.Key, n.Value)
	case *TypeRest:
		f.statement(n.Decorators, n.Value)
	case *TypeCall:
		f.ident(n.Name)
		each(f, n.Args)
	case *InstanceTypeCall:
		f.parts(n.X, n.Name)
		each(f, n.Args)
	case *TypePropertyAccess:
		f.parts(n.X, n.Name)
	case *TypeRestAccess:
		f.parts(n.X)
	case *TypeIndex:
		f.parts(n.X, n.Index)
	case *TypeItems:
		f.parts(n.X)
	case *ResourceTypeRef:
		f.parts(n.Type)
	default:
		panic(fmt.Sprintf("syntax: no children known for %T", n))
	}
}
