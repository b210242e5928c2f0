package types

import (
	"math"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// # Collapsing a union
//
// The language often needs one type where the program gives a choice: what can be read of a value that is one
// of two objects, what a function returns whose branches differ, which items an array has that is put together
// of others. Collapse computes that type. It looks at the first member that is not null and takes the rules of
// its kind (a collapser). If any other member is of another kind, there is no such type: the result is nil.
//
//	'ab' | string               string                    a literal that a range allows is dropped
//	'ab' | string, 3 or longer  both                      this range does not allow 'ab'
//	1..3 | 4 | 5..9             1..9                      ranges that overlap, or follow each other, are one
//	true | false | null         bool | null
//	[int, int] | int[]          int[]                     tuples whose items are alike are arrays
//	{kind:'a'} | {kind:'b'}     both, told apart by kind  a discriminated object
//	{a:int} | {b:string}        {a:int?, b:string?}       a merged object, see merge.go
//	int | string                nil
//
// Invariants:
//
//   - Every value of a member is a value of the result. Null is the one exception, which the official compiler
//     makes as well: a merged object is never null, although a member may be.
//   - No two of a collapser's ranges touch (spans), so the same ranges are left in whatever order they come.
//   - What a union collapses to is kept in the union, since it depends on the members alone. TEndless is not
//     kept if the union is a part of objects that are being merged: by itself, the same union may collapse.
//
// It ends because a collapser gets each member once. A range that is put into spans is compared with the others
// from the beginning again only after one of them was taken out. Equal and AreAssignable, which arrays need,
// bound their own work. How merging ends is told in merge.go.

// Collapse makes one type of a union whose members are of one kind: overlapping ranges are merged,
// objects become one object or a discriminated object, and arrays with equal items are joined. A
// null among the members stays. It returns nil for unions of several kinds, and for any and never.
// Every other type is returned as it is. Objects that contain each other may never become one: then
// it returns TEndless, which the caller reports.
func Collapse(t Type) Type { return collapse(t, nil) }

// collapse is Collapse for what is a part of other objects that are being merged.
func collapse(t Type, within *merging) Type {
	switch t := t.(type) {
	case *AnyType:
		return nil
	case *Union:
		if len(t.Members) == 0 {
			return nil
		}
		if done := t.collapsed.Load(); done != nil {
			return *done
		}
		if t.isCollapsed() {
			return t
		}
		c := collapseUnion(t, within)
		if within == nil || !IsEndless(c) { // a part may be too deep here, and not by itself
			t.collapsed.Store(&c)
		}
		return c
	}
	return t
}

// isCollapsed reports, without collapsing, whether a union is what Collapse makes of it:
// it has only string literals, or one type without limits, and perhaps null.
func (t *Union) isCollapsed() bool {
	if !t.normal {
		return false
	}
	literals, others := 0, 0
	for _, m := range t.Members {
		switch m := m.Type().(type) {
		case *NullType:
		case *StringLiteral:
			literals++
		case *String:
			if m.MinLength != nil || m.MaxLength != nil {
				return false
			}
			others++
		case *Int:
			if m.Min != nil || m.Max != nil {
				return false
			}
			others++
		case *Bool:
			others++
		case *Object:
			if m.Scope() != 0 {
				return false
			}
			others++
		default:
			return false
		}
	}
	return literals > 0 && others == 0 || literals == 0 && others == 1
}

// CollapseOf collapses the union of types, if that is possible.
func CollapseOf(members ...Ref) Type { return Collapse(NewUnion(members...)) }

// CollapseOrUnion collapses the union of types, or else returns the union.
func CollapseOrUnion(members ...Ref) Type { return collapseOrUnion(members, nil) }

func collapseOrUnion(members []Ref, within *merging) Type {
	u := NewUnion(members...)
	if c := collapse(u, within); c != nil {
		return c
	}
	return u
}

// collapser takes the members of a union of one kind. push returns false for
// a member of another kind.
type collapser interface {
	push(t Type) bool
	result() []Type
}

// collapseUnion collapses a union by the rules of its first member that is not null.
func collapseUnion(u *Union, within *merging) Type {
	var c collapser
	nullable, sawAny := false, false
	mixed := false
	var walk func(u *Union)
	walk = func(u *Union) {
		for _, m := range u.Members {
			if mixed || sawAny {
				return
			}
			switch t := m.Type().(type) {
			case *Union:
				walk(t)
			case *NullType:
				nullable = true
			case *AnyType:
				sawAny = true
			default:
				if c == nil {
					if c = newCollapser(t); c == nil {
						mixed = true
						return
					}
				}
				if !c.push(t) {
					mixed = true
				}
			}
		}
	}
	walk(u)
	switch {
	case mixed:
		return nil
	case sawAny:
		return TAny
	case c == nil:
		return TNever
	}
	if o, ok := c.(*objectCollapser); ok && o.mustMerge() {
		return within.merge(o.choice.Members, o.flags) // a merged object is never nullable
	}
	list := c.result()
	if nullable {
		list = append(list, TNull)
	}
	return UnionOf(list)
}

func newCollapser(t Type) collapser {
	switch t.(type) {
	case *StringLiteral, *String:
		return &stringCollapser{}
	case *IntLiteral, *Int:
		return &intCollapser{}
	case *BoolLiteral, *Bool:
		return &boolCollapser{}
	case ArrayLike:
		return &arrayCollapser{}
	case *Object, *Namespace, *DiscriminatedObject:
		return &objectCollapser{}
	}
	return nil
}

// span is a range of integers or lengths.
type span struct {
	min, max int64
	flags    ValidationFlags
}

func boundsOf(lo, hi *int64, least int64, flags ValidationFlags) span {
	s := span{least, math.MaxInt64, flags}
	if lo != nil {
		s.min = *lo
	}
	if hi != nil {
		s.max = *hi
	}
	return s
}

func (s span) touches(o span) bool {
	before, after := o.min, o.max
	if before != math.MinInt64 {
		before--
	}
	if after != math.MaxInt64 {
		after++
	}
	return s.min <= after && s.max >= before
}

// bounds gives the range's ends, where they are not open.
func (s span) bounds(least int64) (lo, hi *int64) {
	if s.min > least {
		lo = Len(s.min)
	}
	if s.max != math.MaxInt64 {
		hi = Len(s.max)
	}
	return lo, hi
}

// spans are ranges that neither overlap nor follow each other directly.
type spans []span

func (l *spans) push(s span) {
	for i := 0; i < len(*l); i++ {
		o := (*l)[i]
		if !s.touches(o) {
			continue
		}
		s = span{min(o.min, s.min), max(o.max, s.max), o.flags | s.flags}
		if len(*l) == 1 {
			(*l)[0] = s
			return
		}
		// The larger range may touch those before it.
		*l = append((*l)[:i], (*l)[i+1:]...)
		i = -1
	}
	*l = append(*l, s)
}

type stringCollapser struct {
	spans    spans
	literals typeSet
	pattern  string
	pushed   bool
}

func (c *stringCollapser) push(t Type) bool {
	switch t := t.(type) {
	case *StringLiteral:
		c.literals.add(t)
	case *String:
		c.spans.push(boundsOf(t.MinLength, t.MaxLength, 0, t.flags))
		// Patterns cannot be combined, so a pattern stays only if it is the only one.
		c.pattern = ""
		if !c.pushed {
			c.pattern = t.Pattern
		}
	default:
		return false
	}
	c.pushed = true
	return true
}

func (c *stringCollapser) result() []Type {
	var list []Type
	for _, t := range c.literals.list {
		l := t.(*StringLiteral)
		n := int64(source.UTF16Len(l.Value))
		covered := false
		for _, s := range c.spans {
			covered = covered || s.min <= n && n <= s.max
		}
		if !covered || c.pattern != "" && !MatchesPattern(c.pattern, l.Value) {
			list = append(list, l)
		}
	}
	for _, s := range c.spans {
		lo, hi := s.bounds(0)
		list = append(list, NewString(lo, hi, c.pattern, s.flags))
	}
	return list
}

type intCollapser struct{ spans spans }

func (c *intCollapser) push(t Type) bool {
	switch t := t.(type) {
	case *IntLiteral:
		c.spans.push(span{t.Value, t.Value, t.flags})
	case *Int:
		c.spans.push(boundsOf(t.Min, t.Max, math.MinInt64, t.flags))
	default:
		return false
	}
	return true
}

func (c *intCollapser) result() []Type {
	var list []Type
	for _, s := range c.spans {
		if s.min == s.max {
			list = append(list, NewIntLiteral(s.min, s.flags))
			continue
		}
		lo, hi := s.bounds(math.MinInt64)
		list = append(list, NewInt(lo, hi, s.flags))
	}
	return list
}

type boolCollapser struct {
	hasTrue, hasFalse bool
	flags             ValidationFlags
}

func (c *boolCollapser) push(t Type) bool {
	switch t := t.(type) {
	case *BoolLiteral:
		c.hasTrue = c.hasTrue || t.Value
		c.hasFalse = c.hasFalse || !t.Value
	case *Bool:
		c.hasTrue, c.hasFalse = true, true
	default:
		return false
	}
	c.flags |= t.Flags()
	return true
}

func (c *boolCollapser) result() []Type {
	if c.hasTrue != c.hasFalse {
		return []Type{NewBoolLiteral(c.hasTrue, c.flags)}
	}
	return []Type{NewBool(c.flags)}
}

type arrayCollapser struct {
	items  []arraySpans
	tuples []*Tuple
}

type arraySpans struct {
	item  Type
	spans spans
}

func (c *arrayCollapser) push(t Type) bool {
	switch t := t.(type) {
	case *Tuple:
		if t.uniform() {
			n := int64(len(t.Items))
			c.pushSpan(t.Items[0].Type(), span{n, n, t.flags})
			break
		}
		for _, o := range c.tuples {
			if Equal(t, o) {
				return true
			}
		}
		c.tuples = append(c.tuples, t)
	case *Array:
		c.pushSpan(t.Item.Type(), boundsOf(t.MinLength, t.MaxLength, 0, t.flags))
	default:
		return false
	}
	return true
}

// uniform reports whether the tuple has items, all of one type.
func (t *Tuple) uniform() bool {
	if len(t.Items) == 0 {
		return false
	}
	first := t.Items[0].Type()
	return !slices.ContainsFunc(t.Items[1:], func(i Ref) bool { return !Equal(first, i.Type()) })
}

func (c *arrayCollapser) pushSpan(item Type, s span) {
	for i := range c.items {
		if Equal(c.items[i].item, item) {
			c.items[i].spans.push(s)
			return
		}
	}
	c.items = append(c.items, arraySpans{item, spans{s}})
}

func (c *arrayCollapser) result() []Type {
	var list []Type
	for _, t := range c.tuples {
		if !c.covers(t) {
			list = append(list, t)
		}
	}
	for _, a := range c.items {
		for _, s := range a.spans {
			lo, hi := s.bounds(0)
			list = append(list, NewArray(a.item, lo, hi, s.flags))
		}
	}
	return list
}

// covers reports whether every value of the tuple is a value of one of the arrays.
func (c *arrayCollapser) covers(t *Tuple) bool {
	n := int64(len(t.Items))
	for _, a := range c.items {
		for _, s := range a.spans {
			if s.min <= n && n <= s.max && AreAssignable(t.ItemRef().Type(), a.item) {
				return true
			}
		}
	}
	return false
}

type objectCollapser struct {
	choice ObjectChoice
	flags  ValidationFlags
	tagged *DiscriminatedObject // the choice between the members, if a property tells them apart
}

func (c *objectCollapser) push(t Type) bool {
	switch t := t.(type) {
	case *Object:
		if t.Scope() != 0 { // scopes are not values
			return false
		}
		c.flags |= t.flags
		c.choice.Add(t)
	case *DiscriminatedObject:
		c.flags |= t.flags
		for _, m := range t.Members {
			if !c.push(m.Object) {
				return false
			}
		}
	default:
		return false
	}
	return true
}

// mustMerge reports whether the members are neither one object nor a discriminated object.
func (c *objectCollapser) mustMerge() bool {
	members := c.choice.Members
	if len(members) == 1 {
		return false
	}
	if key := c.choice.Discriminator(); key != "" {
		refs := make([]Ref, len(members))
		for i, m := range members {
			refs[i] = m
		}
		c.tagged = NewDiscriminatedObject(OrderedNames(members), c.flags, key, refs)
	}
	return c.tagged == nil
}

// result returns the members if they need not be merged.
func (c *objectCollapser) result() []Type {
	if c.tagged != nil {
		return []Type{c.tagged}
	}
	return []Type{c.choice.Members[0]}
}

// OrderedNames returns the names of types in the order of unions, separated by bars.
func OrderedNames(list []*Object) string {
	sorted := append([]*Object(nil), list...)
	slices.SortStableFunc(sorted, func(a, b *Object) int { return CompareOrdinal(string(a.Name), string(b.Name)) })
	names := make([]string, len(sorted))
	for i, o := range sorted {
		names[i] = o.Name
	}
	return strings.Join(names, " | ")
}

// ObjectChoice collects object types and finds the properties that could tell
// them apart: required ones, whose values are constant strings of which no two
// are alike, ignoring case.
type ObjectChoice struct {
	Members []*Object
	keys    []discriminatorKey
}

type discriminatorKey struct {
	name   string
	values map[string]bool
}

// Add adds an object and reports whether there still is a property that tells
// all apart.
func (c *ObjectChoice) Add(o *Object) bool {
	if slices.Contains(c.Members, o) {
		return true
	}
	c.Members = append(c.Members, o)
	if len(c.Members) == 1 {
		for i := range o.Properties() {
			p := &o.Properties()[i]
			if v, ok := discriminatorValue(p); ok {
				c.keys = append(c.keys, discriminatorKey{p.Name, map[string]bool{v: true}})
			}
		}
		return len(c.keys) > 0
	}
	kept := c.keys[:0]
	for _, k := range c.keys {
		if v, ok := discriminatorValue(o.Property(k.name)); ok && !k.values[v] {
			k.values[v] = true
			kept = append(kept, k)
		}
	}
	c.keys = kept
	return len(c.keys) > 0
}

func discriminatorValue(p *Property) (string, bool) {
	if p == nil || !p.Flags.Has(Required) {
		return "", false
	}
	l, ok := p.Type.Type().(*StringLiteral)
	if !ok {
		return "", false
	}
	return strings.ToUpper(l.Value), true
}

// Discriminator returns the property that tells the members apart best, or "".
func (c *ObjectChoice) Discriminator() string {
	best, bestRank := "", math.MaxInt
	for _, k := range c.keys {
		rank := 2
		switch k.name {
		case "type":
			rank = 0
		case "kind":
			rank = 1
		}
		if rank < bestRank || rank == bestRank && k.name < best {
			best, bestRank = k.name, rank
		}
	}
	return best
}
