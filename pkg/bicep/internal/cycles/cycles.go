// Package cycles finds circles in graphs: of files, and of declarations.
package cycles

// Find returns, for each of n nodes that lies on a circle, the shortest circle
// that a single depth-first walk comes across, beginning with that node. Nodes
// are walked from in the order of their numbers; next returns where a node
// leads, in order.
//
// A walk of this kind does not find every circle, but at least one through each
// strongly connected part. Which one it finds decides which nodes are reported,
// so the order matters.
//
// Circles are made of what node returns for their numbers. They share memory, and
// are not to be changed.
func Find[N any](n int, next func(int) []int, node func(int) N) map[int][]N {
	f := &finder{next: next, state: make([]state, n)}
	for i := range n {
		if f.state[i] == unseen {
			f.walk(i)
		}
	}
	if len(f.shortest) == 0 {
		return nil
	}
	out := make(map[int][]N, len(f.shortest))
	for i, circle := range f.shortest {
		if out[i] != nil {
			continue
		}
		// Written twice over, it holds the circle as it is seen from each of its nodes.
		twice := make([]N, 0, 2*len(circle))
		for range 2 {
			for _, m := range circle {
				twice = append(twice, node(m))
			}
		}
		for start, m := range circle {
			if end := start + len(circle); &f.shortest[m][0] == &circle[0] {
				out[m] = twice[start:end:end]
			}
		}
	}
	return out
}

type state uint8

const (
	unseen state = iota
	below        // the walk is still below the node
	done
)

type finder struct {
	next     func(int) []int
	state    []state
	stack    []int
	shortest map[int][]int
}

func (f *finder) walk(i int) {
	f.stack = append(f.stack, i)
	f.state[i] = below
	for _, child := range f.next(i) {
		switch f.state[child] {
		case unseen:
			f.walk(child)
		case below:
			f.add(child)
		}
	}
	f.state[i] = done
	f.stack = f.stack[:len(f.stack)-1]
}

// add takes note of the circle that leads from the top of the stack back to a node.
func (f *finder) add(to int) {
	i := len(f.stack) - 1
	for f.stack[i] != to {
		i--
	}
	circle := append([]int(nil), f.stack[i:]...)
	if f.shortest == nil {
		f.shortest = map[int][]int{}
	}
	for _, m := range circle {
		if old, ok := f.shortest[m]; !ok || len(circle) < len(old) {
			f.shortest[m] = circle
		}
	}
}
