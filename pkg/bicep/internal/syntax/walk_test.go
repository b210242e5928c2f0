package syntax_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// everyForm holds every form of the language, so that every node type occurs.
const everyForm = `#disable-next-line BCP081 no-unused-params
targetScope = 'resourceGroup'
@description('about')
metadata owner = 'us'
@sys.description('d')
@minLength(1)
param p string = 'x'
param q {
  a: string
  @description('b')
  'b-c': int?
  *: bool
} = { a: 'x' }
param r resource 'A.B/c@2020-01-01'
type t = [
  -1
  @secure()
  string
] | (true | !true)  | null | 3 | false | 'lit' | t[] | t! | t.a | t.* | t[0] | t[*]
type g = resourceInput<'A.B/c@2020-01-01'>.properties | sys.resourceOutput<'A.B/c@2020-01-01'>
var v int = 1 + 2 * -p[0] ?? (true ? null : false)
func f(a string, b int) string => '${a}-${b}!'
resource parent 'A.B/c@2020-01-01' existing = {
  name: 'n'
  resource child 'd' = if (p == 'x') {
    name: 'm'
    ...extra
  }
  @description('x')
}
resource many 'A.B/c@2020-01-01' = [for (item, i) in range(0, 3): if (i > 1) {
  name: parent::child.name
  list: [1, ...others]
}]
module m './m.bicep' = [for x in []: { name: x!.name.?y[?^0] }]
test u './m.bicep' = {}
assert ok = 1 == 1
output o object = map([1], (a, b) => a.foo(b))
import { a, 'b c' as d } from './m.bicep'
import * as ns from './m.bicep'
extension kubernetes with { a: 1 } as k8s
extension './x.tgz' what
param bad string what
@description('nobody')
oops
`

const everyParamsForm = `using './m.bicep' with { mode: 'x' }
using none
using './m.bicep' what
extends './base.bicepparam'
param p = ''' many
lines '''
extensionConfig k8s with { a: 1 }
extensionConfig k8s what
`

func parse(t *testing.T, text string, params bool) *syntax.File {
	t.Helper()
	file := source.NewFile("test.bicep", text)
	var tree *syntax.File
	if params {
		tree, _ = syntax.ParseParams(file)
	} else {
		tree, _ = syntax.Parse(file)
	}
	return tree
}

// nodesIn returns every node that the fields of n hold, whatever Children says.
func nodesIn(n syntax.Node) map[syntax.Node]bool {
	found := map[syntax.Node]bool{}
	var look func(v reflect.Value)
	look = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Interface, reflect.Pointer:
			if v.IsNil() {
				return
			}
			if c, ok := v.Interface().(syntax.Node); ok {
				found[c] = true
			}
		case reflect.Slice:
			for i := range v.Len() {
				look(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() || f.Anonymous {
					if f.Anonymous && !f.IsExported() && f.Type.Kind() == reflect.Struct || f.IsExported() {
						look(v.Field(i))
					}
				}
			}
		}
	}
	look(reflect.ValueOf(n).Elem())
	if s, ok := n.(*syntax.String); ok {
		look(reflect.ValueOf(s.Exprs()))
	}
	return found
}

func TestWalkReachesEveryNodeOnce(t *testing.T) {
	t.Parallel()
	kinds := map[string]bool{}
	for _, tree := range []*syntax.File{parse(t, everyForm, false), parse(t, everyParamsForm, true)} {
		ids := map[syntax.ID]bool{}
		syntax.Walk(tree, func(n syntax.Node) bool {
			kinds[fmt.Sprintf("%T", n)] = true
			assert.False(t, ids[n.ID()], "%T is visited twice, or shares its ID", n)
			ids[n.ID()] = true
			if int(n.ID()) >= tree.NodeCount() {
				t.Errorf("%T has ID %d of %d", n, n.ID(), tree.NodeCount())
			}
			want := nodesIn(n)
			last := int32(0)
			syntax.Children(n, func(c syntax.Node) {
				assert.True(t, want[c], "%T is not a child of %T", c, n)
				delete(want, c)
				if !n.Span().Contains(c.Span()) {
					t.Errorf("%T %v is outside its parent %T %v", c, c.Span(), n, n.Span())
				}
				assert.GreaterOrEqual(t, c.Span().Start, last, "%T below %T comes before its elder", c, n)
				last = c.Span().Start
			})
			syntax.Names(n, func(name *syntax.Ident) {
				require.True(t, want[name], "the name %q is not one of %T", name.Name, n)
				require.True(t, tree.Parent(name) == n, "the name %q is not one of %T", name.Name, n)
				delete(want, name)
			})
			for c := range want {
				t.Errorf("%T below %T is not visited", c, n)
			}
			return true
		})
	}
	for _, n := range []any{
		syntax.Array{}, syntax.ArrayType{}, syntax.AsClause{}, syntax.Assert{}, syntax.Binary{}, syntax.Bool{}, syntax.BoolTypeLit{},
		syntax.Call{}, syntax.Decorator{}, syntax.Extends{}, syntax.Extension{}, syntax.ExtensionConfig{}, syntax.File{}, syntax.For{},
		syntax.ForVars{}, syntax.FromClause{}, syntax.Func{}, syntax.If{}, syntax.Import{}, syntax.ImportItem{},
		syntax.ImportList{}, syntax.Index{}, syntax.InstanceCall{}, syntax.InstanceTypeCall{}, syntax.Int{}, syntax.IntTypeLit{},
		syntax.Lambda{}, syntax.Local{}, syntax.Metadata{}, syntax.Missing{}, syntax.Module{}, syntax.NestedAccess{}, syntax.NonNull{},
		syntax.NonNullType{}, syntax.None{}, syntax.Null{}, syntax.NullTypeLit{}, syntax.NullableType{}, syntax.Object{}, syntax.ObjectType{},
		syntax.Output{}, syntax.Param{}, syntax.ParamAssign{}, syntax.ParamDefault{}, syntax.Paren{}, syntax.ParenType{}, syntax.Property{},
		syntax.PropertyAccess{}, syntax.Resource{}, syntax.ResourceTypeRef{}, syntax.Skipped{}, syntax.Spread{}, syntax.String{},
		syntax.StringTypeLit{}, syntax.TargetScope{}, syntax.Ternary{}, syntax.Test{}, syntax.TupleItem{}, syntax.TupleType{},
		syntax.TypeCall{}, syntax.TypeDecl{}, syntax.TypeIndex{}, syntax.TypeItems{}, syntax.TypeName{}, syntax.TypeProperty{},
		syntax.TypePropertyAccess{}, syntax.TypeRest{}, syntax.TypeRestAccess{}, syntax.TypedLambda{}, syntax.Unary{}, syntax.UnaryType{},
		syntax.UnionType{}, syntax.Using{}, syntax.Var{}, syntax.VarRef{}, syntax.WildcardImport{}, syntax.WithClause{},
	} {
		name := fmt.Sprintf("*%T", n)
		assert.True(t, kinds[name], "no %s in the sample texts", name)
	}
}

// A tree's own walk is the general one, and numbers and parents say how it goes.
func TestTheWalkOfAFile(t *testing.T) {
	t.Parallel()
	tree := parse(t, everyForm, false)
	var all []syntax.Node
	syntax.Walk(tree, func(n syntax.Node) bool {
		if int(n.ID()) != len(all) {
			t.Errorf("%T has ID %d, and is number %d", n, n.ID(), len(all))
		}
		syntax.Children(n, func(c syntax.Node) {
			if tree.Parent(c) != n {
				t.Errorf("the parent of %T is %T, not %T", c, tree.Parent(c), n)
			}
		})
		all = append(all, n)
		return true
	})
	assert.Nil(t, tree.Parent(tree), "the file has a parent")
	stopAt := func(kept *[]syntax.Node) func(syntax.Node) bool {
		return func(n syntax.Node) bool {
			*kept = append(*kept, n)
			_, isCall := n.(*syntax.Call)
			return !isCall
		}
	}
	for _, n := range all {
		var want, got []syntax.Node
		syntax.Walk(n, stopAt(&want))
		tree.Walk(n, stopAt(&got))
		if !slices.Equal(got, want) {
			t.Errorf("below %T at %v: %d nodes, want %d", n, n.Span(), len(got), len(want))
		}
	}
}
