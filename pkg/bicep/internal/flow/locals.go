package flow

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// Scope returns what declares a local variable (a loop, a lambda or a function)
// and the body in which the variable can be used.
func (f *Analysis) Scope(l *bind.Local) (decl, body syntax.Node) {
	for n := f.binding.Parent(l.Node); n != nil; n = f.binding.Parent(n) {
		switch n := n.(type) {
		case *syntax.For:
			return n, n.Body
		case *syntax.Lambda:
			return n, n.Body
		case *syntax.TypedLambda:
			return n, n.Body
		}
	}
	return nil, nil
}

// Loop returns the loop that declares a local variable, or nil.
func (f *Analysis) Loop(l *bind.Local) *syntax.For {
	decl, _ := f.Scope(l)
	loop, _ := decl.(*syntax.For)
	return loop
}

// LocalsIn returns the local variables that n uses, in the order of their first use.
func (f *Analysis) LocalsIn(n syntax.Node) []*bind.Local {
	var list []*bind.Local
	syntax.Walk(n, func(n syntax.Node) bool {
		if ref, ok := n.(*syntax.VarRef); ok {
			if l, ok := f.Model.Symbol(ref).(*bind.Local); ok && !slices.Contains(list, l) {
				list = append(list, l)
			}
		}
		return true
	})
	return list
}

// LostLocals returns the locals that n uses and that would be undefined if n were moved to
// the place of another node.
func (f *Analysis) LostLocals(n, at syntax.Node) []*bind.Local {
	list := f.LocalsIn(n)
	return slices.DeleteFunc(list, func(l *bind.Local) bool { return f.reaches(l, n, at) })
}

// reaches reports whether l can still be used in n once n is where at is.
func (f *Analysis) reaches(l *bind.Local, n, at syntax.Node) bool {
	decl, body := f.Scope(l)
	return Within(at, body) || Within(decl, n)
}

// Within reports whether n is outer or is inside it. Both are of one file.
func Within(n, outer syntax.Node) bool {
	if n == outer {
		return true
	}
	in, out := n.Span(), outer.Span()
	return in.Start >= out.Start && in.End <= out.End && in.Len() < out.Len()
}
