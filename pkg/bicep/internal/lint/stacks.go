package lint

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// stacksExtensions checks that configurations of extensions refer to their secrets, as deployment
// stacks require, and to nothing else. Its findings keep their level: the configuration can only
// turn the rule off.
func (l *linter) stacksExtensions() {
	if !l.m.Features().ModuleExtensionConfigs {
		return
	}
	for _, e := range l.b.Extensions {
		l.withClause(e.Stmt.With)
	}
	for _, m := range l.b.Modules {
		body := syntax.Body(m.Stmt.Value)
		// A loop with a mistake in its body is a list of modules all the same.
		if _, bad := l.m.TypeOf(m.Stmt).(*types.Error); body == nil || bad && !syntax.IsLoop(m.Stmt.Value) {
			continue
		}
		all, ok := body.PropertyValue("extensionConfigs").(*syntax.Object)
		if !ok {
			continue
		}
		for _, item := range all.Items {
			p, ok := item.(*syntax.Property)
			if !ok {
				continue
			}
			if _, ok := l.m.DeclaredType(p).(*types.Object); ok {
				l.configs(p.Value)
			}
		}
	}
	for _, c := range l.b.ExtensionConfigs {
		l.withClause(c.Stmt.With)
	}
}

func (l *linter) withClause(w *syntax.WithClause) {
	if w == nil {
		return
	}
	if _, bad := l.m.TypeOf(w.Config).(*types.Error); !bad {
		l.configs(w.Config)
	}
}

// configs looks at the properties of one extension's configuration.
func (l *linter) configs(x syntax.Expr) {
	o, ok := x.(*syntax.Object)
	if !ok {
		return
	}
	for _, item := range o.Items {
		p, ok := item.(*syntax.Property)
		if !ok {
			continue
		}
		t := l.m.DeclaredType(p)
		if t == nil {
			continue
		}
		if _, bad := t.(*types.Error); bad {
			continue
		}
		if bare := types.RemoveNullability(t); bare != nil {
			t = bare
		}
		secret := t.Flags().Has(types.IsSecure)
		problem := ""
		switch refers := l.isVaultCall(p.Value) || l.inherits(p.Value); {
		case secret && !refers:
			problem = "this property holds a secret, which must be a reference to a Key Vault"
		case !secret && refers:
			problem = "this property holds no secret, so that it cannot be a reference to a Key Vault"
		default:
			continue
		}
		l.sink(l.rule.At(p.Value.Span(), problem))
	}
}

func (l *linter) isVaultCall(x syntax.Expr) bool {
	c, ok := x.(*syntax.InstanceCall)
	if !ok || c.Name.Name != "getSecret" {
		return false
	}
	switch s := l.m.Symbol(c.X).(type) {
	case *bind.Resource:
		r := l.analysis.Resources.At(s.Stmt)
		return r != nil && strings.EqualFold(r.TypeRef().Type, "Microsoft.KeyVault/vaults")
	case *bind.BuiltInNamespace:
		return s.Name() == "az"
	}
	return false
}

// inherits reports whether x is a secret of this file's own configuration of an extension.
func (l *linter) inherits(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Paren:
		return l.inherits(x.X)
	case *syntax.Ternary:
		return l.inherits(x.Then) && l.inherits(x.Else)
	case syntax.Access:
		s, ok := l.m.DeclaredType(x).(*types.String)
		if !ok || !s.Flags().Has(types.IsSecure) {
			return false
		}
		middle, ok := x.Base().(syntax.Access)
		if !ok || accessName(middle) != "config" {
			return false
		}
		_, ok = l.m.Symbol(middle.Base()).(*bind.ExtensionNamespace)
		return ok
	}
	return false
}

func accessName(a syntax.Access) string {
	switch a := a.(type) {
	case *syntax.PropertyAccess:
		return a.Name.Name
	case *syntax.Index:
		name, _ := literalOf(a.Index)
		return name
	}
	return ""
}
