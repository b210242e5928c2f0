// Package cycles finds cycles in graphs: of files, and of declarations. Find takes the edges as a
// function. It knows nothing of the nodes but their numbers, and reports nothing.
package cycles

// A Set holds the cycles that Find found in a graph. The zero value, and
// nil, are those of a graph without any.
//
// A cycle is a path down the tree of the walk, and the way back from its end to its
// beginning. So two nodes say which one it is, and a graph of n nodes that are all on
// cycles of their own needs no more memory than one with a single cycle.
type Set struct {
	nodes []node
	last  []int // the cycle that was written down last, twice over
}

type node struct {
	from, to    int32 // the cycle: the path from one node down to the other; to is 0 if there is none, and one more than the number else
	parent      int32 // in the tree of the walk, -1 at a root
	depth       int32
	first, next int32 // the numbers of the nodes below it, in the order of the walk
}

// Find finds, for each of n nodes that is on a cycle, the shortest cycle that a
// single depth-first walk comes across. Nodes are walked from in the order of their
// numbers; next returns where a node leads, in order.
//
// A walk of this kind does not find every cycle, but at least one through each
// strongly connected part. Which one it finds decides which nodes are reported,
// so the order matters.
func Find(n int, next func(int) []int) *Set {
	type step struct {
		node     int
		children []int
	}
	const (
		unseen = iota
		below  // the walk is still below the node
		done
	)
	c := &Set{nodes: make([]node, n)}
	state := make([]uint8, n)
	found, count := false, int32(0)
	var stack []step
	enter := func(i, parent int) {
		state[i] = below
		c.nodes[i].parent, c.nodes[i].depth, c.nodes[i].first = int32(parent), int32(len(stack)), count
		count++
		stack = append(stack, step{i, next(i)})
	}
	for root := range n {
		if state[root] == unseen {
			enter(root, -1)
		}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.children) == 0 {
				state[top.node] = done
				c.nodes[top.node].next = count
				stack = stack[:len(stack)-1]
				continue
			}
			child := top.children[0]
			top.children = top.children[1:]
			switch state[child] {
			case unseen:
				enter(child, top.node)
			case below:
				found = true
				c.add(child, top.node)
			}
		}
	}
	if !found {
		return nil
	}
	return c
}

// add takes note of the cycle that leads from the node "to" back to the node "from"
// above it.
func (c *Set) add(from, to int) {
	length := c.nodes[to].depth - c.nodes[from].depth
	for i := to; ; i = int(c.nodes[i].parent) {
		m := &c.nodes[i]
		if m.to == 0 || length < c.nodes[m.to-1].depth-c.nodes[m.from].depth {
			m.from, m.to = int32(from), int32(to)+1
		}
		if i == from {
			return
		}
	}
}

// Has reports whether a node is on a cycle.
func (c *Set) Has(i int) bool { return c != nil && i < len(c.nodes) && c.nodes[i].to != 0 }

// Len returns how many nodes there are on the cycle of a node.
func (c *Set) Len(i int) int {
	if !c.Has(i) {
		return 0
	}
	m := &c.nodes[i]
	return int(c.nodes[m.to-1].depth-c.nodes[m.from].depth) + 1
}

// On reports whether the cycle of node i leads through node j.
func (c *Set) On(i, j int) bool {
	if !c.Has(i) {
		return false
	}
	from, to, m := &c.nodes[c.nodes[i].from], &c.nodes[c.nodes[i].to-1], &c.nodes[j]
	return from.first <= m.first && m.first < from.next && m.first <= to.first && to.first < m.next
}

// Cycle returns the cycle of a node, beginning with that node, or nil. It is not to be
// changed.
func (c *Set) Cycle(i int) []int {
	if !c.Has(i) {
		return nil
	}
	from, to := int(c.nodes[i].from), int(c.nodes[i].to-1)
	length := c.Len(i)
	if len(c.last) != 2*length || c.last[0] != from || c.last[length-1] != to {
		c.last = make([]int, 2*length)
		for k, m := length-1, to; k >= 0; k, m = k-1, int(c.nodes[m].parent) {
			c.last[k], c.last[length+k] = m, m
		}
	}
	start := int(c.nodes[i].depth - c.nodes[from].depth)
	return c.last[start : start+length : start+length]
}
