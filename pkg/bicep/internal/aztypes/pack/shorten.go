package pack

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
)

// list says how the properties of a node are written: one by one, or by what differs
// from those of another node.
type list struct {
	base  int32
	steps []step
}

// step copies properties of the base, passes over some, or writes one.
type step struct {
	copies, skips int
	property      property
}

// How many other lists are tried for each: the latest that have one of its properties.
const (
	latest   = 6
	maxTried = 120
)

// shorten finds for each node the shortest way to write its properties. It returns
// how often each property is written, too.
func (m *model) shorten(nodes []int32) (lists []list, written map[property]int) {
	lists = make([]list, len(m.nodes))
	uses := make(map[property]int)
	for _, i := range nodes {
		for _, p := range m.nodes[i].props {
			uses[p]++
		}
	}
	written = make(map[property]int)
	with := make(map[property][]int32) // the latest nodes that have a property
	for i := range m.nodes {
		n := &m.nodes[i]
		lists[i].base = none
		if m.uses[i] == 0 || len(n.props) == 0 || n.kind != aztypes.Object && n.kind != aztypes.Discriminated {
			continue
		}
		lists[i] = m.shortest(n, with, lists, uses)
		for _, s := range lists[i].steps {
			if s.copies == 0 && s.skips == 0 {
				written[s.property]++
			}
		}
		for _, p := range n.props {
			w := with[p]
			if len(w) == latest {
				w = slices.Delete(w, 0, 1)
			}
			with[p] = append(w, int32(i))
		}
	}
	return lists, written
}

func (m *model) shortest(n *node, with map[property][]int32, lists []list, uses map[property]int) list {
	plain := list{base: none}
	cost := 0
	for _, p := range n.props {
		plain.steps = append(plain.steps, step{property: p})
		cost += 3
		if uses[p] > 200 {
			cost-- // its number is short
		}
	}
	var tried []int32
	for _, p := range n.props {
		tried = append(tried, with[p]...)
	}
	slices.Sort(tried)
	tried = slices.Compact(tried)
	slices.Reverse(tried)
	best := plain
	for _, base := range tried[:min(len(tried), maxTried)] {
		if lists[base].base != none {
			continue // a change of a change would take long to read
		}
		steps, c := difference(n.props, m.nodes[base].props)
		if c += 3; c < cost {
			best, cost = list{base, steps}, c
		}
	}
	return best
}

// difference returns the steps from one list to another, and how many bytes they take.
func difference(to, from []property) (steps []step, cost int) {
	place := make(map[property]int, len(from))
	for i, p := range from {
		place[p] = i
	}
	next := 0
	for _, p := range to {
		at, ok := place[p]
		if !ok || at < next {
			steps = append(steps, step{property: p})
			cost += 3
			continue
		}
		if at > next {
			steps = append(steps, step{skips: at - next})
			cost++
		}
		next = at + 1
		if k := len(steps) - 1; k >= 0 && steps[k].copies > 0 {
			steps[k].copies++
		} else {
			steps = append(steps, step{copies: 1})
			cost++
		}
	}
	return steps, cost
}
