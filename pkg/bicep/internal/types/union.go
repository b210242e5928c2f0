package types

import (
	"slices"
	"sync/atomic"
)

// NewUnion returns the union of types. Members of unions among them become members, duplicates are
// dropped, and the members are sorted. The union of no types is never, that of one type is the type
// itself, and any together with others is any.
func NewUnion(members ...Ref) Type {
	if len(members) == 1 {
		switch t := members[0].Type().(type) {
		case *AnyType:
			return TAny
		case *Union:
			if t.normal {
				return t
			}
		default:
			return t
		}
	}
	if len(members) == 2 {
		if u := unionOfTwo(members[0].Type(), members[1].Type()); u != nil {
			return u
		}
	}
	var set typeSet
	untyped := false // the plain array replaces all other arrays
	if !addMembers(&set, members, &untyped) {
		return TAny
	}
	list := set.list
	switch len(list) {
	case 0:
		return TNever
	case 1:
		return list[0]
	}
	slices.SortStableFunc(list, Compare)
	u := newUnion(len(list))
	for i, t := range list {
		u.Members[i] = t
	}
	return u
}

// unionOfTwo returns the choice between two types, or nil if either is of a kind for which
// there is more to do.
func unionOfTwo(a, b Type) Type {
	for _, t := range [...]Type{a, b} {
		switch t.(type) {
		case *Union, *AnyType, *Array, *Tuple:
			return nil
		}
	}
	if Equal(a, b) {
		return a
	}
	u := newUnion(2)
	if Compare(a, b) > 0 {
		a, b = b, a
	}
	u.Members[0], u.Members[1] = a, b
	return u
}

// newUnion returns a union with room for n members. Most have two.
func newUnion(n int) *Union {
	if n == 2 {
		u := &struct {
			Union
			members [2]Ref
		}{}
		u.Members, u.normal = u.members[:], true
		return &u.Union
	}
	return &Union{Members: make([]Ref, n), normal: true}
}

func addMembers(set *typeSet, members []Ref, untyped *bool) bool {
	for _, m := range members {
		switch t := m.Type().(type) {
		case *Union:
			if !addMembers(set, t.Members, untyped) {
				return false
			}
		case *AnyType:
			return false
		case ArrayLike:
			if *untyped {
				continue
			}
			if Equal(t, TArray) {
				*untyped = true
				set.removeArrays()
			}
			set.add(t)
		default:
			set.add(t)
		}
	}
	return true
}

// UnionOf is NewUnion for types.
func UnionOf[T Type](members []T) Type {
	refs := make([]Ref, len(members))
	for i, t := range members {
		refs[i] = t
	}
	return NewUnion(refs...)
}

// typeSet holds types in the order in which they came, each once.
type typeSet struct {
	list    []Type
	buckets map[uint64][]Type // by fingerprint, once there are many
}

const smallSet = 16

func (s *typeSet) add(t Type) {
	if s.buckets == nil && len(s.list) == smallSet {
		s.buckets = make(map[uint64][]Type, 4*smallSet)
		for _, u := range s.list {
			f := fingerprint(u)
			s.buckets[f] = append(s.buckets[f], u)
		}
	}
	alike := s.list
	var f uint64
	if s.buckets != nil {
		f = fingerprint(t)
		alike = s.buckets[f]
	}
	for _, u := range alike {
		if Equal(t, u) {
			return
		}
	}
	s.list = append(s.list, t)
	if s.buckets != nil {
		s.buckets[f] = append(alike, t)
	}
}

func (s *typeSet) removeArrays() {
	list := s.list
	*s = typeSet{}
	for _, t := range list {
		if _, ok := t.(ArrayLike); !ok {
			s.add(t)
		}
	}
}

// Nullable returns the choice between a type and null.
func Nullable(t Ref) Type {
	u, ok := t.Type().(*Union)
	if !ok {
		return NewUnion(t, TNull)
	}
	return remember(&u.nullable, func() Type {
		if u.normal && u.hasNull() {
			return u
		}
		return NewUnion(u, TNull)
	})
}

// remember returns what p holds, and lets it hold what find returns if it is empty.
func remember(p *atomic.Pointer[Type], find func() Type) Type {
	if t := p.Load(); t != nil {
		return *t
	}
	t := find()
	p.Store(&t)
	return t
}

// RemoveNullability returns a union without its null, and nil for a type that
// is not such a union.
func RemoveNullability(t Type) Type {
	u, ok := t.(*Union)
	if !ok {
		return nil
	}
	return remember(&u.nonNull, func() Type {
		if !u.hasNull() {
			return nil
		}
		rest := make([]Ref, 0, len(u.Members))
		for _, m := range u.Members {
			if m.Type() != Type(TNull) {
				rest = append(rest, m)
			}
		}
		return NewUnion(rest...)
	})
}

func (t *Union) hasNull() bool {
	return slices.ContainsFunc(t.Members, func(m Ref) bool { return m.Type() == Type(TNull) })
}

// NonNull returns a type without null.
func NonNull(t Type) Type {
	if n := RemoveNullability(t); n != nil {
		return n
	}
	return t
}

// IsNullable reports whether a type is a union with null in it.
func IsNullable(t Type) bool {
	return RemoveNullability(t) != nil
}

// All reports whether a condition holds for a type or, in a union, for all its members.
func All(t Type, cond func(Type) bool) bool {
	if u, ok := t.(*Union); ok {
		return !slices.ContainsFunc(u.Members, func(m Ref) bool { return !cond(m.Type()) })
	}
	return cond(t)
}
