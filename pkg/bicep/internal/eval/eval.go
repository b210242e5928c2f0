// Package eval evaluates ARM expressions at compile time: for parameter files,
// for variables that are imported from compiled templates, and to find the
// literal types of calls.
//
// Its functions behave as those of ARM's expression engine do, in corner cases
// too: strings are sequences of UTF-16 code units, booleans print as True
// and False, objects are looked up without regard to case, integers have 64
// bits and overflow is an error. Where a rule is surprising, the function says so.
//
// Evaluation is bounded in steps, depth and the size of what it makes (see
// Limits): no input makes it hang or exhaust memory.
//
// Begin with New. NewPartial makes an evaluator for package expand, in which values may be unknown
// or secret: marks.go says how. The package reports no diagnostics; its errors have no places.
package eval

import (
	"errors"
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// Value is short for the values that expressions have.
type Value = armjson.Value

// Scope says what the names in an expression stand for. An implementation
// may evaluate lazily and must find cycles itself.
type Scope interface {
	// Variable returns the value of variables('name').
	Variable(name string) (Value, error)
	// Parameter returns the value of parameters('name').
	Parameter(name string) (Value, error)
	// Function returns the user's function of that full name, such as __bicep.f, or nil.
	Function(name string) (*Function, error)
	// Call evaluates a function that this package does not know, such as
	// externalInputs. It returns an error that wraps ErrUnknownFunction if there is none.
	Call(name string, args []Value) (Value, error)
}

// ErrUnknownFunction is the error of a call of a function that does not exist in the scope.
var ErrUnknownFunction = errors.New("it is not a function that can be evaluated at compile time")

// NoScope has no names at all.
type NoScope struct{}

func (NoScope) Variable(name string) (Value, error) {
	return nil, fmt.Errorf("there is no variable %q here", name)
}

func (NoScope) Parameter(name string) (Value, error) {
	return nil, fmt.Errorf("there is no parameter %q here", name)
}

func (NoScope) Function(string) (*Function, error) { return nil, nil }

func (NoScope) Call(string, []Value) (Value, error) { return nil, ErrUnknownFunction }

// Evaluator evaluates expressions in a scope. Its limits hold for all
// evaluations that it makes together. It must not be used concurrently.
type Evaluator struct {
	scope  Scope
	budget *Budget
	frame  *frame  // of the user's function that is being evaluated
	locals *locals // lambda variables, innermost first
	copies *copies // copyIndex() of the loops around
	// partial says that values may be unknown.
	partial bool
	// verbatim says that what the deployment may not come to stays as it is written.
	verbatim bool
	memo     *memo // of the loop around; nil if there is none
	// taken holds the parameters of lambdas that arguments and indexes here may refer to,
	// though they are not variables here.
	taken *taken
}

type locals struct {
	name  string
	value Value
	next  *locals
	// written is what the variable is called in the lambda that is written for it; empty
	// if it has a value.
	written string
}

type copies struct {
	name  string
	index int64
	// unknown stands for the index if it is not nil.
	unknown *Unknown
	// named says that only copyIndex('name') counts the loop: it is one of a property or
	// a variable, not of a resource, a module or an output.
	named bool
	next  *copies
}

// New returns an evaluator of expressions in scope that has the default limits for itself.
func New(scope Scope) *Evaluator { return NewLimited(scope, DefaultLimits()) }

// NewLimited is New with given limits.
func NewLimited(scope Scope, l Limits) *Evaluator {
	return NewShared(scope, NewBudget(l, nil))
}

// NewShared returns an evaluator that shares a budget with others.
func NewShared(scope Scope, b *Budget) *Evaluator {
	return &Evaluator{scope: scope, budget: b}
}

// Budget returns the budget of the evaluator.
func (ev *Evaluator) Budget() *Budget { return ev.budget }

// WithCopyIndex returns an evaluator for a round of the loop of a resource or a module:
// copyIndex() and copyIndex('name') are index, also in the loops of its properties.
func (ev *Evaluator) WithCopyIndex(name string, index int64) *Evaluator {
	inner := *ev
	inner.copies = &copies{name: name, index: index, next: ev.copies}
	return &inner
}

// Evaluate calls one function on values that are known.
func Evaluate(name string, args ...Value) (Value, error) {
	ev := New(NoScope{})
	list := make([]arg, len(args))
	for i, v := range args {
		list[i].v = v
	}
	return ev.apply(name, list)
}

// Eval evaluates an expression.
func (ev *Evaluator) Eval(e armexpr.Expr) (Value, error) {
	v, err := ev.eval(e)
	if err != nil {
		return nil, err
	}
	return v, ev.weigh(v)
}

// Value evaluates a template's value: strings that are expressions are replaced
// by what they evaluate to, at any depth, names of members too.
func (ev *Evaluator) Value(v Value) (Value, error) {
	v, err := ev.value(v)
	if err != nil {
		return nil, err
	}
	return v, ev.weigh(v)
}

func (ev *Evaluator) eval(e armexpr.Expr) (Value, error) {
	switch e := e.(type) {
	case armexpr.Str:
		return armjson.String(e), nil
	case armexpr.Int:
		return armjson.Int(int64(e)), nil
	case *armexpr.Call:
		if ev.budget.depth--; ev.budget.depth < 0 {
			ev.budget.depth++
			return nil, errDepth
		}
		v, err := ev.called(e)
		if err == nil {
			if d, ok := v.(*Declared); ok {
				v, err = ev.declared(d, e.Access)
			} else {
				v, err = ev.accesses(v, e.Access)
			}
		}
		ev.budget.depth++
		return v, err
	}
	return nil, fmt.Errorf("an expression of type %T cannot be evaluated", e)
}

// called is call, which is made once for all rounds of a loop if it is the same in all.
func (ev *Evaluator) called(c *armexpr.Call) (Value, error) {
	if ev.memo == nil || !ev.memo.remembers(c) {
		return ev.call(c)
	}
	if v, ok := ev.memo.values[c]; ok {
		return v, ev.step(1)
	}
	v, err := ev.call(c)
	if err == nil {
		ev.memo.remember(c, v)
	}
	return v, err
}

// call evaluates a call without its accesses: first the few functions whose
// arguments are not simply evaluated, then the others.
func (ev *Evaluator) call(c *armexpr.Call) (Value, error) {
	if err := ev.step(1); err != nil {
		return nil, err
	}
	switch len(c.Name) {
	case 2:
		if strings.EqualFold(c.Name, "if") {
			return ev.conditional(c)
		}
		if strings.EqualFold(c.Name, "or") {
			return ev.logical(c, true)
		}
	case 3:
		if strings.EqualFold(c.Name, "and") {
			return ev.logical(c, false)
		}
	case 8:
		if strings.EqualFold(c.Name, "coalesce") {
			return ev.coalesce(c)
		}
	case 6:
		if strings.EqualFold(c.Name, "tryGet") {
			if v, err := ev.tryDeclared(c); v != nil || err != nil {
				return v, err
			}
		}
	}
	args := make([]arg, len(c.Args))
	for i, x := range c.Args {
		if l, ok := x.(*armexpr.Call); ok && strings.EqualFold(l.Name, "lambda") && len(l.Access) == 0 {
			fn, err := ev.lambda(l)
			if err != nil {
				return nil, err
			}
			args[i].fn = fn
			continue
		}
		v, err := ev.eval(x)
		if err != nil {
			return nil, err
		}
		args[i].v = v
	}
	return ev.apply(c.Name, args)
}

// conditional evaluates if(condition, then, else): only the branch that is chosen.
func (ev *Evaluator) conditional(c *armexpr.Call) (Value, error) {
	if len(c.Args) != 3 {
		return nil, arity(c.Name, len(c.Args), 3, 3)
	}
	cond, err := ev.eval(c.Args[0])
	if err != nil {
		return nil, err
	}
	b, ok := cond.(armjson.Bool)
	if !ok && isUnknown(cond) {
		return ev.conditionalPartial(c, cond)
	}
	if !ok {
		return nil, badArg(c.Name, 0, "a boolean", cond)
	}
	if b {
		return ev.chosen(c.Args[1])
	}
	return ev.chosen(c.Args[2])
}

// chosen evaluates a branch that is taken. What a resource declares stays Declared, for the accesses on the branch.
func (ev *Evaluator) chosen(e armexpr.Expr) (Value, error) {
	c, ok := e.(*armexpr.Call)
	if !ok || len(c.Access) > 0 {
		return ev.eval(e)
	}
	if ev.budget.depth--; ev.budget.depth < 0 {
		ev.budget.depth++
		return nil, errDepth
	}
	v, err := ev.called(c)
	ev.budget.depth++
	return v, err
}

// logical evaluates or (decisive true) and and (decisive false) up to the
// argument that decides.
func (ev *Evaluator) logical(c *armexpr.Call, decisive bool) (Value, error) {
	if len(c.Args) < 2 {
		return nil, arity(c.Name, len(c.Args), 2, -1)
	}
	for i, x := range c.Args {
		v, err := ev.eval(x)
		if err != nil {
			return nil, err
		}
		b, ok := v.(armjson.Bool)
		if !ok && isUnknown(v) {
			return ev.logicalPartial(c, decisive, i, v)
		}
		if !ok {
			return nil, badArg(c.Name, i, "a boolean", v)
		}
		if bool(b) == decisive {
			return b, nil
		}
	}
	return armjson.Bool(!decisive), nil
}

// coalesce evaluates its arguments up to the first that is not null.
func (ev *Evaluator) coalesce(c *armexpr.Call) (Value, error) {
	if len(c.Args) == 0 {
		return nil, arity(c.Name, 0, 1, -1)
	}
	for i, x := range c.Args {
		v, err := ev.eval(x)
		if err == nil && isUnknown(v) && !IsSome(v) {
			return ev.coalescePartial(c, i, v)
		}
		if err != nil || !isNull(v) {
			return v, err
		}
	}
	return armjson.Null{}, nil
}

// apply calls a function on arguments that are evaluated.
func (ev *Evaluator) apply(name string, args []arg) (Value, error) {
	if ev.partial {
		return ev.applyPartial(name, args)
	}
	if f, ok := builtins()[strings.ToLower(name)]; ok {
		if len(args) < f.least || f.most >= 0 && len(args) > f.most {
			return nil, arity(name, len(args), f.least, f.most)
		}
		return f.fn(&invocation{ev: ev, name: name, args: args})
	}
	return ev.applyScope(name, args)
}

// applyScope calls a function that the scope knows.
func (ev *Evaluator) applyScope(name string, args []arg) (Value, error) {
	values := make([]Value, len(args))
	for i, a := range args {
		if a.fn != nil {
			return nil, badArg(name, i, "a value", a.v)
		}
		values[i] = a.v
	}
	f, err := ev.scope.Function(name)
	if err != nil {
		return nil, err
	}
	if f != nil {
		return ev.user(name, f, values)
	}
	v, err := ev.scope.Call(name, values)
	if errors.Is(err, ErrUnknownFunction) {
		return nil, fmt.Errorf("function %s: %w", name, err)
	}
	return v, err
}

// variable looks up a lambda's variable.
func (ev *Evaluator) variable(name string) (Value, bool) {
	for l := ev.locals; l != nil; l = l.next {
		if strings.EqualFold(l.name, name) {
			return l.value, true
		}
	}
	return nil, false
}
