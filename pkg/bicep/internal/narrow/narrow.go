// Package narrow checks an expression against the type that is expected of it.
//
// A value that does not fit is reported at the part that is wrong. The result is the
// type of the value as far as it is then known: it is never wider than the expected
// type. Types alone are compared by types.AreAssignable, which reports nothing. This
// package looks at the source text as well: at each item of an array, each property of
// an object, and the declarations of the variables that are used.
//
//   - narrow.go: the entry points, and the choice by the kind of the expected type
//   - scalar.go: integers and strings, their ranges, lengths and patterns
//   - array.go: arrays and tuples
//   - object.go: objects and discriminated objects
//   - union.go: unions
//   - mismatch.go: the reports of values that do not fit
//   - visited.go, pairs.go: what was checked already
//   - constant.go: compile-time constants
package narrow

import (
	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Nodes is what this package needs to know of the nodes of a file.
type Nodes interface {
	TypeOf(syntax.Node) types.Type
	Symbol(syntax.Node) bind.Symbol
	Parent(syntax.Node) syntax.Node
	// HasParseErrors reports whether the text of a node has syntax errors.
	HasParseErrors(syntax.Node) bool
}

// Checker checks the expressions of one file. It is not safe for concurrent use.
type Checker struct {
	nodes Nodes

	// Memory of earlier checks, which the next one uses again.
	free       []*visited
	trials     []*trial
	properties arena.Arena[types.Property]
	objects    arena.Arena[types.Object]
	resources  arena.Arena[types.Resource]
	nullable   map[types.Type]types.Type
	writables  map[*types.Object]*types.Object

	pairs  int // that were compared: see maxPairs
	proven map[typePair]types.Type
	clean  map[variableUse]types.Type // of checks in which nothing was wrong
}

// New returns a Checker for a file.
func New(nodes Nodes) *Checker { return &Checker{nodes: nodes} }

// Expression checks an expression against the type that is expected of it.
func (k *Checker) Expression(report diag.Sink, x syntax.Node, target types.Type) types.Type {
	return k.check(narrowing{}, report, x, target)
}

// Resource checks the value of a resource. Most of what is wrong there is a warning,
// since the resource's type may be inaccurate.
func (k *Checker) Resource(report diag.Sink, x syntax.Node, target types.Type) types.Type {
	return k.check(narrowing{resource: true}, report, x, target)
}

func (k *Checker) check(c narrowing, report diag.Sink, x syntax.Node, target types.Type) (t types.Type) {
	c.seen = k.begin()
	c.seen.sink = report
	c.seen.top = narrower{Checker: k, report: c.seen.count}
	defer endless(report, x, target, &t)
	c.seen.said = 0
	t = c.seen.top.narrow(c, x, target)
	k.learn(c.seen)
	k.end(c.seen)
	return t
}

// maxDepth bounds how deep the parts of one value are checked by their types alone. Only types that
// contain themselves get there, and the official compiler's stack ends about there, too.
const maxDepth = 4000

// tooDeep is what a check panics with that goes beyond maxDepth or maxPairs. Nothing else that it has found matters.
type tooDeep struct{}

// deeper is c for a part of a value at x. The part of a literal is a node of its own, so that its depth
// is that of the source.
func (c narrowing) deeper(x, part syntax.Node) narrowing {
	if x != part {
		return c
	}
	if c.depth++; c.depth > maxDepth {
		panic(tooDeep{})
	}
	c.seen.top.compare()
	return c
}

// endless ends a check that was too deep: it reports one finding, and the value is taken to be as expected.
func endless(report diag.Sink, x syntax.Node, target types.Type, result *types.Type) {
	switch fault := recover().(type) {
	case nil:
	case tooDeep:
		report(diag.RecursiveTypes.At(x.Span()))
		*result = target
	default:
		panic(fault)
	}
}

// orNull returns the choice between a type and null.
func (k *Checker) orNull(t types.Type) types.Type {
	return memo.In(&k.nullable, t, func() types.Type { return types.Nullable(t) })
}

// narrower narrows, and reports to one sink.
type narrower struct {
	*Checker
	report diag.Sink
	// spreads holds the types of spread arrays. Variables may spread each other, so
	// that without it the work would grow exponentially.
	spreads map[spreadItem]types.Type
	outer   *narrower // to which this one reports, if it does
	kept    bool      // a type that is found later needs it
}

// keep keeps a narrower, and what it uses, for a type that is found later.
func (n *narrower) keep(c *narrowing) {
	c.seen.top.kept = true
	for ; n != nil; n = n.outer {
		n.kept = true
	}
}

// spreadItem is an array that is spread into another, and the item type expected there.
type spreadItem struct {
	x     syntax.Node
	item  types.Ref
	flags types.ValidationFlags
}

// narrowing says how a part of a value is checked.
type narrowing struct {
	skipErrors   bool // error types are reported by others
	skipConstant bool // it was checked whether the value is constant, or need not be
	disallowAny  bool
	resource     bool // the value of a resource: most errors become warnings
	// origin is the use of the variable whose value is checked. Problems are reported there.
	origin   *syntax.VarRef
	mismatch mismatch
	seen     *visited
	depth    int // see maxDepth
}

// follow checks the value of a variable in place of its use. A value without
// problems is not checked again: if each variable uses another one twice, the work
// would grow exponentially. Nor is it in later checks: each use of the last of a chain of variables would follow
// the chain.
func (n *narrower) follow(c narrowing, use *syntax.VarRef, value syntax.Node,
	actual, target types.Type, look func(*narrower, narrowing) types.Type) types.Type {
	key := variableUse{value: value, actual: actual, target: target,
		errors: c.skipErrors, skip: c.skipConstant, disallow: c.disallowAny, resources: c.resource}
	if a, ok := target.(*types.Array); ok && a.MinLength == nil && a.MaxLength == nil && a.Flags() == 0 {
		key.target, key.itemOnly = a.Item, true
	}
	if t, ok := c.seen.clean[key]; ok {
		return t
	}
	if t, ok := n.clean[key]; ok {
		return t
	}
	said := false
	report := n.report
	inner := &narrower{Checker: n.Checker, spreads: n.spreads, outer: n, report: func(d diag.Diagnostic) {
		said = true
		report(d)
	}}
	if outer := c.mismatch; outer.kind != notSpecial {
		c.mismatch = mismatch{kind: ofVariable, variable: &outer, said: &said}
	}
	c.origin = use
	t := look(inner, c)
	if !said {
		if c.seen.clean == nil {
			c.seen.clean = map[variableUse]types.Type{}
		}
		c.seen.clean[key] = t
	}
	return t
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
		r := n.resources.New(*t)
		r.Body = n.narrow(c, x, t.Body.Type())
		return r
	case *types.Module:
		return &types.Module{Name: t.Name, ParentScopes: t.ParentScopes, Body: n.narrow(c, x, t.Body.Type())}
	case *types.Test:
		return &types.Test{Name: t.Name, Body: n.narrow(c, x, t.Body.Type())}
	case *types.Array, *types.Tuple:
		if loop, ok := x.(*syntax.For); ok {
			return types.NewTypedArray(n.narrow(c, loop.Body, types.UnwrapArray(t)), nil, nil, 0)
		}
	case *types.Union:
		collapsed := types.Collapse(t)
		if types.IsEndless(collapsed) {
			n.report(diag.RecursiveTypes.At(c.place(x).Span()))
			return target
		}
		if collapsed != nil {
			target = collapsed
		}
	}

	if !types.AreAssignable(actual, target) {
		if nonNull, ok := types.AssignableIfNonNull(actual, target); ok {
			n.report(diag.BCP321.At(x.Span(), target.String(), "this value", actual.String()))
			return n.narrowTo(c, x, nonNull, target)
		}
		if c.mismatch.kind != notSpecial {
			n.mismatched(&c.mismatch, target, actual, x)
		} else {
			n.report(following(diag.BCP033.At(c.place(x).Span(), target.String(), actual.String()).As(severity(types.ShouldWarn(target))),
				target, actual))
		}
		return target
	}
	return n.narrowFitting(c, x, actual, target)
}

// narrowFitting checks the parts of a value whose type is assignable.
func (n *narrower) narrowFitting(c narrowing, x syntax.Node, actual, target types.Type) types.Type {
	switch t := target.(type) {
	case *types.AnyType:
		if types.IsUnknown(t) {
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
		if r := n.narrowDiscriminated(c, unwrapCondition(x), actual, t); r != nil {
			return r
		}
	case *types.Array:
		if r := n.narrowArray(c, x, actual, t); r != nil {
			return r
		}
	case *types.Tuple:
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

// valueOf returns the value of a var, or the declaration of a loop's or lambda's
// variable. It is nil for other names.
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
func (n *narrower) sourceName(c *narrowing) string { return n.nameOf(c.origin) }

func (n *narrower) nameOf(origin *syntax.VarRef) string {
	if origin == nil {
		return ""
	}
	if s, ok := n.nodes.Symbol(origin).(bind.Declared); ok {
		return s.Name()
	}
	return ""
}

// narrowLambda checks a lambda. It has as many parameters as the target: otherwise it
// would not have been assignable.
func (n *narrower) narrowLambda(c narrowing, x *syntax.Lambda, target *types.Lambda) types.Type {
	ret := n.narrow(c, x.Body, target.Return.Type())
	params := make([]types.Ref, len(x.Params))
	for i, p := range x.Params {
		params[i] = n.narrow(c, p, target.Param(i).Type())
	}
	return types.NewLambda(params, nil, ret)
}
