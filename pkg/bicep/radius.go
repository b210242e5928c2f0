package bicep

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/spell"
)

// NearestRadiusType returns the resource type of Radius, with its version, that
// somebody who wrote a type that does not exist may have meant; "" if it is like none.
func NearestRadiusType(name string) string {
	kind, version, _ := strings.Cut(name, "@")
	family, leaf, _ := strings.Cut(kind, "/")
	var families []string
	for _, t := range typelib.RadiusTypes() {
		f, _, _ := strings.Cut(t.Type, "/")
		families = append(families, f)
	}
	family = closest(family, families)
	var leaves []string
	for _, t := range typelib.RadiusTypes() {
		if f, l, _ := strings.Cut(t.Type, "/"); f == family {
			leaves = append(leaves, l)
		}
	}
	leaf = closest(leaf, leaves)
	for _, t := range typelib.RadiusTypes() {
		if t.Type == family+"/"+leaf && t.Type+"@"+t.Version != kind+"@"+version {
			return t.Type + "@" + t.Version
		}
	}
	return ""
}

// IsRadiusType reports whether Radius has a resource type, version included.
func IsRadiusType(name string) bool {
	for _, t := range typelib.RadiusTypes() {
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
