package types_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

func TestUnionNamesAndOrder(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		members []types.Ref
		want    string
	}{
		{"sorted by name", []types.Ref{types.Str("b"), types.Str("a"), types.TNull}, "'a' | 'b' | null"},
		{"doubles dropped", []types.Ref{types.Str("a"), types.Str("a")}, "'a'"},
		{"nothing", nil, "never"},
		{"any swallows", []types.Ref{types.Str("a"), types.TAny}, "any"},
		{"flattened", []types.Ref{types.NewUnion(types.TInt, types.TString), types.TBool}, "bool | int | string"},
		{"plain array swallows arrays", []types.Ref{types.NewTypedArray(types.TInt, nil, nil, 0), types.TArray, types.NewTuple([]types.Ref{types.TInt}, 0)}, "array"},
		{"integers by name", []types.Ref{types.NewIntLiteral(2, 0), types.NewIntLiteral(10, 0)}, "10 | 2"},
		{"upper case first", []types.Ref{types.Str("a"), types.Str("B")}, "'B' | 'a'"},
		{"UTF-16 order from the first of two units", []types.Ref{types.Str("\uFFFD"), types.Str("\U00010000")}, "'\U00010000' | '\uFFFD'"},
		{"UTF-16 order", []types.Ref{types.Str("\uFFFD"), types.Str("\U0001F600")}, "'\U0001F600' | '\uFFFD'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, types.NewUnion(tt.members...).String())
		})
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	ab := types.NewUnion(types.Str("a"), types.Str("b"))
	choice := func(name string) types.Type { return types.NewDiscriminatedObject(name, 0, "kind", nil) }
	tests := []struct {
		t    types.Type
		want string
	}{
		{types.NewTypedArray(ab, nil, nil, 0), "('a' | 'b')[]"},
		{types.NewTypedArray(types.TAny, nil, nil, 0), "array"},
		{types.NewTypedArray(choice("cat | dog"), nil, nil, 0), "(cat | dog)[]"},
		{types.NewTypedArray(choice("pet"), nil, nil, 0), "pet[]"},
		{types.NewTuple(nil, 0), "<empty array>"},
		{types.NewTuple([]types.Ref{types.TInt, ab}, 0), "[int, 'a' | 'b']"},
		{types.NewLambda([]types.Ref{types.TAny}, []types.Ref{types.TInt}, types.TBool), "(any[, int]) => bool"},
		{types.NewLambda(nil, nil, types.TBool), "() => bool"},
		{types.NewLambda([]types.Ref{ab}, nil, ab), "('a' | 'b') => ('a' | 'b')"},
		{types.Str("it's ${x} $y\n"), `'it\'s \${x} $y\n'`},
		{types.TDependsOn, "(module[] | (resource | module) | resource[])[]"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, tt.t.String())
	}
}

func TestResourceTypeReference(t *testing.T) {
	t.Parallel()
	for s, ok := range map[string]bool{
		"Microsoft.Storage/storageAccounts@2021-01-01": true,
		"a":              true,
		"a/b":            true,
		"a@":             false,
		"a@1":            false,
		"a/@2020":        false,
		"":               false,
		"a b@2020-01-01": false,
	} {
		assert.Equal(t, ok, types.ParseResourceType(s) != nil, "%q", s)
	}
	parent := types.ParseResourceType("My.Rp/as@2020-01-01")
	child := parent.Child(types.ParseResourceType("bs"))
	require.Equal(t, "My.Rp/as/bs@2020-01-01", child.Name(), "child is %s", child)
	require.True(t, parent.IsParentOf(child), "child is %s", child)
	require.False(t, child.IsParentOf(parent), "child is %s", child)
}

func TestAssignability(t *testing.T) {
	t.Parallel()
	a, ab := types.Str("a"), types.NewUnion(types.Str("a"), types.Str("b"))
	tests := []struct {
		from, to types.Type
		want     bool
	}{
		{a, types.TString, true},
		{types.TString, a, false},
		{types.TLooseString, a, true},
		{a, ab, true},
		{ab, a, false},
		{types.TNull, types.TString, false},
		{types.TNull, types.Nullable(types.TString), true},
		{types.TNever, types.TString, true},
		{types.TString, types.TNever, false},
		{types.NewError(), types.TAny, false},
		{types.NewTuple(nil, 0), types.TArray, true},
		{types.TObject, types.TArray, false},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, types.AreAssignable(tt.from, tt.to), "%s -> %s", tt.from, tt.to)
	}
}

func TestPlainArray(t *testing.T) {
	t.Parallel()
	for _, item := range []types.Ref{types.TAny, types.TUnknown} {
		a := types.NewArray(item, nil, nil, 0)
		assert.True(t, a == types.ArrayLike(types.TArray), "an array of %s is %#v", item, a)
	}
	a, ok := types.NewArray(types.TAny, types.Len(1), nil, 0).(*types.Array)
	require.True(t, ok, "an array of at least one is %#v", a)
	require.True(t, a.Untyped(), "an array of at least one is %#v", a)
	require.NotNil(t, a.MinLength, "an array of at least one is %#v", a)
	assert.Equal(t, "<empty array>", types.NewArray(types.TInt, types.Len(0), types.Len(0), 0).String(), "an array of at most none")
}

func TestStringifiedLength(t *testing.T) {
	t.Parallel()
	const open = -1
	tests := []struct {
		t      types.Type
		lo, hi int64
	}{
		{types.Str("aé😀"), 4, 4},
		{types.TTrue, 4, 4},
		{types.TBool, 4, 5},
		{types.NewIntLiteral(-10, 0), 3, 3},
		{between(5, 100), 1, 3},
		{between(-100, -5), 2, 4},
		{between(-5, 100), 1, 3},
		{types.TInt, 1, 20},
		{types.TString, 0, open},
		{types.NewString(types.Len(2), types.Len(7), "", 0), 2, 7},
		{types.NewUnion(types.Str("ab"), types.Str("abcd"), types.NewIntLiteral(1, 0)), 1, 4},
		{types.NewUnion(types.NewString(types.Len(2), nil, "", 0), types.TTrue), 2, open},
		{types.NewUnion(types.TInt, types.NewString(types.Len(2), nil, "", 0)), 1, open},
		{types.TArray, 2, open},
		{types.TObject, 2, open},
		{types.TNever, 0, 0},
	}
	for _, tt := range tests {
		lo, hi := types.StringifiedLength(tt.t)
		got := int64(open)
		if hi != nil {
			got = *hi
		}
		if lo != tt.lo || got != tt.hi {
			t.Errorf("%s: got %d to %d, want %d to %d", describe(tt.t), lo, got, tt.lo, tt.hi)
		}
	}
}
