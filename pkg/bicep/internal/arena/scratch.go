package arena

import "slices"

// Scratch makes values of type T, like an Arena, until Reset gives up all of them: then
// their memory is used again. Its zero value is ready for use.
type Scratch[T any] struct {
	chunk  []T   // what it holds has been given out; what it has room for has not
	chunks [][]T // all that there are
	next   int   // the chunk in chunks after the one that is in use
}

// Check has Reset clear what it gives up, so that code that goes on using it finds zero values, in each
// run. Tests set it in TestMain. Without it, such a value is right until its memory is needed.
var Check bool

// Reset gives up all values that have been made. Nothing may use them any more.
func (s *Scratch[T]) Reset() {
	if Check {
		for _, c := range s.chunks[:s.next] {
			clear(c[:cap(c)])
		}
	}
	s.chunk, s.next = nil, 0
}

// New returns a pointer to a copy of v.
func (s *Scratch[T]) New(v T) *T {
	n := len(s.chunk)
	if n == cap(s.chunk) {
		s.room(1)
		n = 0
	}
	s.chunk = s.chunk[:n+1]
	s.chunk[n] = v
	return &s.chunk[n]
}

// List returns a copy of a list, or nil if it is empty.
func (s *Scratch[T]) List(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	out := s.Make(len(list))
	copy(out, list)
	return out
}

// Make returns a list of n zero values.
func (s *Scratch[T]) Make(n int) []T {
	if n > largest/2 {
		return make([]T, n)
	}
	if len(s.chunk)+n > cap(s.chunk) {
		s.room(n)
	}
	start := len(s.chunk)
	s.chunk = s.chunk[:start+n]
	out := s.chunk[start : start+n : start+n]
	clear(out)
	return out
}

// room goes on to a chunk that has room for n values.
func (s *Scratch[T]) room(n int) {
	for s.next < len(s.chunks) {
		s.chunk = s.chunks[s.next][:0]
		s.next++
		if n <= cap(s.chunk) {
			return
		}
	}
	s.chunk = slices.Grow([]T(nil), max(min(2*cap(s.chunk), largest), smallest, n))
	s.chunks = append(s.chunks, s.chunk)
	s.next++
}
