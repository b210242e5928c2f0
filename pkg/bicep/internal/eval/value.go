package eval

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

func isNull(v Value) bool {
	switch v.(type) {
	case nil, armjson.Null:
		return true
	}
	return false
}

// asInt returns the integer that v is. A number written with a point or an
// exponent is a float, whatever its value.
func asInt(v Value) (int64, bool) {
	n, ok := v.(armjson.Number)
	if !ok {
		return 0, false
	}
	return n.Int64()
}

func asFloat(v Value) (float64, bool) {
	n, ok := v.(armjson.Number)
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n), 64)
	return f, err == nil
}

// isFraction reports whether v is a number that was written with a point or an exponent.
func isFraction(v Value) bool {
	n, ok := v.(armjson.Number)
	if !ok {
		return false
	}
	_, whole := n.Int64()
	return !whole
}

// describe names the type of a value for a message. It shows no contents, which may be secret.
func describe(v Value) string {
	switch v := v.(type) {
	case armjson.Bool:
		return "a boolean"
	case armjson.String:
		return "a string"
	case armjson.Array:
		return "an array"
	case *armjson.Object:
		return "an object"
	case *Unknown:
		return "a value that is not known before deployment"
	case armjson.Number:
		if _, ok := v.Int64(); ok {
			return "an integer"
		}
		return "a number"
	}
	return "null"
}

// equal compares values as ARM does: of equal type and value, strings by their
// code units, objects without regard to order. 1 and 1.0 differ.
func equal(a, b Value) bool {
	switch a := a.(type) {
	case armjson.Number:
		n, ok := b.(armjson.Number)
		if !ok {
			return false
		}
		i, iok := a.Int64()
		j, jok := n.Int64()
		if iok || jok {
			return iok && jok && i == j
		}
		return armjson.Equal(a, n)
	case armjson.Array:
		c, ok := b.(armjson.Array)
		if !ok || len(a) != len(c) {
			return false
		}
		for i := range a {
			if !equal(a[i], c[i]) {
				return false
			}
		}
		return true
	case *armjson.Object:
		c, ok := b.(*armjson.Object)
		if !ok || a.Len() != c.Len() {
			return false
		}
		for k, x := range a.All() {
			y, ok := c.Get(k)
			if !ok || !equal(x, y) {
				return false
			}
		}
		return true
	case *Unknown:
		u, ok := b.(*Unknown)
		return ok && (a == u || SameSecrets(a, u) && armexpr.Same(a.Expr, u.Expr))
	case nil, armjson.Null:
		return isNull(b)
	}
	return armjson.Equal(a, b)
}

// Find looks up a member as ARM does: by its exact name, else without regard to case.
func Find(o *armjson.Object, name string) (Value, bool) {
	if v, ok := o.Get(name); ok {
		return v, true
	}
	for k, v := range o.All() {
		if dotnet.EqualFold(k, name) {
			return v, true
		}
	}
	return nil, false
}

// find is Find for objects of any size: of a large one an index is made, if what it is asked
// for is not spelt as it is there.
func (ev *Evaluator) find(o *armjson.Object, name string) (Value, bool) {
	const small = 16
	if o.Len() <= small {
		return Find(o, name)
	}
	if v, ok := o.Get(name); ok {
		return v, true
	}
	i, ok := ev.budget.folded.of(o)[dotnet.Upper(name)]
	if !ok {
		return nil, false
	}
	return o.At(i).Value, true
}

// foldIndexes holds indexes of objects by names whose case does not count.
type foldIndexes struct {
	indexes map[*armjson.Object]map[string]int
	size    int
}

// maxFolded is how many members the indexes hold that are kept.
const maxFolded = 1 << 20

func (f *foldIndexes) of(o *armjson.Object) map[string]int {
	if index, ok := f.indexes[o]; ok {
		return index
	}
	if f.size += o.Len(); f.indexes == nil || f.size > maxFolded {
		f.indexes, f.size = map[*armjson.Object]map[string]int{}, o.Len()
	}
	index := make(map[string]int, o.Len())
	for i := o.Len() - 1; i >= 0; i-- { // the first of a name counts
		index[dotnet.Upper(o.At(i).Key)] = i
	}
	f.indexes[o] = index
	return index
}

// plainAccess evaluates base.name and base[index].
func (ev *Evaluator) plainAccess(base, key Value) (Value, error) {
	switch b := base.(type) {
	case *armjson.Object:
		name, ok := key.(armjson.String)
		if !ok {
			return nil, fmt.Errorf("an object is accessed with %s, not a property's name", describe(key))
		}
		if v, ok := ev.find(b, string(name)); ok {
			return v, nil
		}
		return nil, fmt.Errorf("the object has no property %q%s", string(name), available(b))
	case armjson.Array:
		i, ok := asInt(key)
		if !ok {
			return nil, fmt.Errorf("an array is accessed with %s, not an integer", describe(key))
		}
		if i < 0 || i >= int64(len(b)) {
			return nil, fmt.Errorf("the array has no element %d: its length is %d", i, len(b))
		}
		return b[i], nil
	}
	if isNull(base) {
		return nil, fmt.Errorf("a property or an element of null is accessed")
	}
	return nil, fmt.Errorf("%s has no properties or elements to access", describe(base))
}

// available lists the names an object has, if they are few.
func available(o *armjson.Object) string {
	if o.Len() == 0 || o.Len() > 8 {
		return ""
	}
	var b strings.Builder
	b.WriteString("; it has ")
	for i := range o.Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(o.At(i).Key)
	}
	return b.String()
}

// stringOf returns a scalar as the string functions show it: booleans as .NET
// prints them, null as nothing.
func stringOf(v Value) (string, bool) {
	switch v := v.(type) {
	case armjson.String:
		return string(v), true
	case armjson.Bool:
		if v {
			return "True", true
		}
		return "False", true
	case armjson.Number:
		return v.Invariant(), true
	case nil, armjson.Null:
		return "", true
	}
	return "", false
}

// number returns f as a value, as json('…') would.
func number(f float64) Value { return armjson.Float(f) }
