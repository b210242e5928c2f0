package eval

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/secret"
)

// # Values that are unknown or secret
//
// Before a deployment, a template can be evaluated in part only: reference() and utcNow() have no values yet.
// And what is evaluated may be a secret. So a value can carry a mark: an Unknown stands for one that only the
// deployment can know, a Secret wraps one that is known and must not be shown. Both hold the expression that
// they are, with everything in it evaluated that can be. Marks are values themselves and can be anywhere in
// arrays and objects. Only an evaluator that NewPartial made knows them. With a variable v that is 'known' and
// a secure parameter pw:
//
//	concat(variables('v'), reference('x').y)       Unknown  concat('known', reference(…).y)
//	concat(parameters('pw'), variables('v'))       Secret   concat(parameters('pw'), 'known'), and the value
//	toUpper(concat(parameters('pw'), utcNow()))    Unknown  and Secure
//	length(createArray(utcNow(), 2))               2: the length does not depend on the mark
//	or(equals(utcNow(), 'x'), true())              true: either way
//	if(equals(utcNow(), 'x'), variables('v'), 1)   Unknown  if(equals(utcNow(), 'x'), 'known', 1)
//
// How a call treats marked arguments (applyPartial):
//
//   - An unknown argument makes the result the call itself, its arguments evaluated (residual).
//   - A secret argument is stripped of its mark for the call, and the result is a Secret (secret).
//   - A mark within an array or an object counts as if the argument were marked. The functions in inner are
//     different: they put elements elsewhere or count them, and treat a marked one as any other. Where the
//     outcome depends on it after all, as in a filter, they ask reveal, which answers errUnknown or notes
//     revealed.
//   - if, and, or and coalesce go on with the arguments that the deployment may come to. An error in one that it
//     may not come to ends nothing: the argument stays as it is written (branch, Raw).
//   - A loop of which the number of rounds is unknown becomes map(range(0, n), lambda(…)).
//   - An evaluator that Verbatim made does less, as the deployment engine does: see verbatim.go.
//
// Invariants:
//
//   - A mark is never lost: a value that was computed from a marked one is marked, or would be the same
//     whatever the marked one is.
//   - The text of a mark shows no secret. A secure value is in it as the expression that leads to the value,
//     and the value of a Secret is only reached by Value and Strip. Both marks print as the JSON null, for code
//     that does not know them.
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
	from  *origin
	known map[string]Value
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

// Concealed returns a secure value that is shown as an expression which has nothing of v,
// and differs from others as v does.
func Concealed(source any, v Value, e armexpr.Expr) *Unknown {
	var p parts
	p.marked(0, secret.Secure, fingerprintOf(p.of(v), map[*armexpr.Call]uint64{}), &origin{source: source})
	p.size = concealedSize
	return p.unknown(e)
}

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
	for _, list := range [][]armexpr.Expr{c.Args, c.Access} {
		for _, x := range list {
			text = binary.LittleEndian.AppendUint64(text, fingerprintOf(x, seen))
		}
	}
	seen[c] = maphash.Bytes(sumSeed, text)
	return seen[c]
}

// concealedSize is about how long an expression is that leads to a secure value.
const concealedSize = 32

// Get returns base.name of an unknown value.
func Get(u *Unknown, name string) Value {
	for k, v := range u.known {
		if equalFold(k, name) {
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
	if !ok || len(keys) < 2 || len(u.known) > 0 {
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
		case *Secret:
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

// Secret is a known value that must not be shown.
type Secret struct {
	armjson.Null
	Value Value // without marks
	Mark  secret.Mark
	Expr  armexpr.Expr // how it is written: parameters('password')
	// Inner says that a module declares the parameter that Expr names, and not the template.
	Inner bool

	size int
	sum  uint64 // of the value; 0 until it is asked for
	from *origin
}

// Reveal is Value for those who see the secret by an interface only.
func (s *Secret) Reveal() Value { return s.Value }

// InModule is Inner for those who see the secret by an interface only.
func (s *Secret) InModule() bool { return s.Inner }

var sumSeed = maphash.MakeSeed()

// fingerprint returns a number that tells the value from others in this process, and from the
// same value in another place: numbers are added up, and two secrets may change places.
func (s *Secret) fingerprint() uint64 {
	if s.sum == 0 {
		const enough = 512
		s.sum = maphash.Bytes(sumSeed, append(armexpr.AppendSome(nil, s.Expr, enough), armjson.Text(s.Value)...)) | 1
	}
	return s.sum
}

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
// createObject, or what an unknown or secure value stands for.
func (p *parts) of(v Value) armexpr.Expr {
	switch v := v.(type) {
	case *Unknown:
		p.marked(v.size, v.Mark, v.sum, v.from)
		return v.Expr
	case *Secret:
		p.marked(v.size, v.Mark, v.fingerprint(), v.from)
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

// NewSecret marks a value as one that must not be shown. Messages and texts show the expression.
func NewSecret(v Value, mark secret.Mark, e armexpr.Expr) *Secret {
	v, _ = Strip(v)
	return &Secret{Value: v, Mark: mark | secret.NotShown, Expr: e, size: concealedSize}
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
	case *Secret:
		return false, v.Mark
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
	case *Secret:
		return v.size
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

func isMark(v Value) bool {
	switch v.(type) {
	case *Unknown, *Secret:
		return true
	}
	return false
}

// Strip returns a value without its marks of secrecy, and whether it had one. Unknown values stay.
// The caller must take care where the result goes.
func Strip(v Value) (Value, bool) {
	if s, ok := v.(*Secret); ok {
		return s.Value, true
	}
	if _, mark := Marks(v); mark.Shown() {
		return v, false
	}
	return armjson.WithParts(v, func(_ string, x Value) Value {
		x, _ = Strip(x)
		return x
	}), true
}

// NewPartial returns an evaluator that knows marks: an expression with an unknown
// part becomes Unknown where the part decides, and what depends on a Secret becomes one.
func NewPartial(scope Scope, b *Budget) *Evaluator {
	ev := NewShared(scope, b)
	ev.partial = true
	return ev
}

// In returns an evaluator of expressions in another scope that draws on the same limits.
func (ev *Evaluator) In(scope Scope) *Evaluator {
	return &Evaluator{scope: scope, budget: ev.budget, partial: ev.partial, verbatim: ev.verbatim}
}

// WithUnknownIndex is WithCopyIndex for an index that is not known.
// Texts of expressions write it as copyIndex(shown…).
func (ev *Evaluator) WithUnknownIndex(name string, shown ...Value) *Evaluator {
	inner := *ev
	inner.copies = &copies{name: name, unknown: NewUnknown(nil, "copyIndex", shown...), next: ev.copies}
	return &inner
}

// tooMany is the error of a range or a loop beyond what is allowed.
type tooMany struct{ error }

func (t tooMany) Unwrap() error { return t.error }

// Limit returns an error that says that a limit was reached.
func Limit(err error) error { return tooMany{err} }

// Exhausted reports whether an error says that a limit was reached.
func Exhausted(err error) bool {
	return errors.As(err, new(tooMany)) || errors.Is(err, errSteps) || errors.Is(err, errSize) || errors.Is(err, errDepth) || errors.Is(err, errLarge) || errors.Is(err, errRun)
}

// Spent reports whether an error says that the budget of the whole run is used up, so that
// everything that is evaluated later fails as well.
func Spent(err error) bool {
	return errors.Is(err, errSteps) || errors.Is(err, errSize) || errors.Is(err, errRun)
}

// inner holds the functions that work on arrays and objects of which elements are
// marked, and treat these as any other. For all others, something marked within
// an argument marks the result.
var inner = map[string]bool{
	"createarray": true, "createobject": true, "concat": true, "length": true, "empty": true, "first": true, "last": true,
	"skip": true, "take": true, "items": true, "objectkeys": true, "map": true, "mapvalues": true, "filter": true, "reduce": true,
	"sort": true, "toobject": true, "groupby": true, "flatten": true, "tryget": true, "indexfromend": true, "tryindexfromend": true,
	"shallowmerge": true, "array": true,
}

// applyPartial is apply for arguments that may be marked.
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
	unknown, secure := false, false
	for i, a := range args {
		switch v := a.v.(type) {
		case *Unknown:
			secure = secure || !v.Mark.Shown()
			switch key {
			case "createarray":
			case "createobject":
				unknown = unknown || i%2 == 0 && !ev.verbatim
			default:
				unknown = true
			}
		case *Secret:
			if key != "createarray" && (key != "createobject" || i%2 == 0) {
				secure = true
			}
		case armjson.Array, *armjson.Object:
			if !ev.looksWithin(key, i, v) {
				if err := ev.weigh(v); err != nil {
					return nil, err
				}
				u, m := Marks(v)
				u = u || ev.verbatim && holdsUnknownName(v)
				unknown, secure = unknown || u, secure || !m.Shown()
			}
		}
	}
	if unknown {
		return ev.residual(name, args)
	}
	if !secure || key == "createarray" || key == "createobject" && !secretKey(args) {
		c := &invocation{ev: ev, name: name, args: args}
		v, err := f.fn(c)
		switch {
		case errors.Is(err, errUnknown):
			return ev.residual(name, args)
		case c.revealed && err != nil:
			return ev.hidden(err, name, args)
		case c.revealed:
			return ev.secret(v, name, args)
		}
		return v, err
	}
	plain := make([]arg, len(args))
	for i, a := range args {
		plain[i] = a
		if a.fn == nil {
			plain[i].v, _ = Strip(a.v)
		}
	}
	v, err := f.fn(&invocation{ev: ev, name: name, args: plain})
	if err != nil {
		return ev.hidden(err, name, args)
	}
	return ev.secret(v, name, args)
}

// looksWithin reports whether a function treats marked elements of argument i, an array or an object, as any other.
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

func secretKey(args []arg) bool {
	for i := 0; i < len(args); i += 2 {
		if _, ok := args[i].v.(*Secret); ok {
			return true
		}
	}
	return false
}

// hidden says that a function failed on a secure value, without the value.
func (ev *Evaluator) hidden(err error, name string, args []arg) (Value, error) {
	if errors.Is(err, errUnknown) {
		return ev.residual(name, args)
	}
	if Exhausted(err) {
		return nil, err
	}
	return nil, fmt.Errorf("function %s fails on a secure value", name)
}

// secret marks the result of a call on secure values.
func (ev *Evaluator) secret(v Value, name string, args []arg) (Value, error) {
	r, err := ev.residual(name, args)
	u, ok := r.(*Unknown)
	if !ok || err != nil && !errors.Is(err, errLarge) || errors.Is(err, errRun) {
		return nil, err
	}
	if unknown, _ := Marks(v); unknown {
		u.Mark |= secret.NotShown
		return u, err
	}
	return shownAs(v, u), nil
}

// maxSecret is how long the expression is by which a secret is shown. A longer one is cut:
// it is never read, and the value is known.
const maxSecret = 64 << 10

// shownAs returns a known value that is secret and shown as an expression.
func shownAs(v Value, u *Unknown) *Secret {
	v, _ = Strip(v)
	s := &Secret{Value: v, Mark: u.Mark | secret.NotShown, Expr: u.Expr, size: u.size, sum: u.sum, from: u.from}
	if c, ok := u.Expr.(*armexpr.Call); ok && u.size > maxSecret {
		s.sum = 0 // the expression does not tell what it is any more
		s.Expr, s.size = armexpr.Fn(c.Name, armexpr.Str("…")), len(c.Name)+8
	}
	return s
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
	return p.unknown(&armexpr.Call{Name: name, Args: list}), ev.expressionRoom(p.size, p.fresh+16*len(list))
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

// branch evaluates an expression that deployment may or may not evaluate, so that
// an error in it is ignored: such an expression stays as it is.
func (ev *Evaluator) branch(e armexpr.Expr, p *parts) (armexpr.Expr, error) {
	if ev.verbatim {
		e = ev.written(e)
		p.size += sizeOf(e)
		return e, nil
	}
	v, err := ev.eval(e)
	if err == nil {
		err = ev.weigh(v)
	}
	if err != nil {
		if Exhausted(err) {
			return nil, err
		}
		p.size += sizeOf(e)
		return e, nil
	}
	return p.of(v), nil
}

// conditionalPartial evaluates if(…) where the condition is marked.
func (ev *Evaluator) conditionalPartial(c *armexpr.Call, cond Value) (Value, error) {
	p := parts{size: 8}
	list := []armexpr.Expr{p.of(cond), nil, nil}
	for i := 1; i < 3; i++ {
		e, err := ev.branch(c.Args[i], &p)
		if err != nil {
			return nil, err
		}
		list[i] = e
	}
	u := p.unknown(&armexpr.Call{Name: "if", Args: list})
	if err := ev.expressionRoom(u.size, p.fresh); err != nil {
		return nil, err
	}
	s, ok := cond.(*Secret)
	if !ok {
		return u, nil
	}
	b, ok := s.Value.(armjson.Bool)
	if !ok {
		return nil, badArg(c.Name, 0, "a boolean", cond)
	}
	chosen := c.Args[2]
	if b {
		chosen = c.Args[1]
	}
	v, err := ev.eval(chosen)
	if err != nil {
		return nil, err
	}
	if unknown, _ := Marks(v); unknown {
		return u, nil
	}
	return shownAs(v, u), nil
}

// logicalPartial evaluates or and and from argument i on, which is v and marked.
// None of the arguments before it decides.
func (ev *Evaluator) logicalPartial(c *armexpr.Call, decisive bool, i int, v Value) (Value, error) {
	args := make([]arg, 0, len(c.Args))
	for range i {
		args = append(args, arg{v: armjson.Bool(!decisive)})
	}
	args = append(args, arg{v: v})
	unknown, decided := false, false
	note := func(v Value) error {
		switch v := v.(type) {
		case *Unknown:
			unknown = true
		case *Secret:
			b, ok := v.Value.(armjson.Bool)
			if !ok {
				return badArg(c.Name, len(args), "a boolean", v)
			}
			decided = decided || bool(b) == decisive
		case armjson.Bool:
			if bool(v) == decisive {
				decided = true
			}
		default:
			return badArg(c.Name, len(args), "a boolean", v)
		}
		return nil
	}
	if err := note(v); err != nil {
		return nil, err
	}
	for _, x := range c.Args[len(args):] {
		if ev.verbatim && unknown {
			args = append(args, arg{v: ev.raw(x)})
			continue
		}
		v, err := ev.eval(x)
		if err != nil {
			if Exhausted(err) {
				return nil, err
			}
			// Whether deployment gets here depends on what came before.
			args = append(args, arg{v: Raw(armexpr.AsCall(x))})
			unknown = true
			continue
		}
		if err := note(v); err != nil {
			return nil, err
		}
		if b, ok := v.(armjson.Bool); ok && bool(b) == decisive {
			return b, nil
		}
		args = append(args, arg{v: v})
	}
	r, err := ev.residual(c.Name, args)
	if err != nil || unknown {
		return r, err
	}
	u := r.(*Unknown)
	result := !decisive
	if decided {
		result = decisive
	}
	return shownAs(armjson.Bool(result), u), nil
}

// coalescePartial evaluates coalesce from argument i on, which is v and marked.
func (ev *Evaluator) coalescePartial(c *armexpr.Call, i int, v Value) (Value, error) {
	if s, ok := v.(*Secret); ok && !isNull(s.Value) {
		return v, nil
	}
	var list []arg
	if ev.verbatim {
		for range i {
			list = append(list, arg{v: armjson.Null{}})
		}
	}
	list = append(list, arg{v: v})
	_, unknown := v.(*Unknown)
	for _, x := range c.Args[i+1:] {
		if ev.verbatim && unknown {
			list = append(list, arg{v: ev.raw(x)})
			continue
		}
		next, err := ev.eval(x)
		if err != nil {
			if Exhausted(err) || !unknown {
				return nil, err
			}
			list = append(list, arg{v: Raw(armexpr.AsCall(x))})
			continue
		}
		if isNull(next) {
			continue
		}
		if _, ok := next.(*Unknown); ok {
			unknown = true
		} else if !unknown {
			return next, nil
		}
		list = append(list, arg{v: next})
		if s, ok := next.(*Secret); ok && isNull(s.Value) {
			continue
		}
		if _, ok := next.(*Unknown); !ok {
			break
		}
	}
	if !unknown {
		return armjson.Null{}, nil
	}
	return ev.residual(c.Name, list)
}

// access evaluates base.name and base[index], where both may be marked.
func (ev *Evaluator) access(base, key Value) (Value, error) {
	if !ev.partial {
		return ev.plainAccess(base, key)
	}
	b, unknownBase := base.(*Unknown)
	_, unknownKey := key.(*Unknown)
	sb, secureBase := base.(*Secret)
	sk, secureKey := key.(*Secret)
	if !unknownBase && !unknownKey && !secureBase && !secureKey {
		v, err := ev.plainAccess(base, key)
		if err == nil || !ev.verbatim || !HasUnknownName(base) {
			return v, err
		}
	}
	if err := ev.weigh(base); err != nil {
		return nil, err
	}
	if name, ok := key.(armjson.String); ok && unknownBase {
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
	if err := ev.expressionRoom(u.size, p.fresh+accessBytes(e)); err != nil {
		return nil, err
	}
	if unknownBase && !unknownKey {
		u.Source = b.Source
	}
	if !secureBase && !secureKey || unknownBase || unknownKey {
		return u, nil
	}
	plainBase, plainKey := base, key
	if secureBase {
		plainBase = sb.Value
	}
	if secureKey {
		plainKey = sk.Value
	}
	v, err := ev.plainAccess(plainBase, plainKey)
	if err != nil {
		return nil, fmt.Errorf("a property or an element of a secure value does not exist")
	}
	if unknown, _ := Marks(v); unknown {
		return u, nil
	}
	return shownAs(v, u), nil
}

// reveal returns a value that the result of the call depends on, without its mark: the
// result is secure then. An unknown value is an error.
func (c *invocation) reveal(v Value) (Value, error) {
	switch v := v.(type) {
	case *Unknown:
		return nil, errUnknown
	case *Secret:
		c.revealed = true
		return v.Value, nil
	}
	return v, nil
}

// boolean returns what a lambda says about an element.
func (c *invocation) boolean(v Value) (bool, error) {
	v, err := c.reveal(v)
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
	v, err := c.reveal(v)
	if err != nil {
		return "", err
	}
	if s, ok := v.(armjson.String); ok {
		return string(s), nil
	}
	return "", c.errorf("its lambda for keys returns %s, not a string", describe(v))
}

// secretLoop returns a loop of which the number of rounds is secure: so is the array,
// since its length tells the number.
func (ev *Evaluator) secretLoop(l loop, count *Secret) (Value, error) {
	r, err := ev.unknownLoop(l, count)
	if err != nil {
		return nil, err
	}
	u := r.(*Unknown)
	u.Mark |= count.Mark
	l.count = count.Value
	v, err := ev.loop(l)
	if err != nil {
		return nil, err
	}
	if unknown, _ := Marks(v); unknown {
		return u, nil
	}
	return shownAs(v, u), nil
}

// unknownLoop returns a loop of which the number of rounds is unknown: map over a range.
func (ev *Evaluator) unknownLoop(l loop, count Value) (Value, error) {
	if ev.verbatim {
		return NewUnknown(nil, "unknown"), nil
	}
	inner, index := *ev, ev.taken.free(l.name)
	inner.taken = &taken{index, ev.taken}
	inner.copies = &copies{name: l.name, unknown: NewUnknown(nil, "lambdaVariables", armjson.String(index)), named: l.named, next: ev.copies}
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
// brackets if it is unknown or secure. Only such values have one.
func Text(v Value) (string, bool) {
	switch v := v.(type) {
	case *Unknown:
		if v.size > maxExpression {
			return string(armexpr.AppendSome([]byte{'['}, v.Expr, maxText)) + "…]", true
		}
		return armexpr.Text(v.Expr), true
	case *Secret:
		return armexpr.Text(v.Expr), true
	}
	return "", false
}

// Resolved returns a value that prints: marks are replaced by the texts of their
// expressions, and a plain text that looks like an expression is protected.
func Resolved(v Value) Value {
	switch v := v.(type) {
	case *Unknown, *Secret:
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
	case *Unknown, *Secret:
		s, _ := Text(v)
		return s, nil
	}
	return "", fmt.Errorf("the name of a property is %s, not a string", describe(v))
}
