package eval

import (
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// memo remembers what the rounds of a loop have in common: the trees of their
// expressions, and the values of calls that do not depend on the round. Without it,
// range(0, 10000)[copyIndex()] would cost ten thousand steps in each of ten
// thousand rounds.
type memo struct {
	parsed map[string]armexpr.Expr
	closed map[*armexpr.Call]bool
	values map[*armexpr.Call]Value
}

// WithMemo returns an evaluator for the rounds of a loop: WithCopyIndex is to be
// called on it.
func (ev *Evaluator) WithMemo() *Evaluator {
	inner := *ev
	inner.memo = &memo{map[string]armexpr.Expr{}, map[*armexpr.Call]bool{}, map[*armexpr.Call]Value{}}
	return &inner
}

// Trees holds the trees of a template's expressions for all who evaluate it. The zero value is ready to use.
type Trees struct{ parsed sync.Map }

func (t *Trees) parse(s string) (armexpr.Expr, error) {
	if t == nil || len(s) < 2 || s[0] != '[' {
		return armexpr.Parse(s)
	}
	if e, ok := t.parsed.Load(s); ok {
		return e.(armexpr.Expr), nil
	}
	e, err := armexpr.Parse(s)
	if err == nil {
		t.parsed.Store(s, e)
	}
	return e, err
}

// parse returns the tree of an expression.
func (ev *Evaluator) parse(s string) (armexpr.Expr, error) {
	var parsed map[string]armexpr.Expr
	switch {
	case ev.memo != nil:
		parsed = ev.memo.parsed
	case ev.frame != nil:
		parsed = ev.frame.f.parsed
	}
	if parsed == nil || len(s) < 2 || s[0] != '[' {
		return ev.budget.Trees.parse(s)
	}
	if e, ok := parsed[s]; ok {
		return e, nil
	}
	e, err := ev.budget.Trees.parse(s)
	if err == nil {
		parsed[s] = e
	}
	return e, err
}

// remembers reports whether a call gives the same value in all rounds, and is worth
// being remembered.
func (m *memo) remembers(c *armexpr.Call) bool {
	closed, ok := m.closed[c]
	if !ok {
		closed = len(c.Args) > 0 && !strings.EqualFold(c.Name, "variables") && !strings.EqualFold(c.Name, "parameters") && isClosed(c, nil)
		m.closed[c] = closed
	}
	return closed
}

// isClosed reports whether a call, without the accesses on it, depends neither on
// the rounds of a loop nor on the parameters of lambdas around it.
func isClosed(c *armexpr.Call, bound []string) bool {
	switch strings.ToLower(c.Name) {
	case "copyindex", "fail":
		return false
	case "lambdavariables":
		if len(c.Args) == 1 {
			if s, ok := c.Args[0].(armexpr.Str); ok {
				for _, b := range bound {
					if strings.EqualFold(b, string(s)) {
						return true
					}
				}
			}
		}
		return false
	case "lambda":
		for _, a := range c.Args {
			if s, ok := a.(armexpr.Str); ok {
				bound = append(bound[:len(bound):len(bound)], string(s))
			}
		}
	}
	for _, a := range c.Args {
		if inner, ok := a.(*armexpr.Call); ok && !isClosedWhole(inner, bound) {
			return false
		}
	}
	return true
}

// isClosedWhole is isClosed with the accesses.
func isClosedWhole(c *armexpr.Call, bound []string) bool {
	if !isClosed(c, bound) {
		return false
	}
	for _, a := range c.Access {
		if inner, ok := a.(*armexpr.Call); ok && !isClosedWhole(inner, bound) {
			return false
		}
	}
	return true
}

// remember keeps the value of a call if it is of a kind that is expensive to make.
func (m *memo) remember(c *armexpr.Call, v Value) {
	switch v.(type) {
	case armjson.Array, *armjson.Object, *Unknown:
		m.values[c] = v
	default:
		m.closed[c] = false
	}
}
