package syntax

// Walk calls f for n and every node below it, parents first and in the order of
// the source. Where f returns false, what is below the node is left out.
func Walk(n Node, f func(Node) bool) {
	if f(n) {
		Children(n, func(c Node) { Walk(c, f) })
	}
}

// Children calls f for each node directly below n, in the order of the source.
func Children(n Node, f func(Node)) {
	switch n := n.(type) {
	case *File:
		each(n.Stmts, f)
	case *Decorator:
		one(n.Expr, f)

	case *TargetScope:
		decorators(n.Decorators, f)
		one(n.Value, f)
	case *Metadata:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Value, f)
	case *Param:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Type, f)
		if n.Default != nil {
			f(n.Default)
		}
	case *ParamDefault:
		one(n.Value, f)
	case *TypeDecl:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Value, f)
	case *Var:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Type, f)
		one(n.Value, f)
	case *Func:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Lambda, f)
	case *Resource:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Type, f)
		one(n.Value, f)
	case *Module:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Path, f)
		one(n.Value, f)
	case *Output:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Type, f)
		one(n.Value, f)
	case *Test:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Path, f)
		one(n.Value, f)
	case *Assert:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Value, f)
	case *Import:
		decorators(n.Decorators, f)
		one(n.Symbols, f)
		one(n.From, f)
	case *ImportList:
		each(n.Items, f)
	case *ImportItem:
		one(n.Original, f)
		as(n.As, f)
	case *WildcardImport:
		as(n.As, f)
	case *FromClause:
		one(n.Path, f)
	case *AsClause:
		ident(n.Name, f)
	case *Extension:
		decorators(n.Decorators, f)
		one(n.Spec, f)
		with(n.With, f)
		as(n.As, f)
		skipped(n.Bad, f)
	case *WithClause:
		one(n.Config, f)
	case *Using:
		decorators(n.Decorators, f)
		one(n.Path, f)
		with(n.With, f)
		skipped(n.Bad, f)
	case *Extends:
		decorators(n.Decorators, f)
		one(n.Path, f)
	case *ParamAssign:
		decorators(n.Decorators, f)
		ident(n.Name, f)
		one(n.Value, f)
	case *ExtensionConfig:
		decorators(n.Decorators, f)
		ident(n.Alias, f)
		with(n.With, f)
		skipped(n.Bad, f)
	case *Missing:
		decorators(n.Decorators, f)

	case *String:
		each(n.Exprs, f)
	case *Array:
		each(n.Items, f)
	case *Object:
		each(n.Items, f)
	case *Property:
		one(n.Key, f)
		one(n.Value, f)
	case *Spread:
		one(n.X, f)
	case *Paren:
		one(n.X, f)
	case *Unary:
		one(n.X, f)
	case *Binary:
		one(n.X, f)
		one(n.Y, f)
	case *Ternary:
		one(n.Cond, f)
		one(n.Then, f)
		one(n.Else, f)
	case *Call:
		ident(n.Name, f)
		each(n.Args, f)
	case *InstanceCall:
		one(n.X, f)
		ident(n.Name, f)
		each(n.Args, f)
	case *VarRef:
		ident(n.Name, f)
	case *PropertyAccess:
		one(n.X, f)
		ident(n.Name, f)
	case *Index:
		one(n.X, f)
		one(n.Index, f)
	case *NestedAccess:
		one(n.X, f)
		ident(n.Name, f)
	case *NonNull:
		one(n.X, f)
	case *Local:
		ident(n.Name, f)
		one(n.Type, f)
	case *Lambda:
		each(n.Params, f)
		one(n.Body, f)
	case *TypedLambda:
		each(n.Params, f)
		one(n.Return, f)
		one(n.Body, f)
	case *For:
		one(n.Vars, f)
		one(n.X, f)
		one(n.Body, f)
	case *ForVars:
		local(n.Item, f)
		local(n.Index, f)
	case *If:
		one(n.Cond, f)
		one(n.Body, f)

	case *TypeName:
		ident(n.Name, f)
	case *StringTypeLit:
		if n.Value != nil {
			f(n.Value)
		}
	case *UnaryType:
		one(n.X, f)
	case *ParenType:
		one(n.X, f)
	case *NullableType:
		one(n.X, f)
	case *NonNullType:
		one(n.X, f)
	case *ArrayType:
		one(n.Item, f)
	case *UnionType:
		each(n.Members, f)
	case *TupleType:
		each(n.Items, f)
	case *TupleItem:
		decorators(n.Decorators, f)
		one(n.Value, f)
	case *ObjectType:
		each(n.Members, f)
	case *TypeProperty:
		decorators(n.Decorators, f)
		one(n.Key, f)
		one(n.Value, f)
	case *TypeRest:
		decorators(n.Decorators, f)
		one(n.Value, f)
	case *TypeCall:
		ident(n.Name, f)
		each(n.Args, f)
	case *InstanceTypeCall:
		one(n.X, f)
		ident(n.Name, f)
		each(n.Args, f)
	case *TypePropertyAccess:
		one(n.X, f)
		ident(n.Name, f)
	case *TypeRestAccess:
		one(n.X, f)
	case *TypeIndex:
		one(n.X, f)
		one(n.Index, f)
	case *TypeItems:
		one(n.X, f)
	case *ResourceTypeRef:
		one(n.Type, f)
	}
}

// one visits a node that an interface holds, which may be nil.
func one(n Node, f func(Node)) {
	if n != nil {
		f(n)
	}
}

func each[N Node](list []N, f func(Node)) {
	for _, n := range list {
		f(n)
	}
}

func decorators(list []*Decorator, f func(Node)) { each(list, f) }

func ident(n *Ident, f func(Node)) {
	if n != nil {
		f(n)
	}
}

func local(n *Local, f func(Node)) {
	if n != nil {
		f(n)
	}
}

func as(n *AsClause, f func(Node)) {
	if n != nil {
		f(n)
	}
}

func with(n *WithClause, f func(Node)) {
	if n != nil {
		f(n)
	}
}

func skipped(n *Skipped, f func(Node)) {
	if n != nil {
		f(n)
	}
}
