package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"

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

// replacedTypes are the artifacts of Radius that built-in types stood in for in a run. It is
// safe for concurrent use.
type replacedTypes struct {
	mu   sync.Mutex
	list []bicep.Replaced
	said int // how many of them there were when that was said
}

func (r *replacedTypes) add(list []bicep.Replaced) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range list {
		if !slices.Contains(r.list, one) {
			r.list = append(r.list, one)
		}
	}
}

// sayReplaced says once which artifacts built-in types stood in for. The notice is no finding:
// nothing is wrong with a source, and documents of findings are as those of the official program.
func (a *app) sayReplaced() {
	r := &a.replaced
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) == r.said {
		return
	}
	r.said = len(r.list)
	slices.SortFunc(r.list, func(a, b bicep.Replaced) int { return strings.Compare(a.Reference, b.Reference) })
	var names, newer []string
	for _, one := range r.list {
		names = append(names, one.Reference)
		if one.Newer {
			newer = append(newer, one.Reference)
		}
	}
	is, them := "is", "it"
	if len(names) > 1 {
		is, them = "are", "them"
	}
	older := ""
	if len(newer) > 0 {
		older = "; " + orAnd(newer) + " may have more, since its tag is newer"
	}
	a.say("Notice: %s %s not restored, so the built-in types of Radius %s are used%s. 'rad bicep restore' fetches %s; --builtin-types=always ends this notice.",
		orAnd(names), is, bicep.RadiusRelease, older, them)
}
