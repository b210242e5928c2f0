package lint

import (
	"fmt"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// recentAPIVersions would compare versions with those in Azure's library. Without
// it there remain the rule's settings and, in calls of reference() and list…(),
// where nothing else looks at types, those of providers that Azure does not have.
func (l *linter) recentAPIVersions() {
	l.days("maxAgeInDays", 2*365)
	l.days("gracePeriodInDays", 90)
	for _, c := range l.readingCalls() {
		_, args, _ := syntax.CallName(c)
		if len(args) < 2 {
			continue
		}
		if version, ok := l.literal(args[1]); !ok || !isAPIVersion(version) {
			continue
		}
		if typ := l.typeRead(args[0]); typ != "" && !typelib.HasAzProvider(providerOf(typ)) {
			l.add(c.Span(), fmt.Sprintf("there is no resource type %q in Azure", typ))
		}
	}
}

// days checks a setting that is a number of days.
func (l *linter) days(name string, normal int) {
	v, ok := l.setting(name)
	if !ok {
		return
	}
	if n, ok := v.(armjson.Number); ok {
		if days, ok := n.Int64(); ok && days >= 0 {
			return
		}
	}
	l.add(source.Span{}, fmt.Sprintf("the setting %s must be a number of days, and is %s; %d is taken instead", name, armjson.Text(v), normal))
}

// isAPIVersion reports whether a version is a date, followed perhaps by what it is a version before.
func isAPIVersion(s string) bool {
	date, suffix := s, ""
	if len(s) > len(time.DateOnly) {
		date, suffix = s[:len(time.DateOnly)], strings.ToLower(s[len(time.DateOnly):])
	}
	switch suffix {
	case "", "-preview", "-alpha", "-beta", "-rc", "-privatepreview":
		_, err := time.Parse(time.DateOnly, date)
		return err == nil
	}
	return false
}

// typeRead returns the type of the resource that an argument means: by type, by
// ID or by name.
func (l *linter) typeRead(x syntax.Expr) string {
	if typ := l.typeIn(x); typ != "" {
		return typ
	}
	if a, ok := x.(*syntax.PropertyAccess); ok {
		if ref, ok := a.X.(*syntax.VarRef); ok {
			if r, ok := l.m.Symbol(ref).(*bind.Resource); ok {
				if r := l.m.Resource(r.Stmt); r != nil {
					return r.TypeRef().Type
				}
			}
		}
	}
	name, known := l.literal(x)
	for _, r := range l.m.DeclaredResources() {
		own := syntax.Body(r.Symbol.Stmt.Value).PropertyValue("name")
		if !r.IsAz() || own == nil {
			continue
		}
		if text, ok := l.literal(own); known && ok && text == name || l.text(own) == l.text(x) {
			return r.TypeRef().Type
		}
	}
	return ""
}

// recentModules would compare versions of public modules with those that the
// registry has. It is never asked here, which the rule says once.
func (l *linter) recentModules() {
	for _, m := range l.b.Modules {
		ref := l.m.File().Reference(m.Stmt)
		if ref == nil || ref.Artifact == nil {
			continue
		}
		if a := ref.Artifact; a.Scheme == artifact.OCI && a.Registry == "mcr.microsoft.com" && a.Tag != "" {
			if name, ok := strings.CutPrefix(a.Repository, "bicep/"); ok {
				l.add(ref.Span(), name)
				return
			}
		}
	}
}
