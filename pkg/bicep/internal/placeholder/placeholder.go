// Package placeholder writes the beginning of a parameter file for a template: the parameters that
// it declares, with their defaults or with values of their types for the user to replace.
//
// Bicepparam writes a .bicepparam file and JSON an ARM parameter file. Neither checks values.
package placeholder

import (
	"math"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// parameters returns the parameters that a template declares: all, or those
// without a default.
func parameters(m *check.Model, all bool) []*syntax.Param {
	var list []*syntax.Param
	for _, s := range m.Tree().Stmts {
		if p, ok := s.(*syntax.Param); ok && (all || p.Default == nil) {
			list = append(list, p)
		}
	}
	return list
}

// JSON returns an ARM parameter file. Values of parameters in an existing file are kept. An
// existing text that is not JSON is ignored.
func JSON(m *check.Model, all bool, existing []byte) []byte {
	version, old := read(existing)
	file := armjson.NewObject(
		armjson.Member{Key: "$schema",
			Value: armjson.String("https://schema.management.azure.com/schemas/2015-01-01/deploymentParameters.json#")},
		armjson.Member{Key: "contentVersion", Value: version},
	)
	list := parameters(m, all)
	if len(list) > 0 {
		out := &armjson.Object{}
		for _, p := range list {
			entry := &armjson.Object{}
			if v, ok := valueOf(m, p); ok {
				entry.Set("value", v)
			}
			if before := old.Object(p.Name.Name); before != nil {
				if before.Find("reference") >= 0 { // a value beside it would be refused
					entry = &armjson.Object{}
				}
				merge(entry, before)
			}
			out.Set(p.Name.Name, entry)
		}
		file.Set("parameters", out)
	}
	return armjson.Append(nil, file, armjson.Indented)
}

// read returns the version and the parameters of an existing file.
func read(text []byte) (version armjson.Value, parameters *armjson.Object) {
	version, parameters = armjson.String("1.0.0.0"), &armjson.Object{}
	v, err := armjson.ParseBytes(text, armjson.Options{Relaxed: true})
	if err != nil {
		return version, parameters
	}
	file, ok := v.(*armjson.Object)
	if !ok {
		return version, parameters
	}
	switch v, _ := file.Get("contentVersion"); v := v.(type) {
	case armjson.String:
		version = v
	case armjson.Number:
		version = armjson.String(v)
	}
	if o := file.Object("parameters"); o != nil {
		parameters = o
	}
	return version, parameters
}

// merge lays what a file held over what would be written: objects member by
// member, arrays as their union. A null changes nothing.
func merge(into, over *armjson.Object) {
	for name, v := range over.All() {
		old, found := into.Get(name)
		if !found {
			into.Set(name, v)
			continue
		}
		switch v := v.(type) {
		case armjson.Null:
		case *armjson.Object:
			if o, ok := old.(*armjson.Object); ok {
				merge(o, v)
			} else {
				into.Set(name, v)
			}
		case armjson.Array:
			if a, ok := old.(armjson.Array); ok {
				into.Set(name, union(a, v))
			} else {
				into.Set(name, v)
			}
		default:
			into.Set(name, v)
		}
	}
}

// union appends to a list what it does not hold.
func union(list, more armjson.Array) armjson.Array {
	known := map[string]bool{}
	for _, v := range list {
		known[armjson.Text(v)] = true
	}
	for _, v := range more {
		if text := armjson.Text(v); !known[text] {
			known[text] = true
			list = append(list, v)
		}
	}
	return list
}

// valueOf returns the value that is written for a parameter; there is none for
// types that have no plain value.
func valueOf(m *check.Model, p *syntax.Param) (armjson.Value, bool) {
	if p.Default != nil {
		if v, ok := literal(p.Default.Value); ok {
			return v, true
		}
	}
	t := m.TypeOf(p)
	switch name := t.String(); name {
	case "string", "int", "bool", "object", "array":
		return ofType(name), true
	}
	o, ok := t.(*types.Object)
	if !ok || len(o.Properties()) == 0 {
		return nil, false
	}
	value := &armjson.Object{}
	for _, property := range o.Properties() {
		value.Set(property.Name, ofType(property.Type.Type().String()))
	}
	return value, true
}

// ofType returns the plainest value of a type, and a text for types that have none.
func ofType(name string) armjson.Value {
	switch name {
	case "int":
		return armjson.Int(0)
	case "bool":
		return armjson.Bool(false)
	case "object":
		return &armjson.Object{}
	case "array":
		return armjson.Array{}
	}
	return armjson.String("")
}

// literal returns the value of an expression that is a literal all through.
func literal(x syntax.Expr) (armjson.Value, bool) {
	switch x := x.(type) {
	case *syntax.Paren:
		return literal(x.X)
	case *syntax.String:
		s, ok := x.Literal()
		return armjson.String(s), ok
	case *syntax.Int:
		return armjson.Number(digits(x.Value)), true
	case *syntax.Unary:
		n, ok := x.X.(*syntax.Int)
		if !ok || x.Op != syntax.Minus || n.Value > math.MaxInt64+1 {
			return nil, false
		}
		if n.Value == 0 {
			return armjson.Int(0), true
		}
		return armjson.Number("-" + digits(n.Value)), true
	case *syntax.Bool:
		return armjson.Bool(x.Value), true
	case *syntax.Null:
		return armjson.Null{}, true
	case *syntax.Array:
		list := armjson.Array{}
		for _, item := range x.Items {
			v, ok := literal(item)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	case *syntax.Object:
		o := &armjson.Object{}
		for _, item := range x.Items {
			p, ok := item.(*syntax.Property)
			if !ok {
				return nil, false
			}
			key, known := p.KeyName()
			v, ok := literal(p.Value)
			if !known || !ok {
				return nil, false
			}
			o.Set(key, v)
		}
		return o, true
	}
	return nil, false
}
