package typelib

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// The releases of Radius whose types are built in, from the oldest to RadiusRelease.
const (
	RadiusRelease = "0.60"
	newestRadius  = 60
	oldestRadius  = 40
)

// radiusText has the resource types of the releases as lines of shapes, which the command generate makes of what Radius
// publishes. The newest release is whole, and older ones are what differs from the one before them.
//
//go:embed radius.txt
var radiusText string

// Radius provides the resource types of a release of Radius. It is used if no archive is configured or restored.
type Radius struct {
	Empty
	table shapes
	known []*types.ResourceTypeReference
	cache cache
}

type radiusKey struct {
	section string // of radiusText
	lax     bool
}

var radiusMade memo.Map[radiusKey, *Radius]

// RadiusReleases returns the releases whose types are built in, newest first.
func RadiusReleases() (list []string) {
	for minor := newestRadius; minor >= oldestRadius; minor-- {
		list = append(list, fmt.Sprintf("0.%d", minor))
	}
	return list
}

// CompareRadius compares the release that a tag names with those whose types are built in: 0 if it is one of them, a patch
// of one, or a candidate for one. It is not ok for other tags, such as latest.
func CompareRadius(tag string) (order int, ok bool) {
	v, ok := artifact.ParseVersion(tag)
	switch {
	case !ok:
		return 0, false
	case slices.Compare(v.Numbers, []uint64{0, newestRadius + 1}) >= 0:
		return 1, true
	case slices.Compare(v.Numbers, []uint64{0, oldestRadius}) < 0:
		return -1, true
	}
	return 0, true
}

// NearestRadius returns the release whose built-in types count for a tag: that of the tag, or else the nearest. A tag that is
// not that of a release stands for RadiusRelease.
func NearestRadius(tag string) string {
	minor := newestRadius
	order, ok := CompareRadius(tag)
	if v, _ := artifact.ParseVersion(tag); ok && order == 0 {
		minor = int(v.Numbers[1])
	} else if order < 0 {
		minor = oldestRadius
	}
	return fmt.Sprintf("0.%d", minor)
}

// RadiusOf returns the types that count for a tag, as NearestRadius says. Where they stand in for a release that is not built
// in, mistakes are warnings.
func RadiusOf(tag string) *Radius {
	order, _ := CompareRadius(tag)
	minor := minorOf(NearestRadius(tag))
	var older []string // sections after that of the newest release
	newest, rest, _ := strings.Cut(radiusText, "\n@")
	section := newest
	for minor < minorOf(section) {
		section, rest, _ = strings.Cut(rest, "\n@")
		older = append(older, section)
	}
	section, _, _ = strings.Cut(section, "\n")
	return radiusMade.Get(radiusKey{section, order != 0}, func() *Radius {
		return newRadius(patched(newest, older), order != 0)
	})
}

// minorOf returns the minor version of the release that a section begins with.
func minorOf(section string) int {
	name, _, _ := strings.Cut(section, "\n")
	_, minor, _ := strings.Cut(name, ".")
	n, _ := strconv.Atoi(minor)
	return n
}

// patched returns the newest section with what older ones change, in their order. The first line is no line of the table.
func patched(newest string, older []string) string {
	if len(older) == 0 {
		return newest
	}
	lines := map[string]string{}
	for _, section := range append([]string{newest}, older...) {
		_, section, _ = strings.Cut(section, "\n")
		for line := range strings.SplitSeq(section, "\n") {
			if gone, ok := strings.CutPrefix(line, "-"); ok {
				delete(lines, gone)
			} else if name, _, ok := strings.Cut(line, ": "); ok {
				lines[name] = line
			}
		}
	}
	return "\n" + strings.Join(slices.Sorted(maps.Values(lines)), "\n") + "\n"
}

func newRadius(text string, lax bool) *Radius {
	r := &Radius{table: shapes{record: "Record", flags: types.KnownByHeart, text: text}}
	if lax {
		r.table.lax = types.WarnOnTypeMismatch | types.WarnOnPropertyMismatch
		r.table.flags |= r.table.lax
	}
	for line := range strings.SplitSeq(text, "\n") {
		if name, _, _ := strings.Cut(line, ":"); strings.Contains(name, "/") {
			r.known = append(r.known, types.ParseResourceType(name))
		}
	}
	return r
}

// Names returns the resource types of the release, with their versions.
func (r *Radius) Names() (list []string) {
	for _, known := range r.known {
		list = append(list, known.Name())
	}
	return list
}

// RadiusSettings are those of the extension that a Radius workspace configures.
func RadiusSettings() types.NamespaceSettings {
	return types.NamespaceSettings{ExtensionName: "Radius", TemplateName: "Radius", TemplateVersion: "latest"}
}

func (r *Radius) find(ref *types.ResourceTypeReference) *types.ResourceTypeReference {
	for _, known := range r.known {
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
		body := resourceBody(r.body(known), flags, nil)
		return &made{ref: known, parentScopes: anywhere | types.ScopeLocal, body: body, identifiers: []string{"name"}}
	})
}

// body is the body of a resource as the archive of Radius has it.
func (r *Radius) body(ref *types.ResourceTypeReference) *types.Object {
	// The types that recipes alone deploy are made from other sources than the rest.
	name, head := ref.Type, "Tracked"
	if !strings.HasPrefix(name, "Applications.") && !strings.HasPrefix(name, "Radius.Core/") {
		name, head = ref.Name(), "Untracked"
	}
	line, _ := r.table.line(ref.Name())
	head, _ = r.table.line(head)
	own := r.table.body(head + ", " + line)
	const fixed = types.ReadOnly | types.DeployTimeConstant
	ps := append(own.properties,
		types.Property{Name: "type", Type: types.Str(ref.Type), Flags: fixed},
		types.Property{Name: "apiVersion", Type: types.Str(ref.Version), Flags: fixed})
	if own.beside {
		ps = append(ps, mirrored(ps)...)
	}
	body := types.NewObject(name, r.table.flags, ps, nil)
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
