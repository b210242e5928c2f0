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

// visitor calls functions for what is there: optional nodes may be nil.
type visitor struct {
	visit func(Node)
	name  func(*Ident) // nil if names are not wanted
}

func (f visitor) expr(x Expr) {
	if x != nil {
		f.visit(x)
	}
}

func (f visitor) typ(x TypeExpr) {
	if x != nil {
		f.visit(x)
	}
}

func (f visitor) key(n Node) {
	if name, ok := n.(*Ident); ok {
		f.ident(name)
	} else if n != nil {
		f.visit(n)
	}
}

func (f visitor) ident(i *Ident) {
	if f.name != nil && i != nil {
		f.name(i)
	}
}

func (f visitor) skipped(s *Skipped) {
	if s != nil {
		f.visit(s)
	}
}

func (f visitor) with(w *WithClause) {
	if w != nil {
		f.visit(w)
	}
}

func (f visitor) decorators(d []*Decorator) {
	for _, x := range d {
		f.visit(x)
	}
}

func (f visitor) exprs(xs []Expr) {
	for _, x := range xs {
		f.visit(x)
	}
}

func (f visitor) types(xs []TypeExpr) {
	for _, x := range xs {
		f.visit(x)
	}
}

func (f visitor) locals(xs []*Local) {
	for _, x := range xs {
		f.visit(x)
	}
}

// below visits what is right below n, in the order of the text.
func (f visitor) below(n Node) {
	switch n := n.(type) {
	case *Skipped, *Ident, *Int, *Bool, *Null, *None, *IntTypeLit, *BoolTypeLit, *NullTypeLit:
	case *File:
		for _, s := range n.Stmts {
			f.visit(s)
		}
	case *Decorator:
		f.expr(n.Expr)

	case *TargetScope:
		f.decorators(n.Decorators)
		f.expr(n.Value)
	case *Metadata:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.expr(n.Value)
	case *Param:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.typ(n.Type)
		if n.Default != nil {
			f.visit(n.Default)
		}
		f.skipped(n.Bad)
	case *ParamDefault:
		f.expr(n.Value)
	case *TypeDecl:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.typ(n.Value)
	case *Var:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.typ(n.Type)
		f.expr(n.Value)
	case *Func:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.expr(n.Lambda)
	case *Resource:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.expr(n.Type)
		f.expr(n.Value)
	case *Module:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.expr(n.Path)
		f.expr(n.Value)
	case *Output:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.typ(n.Type)
		f.expr(n.Value)
	case *Test:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.expr(n.Path)
		f.expr(n.Value)
	case *Assert:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.expr(n.Value)
	case *Import:
		f.decorators(n.Decorators)
		f.key(n.Symbols)
		f.key(n.From)
	case *ImportList:
		for _, i := range n.Items {
			f.visit(i)
		}
	case *ImportItem:
		f.key(n.Original)
		if n.As != nil {
			f.visit(n.As)
		}
	case *WildcardImport:
		f.visit(n.As)
	case *FromClause:
		f.expr(n.Path)
	case *AsClause:
		f.ident(n.Name)
	case *Extension:
		f.decorators(n.Decorators)
		f.key(n.Spec)
		f.with(n.With)
		if n.As != nil {
			f.visit(n.As)
		}
		f.skipped(n.Bad)
	case *WithClause:
		f.expr(n.Config)
	case *Using:
		f.decorators(n.Decorators)
		f.expr(n.Path)
		f.with(n.With)
		f.skipped(n.Bad)
	case *Extends:
		f.decorators(n.Decorators)
		f.expr(n.Path)
	case *ParamAssign:
		f.decorators(n.Decorators)
		f.ident(n.Name)
		f.expr(n.Value)
	case *ExtensionConfig:
		f.decorators(n.Decorators)
		f.ident(n.Alias)
		f.with(n.With)
		f.skipped(n.Bad)
	case *Missing:
		f.decorators(n.Decorators)

	case *String:
		f.exprs(n.Exprs())
	case *Array:
		f.exprs(n.Items)
	case *Object:
		for _, i := range n.Items {
			f.visit(i)
		}
	case *Property:
		f.key(n.Key)
		f.expr(n.Value)
	case *Spread:
		f.expr(n.X)
	case *Paren:
		f.expr(n.X)
	case *Unary:
		f.expr(n.X)
	case *Binary:
		f.expr(n.X)
		f.expr(n.Y)
	case *Ternary:
		f.expr(n.Cond)
		f.expr(n.Then)
		f.expr(n.Else)
	case *Call:
		f.ident(n.Name)
		f.exprs(n.Args)
	case *InstanceCall:
		f.expr(n.X)
		f.ident(n.Name)
		f.exprs(n.Args)
	case *VarRef:
		f.ident(n.Name)
	case *PropertyAccess:
		f.expr(n.X)
		f.ident(n.Name)
	case *Index:
		f.expr(n.X)
		f.expr(n.Index)
	case *NestedAccess:
		f.expr(n.X)
		f.ident(n.Name)
	case *NonNull:
		f.expr(n.X)
	case *Local:
		f.ident(n.Name)
		f.typ(n.Type)
	case *Lambda:
		f.locals(n.Params)
		f.expr(n.Body)
	case *TypedLambda:
		f.locals(n.Params)
		f.typ(n.Return)
		f.expr(n.Body)
	case *For:
		f.key(n.Vars)
		f.expr(n.X)
		f.expr(n.Body)
	case *ForVars:
		if n.Item != nil {
			f.visit(n.Item)
		}
		if n.Index != nil {
			f.visit(n.Index)
		}
	case *If:
		f.expr(n.Cond)
		f.expr(n.Body)

	case *TypeName:
		f.ident(n.Name)
	case *StringTypeLit:
		f.visit(n.Value)
	case *UnaryType:
		f.typ(n.X)
	case *ParenType:
		f.typ(n.X)
	case *NullableType:
		f.typ(n.X)
	case *NonNullType:
		f.typ(n.X)
	case *ArrayType:
		f.typ(n.Item)
	case *UnionType:
		f.types(n.Members)
	case *TupleType:
		for _, i := range n.Items {
			f.visit(i)
		}
	case *TupleItem:
		f.decorators(n.Decorators)
		f.typ(n.Value)
	case *ObjectType:
		for _, m := range n.Members {
			f.visit(m)
		}
	case *TypeProperty:
		f.decorators(n.Decorators)
		f.key(n.Key)
		f.typ(n.Value)
	case *TypeRest:
		f.decorators(n.Decorators)
		f.typ(n.Value)
	case *TypeCall:
		f.ident(n.Name)
		f.types(n.Args)
	case *InstanceTypeCall:
		f.typ(n.X)
		f.ident(n.Name)
		f.types(n.Args)
	case *TypePropertyAccess:
		f.typ(n.X)
		f.ident(n.Name)
	case *TypeRestAccess:
		f.typ(n.X)
	case *TypeIndex:
		f.typ(n.X)
		f.expr(n.Index)
	case *TypeItems:
		f.typ(n.X)
	case *ResourceTypeRef:
		f.expr(n.Type)
	default:
		panic(fmt.Sprintf("syntax: no children known for %T", n))
	}
}
