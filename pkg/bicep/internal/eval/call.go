package eval

import (
	"fmt"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// arg is an argument: a value or a lambda.
type arg struct {
	v  Value
	fn *closure
}

// closure is a lambda with the variables around it.
type closure struct {
	params []string
	body   armexpr.Expr
	ev     *Evaluator
	// written is the call of lambda() that it was made of.
	written armexpr.Expr
}

// lambda evaluates lambda('x', …, body) to a closure.
func (ev *Evaluator) lambda(c *armexpr.Call) (*closure, error) {
	if len(c.Args) == 0 {
		return nil, arity(c.Name, 0, 1, -1)
	}
	fn := &closure{ev: ev, body: c.Args[len(c.Args)-1], written: c}
	for _, p := range c.Args[:len(c.Args)-1] {
		name, ok := p.(armexpr.Str)
		if !ok {
			return nil, fmt.Errorf("a lambda's parameter is not named by a literal string")
		}
		fn.params = append(fn.params, string(name))
	}
	return fn, nil
}

// call evaluates the lambda's body. The lambda may have fewer parameters than there are
// arguments.
func (fn *closure) call(args ...Value) (Value, error) {
	if err := fn.ev.step(1); err != nil {
		return nil, err
	}
	inner := *fn.ev
	inner.taken = fn.ev.carried()
	for i, p := range fn.params {
		inner.locals = &locals{name: p, value: args[i], next: inner.locals}
	}
	return inner.eval(fn.body)
}

// invocation is a call of a built-in function: its name as written and its arguments.
type invocation struct {
	ev   *Evaluator
	name string
	args []arg
}

// builtin is a function and how many arguments it takes; most is -1 if there is no limit.
type builtin struct {
	least, most int
	fn          func(*invocation) (Value, error)
}

func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

func arity(name string, got, least, most int) error {
	switch {
	case least == most:
		return fmt.Errorf("function %s takes %s, not %d", name, arguments(least), got)
	case most < 0:
		return fmt.Errorf("function %s takes %s or more, not %d", name, arguments(least), got)
	}
	return fmt.Errorf("function %s takes %d to %d arguments, not %d", name, least, most, got)
}

func badArg(name string, i int, want string, got Value) error {
	return fmt.Errorf("function %s needs %s as its argument %d, not %s", name, want, i+1, describe(got))
}

func (c *invocation) errorf(format string, args ...any) error {
	return fmt.Errorf("function "+c.name+": "+format, args...)
}

func (c *invocation) bad(i int, want string) error { return badArg(c.name, i, want, c.args[i].v) }

func (c *invocation) str(i int) (string, error) {
	if s, ok := c.args[i].v.(armjson.String); ok {
		return string(s), nil
	}
	return "", c.bad(i, "a string")
}

func (c *invocation) int(i int) (int64, error) {
	if n, ok := asInt(c.args[i].v); ok {
		return n, nil
	}
	return 0, c.bad(i, "an integer")
}

// args2 returns arguments 0 and 1.
func args2[A, B any](first func(int) (A, error), second func(int) (B, error)) (a A, b B, err error) {
	if a, err = first(0); err == nil {
		b, err = second(1)
	}
	return a, b, err
}

func (c *invocation) array(i int) (armjson.Array, error) {
	if a, ok := c.args[i].v.(armjson.Array); ok {
		return a, nil
	}
	return nil, c.bad(i, "an array")
}

func (c *invocation) object(i int) (*armjson.Object, error) {
	if o, ok := c.args[i].v.(*armjson.Object); ok {
		return o, nil
	}
	return nil, c.bad(i, "an object")
}

func (c *invocation) bool(i int) (bool, error) {
	if b, ok := c.args[i].v.(armjson.Bool); ok {
		return bool(b), nil
	}
	return false, c.bad(i, "a boolean")
}

// lambda returns argument i, a lambda of least to most parameters.
func (c *invocation) lambda(i, least, most int) (*closure, error) {
	fn := c.args[i].fn
	if fn == nil {
		return nil, c.bad(i, "a lambda")
	}
	if len(fn.params) < least || len(fn.params) > most {
		return nil, c.errorf("its lambda takes %s, which is not %d to %d", arguments(len(fn.params)), least, most)
	}
	return fn, nil
}

// value returns argument i, which must not be a lambda.
func (c *invocation) value(i int) (Value, error) {
	if c.args[i].fn != nil {
		return nil, c.errorf("argument %d is a lambda", i+1)
	}
	return c.args[i].v, nil
}

// makeString returns s after taking its size from the budget.
func (c *invocation) makeString(s string) (Value, error) {
	if err := c.ev.room(len(s)); err != nil {
		return nil, err
	}
	return armjson.String(s), nil
}

// ofString makes a function of one string.
func ofString(f func(*invocation, string) (Value, error)) builtin {
	return builtin{1, 1, func(c *invocation) (Value, error) {
		s, err := c.str(0)
		if err != nil {
			return nil, err
		}
		return f(c, s)
	}}
}

var table struct {
	once sync.Once
	m    map[string]builtin
}

// builtins maps lower-case names to functions. The table is made when it is first
// needed. It cannot be a variable with a value: its functions refer to builtins.
func builtins() map[string]builtin {
	table.once.Do(func() {
		m := make(map[string]builtin, 128)
		for _, add := range []func(map[string]builtin){addLogic, addNumbers,
			addStrings, addSequences, addConversions, addCollections, addLambdas,
			addDates, addNetwork, addURIs, addHashes, addResourceIDs, addNames} {
			add(m)
		}
		table.m = m
	})
	return table.m
}

// Known reports whether there is a built-in function of that name that can be evaluated.
func Known(name string) bool {
	_, ok := builtins()[strings.ToLower(name)]
	return ok
}

// addNames adds the functions that look something up.
func addNames(m map[string]builtin) {
	m["variables"] = ofString(func(c *invocation, name string) (Value, error) {
		return c.ev.scope.Variable(name)
	})
	m["parameters"] = ofString(func(c *invocation, name string) (Value, error) {
		if c.ev.frame == nil {
			return c.ev.scope.Parameter(name)
		}
		if v, ok := c.ev.frame.argument(name); ok {
			return v, nil
		}
		return nil, c.errorf("the function that is called has no parameter %q", name)
	})
	m["lambdavariables"] = ofString(func(c *invocation, name string) (Value, error) {
		if v, ok := c.ev.variable(name); ok {
			return v, nil
		}
		return nil, c.errorf("there is no lambda variable %q here", name)
	})
	m["copyindex"] = builtin{0, 2, copyIndex}
}

// copyIndex evaluates copyIndex([name,] [offset]). Without a name it counts the loop of the
// resource, module or output, whatever loops of properties are between.
func copyIndex(c *invocation) (Value, error) {
	args := c.args
	loop, isNamed := c.ev.copies, false
	if len(args) > 0 {
		if name, ok := args[0].v.(armjson.String); ok {
			args, isNamed = args[1:], true
			for loop != nil && !dotnet.EqualFold(loop.name, string(name)) {
				loop = loop.next
			}
		}
	}
	for !isNamed && loop != nil && loop.named {
		loop = loop.next
	}
	switch {
	case loop == nil && !isNamed && c.ev.copies != nil:
		return nil, c.errorf("no resource, module or output around it has a loop; "+
			"the loop of a property or a variable is counted by its name, as in copyIndex('%s')", c.ev.copies.name)
	case loop == nil:
		return nil, c.errorf("it is not within the loop that it counts")
	}
	var offset int64
	if len(args) > 0 {
		n, ok := asInt(args[0].v)
		if !ok || len(args) > 1 {
			return nil, c.errorf("its offset is not an integer")
		}
		offset = n
	}
	if loop.unknown != nil {
		if offset == 0 {
			return loop.unknown, nil
		}
		return NewUnknown(nil, "add", loop.unknown, armjson.Int(offset)), nil
	}
	sum, ok := addInts(loop.index, offset)
	if !ok {
		return nil, c.errorf("the index overflows")
	}
	return armjson.Int(sum), nil
}
