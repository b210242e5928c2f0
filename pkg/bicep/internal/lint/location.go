package lint

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// readsLocation reports whether n is resourceGroup().location or deployment().location.
func readsLocation(n syntax.Node) bool {
	a, ok := n.(*syntax.PropertyAccess)
	if !ok || a.Name.Name != "location" {
		return false
	}
	name, _, ok := syntax.CallName(a.X)
	return ok && (name.Name == "resourceGroup" || name.Name == "deployment")
}

func readsLocationWithin(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		found = found || readsLocation(n)
		return !found
	})
	return found
}

// locationOutsideParams finds locations that are not the default of a parameter.
func (l *linter) locationOutsideParams() {
	l.m.Tree().Walk(l.m.Tree(), func(n syntax.Node) bool {
		if _, ok := n.(*syntax.Param); ok {
			return false
		}
		if readsLocation(n) {
			l.add(n.Span())
		}
		return true
	})
}

// locationValue is what a module's parameter for a location is given; value is nil if it is left out.
type locationValue struct {
	param string
	value syntax.Expr
}

// locationParams returns the parameters of a module that have a default and are locations: the
// default is one, or a resource of the module uses the parameter as its location.
func (l *linter) locationParams(m *bind.Module) []locationValue {
	callee, ok := l.m.Referenced(m.Stmt).(*check.Model)
	body := syntax.Body(m.Stmt.Value)
	if !ok || callee == nil || body == nil {
		return nil
	}
	params, _ := body.PropertyValue("params").(*syntax.Object)
	var used []*bind.Param // in the order in which they are
	seen := map[*bind.Param]bool{}
	callee.Tree().Walk(callee.Tree(), func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Resource); ok {
			if body := syntax.Body(r.Value); body != nil {
				if location := body.PropertyValue("location"); location != nil {
					syntax.Walk(location, func(n syntax.Node) bool {
						if p, ok := callee.Binding().Symbol(n).(*bind.Param); ok {
							used, seen[p] = append(used, p), true
						}
						return true
					})
				}
			}
		}
		return true
	})
	var list []locationValue
	add := func(p *bind.Param) {
		v := locationValue{param: p.Name()}
		if given := namedProperty(params, nameIs(p.Name())); given != nil {
			v.value = given.Value
		}
		list = append(list, v)
	}
	for _, p := range callee.Binding().Params {
		if d := p.Stmt.Default; d != nil && readsLocationWithin(d.Value) {
			add(p)
			delete(seen, p)
		}
	}
	for _, p := range used {
		if seen[p] && p.Stmt.Default != nil {
			add(p)
		}
		delete(seen, p)
	}
	return list
}

// explicitLocations finds locations of modules that are left to their defaults.
func (l *linter) explicitLocations() {
	for _, m := range l.b.Modules {
		at := m.NameSpan()
		if body := syntax.Body(m.Stmt.Value); body != nil {
			if p := body.Property("params"); p != nil {
				at = p.Span()
			}
		}
		for _, v := range l.locationParams(m) {
			if v.value == nil {
				l.add(at, v.param, m.Name())
			}
		}
	}
}

// namedConstant returns the variable that gives a plain string its name, if that
// is what a reference leads to.
func (l *linter) namedConstant(ref *syntax.VarRef) *bind.Var {
	for {
		v, ok := l.m.Symbol(ref).(*bind.Var)
		if !ok {
			return nil
		}
		switch value := v.Stmt.Value.(type) {
		case *syntax.String:
			if value.Interpolated() {
				return nil
			}
			return v
		case *syntax.VarRef: // not to itself, or it would have no literal type
			ref = value
		default:
			return nil
		}
	}
}

// hardcodedLocation finds locations that are constants.
func (l *linter) hardcodedLocation() {
	reported := map[*bind.Var]bool{}
	look := func(value syntax.Expr) {
		text, ok := l.literal(value)
		if !ok || strings.EqualFold(text, "global") {
			return
		}
		switch x := value.(type) {
		case *syntax.String:
			if !x.Interpolated() {
				l.add(value.Span())
			}
		case *syntax.VarRef:
			if v := l.namedConstant(x); v != nil && !reported[v] {
				reported[v] = true
				l.add(v.NameSpan())
			}
		}
	}
	for _, r := range l.resources {
		if body := syntax.Body(r.Value); body != nil {
			if location := body.PropertyValue("location"); location != nil {
				look(location)
			}
		}
	}
	for _, m := range l.b.Modules {
		for _, v := range l.locationParams(m) {
			if v.value != nil {
				look(v.value)
			}
		}
	}
}
