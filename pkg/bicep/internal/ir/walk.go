package ir

import "fmt"

// Walk calls visit for e and everything below it, parents first. If visit returns
// false, the parts of that node are skipped. Walk is for expressions: it panics on a
// declaration or a type. The types of a lambda and the indexes of resources and modules
// are not visited.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	mapParts(e, func(part Expr) Expr {
		Walk(part, visit)
		return part
	})
}

// Rewrite returns e with some of its parts replaced. It calls replace for e and
// everything below it, parents first. If replace returns nil, Rewrite goes on with the
// parts of that node; otherwise the result takes the node's place. Nodes without changes
// are shared with e. Rewrite visits the same nodes as Walk.
func Rewrite(e Expr, replace func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	if r := replace(e); r != nil {
		return r
	}
	return mapParts(e, func(part Expr) Expr { return Rewrite(part, replace) })
}

// mapParts returns e with f applied to each of its parts, in the order in which they
// are written. It returns e itself if nothing changes. This is the one place that knows
// the parts of every expression.
func mapParts(e Expr, f func(Expr) Expr) Expr {
	switch e := e.(type) {
	case *Bool, *Int, *String, *Null, *ResourceRef, *ModuleRef, *VarRef, *ImportedVarRef, *WildcardVarRef,
		*ParamRef, *ParamAssignRef, *LambdaVarRef, *ExtensionRef, *ExtensionConfigRef, *CopyIndex:
	case *Interpolated:
		if list, changed := mapList(e.Exprs, f); changed {
			c := *e
			c.Exprs = list
			return &c
		}
	case *Object:
		if list, changed := mapList(e.Props, f); changed {
			return &Object{e.At, list}
		}
	case *Property:
		if key, value := f(e.Key), f(e.Value); key != e.Key || value != e.Value {
			return &Property{e.At, key, value}
		}
	case *Array:
		if list, changed := mapList(e.Items, f); changed {
			return &Array{e.At, list}
		}
	case *Ternary:
		if cond, yes, no := f(e.Cond), f(e.Then), f(e.Else); cond != e.Cond || yes != e.Then || no != e.Else {
			return &Ternary{e.At, cond, yes, no}
		}
	case *Binary:
		if x, y := f(e.X), f(e.Y); x != e.X || y != e.Y {
			return &Binary{e.At, e.Op, x, y}
		}
	case *Unary:
		if x := f(e.X); x != e.X {
			return &Unary{e.At, e.Op, x}
		}
	case *Call:
		if list, changed := mapList(e.Args, f); changed {
			c := *e
			c.Args = list
			return &c
		}
	case *UserCall:
		if list, changed := mapList(e.Args, f); changed {
			c := *e
			c.Args = list
			return &c
		}
	case *ImportedUserCall:
		if list, changed := mapList(e.Args, f); changed {
			return &ImportedUserCall{e.At, e.Symbol, list}
		}
	case *WildcardUserCall:
		if list, changed := mapList(e.Args, f); changed {
			c := *e
			c.Args = list
			return &c
		}
	case *ResourceCall:
		r := f(e.Resource).(*ResourceRef)
		list, changed := mapList(e.Args, f)
		if changed || r != e.Resource {
			return &ResourceCall{e.At, r, e.Name, list}
		}
	case *Index:
		if base, index := f(e.Base), f(e.Access); base != e.Base || index != e.Access {
			return &Index{e.At, base, index, e.Flags}
		}
	case *PropertyAccess:
		if base := f(e.Base); base != e.Base {
			return &PropertyAccess{e.At, base, e.Name, e.Flags}
		}
	case *ModuleOutput:
		if base := f(e.Base); base != e.Base {
			c := *e
			c.Base = base
			return &c
		}
	case *ForLoop:
		if x, body := f(e.X), f(e.Body); x != e.X || body != e.Body {
			c := *e
			c.X, c.Body = x, body
			return &c
		}
	case *Condition:
		if cond, body := f(e.Cond), f(e.Body); cond != e.Cond || body != e.Body {
			return &Condition{e.At, cond, body}
		}
	case *Lambda:
		if body := f(e.Body); body != e.Body {
			c := *e
			c.Body = body
			return &c
		}
	case *KeyVaultReference:
		if id, secret, version := f(e.VaultID), f(e.Secret), f(e.Version); id != e.VaultID || secret != e.Secret || version != e.Version {
			return &KeyVaultReference{e.At, id, secret, version}
		}
	default:
		panic(fmt.Sprintf("ir: %T is not an expression", e))
	}
	return e
}

// mapList applies f to each element, and reports whether one of them changed. If none
// did, it returns the list itself.
func mapList[T interface {
	comparable
	Expr
}](list []T, f func(Expr) Expr) ([]T, bool) {
	var changed []T
	for i, e := range list {
		r, _ := f(e).(T)
		if r != e && changed == nil {
			changed = append(make([]T, 0, len(list)), list[:i]...)
		}
		if changed != nil {
			changed = append(changed, r)
		}
	}
	if changed == nil {
		return list, false
	}
	return changed, true
}
