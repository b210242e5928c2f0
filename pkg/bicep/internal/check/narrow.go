package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file and its neighbours (narrow_*.go) hold a value against the type that
// is expected of it. What does not fit is reported at the part of the value that
// is to blame; the result is the value's type as far as it is known then, which
// is never wider than what is expected.

// nodeReader is what narrowing asks about nodes. *Model answers.
type nodeReader interface {
	TypeOf(syntax.Node) types.Type
	Symbol(syntax.Node) bind.Symbol
	Parent(syntax.Node) syntax.Node
	// HasParseErrors reports whether the parser has found fault with the text of a node.
	HasParseErrors(syntax.Node) bool
}

// narrower narrows, and reports to one sink.
type narrower struct {
	nodes  nodeReader
	report diag.Sink
	// spreads are what has been spread into arrays so far: variables spread each other.
	spreads map[spreadItem]types.Type
}

// spreadItem is an array that is spread where items of a type are expected.
type spreadItem struct {
	x     syntax.Node
	item  types.Ref
	flags types.ValidationFlags
}

// narrowing says how a part of a value is looked at.
type narrowing struct {
	skipErrors   bool // error types are reported by others
	skipConstant bool // it is known already to be constant or not to have to be
	disallowAny  bool
	resource     bool // the value of a resource: its type may be inaccurate, so that most of what is wrong is only warned about
	// origin is the use of the variable whose value is looked at: what is wrong is reported there.
	origin *syntax.VarRef
	// mismatch, if set, reports a value that does not fit at all.
	mismatch func(target, actual types.Type, at syntax.Node)
	seen     *narrowedSet
}

// narrowedSet holds what is being looked at, so that types that contain
// themselves come to an end.
type narrowedSet struct {
	m     map[looking][][2]types.Type
	clean map[followed]types.Type
	lists map[narrowedList]bool
}

// narrowedList is a list that is being looked at, of which only the type is known.
type narrowedList struct {
	x              syntax.Node
	actual, target types.Type
}

// looking is what is looked at, and the digest of its type.
type looking struct {
	x      syntax.Node
	actual any
}

// followed is the value of a variable that was looked at through a use of it.
type followed struct {
	value                     syntax.Node
	actual                    types.Type
	target                    types.Ref
	bounded                   bool // target is an array that is not limited, and stands for its items
	skip, disallow, resources bool
}

// follow looks at the value of a variable instead of its use. A value in which
// nothing was wrong is not looked at again, however often it is used: each
// variable may use another twice.
func (n *narrower) follow(c narrowing, use *syntax.VarRef, value syntax.Node, actual, target types.Type, look func(*narrower, narrowing) types.Type) types.Type {
	key := followed{value: value, actual: actual, target: target, skip: c.skipConstant, disallow: c.disallowAny, resources: c.resource}
	if a, ok := target.(*types.Array); ok && a.MinLength == nil && a.MaxLength == nil && a.Flags() == 0 {
		key.target, key.bounded = a.Item, true
	}
	if t, ok := c.seen.clean[key]; ok {
		return t
	}
	said := false
	report := n.report
	inner := &narrower{nodes: n.nodes, spreads: n.spreads, report: func(d diag.Diagnostic) {
		said = true
		report(d)
	}}
	if mismatch := c.mismatch; mismatch != nil {
		c.mismatch = func(target, actual types.Type, at syntax.Node) {
			said = true
			mismatch(target, actual, at)
		}
	}
	c.origin = use
	t := look(inner, c)
	if !said {
		if c.seen.clean == nil {
			c.seen.clean = map[followed]types.Type{}
		}
		c.seen.clean[key] = t
	}
	return t
}

// add reports whether the triple is new.
func (s *narrowedSet) add(x syntax.Node, actual, target types.Type) bool {
	key := looking{x, types.Digest(actual)}
	for _, p := range s.m[key] {
		if types.Equal(p[0], actual) && types.Equal(p[1], target) {
			return false
		}
	}
	if s.m == nil {
		s.m = map[looking][][2]types.Type{}
	}
	s.m[key] = append(s.m[key], [2]types.Type{actual, target})
	return true
}

// narrowType checks an expression against the type that is expected of it.
// resource is set for the bodies of resources.
func narrowType(facts nodeReader, report diag.Sink, x syntax.Node, target types.Type, resource bool) types.Type {
	n := &narrower{nodes: facts, report: report}
	return n.narrow(narrowing{resource: resource, seen: &narrowedSet{}}, x, target)
}

func (n *narrower) narrow(c narrowing, x syntax.Node, target types.Type) types.Type {
	return n.narrowTo(c, x, n.nodes.TypeOf(x), target)
}

func (n *narrower) narrowTo(c narrowing, x syntax.Node, actual, target types.Type) types.Type {
	if c.disallowAny && actual.Kind() == types.KindAny {
		n.report(diag.BCP176.At(c.place(x).Span()))
		return target
	}
	if e, ok := actual.(*types.Error); ok && !c.skipErrors {
		for _, d := range e.Diags {
			n.report(d)
		}
		return target
	}

	switch t := target.(type) {
	case *types.Resource:
		return t.WithBody(n.narrow(c, x, t.Body.Type()))
	case *types.Module:
		return &types.Module{Name: t.Name, ParentScopes: t.ParentScopes, Body: n.narrow(c, x, t.Body.Type())}
	case *types.Test:
		return &types.Test{Name: t.Name, Body: n.narrow(c, x, t.Body.Type())}
	case types.ArrayLike:
		if loop, ok := x.(*syntax.For); ok {
			return types.NewTypedArray(n.narrow(c, loop.Body, t.ItemRef().Type()), nil, nil, 0)
		}
	case *types.Union:
		if collapsed := types.Collapse(t); collapsed != nil {
			target = collapsed
		}
	}

	if !types.AreAssignable(actual, target) {
		if nonNull, ok := types.AssignableIfNonNull(actual, target); ok {
			n.report(diag.BCP321.At(x.Span(), target.String(), "this one", actual.String()))
			return n.narrowTo(c, x, nonNull, target)
		}
		if c.mismatch != nil {
			c.mismatch(target, actual, x)
		} else {
			n.report(diag.BCP033.At(c.place(x).Span(), target.String(), actual.String()).As(severity(types.ShouldWarn(target))))
		}
		return target
	}
	return n.narrowFitting(c, x, actual, target)
}

// narrowFitting looks into a value whose type fits on the surface.
func (n *narrower) narrowFitting(c narrowing, x syntax.Node, actual, target types.Type) types.Type {
	switch t := target.(type) {
	case *types.AnyType:
		if t == types.TUnknown {
			return types.TAny
		}
	case *types.ResourceParam:
		return t
	case *types.Int:
		return n.narrowInt(c, x, actual, t)
	case *types.IntLiteral:
		return n.narrowIntLiteral(c, x, actual, t)
	case *types.String:
		return n.narrowString(c, x, actual, t)
	case *types.StringLiteral:
		return n.narrowStringLiteral(c, x, actual, t)
	case *types.Object:
		if r := n.narrowObject(c, unwrapCondition(x), actual, t); r != nil {
			return r
		}
	case *types.DiscriminatedObject:
		if r := n.narrowChoice(c, unwrapCondition(x), actual, t); r != nil {
			return r
		}
	case types.ArrayLike:
		if r := n.narrowArray(c, x, actual, t); r != nil {
			return r
		}
	}
	if use, ok := x.(*syntax.VarRef); ok {
		if value := n.valueOf(use); value != nil {
			return n.follow(c, use, value, nil, target, func(n *narrower, c narrowing) types.Type {
				return n.narrow(c, value, target)
			})
		}
	}
	switch t := target.(type) {
	case *types.Union:
		if u, ok := actual.(*types.Union); ok {
			return n.narrowUnion(c, x, u, t)
		}
		return n.narrowToUnion(c, x, actual, t)
	case *types.Lambda:
		if l, ok := x.(*syntax.Lambda); ok {
			return n.narrowLambda(c, l, t)
		}
	}
	return actual
}

// place is where something is reported: at the value, or at the use of the
// variable that holds it.
func (c *narrowing) place(x syntax.Node) syntax.Node {
	if c.origin != nil {
		return c.origin
	}
	return x
}

func severity(warn bool) diag.Severity {
	if warn {
		return diag.Warning
	}
	return diag.Error
}

func unwrapCondition(x syntax.Node) syntax.Node {
	if i, ok := x.(*syntax.If); ok {
		return i.Body
	}
	return x
}

// valueOf returns what a variable is declared as: the value of a var, or the
// declaration of a loop's or lambda's variable. It is nil for other names.
func (n *narrower) valueOf(use *syntax.VarRef) syntax.Node {
	switch s := n.nodes.Symbol(use).(type) {
	case *bind.Var:
		if v, ok := s.Decl().(*syntax.Var); ok {
			return v.Value
		}
	case *bind.Local:
		return s.Node
	}
	return nil
}

// sourceName names the declaration that a value comes from, if it is not
// written where it is used.
func (n *narrower) sourceName(c *narrowing) string {
	if c.origin == nil {
		return ""
	}
	if s, ok := n.nodes.Symbol(c.origin).(bind.Declared); ok {
		return s.Name()
	}
	return ""
}

// narrowLambda looks into a lambda that takes as many parameters as the target
// does: one that does not has not been found assignable.
func (n *narrower) narrowLambda(c narrowing, x *syntax.Lambda, target *types.Lambda) types.Type {
	ret := n.narrow(c, x.Body, target.Return.Type())
	params := make([]types.Ref, len(x.Params))
	for i, p := range x.Params {
		params[i] = n.narrow(c, p, target.Param(i).Type())
	}
	return types.NewLambda(params, nil, ret)
}
