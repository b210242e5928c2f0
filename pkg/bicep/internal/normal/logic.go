package normal

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// truth returns the node of a boolean.
func (t *Table) truth(b bool) *armexpr.Call {
	if b {
		return t.intern("true", nil, nil)
	}
	return t.intern("false", nil, nil)
}

// isTruth tells whether an expression is true() or false(), and which.
func isTruth(e armexpr.Expr) (value, ok bool) {
	if call(e, "true") != nil {
		return true, true
	}
	return false, call(e, "false") != nil
}

func isNull(e armexpr.Expr) bool { return call(e, "null") != nil }

// logic simplifies a call that has to do with conditions; nil if it stays.
func (t *Table) logic(key string, args []armexpr.Expr) armexpr.Expr {
	switch {
	case key == "and" || key == "or":
		return t.junction(key, args)
	case key == "coalesce":
		return t.coalesce(args)
	case key == "not" && len(args) == 1:
		return t.not(args[0])
	case key == "if" && len(args) == 3:
		return t.conditional(args)
	case key == "equals" && len(args) == 2:
		return t.equals(args[0], args[1])
	case key == "greater" && len(args) == 2:
		return t.make("less", args[1], args[0])
	case key == "lessorequals" && len(args) == 2:
		return t.make("greaterOrEquals", args[1], args[0])
	}
	return nil
}

// not returns the negation of a condition.
func (t *Table) not(e armexpr.Expr) armexpr.Expr {
	if b, ok := isTruth(e); ok {
		return t.truth(!b)
	}
	c, ok := e.(*armexpr.Call)
	if !ok || len(c.Access) > 0 {
		return nil
	}
	switch strings.ToLower(c.Name) {
	case "not":
		if len(c.Args) == 1 {
			return c.Args[0]
		}
	case "less":
		return t.make("greaterOrEquals", c.Args...)
	case "greaterorequals":
		return t.make("less", c.Args...)
	case "and", "or":
		if len(c.Args) > maxParts {
			return nil
		}
		other := map[string]string{"and": "or", "or": "and"}[strings.ToLower(c.Name)]
		list := make([]armexpr.Expr, len(c.Args))
		for i, a := range c.Args {
			list[i] = t.make("not", a)
		}
		return t.make(other, list...)
	}
	return nil
}

// junction simplifies and() and or().
func (t *Table) junction(key string, args []armexpr.Expr) armexpr.Expr {
	var flat []armexpr.Expr
	for _, a := range args {
		if c := call(a, key); c != nil && len(c.Args) <= maxParts {
			flat = append(flat, c.Args...)
		} else {
			flat = append(flat, a)
		}
	}
	var list []armexpr.Expr
	for _, a := range flat {
		b, known := isTruth(a)
		switch {
		case known && b == (key == "or"):
			return a
		case !known && !slices.Contains(list, a):
			list = append(list, a)
		}
	}
	for _, a := range list {
		if c := call(a, "not"); c != nil && slices.Contains(list, c.Args[0]) {
			return t.truth(key == "or")
		}
	}
	switch len(list) {
	case 0:
		return t.truth(key == "and")
	case 1:
		return list[0]
	}
	return t.intern(key, list, nil)
}

func (t *Table) equals(a, b armexpr.Expr) armexpr.Expr {
	if a == b {
		return t.truth(true)
	}
	if _, ok := isTruth(a); ok {
		a, b = b, a
	}
	if value, ok := isTruth(b); ok && t.kind(a) == Bool {
		if value {
			return a
		}
		return t.make("not", a)
	}
	return nil
}

// conditional simplifies if().
func (t *Table) conditional(args []armexpr.Expr) armexpr.Expr {
	c, yes, no := args[0], args[1], args[2]
	if b, ok := isTruth(c); ok {
		if b {
			return yes
		}
		return no
	}
	if yes == no {
		return yes
	}
	if n := call(c, "not"); n != nil {
		return t.make("if", n.Args[0], no, yes)
	}
	if e := call(c, "equals"); e != nil { // x == null ? y : x
		for i := range 2 {
			if isNull(e.Args[i]) && e.Args[1-i] == no {
				return t.make("coalesce", no, yes)
			}
		}
	}
	if t.kind(yes) != Bool || t.kind(no) != Bool {
		return nil
	}
	b, isYes := isTruth(yes)
	d, isNo := isTruth(no)
	switch {
	case isYes && b:
		return t.make("or", c, no)
	case isYes:
		return t.make("and", t.make("not", c), no)
	case isNo && d:
		return t.make("or", t.make("not", c), yes)
	case isNo:
		return t.make("and", c, yes)
	}
	return nil
}

// coalesce simplifies coalesce(): what comes after a value that is not null is never used.
func (t *Table) coalesce(args []armexpr.Expr) armexpr.Expr {
	var list []armexpr.Expr
	for _, a := range args {
		inner := []armexpr.Expr{a}
		if c := call(a, "coalesce"); c != nil && len(c.Args) <= maxParts {
			inner = c.Args
		}
		for _, x := range inner {
			if !isNull(x) && !slices.Contains(list, x) {
				list = append(list, x)
			}
		}
	}
	for i, a := range list {
		c, isCall := a.(*armexpr.Call)
		if !isCall || len(c.Access) == 0 &&
			(t.info[c].constant || c.Name == "format" || c.Name == "createObject" || c.Name == "createArray") {
			list = list[:i+1]
			break
		}
	}
	switch len(list) {
	case 0:
		return t.intern("null", nil, nil)
	case 1:
		return list[0]
	}
	return t.intern("coalesce", list, nil)
}
