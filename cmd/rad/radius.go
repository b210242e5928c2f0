package main

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
)

// unknownRadiusType makes an error of the warning about a Radius type that does not
// exist: deployed, it would be taken for a resource of Azure.
func unknownRadiusType(f report.Finding) report.Finding {
	name := f.ResourceType
	if _, rest, ok := strings.Cut(name, ":"); ok { // alias:Type
		name = rest
	}
	lower := strings.ToLower(name)
	if f.Severity != report.Warning || !strings.HasPrefix(lower, "applications.") && !strings.HasPrefix(lower, "radius.") {
		return f
	}
	f.Severity = report.Error
	if bicep.IsRadiusType(name) {
		f.Message = fmt.Sprintf("The resource type %q is of Radius, but the file does not say `extension radius`, so Azure would be asked for it.", name)
		return f
	}
	f.Message = fmt.Sprintf("Radius has no resource type %q, so Azure would be asked for it", name)
	if near := bicep.NearestRadiusType(name); near != "" {
		f.Message += fmt.Sprintf("; did you mean %q?", near)
	} else {
		f.Message += "; #disable-next-line BCP081 above the line lets it pass."
	}
	return f
}

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
