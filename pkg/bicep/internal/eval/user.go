package eval

import (
	"hash/maphash"
	"slices"
	"strings"
	"unsafe"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// # Calls of user functions
//
// A function may call another one twice, and that a third one twice. Forty such functions make 2 to the power of
// 40 calls, of which few differ:
//
//	func f0(x int) int => x
//	func f1(x int) int => f0(x) + f0(x)
//	func f2(x int) int => f1(x) + f1(x)      f2(1) calls f1(1) twice, and each of these f0(1) twice
//
// A function has nothing but its arguments, so a call with equal arguments has an equal result. The budget keeps
// the results (calls), for all evaluators that share it. A call whose body can cost much is looked up: one that
// calls another user function, or has a lambda. Others cost no more than looking them up.
//
// Arguments are compared by what they are made of, up to lookedAt parts of them, and a larger part by whether it
// is the same one in memory: a loop that gives each call an array of 10,000 elements must not read the array each
// time. Values that are unknown or secret are the same if they are the same in memory. So a call may be made
// again although its arguments are equal, and the result is the same; it is never taken for another one.
//
// Errors are kept as results are, since a branch that the deployment may not come to can fail (branches.go). Those
// that say that a limit is reached are not: they depend on what came before.

// Function is a user's function. Its body is evaluated in Scope, where its
// parameters are what parameters('…') sees.
type Function struct {
	Params []string
	Body   Value        // a template's value: strings within it may be expressions
	Expr   armexpr.Expr // stands for the body if it is not nil
	Scope  Scope

	prepared bool
	costly   bool                    // calls of it are remembered
	parsed   map[string]armexpr.Expr // the expressions in Body
	places   map[string]int          // of Params, if they are many
}

const fewParams = 8

// prepare reads the function when it is called for the first time.
func (f *Function) prepare() {
	f.prepared = true
	if len(f.Params) > fewParams {
		f.places = make(map[string]int, len(f.Params))
		for i, p := range f.Params {
			f.places[dotnet.Lower(p)] = i
		}
	}
	if f.Expr != nil {
		f.costly = isCostly(f.Expr)
		return
	}
	f.parsed = map[string]armexpr.Expr{}
	f.read(f.Body)
}

// read parses the expressions of a value in the body.
func (f *Function) read(v Value) {
	switch v := v.(type) {
	case armjson.String:
		if !armexpr.IsExpression(string(v)) {
			return
		}
		if e, err := armexpr.Parse(string(v)); err == nil {
			f.parsed[string(v)] = e
			f.costly = f.costly || isCostly(e)
		}
	case armjson.Array:
		for _, x := range v {
			f.read(x)
		}
	case *armjson.Object:
		f.costly = f.costly || v.Find("copy") >= 0
		for k, x := range v.All() {
			f.read(armjson.String(k))
			f.read(x)
		}
	}
}

// isCostly reports whether an expression can cost more than its length.
func isCostly(e armexpr.Expr) bool {
	c, ok := e.(*armexpr.Call)
	return ok && (strings.EqualFold(c.Name, "lambda") || !Known(c.Name) ||
		slices.ContainsFunc(c.Args, isCostly) || slices.ContainsFunc(c.Access, isCostly))
}

// frame is a call of a user's function while its body is evaluated.
type frame struct {
	f    *Function
	args []Value
}

// argument returns the value of a parameter. Of two with one name the last counts.
func (c *frame) argument(name string) (Value, bool) {
	if c.f.places != nil {
		i, ok := c.f.places[dotnet.Lower(name)]
		if !ok {
			return nil, false
		}
		return c.args[i], true
	}
	for i := len(c.f.Params) - 1; i >= 0; i-- {
		if p := c.f.Params[i]; p == name || dotnet.Lower(p) == dotnet.Lower(name) {
			return c.args[i], true
		}
	}
	return nil, false
}

// user calls a user's function, or returns what an equal call returned.
func (ev *Evaluator) user(name string, f *Function, args []Value) (Value, error) {
	if len(args) != len(f.Params) {
		return nil, arity(name, len(args), len(f.Params), len(f.Params))
	}
	if !f.prepared {
		f.prepare()
	}
	carried := ev.carried()
	if !f.costly {
		return ev.enter(f, args, carried)
	}
	key := callKey{f, carried, ev.partial, sumOf(args)}
	if r := ev.budget.calls.find(key, args); r != nil {
		return r.value, r.err
	}
	v, err := ev.enter(f, args, carried)
	if err == nil || !Exhausted(err) {
		ev.budget.calls.keep(key, &result{args: args, value: v, err: err})
	}
	return v, err
}

// enter evaluates the body of a function.
func (ev *Evaluator) enter(f *Function, args []Value, carried *taken) (Value, error) {
	if ev.budget.depth -= 4; ev.budget.depth < 0 {
		ev.budget.depth += 4
		return nil, errDepth
	}
	defer func() { ev.budget.depth += 4 }()
	inner := ev.In(f.Scope)
	inner.taken = carried
	inner.frame = &frame{f, args}
	if f.Expr != nil {
		return inner.eval(f.Expr)
	}
	return inner.value(f.Body)
}

// calls holds the results of calls.
type calls struct {
	results map[callKey]*result
	n       int
}

// callKey is what calls with one result have in common: the function, the names that its result must not use for
// the parameters of lambdas, and a number that is made of the arguments.
type callKey struct {
	f       *Function
	taken   *taken
	partial bool
	sum     uint64
}

// maxCalls is how many results are kept.
const maxCalls = 1 << 16

func (c *calls) find(key callKey, args []Value) *result {
	for r := c.results[key]; r != nil; r = r.next {
		if areSame(r.args, args) {
			return r
		}
	}
	return nil
}

func (c *calls) keep(key callKey, r *result) {
	if c.n++; c.results == nil || c.n > maxCalls {
		c.results, c.n = map[callKey]*result{}, 1
	}
	r.next = c.results[key]
	c.results[key] = r
}

const (
	lookedAt   = 64   // parts of arguments
	longString = 4096 // bytes; of a longer one, only its place in memory is looked at
)

// sumOf returns a number for arguments, which is equal for those that areSame.
func sumOf(args []Value) uint64 {
	d := digest{room: lookedAt}
	d.hash.SetSeed(sumSeed)
	for _, v := range args {
		d.put(v)
	}
	return d.hash.Sum64()
}

// digest makes a number of values. room is how many parts of them it still looks at.
type digest struct {
	hash maphash.Hash
	room int
}

func (d *digest) put(v Value) {
	d.room--
	switch v := v.(type) {
	case armjson.String:
		d.hash.WriteByte('s')
		d.text(string(v))
	case armjson.Number:
		d.hash.WriteByte('n')
		d.text(string(v))
	case armjson.Array:
		maphash.WriteComparable(&d.hash, len(v))
		if len(v) > d.room {
			maphash.WriteComparable(&d.hash, unsafe.SliceData(v))
			return
		}
		for _, x := range v {
			d.put(x)
		}
	case *armjson.Object:
		if v.Len() > d.room {
			maphash.WriteComparable(&d.hash, v)
			return
		}
		maphash.WriteComparable(&d.hash, -v.Len())
		for i := range v.Len() {
			m := v.At(i)
			d.text(m.Key)
			d.put(m.Value)
		}
	default: // true, false, null and marks
		maphash.WriteComparable(&d.hash, v)
	}
}

func (d *digest) text(s string) {
	if len(s) > longString {
		maphash.WriteComparable(&d.hash, unsafe.StringData(s))
	} else {
		d.hash.WriteString(s)
	}
	d.hash.WriteByte(0)
}

// areSame reports whether arguments are certainly equal.
func areSame(a, b []Value) bool {
	room := lookedAt
	return slices.EqualFunc(a, b, func(x, y Value) bool { return isSame(x, y, &room) })
}

func isSame(a, b Value, room *int) bool {
	*room--
	switch a := a.(type) {
	case armjson.String:
		b, ok := b.(armjson.String)
		return ok && isSameText(string(a), string(b))
	case armjson.Array:
		b, ok := b.(armjson.Array)
		if !ok || len(a) != len(b) {
			return false
		}
		if len(a) > *room {
			return unsafe.SliceData(a) == unsafe.SliceData(b)
		}
		return slices.EqualFunc(a, b, func(x, y Value) bool { return isSame(x, y, room) })
	case *armjson.Object:
		b, ok := b.(*armjson.Object)
		if !ok || a.Len() != b.Len() || a.Len() > *room {
			return ok && a == b
		}
		for i := range a.Len() {
			x, y := a.At(i), b.At(i)
			if !isSameText(x.Key, y.Key) || !isSame(x.Value, y.Value, room) {
				return false
			}
		}
		return true
	}
	return a == b
}

func isSameText(a, b string) bool {
	if len(a) > longString {
		return len(a) == len(b) && unsafe.StringData(a) == unsafe.StringData(b)
	}
	return a == b
}
