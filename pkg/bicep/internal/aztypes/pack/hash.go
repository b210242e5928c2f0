package pack

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
)

// hash is equal for types that mean the same, whatever file they are from.
type hash [16]byte

// maxCycle bounds the sets of types that contain each other which are compared with
// those of other files: it takes as many rounds as there are types in the set.
const maxCycle = 400

// hashAll gives every node of a file its hash: bottom-up, and in rounds for those
// that contain each other, so that each round tells apart what differs one step
// farther away.
func (f *typeFile) hashAll() {
	h := hasher{f: f, out: make([]hash, len(f.nodes)), set: make([]int32, len(f.nodes))}
	for set, nodes := range components(f.nodes) {
		h.component(int32(set+1), nodes)
	}
	f.hashes = h.out
}

type hasher struct {
	f   *typeFile
	out []hash
	set []int32 // the set that a node belongs to
	buf []byte
}

func (h *hasher) component(set int32, nodes []int32) {
	for _, i := range nodes {
		h.set[i] = set
	}
	cyclic := len(nodes) > 1
	if !cyclic {
		h.f.nodes[nodes[0]].each(func(to *int32) { cyclic = cyclic || *to == nodes[0] })
	}
	switch {
	case !cyclic:
		h.out[nodes[0]] = h.node(nodes[0], 0)
		return
	case len(nodes) > maxCycle:
		for _, i := range nodes { // equal to nothing
			h.buf = append(binary.AppendUvarint(h.buf[:0], uint64(i)), h.f.path...)
			sum := sha256.Sum256(h.buf)
			h.out[i] = hash(sum[:])
		}
		return
	}
	next := make([]hash, len(nodes))
	for round := range len(nodes) + 1 {
		within := set
		if round > 0 {
			within = 0
		}
		for k, i := range nodes {
			next[k] = h.node(i, within)
		}
		for k, i := range nodes {
			h.out[i] = next[k]
		}
	}
}

// node hashes the content of a node. The nodes that it leads to count with their hashes, except for
// nodes of the set whose hashes are not known yet.
func (h *hasher) node(i, unknown int32) hash {
	n := &h.f.nodes[i]
	b := append(h.buf[:0], byte(n.kind), 0)
	if n.sensitive {
		b[1] |= aztypes.Sensitive
	}
	if n.min != nil {
		b[1] |= aztypes.HasMin
		b = binary.AppendVarint(b, *n.min)
	}
	if n.max != nil {
		b[1] |= aztypes.HasMax
		b = binary.AppendVarint(b, *n.max)
	}
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	ref := func(to int32) {
		if to == none {
			b = append(b, 0)
			return
		}
		b = append(b, 1)
		if unknown == 0 || h.set[to] != unknown {
			b = append(b, h.out[to][:]...)
		}
	}
	text(n.name)
	text(n.more)
	b = binary.AppendUvarint(b, uint64(len(n.props)))
	for j := range n.props {
		p := &n.props[j]
		text(p.name)
		b = append(b, p.flags)
		ref(p.node)
	}
	b = binary.AppendUvarint(b, uint64(len(n.members)))
	for j := range n.members {
		text(n.members[j].key)
		ref(n.members[j].node)
	}
	ref(n.item)
	h.buf = b
	sum := sha256.Sum256(b)
	return hash(sum[:])
}

// components returns the sets of nodes that lead to each other, each after those
// that it leads to (Tarjan's algorithm, without recursion).
func components(nodes []node) (sets [][]int32) {
	index, low := make([]int32, len(nodes)), make([]int32, len(nodes))
	onStack := make([]bool, len(nodes))
	var stack []int32
	type frame struct {
		node int32
		to   []int32 // what is still to be visited
	}
	var open []frame
	counter := int32(0)
	enter := func(i int32) {
		counter++
		index[i], low[i] = counter, counter
		stack = append(stack, i)
		onStack[i] = true
		var to []int32
		nodes[i].each(func(t *int32) { to = append(to, *t) })
		open = append(open, frame{i, to})
	}
	for start := range nodes {
		if index[start] != 0 {
			continue
		}
		enter(int32(start))
		for len(open) > 0 {
			top := &open[len(open)-1]
			if len(top.to) > 0 {
				next := top.to[0]
				top.to = top.to[1:]
				if index[next] == 0 {
					enter(next)
				} else if onStack[next] {
					low[top.node] = min(low[top.node], index[next])
				}
				continue
			}
			i := top.node
			open = open[:len(open)-1]
			if len(open) > 0 {
				parent := open[len(open)-1].node
				low[parent] = min(low[parent], low[i])
			}
			if low[i] != index[i] {
				continue
			}
			at := len(stack) - 1
			for stack[at] != i {
				at--
			}
			set := append([]int32(nil), stack[at:]...)
			stack = stack[:at]
			for _, k := range set {
				onStack[k] = false
			}
			sets = append(sets, set)
		}
	}
	return sets
}
