package types

import (
	"encoding/binary"
	"slices"
)

// # Merging objects
//
// Collapse makes one object of several that no property tells apart. It has every property that one of them
// has:
//
//	{ a: int, o: { x: int } } | { b: string, o: { y: int } }   becomes   { a: int?, b: string?, o: { x: int?, y: int? } }
//
// A property is required if all members require it. Its type is what the types of that property collapse to, or
// else their union. So merging collapses the types of properties, and these may be objects that have to be
// merged as well, as the two types of o are. Items of arrays are not merged.
//
// Types can contain themselves:
//
//	type s = { x: int, t: s? }
//	type u = { y: int, t: u? }
//
// To merge s and u is to merge the types of t, which are s and u again. No finite object is the answer. The
// result is TEndless then, for the outermost union as well, and the caller reports it.
//
// Invariants:
//
//   - The members of a merge, at any depth, are objects that the properties of the given ones lead to. An
//     object that is made here is a result. It is no member of another merge in the same run.
//   - merging.merged has an entry for each list of members that was begun. It is nil until the list is done. So
//     a list that is met while its entry is nil needs itself, which is TEndless.
//
// It ends because each of a chain of merges has another list, and because maxMergeDepth bounds the chain. After
// manyMerges merges, a list that is done is not merged again.
//
// The bound is on the safe side: two chains of 2,001 types each, which end, are refused as well.

// TEndless is what Collapse returns for a union of objects that contain each other in such a way that
// making one object of them would never end. The caller reports it at a place in the source.
var TEndless = NewError()

// IsEndless reports whether a type is TEndless.
func IsEndless(t Type) bool { return t == Type(TEndless) }

// maxMergeDepth bounds how deep objects are merged in each other. Only types that contain themselves get
// there: { a: t? } in a ring of 600 types and one of 601 meet in 360,000 pairs.
const maxMergeDepth = 2000

// merging is the work of merging objects whose properties are objects that have to be merged, too.
type merging struct {
	numbers map[*Object]uint32
	merged  map[string]Type // by the members; nil while they are being merged
	depth   int
	calls   int
}

// manyMerges is the number of merges from which equal ones share their result. Until then each has an
// object of its own, since types that differ in nothing else are different members of a union.
const manyMerges = 1000

// merge returns an object with all the properties that one of the members may have, or TEndless.
func (w *merging) merge(members []*Object, flags ValidationFlags) Type {
	if w == nil {
		w = &merging{}
	}
	key := w.key(members, flags)
	t, ok := w.merged[key]
	if ok && t == nil || w.depth == maxMergeDepth {
		return TEndless
	}
	if w.calls++; ok && w.calls > manyMerges {
		return t
	}
	if w.merged == nil {
		w.merged = map[string]Type{}
	}
	w.merged[key] = nil
	w.depth++
	t = w.mergeObjects(members, flags)
	w.depth--
	w.merged[key] = t
	return t
}

// key identifies members. They are in an order that depends on them alone.
func (w *merging) key(members []*Object, flags ValidationFlags) string {
	if w.numbers == nil {
		w.numbers = make(map[*Object]uint32, len(members))
	}
	b := binary.LittleEndian.AppendUint16(make([]byte, 0, 2+4*len(members)), uint16(flags))
	for _, m := range members {
		n, ok := w.numbers[m]
		if !ok {
			n = uint32(len(w.numbers))
			w.numbers[m] = n
		}
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return string(b)
}

func (w *merging) mergeObjects(members []*Object, flags ValidationFlags) Type {
	var name ObjectName
	keys := propertyNames(members)
	properties := make([]Property, 0, len(keys))
	for _, k := range keys {
		var possible []Ref
		pf := ^PropertyFlags(0)
		for _, m := range members {
			if p := m.Property(k); p != nil {
				possible = append(possible, p.Type.Type())
				pf &= p.Flags
				continue
			}
			pf &^= Required
			if m.Additional != nil {
				possible = append(possible, m.Additional.Type.Type())
				pf &= m.Additional.Flags
			} else {
				pf &= FallbackProperty
			}
		}
		t := collapseOrUnion(possible, w)
		if IsEndless(t) {
			return t
		}
		properties = append(properties, Property{Name: k, Type: t, Flags: pf})
		name.Property(k, t.String())
	}
	additional := w.mergeAdditional(members)
	if additional != nil {
		t := additional.Type.Type()
		if IsEndless(t) {
			return t
		}
		if !additional.Flags.Has(FallbackProperty) {
			name.Rest(t.String())
		}
	}
	return NewObject(name.String(), flags, properties, additional)
}

// propertyNames returns the names of all properties of the members, sorted.
func propertyNames(members []*Object) []string {
	var names []string
	seen := map[string]bool{}
	for _, m := range members {
		for i := range m.Properties() {
			if k := m.Properties()[i].Name; !seen[k] {
				seen[k] = true
				names = append(names, k)
			}
		}
	}
	slices.SortFunc(names, CompareOrdinal)
	return names
}

func (w *merging) mergeAdditional(members []*Object) *Property {
	none, some, allExplicit := true, false, true
	var possible []Ref
	p := Property{Flags: ^PropertyFlags(0)}
	for _, m := range members {
		if m.Additional == nil {
			some, allExplicit = true, false
			continue
		}
		none = false
		allExplicit = allExplicit && m.HasExplicitAdditional()
		possible = append(possible, m.Additional.Type.Type())
		p.Flags &= m.Additional.Flags
	}
	switch {
	case none:
		return nil
	case allExplicit:
		return &Property{Type: TAny, Flags: FallbackProperty}
	case some:
		p.Flags |= FallbackProperty
	}
	p.Type = collapseOrUnion(possible, w)
	return &p
}
