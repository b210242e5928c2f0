// Package cycles finds circles in graphs: of files, and of declarations.
package cycles

// Find returns, for each node that lies on a circle, the shortest circle that
// a single depth-first walk comes across, beginning with that node. Nodes are
// walked from in the order given; next yields where a node leads, in order.
//
// A walk of this kind does not find every circle, but at least one through each
// strongly connected part. Which one it finds decides which nodes are reported,
// so the order matters.
func Find[N comparable](nodes []N, next func(n N, yield func(N))) map[N][]N {
	f := &finder[N]{next: next, done: make(map[N]bool, len(nodes)), shortest: map[N][]N{}}
	for _, n := range nodes {
		if _, seen := f.done[n]; !seen {
			f.walk(n)
		}
	}
	for n, c := range f.shortest {
		f.shortest[n] = rotate(c, n)
	}
	return f.shortest
}

type finder[N comparable] struct {
	next     func(N, func(N))
	done     map[N]bool // false while the walk is still below the node
	stack    []N
	shortest map[N][]N
}

func (f *finder[N]) walk(n N) {
	f.stack = append(f.stack, n)
	f.done[n] = false
	f.next(n, func(child N) {
		done, seen := f.done[child]
		switch {
		case !seen:
			f.walk(child)
		case !done:
			f.add(child)
		}
	})
	f.done[n] = true
	f.stack = f.stack[:len(f.stack)-1]
}

// add takes note of the circle that leads from the top of the stack back to n.
func (f *finder[N]) add(n N) {
	i := len(f.stack) - 1
	for f.stack[i] != n {
		i--
	}
	circle := append([]N(nil), f.stack[i:]...)
	for _, m := range circle {
		if old, ok := f.shortest[m]; !ok || len(circle) < len(old) {
			f.shortest[m] = circle
		}
	}
}

// rotate returns the circle as it is seen from n.
func rotate[N comparable](circle []N, n N) []N {
	for i, m := range circle {
		if m == n {
			return append(append([]N(nil), circle[i:]...), circle[:i]...)
		}
	}
	return circle
}
