package types

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// OfJSON returns the type of a JSON value. Its properties are read-only, its arrays have
// any length, and numbers with a fraction, which Bicep does not have, are any.
func OfJSON(v armjson.Value) Type {
	switch v := v.(type) {
	case armjson.Null:
		return TNull
	case armjson.Bool:
		return NewBoolLiteral(bool(v), 0)
	case armjson.String:
		return Str(string(v))
	case armjson.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return TAny
		}
		if n, ok := v.Int64(); ok {
			return NewIntLiteral(n, 0)
		}
	case armjson.Array:
		items := make([]Ref, len(v))
		for i, e := range v {
			items[i] = OfJSON(e)
		}
		return NewTypedArray(NewUnion(items...), nil, nil, 0)
	case *armjson.Object:
		ps := make([]Property, 0, v.Len())
		for name, e := range v.All() {
			ps = append(ps, Property{Name: name, Type: OfJSON(e), Flags: ReadOnly | ReadableAtDeployTime})
		}
		return NewObject("object", 0, ps, nil)
	}
	return TAny
}
