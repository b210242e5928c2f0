package eval

import (
	"encoding/binary"
	"errors"
	"hash/maphash"
	"math/rand/v2"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
	"github.com/radbicep/rad/pkg/secret"
)

// # Values that are unknown or secret
//
// Before a deployment, a template can be evaluated in part only: reference() and utcNow() have no values yet.
// And what is evaluated may be a secret. An Unknown stands for either: for a value that only the deployment can
// know, and for one that must not be shown (Concealed). It holds the expression that it is, with everything in it
// evaluated that can be. Unknown values can be anywhere in arrays and objects. Only an evaluator that NewPartial
// made knows them. With a variable v that is 'known' and a secure parameter pw:
//
//	concat(variables('v'), reference('x').y)       concat('known', reference(…).y)
//	concat(parameters('pw'), variables('v'))       concat(parameters('pw'), 'known'), which is secure
//	length(createArray(utcNow(), 2))               2: the length does not depend on the mark
//	or(equals(utcNow(), 'x'), true())              true: either way
//	if(equals(utcNow(), 'x'), variables('v'), 1)   if(equals(utcNow(), 'x'), 'known', 1)
//
// How a call treats unknown arguments (applyPartial):
//
//   - An unknown argument makes the result the call itself, its arguments evaluated (residual).
//   - Something unknown within an array or an object counts as if the argument were unknown. The functions in
//     inner are different: they put elements elsewhere or count them, and treat an unknown one as any other.
//     Where the outcome depends on it after all, as in a filter, they ask known, which answers errUnknown.
//   - if, and, or and coalesce go on with the arguments that the deployment may come to. An error in one that it
//     may not come to ends nothing: the argument stays as it is written (branch, Raw).
//   - A loop of which the number of rounds is unknown becomes map(range(0, n), lambda(…)).
//   - An evaluator that Verbatim made does less, as the deployment engine does: see verbatim.go.
//
// Invariants:
//
//   - A value that was computed from an unknown one is unknown, or would be the same whatever the unknown one
//     is. So nothing that is decided, and no error, depends on a secret: its value is not there.
//   - A secret is in an expression as the expression that leads to it. An Unknown prints as the JSON null, for
//     code that does not know it.
//   - Evaluated by the deployment, the expression has the value that it stands for. Parameters of lambdas get
//     other names where an argument would otherwise be taken for them (taken).
//   - Expressions that show the same but hold different secrets are not the same: sum tells them apart. It is
//     the same for the same secrets however the expression around them is written.
//
// It ends because an expression is made of parts that exist, and shares them. What it would take written out is
// counted (size) and bounded by maxExpression, and its cost is taken from the budget as that of any value
// (expressionRoom). With Budget.Graphs it costs what it takes in memory only, and the text of a long one is cut
// where one is asked for (Text): what it takes written out can be more than there is memory.

// Unknown is a value that cannot be known before deployment: an expression whose
// known parts are evaluated.
type Unknown struct {
	armjson.Null
	// Expr is the expression. Of the template's parameters and variables, it names those that are
	// unknown or secure. A branch that cannot be evaluated is in it as it is written.
	Expr armexpr.Expr
	// Mark is that of the secret values that went into the expression. Its text shows none.
	Mark secret.Mark
	// Source is what the scope gave the call at the beginning of Expr: the
	// resource that is referred to. It stays while Expr is that call and accesses.
	Source any

	size  int
	sum   uint64 // of the secure values in the expression
	given bool   // it is a value that is known, and concealed
	some  bool   // it is not null, and may show that
	from  *origin
	known map[string]Value
	more  func(name string) (Value, error)
}

// IsSecure reports whether a value that must not be shown went into the expression.
func (u *Unknown) IsSecure() bool { return !u.Mark.Shown() }

// SameSecrets reports whether the secure values in two expressions of one text are the same.
func SameSecrets(a, b *Unknown) bool { return a.sum == b.sum }

// WithKnown returns the same value with some members that are known although the
// whole is not. They are found when they are accessed.
func (u *Unknown) WithKnown(members map[string]Value) *Unknown {
	v := *u
	v.known = members
	return &v
}

// WithMore returns the same value with members that are asked for when they are accessed first. A nil value is not known.
func (u *Unknown) WithMore(more func(name string) (Value, error)) *Unknown {
	v := *u
	v.more = more
	return &v
}

// Alone returns an unknown value that may differ from all others, also from those of its text.
func (u *Unknown) Alone() *Unknown {
	v := *u
	v.sum = rand.Uint64() | 1
	return &v
}

// Within returns an unknown value whose expression is put around that of another value.
func Within(v Value, around func(armexpr.Expr) armexpr.Expr) *Unknown {
	var p parts
	e := around(p.of(v))
	p.size = sizeOf(e)
	return p.unknown(e)
}

// Rewritten returns an unknown value as another expression of the same parts.
func (u *Unknown) Rewritten(e armexpr.Expr, size int) *Unknown {
	v := *u
	v.Expr, v.size = e, size
	return &v
}

// Concealed returns a value that must not be shown. It is an expression which has nothing of v,
// and differs from others as v does.
func Concealed(source any, v Value, mark secret.Mark, e armexpr.Expr) *Unknown {
	var p parts
	p.marked(0, mark|secret.NotShown, fingerprintOf(armexpr.Fn("", e, p.of(v)), map[*armexpr.Call]uint64{}), &origin{source: source})
	p.size = concealedSize
	u := p.unknown(e)
	unknown, _ := Marks(v)
	u.Source, u.given = source, !unknown
	return u
}

// Some returns the same value, of which it is known that it is not null. So whether it is null decides.
func (u *Unknown) Some() *Unknown {
	v := *u
	v.some = true
	return &v
}

// IsGiven reports whether the value is known, and concealed.
func (u *Unknown) IsGiven() bool { return u.given }

// IsSome reports whether v is a value that Some returned.
func IsSome(v Value) bool {
	u, ok := v.(*Unknown)
	return ok && u.some
}

// OtherSecret reports whether two values are concealed ones of one expression, and not the same.
func OtherSecret(a, b *Unknown) bool { return a.given && b.given && a.sum != b.sum }

// fingerprintOf returns a number that tells an expression from others in this process. Parts that are shared are read once.
func fingerprintOf(e armexpr.Expr, seen map[*armexpr.Call]uint64) uint64 {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return maphash.Bytes(sumSeed, armexpr.AppendInner(nil, e))
	}
	if sum, ok := seen[c]; ok {
		return sum
	}
	text := append([]byte(c.Name), byte(len(c.Access)))
	if c.Name == "createObject" && len(c.Access) == 0 && len(c.Args)%2 == 0 { // the order of members does not count
		var members uint64
		for i := 0; i < len(c.Args); i += 2 {
			members += fingerprintOf(armexpr.Fn("", c.Args[i:i+2]...), seen)
		}
		seen[c] = maphash.Bytes(sumSeed, binary.LittleEndian.AppendUint64(text, members))
		return seen[c]
	}
	for _, list := range [][]armexpr.Expr{c.Args, c.Access} {
		for _, x := range list {
			text = binary.LittleEndian.AppendUint64(text, fingerprintOf(x, seen))
		}
	}
	seen[c] = maphash.Bytes(sumSeed, text)
	return seen[c]
}

// concealedSize is about how long an expression is that leads to a secure value. maxSecret is how long one may become
// that is computed from it. A longer one is cut: it is never read.
const concealedSize, maxSecret = 32, 64 << 10

// Get returns base.name of an unknown value.
func Get(u *Unknown, name string) Value {
	for k, v := range u.known {
		if dotnet.EqualFold(k, name) {
			return v
		}
	}
	return get(u, name)
}

// get returns base.name.name… of an unknown value of which nothing is known.
func get(u *Unknown, names ...string) *Unknown {
	var p parts
	for _, name := range names {
		p.size += len(name) + 3
	}
	v := p.unknown(armexpr.Get(p.of(u), names...))
	v.Source = u.Source
	return v
}

// accessMany evaluates several accesses by name at once, and returns how many: those of an
// unknown value make a copy of the expression.
func (ev *Evaluator) accessMany(base Value, keys []armexpr.Expr) (Value, int, error) {
	u, ok := base.(*Unknown)
	if !ok || len(keys) < 2 || len(u.known) > 0 || u.more != nil {
		return nil, 0, nil
	}
	var names []string
	for _, k := range keys {
		name, ok := k.(armexpr.Str)
		if !ok {
			break
		}
		names = append(names, string(name))
	}
	if len(names) == 0 {
		return nil, 0, nil
	}
	v := get(u, names...)
	return v, len(names), ev.expressionRoom(v.size, accessBytes(v.Expr))
}

// origin is a tree of the sources that went into an expression. Parts are shared.
type origin struct {
	source any
	parts  []*origin
}

// Sources calls yield with every source that went into the values: what scopes
// gave the calls in their expressions. Each is reported once.
func Sources(yield func(source any), values ...Value) {
	seenOrigin, seen := map[*origin]bool{}, map[any]bool{}
	var follow func(o *origin)
	follow = func(o *origin) {
		if o == nil || seenOrigin[o] {
			return
		}
		seenOrigin[o] = true
		if o.source != nil && !seen[o.source] {
			seen[o.source] = true
			yield(o.source)
		}
		for _, p := range o.parts {
			follow(p)
		}
	}
	var walk func(v Value)
	walk = func(v Value) {
		switch v := v.(type) {
		case *Unknown:
			follow(v.from)
		case armjson.Array:
			for _, x := range v {
				walk(x)
			}
		case *armjson.Object:
			for i := range v.Len() {
				walk(v.At(i).Value)
			}
		}
	}
	for _, v := range values {
		walk(v)
	}
}

var sumSeed = maphash.MakeSeed()

// NewUnknown returns an Unknown for a call of a function.
func NewUnknown(source any, name string, args ...Value) *Unknown {
	var p parts
	u := p.call(name, args)
	u.Source = source
	if source != nil {
		u.from = &origin{source: source, parts: p.from}
	}
	return u
}

// FromEnvironment stands for what a function reads, where that depends on the environment and is not looked at.
func FromEnvironment(function string, args ...Value) *Unknown {
	u := NewUnknown(nil, function, args...)
	u.Mark |= secret.Environment
	return u
}

// Raw returns an expression that is not evaluated as an unknown value.
func Raw(c *armexpr.Call) *Unknown { return &Unknown{Expr: c, size: sizeOf(c)} }

// sizeOf returns about how long the text of an expression is that was parsed and not made.
func sizeOf(e armexpr.Expr) int {
	switch e := e.(type) {
	case armexpr.Str:
		return len(e) + 3
	case *armexpr.Call:
		n := len(e.Name) + 2
		for _, a := range e.Args {
			n += sizeOf(a) + 2
		}
		for _, k := range e.Access {
			n += sizeOf(k)
		}
		return n
	}
	return 8
}

// accessBytes is about how many bytes the accesses of an expression take.
func accessBytes(e armexpr.Expr) int {
	if c, ok := e.(*armexpr.Call); ok {
		return 16 * len(c.Access)
	}
	return 0
}

// parts collects what is known of the parts of an expression.
type parts struct {
	size  int // about how long their text is
	fresh int // about how many bytes are allocated for what was no expression before
	sum   uint64
	mark  secret.Mark
	from  []*origin
}

// unknown returns the expression that was put together.
func (p *parts) unknown(e armexpr.Expr) *Unknown {
	if c, ok := e.(*armexpr.Call); ok && p.size > maxSecret && !p.mark.Shown() {
		p.sum += fingerprintOf(e, map[*armexpr.Call]uint64{})
		e, p.size = armexpr.Fn(c.Name, armexpr.Str("…")), len(c.Name)+8
	}
	p.size = min(p.size, maxSize)
	u := &Unknown{Expr: e, Mark: p.mark, size: p.size, sum: p.sum}
	switch len(p.from) {
	case 0:
	case 1:
		u.from = p.from[0]
	default:
		u.from = &origin{parts: p.from}
	}
	return u
}

func (p *parts) call(name string, args []Value) *Unknown {
	list := make([]armexpr.Expr, len(args))
	for i, a := range args {
		list[i] = p.of(a)
	}
	p.size += len(name) + 2 + 2*len(args)
	return p.unknown(&armexpr.Call{Name: name, Args: list})
}

func (p *parts) marked(size int, mark secret.Mark, sum uint64, from *origin) {
	p.size += size
	p.sum += sum
	p.mark |= mark
	if from != nil && (len(p.from) == 0 || p.from[len(p.from)-1] != from) {
		p.from = append(p.from, from)
	}
}

// of returns the expression that a value is: a literal, a call of createArray or
// createObject, or what an unknown value stands for.
func (p *parts) of(v Value) armexpr.Expr {
	switch v := v.(type) {
	case *Unknown:
		p.marked(v.size, v.Mark, v.sum, v.from)
		return v.Expr
	case armjson.String:
		p.size += len(v) + 2
		return armexpr.Str(v)
	case armjson.Bool:
		p.size += 7
		return armexpr.Bool(bool(v))
	case armjson.Number:
		p.size += len(v) + 8
		if n, ok := v.Int64(); ok {
			return armexpr.Integer(n)
		}
		return armexpr.Fn("json", armexpr.Str(v))
	case armjson.Array:
		c := &armexpr.Call{Name: "createArray", Args: make([]armexpr.Expr, len(v))}
		p.size += len(c.Name) + 2 + 2*len(v)
		p.fresh += 64 + 24*len(v)
		for i, x := range v {
			c.Args[i] = p.of(x)
		}
		return c
	case *armjson.Object:
		c := &armexpr.Call{Name: "createObject", Args: make([]armexpr.Expr, 0, 2*v.Len())}
		p.size += len(c.Name) + 2
		p.fresh += 64 + 64*v.Len()
		for k, x := range v.All() {
			p.size += len(k) + 6
			c.Args = append(c.Args, keyExpression(k), p.of(x))
		}
		return c
	}
	p.size += 6
	return armexpr.Null
}

// keyExpression returns the expression that a member's name is: one that is not known is in it as its text.
func keyExpression(name string) armexpr.Expr {
	if armexpr.IsExpression(name) {
		if e, err := armexpr.Parse(name); err == nil {
			return e
		}
	}
	return armexpr.Str(name)
}

// Expression returns the expression that a value is.
func Expression(v Value) armexpr.Expr {
	var p parts
	return p.of(v)
}

var (
	errUnknown = errors.New("the value is not known before deployment")
	errLarge   = errors.New("the expression becomes too large")
)

// maxExpression is how long the text of an unknown value may become. Where it may become longer, its text is cut
// after maxText bytes, and maxSize stands for all lengths above it.
const (
	maxExpression = 4 << 20
	maxText       = 64 << 10
	maxSize       = 1 << 40
)

// Marks tells whether a value is, or holds, something unknown, and what must not be done with it.
func Marks(v Value) (unknown bool, mark secret.Mark) {
	switch v := v.(type) {
	case *Unknown:
		return true, v.Mark
	case armjson.Array:
		for _, x := range v {
			u, m := Marks(x)
			unknown, mark = unknown || u, mark|m
		}
	case *armjson.Object:
		for i := range v.Len() {
			u, m := Marks(v.At(i).Value)
			unknown, mark = unknown || u, mark|m
		}
	}
	return unknown, mark
}

// Weight returns about how long the text of a value is, with expressions in place of what is
// marked: at most longest bytes of each. It stops at a limit.
func Weight(v Value, limit, longest int) int {
	switch v := v.(type) {
	case nil:
		return 0
	case *Unknown:
		return min(v.size, longest)
	case armjson.String:
		return len(v) + 3
	case armjson.Number:
		return len(v) + 1
	case armjson.Array:
		n := 8
		for _, x := range v {
			if n += Weight(x, limit-n, longest); n > limit {
				break
			}
		}
		return n
	case *armjson.Object:
		n := 8
		for k, x := range v.All() {
			if n += len(k) + 4 + Weight(x, limit-n, longest); n > limit {
				break
			}
		}
		return n
	}
	return 8
}
