package ir

// Walk calls f for e and everything below it, parents first. Where f returns
// false, what is below is left out. Declarations are not walked, types are not entered.
func Walk(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	switch e := e.(type) {
	case *Interpolated:
		walkAll(e.Exprs, f)
	case *Object:
		for _, p := range e.Props {
			Walk(p, f)
		}
	case *Property:
		Walk(e.Key, f)
		Walk(e.Value, f)
	case *Array:
		walkAll(e.Items, f)
	case *Ternary:
		Walk(e.Cond, f)
		Walk(e.Then, f)
		Walk(e.Else, f)
	case *Binary:
		Walk(e.X, f)
		Walk(e.Y, f)
	case *Unary:
		Walk(e.X, f)
	case *Call:
		walkAll(e.Args, f)
	case *UserCall:
		walkAll(e.Args, f)
	case *ImportedUserCall:
		walkAll(e.Args, f)
	case *WildcardUserCall:
		walkAll(e.Args, f)
	case *ResourceCall:
		Walk(e.Resource, f)
		walkAll(e.Args, f)
	case *Index:
		Walk(e.Base, f)
		Walk(e.Access, f)
	case *PropertyAccess:
		Walk(e.Base, f)
	case *ModuleOutput:
		Walk(e.Base, f)
	case *ForLoop:
		Walk(e.X, f)
		Walk(e.Body, f)
	case *Condition:
		Walk(e.Cond, f)
		Walk(e.Body, f)
	case *Lambda:
		Walk(e.Body, f)
	case *KeyVaultReference:
		Walk(e.VaultID, f)
		Walk(e.Secret, f)
		if e.Version != nil {
			Walk(e.Version, f)
		}
	}
}

func walkAll(list []Expr, f func(Expr) bool) {
	for _, e := range list {
		Walk(e, f)
	}
}

// Rewrite returns e with parts of it replaced. f is asked about e and everything
// below it, parents first: what it returns stands for what it was given, and nil
// means to go on inside. Nodes in which nothing changes are shared with e.
// Declarations and types are not entered, nor the indexes of resources and modules.
func Rewrite(e Expr, f func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	if r := f(e); r != nil {
		return r
	}
	switch e := e.(type) {
	case *Interpolated:
		if list, ok := rewriteAll(e.Exprs, f); ok {
			return &Interpolated{e.At, e.Segments, list}
		}
	case *Object:
		var props []*Property
		for i, p := range e.Props {
			q, _ := Rewrite(p, f).(*Property)
			if q != p && props == nil {
				props = append(make([]*Property, 0, len(e.Props)), e.Props[:i]...)
			}
			if props != nil {
				props = append(props, q)
			}
		}
		if props != nil {
			return &Object{e.At, props}
		}
	case *Property:
		k, v := Rewrite(e.Key, f), Rewrite(e.Value, f)
		if k != e.Key || v != e.Value {
			return &Property{e.At, k, v}
		}
	case *Array:
		if list, ok := rewriteAll(e.Items, f); ok {
			return &Array{e.At, list}
		}
	case *Ternary:
		c, t, x := Rewrite(e.Cond, f), Rewrite(e.Then, f), Rewrite(e.Else, f)
		if c != e.Cond || t != e.Then || x != e.Else {
			return &Ternary{e.At, c, t, x}
		}
	case *Binary:
		x, y := Rewrite(e.X, f), Rewrite(e.Y, f)
		if x != e.X || y != e.Y {
			return &Binary{e.At, e.Op, x, y}
		}
	case *Unary:
		if x := Rewrite(e.X, f); x != e.X {
			return &Unary{e.At, e.Op, x}
		}
	case *Call:
		if list, ok := rewriteAll(e.Args, f); ok {
			return &Call{e.At, e.Name, list, e.Expansion}
		}
	case *UserCall:
		if list, ok := rewriteAll(e.Args, f); ok {
			return &UserCall{e.At, e.Namespace, e.Name, e.Symbol, list}
		}
	case *ImportedUserCall:
		if list, ok := rewriteAll(e.Args, f); ok {
			return &ImportedUserCall{e.At, e.Symbol, list}
		}
	case *WildcardUserCall:
		if list, ok := rewriteAll(e.Args, f); ok {
			return &WildcardUserCall{e.At, e.Import, e.Name, list}
		}
	case *ResourceCall:
		r, _ := Rewrite(e.Resource, f).(*ResourceRef)
		list, ok := rewriteAll(e.Args, f)
		if ok || r != e.Resource {
			return &ResourceCall{e.At, r, e.Name, list}
		}
	case *Index:
		x, i := Rewrite(e.Base, f), Rewrite(e.Access, f)
		if x != e.Base || i != e.Access {
			return &Index{e.At, x, i, e.Flags}
		}
	case *PropertyAccess:
		if x := Rewrite(e.Base, f); x != e.Base {
			return &PropertyAccess{e.At, x, e.Name, e.Flags}
		}
	case *ModuleOutput:
		if x := Rewrite(e.Base, f); x != e.Base {
			return &ModuleOutput{e.At, x, e.Name, e.Secure, e.Flags}
		}
	case *ForLoop:
		x, b := Rewrite(e.X, f), Rewrite(e.Body, f)
		if x != e.X || b != e.Body {
			return &ForLoop{e.At, x, b, e.Name, e.BatchSize}
		}
	case *Condition:
		c, b := Rewrite(e.Cond, f), Rewrite(e.Body, f)
		if c != e.Cond || b != e.Body {
			return &Condition{e.At, c, b}
		}
	case *Lambda:
		if b := Rewrite(e.Body, f); b != e.Body {
			return &Lambda{e.At, e.Params, e.Types, b, e.Output}
		}
	case *KeyVaultReference:
		id, s, v := Rewrite(e.VaultID, f), Rewrite(e.Secret, f), Rewrite(e.Version, f)
		if id != e.VaultID || s != e.Secret || v != e.Version {
			return &KeyVaultReference{e.At, id, s, v}
		}
	}
	return e
}

func rewriteAll(list []Expr, f func(Expr) Expr) ([]Expr, bool) {
	var out []Expr
	for i, e := range list {
		r := Rewrite(e, f)
		if r != e && out == nil {
			out = append(make([]Expr, 0, len(list)), list[:i]...)
		}
		if out != nil {
			out = append(out, r)
		}
	}
	if out == nil {
		return list, false
	}
	return out, true
}
