package expand

import (
	"slices"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/internal/armschema"
	"github.com/radbicep/rad/pkg/secret"
)

// schema returns what a schema of the template says of what is secure.
func (d *deployment) schema(o *armjson.Object) *armschema.Schema {
	if d.schemas == nil {
		if d.schemas = d.x.schemas[d.template]; d.schemas == nil {
			d.schemas = armschema.New(d.template)
			d.x.schemas[d.template] = d.schemas
		}
	}
	return d.schemas.Read(o)
}

// secure marks what is secure in a value by its schema. The value is what function(name) is.
func (d *deployment) secure(schema *armjson.Object, v Value, function, name string) Value {
	return d.mark(d.schema(schema), v, &step{key: armexpr.Fn(function, armexpr.Str(name))})
}

// mark marks what is secure in a value by its schema, at any depth. at is where the value is.
func (d *deployment) mark(x *armschema.Schema, v Value, at *step) Value {
	if !x.Holds() {
		return v
	}
	if x.Secure() {
		return d.secret(v, at.expression())
	}
	switch v := v.(type) {
	case *armjson.Object:
		members, secure := x.Object(v)
		switch {
		case secure:
			return d.secret(v, at.expression())
		case members == nil:
			return v
		}
		var out *armjson.Object
		for i := range v.Len() {
			m := v.At(i)
			marked := d.mark(members.Member(m.Key), m.Value, at.to(armexpr.Str(m.Key)))
			if unmarked(marked, m.Value) {
				continue
			}
			if out == nil {
				out = v.Clone()
			}
			out.Set(m.Key, marked)
		}
		if out != nil {
			return out
		}
	case armjson.Array:
		elements := x.Array()
		if elements == nil {
			return v
		}
		var out armjson.Array
		for i, y := range v {
			marked := d.mark(elements.Element(i), y, at.to(armexpr.Int(int64(i))))
			if unmarked(marked, y) {
				continue
			}
			if out == nil {
				out = slices.Clone(v)
			}
			out[i] = marked
		}
		if out != nil {
			return out
		}
	case *unknown:
		// Known values may be in it that were not marked, since nothing said that they would
		// become secure.
		if c, ok := v.Expr.(*armexpr.Call); ok {
			if _, given := causeOf(c); given {
				return v
			}
		}
		return d.secret(v, at.expression())
	}
	return v
}

// secret marks a whole value.
func (d *deployment) secret(v Value, e armexpr.Expr) Value {
	u, ok := v.(*unknown)
	switch {
	case !ok:
		if d.parent == nil {
			return eval.Concealed(&absence{}, v, secret.Secure, e)
		}
		// In another value, it is not taken for that of a parameter of the template with the same name.
		return eval.Concealed(&absence{inner: true}, armjson.Array{v}, secret.Secure, e)
	case u.Mark.Shown():
		marked := *u
		marked.Mark = secret.Secure
		return &marked
	}
	return v
}

// unmarked reports whether marking changed nothing.
func unmarked(a, b Value) bool {
	switch a := a.(type) {
	case *unknown:
		return a == b
	case *armjson.Object:
		o, ok := b.(*armjson.Object)
		return ok && a == o
	case armjson.Array:
		o, ok := b.(armjson.Array)
		return ok && len(a) == len(o) && (len(a) == 0 || &a[0] == &o[0])
	}
	return true
}

// step is a step of the way from a parameter to a part of its value.
type step struct {
	up   *step
	key  armexpr.Expr // the parameter, if there is no step before
	size int          // of the text so far, about
	cut  bool         // it stands for all steps that follow
}

// maxWay is how long the expression for a part of a value may become, in bytes. A longer one
// is cut, because each of a million secrets might lie as deep.
const maxWay = 512

// to returns the step to a property or an element.
func (s *step) to(key armexpr.Expr) *step {
	if s.cut {
		return s
	}
	next := &step{up: s, key: key, size: s.size + 3}
	if name, ok := key.(armexpr.Str); ok {
		next.size += len(name)
	}
	if next.cut = next.size > maxWay; next.cut {
		next.key = armexpr.Str("…")
	}
	return next
}

// expression returns the expression that leads to the part.
func (s *step) expression() armexpr.Expr {
	var keys []armexpr.Expr
	for ; s.up != nil; s = s.up {
		keys = append(keys, s.key)
	}
	slices.Reverse(keys)
	return armexpr.Access(s.key, keys...)
}
