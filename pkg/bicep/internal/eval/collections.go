package eval

import (
	"slices"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// addCollections adds the functions that make arrays and objects.
func addCollections(m map[string]builtin) {
	m["createarray"] = builtin{0, -1, func(c *invocation) (Value, error) {
		out := make(armjson.Array, len(c.args))
		for i := range c.args {
			var err error
			if out[i], err = c.value(i); err != nil {
				return nil, err
			}
		}
		return c.made(out, len(out))
	}}
	m["createobject"] = builtin{0, -1, createObject}
	m["union"] = builtin{1, -1, union}
	m["intersection"] = builtin{1, -1, intersection}
	m["shallowmerge"] = builtin{1, 1, shallowMerge}
	m["flatten"] = builtin{1, 1, flatten}
	m["distinct"] = builtin{1, 1, func(c *invocation) (Value, error) {
		a, err := c.array(0)
		if err != nil {
			return nil, err
		}
		return c.distinct(a)
	}}
	m["items"] = builtin{1, 1, func(c *invocation) (Value, error) {
		return c.eachKey(func(k string, v Value) Value {
			return armjson.NewObject(armjson.Member{Key: "key", Value: armjson.String(k)}, armjson.Member{Key: "value", Value: v})
		})
	}}
	m["objectkeys"] = builtin{1, 1, func(c *invocation) (Value, error) {
		return c.eachKey(func(k string, _ Value) Value { return armjson.String(k) })
	}}
	m["tryget"] = builtin{2, -1, tryGet}
	m["indexfromend"] = builtin{2, 2, func(c *invocation) (Value, error) {
		return c.fromEnd(c.args[0].v, c.args[1].v, false)
	}}
	m["tryindexfromend"] = builtin{2, -1, func(c *invocation) (Value, error) {
		v, err := c.fromEnd(c.args[0].v, c.args[1].v, true)
		if err != nil || v == nil {
			return armjson.Null{}, err
		}
		return c.chain(v, 2)
	}}
}

func createObject(c *invocation) (Value, error) {
	if len(c.args)%2 != 0 {
		return nil, c.errorf("its arguments are not pairs of names and values")
	}
	o := armjson.NewObject()
	for i := 0; i < len(c.args); i += 2 {
		name, ok := c.args[i].v.(armjson.String)
		if u, unknown := c.args[i].v.(*Unknown); unknown {
			s, _ := Text(u)
			name, ok = armjson.String(s), true
		}
		if !ok {
			return nil, c.bad(i, "a string, the name of a property,")
		}
		v, err := c.value(i + 1)
		if err != nil {
			return nil, err
		}
		o.Set(string(name), v)
	}
	return c.made(o, o.Len())
}

// made takes the cost of putting n values into v from the budget.
func (c *invocation) made(v Value, n int) (Value, error) {
	if err := c.ev.roomFor(n); err != nil {
		return nil, err
	}
	return v, c.ev.weigh(v)
}

// distinct keeps the first of equal elements. Scalars are found by a key, the
// rest by comparison.
func (c *invocation) distinct(a armjson.Array) (Value, error) {
	if err := c.ev.weigh(a); err != nil {
		return nil, err
	}
	s := newSet(len(a))
	out := make(armjson.Array, 0, len(a))
	for _, v := range a {
		added, err := s.add(c, v)
		if err != nil {
			return nil, err
		}
		if added {
			out = append(out, v)
		}
	}
	return out, c.ev.roomFor(len(out))
}

// set holds values by equality.
type set struct {
	scalars map[Value]struct{}
	others  []Value
}

func newSet(n int) *set { return &set{scalars: make(map[Value]struct{}, n)} }

// key returns what stands for a scalar in the map.
func scalarKey(v Value) (Value, bool) {
	switch x := v.(type) {
	case nil:
		return armjson.Null{}, true
	case armjson.Null, armjson.Bool, armjson.String:
		return v, true
	case armjson.Number:
		if n, ok := x.Int64(); ok {
			return armjson.Int(n), true
		}
	}
	return nil, false
}

func (s *set) has(c *invocation, v Value) (bool, error) {
	if k, ok := scalarKey(v); ok {
		_, ok := s.scalars[k]
		return ok, nil
	}
	for _, x := range s.others {
		same, err := c.equal(x, v)
		if same || err != nil {
			return same, err
		}
	}
	return false, nil
}

func (s *set) add(c *invocation, v Value) (bool, error) {
	ok, err := s.has(c, v)
	if ok || err != nil {
		return false, err
	}
	if k, ok := scalarKey(v); ok {
		s.scalars[k] = struct{}{}
	} else {
		s.others = append(s.others, v)
	}
	return true, nil
}

// intersection keeps what all arrays have, once each, or the members that all
// objects have with equal values. Values are compared as wholes, at any depth, and names with their case.
func intersection(c *invocation) (Value, error) {
	if first, ok := c.args[0].v.(armjson.Array); ok {
		out := first
		for i := 1; i < len(c.args); i++ {
			a, err := c.array(i)
			if err != nil {
				return nil, err
			}
			s := newSet(len(a))
			for _, v := range a {
				if _, err := s.add(c, v); err != nil {
					return nil, err
				}
			}
			var common armjson.Array
			for _, v := range out {
				ok, err := s.has(c, v)
				if err != nil {
					return nil, err
				}
				if ok {
					common = append(common, v)
				}
			}
			out = common
		}
		return c.distinct(out)
	}
	return c.joinObjects(c.common)
}

// common keeps the members of a that b has under the same name with an equal value.
func (c *invocation) common(a, b *armjson.Object) (*armjson.Object, error) {
	out := armjson.NewObject()
	for k, x := range a.All() {
		y, ok := b.Get(k)
		if !ok {
			continue
		}
		same, err := c.equal(x, y)
		if err != nil {
			return nil, err
		}
		if same {
			out.Set(k, x)
		}
	}
	if err := c.ev.step(1); err != nil {
		return nil, err
	}
	return out, c.ev.roomFor(out.Len())
}

// equal compares two values at the cost of weighing one of them.
func (c *invocation) equal(a, b Value) (bool, error) {
	if err := c.ev.weigh(a); err != nil {
		return false, err
	}
	return equal(a, b), c.ev.step(1)
}

// flatten joins the arrays of an array.
func flatten(c *invocation) (Value, error) {
	a, err := c.array(0)
	if err != nil {
		return nil, err
	}
	n := 0
	parts := make([]armjson.Array, len(a))
	for i, x := range a {
		x, err := c.known(x)
		if err != nil {
			return nil, err
		}
		inner, ok := x.(armjson.Array)
		if !ok {
			return nil, c.errorf("element %d is %s, not an array", i, describe(x))
		}
		n += len(inner)
		parts[i] = inner
	}
	if err := c.ev.roomFor(n); err != nil {
		return nil, err
	}
	out := make(armjson.Array, 0, n)
	for _, part := range parts {
		out = append(out, part...)
	}
	return out, nil
}

// eachKey makes an array of an object's members, in the order of their names
// without regard to case; names that differ only in case keep their order.
func (c *invocation) eachKey(f func(string, Value) Value) (Value, error) {
	o, err := c.object(0)
	if err != nil {
		return nil, err
	}
	if err := c.ev.roomFor(o.Len()); err != nil {
		return nil, err
	}
	members := make([]armjson.Member, 0, o.Len())
	for k, v := range o.All() {
		members = append(members, armjson.Member{Key: k, Value: v})
	}
	slices.SortStableFunc(members, func(a, b armjson.Member) int { return dotnet.CompareFold(a.Key, b.Key) })
	out := make(armjson.Array, len(members))
	for i, m := range members {
		out[i] = f(m.Key, m.Value)
	}
	return out, c.ev.weigh(out)
}

// tryGet evaluates tryGet(base, key, …): null if base is null or has no key,
// else what the further keys find there, which must exist.
func tryGet(c *invocation) (Value, error) {
	base, err := c.value(0)
	if err != nil {
		return nil, err
	}
	var v Value
	switch b := base.(type) {
	case *armjson.Object:
		name, ok := c.args[1].v.(armjson.String)
		if !ok {
			return nil, c.bad(1, "the name of a property")
		}
		if v, ok = c.ev.find(b, string(name)); !ok {
			return armjson.Null{}, nil
		}
	case armjson.Array:
		i, ok := asInt(c.args[1].v)
		if !ok {
			return nil, c.bad(1, "an integer")
		}
		if i < 0 || i >= int64(len(b)) {
			return armjson.Null{}, nil
		}
		v = b[i]
	default:
		if isNull(base) {
			return armjson.Null{}, nil
		}
		return nil, c.bad(0, "an array or an object")
	}
	return c.chain(v, 2)
}

// chain makes the accesses that are arguments from i on. An argument
// {value: n, fromEnd: true} counts from the end. If what is accessed first is
// null, so is all.
func (c *invocation) chain(v Value, i int) (Value, error) {
	if i < len(c.args) && isNull(v) {
		return armjson.Null{}, nil
	}
	if i < len(c.args) {
		var err error
		if v, err = c.known(v); err != nil {
			return nil, err
		}
	}
	for ; i < len(c.args); i++ {
		key, err := c.value(i)
		if err != nil {
			return nil, err
		}
		if o, ok := key.(*armjson.Object); ok {
			index, _ := Find(o, "value")
			if end, _ := Find(o, "fromEnd"); equal(end, armjson.Bool(true)) {
				if v, err = c.fromEnd(v, index, false); err != nil {
					return nil, err
				}
				continue
			}
			key = index
		}
		if v, err = c.ev.access(v, key); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// fromEnd returns the element of an array that is the n-th from its end,
// counted from 1. If it may be missing, nil stands for that.
func (c *invocation) fromEnd(base, n Value, optional bool) (Value, error) {
	if optional && isNull(base) {
		return nil, nil
	}
	base, err := c.known(base)
	if err != nil {
		return nil, err
	}
	a, ok := base.(armjson.Array)
	if !ok {
		return nil, c.errorf("%s is indexed from its end, not an array", describe(base))
	}
	i, ok := asInt(n)
	if !ok {
		return nil, c.errorf("the index is %s, not an integer", describe(n))
	}
	if i < 1 || i > int64(len(a)) {
		if optional {
			return nil, nil
		}
		return nil, c.errorf("the array has no element %d from its end: its length is %d", i, len(a))
	}
	return a[int64(len(a))-i], nil
}
