package types_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/internal/cputime"
)

func object(name string, additional *types.Property, properties ...types.Property) *types.Object {
	return types.NewObject(name, 0, properties, additional)
}

func prop(name string, t types.Ref, flags types.PropertyFlags) types.Property {
	return types.Property{Name: name, Type: t, Flags: flags}
}

func between(lo, hi int64) types.Type { return types.NewInt(&lo, &hi, 0) }

func describe(t types.Type) string {
	switch t := t.(type) {
	case nil:
		return "none"
	case *types.Int:
		s := "int"
		if t.Min != nil {
			s += ">=" + types.NewIntLiteral(*t.Min, 0).String()
		}
		if t.Max != nil {
			s += "<=" + types.NewIntLiteral(*t.Max, 0).String()
		}
		return s
	case *types.String:
		s := "string"
		if t.MinLength != nil {
			s += ">=" + types.NewIntLiteral(*t.MinLength, 0).String()
		}
		if t.MaxLength != nil {
			s += "<=" + types.NewIntLiteral(*t.MaxLength, 0).String()
		}
		return s
	case *types.Union:
		if len(t.Members) == 0 {
			return "never"
		}
		s := ""
		for i, m := range t.Members {
			if i > 0 {
				s += " | "
			}
			s += describe(m.Type())
		}
		return s
	}
	return t.String()
}

func TestCollapse(t *testing.T) {
	t.Parallel()
	cat := object("cat", nil, prop("kind", types.Str("cat"), types.Required), prop("meow", types.TInt, 0))
	dog := object("dog", nil, prop("kind", types.Str("dog"), types.Required))
	plain := object("plain", nil, prop("a", types.TInt, types.Required))
	other := object("other", nil, prop("a", types.TString, types.Required), prop("b", types.TBool, types.Required))
	scope := object("scope", nil)
	scope.SetScope(types.ScopeSubscription, nil)
	tests := []struct {
		name    string
		members []types.Ref
		want    string
	}{
		{"string swallows literals", []types.Ref{types.Str("a"), types.TString}, "string"},
		{"literals stay", []types.Ref{types.Str("a"), types.Str("b")}, "'a' | 'b'"},
		{"null stays", []types.Ref{types.Str("a"), types.TString, types.TNull}, "null | string"},
		{"longer literals stay", []types.Ref{types.Str("abcd"), types.NewString(nil, types.Len(2), "", 0)}, "'abcd' | string<=2"},
		{"overlapping ranges fuse", []types.Ref{between(1, 5), between(4, 9)}, "int>=1<=9"},
		{"adjacent ranges fuse", []types.Ref{between(1, 3), types.NewIntLiteral(4, 0), between(10, 12)}, "int>=1<=4 | int>=10<=12"},
		{"true and false are bool", []types.Ref{types.TTrue, types.TFalse}, "bool"},
		{"kinds do not mix", []types.Ref{types.TTrue, types.TString}, "none"},
		{"objects with a discriminator", []types.Ref{cat, dog}, "cat | dog"},
		{"objects without one are merged", []types.Ref{plain, other}, "{ a: int | string, b: bool }"},
		{"a merged object forgets null", []types.Ref{plain, other, types.TNull}, "{ a: int | string, b: bool }"},
		{"tuples of one type are arrays", []types.Ref{types.NewTuple([]types.Ref{types.TInt, types.TInt}, 0), types.NewTuple([]types.Ref{types.TInt}, 0)}, "int[]"},
		{"scopes are not values", []types.Ref{plain, scope}, "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.want, describe(types.CollapseOf(tt.members...)))
		})
	}
	d, ok := types.CollapseOf(cat, dog).(*types.DiscriminatedObject)
	require.True(t, ok, "the choice of cat and dog is %v", d)
	require.Equal(t, "kind", d.Discriminator.Name, "the choice of cat and dog is %v", d)
	require.True(t, d.Member("dog") == dog, "the choice of cat and dog is %v", d)
	merged := types.CollapseOf(plain, other).(*types.Object)
	require.False(t, merged.Property("b").Flags.Has(types.Required), "only what all members require is required")
	require.True(t, merged.Property("a").Flags.Has(types.Required), "only what all members require is required")
}

func TestPropertyAccess(t *testing.T) {
	t.Parallel()
	o := object("thing", nil,
		prop("name", types.TString, 0),
		prop("secret", types.TString, types.WriteOnly),
		prop("hidden", types.TInt, types.FallbackProperty))
	tests := []struct {
		name     string
		property string
		want     string
		codes    []string
	}{
		{"declared", "name", "string", nil},
		{"write-only", "secret", "error", []string{"BCP077"}},
		{"fallback", "hidden", "int", []string{"BCP187"}},
		{"misspelt", "nane", "error", []string{"BCP083"}},
		{"unknown", "zzz", "error", []string{"BCP053"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var codes []string
			got := types.PropertyOf(o, tt.property, types.Access{Report: func(d diag.Diagnostic) { codes = append(codes, d.Code()) }})
			require.Equal(t, tt.want, got.String(), "got %s %v, want %s %v", got, codes, tt.want, tt.codes)
			require.True(t, slices.Equal(codes, tt.codes), "got %s %v, want %s %v", got, codes, tt.want, tt.codes)
		})
	}
}

func TestOperators(t *testing.T) {
	t.Parallel()
	tests := []struct {
		op          syntax.BinaryOp
		left, right types.Type
		want        string
	}{
		{syntax.OpAdd, between(1, 2), between(10, 20), "int>=11<=22"},
		{syntax.OpSubtract, between(1, 2), between(10, 20), "int>=-19<=-8"},
		{syntax.OpAdd, types.TString, types.TInt, "none"},
		{syntax.OpAdd, between(1, 9223372036854775807), types.NewIntLiteral(1, 0), "int>=2"},
		{syntax.OpModulo, types.TInt, types.NewIntLiteral(5, 0), "int>=-4<=4"},
		{syntax.OpModulo, types.TInt, types.NewIntLiteral(0, 0), "error"},
		{syntax.OpModulo, between(0, 100), types.NewIntLiteral(5, 0), "int>=0<=4"},
		{syntax.OpLess, between(1, 2), between(3, 4), "true"},
		{syntax.OpLess, between(5, 6), between(3, 4), "false"},
		{syntax.OpLess, between(1, 4), between(3, 4), "bool"},
		{syntax.OpLess, types.TString, types.TString, "bool"},
		{syntax.OpLess, types.TString, types.TInt, "none"},
		{syntax.OpAnd, types.TBool, types.TFalse, "false"},
		{syntax.OpOr, types.TTrue, types.TBool, "true"},
		{syntax.OpCoalesce, types.Nullable(types.TString), types.TInt, "int | string"},
		{syntax.OpCoalesce, types.TString, types.TInt, "string"},
		{syntax.OpCoalesce, types.TNull, types.TInt, "int"},
		{syntax.OpEquals, types.TString, types.TInt, "bool"},
		{syntax.OpNotEquals, types.Str("a"), types.Str("b"), "true"},
		{syntax.OpEqualsFold, types.Str("A"), types.Str("a"), "true"},
		{syntax.OpEqualsFold, types.Str("A"), types.TString, "bool"},
		{syntax.OpEqualsFold, types.Str("A"), types.TInt, "none"},
		{syntax.OpNotEqualsFold, types.Str("A"), types.Str("a"), "false"},
		{syntax.OpLessOrEqual, between(1, 3), between(3, 4), "true"},
		{syntax.OpLessOrEqual, between(5, 6), between(3, 4), "false"},
		{syntax.OpGreater, between(5, 6), between(3, 4), "true"},
		{syntax.OpGreater, between(1, 3), between(3, 4), "false"},
		{syntax.OpGreaterOrEqual, between(4, 6), between(3, 4), "true"},
		{syntax.OpGreaterOrEqual, between(1, 2), between(3, 4), "false"},
		{syntax.OpGreaterOrEqual, between(1, 3), between(3, 4), "bool"},
		{syntax.OpAdd, types.NewUnion(types.NewIntLiteral(1, 0), types.NewIntLiteral(7, 0)), between(1, 2), "int>=2<=3 | int>=8<=9"},
		{syntax.OpModulo, types.TInt, between(-7, 3), "int>=-6<=6"},
		{syntax.OpModulo, between(-9, -1), types.NewIntLiteral(5, 0), "int>=-4<=0"},
		{syntax.OpModulo, types.TInt, types.TInt, "int"},
	}
	for _, tt := range tests {
		got := types.BinaryResult(tt.op, source.Span{}, tt.left, tt.right, func(diag.Diagnostic) {})
		if describe(got) != tt.want {
			t.Errorf("%s %s %s: got %s, want %s", describe(tt.left), tt.op, describe(tt.right), describe(got), tt.want)
		}
	}
	assert.Equal(t, "int>=-5<=3", describe(types.UnaryResult(syntax.Minus, between(-3, 5))), "minus a range")
	assert.Nil(t, types.UnaryResult(syntax.Not, types.TString), "not a string")
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, want string }{
		{"location", "location"}, {"LOCATION", "location"}, {"lcation", "location"},
		{"nam", "name"}, {"xyz", ""}, {"na", ""},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, types.Guess(tt.name, []string{"location", "name", "properties"}).Name, tt.name)
	}
}

func TestQuoteList(t *testing.T) {
	t.Parallel()
	names := make([]string, 23)
	for i := range names {
		names[i] = string(rune('a' + i))
	}
	for n, want := range map[int]string{0: "", 1: `"a"`, 2: `"a", "b"`} {
		assert.Equal(t, want, types.QuoteList(names[:n]))
	}
	got := types.QuoteList(names[:20])
	assert.True(t, strings.HasSuffix(got, `, "t"`), "got %s", got)
	got = types.QuoteList(names)
	assert.True(t, strings.HasSuffix(got, `, "t" and 3 more`), "got %s", got)
}

func TestPatterns(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, value string
		want           bool
	}{
		{`^[-\w._()]+$`, "a-b_c.(d)", true},
		{`^[-\w._()]+$`, "a b", false},
		{`^[-\w._()]+$`, "é", true},
		{`^a$`, "a\n", true},
		{`^\d{2}$`, "12", true},
		{`^[]a]$`, "]", true},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, types.MatchesPattern(tt.pattern, tt.value), "/%s/ on %q", tt.pattern, tt.value)
	}
	// A text that needs backtracking, or is not a pattern, asks for nothing.
	require.True(t, types.MatchesPattern(`^(?=a)`, "b"), "a pattern that cannot be read does not match everything")
	require.True(t, types.MatchesPattern(`(`, "b"), "a pattern that cannot be read does not match everything")
}

func TestRecursiveTypes(t *testing.T) {
	t.Parallel()
	var node *types.Object
	node = object("node", nil,
		prop("next", types.Defer(func() types.Type { return types.Nullable(node) }), types.ReadOnly),
		prop("secret", types.TSecureString, types.ReadOnly))
	assert.True(t, types.HasSecrets(node), "the secret is not found")
	bare := types.RemovePropertyFlags(node, types.ReadOnly).(*types.Object)
	assert.False(t, bare.Property("next").Flags.Has(types.ReadOnly), "the flag is still there")
	union := types.NewUnion(types.TSecureString, object("o", &types.Property{Type: types.TSecureString}, prop("x", types.NewTuple([]types.Ref{types.TInt, types.TSecureString}, 0), 0)))
	got := types.SecretPaths(union, false)
	assert.True(t, slices.Equal(got, []string{".*", ".x[1]", ""}), "paths in a union: %q", got)
	extension := types.NewNamespace("k8s", types.NamespaceSettings{}, []types.Property{prop("config", object("c", nil, prop("key", types.TSecureString, 0)), 0)}, nil, nil, nil, nil)
	got = types.SecretPaths(extension, false)
	require.True(t, slices.Equal(got, []string{".config.key"}), "an extension: %q", got)
	require.True(t, types.HasSecrets(extension), "an extension: %q", got)
	got = types.SecretPaths(union, true)
	assert.True(t, slices.Equal(got, []string{""}), "paths in a union of which a part is used: %q", got)
	got = types.SecretPaths(object("o", nil, prop("list", types.NewTypedArray(types.TSecureString, nil, nil, 0), 0)), false)
	assert.True(t, slices.Equal(got, []string{".list[*]"}), "paths: %v", got)
}

func TestResolveDerived(t *testing.T) {
	t.Parallel()
	body := object("body", nil,
		prop("Sku", object("sku", nil, prop("name", types.Str("x"), 0)), types.ReadOnly),
		prop("tags", types.NewDictionary("dictionary", 0, types.TInt), 0),
		prop("list", types.NewTypedArray(types.TBool, nil, nil, 0), 0),
		prop("pair", types.NewTuple([]types.Ref{types.TInt, types.TBool}, 0), 0))
	r := &types.DerivedResolver{Lookup: func(ref *types.ResourceTypeReference) types.Type {
		if ref.Type == "a.b/c" {
			return body
		}
		return nil
	}}
	derived := func(typ string, pointer ...string) types.Type {
		return &types.UnresolvedDerived{
			ResourceDerived: types.ResourceDerived{TypeRef: types.NewResourceTypeReference(typ, "1"), Pointer: pointer},
			Fallback:        types.TObject,
		}
	}
	tests := []struct {
		t    types.Type
		want string
	}{
		{derived("a.b/c"), "body"},
		{derived("a.b/c", "properties", "sku", "Properties", "name"), "'x'"},
		{derived("a.b/c", "properties", "none"), "object"},
		{derived("a.b/c", "properties", "tags", "additionalProperties"), "int"},
		{derived("a.b/c", "additionalProperties"), "object"},
		{derived("a.b/c", "properties", "list", "items"), "bool"},
		{derived("a.b/c", "items"), "object"},
		{derived("a.b/c", "properties", "pair", "prefixItems", "1"), "bool"},
		{derived("a.b/c", "properties", "pair", "prefixItems", "2"), "object"},
		{derived("a.b/c", "properties", "pair", "prefixItems", "-1"), "object"},
		{derived("a.b/c", "properties"), "object"},
		{types.NewLambda([]types.Ref{types.TInt}, nil, derived("a.b/c")), "int => body"},
		{types.NewLambda([]types.Ref{derived("a.b/c")}, nil, types.TInt), "body => int"},
		{types.NewTypedArray(derived("a.b/c"), nil, nil, 0), "a.b/c[]"},
		{derived("x.y/z"), "object"},
		{types.TString, "string"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, r.Resolve(tt.t).String())
	}
	holder := object("holder", nil, prop("p", derived("a.b/c"), 0))
	got := r.Resolve(holder).(*types.Object).Property("p").Type.Type()
	assert.True(t, got == types.Type(body), "within an object: %s", got)
}

func TestFlatten(t *testing.T) {
	t.Parallel()
	ints := types.NewTypedArray(types.TInt, nil, nil, 0)
	tests := []struct {
		t    types.Type
		want string
	}{
		{types.NewTypedArray(ints, nil, nil, 0), "int[]"},
		{types.TArray, "array"},
		{types.NewTuple([]types.Ref{types.NewTuple([]types.Ref{types.TInt}, 0), types.NewTuple([]types.Ref{types.TBool}, 0)}, 0), "[int, bool]"},
		{types.TString, "error"},
		{types.NewTypedArray(types.NewUnion(ints, types.NewTypedArray(types.TString, nil, nil, 0)), nil, nil, 0), "(int | string)[]"},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, types.Flatten(tt.t, source.Span{}).String(), "%s", tt.t)
	}
}

// Types that contain each other are resolved all the way round.
func TestResolveDerivedInCircles(t *testing.T) {
	t.Parallel()
	body := object("body", nil)
	r := &types.DerivedResolver{Lookup: func(*types.ResourceTypeReference) types.Type { return body }}
	derived := &types.UnresolvedDerived{
		ResourceDerived: types.ResourceDerived{TypeRef: types.NewResourceTypeReference("a.b/c", "1")},
		Fallback:        types.TObject,
	}
	var inner, outer *types.Object
	inner = object("inner", nil, prop("outer", types.Defer(func() types.Type { return outer }), 0))
	outer = object("outer", nil, prop("inner", inner, 0), prop("z", derived, 0))
	at := r.Resolve(outer)
	for range 3 {
		o := at.(*types.Object)
		got := o.Property("z").Type.Type()
		require.True(t, got == types.Type(body), "z is %s", got)
		at = o.Property("inner").Type.Type().(*types.Object).Property("outer").Type.Type()
	}
}

// TestUnionOfManyTypes: of many members that are not plain literals, each is kept once.
func TestUnionOfManyTypes(t *testing.T) {
	t.Parallel()
	const n = 20_000
	var members []types.Ref
	for i := range int64(n) {
		pair := types.NewTuple([]types.Ref{types.NewIntLiteral(7, 0), types.NewIntLiteral(i, 0)}, 0)
		again := types.NewTuple([]types.Ref{types.NewIntLiteral(7, 0), types.NewIntLiteral(i, 0)}, 0)
		members = append(members, pair, object("o", nil), again)
	}
	took := cputime.Measure(func() {
		u := types.NewUnion(members...).(*types.Union)
		assert.Len(t, u.Members, 2*n, "the union")
	})
	assert.Less(t, took, 10*time.Second) // about 0.1 s; pair by pair, minutes
}
