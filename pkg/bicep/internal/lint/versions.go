package lint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// typeRead returns the type of the resource that an argument means: by type, by
// ID or by name.
func (l *linter) typeRead(x syntax.Expr) string {
	if typ := l.typeIn(x, l.literal); typ != "" {
		return typ
	}
	if a, ok := x.(*syntax.PropertyAccess); ok {
		if ref, ok := a.X.(*syntax.VarRef); ok {
			if r, ok := l.m.Symbol(ref).(*bind.Resource); ok {
				if r := l.analysis.Resources.At(r.Stmt); r != nil {
					return r.TypeRef().Type
				}
			}
		}
	}
	name, known := l.literal(x)
	for _, r := range l.analysis.Resources.Declared() {
		own := syntax.Body(r.Symbol.Stmt.Value).PropertyValue("name")
		if !r.IsAz() || own == nil {
			continue
		}
		if text, ok := l.literal(own); known && ok && text == name || l.sourceText(own) == l.sourceText(x) {
			return r.TypeRef().Type
		}
	}
	return ""
}

// recentModules is about newer versions of public modules. The linter does not ask registries, so
// the rule only says that, once.
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

// azPowerShell finds deployment scripts that ask for an old Azure PowerShell.
func (l *linter) azPowerShell() {
	minimum := "11.0"
	if l.m.Has(release.AzPowerShell15) {
		minimum = "15.0"
	}
	if v, ok := l.setting("minimumVersion"); ok {
		s, isString := v.(armjson.String)
		if _, ok := parseVersion(string(s)); !ok || !isString {
			l.add(source.Span{}, "the setting minimumVersion must be a version such as 11.0, and is "+armjson.Text(v))
			return
		}
		minimum = string(s)
	}
	least, _ := parseVersion(minimum)
	for _, r := range l.resources {
		typ, ok := literalOf(r.Type)
		if !ok || !strings.Contains(typ, "Microsoft.Resources/deploymentScripts") {
			continue
		}
		body, ok := r.Value.(*syntax.Object)
		if !ok {
			continue
		}
		kind := namedProperty(body, nameIsFold("kind"))
		if kind == nil {
			continue
		}
		if text, ok := literalOf(kind.Value); !ok || !strings.EqualFold(text, "AzurePowerShell") {
			continue
		}
		p := namedProperty(body, nameIs("properties"))
		if p == nil {
			continue
		}
		properties, _ := p.Value.(*syntax.Object)
		if p = namedProperty(properties, nameIsFold("azPowerShellVersion")); p == nil {
			continue
		}
		text, _ := literalOf(p.Value)
		if v, ok := parseVersion(text); ok && slices.Compare(v[:], least[:]) < 0 {
			l.add(r.Span(), "version "+text+" is older than "+minimum)
		}
	}
}

// parseVersion reads two to four numbers with dots between them.
func parseVersion(s string) ([4]int, bool) {
	v := [4]int{0, 0, -1, -1}
	parts := strings.Split(strings.TrimSpace(s), ".")
	if len(parts) < 2 || len(parts) > 4 {
		return v, false
	}
	for i, p := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(p), 10, 32)
		if err != nil || n < 0 {
			return v, false
		}
		v[i] = int(n)
	}
	return v, true
}

// stableImage finds images of virtual machines that are previews.
func (l *linter) stableImage() {
	for _, r := range l.analysis.Resources.Declared() {
		body := syntax.Body(r.Symbol.Stmt.Value)
		if body == nil {
			continue
		}
		p := deepProperty(body, "properties", "storageProfile", "imageReference")
		if p == nil {
			continue
		}
		image, _ := p.Value.(*syntax.Object)
		if ref, ok := p.Value.(*syntax.VarRef); ok {
			if v, ok := l.m.Symbol(ref).(*bind.Var); ok {
				image, _ = v.Stmt.Value.(*syntax.Object)
			}
		}
		if image == nil {
			continue
		}
		for _, name := range [...]string{"offer", "sku", "version"} {
			value := image.PropertyValue(name)
			if text, ok := literalOf(value); ok && strings.Contains(strings.ToLower(text), "preview") {
				l.add(value.Span(), name)
			}
		}
	}
}
