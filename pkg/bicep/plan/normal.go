package plan

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/normal"
)

// normalizer brings what is unknown in resources into a normal form. Both sides of a comparison share one.
type normalizer struct {
	table   *normal.Table
	objects map[*armjson.Object]expand.Value // modules share values

	parameters map[string]bool // names, in lower case
}

func newNormalizer(results ...*expand.Result) *normalizer {
	kinds := map[string]normal.Kind{"string": normal.Text, "int": normal.Int,
		"bool": normal.Bool, "array": normal.Array, "object": normal.Object}
	types, names := map[string]normal.Kind{}, map[string]bool{}
	for _, r := range results {
		for name, kind := range r.ParameterTypes() {
			name = strings.ToLower(name)
			names[name] = true
			if k, ok := types[name]; ok && k != kinds[kind] {
				types[name] = normal.Any
			} else {
				types[name] = kinds[kind]
			}
		}
	}
	return &normalizer{table: normal.NewTable(types), objects: map[*armjson.Object]expand.Value{}, parameters: names}
}

// result returns an expansion with normal forms in its resources and outputs. Nil is nil.
func (n *normalizer) result(r *expand.Result) *expand.Result {
	if r == nil {
		return nil
	}
	out := *r
	out.Resources = make([]*expand.Resource, len(r.Resources))
	of := map[*expand.Resource]*expand.Resource{}
	for i, x := range r.Resources {
		c := *x
		of[x], c.Maker = &c, of[x.Maker] // which comes before
		c.Name, c.ID, c.Scope = n.value(x.Name), n.value(x.ID), n.value(x.Scope)
		c.Condition, c.Copies = n.condition(x.Condition), n.value(x.Copies)
		if o, ok := n.value(x.Body).(*armjson.Object); ok {
			c.Body = o
		}
		out.Resources[i] = &c
	}
	out.Outputs = make([]expand.Output, len(r.Outputs))
	for i, o := range r.Outputs {
		out.Outputs[i] = expand.Output{Name: o.Name, Value: n.value(o.Value)}
	}
	return &out
}

// condition returns the normal form of a condition: nil if it is always true.
func (n *normalizer) condition(v expand.Value) expand.Value {
	if v = n.value(v); v == armjson.Bool(true) {
		return nil
	}
	return v
}

// value returns the normal form of a value.
func (n *normalizer) value(v expand.Value) expand.Value {
	return replaced(v, n.objects, func(u *eval.Unknown) expand.Value { return n.unknown(u, n.table.Of(u.Expr)) })
}

// replaced returns a value with others in place of its unknown parts. made has the objects that have been made, since
// values share them.
func replaced(v expand.Value, made map[*armjson.Object]expand.Value, unknown func(*eval.Unknown) expand.Value) expand.Value {
	part := func(_ string, x armjson.Value) armjson.Value { return replaced(x, made, unknown) }
	switch v := v.(type) {
	case *eval.Unknown:
		return unknown(v)
	case armjson.Array:
		return armjson.WithParts(v, part)
	case *armjson.Object:
		if v == nil {
			return nil
		}
		if made[v] == nil {
			made[v] = armjson.WithParts(v, part)
		}
		return made[v]
	}
	return v
}

// unknown returns the value that an expression in place of another is. Arrays and objects that are
// written in it are values with unknown parts.
func (n *normalizer) unknown(u *eval.Unknown, e armexpr.Expr) expand.Value {
	const largest = 1 << 20 // that is written out: its parts may be shared
	if u.IsSecure() || n.table.Size(e) > largest {
		return u.Rewritten(e, n.table.Size(e))
	}
	switch e := e.(type) {
	case armexpr.Str:
		return armjson.String(e)
	case armexpr.Int:
		return armjson.Int(int64(e))
	case *armexpr.Call:
		if len(e.Access) > 0 {
			break
		}
		switch {
		case e.Name == "createArray":
			list := make(armjson.Array, len(e.Args))
			for i, a := range e.Args {
				list[i] = n.unknown(u, a)
			}
			return list
		case e.Name == "createObject" && namesKnown(e.Args):
			o := armjson.NewObject()
			for i := 0; i < len(e.Args); i += 2 {
				o.Set(string(e.Args[i].(armexpr.Str)), n.unknown(u, e.Args[i+1]))
			}
			return o
		case len(e.Args) == 0 && e.Name == "true", len(e.Args) == 0 && e.Name == "false":
			return armjson.Bool(e.Name == "true")
		case len(e.Args) == 0 && e.Name == "null":
			return armjson.Null{}
		case e.Name == "json" && len(e.Args) == 1:
			if v, err := eval.New(eval.NoScope{}).Eval(e); err == nil {
				return v
			}
		}
	}
	return u.Rewritten(e, n.table.Size(e))
}

func namesKnown(members []armexpr.Expr) bool {
	for i := 0; i < len(members); i += 2 {
		if _, ok := members[i].(armexpr.Str); !ok {
			return false
		}
	}
	return len(members)%2 == 0
}

// relate tells whether two values are the same.
func (n *normalizer) relate(a, b expand.Value) normal.Relation {
	if x, ok := a.(*eval.Unknown); ok {
		if y, ok := b.(*eval.Unknown); ok {
			return n.relateUnknown(x, y)
		}
	}
	_, isUnknown := a.(*eval.Unknown)
	if _, also := b.(*eval.Unknown); isUnknown || also {
		return n.table.Relate(n.expression(a), n.expression(b))
	}
	switch x := a.(type) {
	case nil:
		if b == nil {
			return normal.Same
		}
		return normal.Different
	case armjson.Array:
		y, ok := b.(armjson.Array)
		if !ok || len(x) != len(y) {
			return normal.Different
		}
		return all(len(x), func(i int) normal.Relation { return n.relate(x[i], y[i]) })
	case *armjson.Object:
		y, ok := b.(*armjson.Object)
		if !ok || x.Len() != y.Len() {
			return normal.Different
		}
		return relateMembers(x, y, n.relate)
	}
	if armjson.Equal(a, b) {
		return normal.Same
	}
	return normal.Different
}

// relateUnknown relates expressions. The secure values in them are not in their text.
func (n *normalizer) relateUnknown(a, b *eval.Unknown) normal.Relation {
	r := n.table.Relate(a.Expr, b.Expr)
	if r == normal.Same && eval.OtherSecret(a, b) {
		return normal.Different
	}
	if !eval.SameSecrets(a, b) {
		return normal.Unclear
	}
	return r
}

// expression returns the normal form of the expression that a value is.
func (n *normalizer) expression(v expand.Value) armexpr.Expr {
	if v == nil {
		return n.table.Of(armexpr.Null)
	}
	return n.table.Of(eval.Expression(v))
}

// all returns what is known of values that consist of parts.
func all(parts int, relate func(i int) normal.Relation) normal.Relation {
	result := normal.Same
	for i := range parts {
		switch relate(i) {
		case normal.Different:
			return normal.Different
		case normal.Unclear:
			result = normal.Unclear
		}
	}
	return result
}

// relateMembers relates two objects with as many members.
func relateMembers(x, y *armjson.Object, relate func(a, b expand.Value) normal.Relation) normal.Relation {
	return all(x.Len(), func(i int) normal.Relation {
		m := x.At(i)
		v, ok := y.Get(m.Key)
		if !ok {
			return normal.Different
		}
		return relate(m.Value, v)
	})
}
