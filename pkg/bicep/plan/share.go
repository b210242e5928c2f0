package plan

import (
	"slices"
	"strconv"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// # Long expressions
//
// The expressions of a large program share their parts: a list of networks is in the name of each subnet, which is in
// the names of what is in the subnet. Written out, they can take more than there is memory. So a plan gives names to
// long expressions that are used more than once, and writes the name in place of the expression:
//
//	properties.id: variables('value2').subnet
//	value1 = map(range(0, parameters('count')), lambda('$1', …))
//	value2 = last(variables('value1'))
//
// A named expression is written once (Plan.Values), with the names of those within it. So what is written is as
// large as the nodes of the graph, however often they are used. An expression that refers to the parameter of a
// lambda around it has no name, since it is not one value.
//
// It takes two walks, each of which visits a node once: the first counts how often a node is used, the second
// makes the expressions with names.

// leastNamed is how long an expression is, in bytes, that gets a name.
const leastNamed = 300

// Named is a long expression that is used more than once.
type Named struct {
	Name  string
	Value expand.Value
}

// sharer names the long expressions of a plan.
type sharer struct {
	*normalizer
	uses    map[*armexpr.Call]int
	made    map[*armexpr.Call]armexpr.Expr
	objects map[*armjson.Object]expand.Value
	values  []Named
	number  int // of the last value
}

// share gives names to the long expressions of a plan.
func (p *Plan) share() {
	s := &sharer{normalizer: p.normal, uses: map[*armexpr.Call]int{},
		made: map[*armexpr.Call]armexpr.Expr{}, objects: map[*armjson.Object]expand.Value{}}
	seen := map[*armjson.Object]bool{}
	long := false
	p.each(func(v *expand.Value) { long = s.count(*v, seen) || long })
	if !long {
		return
	}
	p.each(func(v *expand.Value) { *v = s.value(*v) })
	p.Values = s.values
}

// each calls f with all values that a plan shows.
func (p *Plan) each(f func(*expand.Value)) {
	changes := func(list []Change) {
		for i := range list {
			f(&list[i].Before)
			f(&list[i].After)
		}
	}
	done := map[*expand.Resource]bool{}
	for i := range p.Items {
		item := &p.Items[i]
		for _, r := range []*expand.Resource{item.Resource, item.Was} {
			if r == nil || done[r] || item.Action == Unchanged {
				continue
			}
			done[r] = true
			for _, v := range []*expand.Value{&r.Name, &r.ID, &r.Scope, &r.Condition, &r.Copies} {
				f(v)
			}
			body := expand.Value(r.Body)
			f(&body)
			r.Body, _ = body.(*armjson.Object)
		}
		changes(item.Changes)
	}
	changes(p.Outputs)
}

// count counts how often the expressions in a value are used, and tells whether one is long.
func (s *sharer) count(v expand.Value, seen map[*armjson.Object]bool) (long bool) {
	switch v := v.(type) {
	case *eval.Unknown:
		if !v.IsSecure() {
			s.use(v.Expr)
			return s.table.Size(s.table.Of(v.Expr)) > leastNamed
		}
	case armjson.Array:
		for _, x := range v {
			long = s.count(x, seen) || long
		}
	case *armjson.Object:
		if v == nil || seen[v] {
			return false
		}
		seen[v] = true
		for _, x := range v.All() {
			long = s.count(x, seen) || long
		}
	}
	return long
}

func (s *sharer) use(e armexpr.Expr) {
	c, ok := s.table.Of(e).(*armexpr.Call)
	if !ok {
		return
	}
	if s.uses[c]++; s.uses[c] > 1 {
		return
	}
	if len(c.Access) > 0 {
		s.use(s.table.Base(c))
	} else {
		for _, a := range c.Args {
			s.use(a)
		}
	}
	for _, a := range c.Access {
		s.use(a)
	}
}

// value returns a value with names in place of long expressions.
func (s *sharer) value(v expand.Value) expand.Value {
	return replaced(v, s.objects, func(u *eval.Unknown) expand.Value {
		e := s.table.Of(u.Expr)
		if u.IsSecure() || s.table.Size(e) <= leastNamed {
			return u
		}
		n := s.expression(u, e)
		return u.Rewritten(n, s.table.Size(s.table.Of(n)))
	})
}

// expression returns a node with names in it, or its name.
func (s *sharer) expression(of *eval.Unknown, e armexpr.Expr) armexpr.Expr {
	c, ok := e.(*armexpr.Call)
	if !ok || s.table.Size(e) <= leastNamed {
		return e
	}
	if n, ok := s.made[c]; ok {
		return n
	}
	out := &armexpr.Call{Name: c.Name, Args: s.all(of, c.Args), Access: s.all(of, c.Access)}
	if len(c.Access) > 0 {
		if base, ok := s.expression(of, s.table.Base(c)).(*armexpr.Call); ok {
			out = armexpr.Access(base, out.Access...)
		}
	}
	var made armexpr.Expr = out
	if s.uses[c] > 1 && s.table.Closed(c) && s.table.Size(s.table.Of(out)) > leastNamed/4 {
		name := s.freeName()
		s.values = append(s.values, Named{Name: name, Value: of.Rewritten(out, s.table.Size(s.table.Of(out)))})
		made = armexpr.Fn("variables", armexpr.Str(name))
	}
	s.made[c] = made
	return made
}

// freeName returns the name of the next value: one that no parameter has.
func (s *sharer) freeName() string {
	for {
		s.number++
		if name := "value" + strconv.Itoa(s.number); !s.parameters[name] {
			return name
		}
	}
}

func (s *sharer) all(of *eval.Unknown, list []armexpr.Expr) []armexpr.Expr {
	out := make([]armexpr.Expr, len(list))
	for i, e := range list {
		out[i] = s.expression(of, e)
	}
	return out
}

// named returns the values whose names were written, and those that they mention: their names, and what they are.
func (p *Plan) named(limit int) (list [][2]string) {
	for i := len(p.Values) - 1; i >= 0; i-- { // a value mentions those before it
		if v := p.Values[i]; p.mentioned[v.Name] {
			list = append(list, [2]string{v.Name, p.bicep(v.Value, limit)})
		}
	}
	slices.Reverse(list)
	return list
}
