// Package armjson reads, changes and prints JSON. Unlike encoding/json it keeps the
// order of object members and the exact text of numbers. The compiler, the parameters
// and the manifest all use its Value. Begin with Parse.
package armjson

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Value is a JSON value: Null, Bool, Number, String, Array or *Object, or one that another package makes of these and that
// prints as the text of its String method, such as expand.Unknown.
type Value interface{ jsonValue() }

// Null is the JSON null.
type Null struct{}

// Bool is a JSON boolean.
type Bool bool

// Number is a JSON number, held as its text so that no digit is lost.
type Number string

// String is a JSON string, decoded.
type String string

// Array is a JSON array.
type Array []Value

// Object is a JSON object that remembers the order of its members. The zero
// value is an empty object, ready to use.
type Object struct {
	members []Member
	index   map[string]int // built once the object outgrows a linear search
}

// Member is one name and value of an object.
type Member struct {
	Key   string
	Value Value
}

func (Null) jsonValue()    {}
func (Bool) jsonValue()    {}
func (Number) jsonValue()  {}
func (String) jsonValue()  {}
func (Array) jsonValue()   {}
func (*Object) jsonValue() {}

// Int returns the number n.
func Int(n int64) Number { return Number(strconv.FormatInt(n, 10)) }

// Int64 returns the number as an int64, if it is an integer in that range.
func (n Number) Int64() (int64, bool) {
	i, err := strconv.ParseInt(string(n), 10, 64)
	return i, err == nil
}

// indexFrom is the size from which a map finds a member faster than a scan does.
const indexFrom = 12

// NewObject returns an object of the given members; a later duplicate replaces
// the value of an earlier one and keeps its place.
func NewObject(members ...Member) *Object {
	o := &Object{members: make([]Member, 0, len(members))}
	for _, m := range members {
		o.Set(m.Key, m.Value)
	}
	return o
}

// Len returns the number of members. It is safe to call on nil.
func (o *Object) Len() int {
	if o == nil {
		return 0
	}
	return len(o.members)
}

// At returns the member at position i.
func (o *Object) At(i int) Member { return o.members[i] }

// All iterates over the members in order. It is safe to call on nil.
func (o *Object) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if o == nil {
			return
		}
		for _, m := range o.members {
			if !yield(m.Key, m.Value) {
				return
			}
		}
	}
}

// Find returns the position of key, or -1. It is safe to call on nil.
func (o *Object) Find(key string) int {
	if o == nil {
		return -1
	}
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	for i := range o.members {
		if o.members[i].Key == key {
			return i
		}
	}
	return -1
}

// Get returns the value of key. It is safe to call on nil, as are those that follow.
func (o *Object) Get(key string) (Value, bool) {
	if i := o.Find(key); i >= 0 {
		return o.members[i].Value, true
	}
	return nil, false
}

// Lookup is Get as ARM does it: without regard to case, where the key is not there as it is spelt.
func (o *Object) Lookup(key string) (Value, bool) {
	if v, ok := o.Get(key); ok {
		return v, true
	}
	for k, v := range o.All() {
		if strings.EqualFold(k, key) {
			return v, true
		}
	}
	return nil, false
}

// Value returns the value of key, and nil if there is none.
func (o *Object) Value(key string) Value {
	v, _ := o.Get(key)
	return v
}

// Is reports whether the value of key is true.
func (o *Object) Is(key string) bool { return o.Value(key) == Bool(true) }

// Object returns the value of key where it is an object, and nil otherwise.
func (o *Object) Object(key string) *Object {
	inner, _ := o.Value(key).(*Object)
	return inner
}

// Str returns the value of key where it is a string, and "" otherwise.
func (o *Object) Str(key string) string {
	s, _ := o.Value(key).(String)
	return string(s)
}

// Set gives key a value: in its place if it has one, else at the end.
func (o *Object) Set(key string, v Value) {
	if i := o.Find(key); i >= 0 {
		o.members[i].Value = v
		return
	}
	o.members = append(o.members, Member{key, v})
	if o.index != nil {
		o.index[key] = len(o.members) - 1
	} else if len(o.members) > indexFrom {
		o.reindex()
	}
}

// Clone returns an object of the same members. The values are shared. It returns an empty object for nil.
func (o *Object) Clone() *Object {
	if o == nil {
		return NewObject()
	}
	return &Object{members: slices.Clone(o.members), index: maps.Clone(o.index)}
}

// Copy returns a copy of a value that shares no array and no object with it.
func Copy(v Value) Value {
	switch v := v.(type) {
	case Array:
		out := make(Array, len(v))
		for i := range v {
			out[i] = Copy(v[i])
		}
		return out
	case *Object:
		out := v.Clone()
		for i := range out.members {
			out.members[i].Value = Copy(out.members[i].Value)
		}
		return out
	}
	return v
}

// Delete removes key.
func (o *Object) Delete(key string) {
	i := o.Find(key)
	if i < 0 {
		return
	}
	o.members = append(o.members[:i], o.members[i+1:]...)
	if o.index != nil {
		o.reindex()
	}
}

func (o *Object) reindex() {
	o.index = make(map[string]int, len(o.members))
	for i := range o.members {
		o.index[o.members[i].Key] = i
	}
}

// Sorted returns a value with the members of all its objects in the order of their names.
func Sorted(v Value) Value {
	switch v := v.(type) {
	case Array:
		out := make(Array, len(v))
		for i, x := range v {
			out[i] = Sorted(x)
		}
		return out
	case *Object:
		members := make([]Member, 0, v.Len())
		for k, x := range v.All() {
			members = append(members, Member{Key: k, Value: Sorted(x)})
		}
		slices.SortFunc(members, func(a, b Member) int { return cmp.Compare(a.Key, b.Key) })
		return NewObject(members...)
	}
	return v
}
