package expand

import (
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// link finds out what the resources and modules depend on.
func (x *expander) link(root *deployment) {
	for _, r := range x.result.Resources {
		if x.full() {
			break
		}
		if id, ok := Known(r.ID); ok {
			x.linkUp(r, id)
		}
		for _, to := range References(r.Body, r.Condition, r.Name, r.Scope, r.Copies) {
			x.depend(r, Reads, to, nil)
		}
	}
	root.link()
	x.result.Crowded = x.full()
}

// full reports whether no more dependencies are noted. Each is written with the name of the
// other end, which may be long.
func (x *expander) full() bool { return len(x.edges) > x.limits.Edges || x.written > x.limits.Text }

// linkUp finds the parent of a resource, and what it extends, by their IDs.
func (x *expander) linkUp(r *Resource, id string) {
	id = strings.ToLower(id)
	if strings.Count(r.Type, "/") > 1 {
		if i := lastTwo(id); i > 0 {
			if up := x.byID[id[:i]]; up != nil {
				x.depend(r, Parent, up, nil)
				return
			}
		}
	}
	if i := strings.LastIndex(id, "/providers/"); i > 0 {
		if up := x.byID[id[:i]]; up != nil {
			x.depend(r, Scoped, up, nil)
		}
	}
}

// lastTwo returns where the last two segments of an ID begin.
func lastTwo(id string) int {
	i := strings.LastIndexByte(id, '/')
	if i <= 0 {
		return -1
	}
	return strings.LastIndexByte(id[:i], '/')
}

// edge is a dependency of a resource or a module on another.
type edge struct {
	from, to *Resource
	of, on   *Module
}

// depend notes a dependency of a resource once. A kind that says more than DependsOn replaces it.
func (x *expander) depend(r *Resource, kind DependencyKind, to *Resource, m *Module) {
	if to == r {
		return
	}
	e := edge{from: r, to: to, on: m}
	if i, ok := x.edges[e]; ok {
		if kind != DependsOn {
			r.Dependencies[i].Kind = kind
		}
		return
	}
	if !x.full() {
		x.edges[e] = len(r.Dependencies)
		x.written += x.weight(r.Name)
		if to != nil {
			x.written += x.weight(to.Name)
		}
		r.Dependencies = append(r.Dependencies, Dependency{Kind: kind, Resource: to, Module: m})
	}
}

// dependModule notes a dependency of a module once.
func (x *expander) dependModule(m *Module, on Dependency) {
	e := edge{of: m, to: on.Resource, on: on.Module}
	if _, ok := x.edges[e]; !ok && !x.full() {
		x.edges[e] = len(m.Dependencies)
		m.Dependencies = append(m.Dependencies, on)
	}
}

// link resolves dependsOn of all that a template declares, modules included.
func (d *deployment) link() {
	for _, c := range d.decls {
		entries, _ := find(c.body, "dependsOn")
		list, _ := entries.(armjson.Array)
		for _, i := range c.instances {
			if i.skipped || i.err != nil {
				continue
			}
			for _, e := range list {
				if d.x.full() {
					return
				}
				v, err := i.ev.Value(e)
				if err != nil {
					continue
				}
				for _, to := range d.dependency(v) {
					switch {
					case to.skipped:
					case i.inner != nil:
						d.x.dependModule(i.inner.module, to.dependency())
					case i.resource != nil:
						t := to.dependency()
						d.x.depend(i.resource, DependsOn, t.Resource, t.Module)
					}
				}
			}
			if i.inner != nil {
				i.inner.link()
			}
			if p := c.parent; p != nil && i.resource != nil && len(p.instances) == 1 && p.instances[0].resource != nil {
				d.x.depend(i.resource, Parent, p.instances[0].resource, nil)
			}
		}
	}
}

func (i *instance) dependency() Dependency {
	if i.inner != nil {
		return Dependency{Kind: DependsOn, Module: i.inner.module}
	}
	return Dependency{Kind: DependsOn, Resource: i.resource}
}

// dependency returns what an entry of dependsOn names.
func (d *deployment) dependency(v Value) []*instance {
	s, ok := v.(armjson.String)
	if !ok {
		return nil
	}
	key := strings.ToLower(string(s))
	symbol, index := key, -1
	if i := strings.IndexByte(key, '['); i > 0 && strings.HasSuffix(key, "]") {
		if n, err := strconv.Atoi(key[i+1 : len(key)-1]); err == nil {
			symbol, index = key[:i], n
		}
	}
	if c := d.bySymbol[symbol]; c != nil {
		if index < 0 {
			return c.instances
		}
		if index < len(c.instances) {
			return c.instances[index : index+1]
		}
		return nil
	}
	if i, err := d.deploymentAt(key); i != nil && err == nil {
		return []*instance{i}
	}
	if r := d.x.byID[key]; r != nil && r.decl != nil {
		return []*instance{{decl: r.decl, resource: r}}
	}
	if c := d.loopOf(key); c != nil {
		return c.instances
	}
	return nil
}

// loopOf returns the declaration whose loop has a name, in lower case; nil if there is none.
func (d *deployment) loopOf(key string) *declaration {
	if d.byLoop == nil {
		d.byLoop = map[string]*declaration{}
		for _, c := range d.decls {
			if name := strings.ToLower(c.loop); name != "" && d.byLoop[name] == nil {
				d.byLoop[name] = c
			}
		}
	}
	return d.byLoop[key]
}

// Modules returns the modules that are deployed, outer ones before those within them.
func (r *Result) Modules() []*Module {
	var list []*Module
	var walk func(d *deployment)
	walk = func(d *deployment) {
		for _, c := range d.decls {
			for _, i := range c.instances {
				if i.inner != nil && !i.skipped && i.err == nil {
					list = append(list, i.inner.module)
					walk(i.inner)
				}
			}
		}
	}
	walk(r.Root.at)
	return list
}
