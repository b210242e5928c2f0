package armtemplate

import (
	"iter"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// member returns a member of o, which may be nil. Null counts as missing.
func member(o *armjson.Object, name string) (armjson.Value, bool) {
	if o == nil {
		return nil, false
	}
	v, ok := eval.Find(o, name)
	if _, null := v.(armjson.Null); !ok || null {
		return nil, false
	}
	return v, true
}

func objectMember(o *armjson.Object, name string) *armjson.Object {
	v, _ := member(o, name)
	m, _ := v.(*armjson.Object)
	return m
}

func stringMember(o *armjson.Object, name string) (string, bool) {
	v, _ := member(o, name)
	s, ok := v.(armjson.String)
	return string(s), ok
}

func boolMember(o *armjson.Object, name string) bool {
	v, _ := member(o, name)
	b, ok := v.(armjson.Bool)
	return ok && bool(b)
}

func intMember(o *armjson.Object, name string) *int64 {
	v, _ := member(o, name)
	n, ok := v.(armjson.Number)
	if !ok {
		return nil
	}
	i, ok := n.Int64()
	if !ok {
		return nil
	}
	return &i
}

// all iterates over the members of o, which may be nil.
func all(o *armjson.Object) iter.Seq2[string, armjson.Value] {
	if o == nil {
		return func(func(string, armjson.Value) bool) {}
	}
	return o.All()
}
