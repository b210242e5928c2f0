// Package eval evaluates ARM expressions at compile time: for parameter files,
// for variables that are imported from compiled templates, and to find the
// literal types of calls.
//
// Its functions behave as those of ARM's expression engine do, corners
// included: strings are sequences of UTF-16 code units, booleans print as True
// and False, objects are looked up without regard to case, integers have 64
// bits and overflow is an error. Where a rule is surprising, the function says so.
//
// Evaluation is bounded in steps, depth and the size of what it makes (see
// Limits): no input makes it hang or exhaust memory.
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

// Scope says what the names in an expression stand for. Whoever implements it
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

// Function is a user's function. Its body is evaluated in Scope, where its
// parameters are what parameters('…') sees.
type Function struct {
	Params []string
	Body   Value        // a template's value: strings within it may be expressions
	Expr   armexpr.Expr // stands for the body if it is not nil
	Scope  Scope
}

// ErrUnknownFunction is what calling a function that does not exist, or not here, fails with.
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

// Limits bound an evaluation.
type Limits struct {
	Steps int // function calls, rounds of loops
	Walk  int // elements visited when values are put into others, compared or printed
	Size  int // bytes of the values that are made, all in all
	Depth int // nesting of calls
}

// DefaultLimits are far beyond what a template that can be deployed needs.
var DefaultLimits = Limits{Steps: 10_000_000, Walk: 200_000_000, Size: 2 << 30, Depth: 600}

// Evaluator evaluates expressions in a scope. Its limits hold for all
// evaluations that it makes together. It must not be used concurrently.
type Evaluator struct {
	scope  Scope
	budget *budget
	params map[string]Value // those of the user's function that is being evaluated
	locals *locals          // lambda variables, innermost first
	copies *copies          // copyIndex() of the loops around
}

type budget struct{ steps, walk, size, depth int }

type locals struct {
	name  string
	value Value
	next  *locals
}

type copies struct {
	name  string
	index int64
	next  *copies
}

// New returns an evaluator of expressions in scope.
func New(scope Scope) *Evaluator { return NewLimited(scope, DefaultLimits) }

// NewLimited is New with limits of one's own.
func NewLimited(scope Scope, l Limits) *Evaluator {
	return &Evaluator{scope: scope, budget: &budget{l.Steps, l.Walk, l.Size, l.Depth}}
}

// WithCopyIndex returns an evaluator in which copyIndex('name'), and copyIndex()
// of the innermost loop, is index.
func (ev *Evaluator) WithCopyIndex(name string, index int64) *Evaluator {
	inner := *ev
	inner.copies = &copies{name, index, ev.copies}
	return &inner
}

// Evaluate calls one function on values that are at hand.
func Evaluate(name string, args ...Value) (Value, error) {
	ev := New(NoScope{})
	list := make([]arg, len(args))
	for i, v := range args {
		list[i].v = v
	}
	return ev.apply(name, list)
}

var (
	errSteps = errors.New("the evaluation takes too many steps")
	errSize  = errors.New("the evaluation makes too large a value")
	errDepth = errors.New("the expression is nested too deeply")
)

func (ev *Evaluator) step(n int) error {
	if ev.budget.steps -= n; ev.budget.steps < 0 {
		return errSteps
	}
	return nil
}

// room takes what a string of n bytes costs from what may be made.
func (ev *Evaluator) room(n int) error {
	if n < 0 || n > maxValueText || n > ev.budget.size {
		return errSize
	}
	ev.budget.size -= n
	return nil
}

// roomFor does so for an array or object of n elements.
func (ev *Evaluator) roomFor(n int) error {
	if n > maxValueText/16 {
		return errSize
	}
	return ev.room(16 * n)
}

const (
	maxValueDepth = 2000     // how deep a value may nest
	maxValueText  = 64 << 20 // how many bytes its strings may have
)

// weigh checks that a value is of a size that can be handled. Since values are
// shared, not copied, [x, x] is made in no time from any x, and thirty such
// steps make what nobody can print. So whatever puts values into others weighs
// the result, which costs no more than printing it would.
func (ev *Evaluator) weigh(v Value) error {
	switch v.(type) {
	case armjson.Array, *armjson.Object:
	default:
		return nil
	}
	w := scale{walk: ev.budget.walk, text: maxValueText}
	err := w.put(v, maxValueDepth)
	ev.budget.walk = w.walk
	return err
}

type scale struct{ walk, text int }

func (w *scale) put(v Value, depth int) error {
	w.walk--
	switch v := v.(type) {
	case armjson.String:
		w.text -= len(v)
	case armjson.Array:
		if depth == 0 {
			return errDepth
		}
		for _, x := range v {
			if err := w.put(x, depth-1); err != nil {
				return err
			}
		}
	case *armjson.Object:
		if depth == 0 {
			return errDepth
		}
		for i := range v.Len() {
			m := v.At(i)
			w.text -= len(m.Key)
			if err := w.put(m.Value, depth-1); err != nil {
				return err
			}
		}
	}
	if w.walk < 0 {
		return errSteps
	}
	if w.text < 0 {
		return errSize
	}
	return nil
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
		v, err := ev.call(e)
		for i := 0; err == nil && i < len(e.Access); i++ {
			var key Value
			if key, err = ev.eval(e.Access[i]); err == nil {
				v, err = access(v, key)
			}
		}
		ev.budget.depth++
		return v, err
	}
	return nil, fmt.Errorf("an expression of type %T cannot be evaluated", e)
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
	if !ok {
		return nil, badArg(c.Name, 0, "a boolean", cond)
	}
	if b {
		return ev.eval(c.Args[1])
	}
	return ev.eval(c.Args[2])
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
	for _, x := range c.Args {
		v, err := ev.eval(x)
		if err != nil || !isNull(v) {
			return v, err
		}
	}
	return armjson.Null{}, nil
}

// apply calls a function on arguments that are evaluated.
func (ev *Evaluator) apply(name string, args []arg) (Value, error) {
	if f, ok := builtins()[strings.ToLower(name)]; ok {
		if len(args) < f.min || f.max >= 0 && len(args) > f.max {
			return nil, arity(name, len(args), f.min, f.max)
		}
		return f.fn(&invocation{ev: ev, name: name, args: args})
	}
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

// user calls a user's function.
func (ev *Evaluator) user(name string, f *Function, args []Value) (Value, error) {
	if len(args) != len(f.Params) {
		return nil, arity(name, len(args), len(f.Params), len(f.Params))
	}
	if ev.budget.depth -= 4; ev.budget.depth < 0 {
		ev.budget.depth += 4
		return nil, errDepth
	}
	defer func() { ev.budget.depth += 4 }()
	inner := &Evaluator{scope: f.Scope, budget: ev.budget, params: make(map[string]Value, len(args))}
	for i, p := range f.Params {
		inner.params[strings.ToLower(p)] = args[i]
	}
	if f.Expr != nil {
		return inner.eval(f.Expr)
	}
	return inner.value(f.Body)
}

func (ev *Evaluator) value(v Value) (Value, error) {
	switch v := v.(type) {
	case armjson.String:
		e, err := armexpr.Parse(string(v))
		if err != nil {
			return nil, err
		}
		return ev.eval(e)
	case armjson.Array:
		if err := ev.roomFor(len(v)); err != nil {
			return nil, err
		}
		out := make(armjson.Array, len(v))
		for i, x := range v {
			y, err := ev.value(x)
			if err != nil {
				return nil, err
			}
			out[i] = y
		}
		return out, nil
	case *armjson.Object:
		if err := ev.roomFor(v.Len()); err != nil {
			return nil, err
		}
		return ev.object(v)
	}
	return v, nil
}

// object evaluates an object: the loops of its copy member, then its members.
func (ev *Evaluator) object(o *armjson.Object) (Value, error) {
	out := armjson.NewObject()
	loops, isLoop := copyLoops(o)
	for _, l := range loops {
		a, err := ev.loop(l)
		if err != nil {
			return nil, err
		}
		out.Set(l.name, a)
	}
	for k, x := range o.All() {
		if isLoop && strings.EqualFold(k, "copy") {
			continue
		}
		if armexpr.IsExpression(k) || strings.HasPrefix(k, "[[") {
			key, err := ev.value(armjson.String(k))
			if err != nil {
				return nil, err
			}
			s, ok := key.(armjson.String)
			if !ok {
				return nil, fmt.Errorf("the name of a property is %s, not a string", describe(key))
			}
			k = string(s)
		}
		y, err := ev.value(x)
		if err != nil {
			return nil, err
		}
		out.Set(k, y)
	}
	return out, nil
}

// loop is an entry of copy in an object: {name, count, input}.
type loop struct {
	name         string
	count, input Value
}

// copyLoops returns the loops that the copy member of an object declares, if it is one.
func copyLoops(o *armjson.Object) ([]loop, bool) {
	v, ok := o.Get("copy")
	if !ok {
		return nil, false
	}
	list, ok := v.(armjson.Array)
	if !ok {
		return nil, false
	}
	loops := make([]loop, 0, len(list))
	for _, x := range list {
		entry, ok := x.(*armjson.Object)
		if !ok {
			return nil, false
		}
		l, ok := asLoop(entry)
		if !ok {
			return nil, false
		}
		loops = append(loops, l)
	}
	return loops, true
}

func asLoop(o *armjson.Object) (loop, bool) {
	name, ok := find(o, "name")
	s, isString := name.(armjson.String)
	count, hasCount := find(o, "count")
	input, hasInput := find(o, "input")
	return loop{string(s), count, input}, ok && isString && hasCount && hasInput
}

// loop evaluates a copy loop to the array it stands for.
func (ev *Evaluator) loop(l loop) (Value, error) {
	c, err := ev.value(l.count)
	if err != nil {
		return nil, err
	}
	n, ok := asInt(c)
	if !ok || n < 0 {
		return nil, fmt.Errorf("the loop %q has no valid count", l.name)
	}
	if n > maxRange {
		return nil, fmt.Errorf("the loop %q has %d rounds; the limit is %d", l.name, n, maxRange)
	}
	out := make(armjson.Array, 0, n)
	for i := range n {
		if err := ev.step(1); err != nil {
			return nil, err
		}
		v, err := ev.WithCopyIndex(l.name, i).value(l.input)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, ev.weigh(out)
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
