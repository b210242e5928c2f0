package bind

import "slices"

// Reach finds, among the symbols that a symbol needs, directly or through others,
// those of one kind. It remembers what it finds for every symbol on the way, so
// asking for each symbol of a long chain takes linear time.
type Reach struct {
	matches func(Declared) bool
	binding *Binding
	states  map[Declared]*reachState
	stack   []*reachState // symbols whose component is not complete (Tarjan's algorithm)
}

type reachState struct {
	symbol     Declared
	index, low int
	done       bool
	found      []Declared // when done: the matches that the symbol leads to; shared, not to be changed
}

// NewReach returns a Reach for the symbols that match.
func (b *Binding) NewReach(matches func(Declared) bool) *Reach {
	return &Reach{matches: matches, binding: b, states: map[Declared]*reachState{}}
}

// From returns the matching symbols that d needs, each once. A symbol is among
// them if it needs itself. Without cycles they are in the order in which a
// depth-first walk meets them.
func (r *Reach) From(d Declared) []Declared { return r.visit(d).found }

// Unexportable returns the symbols that d needs, directly or through others, and
// that no other file can see.
func (b *Binding) Unexportable(d Declared) []Declared {
	if b.unexportable == nil {
		b.unexportable = b.NewReach(func(s Declared) bool {
			switch s.(type) {
			case *Var, *TypeAlias, *Func, Imported, *WildcardImport, *Local:
				return false
			}
			return true
		})
	}
	return b.unexportable.From(d)
}

func (r *Reach) visit(d Declared) *reachState {
	if s := r.states[d]; s != nil {
		return s
	}
	n := len(r.states)
	s := &reachState{symbol: d, index: n, low: n}
	r.states[d] = s
	first := len(r.stack)
	r.stack = append(r.stack, s)
	for _, next := range r.binding.ReferencedBy(d) {
		if t := r.visit(next); !t.done {
			s.low = min(s.low, t.low)
		}
	}
	if s.low < s.index {
		return s // the component is completed further up
	}
	component := slices.Clone(r.stack[first:])
	r.stack = r.stack[:first]
	found := r.collect(component)
	for _, member := range component {
		member.found, member.done = found, true
	}
	return s
}

// collect returns the matches that the symbols of a component lead to: symbols that
// need each other, or one symbol alone.
func (r *Reach) collect(component []*reachState) []Declared {
	var u union
	for _, s := range component {
		for _, next := range r.binding.ReferencedBy(s.symbol) {
			if r.matches(next) {
				u.add(next)
			}
			if t := r.states[next]; t.done {
				u.addAll(t.found)
			}
		}
	}
	return u.list
}

// union collects symbols, each once. It takes over the first list it is given, and
// copies it only when more is to be added.
type union struct {
	list   []Declared
	seen   map[Declared]bool
	shared bool // the list belongs to somebody else
}

func (u *union) addAll(list []Declared) {
	if len(list) == 0 || u.shared && len(list) == len(u.list) && &list[0] == &u.list[0] {
		return
	}
	if len(u.list) == 0 {
		u.list, u.shared = list, true
		return
	}
	for _, d := range list {
		u.add(d)
	}
}

func (u *union) add(d Declared) {
	if u.seen == nil {
		u.seen = make(map[Declared]bool, len(u.list)+1)
		for _, x := range u.list {
			u.seen[x] = true
		}
	}
	if u.seen[d] {
		return
	}
	u.seen[d] = true
	if u.shared {
		u.list, u.shared = slices.Clone(u.list), false
	}
	u.list = append(u.list, d)
}
