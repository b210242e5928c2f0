package normal

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// collection simplifies a call that makes an array or an object.
func (t *Table) collection(key string, args []armexpr.Expr) armexpr.Expr {
	name := map[string]string{"union": "union", "createarray": "createArray", "createobject": "createObject"}[key]
	if key == "union" {
		args = t.unionParts(args)
		if len(args) == 1 {
			return args[0]
		}
		if e := t.evaluate(key, args); e != nil {
			return e
		}
	}
	return t.intern(name, args, nil)
}

// unionParts puts objects together that are written next to each other and have no names in common.
func (t *Table) unionParts(args []armexpr.Expr) []armexpr.Expr {
	var flat, list []armexpr.Expr
	for _, a := range args {
		if c := call(a, "union"); c != nil && len(flat) == 0 && len(c.Args) <= maxParts { // the union of a union and more goes on
			flat = append(flat, c.Args...)
		} else {
			flat = append(flat, a)
		}
	}
	for _, a := range flat {
		c := call(a, "createObject")
		if c != nil && len(c.Args) == 0 && len(flat) > 1 && t.kind(a) == Object {
			if len(list) > 0 && t.kind(list[0]) == Object {
				continue
			}
		}
		if n := len(list) - 1; n >= 0 && c != nil {
			if before := call(list[n], "createObject"); before != nil && len(before.Args) <= maxParts {
				if members, ok := disjoint(before.Args, c.Args); ok {
					list[n] = t.intern("createObject", members, nil)
					continue
				}
			}
		}
		list = append(list, a)
	}
	return list
}

// disjoint returns the members of two objects that have no name in common, and only names that are known.
func disjoint(a, b []armexpr.Expr) ([]armexpr.Expr, bool) {
	names := map[string]bool{}
	for _, list := range [][]armexpr.Expr{a, b} {
		for i := 0; i < len(list); i += 2 {
			s, ok := list[i].(armexpr.Str)
			name := strings.ToLower(string(s))
			if !ok || names[name] {
				return nil, false
			}
			names[name] = true
		}
	}
	return slices.Concat(a, b), true
}

// concatArrays returns the array that arrays make one after the other.
func (t *Table) concatArrays(args []armexpr.Expr) armexpr.Expr {
	var list []armexpr.Expr
	for _, a := range args {
		c := call(a, "createArray")
		if c != nil && len(c.Args) == 0 && len(args) > 1 {
			continue
		}
		if n := len(list) - 1; n >= 0 && c != nil {
			if before := call(list[n], "createArray"); before != nil && len(before.Args) <= maxParts {
				list[n] = t.intern("createArray", slices.Concat(before.Args, c.Args), nil)
				continue
			}
		}
		list = append(list, a)
	}
	switch {
	case len(list) == 0:
		return t.intern("createArray", nil, nil)
	case len(list) == 1 && t.kind(list[0]) == Array:
		return list[0]
	}
	return t.intern("concat", list, nil)
}

// access returns a property or an element of a node.
func (t *Table) access(e, key armexpr.Expr) armexpr.Expr {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return t.intern(armexpr.AsCall(e).Name, armexpr.AsCall(e).Args, []armexpr.Expr{key})
	}
	if len(c.Access) == 0 {
		if found := t.written(c, key); found != nil {
			return found
		}
		if _, isName := key.(armexpr.Str); !isName && strings.EqualFold(c.Name, "range") && len(c.Args) == 2 {
			if c.Args[0] == armexpr.Int(0) {
				return key
			}
			return t.make("add", c.Args[0], key)
		}
	}
	return t.intern(c.Name, c.Args, append(slices.Clone(c.Access), key))
}

// written returns a property or an element that is written in the expression it is read of; nil if there is none.
func (t *Table) written(c *armexpr.Call, key armexpr.Expr) armexpr.Expr {
	switch key := key.(type) {
	case armexpr.Int:
		if strings.EqualFold(c.Name, "createArray") && int(key) >= 0 && int(key) < len(c.Args) {
			return c.Args[key]
		}
	case armexpr.Str:
		if !strings.EqualFold(c.Name, "createObject") || len(c.Args)%2 != 0 {
			return nil
		}
		for i := 0; i < len(c.Args); i += 2 {
			name, ok := c.Args[i].(armexpr.Str)
			if !ok {
				return nil
			}
			if strings.EqualFold(string(name), string(key)) {
				return c.Args[i+1]
			}
		}
	}
	return nil
}

// length returns how many elements an array has, if that is written there; nil if it is not.
func (t *Table) length(args []armexpr.Expr) armexpr.Expr {
	if len(args) != 1 {
		return nil
	}
	if c := call(args[0], "range"); c != nil && len(c.Args) == 2 {
		return c.Args[1]
	}
	if c := call(args[0], "map"); c != nil && len(c.Args) == 2 {
		return t.make("length", c.Args[0])
	}
	if c := call(args[0], "createArray"); c != nil {
		return armexpr.Int(len(c.Args))
	}
	return nil
}

// ownPlace leaves out the subscription and the group of an ID if they are those of the deployment.
func (t *Table) ownPlace(key string, args []armexpr.Expr) []armexpr.Expr {
	first := slices.IndexFunc(args, func(e armexpr.Expr) bool { // the type of the resource
		s, ok := e.(armexpr.Str)
		return ok && strings.Contains(string(s), "/")
	})
	is := func(e armexpr.Expr, function, property string) bool {
		c, ok := e.(*armexpr.Call)
		return ok && strings.EqualFold(c.Name, function) && len(c.Access) == 1 && c.Access[0] == armexpr.Str(property)
	}
	switch {
	case first == 2 && is(args[0], "subscription", "subscriptionId"), first == 1 &&
		key == "resourceid" && is(args[0], "resourceGroup", "name"),
		first == 1 && key == "subscriptionresourceid" && is(args[0], "subscription", "subscriptionId"):
		return args[1:]
	}
	return args
}
