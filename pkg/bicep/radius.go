package bicep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/spell"
)

// RadiusRelease is the newest release of Radius whose types are built in.
const RadiusRelease = typelib.RadiusRelease

// RadiusReleases returns the releases of Radius whose types are built in, newest first.
func RadiusReleases() []string { return typelib.RadiusReleases() }

// Replaced is an artifact of Radius that built-in types stand in for, and that may have other types.
type Replaced struct {
	Reference string
	Release   string // whose types stand in for it
	Unknown   bool   // its tag is that of a release that is not built in, so mistakes are warnings
}

// replaced lists the artifacts that may have other types than those that stand in for them.
func (c *compilation) replaced() (list []Replaced) {
	add := func(a *artifact.Reference, builtIn string) {
		if a == nil || builtIn == "" {
			return
		}
		releases := RadiusReleases()
		order, ok := typelib.CompareRadius(a.Tag)
		one := Replaced{a.String(), releases[0], ok}
		if order < 0 {
			one.Release = releases[len(releases)-1]
		}
		if (!ok || order != 0) && !slices.Contains(list, one) {
			list = append(list, one)
		}
	}
	for _, f := range c.files.Files {
		for i := range f.Implicit {
			add(f.Implicit[i].Artifact, f.Implicit[i].BuiltIn)
		}
		for _, r := range f.References {
			add(r.Artifact, r.BuiltIn)
		}
	}
	return list
}

// standIn notes what built-in types stand in for. Where they are those of another release, which types there are is not known.
func (c *compilation) standIn(r *Result) {
	r.Replaced = c.replaced()
	if slices.ContainsFunc(r.Replaced, func(one Replaced) bool { return one.Unknown }) {
		for i := range r.Findings {
			r.Findings[i].ResourceType = ""
		}
	}
	if c.request.Artifacts.BuiltIn == BuiltInAlways {
		r.Replaced = nil
	}
}

// UnknownRadiusType returns what a finding that a resource type is unknown means where the type is called as those of Radius
// are: why it is unknown, and which may be meant. ok is false for any other finding.
func UnknownRadiusType(fsys source.FS, f report.Finding) (message string, ok bool) {
	name := f.ResourceType
	if _, rest, ok := strings.Cut(name, ":"); ok { // alias:Type
		name = rest
	}
	lower := strings.ToLower(name)
	if f.Severity != report.Warning || !strings.HasPrefix(lower, "applications.") && !strings.HasPrefix(lower, "radius.") {
		return "", false
	}
	const asked = ", so Azure would be asked for it"
	switch near := nearestRadiusType(name); {
	case isRadiusType(name) && saysExtension(fsys, f.Path, "radius"):
		return fmt.Sprintf("The extension radius that the file uses has no resource type %q%s. Radius %s has the type; "+
			"see what bicepconfig.json says under extensions.", name, asked, RadiusRelease), true
	case isRadiusType(name):
		return fmt.Sprintf("The resource type %q is of Radius, but the file does not say `extension radius`%s.", name, asked), true
	case near != "":
		return fmt.Sprintf("Radius has no resource type %q%s; did you mean %q?", name, asked, near), true
	}
	return fmt.Sprintf("Radius has no resource type %q%s; #disable-next-line BCP081 above the line lets it pass.", name, asked), true
}

// nearestRadiusType returns the resource type of Radius, with its version, that
// somebody who wrote a type that does not exist may have meant; "" if it is like none.
func nearestRadiusType(name string) string {
	kind, version, _ := strings.Cut(name, "@")
	family, leaf, _ := strings.Cut(kind, "/")
	types := typelib.RadiusOf("").Types()
	var families []string
	for _, t := range types {
		f, _, _ := strings.Cut(t.Type, "/")
		families = append(families, f)
	}
	family = closest(family, families)
	var leaves []string
	for _, t := range types {
		if f, l, _ := strings.Cut(t.Type, "/"); f == family {
			leaves = append(leaves, l)
		}
	}
	leaf = closest(leaf, leaves)
	for _, t := range types {
		if t.Type == family+"/"+leaf && t.Type+"@"+t.Version != kind+"@"+version {
			return t.Type + "@" + t.Version
		}
	}
	return ""
}

// RadiusTypeCount returns how many resource types of Radius are built in.
func RadiusTypeCount() int { return len(typelib.RadiusOf("").Types()) }

// isRadiusType reports whether Radius has a resource type, version included.
func isRadiusType(name string) bool {
	for _, t := range typelib.RadiusOf("").Types() {
		if strings.EqualFold(t.Name(), name) {
			return true
		}
	}
	return false
}

// closest returns the word of a list that is the given one, but for letter case, or
// else the nearest.
func closest(word string, list []string) string {
	for _, w := range list {
		if strings.EqualFold(w, word) {
			return w
		}
	}
	return spell.Nearest(word, list)
}
