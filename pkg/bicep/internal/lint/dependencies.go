package lint

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// unnecessaryDependsOn finds dependencies that are known without being listed.
func (l *linter) unnecessaryDependsOn() {
	var known map[bind.Declared]map[bind.Declared]bool
	look := func(d bind.Declared, value syntax.Expr) {
		body := syntax.Body(value)
		if body == nil {
			return
		}
		list, ok := body.PropertyValue("dependsOn").(*syntax.Array)
		if !ok {
			return
		}
		if known == nil {
			known = map[bind.Declared]map[bind.Declared]bool{}
		}
		inferred, ok := known[d]
		if !ok {
			inferred = l.inferred(d)
			known[d] = inferred
		}
		listed := map[bind.Declared]bool{}
		for _, item := range list.Items {
			on, ok := l.m.Symbol(item).(bind.Declared)
			if !ok || l.m.IsCollection(on) {
				continue
			}
			if !inferred[on] && !listed[on] {
				listed[on] = true
				continue
			}
			l.add(item.Span(), on.Name())
		}
	}
	for _, r := range l.resources {
		if s, ok := l.m.Symbol(r).(bind.Declared); ok {
			look(s, r.Value)
		}
	}
	for _, m := range l.b.Modules {
		look(m, m.Stmt.Value)
	}
}

// inferred returns all that a resource or module depends on, directly or not,
// without what is listed in dependsOn.
func (l *linter) inferred(d bind.Declared) map[bind.Declared]bool {
	if l.needs == nil {
		l.needs = l.analysis.ImplicitDependencies()
	}
	needs := l.needs
	all := map[bind.Declared]bool{}
	type edge struct {
		on   bind.Declared
		weak bool
	}
	seen := map[edge]bool{}
	queue := needs[d]
	for len(queue) > 0 {
		dep := queue[0]
		queue = queue[1:]
		e := edge{dep.On, dep.Weak}
		if seen[e] {
			continue
		}
		seen[e] = true
		queue = append(queue[:len(queue):len(queue)], needs[dep.On]...)
		r, isResource := dep.On.(*bind.Resource)
		if !dep.Weak || !isResource || !r.Stmt.IsExisting() {
			all[dep.On] = true
		}
	}
	return all
}
