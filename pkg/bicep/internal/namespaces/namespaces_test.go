package namespaces_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// load returns the namespaces that an empty file sees.
func load(t testing.TB, scope types.ResourceScope, kind graph.Kind) map[string]*types.Namespace {
	t.Helper()
	f := &graph.File{Kind: kind, Tree: &syntax.File{}, Config: config.BuiltIn(), Implicit: []graph.ImplicitExtension{{Name: "az", BuiltIn: "az"}}}
	out := map[string]*types.Namespace{}
	for _, n := range namespaces.NewProvider(namespaces.Options{}).Namespaces(f, scope) {
		out[n.Name] = n.Type.(*types.Namespace)
	}
	return out
}

func TestVisibility(t *testing.T) {
	t.Parallel()
	has := func(ns *types.Namespace, name string, args int) bool {
		f := ns.Methods.Find(name)
		return f != nil && slices.ContainsFunc(f.Overloads, func(o *types.FunctionOverload) bool { return len(o.Params) == args })
	}
	for _, c := range []struct {
		scope    types.ResourceScope
		kind     graph.Kind
		ns, name string
		args     int
		want     bool
	}{
		{types.ScopeResourceGroup, graph.Bicep, "az", "resourceGroup", 0, true},
		{types.ScopeSubscription, graph.Bicep, "az", "resourceGroup", 0, false},
		{types.ScopeSubscription, graph.Bicep, "az", "resourceGroup", 1, true},
		{types.ScopeTenant, graph.Bicep, "az", "resourceGroup", 1, false},
		{types.ScopeTenant, graph.Bicep, "az", "resourceGroup", 2, true},
		{types.ScopeTenant, graph.Bicep, "az", "subscription", 0, false},
		{types.ScopeManagementGroup, graph.Bicep, "az", "managementGroup", 0, true},
		{types.ScopeResourceGroup | types.ScopeSubscription, graph.Bicep, "az", "resourceGroup", 0, false},
		{types.ScopeLocal, graph.Bicep, "az", "environment", 0, false},
		{types.ScopeLocal, graph.Bicep, "az", "subscription", 1, true},
		{types.ScopeResourceGroup, graph.Params, "az", "resourceGroup", 0, false},
		{types.ScopeResourceGroup, graph.Params, "az", "getSecret", 5, true},
		{types.ScopeResourceGroup, graph.Bicep, "az", "getSecret", 5, false},
		{types.ScopeResourceGroup, graph.Bicep, "az", "listAnything", 3, true},
		{types.ScopeResourceGroup, graph.Bicep, "az", "list2", 3, false},
		{types.ScopeResourceGroup, graph.Bicep, "sys", "readEnvironmentVariable", 2, false},
		{types.ScopeResourceGroup, graph.Params, "sys", "readEnvironmentVariable", 2, true},
		{types.ScopeResourceGroup, graph.Params, "sys", "readEnvVar", 1, false},
	} {
		assert.Equal(t, c.want, has(load(t, c.scope, c.kind)[c.ns], c.name, c.args), "%s/%d: %s.%s with %d parameters", c.scope, c.kind, c.ns, c.name, c.args)
	}
	d := load(t, types.ScopeResourceGroup, graph.Params)["sys"].Decorator
	require.NotNil(t, d.Find("description"), "a parameter file has other decorators than @description")
	require.Nil(t, d.Find("secure"), "a parameter file has other decorators than @description")
}

// Results of calls whose arguments are not constants.
func TestResults(t *testing.T) {
	t.Parallel()
	sys := load(t, types.ScopeResourceGroup, graph.Bicep)["sys"]
	n := types.Len
	str := func(lo, hi *int64) types.Type { return types.NewString(lo, hi, "", 0) }
	num := func(lo, hi *int64) types.Type { return types.NewInt(lo, hi, 0) }
	arr := func(item types.Type, lo, hi *int64) types.Type { return types.NewArray(item, lo, hi, 0) }
	tuple := func(items ...types.Type) types.Type {
		refs := make([]types.Ref, len(items))
		for i, t := range items {
			refs[i] = t
		}
		return types.NewTuple(refs, 0)
	}
	object := types.NewObject("o", 0, []types.Property{
		{Name: "a", Type: types.TString, Flags: types.Required}, {Name: "b", Type: types.TInt}, {Name: "w", Type: types.TBool, Flags: types.WriteOnly}}, nil)
	for _, c := range []struct {
		name string
		args []types.Type
		want types.Type
	}{
		{"concat", []types.Type{tuple(types.TInt), tuple(types.TString)}, tuple(types.TInt, types.TString)},
		{"concat", []types.Type{arr(types.TInt, n(1), n(2)), arr(types.TString, nil, n(3))}, arr(types.NewUnion(types.TInt, types.TString), n(1), n(5))},
		{"length", []types.Type{arr(types.TInt, n(2), nil)}, num(n(2), nil)},
		{"length", []types.Type{str(n(3), n(4))}, num(n(3), n(4))},
		{"length", []types.Type{object}, num(n(1), n(3))},
		{"take", []types.Type{str(n(5), n(9)), types.NewIntLiteral(3, 0)}, str(n(3), n(3))},
		{"take", []types.Type{tuple(types.TInt, types.TBool), types.NewIntLiteral(1, 0)}, tuple(types.TInt)},
		{"skip", []types.Type{str(n(5), n(9)), types.NewIntLiteral(3, 0)}, str(n(2), n(6))},
		{"skip", []types.Type{arr(types.TInt, n(5), n(9)), num(n(1), n(2))}, arr(types.TInt, n(3), n(8))},
		{"first", []types.Type{arr(types.TInt, nil, nil)}, types.NewUnion(types.TNull, types.TInt)},
		{"last", []types.Type{tuple(types.TInt, types.TBool)}, types.TBool},
		{"first", []types.Type{str(n(4), nil)}, str(n(1), n(1))},
		{"min", []types.Type{num(n(1), n(9)), num(n(4), n(5))}, num(n(1), n(5))},
		{"max", []types.Type{tuple(num(n(1), n(9)), num(n(4), nil))}, num(n(4), nil)},
		{"range", []types.Type{types.NewIntLiteral(2, 0), types.NewIntLiteral(3, 0)}, arr(num(n(2), n(4)), n(3), n(3))},
		{"substring", []types.Type{str(n(4), n(8)), types.NewIntLiteral(2, 0)}, str(n(2), n(6))},
		{"padLeft", []types.Type{str(n(1), n(3)), types.NewIntLiteral(5, 0)}, str(n(5), n(5))},
		{"join", []types.Type{arr(str(n(2), n(3)), n(2), n(4)), str(n(2), n(2))}, str(n(6), n(18))},
		{"items", []types.Type{object}, types.NewTypedArray(types.NewObject("object", 0, []types.Property{
			{Name: "key", Type: types.NewUnion(types.Str("a"), types.Str("b"))}, {Name: "value", Type: types.TAny}}, nil), nil, nil, 0)},
		{"objectKeys", []types.Type{object}, types.NewTypedArray(types.NewUnion(types.Str("a"), types.Str("b")), nil, nil, 0)},
		{"filter", []types.Type{tuple(types.TInt, types.TBool), types.TAny}, types.NewTypedArray(types.NewUnion(types.TInt, types.TBool), nil, n(2), 0)},
	} {
		matches, _, _ := types.MatchOverloads(sys.Methods.Find(c.name).Overloads, c.args)
		if len(matches) == 0 {
			t.Errorf("%s%v: no overload", c.name, c.args)
			continue
		}
		got := matches[0].ResultOf(nil, c.args).Type
		if got, want := show(got), show(c.want); got != want {
			t.Errorf("%s%v: %s, want %s", c.name, c.args, got, want)
		}
	}
}

// show writes a type with its bounds.
func show(t types.Type) string {
	bound := func(lo, hi *int64) string {
		s := "["
		if lo != nil {
			s += fmt.Sprint(*lo)
		}
		s += ".."
		if hi != nil {
			s += fmt.Sprint(*hi)
		}
		return s + "]"
	}
	switch t := t.(type) {
	case *types.String:
		return "string" + bound(t.MinLength, t.MaxLength)
	case *types.Int:
		return "int" + bound(t.Min, t.Max)
	case *types.Array:
		return "(" + show(t.Item.Type()) + ")" + bound(t.MinLength, t.MaxLength)
	case *types.Object:
		s := "{"
		for _, p := range t.Properties() {
			s += p.Name + " " + show(p.Type.Type()) + " "
		}
		return s + "}"
	}
	return t.String()
}

func BenchmarkNamespaces(b *testing.B) {
	f := &graph.File{Tree: &syntax.File{}, Config: config.BuiltIn(), Implicit: []graph.ImplicitExtension{{Name: "az", BuiltIn: "az"}}}
	b.ReportAllocs()
	for b.Loop() {
		namespaces.NewProvider(namespaces.Options{}).Namespaces(f, types.ScopeResourceGroup)
	}
}
