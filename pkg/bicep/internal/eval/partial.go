package eval

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// NewPartial returns an evaluator that knows unknown values: an expression with an unknown
// part becomes Unknown where the part decides.
func NewPartial(scope Scope, b *Budget) *Evaluator {
	ev := NewShared(scope, b)
	ev.partial = true
	return ev
}

// In returns an evaluator of expressions in another scope that draws on the same limits.
func (ev *Evaluator) In(scope Scope) *Evaluator {
	return &Evaluator{scope: scope, budget: ev.budget, partial: ev.partial, verbatim: ev.verbatim, taken: ev.taken}
}

// WithUnknownIndex is WithCopyIndex for an index that is not known.
// Texts of expressions write it as copyIndex(shown…).
func (ev *Evaluator) WithUnknownIndex(name string, shown ...Value) *Evaluator {
	inner := *ev
	inner.copies = &copies{name: name, unknown: NewUnknown(nil, "copyIndex", shown...), next: ev.copies}
	return &inner
}

// WithIndex is WithUnknownIndex for an index that is an expression. The parameters of lambdas in it are not taken for
// those of lambdas here.
func (ev *Evaluator) WithIndex(name string, index *Unknown) *Evaluator {
	inner := *ev
	inner.copies = &copies{name: name, unknown: index, next: ev.copies}
	seen := map[*armexpr.Call]bool{}
	var take func(e armexpr.Expr)
	take = func(e armexpr.Expr) {
		c, ok := e.(*armexpr.Call)
		if !ok || seen[c] {
			return
		}
		seen[c] = true
		if strings.EqualFold(c.Name, "lambdaVariables") && len(c.Args) == 1 {
			if s, ok := c.Args[0].(armexpr.Str); ok && !inner.taken.has(string(s)) {
				inner.taken = &taken{string(s), inner.taken}
			}
		}
		for _, list := range [][]armexpr.Expr{c.Args, c.Access} {
			for _, x := range list {
				take(x)
			}
		}
	}
	take(index.Expr)
	return &inner
}

// Free returns a name for the parameter of a lambda that nothing here refers to.
func (ev *Evaluator) Free(name string) string { return ev.taken.free(name) }

// tooMany is the error of a range or a loop beyond what is allowed.
type tooMany struct{ error }

func (t tooMany) Unwrap() error { return t.error }

// Limit returns an error that says that a limit was reached.
func Limit(err error) error { return tooMany{err} }

// Exhausted reports whether an error says that a limit was reached.
func Exhausted(err error) bool {
	return errors.As(err, new(tooMany)) || errors.Is(err, errSteps) ||
		errors.Is(err, errSize) || errors.Is(err, errDepth) || errors.Is(err, errLarge) || errors.Is(err, errRun)
}

// Spent reports whether an error says that the budget of the whole run is used up, so that
// everything that is evaluated later fails as well.
func Spent(err error) bool {
	return errors.Is(err, errSteps) || errors.Is(err, errSize) || errors.Is(err, errRun)
}

// inner holds the functions that work on arrays and objects of which elements are
// unknown, and treat these as any other. For all others, something unknown within
// an argument makes the result unknown.
var inner = map[string]bool{
	"createarray": true, "createobject": true, "concat": true, "length": true, "empty": true, "first": true, "last": true,
	"skip": true, "take": true, "items": true, "objectkeys": true, "map": true, "mapvalues": true, "filter": true, "reduce": true,
	"sort": true, "toobject": true, "groupby": true, "flatten": true, "tryget": true, "indexfromend": true, "tryindexfromend": true,
	"shallowmerge": true, "array": true,
}

// applyPartial is apply for arguments that may be unknown.
func (ev *Evaluator) applyPartial(name string, args []arg) (Value, error) {
	key := strings.ToLower(name)
	f, ok := builtins()[key]
	if !ok {
		return ev.applyScope(name, args)
	}
	if len(args) < f.least || f.most >= 0 && len(args) > f.most {
		return nil, arity(name, len(args), f.least, f.most)
	}
	if strings.HasSuffix(key, "resourceid") {
		if err := checkID(name, args); err != nil {
			return nil, err
		}
	}
	if key == "equals" && (IsSome(args[0].v) && isNull(args[1].v) || isNull(args[0].v) && IsSome(args[1].v)) {
		return armjson.Bool(false), nil
	}
	unknown := false
	for i, a := range args {
		switch v := a.v.(type) {
		case *Unknown:
			switch key {
			case "createarray":
			case "createobject":
				unknown = unknown || i%2 == 0 && !ev.verbatim
			default:
				unknown = true
			}
		case armjson.Array, *armjson.Object:
			if !ev.looksWithin(key, i, v) {
				if err := ev.weigh(v); err != nil {
					return nil, err
				}
				u, _ := Marks(v)
				unknown = unknown || u || ev.verbatim && holdsUnknownName(v)
			}
		}
	}
	if unknown {
		return ev.residual(name, args)
	}
	v, err := f.fn(&invocation{ev: ev, name: name, args: args})
	if errors.Is(err, errUnknown) {
		return ev.residual(name, args)
	}
	return v, err
}

// looksWithin reports whether a function treats unknown elements of argument i, an array or an object, as any other.
func (ev *Evaluator) looksWithin(key string, i int, v Value) bool {
	switch key {
	case "contains":
		return ev.verbatim || i == 0 && isObject(v)
	case "equals":
		return ev.verbatim // expressions in the two are equal if they are the same
	case "union":
		return isObject(v) || !ev.verbatim
	case "reduce":
		return !ev.verbatim
	}
	return inner[key]
}

func isObject(v Value) bool {
	_, ok := v.(*armjson.Object)
	return ok
}

// residual returns the call itself as an unknown value, with its arguments
// evaluated as far as they can be.
func (ev *Evaluator) residual(name string, args []arg) (Value, error) {
	args = ev.placed(name, args)
	p := parts{size: len(name) + 2}
	list := make([]armexpr.Expr, len(args))
	for i, a := range args {
		p.size += 2
		if a.fn != nil {
			e, err := a.fn.expression(&p)
			if err != nil {
				return nil, err
			}
			list[i] = e
			continue
		}
		if err := ev.weigh(a.v); err != nil {
			return nil, err
		}
		list[i] = p.of(a.v)
	}
	u := p.unknown(&armexpr.Call{Name: name, Args: list})
	return u, ev.expressionRoom(u.size, p.fresh+16*len(list))
}

// expressionRoom takes the cost of an expression from the budget: about how long its text is,
// and how many bytes it takes, what it shares with others apart.
func (ev *Evaluator) expressionRoom(size, bytes int) error {
	if ev.budget.Graphs {
		size = 0
	}
	if size > maxExpression {
		return errLarge
	}
	if err := ev.room(bytes); err != nil {
		return err
	}
	return ev.step(1 + size>>12)
}

// taken is a list of names of lambda parameters.
type taken struct {
	name string
	next *taken
}

func (t *taken) has(name string) bool {
	for ; t != nil; t = t.next {
		if strings.EqualFold(t.name, name) {
			return true
		}
	}
	return false
}

// free returns a name for the parameter of a lambda that is written: its own, or the next
// that is not taken. f(x) with f(a) = map(l, x => a + x) does not mean its own x by a.
func (t *taken) free(name string) string {
	free := name
	for i := 2; t.has(free); i++ {
		free = name + strconv.Itoa(i)
	}
	return free
}

// carried returns what is taken where arguments come from here.
func (ev *Evaluator) carried() *taken {
	t := ev.taken
	for l := ev.locals; l != nil; l = l.next {
		if l.written != "" && !t.has(l.written) {
			t = &taken{l.written, t}
		}
	}
	return t
}

// expression returns a lambda as an expression in which all but its own
// parameters is evaluated.
func (fn *closure) expression(p *parts) (armexpr.Expr, error) {
	ev := *fn.ev
	if ev.verbatim {
		e := ev.written(fn.written)
		p.size += sizeOf(e)
		return e, nil
	}
	c := &armexpr.Call{Name: "lambda"}
	p.size += 10
	for _, name := range fn.params {
		written := ev.taken.free(name)
		c.Args = append(c.Args, armexpr.Str(written))
		ev.locals = &locals{name, NewUnknown(nil, "lambdaVariables", armjson.String(written)), ev.locals, written}
		if written != name {
			ev.taken = &taken{written, ev.taken}
		}
		p.size += len(written) + 4
	}
	e, err := ev.branch(fn.body, p)
	if err != nil {
		return nil, err
	}
	c.Args = append(c.Args, e)
	return c, nil
}

// access evaluates base.name and base[index], where both may be unknown.
func (ev *Evaluator) access(base, key Value) (Value, error) {
	if !ev.partial {
		return ev.plainAccess(base, key)
	}
	b, unknownBase := base.(*Unknown)
	unknownKey := isUnknown(key)
	if !unknownBase && !unknownKey {
		v, err := ev.plainAccess(base, key)
		if err == nil || !ev.verbatim || !HasUnknownName(base) {
			return v, err
		}
	}
	if err := ev.weigh(base); err != nil {
		return nil, err
	}
	if name, ok := key.(armjson.String); ok && unknownBase {
		if b.more != nil {
			if v, err := b.more(string(name)); v != nil || err != nil {
				return v, err
			}
		}
		v := Get(b, string(name))
		if u, ok := v.(*Unknown); ok {
			return v, ev.expressionRoom(u.size, accessBytes(u.Expr))
		}
		return v, nil
	}
	p := parts{size: 3}
	of := p.of(base)
	e := armexpr.Access(of, p.of(key))
	u := p.unknown(e)
	if unknownBase && !unknownKey {
		u.Source = b.Source
	}
	return u, ev.expressionRoom(u.size, p.fresh+accessBytes(e))
}

// known returns a value that the result of the call depends on. An unknown one is an error.
func (c *invocation) known(v Value) (Value, error) {
	if isUnknown(v) {
		return nil, errUnknown
	}
	return v, nil
}

// boolean returns what a lambda says about an element.
func (c *invocation) boolean(v Value) (bool, error) {
	v, err := c.known(v)
	if err != nil {
		return false, err
	}
	if b, ok := v.(armjson.Bool); ok {
		return bool(b), nil
	}
	return false, c.errorf("its lambda returns %s, not a boolean", describe(v))
}

// key returns the name that a lambda gives an element.
func (c *invocation) key(v Value) (string, error) {
	if u, ok := v.(*Unknown); ok {
		if s, ok := c.keyOf(u); ok {
			return s, nil
		}
	}
	v, err := c.known(v)
	if err != nil {
		return "", err
	}
	if s, ok := v.(armjson.String); ok {
		return string(s), nil
	}
	return "", c.errorf("its lambda for keys returns %s, not a string", describe(v))
}

// unknownLoop returns a loop of which the number of rounds is unknown: map over a range.
func (ev *Evaluator) unknownLoop(l loop, count Value) (Value, error) {
	if ev.verbatim {
		return NewUnknown(nil, "unknown"), nil
	}
	inner, index := *ev, ev.taken.free(l.name)
	inner.taken = &taken{index, ev.taken}
	inner.copies = &copies{name: l.name, unknown: NewUnknown(nil, "lambdaVariables", armjson.String(index)),
		named: l.named, next: ev.copies}
	v, err := inner.value(l.input)
	if err != nil {
		return nil, err
	}
	if err := ev.weigh(v); err != nil {
		return nil, err
	}
	p := parts{size: len(index) + 32}
	body := p.of(v)
	u := p.unknown(armexpr.Fn("map", armexpr.Fn("range", armexpr.Int(0), p.of(count)), armexpr.Fn("lambda", armexpr.Str(index), body)))
	return u, ev.expressionRoom(u.size, p.fresh)
}

// Text returns how a value is written in a template: an expression between
// brackets if it is unknown. Only such values have one.
func Text(v Value) (string, bool) {
	switch v := v.(type) {
	case *Unknown:
		if v.size > maxExpression {
			return string(armexpr.AppendSome([]byte{'['}, v.Expr, maxText)) + "…]", true
		}
		return armexpr.Text(v.Expr), true
	}
	return "", false
}

// String returns the expression between brackets.
func (u *Unknown) String() string {
	s, _ := Text(u)
	return s
}

// Resolved returns a value that prints: unknown values are replaced by the texts of their
// expressions, and a plain text that looks like an expression is protected.
func Resolved(v Value) Value {
	switch v := v.(type) {
	case *Unknown:
		s, _ := Text(v)
		return armjson.String(s)
	case armjson.String:
		if len(v) > 0 && v[0] == '[' {
			return armjson.String(armexpr.AppendLiteral(nil, string(v)))
		}
	}
	return armjson.WithParts(v, func(_ string, x Value) Value { return Resolved(x) })
}

// propertyName returns the name of a property that an expression gives.
func propertyName(v Value) (string, error) {
	switch v := v.(type) {
	case armjson.String:
		return string(v), nil
	case *Unknown:
		s, _ := Text(v)
		return s, nil
	}
	return "", fmt.Errorf("the name of a property is %s, not a string", describe(v))
}
