package types

import "slices"

// NewUnion returns the choice between types. Unions among them are dissolved,
// doubles dropped and the members sorted. No types at all make never, one type
// is itself, and a choice that has any in it is any.
func NewUnion(members ...Ref) Type {
	var set typeSet
	untyped := false // the plain array swallows all other arrays
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
	refs := make([]Ref, len(list))
	for i, t := range list {
		refs[i] = t
	}
	return &Union{Members: refs}
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

func (s *typeSet) add(t Type) bool {
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
			return false
		}
	}
	s.list = append(s.list, t)
	if s.buckets != nil {
		s.buckets[f] = append(alike, t)
	}
	return true
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
func Nullable(t Ref) Type { return NewUnion(t, TNull) }

// RemoveNullability returns a union without its null, and nil for a type that
// is not such a union.
func RemoveNullability(t Type) Type {
	u, ok := t.(*Union)
	if !ok {
		return nil
	}
	rest := make([]Ref, 0, len(u.Members))
	for _, m := range u.Members {
		if m.Type() != Type(TNull) {
			rest = append(rest, m)
		}
	}
	if len(rest) == len(u.Members) {
		return nil
	}
	return NewUnion(rest...)
}

// NonNull returns a type without null.
func NonNull(t Type) Type {
	if n := RemoveNullability(t); n != nil {
		return n
	}
	return t
}

// IsNullable reports whether a type is a union with null in it.
func IsNullable(t Type) bool { return RemoveNullability(t) != nil }

// All reports whether a condition holds for a type or, in a union, for all its members.
func All(t Type, cond func(Type) bool) bool {
	if u, ok := t.(*Union); ok {
		for _, m := range u.Members {
			if !cond(m.Type()) {
				return false
			}
		}
		return true
	}
	return cond(t)
}
