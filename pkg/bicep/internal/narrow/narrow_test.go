package narrow

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// literalNodes knows the types of literals.
type literalNodes struct{ parents map[syntax.Node]syntax.Node }

func (literalNodes) Symbol(syntax.Node) bind.Symbol     { return nil }
func (literalNodes) HasParseErrors(syntax.Node) bool    { return false }
func (f literalNodes) Parent(n syntax.Node) syntax.Node { return f.parents[n] }
func (f literalNodes) TypeOf(n syntax.Node) types.Type {
	switch n := n.(type) {
	case *syntax.String:
		if s, ok := n.Literal(); ok {
			return types.Str(s)
		}
		return types.TString
	case *syntax.Int:
		return types.NewIntLiteral(int64(n.Value), 0)
	case *syntax.Bool:
		return types.NewBoolLiteral(n.Value, 0)
	case *syntax.Null:
		return types.TNull
	case *syntax.Array:
		var items []types.Ref
		for _, i := range n.Items {
			items = append(items, f.TypeOf(i))
		}
		return types.NewTuple(items, 0)
	case *syntax.Object:
		var props []types.Property
		for _, i := range n.Items {
			p := i.(*syntax.Property)
			if key, ok := p.KeyName(); ok {
				props = append(props, types.Property{Name: key, Type: f.TypeOf(p.Value), Flags: types.Required})
			}
		}
		return types.NewObject("object", 0, props, nil)
	case *syntax.Lambda:
		params := make([]types.Ref, len(n.Params))
		for i := range params {
			params[i] = types.TAny
		}
		return types.NewLambda(params, nil, f.TypeOf(n.Body))
	case *syntax.VarRef:
		switch n.Name.Name {
		case "aString":
			return types.TString
		case "maybe":
			return types.Nullable(types.TString)
		case "long":
			return types.NewString(types.Len(5), nil, "", 0)
		}
	}
	return types.TAny
}

func narrowText(t *testing.T, text string, target types.Type, resource bool) (types.Type, []string) {
	t.Helper()
	tree, diags := syntax.Parse(source.NewFile("/main.bicep", "var v = "+text+"\n"))
	if len(diags) > 0 {
		t.Fatalf("%s: %s", text, diags[0].Message())
	}
	nodes := literalNodes{map[syntax.Node]syntax.Node{}}
	syntax.Walk(tree, func(n syntax.Node) bool {
		syntax.Children(n, func(c syntax.Node) { nodes.parents[c] = n })
		return true
	})
	var got []string
	checker := New(nodes)
	narrow := checker.Expression
	if resource {
		narrow = checker.Resource
	}
	r := narrow(func(d diag.Diagnostic) {
		if d.Severity == diag.Error && strings.Contains(d.Message(), "this warning") {
			t.Errorf("%s: an error says that it is a warning: %s", text, d.Message())
		}
		got = append(got, fmt.Sprintf("%d %c %s", int(d.Span.Start)-len("var v = "), "?OIWE"[d.Severity], d.Code()))
	}, tree.Stmts[0].(*syntax.Var).Value, target)
	return r, got
}

func TestNarrow(t *testing.T) {
	t.Parallel()
	obj := func(flags types.ValidationFlags, rest *types.Property, props ...types.Property) types.Type {
		return types.NewObject("target", flags, props, rest)
	}
	p := func(name string, typ types.Ref, flags types.PropertyFlags) types.Property {
		return types.Property{Name: name, Type: typ, Flags: flags}
	}
	ab := types.NewUnion(types.Str("alpha"), types.Str("beta"))
	cat := types.NewObject("cat", 0, []types.Property{p("kind", types.Str("cat"), types.Required), p("lives", types.TInt, types.Required)}, nil)
	dog := types.NewObject("dog", 0, []types.Property{p("kind", types.Str("dog"), types.Required)}, nil)
	pet := types.NewDiscriminatedObject("cat | dog", 0, "kind", []types.Ref{cat, dog})
	length := func(lo, hi int64) types.Type { return types.NewString(&lo, &hi, "", 0) }

	tests := []struct {
		name     string
		text     string
		target   types.Type
		resource bool
		want     string
		diags    []string
	}{
		{"fits", `'x'`, types.TString, false, "'x'", nil},
		{"does not fit", `1`, types.TString, false, "string", []string{"0 E BCP033"}},
		{"may be null", `maybe`, types.TString, false, "string", []string{"0 W BCP321"}},
		{"too long", `'abc'`, length(0, 2), false, "'abc'", []string{"0 E BCP332"}},
		{"too short", `'abc'`, length(4, 9), false, "'abc'", []string{"0 E BCP333"}},
		{"warned about in a resource", `'abc'`, length(4, 9), true, "'abc'", []string{"0 W BCP333"}},
		{"may be too long", `long`, length(6, 9), false, "string", []string{"0 W BCP334"}},
		{"pattern", `'ABC'`, types.NewString(nil, nil, "^[a-z]+$", 0), false, "'ABC'", []string{"0 E BCP416"}},
		{"number too great", `7`, types.NewInt(types.Len(1), types.Len(5), 0), false, "7", []string{"0 E BCP327"}},
		{"item", `[1, 'a']`, types.NewTypedArray(types.TInt, nil, nil, 0), false, "[1, int]", []string{"4 E BCP034"}},
		{"array too short", `[1]`, types.NewTypedArray(types.TInt, types.Len(2), nil, 0), false, "[1]", []string{"0 E BCP333"}},
		{"tuple", `[1, 'a']`, types.NewTuple([]types.Ref{types.TInt, types.TString}, 0), false, "[1, 'a']", nil},
		{"tuple too long", `[1, 2]`, types.NewTuple([]types.Ref{types.TInt}, 0), false, "[1, 2]", []string{"0 E BCP332"}},
		{"missing", `{}`, obj(0, nil, p("a", types.TInt, types.Required)), false, "target", []string{"-4 E BCP035"}},
		{"missing in a resource, with the name", `{}`, obj(0, nil, p("name", types.TString, types.Required|types.SystemProperty), p("a", types.TInt, types.Required)), true, "target", []string{"-4 E BCP035"}},
		{"extra", `{ a: 1, zzz: 2 }`, obj(0, nil, p("a", types.TInt, 0)), false, "target", []string{"8 E BCP037"}},
		{"extra, misspelt", `{ colour: 1 }`, obj(0, nil, p("color", types.TInt, 0)), false, "target", []string{"2 E BCP089"}},
		{"extra, warned about", `{ a: 1, zzz: 2 }`, obj(types.WarnOnPropertyMismatch, nil, p("a", types.TInt, 0)), false, "target", []string{"8 W BCP037"}},
		{"extra, checked", `{ a: 1, zzz: 2 }`, obj(0, &types.Property{Type: types.TString}, p("a", types.TInt, 0)), false, "target", []string{"13 E BCP036"}},
		{"interpolated key", `{ '${aString}': 2 }`, obj(0, nil), false, "target", []string{"2 E BCP040"}},
		{"property", `{ a: 'x' }`, obj(0, nil, p("a", types.TInt, 0)), false, "target", []string{"5 E BCP036"}},
		{"property of a resource", `{ a: 'x' }`, obj(0, nil, p("a", types.TInt, 0)), true, "target", []string{"5 W BCP036"}},
		{"system property of a resource", `{ a: 'x' }`, obj(0, nil, p("a", types.TInt, types.SystemProperty)), true, "target", []string{"5 E BCP036"}},
		{"literal, misspelt", `{ a: 'alhpa' }`, obj(0, nil, p("a", types.Str("alpha"), 0)), false, "target", []string{"5 E BCP088"}},
		{"read-only", `{ a: 1 }`, obj(0, nil, p("a", types.TInt, types.ReadOnly)), false, "target", []string{"2 E BCP073"}},
		{"constant", `{ a: aString }`, obj(0, nil, p("a", types.TString, types.Constant)), false, "target", []string{"5 E BCP032"}},
		{"any refused", `{ a: other }`, obj(0, nil, p("a", types.TString, types.DisallowAny)), false, "target", []string{"5 E BCP176"}},
		{"null where optional", `{ a: null }`, obj(0, nil, p("a", types.TString, types.AllowImplicitNull)), false, "target", nil},
		{"union", `'alpha'`, ab, false, "'alpha'", nil},
		{"not in union", `'gamma'`, ab, false, "'alpha' | 'beta'", []string{"0 E BCP033"}},
		{"union of objects and more", `{ a: 'x' }`, types.NewUnion(types.TString, obj(0, nil, p("a", types.TInt, 0))), false, "string | target", []string{"5 E BCP036"}},
		{"choice", `{ kind: 'dog' }`, pet, false, "dog", nil},
		{"choice lacks property", `{ kind: 'cat' }`, pet, false, "cat", []string{"-4 E BCP035"}},
		{"choice without discriminator", `{ lives: 9 }`, pet, false, "any", []string{"0 E BCP078"}},
		{"choice, discriminator misspelt", `{ kynd: 'dog' }`, pet, false, "any", []string{"0 E BCP078", "2 E BCP089"}},
		{"choice of what is not there", `{ kind: 'horse' }`, pet, false, "any", []string{"8 E BCP036"}},
		{"choice unknown", `{ kind: aString }`, types.NewDiscriminatedObject("x", 0, "kind", []types.Ref{cat, dog}), false, "any", []string{"8 E BCP036"}},
		{"lambda", `a => { a: 'x' }`, types.NewLambda([]types.Ref{types.TInt}, nil, obj(0, nil, p("a", types.TInt, 0))), false, "any => target", []string{"10 E BCP036"}},
		{"lambda of too many", `(a, b) => 1`, types.NewLambda([]types.Ref{types.TInt}, nil, types.TInt), false, "int => int", []string{"0 E BCP033"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, diags := narrowText(t, tt.text, tt.target, tt.resource)
			require.Equal(t, tt.want, got.String(), "%s as %s:\n got %s %q\nwant %s %q", tt.text, tt.target, got, diags, tt.want, tt.diags)
			require.True(t, slices.Equal(diags, tt.diags), "%s as %s:\n got %s %q\nwant %s %q", tt.text, tt.target, got, diags, tt.want, tt.diags)
		})
	}
}
