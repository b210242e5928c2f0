package typelib

import (
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Empty is the provider of a namespace without resource types, and what there is
// to a provider where another says nothing.
type Empty struct{}

func (Empty) DefinedType(*types.Namespace, *types.ResourceTypeReference, types.GenerationFlags) *types.Resource {
	return nil
}

func (Empty) FallbackType(*types.Namespace, *types.ResourceTypeReference, types.GenerationFlags) *types.Resource {
	return nil
}

func (Empty) HasDefinedType(*types.ResourceTypeReference) bool { return false }

// cache keeps the types that a provider has made. A body is the same for every
// namespace of the provider, and is large.
type cache struct{ made memo.Map[cacheKey, *made] }

type cacheKey struct {
	flags types.GenerationFlags
	ref   string
}

type made struct {
	ref                    *types.ResourceTypeReference
	parentScopes, readOnly types.ResourceScope
	flags                  types.ResourceFlags
	body                   types.Ref
	identifiers            []string
}

func (c *cache) get(ns *types.Namespace, ref *types.ResourceTypeReference,
	flags types.GenerationFlags, build func() *made) *types.Resource {
	m := c.made.Get(cacheKey{flags, ref.Key()}, build)
	if m == nil {
		return nil
	}
	return &types.Resource{
		Namespace: ns, TypeRef: m.ref, ParentScopes: m.parentScopes, ReadOnlyScopes: m.readOnly,
		ResourceFlags: m.flags, Body: m.body, Identifiers: m.identifiers,
	}
}

// asReadOnly makes a property one that an `existing` resource may have but not set.
func asReadOnly(p types.Property) types.Property {
	p.Flags = (p.Flags | types.ReadOnly) &^ types.Required
	return p
}

func readOnlyAdditional(p *types.Property) *types.Property {
	if p == nil {
		return nil
	}
	c := asReadOnly(*p)
	return &c
}

func dependsOn(flags types.PropertyFlags) types.Property {
	return types.Property{Name: "dependsOn", Type: types.TDependsOn, Flags: types.WriteOnly | types.DisallowAny | flags}
}

// openBody is the body of a resource whose properties are not known.
func openBody(ref *types.ResourceTypeReference, ps []types.Property, others types.Type, flags types.GenerationFlags) *types.Object {
	rest := &types.Property{Type: others}
	if flags&types.ExistingResource != 0 {
		for i := range ps {
			ps[i] = existingProperty(ps[i])
		}
		rest = readOnlyAdditional(rest)
	} else {
		ps = append(ps, dependsOn(0))
	}
	return types.NewObject(ref.Name(), 0, ps, rest)
}

// Extension provides the resource types of an archive.
type Extension struct {
	lib               *Library
	defined, fallback cache
}

// NewExtension returns the provider of a library's types.
func NewExtension(l *Library) *Extension { return &Extension{lib: l} }

// Library returns where the types come from.
func (e *Extension) Library() *Library { return e.lib }

// The extension for Microsoft Graph, which came before some flags.
const (
	graphName     = "MicrosoftGraph"
	graphBetaName = "MicrosoftGraphBeta"
	graphOldest   = "0.1.8-preview"
)

func (e *Extension) HasDefinedType(ref *types.ResourceTypeReference) bool {
	_, ok := e.lib.find(ref)
	return ok
}

func (e *Extension) DefinedType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	entry, ok := e.lib.find(ref)
	if !ok {
		return nil
	}
	return e.defined.get(ns, ref, flags, func() *made {
		r := e.lib.resource(entry.at)
		if r == nil {
			// The index lists a type that the archive does not hold.
			r = &resourceType{ref: types.ParseResourceType(entry.name), parentScopes: anywhere,
				body: types.NewObject(ref.Type, 0, nil, &types.Property{Type: types.TAny})}
		}
		body := e.body(r, flags)
		return &made{r.ref, r.parentScopes, r.readOnly, r.flags, body, types.UniqueIdentifiers(body)}
	})
}

func (e *Extension) body(r *resourceType, flags types.GenerationFlags) types.Type {
	more := e.graphFlags(r.ref)
	switch b := r.body.(type) {
	case *types.Object:
		return resourceBody(b, flags, more)
	case *types.DiscriminatedObject:
		return b.MapMembers(func(o *types.Object) *types.Object { return resourceBody(o, flags, more) })
	}
	return types.NewObject(r.ref.Name(), 0, nil, &types.Property{Type: types.TAny})
}

// resourceBody gives the body of a resource, as an archive has it, the properties and
// flags that are the language's and not the archive's. more may be nil, or give
// further flags to a property.
func resourceBody(body *types.Object, flags types.GenerationFlags, more func(property string) types.PropertyFlags) *types.Object {
	existing := flags&types.ExistingResource != 0
	ps := make([]types.Property, 0, len(body.Properties())+1)
	for _, p := range body.Properties() {
		if more != nil {
			p.Flags |= more(p.Name)
		}
		if p.Flags.Has(types.ResourceIdentifier | types.Required) {
			p.Flags |= types.SystemProperty | types.LoopVariant
		}
		if p.Flags.Has(types.Required|types.DeployTimeConstant) && flags&types.LateIdentifiers == 0 {
			// Set by the user and never changed, so it can be read back.
			p.Flags |= types.ReadableAtDeployTime
		}
		if existing {
			p = existingProperty(p)
		}
		ps = append(ps, p)
	}
	if !existing {
		ps = append(ps, dependsOn(0))
	}
	return body.With(func(o *types.Object) {
		o.SetProperties(ps)
		if existing {
			o.Additional = readOnlyAdditional(o.Additional)
		}
	})
}

// existingProperty makes an `existing` resource accept only properties that identify it.
func existingProperty(p types.Property) types.Property {
	if !p.Flags.Has(types.ResourceIdentifier) {
		return asReadOnly(p)
	}
	if o, ok := p.Type.Type().(*types.Object); ok {
		ps := make([]types.Property, len(o.Properties()))
		for i, q := range o.Properties() {
			ps[i] = existingProperty(q)
		}
		p.Type = types.NewObject(o.Name, o.Flags(), ps, readOnlyAdditional(o.Additional))
	}
	return p
}

// graphFlags returns those which Microsoft Graph's first release lacks: nil for any
// other archive.
func (e *Extension) graphFlags(ref *types.ResourceTypeReference) func(property string) types.PropertyFlags {
	s := e.lib.index.settings
	if s.version != graphOldest || s.name != graphName && s.name != graphBetaName {
		return nil
	}
	return func(property string) types.PropertyFlags {
		switch {
		case property == "uniqueName",
			property == "name" && ref.Type == "Microsoft.Graph/applications/federatedIdentityCredentials",
			property == "appId" && ref.Type == "Microsoft.Graph/servicePrincipals":
			return types.ResourceIdentifier
		}
		return 0
	}
}

func (e *Extension) FallbackType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	if e.lib.index.fallback == nowhere {
		return nil
	}
	return e.fallback.get(ns, ref, flags, func() *made {
		r := e.lib.resource(e.lib.index.fallback)
		if r == nil {
			return nil
		}
		return &made{ref: ref, parentScopes: anywhere, body: r.body}
	})
}
