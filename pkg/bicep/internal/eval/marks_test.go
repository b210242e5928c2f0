package eval_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/secret"
)

// marked is a scope in which u(…) is not known, the parameters are secret, and the resource d declares something. It is
// deployed to a subscription and a resource group whose name is not known.
type marked struct{ eval.NoScope }

var secrets = map[string]string{
	"pw": `"hunter2"`, "key": `"a"`, "yes": `true`, "no": `false`, "n": `2`, "null": `null`, "list": `["a","b"]`, "obj": `{"k":"v","n":{"m":1}}`,
}

func (marked) Parameter(name string) (eval.Value, error) {
	v, err := armjson.Parse(secrets[name], armjson.Options{})
	return eval.Concealed(nil, v, secret.Secure, armexpr.Fn("parameters", armexpr.Str(name))), err
}

func (s marked) Variable(name string) (eval.Value, error) {
	if name == "part" {
		return armjson.NewObject(armjson.Member{Key: "known", Value: armjson.Int(1)}, armjson.Member{Key: "later", Value: eval.NewUnknown(nil, "u")}), nil
	}
	return s.NoScope.Variable(name)
}

func (s marked) Function(name string) (*eval.Function, error) {
	parse := func(text string) armexpr.Expr { e, _ := armexpr.Parse("[" + text + "]"); return e }
	switch name {
	case "f.twice":
		return &eval.Function{Params: []string{"x"}, Scope: s, Expr: parse("createArray(parameters('X'), u(parameters('x')))")}, nil
	case "f.other":
		return &eval.Function{Params: strings.Split("a,b,c,d,e,f,g,h,i,j", ","), Scope: eval.NoScope{}, Expr: parse("parameters('k')")}, nil
	case "f.many":
		return &eval.Function{Params: strings.Split("a,b,c,d,e,f,g,h,i,j", ","), Scope: s, Body: armjson.Array{armjson.String("[parameters('J')]"), armjson.String("[parameters('a')]"), armjson.String("plain")}}, nil
	}
	return nil, nil
}

func (marked) Call(name string, args []eval.Value) (eval.Value, error) {
	whole := eval.NewUnknown(nil, name, args...)
	switch {
	case name == "u":
		return whole, nil
	case strings.HasPrefix(name, "reference"):
		v, err := armjson.Parse(`{"text":"t","n":1,"yes":true,"no":false,"null":null,"o":{"x":"y"},"list":["e"]}`, armjson.Options{})
		return &eval.Declared{Value: v, Whole: whole, Scalars: name == "reference", Nulls: name == "referenceNulls"}, err
	case name == "named":
		return whole.WithKnown(map[string]eval.Value{"id": armjson.String("known-id")}), nil
	}
	return nil, eval.ErrUnknownFunction
}

func (marked) Located(kind string) eval.Value {
	switch kind {
	case "subscription":
		return armjson.String("00000000-0000-0000-0000-00000000000a")
	case "resourceGroup":
		return eval.NewUnknown(nil, "group")
	}
	return nil
}

func (marked) FillsIDs() bool { return true }

func (marked) Written(c *armexpr.Call) []armexpr.Expr {
	if s, ok := c.Args, c.Name == "reference" && len(c.Args) == 1; ok && s[0] == armexpr.Expr(armexpr.Str("d")) {
		return []armexpr.Expr{armexpr.Str("/id/of/d")}
	}
	return nil
}

var update = flag.Bool("update", false, "write what the expressions of testdata/marks.txt are")

// TestMarks evaluates the expressions of testdata/marks.txt. Below each is what it is in a plan, and what it is in a snapshot
// if that is something else. What is secret is written as an expression, and "secure" follows.
func TestMarks(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/marks.txt")
	require.NoError(t, err)
	n := 0
	var written []string
	for block := range strings.SplitSeq(strings.TrimSpace(strings.ReplaceAll(string(data), "\r\n", "\n")), "\n\n") {
		if strings.HasPrefix(block, "# ") {
			written = append(written, block)
			continue
		}
		expr, _, _ := strings.Cut(block, "\n")
		got := strings.Join(evaluated(t, expr), "\n")
		if !*update {
			require.Equal(t, block, got)
		}
		written = append(written, got)
		n++
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/marks.txt", []byte(strings.Join(written, "\n\n")+"\n"), 0o666))
	}
	require.Greater(t, n, 150)
}

func evaluated(t *testing.T, expr string) []string {
	e, err := armexpr.Parse("[" + expr + "]")
	require.NoError(t, err, expr)
	list := []string{expr}
	for _, verbatim := range []bool{false, true} {
		ev := eval.NewPartial(marked{}, eval.NewBudget(eval.DefaultLimits(), nil))
		if verbatim {
			ev = ev.Verbatim()
		}
		ev = ev.WithUnknownIndex("unknown").WithCopyIndex("loop", 3)
		v, err := ev.Eval(e)
		line := "    ! "
		if err != nil {
			line += err.Error()
		} else {
			line = "    " + armjson.Text(eval.Resolved(v))
			if _, mark := eval.Marks(v); !mark.Shown() {
				line += " secure"
			}
		}
		require.NotContains(t, line, "hunter2", expr)
		if line != list[len(list)-1] {
			list = append(list, line)
		}
	}
	return list
}
