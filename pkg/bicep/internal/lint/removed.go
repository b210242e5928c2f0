package lint

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// removalLevel returns the level of the rule on types that Radius removes. It follows the release of Radius whose types the file uses.
func (l *linter) removalLevel() diag.Severity {
	level := typelib.RemovalLevel(RadiusTag(l.m))
	if l.advice == NoAdvice || l.advice == AdviceToDeploy && level == diag.Info {
		return diag.Off
	}
	return level
}

// RadiusTag returns the tag of the types of Radius that a file uses, or used before it imported others; "" if no tag is known.
func RadiusTag(m *check.Model) string {
	tag := func(a *artifact.Reference) string {
		if a == nil || a.BuiltIn() != "radius" {
			return ""
		}
		return a.Tag
	}
	f := m.File()
	for _, r := range f.References {
		if tag := tag(r.Artifact); tag != "" {
			return tag
		}
	}
	for i := range f.Implicit {
		if tag := tag(f.Implicit[i].Artifact); tag != "" {
			return tag
		}
	}
	for _, ns := range m.Binding().Namespaces {
		if t, ok := ns.Type.(*types.Namespace); ok && t.Settings.ExtensionName == typelib.RadiusSettings().ExtensionName {
			if imported, ok := t.Resources.(*typelib.Extension); ok {
				return imported.Library().RadiusRelease()
			}
		}
	}
	return ""
}

// removedTypes looks for resources whose types Radius removes.
func (l *linter) removedTypes() {
	for _, r := range l.analysis.Resources.Declared() {
		ns := r.Type.Namespace
		if ns == nil || ns.Settings.ExtensionName != typelib.RadiusSettings().ExtensionName {
			continue
		}
		name := r.TypeRef().Name()
		use, removed := typelib.Replacement(name)
		if !removed {
			continue
		}
		advice := "use " + use
		switch {
		case use == "":
			advice = "no type of Radius takes its place, so declare a type of your own, and have a recipe for it in the environment"
		case strings.EqualFold(r.TypeRef().Type, "Applications.Core/volumes"):
			advice += "; volumes of Key Vault have no counterpart"
		}
		l.add(r.Symbol.Stmt.Type.Span(), name, advice)
	}
}
