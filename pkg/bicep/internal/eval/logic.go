package eval

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/collate"
)

// addLogic adds constants, comparisons and not. if, and, or and coalesce are
// the evaluator's own, except when all their arguments are known.
func addLogic(m map[string]builtin) {
	constant := func(v Value) builtin {
		return builtin{0, 0, func(*invocation) (Value, error) { return v, nil }}
	}
	m["true"] = constant(armjson.Bool(true))
	m["false"] = constant(armjson.Bool(false))
	m["null"] = constant(armjson.Null{})
	m["not"] = builtin{1, 1, func(c *invocation) (Value, error) {
		b, err := c.bool(0)
		return armjson.Bool(!b), err
	}}
	m["equals"] = builtin{2, 2, func(c *invocation) (Value, error) {
		same, err := c.equal(c.args[0].v, c.args[1].v)
		return armjson.Bool(same), err
	}}
	m["less"] = compare(func(n int) bool { return n < 0 })
	m["lessorequals"] = compare(func(n int) bool { return n <= 0 })
	m["greater"] = compare(func(n int) bool { return n > 0 })
	m["greaterorequals"] = compare(func(n int) bool { return n >= 0 })
	m["if"] = builtin{3, 3, func(c *invocation) (Value, error) {
		b, err := c.bool(0)
		if err != nil {
			return nil, err
		}
		if b {
			return c.args[1].v, nil
		}
		return c.args[2].v, nil
	}}
	m["and"] = logical(false)
	m["or"] = logical(true)
	m["coalesce"] = builtin{1, -1, func(c *invocation) (Value, error) {
		for _, a := range c.args {
			if !isNull(a.v) {
				return a.v, nil
			}
		}
		return armjson.Null{}, nil
	}}
}

func logical(decisive bool) builtin {
	return builtin{2, -1, func(c *invocation) (Value, error) {
		result := !decisive
		for i := range c.args {
			b, err := c.bool(i)
			if err != nil {
				return nil, err
			}
			if b == decisive {
				result = decisive
			}
		}
		return armjson.Bool(result), nil
	}}
}

// compare makes a comparison of two numbers, or of two strings. Strings have the
// order of the invariant culture: a before A before b.
func compare(holds func(int) bool) builtin {
	return builtin{2, 2, func(c *invocation) (Value, error) {
		a, b := c.args[0].v, c.args[1].v
		if x, ok := a.(armjson.String); ok {
			y, ok := b.(armjson.String)
			if !ok {
				return nil, c.bad(1, "a string, as its first is one,")
			}
			return armjson.Bool(holds(collate.Compare(string(x), string(y)))), nil
		}
		i, iok := asInt(a)
		j, jok := asInt(b)
		if iok && jok {
			return armjson.Bool(holds(cmp.Compare(i, j))), nil
		}
		x, ok := asFloat(a)
		if !ok {
			return nil, c.bad(0, "an integer or a string")
		}
		y, ok := asFloat(b)
		if !ok {
			return nil, c.bad(1, "an integer, as its first is one,")
		}
		return armjson.Bool(holds(cmp.Compare(x, y))), nil
	}}
}

const maxRange = 10_000 // the longest array that range makes, the most rounds of a loop

// addNumbers adds the functions of integers.
func addNumbers(m map[string]builtin) {
	m["add"] = arithmetic(addInts, func(a, b float64) float64 { return a + b })
	m["sub"] = arithmetic(subInts, func(a, b float64) float64 { return a - b })
	m["mul"] = arithmetic(mulInts, func(a, b float64) float64 { return a * b })
	m["div"] = divide(func(a, b int64) int64 { return a / b })
	m["mod"] = divide(func(a, b int64) int64 { return a % b })
	m["min"] = extreme(func(a, b int64) bool { return a < b })
	m["max"] = extreme(func(a, b int64) bool { return a > b })
	m["range"] = builtin{2, 2, rangeOf}
}

func addInts(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}

func subInts(a, b int64) (int64, bool) {
	d := a - b
	return d, (d < a) == (b > 0)
}

func mulInts(a, b int64) (int64, bool) {
	neg := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > math.MaxInt64 && (!neg || lo > 1<<63) {
		return 0, false
	}
	if neg {
		return -int64(lo), true
	}
	return int64(lo), true
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func arithmetic(ints func(a, b int64) (int64, bool), floats func(a, b float64) float64) builtin {
	return builtin{2, 2, func(c *invocation) (Value, error) {
		a, aok := asInt(c.args[0].v)
		b, bok := asInt(c.args[1].v)
		if aok && bok {
			n, ok := ints(a, b)
			if !ok {
				return nil, c.errorf("the result of %d and %d does not fit in 64 bits", a, b)
			}
			return armjson.Int(n), nil
		}
		for i := range 2 {
			if _, ok := asFloat(c.args[i].v); !ok {
				return nil, c.bad(i, "an integer")
			}
		}
		x, _ := asFloat(c.args[0].v)
		y, _ := asFloat(c.args[1].v)
		return c.float(floats(x, y))
	}}
}

func (c *invocation) float(f float64) (Value, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, c.errorf("the result is not a finite number")
	}
	return number(f), nil
}

// divide makes div and mod, which round towards zero as Go does.
func divide(op func(a, b int64) int64) builtin {
	return builtin{2, 2, func(c *invocation) (Value, error) {
		a, b, err := args2(c.int, c.int)
		if err != nil {
			return nil, err
		}
		if b == 0 {
			return nil, c.errorf("division by zero")
		}
		if a == math.MinInt64 && b == -1 {
			return nil, c.errorf("the result of %d and %d does not fit in 64 bits", a, b)
		}
		return armjson.Int(op(a, b)), nil
	}}
}

// extreme makes min and max, of integers or of one array of integers.
func extreme(better func(a, b int64) bool) builtin {
	return builtin{1, -1, func(c *invocation) (Value, error) {
		list := make([]Value, len(c.args))
		for i, a := range c.args {
			list[i] = a.v
		}
		if len(list) == 1 {
			if a, ok := list[0].(armjson.Array); ok {
				list = a
			}
		}
		if len(list) == 0 {
			return nil, c.errorf("the array is empty")
		}
		var best int64
		for i, v := range list {
			n, ok := asInt(v)
			if !ok {
				return nil, c.errorf("%s is not an integer", describe(v))
			}
			if i == 0 || better(n, best) {
				best = n
			}
		}
		return armjson.Int(best), nil
	}}
}

// rangeOf evaluates range(start, count).
func rangeOf(c *invocation) (Value, error) {
	start, count, err := args2(c.int, c.int)
	if err != nil {
		return nil, err
	}
	if count > maxRange {
		return nil, tooMany{c.errorf("the count is %d; it must be between 0 and %d", count, maxRange)}
	}
	if count < 0 {
		return nil, c.errorf("the count is %d; it must be between 0 and %d", count, maxRange)
	}
	if start > math.MaxInt32 || start < math.MinInt32 || start+count-1 > math.MaxInt32 {
		return nil, c.errorf("the last number would be %d, which does not fit in 32 bits", start+count-1)
	}
	if err := c.ev.roomFor(int(count)); err != nil {
		return nil, err
	}
	out := make(armjson.Array, count)
	for i := range out {
		out[i] = armjson.Int(start + int64(i))
	}
	return out, nil
}
