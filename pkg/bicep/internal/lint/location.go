package lint

import (
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
	syntax.Walk(l.m.Tree(), func(n syntax.Node) bool {
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

// locationParams returns the parameters of a module that have a default and are
// locations: by that default, or since a resource of the module takes them for its own.
func (l *linter) locationParams(m *bind.Module) []locationValue {
	callee, ok := l.m.Referenced(m.Stmt).(*check.Model)
	body := syntax.Body(m.Stmt.Value)
	if !ok || callee == nil || body == nil {
		return nil
	}
	params, _ := body.PropertyValue("params").(*syntax.Object)
	used := map[bind.Symbol]bool{}
	syntax.Walk(callee.Tree(), func(n syntax.Node) bool {
		if r, ok := n.(*syntax.Resource); ok {
			if body := syntax.Body(r.Value); body != nil {
				if location := body.PropertyValue("location"); location != nil {
					syntax.Walk(location, func(n syntax.Node) bool {
						if p, ok := callee.Binding().Symbol(n).(*bind.Param); ok {
							used[p] = true
						}
						return true
					})
				}
			}
		}
		return true
	})
	var list []locationValue
	for _, p := range callee.Binding().Params {
		if d := p.Stmt.Default; d == nil || !readsLocationWithin(d.Value) && !used[p] {
			continue
		}
		v := locationValue{param: p.Name()}
		if params != nil {
			v.value = params.PropertyValue(p.Name())
		}
		list = append(list, v)
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

// hardcodedLocation finds locations that are constants.
func (l *linter) hardcodedLocation() {
	reported := map[*bind.Var]bool{}
	look := func(value syntax.Expr) {
		text, ok := l.literal(value)
		if !ok || equalFold(text, "global") {
			return
		}
		switch x := value.(type) {
		case *syntax.String:
			if !x.Interpolated() {
				l.add(value.Span())
			}
		case *syntax.VarRef:
			v, ok := l.m.Symbol(x).(*bind.Var)
			if !ok {
				return
			}
			for {
				next, ok := v.Stmt.Value.(*syntax.VarRef)
				if !ok {
					break
				}
				if v2, ok := l.m.Symbol(next).(*bind.Var); ok && v2 != v {
					v = v2
				} else {
					break
				}
			}
			if !reported[v] {
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
