package typelib

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// RadiusRelease is the release of Radius whose types are built in.
const RadiusRelease = "0.60"

// Radius provides the resource types of RadiusRelease. It is used if no archive is
// configured or restored. For another release, change radius.txt until it agrees with its archive:
// TestRadiusIsWhatItsArchiveSays names each difference. The docs name the
// release, too.
type Radius struct {
	Empty
	cache cache
}

// radiusText has the resource types of each API version, and after an empty line their objects, as lines of radiusShapes.
//
//go:embed radius.txt
var radiusText string

var radiusShapes = shapes{record: "Record", flags: types.KnownByHeart, text: radiusText}

// RadiusSettings are those of the extension that a Radius workspace configures.
func RadiusSettings() types.NamespaceSettings {
	return types.NamespaceSettings{ExtensionName: "Radius", TemplateName: "Radius", TemplateVersion: "latest"}
}

// RadiusTypes returns the resource types of Radius.
var RadiusTypes = sync.OnceValue(func() (list []*types.ResourceTypeReference) {
	version := ""
	table, _, _ := strings.Cut(radiusText, "\n\n")
	for line := range strings.SplitSeq(table, "\n") {
		if v, ok := strings.CutPrefix(line, "@"); ok {
			version = v
			continue
		}
		name, _, _ := strings.Cut(line, ":")
		list = append(list, types.NewResourceTypeReference(name, version))
	}
	return list
})

func (r *Radius) find(ref *types.ResourceTypeReference) *types.ResourceTypeReference {
	for _, known := range RadiusTypes() {
		if known.Equal(ref) {
			return known
		}
	}
	return nil
}

func (r *Radius) HasDefinedType(ref *types.ResourceTypeReference) bool { return r.find(ref) != nil }

func (r *Radius) DefinedType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	known := r.find(ref)
	if known == nil {
		return nil
	}
	return r.cache.get(ns, ref, flags, func() *made {
		return &made{ref: known, parentScopes: anywhere | types.ScopeLocal,
			body: resourceBody(radiusBody(known), flags, nil), identifiers: []string{"name"}}
	})
}

// radiusBody is the body of a resource as the archive of Radius has it.
func radiusBody(ref *types.ResourceTypeReference) *types.Object {
	// The types that recipes alone deploy are made from other sources than the rest.
	name, head := ref.Type, "Tracked"
	if !strings.HasPrefix(name, "Applications.") && !strings.HasPrefix(name, "Radius.Core/") {
		name, head = ref.Name(), "Untracked"
	}
	line, _ := radiusShapes.line(ref.Type)
	own := radiusShapes.body("+" + head + ", " + line)
	const fixed = types.ReadOnly | types.DeployTimeConstant
	ps := append(own.properties,
		types.Property{Name: "type", Type: types.Str(ref.Type), Flags: fixed},
		types.Property{Name: "apiVersion", Type: types.Str(ref.Version), Flags: fixed})
	body := types.NewObject(name, radiusShapes.flags, append(ps, mirrored(ps)...), nil)
	if len(own.methods) > 0 {
		body.Methods = types.NewFunctions(body, own.methods, nil)
	}
	return body
}

// mirrored returns what is within `properties` as it can also be read beside it:
// nothing, if that would hide a property that is there.
func mirrored(ps []types.Property) (list []types.Property) {
	for _, p := range ps {
		if p.Name != "properties" {
			continue
		}
		within, _ := p.Type.Type().(*types.Object)
		if within == nil {
			return nil
		}
		for _, q := range within.Properties() {
			for i := range ps {
				if ps[i].Name == q.Name {
					return nil
				}
			}
			list = append(list, types.Property{Name: q.Name, Type: q.Type, Flags: types.ReadOnly})
		}
	}
	return list
}
