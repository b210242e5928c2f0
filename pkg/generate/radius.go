package generate

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
)

// coreNamespace returns the provider that a template's environments belong to: the
// newer one if its resources, those of modules included, are of that family only.
func coreNamespace(template *armjson.Object) string {
	newer := false
	for _, kind := range manifest.ResourceTypes(template) {
		switch family, _, _ := strings.Cut(strings.ToLower(kind), "."); family {
		case "applications":
			return "Applications.Core"
		case "radius":
			newer = true
		}
	}
	if newer {
		return "Radius.Core"
	}
	return "Applications.Core"
}
