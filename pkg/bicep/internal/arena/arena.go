// Package arena makes many values of a type with few allocations. It is for the
// nodes of trees: they are many and small. Those of an Arena live as long as their tree,
// those of a Scratch until it is reset.
package arena

import "slices"

// Arena makes values of type T. Its zero value is ready for use.
type Arena[T any] struct {
	chunk []T // what it holds has been given out; what it has room for has not
}

// A chunk has twice the room of the one before, within these bounds.
const (
	smallest = 8
	largest  = 64
)

// New returns a pointer to a copy of v.
func (a *Arena[T]) New(v T) *T {
	n := len(a.chunk)
	if n == cap(a.chunk) {
		a.room(1)
		n = 0
	}
	a.chunk = a.chunk[:n+1]
	a.chunk[n] = v
	return &a.chunk[n]
}

// List returns a copy of a list, or nil if it is empty.
func (a *Arena[T]) List(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := a.Make(len(list))
	copy(out, list)
	return out
}

// Make returns a list of n zero values.
func (a *Arena[T]) Make(n int) []T {
	if n > largest/2 {
		return make([]T, n)
	}
	a.room(n)
	start := len(a.chunk)
	a.chunk = a.chunk[:start+n]
	return a.chunk[start : start+n : start+n]
}

// room begins a new chunk if this one has no room for n more.
func (a *Arena[T]) room(n int) {
	if c := cap(a.chunk); len(a.chunk)+n > c {
		// As much room as what is allocated for it has.
		a.chunk = slices.Grow([]T(nil), max(min(2*c, largest), smallest, n))
	}
}
