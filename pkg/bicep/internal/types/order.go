package types

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"
	"unicode/utf8"
)

// CompareOrdinal orders strings by their UTF-16 code units, as the official
// compiler sorts names. The order of UTF-8 bytes is that of UTF-16 units, except that
// characters beyond U+FFFF, which take two units, come before U+E000 to U+FFFF.
func CompareOrdinal(a, b string) int {
	n := min(len(a), len(b))
	i := 0
	for i < n && a[i] == b[i] {
		i++
	}
	if i == n {
		return cmp.Compare(len(a), len(b))
	}
	if a[i] < 0x80 && b[i] < 0x80 {
		return cmp.Compare(a[i], b[i])
	}
	for i > 0 && !utf8.RuneStart(a[i]) {
		i--
	}
	ua, ub := firstUnits(a[i:]), firstUnits(b[i:])
	if c := cmp.Compare(ua, ub); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// firstUnits returns the first two UTF-16 units of s as one number.
func firstUnits(s string) uint32 {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 { // a lone surrogate
		return (0xD000 | uint32(s[1]&0x3F)<<6 | uint32(s[2]&0x3F)) << 16
	}
	r, _ := utf8.DecodeRuneInString(s)
	if r >= 0x10000 {
		r -= 0x10000
		return (0xD800+uint32(r>>10))<<16 | (0xDC00 + uint32(r&0x3FF))
	}
	return uint32(r) << 16
}

// Compare orders the members of unions: by name, and types of one name by how
// narrow they are.
func Compare(a, b Type) int {
	switch a := a.(type) {
	case *Int:
		if b, ok := b.(*Int); ok {
			return compareBounds(a.Min, b.Min, a.Max, b.Max)
		}
	case *String:
		if b, ok := b.(*String); ok {
			return compareBounds(a.MinLength, b.MinLength, a.MaxLength, b.MaxLength)
		}
	}
	if c := CompareOrdinal(a.String(), b.String()); c != 0 {
		return c
	}
	if a, ok := AsArray(a); ok {
		if b, ok := AsArray(b); ok {
			alo, ahi := a.Lengths()
			blo, bhi := b.Lengths()
			return compareBounds(alo, blo, ahi, bhi)
		}
	}
	return 0
}

func compareBounds(alo, blo, ahi, bhi *int64) int {
	if eqBound(alo, blo) {
		return compareBound(ahi, bhi)
	}
	return compareBound(alo, blo)
}

// compareBound: no bound comes last.
func compareBound(a, b *int64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case b == nil:
		return -1
	case a == nil:
		return 1
	}
	return cmp.Compare(*a, *b)
}

func eqBound(a, b *int64) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Equal reports whether two types are the same: by their content for strings,
// numbers, literals, arrays, tuples and unions, by identity for all others.
func Equal(a, b Type) bool {
	if a == b {
		return true
	}
	parts := 0
	return equal(a, b, &parts)
}

// digest returns a map key for a type. Types that are Equal have the same one.
func digest(t Type) any {
	switch t := t.(type) {
	case *StringLiteral:
		return t.Value
	case *IntLiteral:
		return t.Value
	case *String, *Int, *Bool, *BoolLiteral, *Array, *Tuple, *Union:
		return t.Kind()
	}
	return t
}

var fingerprintSeed = maphash.MakeSeed()

// fingerprint returns a number that is the same for types that are Equal, and
// rarely the same for others.
func fingerprint(t Type) uint64 { return fingerprintOf(t, maxFingerprintParts) }

// ShortFingerprint is a fingerprint of the first parts of a type: types that are Equal have the same one.
func ShortFingerprint(t Type) uint64 { return fingerprintOf(t, shortFingerprintParts) }

func fingerprintOf(t Type, parts int) uint64 {
	var h maphash.Hash
	h.SetSeed(fingerprintSeed)
	writeFingerprint(&h, t, &parts)
	return h.Sum64()
}

// These bound how many parts of a type a fingerprint covers.
const (
	maxFingerprintParts   = 1 << 12
	shortFingerprintParts = 16
)

func writeFingerprint(h *maphash.Hash, r Ref, parts *int) {
	t, ok := r.(Type)
	if !ok { // deferred, which is compared by identity
		maphash.WriteComparable(h, r)
		return
	}
	if *parts--; *parts < 0 {
		return
	}
	var items []Ref
	switch t := t.(type) {
	case *Array:
		items = []Ref{t.Item}
	case *Tuple:
		items = t.Items
	case *Union:
		items = t.Members
	}
	maphash.WriteComparable(h, digest(t))
	for _, item := range items {
		writeFingerprint(h, item, parts)
	}
}

// maxEqualParts bounds how many parts of two types are compared: types may use parts so often that
// comparing each use would never end. Beyond it, types count as different.
const maxEqualParts = 1 << 20

func equal(a, b Type, parts *int) bool {
	if a == b {
		return true
	}
	if *parts++; *parts > maxEqualParts {
		return false
	}
	switch a := a.(type) {
	case *String:
		b, ok := b.(*String)
		return ok && a.flags == b.flags && a.Pattern == b.Pattern && eqBound(a.MinLength, b.MinLength) && eqBound(a.MaxLength, b.MaxLength)
	case *StringLiteral:
		b, ok := b.(*StringLiteral)
		return ok && a.Value == b.Value && a.flags == b.flags
	case *Int:
		b, ok := b.(*Int)
		return ok && a.flags == b.flags && eqBound(a.Min, b.Min) && eqBound(a.Max, b.Max)
	case *IntLiteral:
		b, ok := b.(*IntLiteral)
		return ok && a.Value == b.Value && a.flags == b.flags
	case *Bool:
		b, ok := b.(*Bool)
		return ok && a.flags == b.flags
	case *BoolLiteral:
		b, ok := b.(*BoolLiteral)
		return ok && a.Value == b.Value && a.flags == b.flags
	case *Array:
		b, ok := b.(*Array)
		return ok && a.flags == b.flags && eqBound(a.MinLength, b.MinLength) && eqBound(a.MaxLength, b.MaxLength) &&
			equalRefs(a.Item, b.Item, parts) && a.String() == b.String()
	case *Tuple:
		b, ok := b.(*Tuple)
		return ok && a.flags == b.flags && equalLists(a.Items, b.Items, parts)
	case *Union:
		b, ok := b.(*Union)
		return ok && equalLists(a.Members, b.Members, parts)
	}
	return false
}

// equalRefs compares references: types by Equal, deferred ones by identity,
// since looking into them might never end.
func equalRefs(a, b Ref, parts *int) bool {
	if a == b {
		return true
	}
	ta, ok := a.(Type)
	if !ok {
		return false
	}
	tb, ok := b.(Type)
	return ok && equal(ta, tb, parts)
}

func equalLists(a, b []Ref, parts *int) bool {
	return slices.EqualFunc(a, b, func(x, y Ref) bool { return equalRefs(x, y, parts) })
}
