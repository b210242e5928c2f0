package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file checks what comes from elsewhere: imports, extensions and their
// configuration.

func (m *Model) assignImportItem(n *syntax.ImportItem) types.Type {
	m.visitChildren(n)
	s, ok := m.bound(n).(bind.Imported)
	if !ok {
		return silentError
	}
	e := s.Exported()
	if e == nil || e.Type == nil {
		return silentError
	}
	m.resourceTypes.Check(e.Type, n.Span(), m.sink)
	return m.ResolveDerived(e.Type.Type())
}

// assignWildcardImport makes a namespace of what a file exports.
func (m *Model) assignWildcardImport(n *syntax.WildcardImport) types.Type {
	m.visitChildren(n)
	s, ok := m.bound(n).(*bind.WildcardImport)
	if !ok || s.From == nil {
		return silentError
	}
	var props []types.Property
	var funcs []*types.FunctionOverload
	star := n.Span()
	star.End = star.Start + 1
	for _, e := range s.From.Exports() {
		if e.Type == nil {
			continue
		}
		m.resourceTypes.Check(e.Type, star, m.sink)
		if e.Kind == bind.ExportFunc {
			funcs = append(funcs, m.exportedFunction(e))
			continue
		}
		props = append(props, types.Property{Name: e.Name, Type: m.ResolveDerived(e.Type.Type()), Flags: types.ReadOnly | types.Required})
	}
	name := s.Name()
	return types.NewNamespace(name, types.NamespaceSettings{
		Singleton: true, ExtensionName: name, TemplateName: name, TemplateVersion: "1.0.0",
	}, props, funcs, nil, nil, typelib.Empty{})
}

func (m *Model) assignExtension(n *syntax.Extension) types.Type {
	if m.IsParams() && !m.Has(release.ExtensionsInParams) {
		return errorType(diag.BCP337.At(n.Span()))
	}
	s, ok := m.bound(n).(*bind.ExtensionNamespace)
	if !ok {
		return silentError
	}
	ns, ok := s.Type.(*types.Namespace)
	if !ok {
		if s.Type != nil && types.IsError(s.Type) {
			return s.Type
		}
		return silentError
	}
	if m.features.ModuleExtensionConfigs && n.As == nil {
		if _, ok := n.Spec.(*syntax.String); ok {
			return errorType(diag.BCP423.At(n.Span()))
		}
	}
	m.checkDecorators(n, ns)
	config := ns.Settings.Config
	if obj := withObject(n.With); obj != nil {
		if config == nil {
			m.report(diag.BCP205.At(obj.Span(), ns.Settings.ExtensionName))
		} else {
			m.narrow(m.sink, obj, m.extensionTarget(config))
		}
	} else if n.With == nil && config != nil && !m.features.ModuleExtensionConfigs && requiresConfig(config) {
		m.report(diag.BCP206.At(n.Span(), ns.Settings.ExtensionName))
	}
	return ns
}

// extensionTarget returns the type that the configuration in a template is checked against. If
// modules can be configured from outside, no property is required.
func (m *Model) extensionTarget(config types.ObjectLike) types.Type {
	if !m.features.ModuleExtensionConfigs {
		return config
	}
	switch c := config.(type) {
	case *types.Object:
		return optional(c, "")
	case *types.DiscriminatedObject:
		return c.MapMembers(func(o *types.Object) *types.Object { return optional(o, c.Discriminator.Name) })
	}
	return config
}

// optional returns an object type of which no property is required, except one.
func optional(o *types.Object, except string) *types.Object {
	return o.MapProperties(func(p types.Property) types.Property {
		if except == "" || p.Name != except {
			p.Flags &^= types.Required
		}
		return p
	})
}

func requiresConfig(config types.Type) bool {
	o, ok := config.(*types.Object)
	if !ok {
		return true
	}
	for i := range o.Properties() {
		if o.Properties()[i].Flags.Has(types.Required) {
			return true
		}
	}
	return false
}

func withObject(w *syntax.WithClause) *syntax.Object {
	if w == nil {
		return nil
	}
	o, _ := w.Config.(*syntax.Object)
	return o
}

func (m *Model) assignExtensionConfig(n *syntax.ExtensionConfig) types.Type {
	if !m.features.ModuleExtensionConfigs {
		return errorType(diag.BCP337.At(n.Span()))
	}
	s, ok := m.bound(n).(*bind.ExtensionConfig)
	if !ok {
		return silentError
	}
	t := m.DeclaredType(n)
	m.visitChildren(n)
	if t == nil || types.IsError(t) {
		m.report(diag.BCP205.At(n.Alias.Span(), s.Name()))
		return silentError
	}
	if obj := withObject(n.With); obj != nil {
		m.narrow(m.sink, obj, t)
	} else if n.With == nil && requiresConfig(t) {
		m.report(diag.BCP206.At(n.Span(), s.Name()))
	}
	return t
}

func (m *Model) assignUsingWith(n *syntax.WithClause) types.Type {
	if _, ok := m.Parent(n).(*syntax.Using); !ok {
		m.visitChildren(n)
		return silentError
	}
	t := m.DeclaredType(n.Config)
	if t == nil {
		return silentError
	}
	return m.narrow(m.sink, n.Config, t)
}
