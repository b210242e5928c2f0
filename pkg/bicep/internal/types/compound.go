package types

import (
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// ArrayLike is a type with items: *Array or *Tuple.
type ArrayLike interface {
	Type
	// ItemRef leads to the type of an item: in a tuple, the union of them all.
	ItemRef() Ref
	// Lengths returns the least and the greatest length; nil means no bound.
	Lengths() (lo, hi *int64)
}

// Array is the type of arrays with items of one type.
type Array struct {
	Item                 Ref
	MinLength, MaxLength *int64
	given                string // the name, if it was given
	name                 lazyName
	flags                ValidationFlags
	untyped              bool // made as the plain array
}

// Tuple is the type of arrays of a fixed length.
type Tuple struct {
	Items []Ref
	given string
	name  lazyName
	union Deferred
	flags ValidationFlags
}

func (t *Array) Type() Type             { return t }
func (*Array) Kind() Kind               { return KindPrimitive }
func (t *Array) Flags() ValidationFlags { return t.flags }

func (t *Array) String() string {
	if t.given != "" {
		return t.given
	}
	return t.name.get(func() string {
		item := t.Item.Type()
		if item.Kind() == KindAny {
			return "array"
		}
		return compoundName(item) + "[]"
	})
}

// ItemRef leads to the type of an item.
func (t *Array) ItemRef() Ref { return t.Item }

// Lengths returns the least and the greatest length.
func (t *Array) Lengths() (lo, hi *int64) { return t.MinLength, t.MaxLength }

// Untyped reports whether it is the plain array, whose items have no declared type.
func (t *Array) Untyped() bool { return t.untyped }

func (t *Tuple) Type() Type             { return t }
func (*Tuple) Kind() Kind               { return KindPrimitive }
func (t *Tuple) Flags() ValidationFlags { return t.flags }

func (t *Tuple) String() string {
	if t.given != "" {
		return t.given
	}
	return t.name.get(func() string {
		var b TupleName
		for _, i := range t.Items {
			b.Item(i.Type().String())
		}
		return b.String()
	})
}

// ItemRef leads to the union of the types of the items.
func (t *Tuple) ItemRef() Ref { return &t.union }

// Lengths returns the tuple's length, twice.
func (t *Tuple) Lengths() (lo, hi *int64) {
	n := int64(len(t.Items))
	return &n, &n
}

// ToArray returns an array of the same items in any order.
func (t *Tuple) ToArray() *Array {
	lo, hi := t.Lengths()
	return NewTypedArray(t.ItemRef(), lo, hi, t.flags)
}

// NewArray returns the type of arrays of such items and lengths. One that can
// only be empty is a tuple; one of anything is the plain array.
func NewArray(item Ref, minLength, maxLength *int64, flags ValidationFlags) ArrayLike {
	if maxLength != nil && *maxLength == 0 {
		return NewTuple(nil, flags)
	}
	if item == Ref(TAny) || item == Ref(TUnknown) || item == Ref(TMissed) {
		if minLength == nil && maxLength == nil && flags == 0 {
			return TArray
		}
		return &Array{Item: TAny, MinLength: minLength, MaxLength: maxLength, flags: flags, untyped: true}
	}
	return NewTypedArray(item, minLength, maxLength, flags)
}

// NewTypedArray returns the type of arrays of such items and lengths, without simplifying it.
func NewTypedArray(item Ref, minLength, maxLength *int64, flags ValidationFlags) *Array {
	return &Array{Item: item, MinLength: minLength, MaxLength: maxLength, flags: flags}
}

// NewNamedArray returns an array type with a name of its own.
func NewNamedArray(name string, item Ref, minLength, maxLength *int64, flags ValidationFlags) *Array {
	return &Array{given: name, Item: item, MinLength: minLength, MaxLength: maxLength, flags: flags}
}

// NewTuple returns the type of arrays of exactly these items.
func NewTuple(items []Ref, flags ValidationFlags) *Tuple {
	return (&Tuple{Items: items, flags: flags}).withUnion()
}

// NewTupleIn is NewTuple for a type in an arena.
func NewTupleIn(in *arena.Arena[Tuple], items []Ref) *Tuple {
	return in.New(Tuple{Items: items}).withUnion()
}

// withUnion completes a tuple whose place in memory is known.
func (t *Tuple) withUnion() *Tuple {
	t.union.get = (*tupleItems)(t)
	return t
}

// tupleItems finds the union of a tuple's items.
type tupleItems Tuple

func (t *tupleItems) find() Type { return NewUnion(t.Items...) }

// NewNamedTuple returns a tuple type whose name is known.
func NewNamedTuple(name string, items []Ref, flags ValidationFlags) *Tuple {
	t := NewTuple(items, flags)
	t.given = name
	return t
}

// MaxTuple limits the items of a tuple that is made of other tuples. A few lines that double one
// would fill the memory.
const MaxTuple = 1 << 16

// TupleName puts together the name of a tuple.
type TupleName struct{ b strings.Builder }

// Item adds the name of an item's type.
func (n *TupleName) Item(typeName string) {
	if n.b.Len() > maxNameLength {
		return
	}
	if n.b.Len() == 0 {
		n.b.WriteByte('[')
	} else {
		n.b.WriteString(", ")
	}
	n.b.WriteString(typeName)
}

func (n *TupleName) String() string {
	if n.b.Len() == 0 {
		return "<empty array>"
	}
	return n.b.String() + "]"
}

// ObjectName builds the name of an object type that has none.
type ObjectName struct{ b strings.Builder }

// Property adds a property and the name of its type.
func (n *ObjectName) Property(name, typeName string) { n.add(QuoteProperty(name), typeName) }

// Rest adds the type of the properties that are not named.
func (n *ObjectName) Rest(typeName string) { n.add("*", typeName) }

func (n *ObjectName) add(key, typeName string) {
	if n.b.Len() > maxNameLength {
		return
	}
	if n.b.Len() == 0 {
		n.b.WriteByte('{')
	} else {
		n.b.WriteByte(',')
	}
	n.b.WriteByte(' ')
	n.b.WriteString(key)
	n.b.WriteString(": ")
	n.b.WriteString(typeName)
}

func (n *ObjectName) String() string {
	if n.b.Len() == 0 {
		return "{ }"
	}
	return n.b.String() + " }"
}

// Property is a property of an object type. The one that stands for all properties that are not
// declared has no name.
type Property struct {
	Name  string
	Type  Ref
	Flags PropertyFlags
}

// ObjectLike is a type with properties: *Object, *Namespace or *DiscriminatedObject.
type ObjectLike interface {
	Type
	objectLike()
}

// Object is the type of objects with certain properties.
type Object struct {
	Name       string
	Additional *Property  // of all other properties; nil where there must be none
	Methods    *Functions // nil when there are none

	// Sorted by name. A variant of another type holds only the properties that differ from those of
	// base, until all of them are asked for.
	properties []Property
	base       *Object // of a variant

	flags ValidationFlags
	rare  *rareParts // nil for most: a program makes an object type for each object in it
}

// rareParts are the fields that few object types need.
type rareParts struct {
	scope     ResourceScope
	scopeArgs []syntax.Expr
	derived   *ResourceDerived
	namespace *Namespace
	readable  func() *nameList // of the properties that can be read; nil if there are few
}

func (t *Object) rareParts() rareParts {
	if t.rare == nil {
		return rareParts{}
	}
	return *t.rare
}

// setRare edits the rare parts of a type that is being made. They may be shared with another type,
// so it edits a copy.
func (t *Object) setRare(edit func(*rareParts)) {
	rare := t.rareParts()
	edit(&rare)
	t.rare = &rare
}

// Scope is not 0 for values that can be the scope of a resource or module: the results of
// subscription(), resourceGroup() and the like.
func (t *Object) Scope() ResourceScope {
	if t.rare == nil {
		return 0
	}
	return t.rare.scope
}

// ScopeArgs returns the arguments of the call that such a value came from.
func (t *Object) ScopeArgs() []syntax.Expr { return t.rareParts().scopeArgs }

// SetScope sets the scope of a type that is being made.
func (t *Object) SetScope(scope ResourceScope, args []syntax.Expr) {
	t.setRare(func(r *rareParts) { r.scope, r.scopeArgs = scope, args })
}

// Derived is not nil for a branch of a discriminated object that is yet to be looked up
// in a resource type.
func (t *Object) Derived() *ResourceDerived {
	if t.rare == nil {
		return nil
	}
	return t.rare.derived
}

func (t *Object) Type() Type             { return t }
func (t *Object) Flags() ValidationFlags { return t.flags }
func (*Object) objectLike()              {}
func (t *Object) String() string         { return t.Name }

// Kind returns KindObject, or KindUnboundResource for what is yet to be looked up.
func (t *Object) Kind() Kind {
	if t.Derived() != nil {
		return KindUnboundResource
	}
	return KindObject
}

// Properties returns the properties, sorted by name. Only the code that makes the type may change
// them.
func (t *Object) Properties() []Property {
	if t.base != nil {
		all := slices.Clone(t.base.Properties())
		at := 0
		for _, p := range t.properties {
			for all[at].Name != p.Name {
				at++
			}
			all[at] = p
		}
		t.properties, t.base = all, nil
	}
	return t.properties
}

// Property returns the property of that name, or nil.
func (t *Object) Property(name string) *Property {
	if t.base != nil {
		for i := range t.properties {
			if t.properties[i].Name == name {
				return &t.properties[i]
			}
		}
		return t.base.Property(name)
	}
	ps := t.properties
	if len(ps) <= fewProperties {
		for i := range ps {
			if ps[i].Name == name {
				return &ps[i]
			}
		}
		return nil
	}
	i := sort.Search(len(ps), func(i int) bool { return CompareOrdinal(ps[i].Name, name) >= 0 })
	if i < len(ps) && ps[i].Name == name {
		return &ps[i]
	}
	return nil
}

// HasExplicitAdditional reports whether the type declares further properties, and does not merely
// accept them.
func (t *Object) HasExplicitAdditional() bool {
	return t.Additional != nil && !t.Additional.Flags.Has(FallbackProperty)
}

// NewObject returns an object type. It keeps the slice of properties and sorts it. If a
// name comes twice, the last one counts.
func NewObject(name string, flags ValidationFlags, properties []Property, additional *Property) *Object {
	o := &Object{Name: name, Additional: additional, flags: flags}
	o.properties = sortProperties(properties)
	o.listReadable()
	return o
}

// NewObjectIn is NewObject for a type in an arena.
func NewObjectIn(in *arena.Arena[Object], name string, flags ValidationFlags, properties []Property, additional *Property) *Object {
	o := in.New(Object{Name: name, Additional: additional, flags: flags})
	o.properties = sortProperties(properties)
	o.listReadable()
	return o
}

// listReadable keeps the names of the readable properties of a large type, so that they are sorted
// once and not for each unknown property that is reported.
func (t *Object) listReadable() {
	properties := t.properties
	if len(properties) > manyMembers {
		t.setRare(func(r *rareParts) {
			r.readable = sync.OnceValue(func() *nameList { return newNameList(readableNames(properties)) })
		})
	} else if t.rare != nil && t.rare.readable != nil {
		t.setRare(func(r *rareParts) { r.readable = nil })
	}
}

// With returns a copy that an edit is applied to.
func (t *Object) With(edit func(*Object)) *Object {
	t.Properties()
	c := *t
	c.leaveNamespace()
	edit(&c)
	c.finish()
	return &c
}

// leaveNamespace turns a copy of the object of a namespace into a plain object.
func (t *Object) leaveNamespace() {
	if t.rare != nil && t.rare.namespace != nil {
		t.setRare(func(r *rareParts) { r.namespace = nil })
	}
}

// SetProperties gives other properties to a type that is being made, in With.
func (t *Object) SetProperties(properties []Property) { t.properties, t.base = properties, nil }

// finish completes a copy after its properties were changed.
func (t *Object) finish() {
	t.properties = sortProperties(t.properties)
	t.listReadable()
	if t.Methods != nil {
		t.Methods = t.Methods.copyTo(t)
	}
}

// MapProperties returns a copy with f applied to each property.
func (t *Object) MapProperties(f func(Property) Property) *Object {
	return t.With(func(c *Object) {
		ps := make([]Property, len(c.properties))
		for i, p := range c.properties {
			ps[i] = f(p)
		}
		c.properties = ps
	})
}

// WithProperties returns a copy with other properties.
func (t *Object) WithProperties(properties []Property) *Object {
	return t.With(func(c *Object) { c.properties = properties })
}

// VariantIn returns a copy in an arena in which some properties have other types. The
// properties are in the order of their names. It is not safe for concurrent use.
func (t *Object) VariantIn(in *arena.Arena[Object], changed []Property) *Object {
	v := in.New(*t)
	v.leaveNamespace()
	v.properties, v.base = changed, t
	if v.Methods != nil {
		v.Methods = v.Methods.copyTo(v)
	}
	return v
}

// fewProperties is the size up to which properties are inserted one by one, and looked up
// one after the other.
const fewProperties = 16

func sortProperties(ps []Property) []Property {
	sorted := true
	for i := 1; i < len(ps); i++ {
		if CompareOrdinal(ps[i-1].Name, ps[i].Name) >= 0 {
			sorted = false
			break
		}
	}
	if sorted {
		return ps
	}
	if len(ps) <= fewProperties {
		for i := 1; i < len(ps); i++ {
			p, at := ps[i], i
			for ; at > 0 && CompareOrdinal(ps[at-1].Name, p.Name) > 0; at-- {
				ps[at] = ps[at-1]
			}
			ps[at] = p
		}
	} else {
		slices.SortStableFunc(ps, func(a, b Property) int { return CompareOrdinal(a.Name, b.Name) })
	}
	n := 0
	for i := range ps {
		if i+1 < len(ps) && ps[i+1].Name == ps[i].Name {
			continue
		}
		ps[n] = ps[i]
		n++
	}
	return ps[:n]
}

// DiscriminatedObject is a choice of object types that one property decides.
type DiscriminatedObject struct {
	Name          string
	Discriminator Property // its type is the union of the members' keys
	Members       []DiscriminatedMember
	flags         ValidationFlags
}

// DiscriminatedMember is one of the choices.
type DiscriminatedMember struct {
	Key    *StringLiteral // the value of the discriminator
	Object *Object
}

func (t *DiscriminatedObject) Type() Type             { return t }
func (*DiscriminatedObject) Kind() Kind               { return KindDiscriminatedObject }
func (t *DiscriminatedObject) String() string         { return t.Name }
func (t *DiscriminatedObject) Flags() ValidationFlags { return t.flags }
func (*DiscriminatedObject) objectLike()              {}

// Member returns the member for a value of the discriminator, or nil.
func (t *DiscriminatedObject) Member(value string) *Object {
	for i := range t.Members {
		if t.Members[i].Key.Value == value {
			return t.Members[i].Object
		}
	}
	return nil
}

// MapMembers returns a copy with f applied to each member.
func (t *DiscriminatedObject) MapMembers(f func(*Object) *Object) *DiscriminatedObject {
	c := *t
	c.Members = make([]DiscriminatedMember, len(t.Members))
	for i, m := range t.Members {
		c.Members[i] = DiscriminatedMember{m.Key, f(m.Object)}
	}
	return &c
}

// NewDiscriminatedObject returns the choice between members, each of which
// must be an object type whose property key is a string literal of its own. It
// returns nil if they are not.
func NewDiscriminatedObject(name string, flags ValidationFlags, key string, members []Ref) *DiscriminatedObject {
	t := &DiscriminatedObject{Name: name, flags: flags, Discriminator: Property{Name: key, Flags: Required}}
	keys := make([]Ref, 0, len(members))
	seen := make(map[string]bool, len(members))
	for _, m := range members {
		o, ok := AsObject(m.Type())
		if !ok {
			return nil
		}
		p := o.Property(key)
		if p == nil {
			return nil
		}
		lit, ok := p.Type.Type().(*StringLiteral)
		if !ok || seen[lit.Value] {
			return nil
		}
		seen[lit.Value] = true
		t.Discriminator.Flags |= p.Flags
		t.Members = append(t.Members, DiscriminatedMember{lit, o})
		keys = append(keys, lit)
	}
	t.Discriminator.Type = NewUnion(keys...)
	return t
}

// Union is a choice of types. Without members it is never: the type of nothing.
type Union struct {
	Members   []Ref
	name      lazyName
	collapsed atomic.Pointer[Type] // the result of Collapse, since many values may be checked against one union
	nullable  atomic.Pointer[Type] // the result of Nullable, and so on: one union may be the type of many things
	nonNull   atomic.Pointer[Type] // the result of RemoveNullability
	literals  atomic.Pointer[map[any][]Ref]
	normal    bool // made by NewUnion
}

// Candidates returns the members that a value of a type may be assignable to, in their
// order. If the type is a literal, literals that differ from it are left out.
func (t *Union) Candidates(source Type) []Ref {
	if len(t.Members) <= manyMembers {
		return t.Members
	}
	key := literalKey(source)
	if key == nil {
		return t.Members
	}
	index := t.literals.Load()
	if index == nil {
		index = t.indexLiterals()
		t.literals.Store(index)
	}
	if list, ok := (*index)[key]; ok {
		return list
	}
	return (*index)[nil]
}

// indexLiterals maps the value of each literal to the candidates for it: the literal and the
// members that are not literals. Under nil are only those that are not literals.
func (t *Union) indexLiterals() *map[any][]Ref {
	var others []Ref
	index := map[any][]Ref{}
	for _, m := range t.Members {
		if key := literalKey(m.Type()); key != nil {
			index[key] = append(index[key], m)
		} else {
			others = append(others, m)
		}
	}
	if len(others) > manyMembers {
		// There is little to gain, and a list for each literal would take much memory.
		for key := range index {
			index[key] = t.Members
		}
	} else if len(others) > 0 {
		for key, list := range index {
			// The order decides which warnings are given.
			all := make([]Ref, 0, len(others)+len(list))
			all = append(append(all, list...), others...)
			slices.SortStableFunc(all, func(a, b Ref) int { return Compare(a.Type(), b.Type()) })
			index[key] = all
		}
	}
	index[nil] = others
	return &index
}

// literalKey identifies the value of a literal type; it is nil for other types.
func literalKey(t Type) any {
	switch t := t.(type) {
	case *StringLiteral:
		return t.Value
	case *IntLiteral:
		return t.Value
	}
	return nil
}

func (t *Union) Type() Type           { return t }
func (*Union) Flags() ValidationFlags { return 0 }
func (t *Union) Kind() Kind {
	if len(t.Members) == 0 {
		return KindNever
	}
	return KindUnion
}

func (t *Union) String() string {
	if len(t.Members) == 0 {
		return "never"
	}
	return t.name.get(func() string {
		var b strings.Builder
		for i, m := range t.Members {
			if i > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(compoundName(m.Type()))
		}
		return b.String()
	})
}

// Lambda is the type of lambda expressions.
type Lambda struct {
	Params   []Ref
	Optional []Ref
	Return   Ref
	name     lazyName
}

func (t *Lambda) Type() Type           { return t }
func (*Lambda) Kind() Kind             { return KindLambda }
func (*Lambda) Flags() ValidationFlags { return 0 }

// MinArgs returns how many parameters a lambda needs at least.
func (t *Lambda) MinArgs() int { return len(t.Params) }

// MaxArgs returns how many parameters a lambda may have.
func (t *Lambda) MaxArgs() int { return len(t.Params) + len(t.Optional) }

// Param returns the type of parameter i, which must be below MaxArgs.
func (t *Lambda) Param(i int) Ref {
	if i < len(t.Params) {
		return t.Params[i]
	}
	return t.Optional[i-len(t.Params)]
}

func (t *Lambda) String() string {
	return t.name.get(func() string {
		list := func(refs []Ref) string {
			names := make([]string, len(refs))
			for i, r := range refs {
				names[i] = compoundName(r.Type())
			}
			return strings.Join(names, ", ")
		}
		ret := " => " + compoundName(t.Return.Type())
		switch fixed, opt := len(t.Params), len(t.Optional); {
		case fixed == 1 && opt == 0:
			return list(t.Params) + ret
		case opt == 0:
			return "(" + list(t.Params) + ")" + ret
		case fixed == 0:
			return "([" + list(t.Optional) + "])" + ret
		default:
			return "(" + list(t.Params) + "[, " + list(t.Optional) + "])" + ret
		}
	})
}

// NewLambda returns the type of lambdas with these parameters and this result.
func NewLambda(params, optional []Ref, ret Ref) *Lambda {
	return &Lambda{Params: params, Optional: optional, Return: ret}
}

// AsObject returns the object type that t is: an *Object, or that of a *Namespace.
func AsObject(t Type) (*Object, bool) {
	switch t := t.(type) {
	case *Object:
		return t, true
	case *Namespace:
		return t.Object, true
	}
	return nil, false
}

// AsArray returns t as an array or a tuple.
func AsArray(t Type) (ArrayLike, bool) {
	switch t := t.(type) {
	case *Array:
		return t, true
	case *Tuple:
		return t, true
	}
	return nil, false
}

// UnwrapArray returns the type of the items of an array or a tuple, or t itself.
func UnwrapArray(t Type) Type {
	if a, ok := AsArray(t); ok {
		return a.ItemRef().Type()
	}
	return t
}
