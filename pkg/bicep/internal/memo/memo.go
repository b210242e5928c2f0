// Package memo remembers what was computed once.
//
// Value is for one answer, Map and In for one answer for each key. Values that belong to the whole
// process, and not to one compile, use sync.OnceValue instead.
package memo

import "sync"

// Value is an answer that is computed when it is first asked for. It is not safe for
// concurrent use. Its zero value is ready for use.
type Value[T any] struct {
	answer T
	asked  bool
}

// Get returns the answer, and calls compute if it is not known yet. If compute asks for
// the same value, it gets the zero value of T.
func (v *Value[T]) Get(compute func() T) T {
	if !v.asked {
		v.asked = true
		v.answer = compute()
	}
	return v.answer
}

// Map holds an answer for each key. It may be used from several goroutines: if two of
// them ask for the same key at once, both get the answer that was ready first. Its zero
// value is ready for use.
type Map[K comparable, V any] struct {
	mu      sync.Mutex
	answers map[K]V
}

// Get returns the answer for a key, and calls compute if it is not known yet. compute may
// ask for other keys.
func (m *Map[K, V]) Get(key K, compute func() V) V {
	m.mu.Lock()
	v, ok := m.answers[key]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = compute()
	m.mu.Lock()
	defer m.mu.Unlock()
	if first, ok := m.answers[key]; ok {
		return first
	}
	if m.answers == nil {
		m.answers = make(map[K]V)
	}
	m.answers[key] = v
	return v
}

// In returns the answer for a key in a map, and calls compute if it is not known yet. The map may be nil. It is not safe for
// concurrent use.
func In[K comparable, V any](answers *map[K]V, key K, compute func() V) V {
	v, ok := (*answers)[key]
	if !ok {
		v = compute()
		if *answers == nil {
			*answers = map[K]V{}
		}
		(*answers)[key] = v
	}
	return v
}
