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
func Find(n int, next func(int) []int) map[int][]int {
	f := &finder{next: next, state: make([]state, n)}
	for i := range n {
		if f.state[i] == unseen {
			f.walk(i)
		}
	}
	for i, c := range f.shortest {
		f.shortest[i] = rotate(c, i)
	}
	return f.shortest
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

// rotate returns the circle as it is seen from a node.
func rotate(circle []int, n int) []int {
	for i, m := range circle {
		if m == n {
			return append(append([]int(nil), circle[i:]...), circle[:i]...)
		}
	}
	return circle
}
