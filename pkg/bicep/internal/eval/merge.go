package eval

import (
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// # Merging objects
//
// When ARM puts objects together, names that differ in case only are one name. The functions
// differ in how the result spells it, and in what a null does:
//
//	union({ A: 1 }, { a: 2 })            { a: 2 }   spelled as the last, where the first was
//	union({ a: 1 }, { a: null })         { a: 1 }   null replaces nothing
//	union({ a: { b: 1 } }, { a: 2 })     an error: only objects and objects, arrays and arrays, scalars and scalars go together
//	shallowMerge([{ A: 1 }, { a: 2 }])   { A: 2 }   spelled as the first; so is { ...x, a: 2 }
//	shallowMerge([{ a: 1 }, { a: null }])  { a: null }
//
// A single object is left as it is, even if names in it differ in case only: json('{"a":1,"A":2}') has both.

// merged is an object that is put together. Its names are found in any case of letters.
type merged struct {
	members []armjson.Member
	folded  map[string]int // where a name is, in upper case; nil as long as there are few members
}

func newMerged(n int) *merged { return &merged{members: make([]armjson.Member, 0, n)} }

// few is up to how many members are compared one by one.
const few = 8

// index returns where a name is, or -1. A name that is spelled alike counts more than one in another case.
func (m *merged) index(name string) int {
	if m.folded != nil {
		if i, ok := m.folded[dotnet.Upper(name)]; ok {
			return i
		}
		return -1
	}
	found := -1
	for i := range m.members {
		switch {
		case m.members[i].Key == name:
			return i
		case found < 0 && dotnet.EqualFold(m.members[i].Key, name):
			found = i
		}
	}
	return found
}

// add appends a member whose name is new.
func (m *merged) add(name string, v Value) {
	m.members = append(m.members, armjson.Member{Key: name, Value: v})
	switch {
	case m.folded != nil:
		m.folded[dotnet.Upper(name)] = len(m.members) - 1
	case len(m.members) > few:
		m.folded = make(map[string]int, 4*few)
		for i := len(m.members) - 1; i >= 0; i-- {
			m.folded[dotnet.Upper(m.members[i].Key)] = i
		}
	}
}

func (m *merged) object() *armjson.Object { return armjson.NewObject(m.members...) }

// union joins arrays without duplicates, or merges objects.
func union(c *invocation) (Value, error) {
	if _, ok := c.args[0].v.(armjson.Array); ok {
		var all armjson.Array
		for i := range c.args {
			a, err := c.array(i)
			if err != nil {
				return nil, err
			}
			if err := c.ev.roomFor(len(all) + len(a)); err != nil {
				return nil, err
			}
			all = append(all, a...)
		}
		if c.ev.partial && !c.ev.verbatim {
			if unknown, _ := Marks(all); unknown {
				return c.apart(all)
			}
		}
		return c.distinct(all)
	}
	return c.joinObjects(c.merge)
}

// apart is distinct for elements with marks: it can be said for each two of them whether they are the same.
// Where one has the name 'hub' and the other 'spoke', whatever else is in them makes no difference.
func (c *invocation) apart(a armjson.Array) (Value, error) {
	const most = 200
	if len(a) > most {
		return nil, errUnknown
	}
	if err := c.ev.weigh(a); err != nil {
		return nil, err
	}
	out := make(armjson.Array, 0, len(a))
next:
	for _, v := range a {
		for _, w := range out {
			if err := c.ev.step(1); err != nil {
				return nil, err
			}
			switch same, known := sameMarked(v, w); {
			case !known:
				return nil, errUnknown
			case same:
				continue next
			}
		}
		out = append(out, v)
	}
	return out, c.ev.roomFor(len(out))
}

// sameMarked tells whether two values are the same, if that can be said of what is known of them.
func sameMarked(a, b Value) (same, known bool) {
	if isUnknown(a) || isUnknown(b) {
		return a == b, a == b
	}
	same = true
	note := func(v, w Value) (different bool) {
		equal, sure := sameMarked(v, w)
		if sure && !equal {
			same, known = false, true
			return true
		}
		known = known && sure
		return false
	}
	known = true
	switch x := a.(type) {
	case armjson.Array:
		y, ok := b.(armjson.Array)
		if !ok || len(x) != len(y) {
			return false, true
		}
		for i := range x {
			if note(x[i], y[i]) {
				break
			}
		}
		return same, known
	case *armjson.Object:
		y, ok := b.(*armjson.Object)
		switch {
		case !ok:
			return false, true
		case HasUnknownName(x) || HasUnknownName(y):
			return false, false
		case x.Len() != y.Len():
			return false, true
		}
		for k, v := range x.All() {
			w, ok := Find(y, k)
			if !ok {
				return false, true
			}
			if note(v, w) {
				break
			}
		}
		return same, known
	}
	return armjson.Equal(a, b), true
}

// joinObjects joins the arguments from the first to the last, two objects at a time.
func (c *invocation) joinObjects(join func(a, b *armjson.Object) (*armjson.Object, error)) (Value, error) {
	out, err := c.object(0)
	if err != nil {
		return nil, c.bad(0, "an array or an object")
	}
	for i := 1; i < len(c.args); i++ {
		o, err := c.object(i)
		if err != nil {
			return nil, err
		}
		if out, err = join(out, o); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// merge returns a with the members of b, nested objects merged.
func (c *invocation) merge(a, b *armjson.Object) (*armjson.Object, error) {
	if err := c.ev.roomFor(a.Len() + b.Len()); err != nil {
		return nil, err
	}
	out := newMerged(a.Len() + b.Len())
	for k, v := range a.All() {
		out.add(k, v)
	}
	for k, v := range b.All() {
		i := out.index(k)
		if i < 0 {
			out.add(k, v)
			continue
		}
		if isNull(v) && !isUnknown(v) {
			continue
		}
		v, err := c.mergeMembers(out.members[i].Value, v)
		if err != nil {
			return nil, err
		}
		out.members[i] = armjson.Member{Key: k, Value: v}
	}
	return out.object(), nil
}

// mergeMembers merges two members of one name: the second, or both if they are objects.
func (c *invocation) mergeMembers(a, b Value) (Value, error) {
	if isUnknown(b) {
		if isObject(a) {
			return nil, errUnknown // they are merged, or it is null
		}
		return NewUnknown(nil, "if", NewUnknown(nil, "equals", b, armjson.Null{}), a, b), nil
	}
	if isUnknown(a) {
		if isObject(b) {
			return nil, errUnknown
		}
		return b, nil
	}
	if isNull(a) {
		return b, nil
	}
	if kindOf(a) != kindOf(b) {
		return nil, c.errorf("a property is %s in one object and %s in another", describe(a), describe(b))
	}
	o, ok := a.(*armjson.Object)
	if !ok {
		return b, nil
	}
	return c.merge(o, b.(*armjson.Object))
}

func isUnknown(v Value) bool {
	_, ok := v.(*Unknown)
	return ok
}

// kindOf tells objects, arrays and scalars apart.
func kindOf(v Value) byte {
	switch v.(type) {
	case *armjson.Object:
		return '{'
	case armjson.Array:
		return '['
	}
	return 0
}

// shallowMerge merges the objects of an array; of members of one name the last counts.
func shallowMerge(c *invocation) (Value, error) {
	a, err := c.array(0)
	if err != nil {
		return nil, err
	}
	out := newMerged(0)
	for i, x := range a {
		x, err := c.known(x)
		if err != nil {
			return nil, err
		}
		o, ok := x.(*armjson.Object)
		if !ok {
			return nil, c.errorf("element %d is %s, not an object", i, describe(x))
		}
		if err := c.ev.roomFor(o.Len()); err != nil {
			return nil, err
		}
		for k, v := range o.All() {
			if i := out.index(k); i >= 0 {
				out.members[i].Value = v
			} else {
				out.add(k, v)
			}
		}
	}
	return out.object(), nil
}
