package armjson

import (
	"math/big"
	"strconv"
	"strings"
)

// Equal reports whether two values are the same: numbers by what they are worth
// (1 is 1.0), strings by ordinal comparison, arrays in order, objects without
// regard to order. A nil Value equals only nil.
func Equal(a, b Value) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case Null:
		_, ok := b.(Null)
		return ok
	case Bool:
		c, ok := b.(Bool)
		return ok && a == c
	case String:
		c, ok := b.(String)
		return ok && a == c
	case Number:
		c, ok := b.(Number)
		return ok && equalNumbers(a, c)
	case Array:
		c, ok := b.(Array)
		if !ok || len(a) != len(c) {
			return false
		}
		for i := range a {
			if !Equal(a[i], c[i]) {
				return false
			}
		}
		return true
	case *Object:
		c, ok := b.(*Object)
		if !ok || a.Len() != c.Len() {
			return false
		}
		for _, m := range a.members {
			v, ok := c.Get(m.Key)
			if !ok || !Equal(m.Value, v) {
				return false
			}
		}
		return true
	}
	return false
}

func equalNumbers(a, b Number) bool {
	if a == b {
		return true
	}
	i, iok := a.Int64()
	j, jok := b.Int64()
	if iok && jok {
		return i == j
	}
	// An exponent of many digits would make big.Rat build a number of that size.
	if hugeExponent(string(a)) || hugeExponent(string(b)) {
		f, _ := strconv.ParseFloat(string(a), 64)
		g, _ := strconv.ParseFloat(string(b), 64)
		return f == g
	}
	x, ok := new(big.Rat).SetString(string(a))
	y, ok2 := new(big.Rat).SetString(string(b))
	return ok && ok2 && x.Cmp(y) == 0
}

func hugeExponent(s string) bool {
	i := strings.IndexAny(s, "eE")
	return i >= 0 && len(s)-i > 5
}
