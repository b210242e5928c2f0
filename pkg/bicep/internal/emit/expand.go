package emit

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// expand puts the arguments of a call into the expression that an extension gives
// for it, and works out what is constant there. A call whose expression cannot be
// read stays as it is.
func expand(x *types.Expansion, name string, args []armexpr.Expr, b *eval.Budget) armexpr.Expr {
	e, err := armexpr.Parse(x.Expression)
	if err != nil {
		return fnOf(name, args)
	}
	e = armexpr.Rewrite(e, func(e armexpr.Expr) armexpr.Expr {
		c, ok := e.(*armexpr.Call)
		if !ok || len(c.Args) != 1 || !strings.EqualFold(c.Name, "parameters") {
			return e
		}
		wanted, ok := c.Args[0].(armexpr.Str)
		if !ok {
			return e
		}
		for i, p := range x.Params {
			if p != string(wanted) {
				continue
			}
			var arg armexpr.Expr = armexpr.Null
			if i < len(args) {
				arg = args[i]
			}
			if len(c.Access) > 0 {
				return armexpr.Access(arg, c.Access...)
			}
			return arg
		}
		return e
	})
	return reduce(e, b)
}

// reduce evaluates the constant parts of an expression.
func reduce(e armexpr.Expr, b *eval.Budget) armexpr.Expr {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return e
	}
	if !asksForInput(c) {
		v, err := eval.NewShared(eval.NoScope{}, b).Eval(c)
		if err != nil {
			return e
		}
		return constant(v)
	}
	r := &armexpr.Call{Name: c.Name, Args: make([]armexpr.Expr, len(c.Args)), Access: make([]armexpr.Expr, len(c.Access))}
	for i, a := range c.Args {
		r.Args[i] = reduce(a, b)
	}
	for i, a := range c.Access {
		r.Access[i] = reduce(a, b)
	}
	return r
}

// asksForInput reports whether something in an expression is known to the
// deployment alone.
func asksForInput(e armexpr.Expr) bool {
	c, ok := e.(*armexpr.Call)
	return ok && (strings.EqualFold(c.Name, "externalInput") || slices.ContainsFunc(c.Args, asksForInput) ||
		slices.ContainsFunc(c.Access, asksForInput))
}

// constant returns the expression that makes a value.
func constant(v armjson.Value) armexpr.Expr {
	switch v := v.(type) {
	case armjson.String:
		return armexpr.Str(v)
	case armjson.Bool:
		return armexpr.Bool(bool(v))
	case armjson.Number:
		if n, ok := v.Int64(); ok {
			return armexpr.Integer(n)
		}
		return armexpr.Fn("json", armexpr.Str(v))
	case armjson.Array:
		args := make([]armexpr.Expr, len(v))
		for i := range v {
			args[i] = constant(v[i])
		}
		return fnOf("createArray", args)
	case *armjson.Object:
		args := make([]armexpr.Expr, 0, 2*v.Len())
		for k, x := range v.All() {
			args = append(args, armexpr.Str(k), constant(x))
		}
		return fnOf("createObject", args)
	}
	return armexpr.Null
}
