package types

import (
	"cmp"
	"strings"
	"sync/atomic"
)

// ResourceScope is a set of places at which things are deployed.
type ResourceScope uint8

const (
	ScopeResource ResourceScope = 1 << iota
	ScopeModule
	ScopeTenant
	ScopeManagementGroup
	ScopeSubscription
	ScopeResourceGroup
	ScopeLocal

	ScopeNone ResourceScope = 0
)

// Has reports whether all of the given scopes are in s.
func (s ResourceScope) Has(t ResourceScope) bool { return s&t == t }

var scopeNames = [...]string{"resource", "module", "tenant", "managementGroup", "subscription", "resourceGroup", "local"}

// Names returns the names of the scopes in s.
func (s ResourceScope) Names() []string {
	if s == 0 {
		return []string{"none"}
	}
	var names []string
	for i, n := range scopeNames {
		if s&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return names
}

// String returns the names of the scopes, separated by bars.
func (s ResourceScope) String() string { return strings.Join(s.Names(), " | ") }

// ResourceFlags say how a resource type may be used.
type ResourceFlags uint8

const (
	ResourceReadOnly  ResourceFlags = 1 << iota // with `existing` only
	ResourceWriteOnly                           // never with `existing`
)

// GenerationFlags say for which use of a resource its type is asked for.
type GenerationFlags uint8

const (
	ExistingResource GenerationFlags = 1 << iota
	HasParentDefined
	NestedResource
	PermitRuntimeValuesInTagsAndSku
	WithoutPlacement // no resource has the property placement, unless its type declares it
	LateIdentifiers  // what identifies a resource of an extension cannot be read before it is deployed
)

// ResourceTypeReference names a resource type: Microsoft.Storage/storageAccounts@2021-01-01.
type ResourceTypeReference struct {
	Type     string // without the version
	Version  string // "" where there is none
	Segments []string
	name     string
	key      atomic.Pointer[string] // once it was asked for
}

// NewResourceTypeReference returns the reference to a type, which must not be empty.
func NewResourceTypeReference(typ, version string) *ResourceTypeReference {
	name := typ
	if version != "" {
		name += "@" + version
	}
	return newReference(typ, version, name)
}

func newReference(typ, version, name string) *ResourceTypeReference {
	return &ResourceTypeReference{Type: typ, Version: version, Segments: strings.Split(typ, "/"), name: name}
}

// ParseResourceType reads a resource type with or without a version. It
// returns nil for other texts.
func ParseResourceType(s string) *ResourceTypeReference {
	typ, version, versioned := strings.Cut(s, "@")
	if !validSegments(typ) {
		return nil
	}
	// A version is at least two characters long.
	if versioned && (len(version) < 2 || !validSegment(version)) {
		return nil
	}
	return newReference(typ, version, s)
}

func validSegments(s string) bool {
	for {
		seg, rest, more := strings.Cut(s, "/")
		if !validSegment(seg) {
			return false
		}
		if !more {
			return true
		}
		s = rest
	}
}

func validSegment(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		alnum := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !alnum && (i == 0 || c != '-' && c != '.') {
			return false
		}
	}
	return s != ""
}

// Name returns the type with its version, if there is one.
func (r *ResourceTypeReference) Name() string { return r.name }

func (r *ResourceTypeReference) String() string { return r.Name() }

// Equal compares without regard to case.
func (r *ResourceTypeReference) Equal(o *ResourceTypeReference) bool {
	return strings.EqualFold(r.Type, o.Type) && strings.EqualFold(r.Version, o.Version)
}

// Key is equal for equal references.
func (r *ResourceTypeReference) Key() string {
	if key := r.key.Load(); key != nil {
		return *key
	}
	key := strings.ToLower(r.name)
	r.key.Store(&key)
	return key
}

// IsParentOf reports whether o is a direct child of r, ignoring versions.
func (r *ResourceTypeReference) IsParentOf(o *ResourceTypeReference) bool {
	if len(r.Segments)+1 != len(o.Segments) {
		return false
	}
	for i, s := range r.Segments {
		if !strings.EqualFold(s, o.Segments[i]) {
			return false
		}
	}
	return true
}

// Child returns the type of a resource nested in r: r's segments and its own,
// with its own version or else r's.
func (r *ResourceTypeReference) Child(nested *ResourceTypeReference) *ResourceTypeReference {
	version := cmp.Or(nested.Version, r.Version)
	return NewResourceTypeReference(r.Type+"/"+nested.Type, version)
}

// Resource is the type of a resource declaration.
type Resource struct {
	Namespace      *Namespace
	TypeRef        *ResourceTypeReference
	ParentScopes   ResourceScope // where it can be deployed
	ReadOnlyScopes ResourceScope // where it can only be `existing`
	ResourceFlags  ResourceFlags
	Body           Ref
	Identifiers    []string // the properties that make up its identity
}

func (t *Resource) Type() Type           { return t }
func (*Resource) Kind() Kind             { return KindResource }
func (t *Resource) String() string       { return t.TypeRef.Name() }
func (*Resource) Flags() ValidationFlags { return 0 }

// IsAz reports whether the resource is Azure's.
func (t *Resource) IsAz() bool {
	return t.Namespace != nil && t.Namespace.Settings.ExtensionName == "az"
}

// UniqueIdentifiers returns the names of the properties of a body that make up
// a resource's identity.
func UniqueIdentifiers(body Type) []string {
	var names []string
	seen := map[string]bool{}
	collect := func(o *Object) {
		for i := range o.Properties() {
			if p := &o.Properties()[i]; p.Flags.Has(ResourceIdentifier) && !seen[p.Name] {
				seen[p.Name] = true
				names = append(names, p.Name)
			}
		}
	}
	switch b := body.(type) {
	case *Object:
		collect(b)
	case *DiscriminatedObject:
		for _, m := range b.Members {
			collect(m.Object)
		}
	}
	return names
}

// ResourceParam is the type of a parameter or output that is a resource.
type ResourceParam struct {
	Namespace *Namespace
	TypeRef   *ResourceTypeReference
}

func (t *ResourceParam) Type() Type           { return t }
func (*ResourceParam) Kind() Kind             { return KindResource }
func (t *ResourceParam) String() string       { return t.TypeRef.Type }
func (*ResourceParam) Flags() ValidationFlags { return 0 }

// ResourceParent is the type of the `parent` property of a resource.
type ResourceParent struct{ Child *ResourceTypeReference }

func (t *ResourceParent) Type() Type           { return t }
func (*ResourceParent) Kind() Kind             { return KindResource }
func (*ResourceParent) Flags() ValidationFlags { return 0 }

// String returns the type that the parent has to have.
func (t *ResourceParent) String() string {
	return strings.Join(t.Child.Segments[:len(t.Child.Segments)-1], "/")
}

// UnresolvedResource is the type of a resource parameter or output of another
// file, before it is looked up in the file that uses it.
type UnresolvedResource struct{ TypeRef *ResourceTypeReference }

func (t *UnresolvedResource) Type() Type           { return t }
func (*UnresolvedResource) Kind() Kind             { return KindResource }
func (t *UnresolvedResource) String() string       { return t.TypeRef.Type }
func (*UnresolvedResource) Flags() ValidationFlags { return 0 }

// ScopeReference is the type of what takes a scope: `scope`, the items of `dependsOn`.
type ScopeReference struct{ Scope ResourceScope }

func (t *ScopeReference) Type() Type           { return t }
func (*ScopeReference) Kind() Kind             { return KindResourceScope }
func (t *ScopeReference) String() string       { return t.Scope.String() }
func (*ScopeReference) Flags() ValidationFlags { return 0 }

// Module is the type of a module declaration.
type Module struct {
	Name         string
	ParentScopes ResourceScope // where it can be deployed
	Body         Ref
}

func (t *Module) Type() Type           { return t }
func (*Module) Kind() Kind             { return KindModule }
func (t *Module) String() string       { return t.Name }
func (*Module) Flags() ValidationFlags { return 0 }

// ParamType returns the type of one of the module's parameters, or nil.
func (t *Module) ParamType(name string) Type { return nestedProperty(t.Body, "params", name) }

// OutputType returns the type of one of the module's outputs, or nil.
func (t *Module) OutputType(name string) Type { return nestedProperty(t.Body, "outputs", name) }

func nestedProperty(body Ref, section, name string) Type {
	o, ok := body.Type().(*Object)
	if !ok {
		return nil
	}
	s := o.Property(section)
	if s == nil {
		return nil
	}
	if o, ok = s.Type.Type().(*Object); !ok {
		return nil
	}
	p := o.Property(name)
	if p == nil {
		return nil
	}
	return p.Type.Type()
}

// Test is the type of a test declaration.
type Test struct {
	Name string
	Body Ref
}

func (t *Test) Type() Type           { return t }
func (*Test) Kind() Kind             { return KindTest }
func (t *Test) String() string       { return t.Name }
func (*Test) Flags() ValidationFlags { return PreventAssignment }

// DerivedVariant says whether a type is derived from what a resource takes or from what it returns.
type DerivedVariant uint8

const (
	DerivedNone DerivedVariant = iota
	DerivedInput
	DerivedOutput
)

// ResourceDerived names a part of a resource type that a type of another file
// stands for, and that is to be looked up by the file that uses it.
type ResourceDerived struct {
	TypeRef *ResourceTypeReference
	Pointer []string // the way into the body
	Variant DerivedVariant
}

// UnresolvedDerived is the type that a ResourceDerived stands for, before it is
// looked up. A branch of a discriminated object is an *Object with Derived set.
type UnresolvedDerived struct {
	ResourceDerived
	Fallback Type
}

func (t *UnresolvedDerived) Type() Type           { return t }
func (*UnresolvedDerived) Kind() Kind             { return KindUnboundResource }
func (t *UnresolvedDerived) String() string       { return t.TypeRef.Type }
func (*UnresolvedDerived) Flags() ValidationFlags { return 0 }

// NewUnresolvedMember returns a branch of a discriminated object that is yet to
// be looked up.
func NewUnresolvedMember(d ResourceDerived, discriminator, value string) *Object {
	o := NewObject(d.TypeRef.Type, 0,
		[]Property{{Name: discriminator, Type: Str(value)}},
		&Property{Type: TAny, Flags: FallbackProperty})
	o.setRare(func(r *rareParts) { r.derived = &d })
	return o
}

// UnparsableDerived is a reference to a resource type that cannot be read; it
// leads to its fallback.
type UnparsableDerived struct {
	Text     string
	Fallback Type
}

// Type returns the fallback.
func (u *UnparsableDerived) Type() Type { return u.Fallback }

// AsScope returns the scope that a value of type t is a reference to.
func AsScope(t Type) (ResourceScope, bool) {
	switch t := t.(type) {
	case *Resource:
		return ScopeResource, true
	case *Module:
		return ScopeModule, true
	case *ScopeReference:
		return t.Scope, true
	case *Object:
		return t.Scope(), t.Scope() != 0
	}
	return 0, false
}

// UnwrapResource returns the resource type that t is, or that of the items of t.
func UnwrapResource(t Type) *Resource {
	switch t := t.(type) {
	case *Resource:
		return t
	case *Array:
		r, _ := t.Item.(*Resource)
		return r
	}
	return nil
}

// UnwrapModule returns the module type that t is, or that of the items of t.
func UnwrapModule(t Type) *Module {
	switch t := t.(type) {
	case *Module:
		return t
	case *Array:
		m, _ := t.Item.(*Module)
		return m
	}
	return nil
}

// TypeType is the type of a symbol that may be used only as a type.
type TypeType struct{ Inner Type }

func (t *TypeType) Type() Type           { return t }
func (*TypeType) Kind() Kind             { return KindTypeReference }
func (t *TypeType) String() string       { return "Type<" + t.Inner.String() + ">" }
func (*TypeType) Flags() ValidationFlags { return PreventAssignment }
