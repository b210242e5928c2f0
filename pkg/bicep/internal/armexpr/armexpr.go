// Package armexpr holds the expressions of ARM templates, the language that
// is between brackets in a template's strings: trees that the emitter
// builds, their text, and the parser that reads the text back.
//
// Trees are values that do not change after they are built, so that parts of
// them can be shared.
package armexpr

import (
	"math"
	"slices"
	"strconv"
)

// Expr is an expression: Str, Int or *Call.
type Expr interface{ armExpr() }

// Str is a string literal.
type Str string

// Int is an integer literal. The language has those of 32 bits only: see Integer.
type Int int64

// Call is a function call and the chain of property and index accesses that is
// made on its result, as in f(x).name[0].
type Call struct {
	Name   string // with its namespace, if it has one, as in __bicep.f
	Args   []Expr
	Access []Expr // a Str prints as .name or ['a name'], all else as [expression]
}

func (Str) armExpr()   {}
func (Int) armExpr()   {}
func (*Call) armExpr() {}

// Fn returns a call. The arguments are copied, a few of them into what holds the
// call: calls are many, and most have one or two.
func Fn(name string, args ...Expr) *Call {
	switch len(args) {
	case 0:
		return &Call{Name: name}
	case 1:
		c := &struct {
			Call
			args [1]Expr
		}{Call{Name: name}, [1]Expr(args)}
		c.Args = c.args[:]
		return &c.Call
	case 2:
		c := &struct {
			Call
			args [2]Expr
		}{Call{Name: name}, [2]Expr(args)}
		c.Args = c.args[:]
		return &c.Call
	}
	return &Call{Name: name, Args: slices.Clone(args)}
}

// The calls that stand for the literals which the language lacks.
var (
	True  = &Call{Name: "true"}
	False = &Call{Name: "false"}
	Null  = &Call{Name: "null"}
)

// Bool returns the expression of a boolean.
func Bool(b bool) *Call {
	if b {
		return True
	}
	return False
}

// Integer returns the expression of an integer of any size: a literal if it has
// 32 bits, else json('…').
func Integer(n int64) Expr {
	if n < math.MinInt32 || n > math.MaxInt32 {
		return Fn("json", Str(strconv.FormatInt(n, 10)))
	}
	return Int(n)
}

// AsCall returns e as a call, on which accesses can be made: string('x') and
// int(1) for literals.
func AsCall(e Expr) *Call {
	switch e := e.(type) {
	case *Call:
		return e
	case Int:
		return Fn("int", e)
	}
	return Fn("string", e)
}

// Access returns base with further accesses made on it.
func Access(base Expr, keys ...Expr) *Call {
	c := *AsCall(base)
	c.Access = append(c.Access[:len(c.Access):len(c.Access)], keys...)
	return &c
}

// Get returns base with the named properties accessed in turn.
func Get(base Expr, names ...string) *Call {
	keys := make([]Expr, len(names))
	for i, n := range names {
		keys[i] = Str(n)
	}
	return Access(base, keys...)
}

// Rewrite returns e with every expression in it replaced by what replace makes of it, from the
// leaves up. Parts that do not change are shared with e.
func Rewrite(e Expr, replace func(Expr) Expr) Expr {
	if c, ok := e.(*Call); ok {
		args, changed := rewriteList(c.Args, replace)
		access, also := rewriteList(c.Access, replace)
		if changed || also {
			e = &Call{Name: c.Name, Args: args, Access: access}
		}
	}
	return replace(e)
}

func rewriteList(list []Expr, replace func(Expr) Expr) ([]Expr, bool) {
	var out []Expr
	for i, x := range list {
		y := Rewrite(x, replace)
		if out == nil {
			if equalExprs(x, y) {
				continue
			}
			out = append(make([]Expr, 0, len(list)), list[:i]...)
		}
		out = append(out, y)
	}
	if out == nil {
		return list, false
	}
	return out, true
}

// equalExprs tells whether replacing x by y changes nothing, without looking deep.
func equalExprs(x, y Expr) bool {
	switch x := x.(type) {
	case *Call:
		c, ok := y.(*Call)
		return ok && x == c
	case Str:
		c, ok := y.(Str)
		return ok && x == c
	case Int:
		c, ok := y.(Int)
		return ok && x == c
	}
	return false
}
