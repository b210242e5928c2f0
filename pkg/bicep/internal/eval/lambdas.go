package eval

import (
	"slices"

	"github.com/radbicep/rad/pkg/armjson"
)

// addLambdas adds the functions that take lambdas.
func addLambdas(m map[string]builtin) {
	m["map"] = builtin{2, 2, mapArray}
	m["filter"] = builtin{2, 2, filter}
	m["reduce"] = builtin{3, 3, reduce}
	m["sort"] = builtin{2, 2, sortArray}
	m["toobject"] = builtin{2, 3, toObject}
	m["groupby"] = builtin{2, 3, groupBy}
	m["mapvalues"] = builtin{2, 2, mapValues}
}

// elements returns argument 0, an array, and argument i, a lambda of least to most
// parameters that takes its elements.
func (c *invocation) elements(i, least, most int) (armjson.Array, *closure, error) {
	a, err := c.array(0)
	if err != nil {
		return nil, nil, err
	}
	fn, err := c.lambda(i, least, most)
	return a, fn, err
}

// callIndexed calls a lambda that takes an element and, if it wants, its index.
func callIndexed(fn *closure, v Value, i int) (Value, error) {
	return fn.call(v, armjson.Int(int64(i)))
}

func mapArray(c *invocation) (Value, error) {
	a, fn, err := c.elements(1, 1, 2)
	if err != nil {
		return nil, err
	}
	if err := c.ev.roomFor(len(a)); err != nil {
		return nil, err
	}
	out := make(armjson.Array, len(a))
	for i, x := range a {
		if out[i], err = callIndexed(fn, x, i); err != nil {
			return nil, err
		}
	}
	return out, c.ev.weigh(out)
}

func filter(c *invocation) (Value, error) {
	a, fn, err := c.elements(1, 1, 2)
	if err != nil {
		return nil, err
	}
	out := armjson.Array{}
	for i, x := range a {
		v, err := callIndexed(fn, x, i)
		if err != nil {
			return nil, err
		}
		keep, err := c.boolean(v)
		if err != nil {
			return nil, err
		}
		if keep {
			out = append(out, x)
		}
	}
	return out, c.ev.roomFor(len(out))
}

func reduce(c *invocation) (Value, error) {
	a, fn, err := c.elements(2, 2, 3)
	if err != nil {
		return nil, err
	}
	acc, err := c.value(1)
	if err != nil {
		return nil, err
	}
	for i, x := range a {
		if acc, err = fn.call(acc, x, armjson.Int(int64(i))); err != nil {
			return nil, err
		}
	}
	return acc, nil
}

// sortArray sorts by a lambda that tells whether its first argument comes first.
// Elements that are equal for it stay in their order.
func sortArray(c *invocation) (Value, error) {
	a, fn, err := c.elements(1, 2, 2)
	if err != nil {
		return nil, err
	}
	if err := c.ev.roomFor(len(a)); err != nil {
		return nil, err
	}
	less := func(x, y Value) bool {
		if err != nil {
			return false
		}
		var v Value
		if v, err = fn.call(x, y); err != nil {
			return false
		}
		var b bool
		if b, err = c.boolean(v); err != nil {
			return false
		}
		return b
	}
	out := slices.Clone(a)
	slices.SortStableFunc(out, func(x, y Value) int {
		// A lambda that holds for equals both ways, as <= does, tells them apart neither.
		before, after := less(x, y), less(y, x)
		switch {
		case before == after:
			return 0
		case before:
			return -1
		}
		return 1
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// keyed calls f for every element of the array with the key and the value that
// the lambdas make of it.
func (c *invocation) keyed(f func(key string, v Value) error) error {
	a, keyOf, err := c.elements(1, 1, 1)
	if err != nil {
		return err
	}
	var valueOf *closure
	if len(c.args) == 3 {
		if valueOf, err = c.lambda(2, 1, 1); err != nil {
			return err
		}
	}
	if err := c.ev.roomFor(len(a)); err != nil {
		return err
	}
	for _, x := range a {
		k, err := keyOf.call(x)
		if err != nil {
			return err
		}
		key, err := c.key(k)
		if err != nil {
			return err
		}
		if valueOf != nil {
			if x, err = valueOf.call(x); err != nil {
				return err
			}
		}
		if err := f(key, x); err != nil {
			return err
		}
	}
	return nil
}

// toObject makes an object of an array. A key that comes twice, in any case of letters, is an error.
func toObject(c *invocation) (Value, error) {
	o := newMerged(0)
	err := c.keyed(func(key string, v Value) error {
		if i := o.index(key); i >= 0 {
			return c.errorf("its lambda gives the key %q twice", key)
		}
		o.add(key, v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := o.object()
	return out, c.ev.weigh(out)
}

// groupBy makes an object of arrays, in the order in which the keys appear. Keys that differ in case only
// are one key, spelled as the first.
func groupBy(c *invocation) (Value, error) {
	o := newMerged(0)
	err := c.keyed(func(key string, v Value) error {
		i := o.index(key)
		if i < 0 {
			o.add(key, armjson.Array{v})
			return nil
		}
		o.members[i].Value = append(o.members[i].Value.(armjson.Array), v)
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := o.object()
	return out, c.ev.weigh(out)
}

func mapValues(c *invocation) (Value, error) {
	o, err := c.object(0)
	if err != nil {
		return nil, err
	}
	fn, err := c.lambda(1, 1, 1)
	if err != nil {
		return nil, err
	}
	if err := c.ev.roomFor(o.Len()); err != nil {
		return nil, err
	}
	out := armjson.NewObject()
	for k, v := range o.All() {
		w, err := fn.call(v)
		if err != nil {
			return nil, err
		}
		out.Set(k, w)
	}
	return out, c.ev.weigh(out)
}
