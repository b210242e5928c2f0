package lint

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/deploytime"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// secret is an expression that may hold a secret.
type secret struct {
	at   syntax.Node
	what string
}

// secretsIn finds reads of secret values, and calls of functions that return them.
func (l *linter) secretsIn(n syntax.Node) []secret {
	var found []secret
	accessed := 0
	typed := func(at syntax.Node, n syntax.Node) {
		t := l.m.TypeOf(n)
		if l.plain[t] {
			return
		}
		paths := types.SecretPaths(t, accessed > 0)
		if len(paths) == 0 && accessed == 0 {
			l.plain[t] = true
		}
		for _, path := range paths {
			found = append(found, secret{at, l.sourceText(n) + path})
		}
	}
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.VarRef:
			typed(n.Name, n)
		case *syntax.PropertyAccess:
			typed(n.Name, n)
			accessed++
			l.m.Tree().Children(n, visit)
			accessed--
			return
		case *syntax.Index:
			typed(n.Index, n)
			accessed++
			l.m.Tree().Children(n, visit)
			accessed--
			return
		case *syntax.Call:
			if isList(n.Name.Name) && l.function(n, "az") != nil {
				found = append(found, secret{n, n.Name.Name + "()"})
			}
		case *syntax.InstanceCall:
			if isList(n.Name.Name) && (l.analysis.Resources.At(n.X) != nil || l.function(n, "az") != nil) {
				found = append(found, secret{n, n.Name.Name + "()"})
			}
		}
		l.m.Tree().Children(n, visit)
	}
	visit(n)
	return found
}

func isList(name string) bool { return len(name) >= 4 && strings.EqualFold(name[:4], "list") }

// secretOutputs finds outputs that would show a secret to everyone who can read the deployment.
func (l *linter) secretOutputs() {
	for _, o := range l.outputs {
		if l.m.SystemDecorator(o, "secure") != nil {
			continue
		}
		if containsFold(o.Name.Name, "password") {
			l.add(o.Span(), "its name, "+o.Name.Name)
		}
		for _, s := range l.secretsIn(o) {
			l.add(s.at.Span(), s.what)
		}
	}
}

// secureDefault finds secrets that are in the source.
func (l *linter) secureDefault() {
	for _, p := range l.b.Params {
		d := p.Stmt.Default
		if d == nil || !hasCall(p.Stmt, "secure") {
			continue
		}
		if text, ok := literalOf(d.Value); ok && text == "" {
			continue
		}
		if l.m.TypeOf(d.Value).Flags().Has(types.IsSecure) || isEmptyObject(d.Value) || l.callsNewGUID(d.Value) {
			continue
		}
		l.add(d.Span(), p.Name())
	}
}

func isEmptyObject(x syntax.Expr) bool {
	o, ok := x.(*syntax.Object)
	if !ok {
		return false
	}
	for _, item := range o.Items {
		if _, ok := item.(*syntax.Property); ok {
			return false
		}
	}
	return true
}

func (l *linter) callsNewGUID(x syntax.Expr) bool {
	found := false
	syntax.Walk(x, func(n syntax.Node) bool {
		if name, _, ok := syntax.CallName(n); ok && name.Name == "newGuid" && l.function(n, "sys") != nil {
			found = true
		}
		return !found
	})
	return found
}

// secretParams finds parameters that hold secrets by their names or defaults, and are not secure.
func (l *linter) secretParams() {
	for _, p := range l.b.Params {
		if hasCall(p.Stmt, "secure") {
			continue
		}
		t := l.m.SymbolType(p)
		if t.Flags().Has(types.IsSecure) && l.m.Has(release.SecureAliases) {
			continue
		}
		if (isObject(t) || isString(t)) && SoundsSecret(p.Name()) || l.usesSecure(p) {
			l.add(p.NameSpan(), p.Name())
		}
	}
}

// SoundsSecret reports whether the name of a parameter suggests that it holds a secret.
func SoundsSecret(name string) bool {
	name = strings.ToLower(name)
	return containsAny(name, "password", "pwd", "secret", "accountkey", "acctkey") &&
		!containsAny(name, "secretpermissions", "secretversion", "secreturi", "secreturl", "secretname")
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}

func (l *linter) usesSecure(p *bind.Param) bool {
	return slices.ContainsFunc(l.b.ReferencedBy(p), func(s bind.Declared) bool {
		other, ok := s.(*bind.Param)
		return ok && hasCall(other.Stmt, "secure")
	})
}

// secureInParamsFile finds secure parameters whose values flow into others of a parameter file.
func (l *linter) secureInParamsFile() {
	if !l.m.IsParams() {
		return
	}
	u := l.b.Using()
	if u == nil {
		return
	}
	target := l.m.Referenced(u)
	if target == nil {
		return
	}
	secure := func(a *bind.ParamAssign) (known, secret bool) {
		p := target.Parameter(a.Name())
		if p == nil {
			return false, false
		}
		return true, types.HasSecrets(p.Type.Type())
	}
	secrets := l.b.NewReach(func(s bind.Declared) bool {
		a, ok := s.(*bind.ParamAssign)
		if ok {
			_, ok = secure(a)
		}
		return ok
	})
	for _, a := range l.b.ParamAssigns {
		if known, secret := secure(a); !known || secret {
			continue
		}
		var names []string
		for _, s := range secrets.From(a) {
			names = append(names, s.Name())
		}
		if len(names) > 0 {
			l.add(a.Stmt.Value.Span(), a.Name(), strings.Join(names, ", "))
		}
	}
}

// protectCommand finds secrets in the commands of virtual machines, where everyone can read them.
func (l *linter) protectCommand() {
	for _, r := range l.analysis.Resources.Declared() {
		if !r.IsAz() || !hasSuffixFold(r.TypeRef().Type, "/extensions") {
			continue
		}
		properties := objectAt(r, "properties")
		if properties == nil {
			continue
		}
		command := deepProperty(properties, "settings", "commandToExecute")
		if command == nil {
			continue
		}
		kind, _ := literalOf(properties.PropertyValue("type"))
		publisher, _ := literalOf(properties.PropertyValue("publisher"))
		if !runsScripts(publisher, kind) {
			continue
		}
		if found := l.secretsIn(command.Value); len(found) > 0 {
			l.add(command.Key.Span(), found[0].what)
		}
	}
}

func runsScripts(publisher, kind string) bool {
	for _, e := range [...][2]string{
		{"Microsoft.Azure.Extensions", "CustomScript"},
		{"Microsoft.Compute", "CustomScriptExtension"},
		{"Microsoft.OSTCExtensions", "CustomScriptForLinux"},
	} {
		if strings.EqualFold(e[0], publisher) && strings.EqualFold(e[1], kind) {
			return true
		}
	}
	return false
}

// objectAt returns a property of a resource's body that is written out, or nil.
func objectAt(r *resources.Resource, name string) *syntax.Object {
	body := syntax.Body(r.Symbol.Stmt.Value)
	if body == nil {
		return nil
	}
	o, _ := body.PropertyValue(name).(*syntax.Object)
	return o
}

// adminUsername finds names of administrators that are in the source.
func (l *linter) adminUsername() {
	suspect := false
	for _, p := range l.properties {
		name, _ := p.KeyName()
		suspect = suspect || strings.EqualFold(name, "adminusername")
	}
	if !suspect {
		return
	}
	for _, r := range l.resources {
		if l.isNested(r) {
			continue // seen with the one that holds it
		}
		l.adminNames(r)
	}
}

func (l *linter) adminNames(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		p, ok := n.(*syntax.Property)
		if !ok {
			return true
		}
		name, ok := p.KeyName()
		if !ok || !strings.EqualFold(name, "adminusername") {
			return true
		}
		if _, ok := l.literal(p.Value); ok {
			l.add(p.Value.Span())
		}
		return false
	})
}

func (l *linter) isNested(r *syntax.Resource) bool {
	_, ok := l.m.Parent(r).(*syntax.Object)
	return ok
}

// secureValue finds properties that hold secrets and are given values that are not.
func (l *linter) secureValue() {
	for _, r := range l.analysis.Resources.Declared() {
		body := syntax.Body(r.Symbol.Stmt.Value)
		if body == nil {
			continue
		}
		l.m.Tree().Walk(body, func(n syntax.Node) bool {
			p, ok := n.(*syntax.Property)
			if !ok {
				return true
			}
			declared := l.m.DeclaredType(p)
			if declared == nil || !declared.Flags().Has(types.IsSecure) || !exposes(l.m.TypeOf(p.Value)) {
				return true
			}
			if deploytime.IsDeployTimeConstant(l.m, p) {
				name, _ := p.KeyName()
				l.add(p.Value.Span(), name, l.m.TypeOf(p.Value).String())
			}
			return true
		})
	}
}

// exposes reports whether a value of the type could be a secret that is not marked as one.
func exposes(t types.Type) bool {
	switch t := t.(type) {
	case *types.Error, *types.NullType:
		return false
	case *types.StringLiteral:
		if t.Value == "" {
			return false
		}
	case *types.Union:
		return slices.ContainsFunc(t.Members, func(m types.Ref) bool { return exposes(m.Type()) })
	}
	return !t.Flags().Has(types.IsSecure)
}
