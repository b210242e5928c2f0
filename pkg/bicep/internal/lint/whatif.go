package lint

import (
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/deploytime"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// whatIf finds values that are known only during a deployment and on which it
// depends what a module deploys. A preview cannot look beyond them.
func (l *linter) whatIf() {
	d := &deciders{busy: map[*check.Model]bool{}, known: map[*check.Model]map[string]bool{}}
	for _, m := range l.b.Modules {
		body := syntax.Body(m.Stmt.Value)
		callee := l.m.Referenced(m.Stmt)
		if body == nil || callee == nil {
			continue
		}
		params := body.Property("params")
		if params == nil {
			continue
		}
		given := d.arguments(l.m, params)
		deciding := d.of(callee, given.names(callee))
		late := func(p *syntax.Property) bool { return !deploytime.IsDeployTimeConstant(l.m, p) }
		var unknown bool
		for name := range deciding {
			unknown = unknown || given.named[name] == nil
		}
		for _, p := range given.order {
			name, _ := nameOf(l.m, p)
			if deciding[name] && given.named[name] == p && late(p) {
				l.add(p.Value.Span(), "The parameter \""+name+"\"", m.Name())
			}
		}
		for _, p := range given.unnamed {
			if unknown && late(p) {
				l.add(p.Value.Span(), "A parameter", m.Name())
			}
		}
	}
}

// arguments are what a module is given: properties by their names, and those
// whose names are not known, such as '${a}b': { } or a whole object in a variable.
type arguments struct {
	order   []*syntax.Property
	named   map[string]*syntax.Property
	unnamed []*syntax.Property
}

func (d *deciders) arguments(m *check.Model, params *syntax.Property) arguments {
	a := arguments{named: map[string]*syntax.Property{}}
	o, ok := params.Value.(*syntax.Object)
	if !ok {
		a.unnamed = []*syntax.Property{params}
		return a
	}
	for _, item := range o.Items {
		p, ok := item.(*syntax.Property)
		if !ok {
			continue
		}
		if name, ok := nameOf(m, p); ok {
			a.order, a.named[name] = append(a.order, p), p
		} else {
			a.unnamed = append(a.unnamed, p)
		}
	}
	return a
}

// names returns the parameters that are given: any of them, if some names are not known.
func (a *arguments) names(t check.Signature) []string {
	if len(a.unnamed) == 0 {
		return slices.Sorted(maps.Keys(a.named))
	}
	var all []string
	for _, p := range t.Parameters() {
		all = append(all, p.Name)
	}
	return all
}

// nameOf returns the name of a property, if its key is known to come to one.
func nameOf(m *check.Model, p *syntax.Property) (string, bool) {
	if name, ok := p.KeyName(); ok {
		return name, true
	}
	if key, ok := p.Key.(syntax.Expr); ok {
		return literalType(m, key)
	}
	return "", false
}

// deciders finds the parameters of templates that decide what is deployed: they
// are part of a resource's name, scope or condition.
type deciders struct {
	busy  map[*check.Model]bool
	known map[*check.Model]map[string]bool
}

// of returns which of the given parameters decide. One that is not given has its default, so the
// parameters in the default decide in its place.
func (d *deciders) of(t check.Signature, given []string) map[string]bool {
	found := map[string]bool{}
	switch t := t.(type) {
	case *check.ARM:
		return t.Deciding(given)
	case *check.Model:
		own := d.own(t)
		for _, name := range given {
			if own[name] {
				found[name] = true
			}
		}
		for _, p := range t.Binding().Params {
			if own[p.Name()] && p.Stmt.Default != nil && !slices.Contains(given, p.Name()) {
				for name := range paramsIn(t, p.Stmt.Default.Value) {
					if slices.Contains(given, name) {
						found[name] = true
					}
				}
			}
		}
	}
	return found
}

// own returns the parameters of a file that decide by themselves. As in the
// official compiler, a file counts the first two times that it is asked for.
func (d *deciders) own(m *check.Model) map[string]bool {
	if d.busy[m] {
		return nil
	}
	d.busy[m] = true
	if found, ok := d.known[m]; ok {
		return found
	}
	v := decidingVisitor{deciders: d, m: m, found: map[string]bool{}}
	for _, s := range m.Tree().Stmts {
		switch s.(type) {
		case *syntax.Resource, *syntax.Module:
			v.visit(s)
		}
	}
	d.known[m] = v.found
	delete(d.busy, m)
	return v.found
}

// decidingVisitor walks the resources and modules of a file.
type decidingVisitor struct {
	*deciders
	m     *check.Model
	found map[string]bool

	decides bool            // whether what is named here decides
	body    bool            // in a resource's body, but in none of its properties
	callee  check.Signature // in a module's body: what it deploys
}

func (v decidingVisitor) visit(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.If:
		v.deciding(n.Cond)
		v.visit(n.Body)
	case *syntax.Resource:
		v.body = true
		v.visit(n.Value)
	case *syntax.Module:
		v.callee = v.m.Referenced(n)
		v.visit(n.Value)
	case *syntax.Property:
		v.property(n)
	case *syntax.VarRef:
		if v.decides {
			v.add(paramsIn(v.m, n))
		}
	default:
		syntax.Children(n, v.visit)
	}
}

func (v decidingVisitor) deciding(n syntax.Node) {
	v.decides = true
	v.visit(n)
}

func (v decidingVisitor) property(p *syntax.Property) {
	v.visit(p.Key)
	name, _ := nameOf(v.m, p)
	name = strings.ToLower(name)
	switch {
	case v.body && (name == "name" || name == "scope"), !v.body && v.callee != nil && name == "scope":
		v.deciding(p.Value)
	case v.body:
		v.body = false
		v.visit(p.Value)
	case v.callee != nil && name == "params":
		v.passOn(p)
	default:
		v.callee = nil
		v.visit(p.Value)
	}
}

// passOn looks at the parameters of a module: what decides there decides here.
func (v decidingVisitor) passOn(params *syntax.Property) {
	given := v.arguments(v.m, params)
	for name := range v.of(v.callee, given.names(v.callee)) {
		if p := given.named[name]; p != nil {
			v.add(paramsIn(v.m, p.Value))
			continue
		}
		for _, p := range given.unnamed {
			v.add(paramsIn(v.m, p.Value))
		}
	}
}

func (v decidingVisitor) add(names map[string]bool) {
	for name := range names {
		v.found[name] = true
	}
}

// paramsIn returns the parameters that an expression is made of, also by way of variables.
func paramsIn(m *check.Model, x syntax.Expr) map[string]bool {
	found, seen := map[string]bool{}, map[bind.Declared]bool{}
	var follow func(list []bind.Declared)
	follow = func(list []bind.Declared) {
		for _, s := range list {
			switch s := s.(type) {
			case *bind.Param:
				found[s.Name()] = true
			case *bind.Var:
				if !seen[s] {
					seen[s] = true
					follow(m.Binding().ReferencedBy(s))
				}
			}
		}
	}
	follow(m.Binding().References(x))
	return found
}
