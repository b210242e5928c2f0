package normal

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// # Whether two values are the same
//
// Two nodes that are one pointer are the same. Others may be, too: a condition can stand within a text or around
// it, as in
//
//	format('{0}-x', if(c, 'a', 'b'))      if(c, 'a-x', 'b-x')
//
// So Relate goes through the cases: it puts true and then false in place of a condition, simplifies what this
// changes, and compares again. Without conditions, two values are the same if they are one node. They are
// different if both are known, or if they are texts that differ in known characters: what both have at the
// beginning and at the end is taken off, and of the rest, one must be empty and the other not, or the first
// or the last characters must differ. '${a}-x' and '${a}-y' are different whatever a is; '${a}x' and '${b}x' may be
// the same. If all cases say the same, that is the answer.
//
// It ends because each step removes a condition from both sides, and maxCases bounds the steps.

// Relation says what is known of two values.
type Relation uint8

const (
	Unclear   Relation = iota // they may be the same or not
	Same                      // they are the same
	Different                 // they are not the same
)

// maxCases is how many cases are gone through to relate two expressions; maxWork is how many nodes are visited
// for that in all. From there on, what would take cases is unclear.
const maxCases, maxWork = 64, 4_000_000

type pair struct{ a, b armexpr.Expr }

type choice struct {
	in, condition *armexpr.Call
	value         bool
}

// Relate tells whether two normal forms have the same value.
func (t *Table) Relate(a, b armexpr.Expr) Relation {
	if a == b {
		return Same
	}
	if r, ok := t.known[pair{a, b}]; ok {
		return r
	}
	left := maxCases
	r := t.relate(a, b, &left)
	t.known[pair{a, b}], t.known[pair{b, a}] = r, r
	return r
}

func (t *Table) relate(a, b armexpr.Expr, left *int) Relation {
	if a == b {
		return Same
	}
	c := t.condition(a, map[*armexpr.Call]bool{})
	if c == nil {
		c = t.condition(b, map[*armexpr.Call]bool{})
	}
	if *left--; c == nil || *left < 0 || t.work > maxWork {
		return t.direct(a, b)
	}
	r := t.relate(t.assume(a, c, true), t.assume(b, c, true), left)
	if r == Unclear {
		return r
	}
	if t.relate(t.assume(a, c, false), t.assume(b, c, false), left) != r {
		return Unclear
	}
	return r
}

// Conditional tells whether there is a condition in a node. Texts without conditions are the same only if they are one node.
func (t *Table) Conditional(e armexpr.Expr) bool {
	c, ok := e.(*armexpr.Call)
	return ok && t.info[c].conditional
}

// condition returns a condition that a node depends on; nil if there is none.
func (t *Table) condition(e armexpr.Expr, seen map[*armexpr.Call]bool) *armexpr.Call {
	c, ok := e.(*armexpr.Call)
	if !ok || seen[c] || !t.info[c].conditional {
		return nil
	}
	seen[c] = true
	t.work++
	if len(c.Access) == 0 {
		switch strings.ToLower(c.Name) {
		case "if":
			if len(c.Args) == 3 {
				if found := t.atom(c.Args[0]); found != nil {
					return found
				}
			}
		case "and", "or", "not":
			if found := t.atom(c); found != nil {
				return found
			}
		}
	}
	for _, list := range [][]armexpr.Expr{c.Args, c.Access} {
		for _, a := range list {
			if found := t.condition(a, seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// atom returns the first condition within one that is put together of several.
func (t *Table) atom(e armexpr.Expr) *armexpr.Call {
	c, ok := e.(*armexpr.Call)
	if !ok || len(t.info[c].free) > 0 || t.info[c].constant {
		return nil
	}
	if len(c.Access) == 0 {
		switch strings.ToLower(c.Name) {
		case "and", "or", "not":
			for _, a := range c.Args {
				if found := t.atom(a); found != nil {
					return found
				}
			}
			return nil
		}
	}
	return c
}

// assume returns a node with a condition replaced by what it is assumed to be.
func (t *Table) assume(e armexpr.Expr, condition *armexpr.Call, value bool) armexpr.Expr {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return e
	}
	key := choice{c, condition, value}
	if n, ok := t.cases[key]; ok {
		return n
	}
	n := t.replace(e, map[*armexpr.Call]armexpr.Expr{}, func(x *armexpr.Call) armexpr.Expr {
		if x == condition {
			return t.truth(value)
		}
		return nil
	}, func(x *info) bool { return !x.constant })
	t.cases[key] = n
	return n
}

// direct relates values without going through cases.
func (t *Table) direct(a, b armexpr.Expr) Relation {
	if t.constant(a) && t.constant(b) {
		return Different
	}
	if c := call(a, "not"); c != nil && c.Args[0] == b {
		return Different
	}
	if c := call(b, "not"); c != nil && c.Args[0] == a {
		return Different
	}
	if x, y := call(a, "createArray"), call(b, "createArray"); x != nil && y != nil {
		return t.elements(x.Args, y.Args)
	}
	if t.otherArguments(a, b, false) {
		return Different
	}
	if x, y := call(a, "toLower"), call(b, "toLower"); x != nil && y != nil && t.otherArguments(x.Args[0], y.Args[0], true) {
		return Different
	}
	k, l := t.kind(a), t.kind(b)
	if (k == Text || k == Int) && (l == Text || l == Int) {
		return t.texts(t.pieces(a), t.pieces(b))
	}
	if k != l && k != Any && l != Any {
		return Different
	}
	return Unclear
}

// otherArguments reports whether two calls are of a function that gives different texts for different arguments, and their
// arguments are different; lower if in lower case, too. The parts of an ID have no slashes in them, so that one that
// is different is enough. The arguments of guid() and uniqueString() are put together before they are hashed, so all others must be the
// same. That two hashes are equal all the same is left out of account.
func (t *Table) otherArguments(a, b armexpr.Expr, lower bool) bool {
	x, ok := a.(*armexpr.Call)
	y, also := b.(*armexpr.Call)
	if !ok || !also || len(x.Access)+len(y.Access) > 0 || len(x.Args) != len(y.Args) || !strings.EqualFold(x.Name, y.Name) {
		return false
	}
	hashed := isLower(x)
	switch {
	case hashed && len(x.Args) > 0:
		lower = false // case matters to what is hashed
	case !isID(x.Name):
		return false
	}
	different := 0
	for i := range x.Args {
		p, q := x.Args[i], y.Args[i]
		if lower {
			p, q = t.Lower(p), t.Lower(q)
		}
		switch t.Relate(p, q) {
		case Different:
			different++
		case Unclear:
			if hashed {
				return false
			}
		}
	}
	return different == 1 || different > 1 && !hashed
}

func (t *Table) elements(a, b []armexpr.Expr) Relation {
	if len(a) != len(b) {
		return Different
	}
	result := Same
	for i := range a {
		switch t.Relate(a[i], b[i]) {
		case Different:
			return Different
		case Unclear:
			result = Unclear
		}
	}
	return result
}

// texts relates texts by their pieces.
func (t *Table) texts(a, b []piece) Relation {
	a, b = afterPrefix(a, b)
	a, b = reversed(a), reversed(b)
	a, b = afterPrefix(a, b)
	switch {
	case len(a) == 0 && len(b) == 0:
		return Same
	case len(a) == 0 && hasLiteral(b), len(b) == 0 && hasLiteral(a):
		return Different
	case len(a) == 0 || len(b) == 0:
		return Unclear
	case isLiteral(a[0]) && isLiteral(b[0]):
		return Different // both are literals that end in other characters
	case len(a) == 1 && len(b) == 1 && !isLiteral(a[0]) && !isLiteral(b[0]) &&
		a[0].spec == b[0].spec && (t.otherArguments(a[0].expr, b[0].expr, false)):
		return Different
	}
	last, other := a[len(a)-1], b[len(b)-1]
	if isLiteral(last) && isLiteral(other) {
		return Different
	}
	return Unclear
}

func isLiteral(p piece) bool { return p.expr == nil }

func hasLiteral(list []piece) bool { return slices.ContainsFunc(list, isLiteral) }

// afterPrefix takes off what two texts have in common at the beginning.
func afterPrefix(a, b []piece) ([]piece, []piece) {
	for len(a) > 0 && len(b) > 0 {
		x, y := a[0], b[0]
		switch {
		case x == y:
			a, b = a[1:], b[1:]
			continue
		case x.expr != nil || y.expr != nil:
			return a, b
		}
		n := 0
		for n < len(x.text) && n < len(y.text) && x.text[n] == y.text[n] {
			n++
		}
		if n == 0 {
			return a, b
		}
		a, b = cut(a, n), cut(b, n)
		if n < len(x.text) && n < len(y.text) {
			return a, b
		}
	}
	return a, b
}

// cut takes the first n bytes off a text that begins with a literal.
func cut(list []piece, n int) []piece {
	if n == len(list[0].text) {
		return list[1:]
	}
	return append([]piece{{text: list[0].text[n:]}}, list[1:]...)
}

// reversed returns a text from its end: the pieces and the bytes of literals.
func reversed(list []piece) []piece {
	out := make([]piece, 0, len(list))
	for _, p := range slices.Backward(list) {
		if p.expr == nil {
			b := []byte(p.text)
			slices.Reverse(b)
			p.text = string(b)
		}
		out = append(out, p)
	}
	return out
}

// Lower returns the node of a text in lower case, for names that differ in case only.
func (t *Table) Lower(e armexpr.Expr) armexpr.Expr { return t.make("toLower", e) }
