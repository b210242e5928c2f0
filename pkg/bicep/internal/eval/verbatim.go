package eval

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// # What the deployment engine leaves as it is
//
// A plan folds all that it can: the branches of an if whose condition is not known are evaluated, and so are the
// bodies of lambdas that do not run. The deployment engine, and with it the official snapshot, does not. An
// evaluator that Verbatim made does as the engine does, so that a snapshot has the same text. With c unknown:
//
//	if(c, parameters('s'), variables('v'))      its branches stay as they are written
//	and(c, parameters('f')), or(…), coalesce(…) so do the arguments that follow the first unknown one
//	map(c, lambda('x', parameters('s')))        so does a lambda that does not run
//	createArray(c) == createArray('x')          false: within arrays and objects, expressions are equal if they
//	                                            are the same. contains() compares so, too
//	createObject(c, 1), toObject(…)             an object of which a name is an expression
//	reduce(createArray(c), …)                   stays, where map and filter go through the elements
//	reduce(createArray(createObject(c, 1)), …)  stays, and so does string(createObject(c, 1)): the object is not known
//	a loop whose number of rounds is unknown    unknown()
//
// Two things are changed in what stays: a symbolic name becomes the ID that it stands for (Written), and copyIndex()
// the number of the round.
//
// What a resource declares is known to the engine before the resource is there. reference() of it is a Declared:
// what is found by accesses has its declared value, and what is not found, or null, is reference() again.

// Verbatim returns an evaluator that leaves unevaluated what the deployment engine leaves so.
func (ev *Evaluator) Verbatim() *Evaluator {
	inner := *ev
	inner.verbatim = true
	return &inner
}

// A Writer is a scope with symbolic names.
type Writer interface {
	// Written returns the arguments of a call with the ID of a resource in place of its symbolic name; nil if it
	// does not begin with one.
	Written(c *armexpr.Call) []armexpr.Expr
}

// written returns an expression that is not evaluated as the engine shows it.
func (ev *Evaluator) written(e armexpr.Expr) armexpr.Expr {
	w, _ := ev.scope.(Writer)
	if w == nil && ev.copies == nil {
		return e
	}
	return ev.rewritten(e, w)
}

// rewritten is written with the scope's Writer, which may be nil. An expression in which nothing changes is returned itself.
func (ev *Evaluator) rewritten(e armexpr.Expr, w Writer) armexpr.Expr {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return e
	}
	if strings.EqualFold(c.Name, "copyIndex") && ev.copies != nil {
		if n, err := ev.eval(c); err == nil && !isUnknown(n) {
			if i, ok := asInt(n); ok {
				return armexpr.Int(i)
			}
		}
		return e
	}
	out := *c
	changed := false
	list := func(in []armexpr.Expr) []armexpr.Expr {
		var made []armexpr.Expr
		for i, x := range in {
			y := ev.rewritten(x, w)
			if y == x {
				continue
			}
			if made == nil {
				made = append(made, in...)
			}
			made[i], changed = y, true
		}
		if made == nil {
			return in
		}
		return made
	}
	out.Args = nil
	if w != nil {
		out.Args = w.Written(c)
	}
	if out.Args != nil {
		changed = true
	} else {
		out.Args = list(c.Args)
	}
	out.Access = list(c.Access)
	if !changed {
		return c
	}
	return &out
}

// raw returns an expression that is not evaluated as a value.
func (ev *Evaluator) raw(e armexpr.Expr) Value {
	e = ev.written(e)
	if c, ok := e.(*armexpr.Call); ok {
		return Raw(c)
	}
	v, _ := New(NoScope{}).eval(e)
	return v
}

// Declared is a value of which more is known than that it is Whole: what a resource declares.
type Declared struct {
	armjson.Null
	Value Value
	Whole *Unknown
	// Nulls says that a null in it is what the deployment finds there, too.
	Nulls bool
	// Scalars says that only a text, a number and true are believed. All else is Whole.
	Scalars bool
}

// declared evaluates accesses on what is declared.
func (ev *Evaluator) declared(d *Declared, keys []armexpr.Expr) (Value, error) {
	if d.Scalars {
		return ev.declaredScalar(d, keys)
	}
	v := d.Value
	for i, k := range keys {
		if u, ok := v.(*Unknown); ok {
			return ev.accesses(u, keys[i:])
		}
		key, err := ev.eval(k)
		if err != nil {
			return nil, err
		}
		next, err := Value(nil), error(nil)
		if !isUnknown(key) {
			next, err = ev.access(v, key)
		}
		if err != nil || isNull(next) && !d.Nulls {
			return ev.accesses(d.Whole, keys)
		}
		v = next
	}
	if _, unknown := v.(*Unknown); unknown && !d.Nulls {
		return ev.accesses(d.Whole, keys)
	}
	return v, nil
}

// declaredScalar evaluates accesses that lead to a text, a number or true in what is declared; else those on the whole.
func (ev *Evaluator) declaredScalar(d *Declared, keys []armexpr.Expr) (Value, error) {
	v := d.Value
	for _, k := range keys {
		var key Value
		switch k := k.(type) {
		case armexpr.Str:
			key = armjson.String(k)
		case armexpr.Int:
			key = armjson.Int(int64(k))
		default:
			return ev.accesses(d.Whole, keys)
		}
		switch v.(type) {
		case *armjson.Object, armjson.Array:
		default:
			return ev.accesses(d.Whole, keys)
		}
		next, err := ev.access(v, key)
		if err != nil {
			return ev.accesses(d.Whole, keys)
		}
		v = next
	}
	switch x := v.(type) {
	case armjson.String, armjson.Number:
		return v, nil
	case armjson.Bool:
		if x {
			return v, nil
		}
	}
	return ev.accesses(d.Whole, keys)
}

// tryDeclared evaluates tryGet(reference(…), 'a', …) if it leads to what declaredScalar finds; nil if it does not.
func (ev *Evaluator) tryDeclared(c *armexpr.Call) (Value, error) {
	var keys []armexpr.Expr
	for strings.EqualFold(c.Name, "tryGet") {
		if len(c.Args) < 2 {
			return nil, nil
		}
		inner, ok := c.Args[0].(*armexpr.Call)
		if !ok {
			return nil, nil
		}
		keys = slices.Concat(inner.Access, c.Args[1:], keys)
		c = inner
	}
	if !strings.EqualFold(c.Name, "reference") || ev.verbatim {
		return nil, nil
	}
	v, err := ev.chosen(armexpr.Fn(c.Name, c.Args...))
	d, ok := v.(*Declared)
	if err != nil || !ok || !d.Scalars {
		return nil, err
	}
	if v, err = ev.declaredScalar(d, keys); err != nil || isUnknown(v) {
		return nil, err
	}
	return v, nil
}

// accesses evaluates accesses one after the other.
func (ev *Evaluator) accesses(v Value, keys []armexpr.Expr) (Value, error) {
	for i := 0; i < len(keys); i++ {
		many, n, err := ev.accessMany(v, keys[i:])
		if n > 0 {
			v, i = many, i+n-1
		} else {
			var key Value
			if key, err = ev.eval(keys[i]); err == nil {
				v, err = ev.access(v, key)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return v, nil
}

// keyOf returns the name that an expression gives a member, where it is not known.
func (c *invocation) keyOf(u *Unknown) (string, bool) {
	if !c.ev.verbatim || !strings.EqualFold(c.name, "toObject") {
		return "", false
	}
	return armexpr.Text(u.Expr), true
}

// HasUnknownName reports whether a value is an object of which a name is an expression.
func HasUnknownName(v Value) bool {
	o, ok := v.(*armjson.Object)
	if !ok {
		return false
	}
	for k := range o.All() {
		if armexpr.IsExpression(k) {
			return true
		}
	}
	return false
}

// holdsUnknownName reports whether a value is, or holds, an object of which a name is an expression.
func holdsUnknownName(v Value) bool {
	switch v := v.(type) {
	case armjson.Array:
		if slices.ContainsFunc(v, holdsUnknownName) {
			return true
		}
	case *armjson.Object:
		for k, x := range v.All() {
			if armexpr.IsExpression(k) || holdsUnknownName(x) {
				return true
			}
		}
	}
	return false
}
