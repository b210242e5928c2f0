package types

import "sync"

// ArmPrimitive returns the plain type that a type becomes in ARM: bool, int, string, object or
// array. It returns nil if there is no single one.
func ArmPrimitive(t Type) Type {
	switch t := t.(type) {
	case *Bool, *BoolLiteral:
		return TBool
	case *Int, *IntLiteral:
		return TInt
	case *String, *StringLiteral:
		return TString
	case ObjectLike:
		return TObject
	case ArrayLike:
		return TArray
	case *Union:
		if n := RemoveNullability(t); n != nil {
			return ArmPrimitive(n)
		}
		var one Type
		for _, m := range t.Members {
			p := ArmPrimitive(m.Type())
			if p == nil || one != nil && p != one {
				return nil
			}
			one = p
		}
		return one
	}
	return nil
}

// NewDictionary returns the type of objects all of whose properties are of one type.
func NewDictionary(name string, flags ValidationFlags, value Ref) *Object {
	return NewObject(name, flags, nil, &Property{Type: value})
}

// IsIntegral reports whether it is int or an integer.
func IsIntegral(t Type) bool {
	switch t.(type) {
	case *Int, *IntLiteral:
		return true
	}
	return false
}

// RemovePropertyFlags returns the type with some flags taken from its
// properties, and from those of the objects in them.
func RemovePropertyFlags(t Type, flags PropertyFlags) Type {
	o, ok := t.(*Object)
	if !ok {
		return t
	}
	return (&flagRemover{flags: flags}).object(o)
}

// flagRemover makes one copy of every object, since types may contain themselves.
type flagRemover struct {
	flags PropertyFlags
	mu    sync.Mutex
	done  map[*Object]*Object
}

func (r *flagRemover) object(o *Object) *Object {
	r.mu.Lock()
	c := r.done[o]
	r.mu.Unlock()
	if c != nil {
		return c
	}
	c = o.MapProperties(r.property)
	r.mu.Lock()
	defer r.mu.Unlock()
	if first := r.done[o]; first != nil {
		return first
	}
	if r.done == nil {
		r.done = map[*Object]*Object{}
	}
	r.done[o] = c
	return c
}

// property removes the flags from a property and from all properties below it. If there may be any
// below it, they are removed when its type is asked for.
func (r *flagRemover) property(p Property) Property {
	p.Flags &^= r.flags
	if mayHave(p.Type, r.flags, 0) {
		p.Type = (&withoutFlags{}).of(p.Type, r)
	}
	return p
}

// mayHave reports whether a type may have properties with one of the flags, at any depth. It does
// not look deep, nor at deferred types: these may have some.
func mayHave(r Ref, flags PropertyFlags, depth int) bool {
	const deepest = 4
	switch t := r.(type) {
	case *Object:
		if len(t.properties) > 0 && depth >= deepest {
			return true
		}
		for i := range t.properties {
			if p := &t.properties[i]; p.Flags&flags != 0 || mayHave(p.Type, flags, depth+1) {
				return true
			}
		}
		return t.base != nil && mayHave(t.base, flags, depth)
	case *Deferred:
		return true
	}
	return false
}

// withoutFlags is the type of a property without some flags, once it is asked for.
type withoutFlags struct {
	Deferred
	ref     Ref
	remover *flagRemover
}

func (w *withoutFlags) of(ref Ref, r *flagRemover) Ref {
	w.ref, w.remover = ref, r
	w.get = w
	return &w.Deferred
}

func (w *withoutFlags) find() Type {
	t := w.ref.Type()
	if o, ok := t.(*Object); ok {
		return w.remover.object(o)
	}
	return t
}

// WithoutFlags removes flags from properties, and from all properties below them.
func WithoutFlags(ps []Property, flags PropertyFlags) {
	later := 0
	for i := range ps {
		if mayHave(ps[i].Type, flags, 0) {
			later++
		}
	}
	if later == 0 {
		for i := range ps {
			ps[i].Flags &^= flags
		}
		return
	}
	r := &flagRemover{flags: flags}
	list := make([]withoutFlags, later)
	for i := range ps {
		p := &ps[i]
		p.Flags &^= flags
		if mayHave(p.Type, flags, 0) {
			p.Type = list[0].of(p.Type, r)
			list = list[1:]
		}
	}
}

// ExtensionConfigAssignment returns the type of an extension's configuration
// where a file gives defaults for some of its properties: they need not be set.
func ExtensionConfigAssignment(config ObjectLike, defaults *Object) ObjectLike {
	if defaults == nil || len(defaults.Properties()) == 0 {
		return config
	}
	relax := func(p Property) Property {
		if defaults.Property(p.Name) != nil {
			p.Flags &^= Required
		}
		return p
	}
	switch c := config.(type) {
	case *DiscriminatedObject:
		p := defaults.Property(c.Discriminator.Name)
		if p == nil {
			return c
		}
		l, ok := p.Type.Type().(*StringLiteral)
		if !ok {
			return c
		}
		m := c.Member(l.Value)
		if m == nil {
			return c
		}
		var rest []Property
		for _, p := range m.Properties() {
			if p.Name != c.Discriminator.Name {
				rest = append(rest, relax(p))
			}
		}
		return m.WithProperties(rest)
	case *Object:
		return c.MapProperties(relax)
	}
	return config
}

// IsDeferred reports whether r is a reference that is looked up when it is used.
func IsDeferred(r Ref) bool {
	_, ok := r.(*Deferred)
	return ok
}

// Found returns the type of a reference, unless it would have to be looked for.
func Found(r Ref) (Type, bool) {
	d, deferred := r.(*Deferred)
	if !deferred {
		return r.Type(), true
	}
	if t := d.found.Load(); t != nil {
		return *t, true
	}
	return nil, false
}

// TryNonNull returns a nullable type without its null.
func TryNonNull(t Type) (Type, bool) {
	n := RemoveNullability(t)
	return n, n != nil
}

// BoolType returns the type of true or of false.
func BoolType(v bool) Type {
	if v {
		return TTrue
	}
	return TFalse
}

// Unwrap returns the type that the name of a type stands for.
func Unwrap(t Type) Type {
	if tt, ok := t.(*TypeType); ok {
		return tt.Inner
	}
	return t
}

// MapRef applies f to a type, or defers that if the type is deferred.
func MapRef(r Ref, f func(Type) Type) Ref {
	if IsDeferred(r) {
		return Defer(func() Type { return f(r.Type()) })
	}
	return f(r.Type())
}
