package eval_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/secret"
)

// How many arguments the functions take; a number alone is the least, and there may be any number.
const arities = `
	add 2-2; and 2; array 1-1; base64 1-1; base64tojson 1-1; base64tostring 1-1; bool 1-1; builduri 1-1; cidrhost 2-2; cidrsubnet 3-3; coalesce 1; concat 1; contains 2-2; copyindex 0-2;
	createarray 0; createobject 0; datauri 1-1; datauritostring 1-1; datetimeadd 2-3; datetimefromepoch 1-1; datetimetoepoch 1-1; distinct 1-1; div 2-2; empty 1-1; endswith 2-2; equals 2-2;
	extensionresourceid 3; fail 1-1; false 0-0; filter 2-2; first 1-1; flatten 1-1; float 1-1; format 1; greater 2-2; greaterorequals 2-2; groupby 2-3; guid 1; if 3-3; indexfromend 2-2; indexof 2-2; int 1-1;
	intersection 1; items 1-1; join 2-2; json 1-1; lambdavariables 1-1; last 1-1; lastindexof 2-2; length 1-1; less 2-2; lessorequals 2-2; like 2-2; managementgroupresourceid 2; map 2-2; mapvalues 2-2;
	max 1; min 1; mod 2-2; mul 2-2; not 1-1; null 0-0; objectkeys 1-1; or 2; padleft 2-3; parameters 1-1; parsecidr 1-1; parseuri 1-1; range 2-2; reduce 3-3; replace 3-3; resourceid 2; shallowmerge 1-1;
	skip 2-2; sort 2-2; split 2-2; startswith 2-2; string 1-1; sub 2-2; subscriptionresourceid 2; substring 2-3; take 2-2; tenantresourceid 2; tolower 1-1; toobject 2-3; toupper 1-1; trim 1-1; true 0-0;
	tryget 2; tryindexfromend 2; union 1; uniquestring 1; uri 2-2; uricomponent 1-1; uricomponenttostring 1-1; variables 1-1`

func TestNumbersOfArguments(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for part := range strings.SplitSeq(arities, ";") {
		name, bounds, _ := strings.Cut(strings.TrimSpace(part), " ")
		names[name] = true
		least, most := 0, 9
		if _, err := fmt.Sscanf(bounds, "%d-%d", &least, &most); err != nil {
			most = 9
		}
		for n := range 10 {
			refused := n < least || n > most
			for _, ev := range []*eval.Evaluator{eval.New(eval.NoScope{}), eval.NewPartial(eval.NoScope{}, eval.NewBudget(eval.DefaultLimits(), nil))} {
				c := armexpr.Fn(name)
				for range n {
					c.Args = append(c.Args, armexpr.Int(1))
				}
				_, err := ev.Eval(c)
				require.Equal(t, refused, err != nil && strings.Contains(err.Error(), "function "+name+" takes "), "%s with %d arguments: %v", name, n, err)
			}
		}
	}
	require.Equal(t, slices.Sorted(slices.Values(eval.Names())), slices.Sorted(maps.Keys(names)))
}

func parsed(t *testing.T, text string) armexpr.Expr {
	e, err := armexpr.Parse("[" + text + "]")
	require.NoError(t, err)
	return e
}

// A member of a large object is found without regard to case, the exact name first, and of several the first.
func TestLargeObjects(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 15, 16, 17, 100} {
		o := armjson.NewObject()
		for i := range n {
			o.Set(fmt.Sprint("Name", i), armjson.Int(int64(i)))
		}
		o.Set("NAME1", armjson.Int(1000))
		list := &armjson.Object{}
		for k, v := range o.All() {
			list.Set(k, v)
		}
		for expr, want := range map[string]string{"Name1": "1", "name1": "1", "NAME1": "1000", "nAME0": "0", "name": "the object has no property"} {
			ev := eval.New(eval.NoScope{})
			v, err := ev.Value(armjson.NewObject(armjson.Member{Key: "o", Value: list}))
			require.NoError(t, err)
			v, err = eval.Evaluate("tryGet", v.(*armjson.Object).At(0).Value, armjson.String(expr))
			require.NoError(t, err)
			if strings.HasPrefix(want, "the") {
				want = "null"
			}
			require.Equal(t, want, armjson.Text(v), "%s of %d", expr, n)
			contains, err := eval.Evaluate("contains", list, armjson.String(expr))
			require.NoError(t, err)
			require.Equal(t, armjson.Bool(want != "null"), contains)
		}
	}
}

// What is used for the depth of an expression is given back, in whatever way its evaluation ends.
func TestDepthIsGivenBack(t *testing.T) {
	t.Parallel()
	nested := func(n int, inner string) string {
		return strings.Repeat("not(", n) + inner + strings.Repeat(")", n)
	}
	for _, ev := range []*eval.Evaluator{eval.NewLimited(marked{}, eval.Limits{Steps: 1e6, Walk: 1e6, Size: 1e7, Depth: 20}), eval.NewPartial(marked{}, eval.NewBudget(eval.Limits{Steps: 1e6, Walk: 1e6, Size: 1e7, Depth: 20}, nil))} {
		for range 50 {
			_, err := ev.Eval(parsed(t, nested(18, "true()")))
			require.NoError(t, err)
			_, err = ev.Eval(parsed(t, nested(25, "true()")))
			require.ErrorContains(t, err, "nested too deeply")
			require.True(t, eval.Exhausted(err))
			require.False(t, eval.Spent(err))
			_, err = ev.Eval(parsed(t, nested(10, "add(1, 'x')")))
			require.ErrorContains(t, err, "function add")
			_, err = ev.Eval(parsed(t, "if(true(), createArray(1, 2), 3)[1]"))
			require.NoError(t, err)
			_, err = ev.Eval(parsed(t, "f.many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)"))
			require.NoError(t, err)
		}
	}
}

// Limits hold for all evaluations together, and each says what was reached.
func TestLimitsAreSpent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limits     eval.Limits
		expr, want string
		atLeast    int
	}{
		{eval.Limits{Steps: 1000, Walk: 1e6, Size: 1e7, Depth: 100}, "map(range(0, 10), lambda('x', add(1, 1)))", "too many steps", 20},
		{eval.Limits{Steps: 1e6, Walk: 1000, Size: 1e7, Depth: 100}, "createArray(createArray(1, 2, 3, 4))", "too many steps", 50},
		{eval.Limits{Steps: 1e6, Walk: 1e6, Size: 10_000, Depth: 100}, "concat('0123456789', '0123456789')", "too large values", 200},
	} {
		b := eval.NewBudget(c.limits, nil)
		ev := eval.NewShared(eval.NoScope{}, b)
		n, half := 0, 0
		for ; n < 10_000; n++ {
			if half == 0 && b.HalfUsed(c.limits) {
				half = n
			}
			if _, err := ev.Eval(parsed(t, c.expr)); err != nil {
				require.ErrorContains(t, err, c.want)
				require.True(t, eval.Spent(err))
				require.True(t, eval.Exhausted(err))
				break
			}
		}
		require.InDelta(t, n/2, half, float64(n)/10+2, c.expr)
		require.Greater(t, n, c.atLeast/4, c.expr)
		require.Less(t, n, c.atLeast*10, c.expr)
	}
	require.False(t, eval.Spent(errors.New("x")))
	require.False(t, eval.Exhausted(errors.New("x")))
	require.True(t, eval.Exhausted(fmt.Errorf("y: %w", eval.Limit(errors.New("x")))))
}

// The files of one run share what all of them may take: a run of very costly ones ends, and a file that takes little
// still works in it.
func TestRunsShareLimits(t *testing.T) {
	t.Parallel()
	run := eval.RunOf(eval.WithRun(context.Background()))
	require.NotNil(t, run)
	require.Nil(t, eval.RunOf(context.Background()))
	spend := func(steps int) error {
		return eval.NewShared(eval.NoScope{}, eval.NewBudget(eval.DefaultLimits(), run)).Spend(steps)
	}
	most := eval.DefaultLimits().Steps
	files := 0
	for ; files < 20; files++ {
		if err := spend(most); err != nil {
			require.ErrorContains(t, err, "the files of this run take too much to evaluate together")
			require.True(t, eval.Spent(err))
			break
		}
	}
	require.Equal(t, 4, files, "four files may take all")
	other := eval.NewRun()
	for range 30 { // of which each takes a tenth
		require.NoError(t, eval.NewShared(eval.NoScope{}, eval.NewBudget(eval.DefaultLimits(), other)).Spend(most/10))
	}
	require.NoError(t, spend(most/100), "one that takes little takes nothing from the run")
	require.ErrorContains(t, eval.NewShared(eval.NoScope{}, eval.NewBudget(eval.DefaultLimits(), nil)).Spend(most+1), "too many steps")
}

// The text of what is too long to be written out is cut; a secret shown by a long expression is too.
func TestLongExpressionsAreCut(t *testing.T) {
	t.Parallel()
	long := eval.NewUnknown(nil, "u")
	for range 40 {
		long = eval.NewUnknown(nil, "concat", long, long)
	}
	text, ok := eval.Text(long)
	require.True(t, ok)
	require.True(t, strings.HasPrefix(text, "[concat(concat("), text[:20])
	require.True(t, strings.HasSuffix(text, "…]"))
	require.InDelta(t, 64<<10, len(text), 100)
	v, err := eval.NewPartial(marked{}, eval.NewBudget(eval.DefaultLimits(), nil)).Eval(parsed(t, "concat(parameters('key'), '"+strings.Repeat("x", 70_000)+"')"))
	require.NoError(t, err)
	text, _ = eval.Text(v)
	require.Equal(t, "[concat('…')]", text)
	_, ok = eval.Text(armjson.String("x"))
	require.False(t, ok)
}

// Two expressions of one text hold the same secrets only if they are the same secrets in the same places.
func TestSameSecrets(t *testing.T) {
	t.Parallel()
	of := func(a, b string) *eval.Unknown {
		hidden := func(name, v string) eval.Value {
			return eval.Concealed(nil, armjson.String(v), secret.Secure, armexpr.Fn("parameters", armexpr.Str(name)))
		}
		return eval.NewUnknown(nil, "concat", hidden("a", a), hidden("b", b), eval.NewUnknown(nil, "u"))
	}
	require.True(t, eval.SameSecrets(of("x", "y"), of("x", "y")))
	require.False(t, eval.SameSecrets(of("x", "y"), of("y", "x")))
	require.False(t, eval.SameSecrets(of("x", "y"), of("x", "z")))
	sources := map[any]int{}
	one, two := eval.NewUnknown("one", "u"), eval.NewUnknown("two", "u")
	eval.Sources(func(s any) { sources[s]++ }, armjson.Array{one, eval.NewUnknown(nil, "f", one, two)}, armjson.NewObject(armjson.Member{Key: "k", Value: eval.NewUnknown("three", "g", two)}), nil)
	require.Equal(t, map[any]int{"one": 1, "two": 1, "three": 1}, sources)
}
