package namespaces

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// table collects the overloads of a namespace.
type table struct{ list []*types.FunctionOverload }

func (t *table) add(name string, ret types.Type, params ...types.Param) *overload {
	o := &overload{types.FunctionOverload{Name: name, Return: ret, Params: params}}
	t.list = append(t.list, &o.FunctionOverload)
	return o
}

// overload is an overload being described.
type overload struct{ types.FunctionOverload }

func (o *overload) many(t types.Type, least int) *overload {
	o.Variadic = &types.Variadic{Type: t, Min: least, Flags: types.ParamRequired}
	return o
}

// of returns the functions that a release of Bicep has.
func (t *table) of(v release.Version) []*types.FunctionOverload {
	return slices.DeleteFunc(t.list, func(o *types.FunctionOverload) bool { return !v.Has(functionSince(o.Name)) })
}

// functionSince returns the fact that brought a function.
func functionSince(name string) release.Fact {
	switch name {
	case "roleDefinitions":
		return release.RoleDefinitions
	case "distinct", "like":
		return release.DistinctAndLike
	case "getRoleAssignmentName":
		return release.RoleAssignmentName
	}
	return release.Always
}

func (o *overload) flags(f types.FunctionFlags) *overload {
	o.Flags |= f
	return o
}

// result sets how the type of a call is found.
func (o *overload) result(f func(ctx types.CallContext, args []types.Type) types.FunctionResult) *overload {
	o.Result = f
	return o
}

// typed sets how the type of a call follows from those of its arguments.
func (o *overload) typed(f func(args []types.Type) types.Type) {
	o.Result = func(_ types.CallContext, args []types.Type) types.FunctionResult {
		return types.FunctionResult{Type: f(args)}
	}
}

// folds makes calls whose arguments are constants have the type of their value.
func (o *overload) folds() {
	o.foldsOr(func([]types.Type) types.Type { return o.Return })
}

// foldsOr is folds, with another type for calls whose arguments are not constants.
func (o *overload) foldsOr(otherwise func(args []types.Type) types.Type) *overload {
	name := o.Name
	return o.result(func(ctx types.CallContext, args []types.Type) types.FunctionResult {
		t, failure := types.Fold(name, args)
		if t == nil {
			t = otherwise(args)
		}
		if failure != nil {
			ctx.Report(failure.At(argumentsSpan(ctx)))
		}
		return types.FunctionResult{Type: t}
	})
}

// argumentsSpan covers the arguments of a call, or the parentheses if there are none.
func argumentsSpan(ctx types.CallContext) source.Span {
	if args := ctx.Args(); len(args) > 0 {
		return args[0].Span().Cover(args[len(args)-1].Span())
	}
	switch c := ctx.Call().(type) {
	case *syntax.Call:
		return c.Open.Cover(c.Close)
	case *syntax.InstanceCall:
		return c.Open.Cover(c.Close)
	}
	return ctx.Call().Span()
}

// callName returns where the name of the called function is.
func callName(ctx types.CallContext) source.Span {
	switch c := ctx.Call().(type) {
	case *syntax.Call:
		return c.Name.Span()
	case *syntax.InstanceCall:
		return c.Name.Span()
	}
	return ctx.Call().Span()
}

func req(name string, t types.Type) types.Param {
	return types.Param{Name: name, Type: t, Flags: types.ParamRequired}
}

func opt(name string, t types.Type) types.Param { return types.Param{Name: name, Type: t} }

// constant is a parameter that takes a compile-time constant.
func constant(p types.Param) types.Param {
	p.Flags |= types.ParamConstant
	return p
}

// lambda is a parameter that takes a lambda, the type of which depends on the other arguments.
func lambda(p types.Param, expected func(arg func(int) types.Type) types.Type) types.Param {
	p.Expected = func(arg func(int) types.Type, _ func() types.Type) types.Type { return expected(arg) }
	return p
}

func lambdaOf(ret types.Type, params ...types.Type) *types.Lambda {
	refs := make([]types.Ref, len(params))
	for i, p := range params {
		refs[i] = p
	}
	return types.NewLambda(refs, nil, ret)
}

// indexed is a lambda that may also take the index.
func indexed(ret, index types.Type, params ...types.Type) *types.Lambda {
	l := lambdaOf(ret, params...)
	l.Optional = []types.Ref{index}
	return l
}

func objectOf(name string, ps ...types.Property) *types.Object {
	return types.NewObject(name, 0, ps, nil)
}

func prop(name string, t types.Ref) types.Property { return types.Property{Name: name, Type: t} }

func stringProps(names ...string) []types.Property {
	ps := make([]types.Property, len(names))
	for i, n := range names {
		ps[i] = prop(n, types.TString)
	}
	return ps
}

func union(members ...types.Type) types.Type {
	refs := make([]types.Ref, len(members))
	for i, m := range members {
		refs[i] = m
	}
	return types.NewUnion(refs...)
}

func arrayOf(item types.Ref) *types.Array { return types.NewTypedArray(item, nil, nil, 0) }

// literal returns the only string of a type.
func literal(t types.Type) (string, bool) {
	s, ok := t.(*types.StringLiteral)
	if !ok {
		return "", false
	}
	return s.Value, true
}
