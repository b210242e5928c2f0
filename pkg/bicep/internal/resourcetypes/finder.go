// Package resourcetypes finds the resource types that a file can use, in the namespaces
// that the file sees.
//
// A Finder finds a type by the text that names it (finder.go). It also looks up the types
// that other files derive from resource types, and reports those that cannot be found
// (derived.go).
package resourcetypes

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Finder finds the resource types that one file can use.
type Finder struct {
	binding    *bind.Binding
	references map[string]*types.ResourceTypeReference // by their texts
	nested     map[nesting]*types.ResourceTypeReference
	found      map[usedType][]*types.Resource
	defined    map[*types.Resource]bool
	derived    *types.DerivedResolver
	plain      map[types.Type]bool // types that Check has found no derived types in
}

// nesting is a type that is written within a resource of another one.
type nesting struct{ parent, own *types.ResourceTypeReference }

// usedType is a type, and how it is used.
type usedType struct {
	ref   *types.ResourceTypeReference
	flags types.GenerationFlags
}

// New returns the finder of a file whose names are bound.
func New(b *bind.Binding) *Finder { return &Finder{binding: b} }

// Find returns the resource type that a text names. parent is the type of the resource
// around a nested one, or nil. If there is no such type, Find returns the reason.
func (f *Finder) Find(text string, flags types.GenerationFlags, parent *types.Resource) (*types.Resource, *diag.Problem) {
	if scheme, rest, ok := strings.Cut(text, ":"); ok && scheme != "" {
		ns := f.binding.Namespace(scheme)
		if ns == nil {
			return nil, diag.BCP208.With(scheme, diag.Names(f.namespaceNames()))
		}
		if parent != nil && parent.Namespace != ns {
			return nil, diag.BCP210.With(ns.Name, parent.Namespace.Name)
		}
		ref, problem := f.reference(rest, flags, parent)
		if problem != nil {
			return nil, problem
		}
		if r := ns.Resources.DefinedType(ns, ref, flags); r != nil {
			return r, nil
		}
		if r := ns.Resources.FallbackType(ns, ref, flags); r != nil {
			return r, nil
		}
		return nil, diag.BCP209.With(ns.Settings.ExtensionName, ref.Name())
	}
	ref, problem := f.reference(text, flags, parent)
	if problem != nil {
		return nil, problem
	}
	switch list := f.matching(ref, flags); len(list) {
	case 0:
		return nil, diag.BCP029.With()
	case 1:
		return list[0], nil
	default:
		names := make([]string, len(list))
		for i, r := range list {
			names[i] = r.Namespace.Name
		}
		return nil, diag.BCP264.With(ref.Name(), diag.Names(names))
	}
}

// At is Find, with the reason as an error type at a place.
func (f *Finder) At(at source.Span, text string, flags types.GenerationFlags, parent *types.Resource) types.Type {
	r, problem := f.Find(text, flags, parent)
	if problem != nil {
		return types.NewError(problem.At(at))
	}
	return r
}

// IsDefined reports whether a namespace defines a type, and does not merely accept it.
func (f *Finder) IsDefined(r *types.Resource) bool {
	return memo.In(&f.defined, r, func() bool { return r.Namespace.Resources.HasDefinedType(r.TypeRef) })
}

// matching asks all namespaces for a type. It returns the defined types or, if there
// are none, the types of namespaces that accept any resource type.
func (f *Finder) matching(ref *types.ResourceTypeReference, flags types.GenerationFlags) []*types.Resource {
	return memo.In(&f.found, usedType{ref, flags}, func() []*types.Resource { return f.match(ref, flags) })
}

func (f *Finder) match(ref *types.ResourceTypeReference, flags types.GenerationFlags) []*types.Resource {
	list := make([]*types.Resource, 0, 4)
	all := f.binding.NamespaceTypes()
	for _, ns := range all {
		if r := ns.Resources.DefinedType(ns, ref, flags); r != nil {
			list = append(list, r)
		}
	}
	if len(list) > 0 {
		return list
	}
	for _, ns := range all {
		if r := ns.Resources.FallbackType(ns, ref, flags); r != nil {
			list = append(list, r)
		}
	}
	return list
}

func (f *Finder) namespaceNames() []string {
	var names []string
	for _, ns := range f.binding.NamespaceTypes() {
		names = append(names, ns.Name)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToUpper(a), strings.ToUpper(b)) })
	return names
}

// reference parses a type. The type of a nested resource is appended to its parent's.
func (f *Finder) reference(text string, flags types.GenerationFlags, parent *types.Resource) (*types.ResourceTypeReference, *diag.Problem) {
	ref := memo.In(&f.references, text, func() *types.ResourceTypeReference { return types.ParseResourceType(text) })
	switch {
	case ref == nil:
		return nil, diag.BCP029.With()
	case flags&types.NestedResource == 0:
		return ref, nil
	case parent == nil:
		return nil, diag.BCP157.With()
	case len(ref.Segments) > 1:
		return nil, diag.BCP156.With(text)
	}
	child := func() *types.ResourceTypeReference { return parent.TypeRef.Child(ref) }
	return memo.In(&f.nested, nesting{parent.TypeRef, ref}, child), nil
}
