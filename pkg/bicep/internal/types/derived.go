package types

import (
	"slices"
	"strings"
)

// DerivedResolver replaces derived types within the types of other files: it looks them
// up in the resource types that this file sees.
type DerivedResolver struct {
	// Lookup returns the body of Azure's resource type, or nil.
	Lookup func(*ResourceTypeReference) Type

	resolved map[Type]Type
	busy     map[Type]bool // types that are being resolved: a type may contain itself
	open     map[Type]bool // whether a type contains a derived type
	seen     map[Type]bool // the types that the current search has visited
}

// Resolve returns t with all derived types replaced. If there are none, it returns t.
func (r *DerivedResolver) Resolve(t Type) Type {
	switch t.(type) {
	case *String, *StringLiteral, *Int, *IntLiteral, *Bool, *BoolLiteral, *AnyType, *NullType:
		return t
	}
	if r.resolved == nil {
		r.resolved, r.busy, r.open = map[Type]Type{}, map[Type]bool{}, map[Type]bool{}
	}
	return r.resolve(t)
}

func (r *DerivedResolver) resolve(t Type) Type {
	if done, ok := r.resolved[t]; ok {
		return done
	}
	if !r.unresolved(t) {
		r.resolved[t] = t
		return t
	}
	r.busy[t] = true
	var done Type
	switch t := t.(type) {
	case *UnresolvedDerived:
		done = r.find(&t.ResourceDerived, t.Fallback)
	case *Object:
		if d := t.Derived(); d != nil {
			done = r.find(d, t)
		} else {
			done = r.object(t)
		}
	case *Tuple:
		items := r.refs(t.Items)
		done = NewNamedTuple(t.String(), items, t.flags)
	case *Array:
		item := r.ref(t.Item)
		done = NewNamedArray(t.String(), item, t.MinLength, t.MaxLength, t.flags)
	case *DiscriminatedObject:
		members := make([]Ref, len(t.Members))
		for i, m := range t.Members {
			members[i] = r.resolve(m.Object)
		}
		if d := NewDiscriminatedObject(t.Name, t.flags, t.Discriminator.Name, members); d != nil {
			done = d
		} else {
			done = t
		}
	case *Union:
		members := r.refs(t.Members)
		u := &Union{Members: members}
		name := t.String()
		u.name.p.Store(&name)
		done = u
	case *TypeType:
		done = &TypeType{Inner: r.resolve(t.Inner)}
	case *Lambda:
		params := r.refs(t.Params)
		optional := r.refs(t.Optional)
		done = NewLambda(params, optional, r.resolve(t.Return.Type()))
	default:
		done = t
	}
	delete(r.busy, t)
	r.resolved[t] = done
	return done
}

// ref resolves a reference; one to a type that is being resolved is deferred.
func (r *DerivedResolver) ref(ref Ref) Ref {
	t := ref.Type()
	if r.busy[t] {
		return Defer(func() Type {
			if done, ok := r.resolved[t]; ok {
				return done
			}
			return t
		})
	}
	done := r.resolve(t)
	if done == t {
		return ref
	}
	return done
}

func (r *DerivedResolver) refs(list []Ref) []Ref {
	done := make([]Ref, len(list))
	for i, ref := range list {
		done[i] = r.ref(ref)
	}
	return done
}

func (r *DerivedResolver) object(o *Object) Type {
	properties := make([]Property, len(o.Properties()))
	for i, p := range o.Properties() {
		p.Type = r.ref(p.Type)
		properties[i] = p
	}
	var additional *Property
	if o.Additional != nil {
		p := *o.Additional
		p.Type = r.ref(p.Type)
		additional = &p
	}
	return NewObject(o.Name, o.flags, properties, additional)
}

// unresolved reports whether a type contains a derived type.
func (r *DerivedResolver) unresolved(t Type) bool {
	r.seen = map[Type]bool{}
	if r.search(t) {
		return true
	}
	for t := range r.seen {
		r.open[t] = false
	}
	return false
}

// search looks for a derived type, and visits each type once. If it finds none below a
// type, that is certain only when the whole search is over, since types may be recursive.
func (r *DerivedResolver) search(t Type) bool {
	if known, ok := r.open[t]; ok {
		return known
	}
	if r.seen[t] {
		return false
	}
	r.seen[t] = true
	found := false
	some := func(list []Ref) bool {
		return slices.ContainsFunc(list, func(ref Ref) bool { return r.search(ref.Type()) })
	}
	switch t := t.(type) {
	case *UnresolvedDerived:
		found = true
	case *Object:
		found = t.Derived() != nil || t.Additional != nil && r.search(t.Additional.Type.Type())
		for i := 0; !found && i < len(t.Properties()); i++ {
			found = r.search(t.Properties()[i].Type.Type())
		}
	case *Tuple:
		found = some(t.Items)
	case *Array:
		found = r.search(t.Item.Type())
	case *DiscriminatedObject:
		for _, m := range t.Members {
			found = found || r.search(m.Object)
		}
	case *Union:
		found = some(t.Members)
	case *TypeType:
		found = r.search(t.Inner)
	case *Lambda:
		found = some(t.Params) || some(t.Optional) || r.search(t.Return.Type())
	}
	if found {
		r.open[t] = true
	}
	return found
}

// find looks up a part of a resource's body. It returns fallback if there is none.
func (r *DerivedResolver) find(d *ResourceDerived, fallback Type) Type {
	t := r.Lookup(d.TypeRef)
	if t == nil {
		return fallback
	}
	for _, step := range d.Steps() {
		if t = step.Part(t); t == nil {
			return fallback
		}
	}
	switch d.Variant {
	case DerivedInput:
		return RemovePropertyFlags(t, WriteOnly)
	case DerivedOutput:
		return RemovePropertyFlags(t, ReadOnly)
	}
	return t
}

// PropertyFold returns the property of that name or, if there is none, one
// whose name differs in case only.
func (t *Object) PropertyFold(name string) *Property {
	if p := t.Property(name); p != nil {
		return p
	}
	for i := range t.Properties() {
		if strings.EqualFold(t.Properties()[i].Name, name) {
			return &t.Properties()[i]
		}
	}
	return nil
}

// LeavesOpen reports whether the object may have more properties than are known, because
// it is only partly resolved.
func (t *Object) LeavesOpen() bool {
	return t.Additional != nil && IsUnknown(t.Additional.Type.Type())
}
