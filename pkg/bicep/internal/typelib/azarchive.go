package typelib

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// azArchiveName is what the archive of Azure's types calls itself.
const azArchiveName = "AzureResourceManager"

// AzArchive provides Azure's resource types as an archive of them has them. Of those
// that are not in it, it knows the shape that any resource has.
type AzArchive struct {
	*Extension
	defined cache
	unknown Az
}

// IsAz reports whether a library holds Azure's types.
func (l *Library) IsAz() bool { return l.index.settings.name == azArchiveName }

// NewAzArchive returns the provider of a library of Azure's types.
func NewAzArchive(l *Library) *AzArchive { return &AzArchive{Extension: NewExtension(l)} }

func (a *AzArchive) DefinedType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	entry, ok := a.lib.find(ref)
	if !ok {
		return nil
	}
	return a.defined.get(ns, ref, flags, func() *made {
		r := a.lib.resource(entry.at)
		if r == nil {
			return azType(types.ParseResourceType(entry.name), flags, true) // the index promises what is not there
		}
		r.parentScopes &^= types.ScopeLocal
		return &made{r.ref, r.parentScopes, r.readOnly &^ types.ScopeLocal, r.flags & types.ResourceReadOnly, r.azBody(flags), AzIdentifiers}
	})
}

func (a *AzArchive) FallbackType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	return a.unknown.FallbackType(ns, ref, flags)
}

// azBody is the body of a resource type of Azure's archive. A name that is a constant
// is that of a child, which is told by it only where its parent is known: else the
// names of both stand in it.
func (r *resourceType) azBody(flags types.GenerationFlags) types.Type {
	constantNames := len(r.ref.Segments) == 2 || flags&types.HasParentDefined != 0
	switch b := r.body.(type) {
	case *types.Object:
		ps := setProperty(slices.Clone(b.Properties), types.Property{Name: "asserts", Type: azAsserts})
		if i := propertyIndex(ps, "name"); i >= 0 && !constantNames {
			ps[i].Type = types.TString
		}
		return r.azObject(b.Name, ps, b.Additional, flags)
	case *types.DiscriminatedObject:
		byName := b.Discriminator.Name == "name"
		if byName && !constantNames || !byName && flags&types.ExistingResource != 0 {
			var ps []types.Property
			for _, p := range append(azIdentity(r.ref), azEngine()...) {
				if slices.ContainsFunc(b.Members, func(m types.DiscriminatedMember) bool { return m.Object.Property(p.Name) != nil }) {
					ps = append(ps, p)
				}
			}
			return r.azObject(r.ref.Name(), ps, nil, flags)
		}
		return b.MapMembers(func(o *types.Object) *types.Object {
			return r.azObject(o.Name, slices.Clone(o.Properties), o.Additional, flags)
		})
	}
	return azType(r.ref, flags, true).body.Type()
}

// azObject adds to the properties that an archive describes those that every resource
// has, and says when each can be read.
func (r *resourceType) azObject(name string, ps []types.Property, additional *types.Property, flags types.GenerationFlags) *types.Object {
	existing := flags&types.ExistingResource != 0
	for i := range ps {
		p := &ps[i]
		switch p.Name {
		case "name":
			p.Flags |= types.ReadableAtDeployTime | types.LoopVariant | types.SystemProperty
			p.Type = strict(p.Type.Type())
		case "id", "type", "apiVersion":
			p.Flags |= types.ReadableAtDeployTime
		default:
			if writeOnlyConstant(p.Name, flags) {
				p.Flags |= types.DeployTimeConstant
			}
		}
	}
	ps = setProperty(ps, dependsOn(types.SystemProperty))
	for _, p := range appendAzReferences(nil, r.ref, flags) {
		if p.Name == "scope" {
			// At which scopes the type may be, the archive says.
			at := r.parentScopes
			if !existing {
				at &= types.ScopeResource | types.ScopeTenant
			}
			if at == 0 {
				continue
			}
			p.Type = &types.ScopeReference{Scope: at}
		}
		ps = setProperty(ps, p)
	}
	for _, p := range azEngine() {
		if propertyIndex(ps, p.Name) < 0 {
			p.Flags |= types.FallbackProperty
			ps = append(ps, p)
		}
	}
	return newAzBody(name, r.ref, ps, additional, flags)
}

// strict returns a type of constants without the leniency that the library's types have
// everywhere below the top of a resource.
func strict(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.StringLiteral:
		return types.Str(t.Value)
	case *types.Union:
		members := make([]types.Ref, len(t.Members))
		for i, m := range t.Members {
			members[i] = strict(m.Type())
		}
		return types.NewUnion(members...)
	}
	return t
}

func propertyIndex(ps []types.Property, name string) int {
	return slices.IndexFunc(ps, func(p types.Property) bool { return p.Name == name })
}

// setProperty replaces the property of that name, or appends it.
func setProperty(ps []types.Property, p types.Property) []types.Property {
	if i := propertyIndex(ps, p.Name); i >= 0 {
		ps[i] = p
		return ps
	}
	return append(ps, p)
}
