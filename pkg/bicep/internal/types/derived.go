package types

import (
	"strconv"
	"strings"
	"sync"
)

// DerivedResolver replaces, in the types of other files, what is derived from
// resource types by what those types say.
type DerivedResolver struct {
	// Lookup returns the body of Azure's resource type, or nil.
	Lookup func(*ResourceTypeReference) Type

	mu       sync.Mutex
	resolved map[Type]Type
	open     map[Type]bool // whether a type has something to replace in it
}

// Resolve returns the type with everything replaced. A type without anything
// to replace is returned as it is.
func (r *DerivedResolver) Resolve(t Type) Type {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.resolved == nil {
		r.resolved = map[Type]Type{}
		r.open = map[Type]bool{}
	}
	return (&resolution{r, map[Type]bool{}, map[Type]bool{}}).resolve(t)
}

// resolution is one walk over a type, which may contain itself.
type resolution struct {
	*DerivedResolver
	busy      map[Type]bool
	searching map[Type]bool
}

func (r *resolution) resolve(t Type) Type {
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
		if t.Derived != nil {
			done = r.find(t.Derived, t)
		} else {
			done = r.object(t)
		}
	case *Tuple:
		items, _ := r.refs(t.Items)
		done = NewNamedTuple(t.String(), items, t.flags)
	case *Array:
		item, _ := r.ref(t.Item)
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
		members, _ := r.refs(t.Members)
		u := &Union{Members: members}
		name := t.String()
		u.name.p.Store(&name)
		done = u
	case *Wrapped:
		done = &Wrapped{Of: r.resolve(t.Of)}
	case *Lambda:
		params, _ := r.refs(t.Params)
		optional, _ := r.refs(t.Optional)
		done = NewLambda(params, optional, r.resolve(t.Return.Type()))
	default:
		done = t
	}
	delete(r.busy, t)
	r.resolved[t] = done
	return done
}

// ref resolves a reference; one to a type that is being resolved is deferred.
func (r *resolution) ref(ref Ref) (Ref, bool) {
	t := ref.Type()
	if r.busy[t] {
		owner := r.DerivedResolver
		return Defer(func() Type {
			owner.mu.Lock()
			defer owner.mu.Unlock()
			if done, ok := owner.resolved[t]; ok {
				return done
			}
			return t
		}), r.unresolved(t)
	}
	done := r.resolve(t)
	if done == t {
		return ref, false
	}
	return done, true
}

func (r *resolution) refs(list []Ref) ([]Ref, bool) {
	changed := false
	done := make([]Ref, len(list))
	for i, ref := range list {
		d, c := r.ref(ref)
		done[i] = d
		changed = changed || c
	}
	return done, changed
}

func (r *resolution) object(o *Object) Type {
	properties := make([]Property, len(o.Properties))
	for i, p := range o.Properties {
		p.Type, _ = r.ref(p.Type)
		properties[i] = p
	}
	var additional *Property
	if o.Additional != nil {
		p := *o.Additional
		p.Type, _ = r.ref(p.Type)
		additional = &p
	}
	return NewObject(o.Name, o.flags, properties, additional)
}

// unresolved reports whether there is something to replace in a type.
func (r *resolution) unresolved(t Type) bool {
	if known, ok := r.open[t]; ok {
		return known
	}
	if r.searching[t] {
		return false
	}
	r.searching[t] = true
	found := false
	any := func(list []Ref) bool {
		for _, ref := range list {
			if r.unresolved(ref.Type()) {
				return true
			}
		}
		return false
	}
	switch t := t.(type) {
	case *UnresolvedDerived:
		found = true
	case *Object:
		found = t.Derived != nil || t.Additional != nil && r.unresolved(t.Additional.Type.Type())
		for i := 0; !found && i < len(t.Properties); i++ {
			found = r.unresolved(t.Properties[i].Type.Type())
		}
	case *Tuple:
		found = any(t.Items)
	case *Array:
		found = r.unresolved(t.Item.Type())
	case *DiscriminatedObject:
		for _, m := range t.Members {
			found = found || r.unresolved(m.Object)
		}
	case *Union:
		found = any(t.Members)
	case *Wrapped:
		found = r.unresolved(t.Of)
	case *Lambda:
		found = any(t.Params) || r.unresolved(t.Return.Type())
	}
	delete(r.searching, t)
	r.open[t] = found
	return found
}

// find looks up a part of a resource's body.
func (r *resolution) find(d *ResourceDerived, fallback Type) Type {
	t := r.Lookup(d.TypeRef)
	if t == nil {
		return fallback
	}
	for i := 0; i < len(d.Pointer); i++ {
		next := func() string {
			if i++; i < len(d.Pointer) {
				return d.Pointer[i]
			}
			return ""
		}
		var part Type
		switch strings.ToLower(d.Pointer[i]) {
		case "properties":
			if o, ok := t.(*Object); ok {
				if p := o.PropertyFold(next()); p != nil {
					part = p.Type.Type()
				}
			}
		case "additionalproperties":
			if o, ok := t.(*Object); ok && o.Additional != nil {
				part = o.Additional.Type.Type()
			}
		case "discriminator":
			if o, ok := t.(*DiscriminatedObject); ok && strings.EqualFold(next(), "mapping") {
				if m := o.Member(next()); m != nil {
					part = m
				}
			}
		case "prefixitems":
			if tuple, ok := t.(*Tuple); ok {
				if n, err := strconv.Atoi(next()); err == nil && n >= 0 && n < len(tuple.Items) {
					part = tuple.Items[n].Type()
				}
			}
		case "items":
			if a, ok := t.(ArrayLike); ok {
				part = a.ItemRef().Type()
			}
		}
		if part == nil {
			return fallback
		}
		t = part
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
	for i := range t.Properties {
		if strings.EqualFold(t.Properties[i].Name, name) {
			return &t.Properties[i]
		}
	}
	return nil
}
