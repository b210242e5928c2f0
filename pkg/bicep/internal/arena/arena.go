// Package arena makes many values of a type with few allocations. It is for the
// nodes of trees: they are many, small, and live as long as their tree.
package arena

import "slices"

// Of makes values of type T. Its zero value is ready for use.
type Of[T any] struct {
	chunk []T // what it holds has been given out; what it has room for has not
}

// A chunk has twice the room of the one before, within these bounds.
const (
	smallest = 8
	largest  = 256
)

// New returns a pointer to a copy of v.
func (a *Of[T]) New(v T) *T {
	a.room(1)
	a.chunk = append(a.chunk, v)
	return &a.chunk[len(a.chunk)-1]
}

// List returns a copy of a list, or nil if it is empty.
func (a *Of[T]) List(list []T) []T {
	if len(list) > largest/4 {
		return slices.Clone(list)
	}
	if len(list) == 0 {
		return nil
	}
	a.room(len(list))
	start := len(a.chunk)
	a.chunk = append(a.chunk, list...)
	return slices.Clip(a.chunk[start:])
}

// room begins a new chunk if this one has no room for n more.
func (a *Of[T]) room(n int) {
	if c := cap(a.chunk); len(a.chunk)+n > c {
		a.chunk = make([]T, 0, max(min(2*c, largest), smallest, n))
	}
}
