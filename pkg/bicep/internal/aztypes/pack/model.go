package pack

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
)

// model is what a library says: types in the order of their names, and the nodes
// that they lead to, those of the newest version first.
type model struct {
	nodes []node
	types []entry
	// uses are how often references lead to each node. One that is written as its
	// value, or that nothing leads to any more, has none.
	uses []int
}

func (b *builder) model() *model {
	b.assign()
	m := &model{}
	for _, name := range slices.Sorted(maps.Keys(b.types)) {
		e := b.types[name]
		slices.SortFunc(e.versions, func(x, y version) int { return cmp.Compare(x.version, y.version) })
		m.types = append(m.types, *e)
	}
	m.number(b.nodes)
	m.count()
	return m
}

// assign gives the functions to their types. Those of types that do not exist are dropped.
func (b *builder) assign() {
	for _, fn := range b.functions {
		e := b.types[fn.typ]
		if e == nil {
			continue
		}
		for i := range e.versions {
			v := &e.versions[i]
			same := func(o function) bool { return strings.EqualFold(o.name, fn.name) }
			if strings.EqualFold(v.version, fn.version) && !slices.ContainsFunc(v.functions, same) {
				v.functions = append(v.functions, fn)
			}
		}
	}
}

// roots calls f with all nodes that the index leads to.
func (m *model) roots(f func(*int32)) {
	for t := range m.types {
		versions := m.types[t].versions
		for i := len(versions) - 1; i >= 0; i-- {
			f(&versions[i].body)
			for k := range versions[i].functions {
				fn := &versions[i].functions[k]
				f(&fn.output)
				if fn.input != none {
					f(&fn.input)
				}
			}
		}
	}
}

// number takes the nodes that the types lead to, depth first.
func (m *model) number(all []node) {
	number := make([]int32, len(all))
	for i := range number {
		number[i] = none
	}
	var visit func(i int32)
	visit = func(i int32) {
		if number[i] != none {
			return
		}
		number[i] = int32(len(m.nodes))
		m.nodes = append(m.nodes, all[i])
		all[i].each(func(to *int32) { visit(*to) })
	}
	m.roots(func(to *int32) { visit(*to) })
	for i := range m.nodes {
		m.nodes[i].each(func(to *int32) { *to = number[*to] })
	}
	m.roots(func(to *int32) { *to = number[*to] })
}

func (m *model) count() {
	m.uses = make([]int, len(m.nodes))
	for i := range m.nodes {
		if !m.literals(&m.nodes[i]) {
			m.nodes[i].each(func(to *int32) { m.uses[*to]++ })
		}
	}
	m.roots(func(to *int32) { m.uses[*to]++ })
}

// literals reports whether a node is a union of nothing but literals. It holds their
// values instead of references.
func (m *model) literals(n *node) bool {
	if n.kind != aztypes.Union || len(n.members) == 0 {
		return false
	}
	return !slices.ContainsFunc(n.members, func(e member) bool { return m.nodes[e.node].kind != aztypes.Literal })
}
