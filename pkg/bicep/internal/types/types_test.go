package types_test

import (
	"testing"

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
		{"UTF-16 order", []types.Ref{types.Str("\uFFFD"), types.Str("\U0001F600")}, "'\U0001F600' | '\uFFFD'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := types.NewUnion(tt.members...).String(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	ab := types.NewUnion(types.Str("a"), types.Str("b"))
	tests := []struct {
		t    types.Type
		want string
	}{
		{types.NewTypedArray(ab, nil, nil, 0), "('a' | 'b')[]"},
		{types.NewTypedArray(types.TAny, nil, nil, 0), "array"},
		{types.NewTuple(nil, 0), "<empty array>"},
		{types.NewTuple([]types.Ref{types.TInt, ab}, 0), "[int, 'a' | 'b']"},
		{types.NewLambda([]types.Ref{types.TAny}, []types.Ref{types.TInt}, types.TBool), "(any[, int]) => bool"},
		{types.NewLambda(nil, nil, types.TBool), "() => bool"},
		{types.NewLambda([]types.Ref{ab}, nil, ab), "('a' | 'b') => ('a' | 'b')"},
		{types.Str("it's ${x} $y\n"), `'it\'s \${x} $y\n'`},
		{types.TDependsOn, "(module[] | (resource | module) | resource[])[]"},
	}
	for _, tt := range tests {
		if got := tt.t.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
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
		if got := types.ParseResourceType(s) != nil; got != ok {
			t.Errorf("%q: got %v", s, got)
		}
	}
	parent := types.ParseResourceType("My.Rp/as@2020-01-01")
	child := parent.Child(types.ParseResourceType("bs"))
	if child.Name() != "My.Rp/as/bs@2020-01-01" || !parent.IsParentOf(child) || child.IsParentOf(parent) {
		t.Errorf("child is %s", child)
	}
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
		if got := types.AreAssignable(tt.from, tt.to); got != tt.want {
			t.Errorf("%s -> %s: got %v", tt.from, tt.to, got)
		}
	}
}
