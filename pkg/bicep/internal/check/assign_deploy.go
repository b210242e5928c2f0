package check

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file checks the statements that deploy something: resources and modules,
// and the tests of templates.

func (m *Model) assignResource(n *syntax.Resource) types.Type {
	declared := m.declaredAndDecorators(n)
	single := types.UnwrapArray(declared)
	if types.IsError(single) {
		return single
	}
	r, ok := single.(*types.Resource)
	if !ok {
		return m.narrowResource(m.sink, n.Value, declared)
	}
	m.checkResourceType(n, r)
	t := m.narrowResource(m.sink, n.Value, declared)
	m.checkTopLevel(n, r)
	return t
}

// checkTopLevel reports properties that no resource of Azure has, if the library that lists the
// properties is not available: misspelt ones, the parent of a resource that is not a child, and
// properties that an existing resource cannot have.
func (m *Model) checkTopLevel(n *syntax.Resource, r *types.Resource) {
	t, ok := r.Body.Type().(*types.Object)
	body := syntax.Body(n.Value)
	if !ok || body == nil || !r.IsAz() || t.Additional == nil || types.IsError(m.TypeOf(body)) || m.HasParseErrors(body) {
		return
	}
	for _, item := range body.Items {
		p, ok := item.(*syntax.Property)
		if !ok {
			continue
		}
		name, ok := p.KeyName()
		if !ok || t.Property(name) != nil || name == "etag" {
			continue
		}
		var names []string
		for i := range t.Properties() {
			q := &t.Properties()[i]
			if !q.Flags.Has(types.ReadOnly) && !q.Flags.Has(types.FallbackProperty) && body.Property(q.Name) == nil {
				names = append(names, q.Name)
			}
		}
		if s := types.Guess(name, names); s.Name != "" {
			m.report(diag.BCP089.At(p.Key.Span(), name, t.String(), s))
		} else if n.IsExisting() || name == "parent" {
			m.report(diag.BCP037.At(p.Key.Span(), name, "", t.String(), "", ""))
		}
	}
}

func (m *Model) checkResourceType(n *syntax.Resource, r *types.Resource) {
	if !m.resourceTypes.IsDefined(r) {
		if r.IsAz() && hasProvidersSegment(r.TypeRef.Segments) {
			m.report(diag.BCP174.At(n.Type.Span()))
		} else {
			m.report(diag.BCP081.At(n.Type.Span(), r.TypeRef.Name()))
		}
	}
	if !n.IsExisting() && r.ResourceFlags&types.ResourceReadOnly != 0 {
		m.report(diag.BCP245.At(n.Type.Span(), r.TypeRef.Name()))
	}
	if n.IsExisting() && r.ResourceFlags&types.ResourceWriteOnly != 0 {
		m.report(diag.BCP441.At(n.Type.Span(), r.TypeRef.Name()))
	}
}

// hasProvidersSegment finds types that were made of an extension resource's ID.
func hasProvidersSegment(segments []string) bool {
	for i, s := range segments {
		if i > 1 && i < len(segments)-1 && strings.EqualFold(s, "providers") {
			return true
		}
	}
	return false
}

func (m *Model) assignModule(n *syntax.Module) types.Type {
	declared := m.declaredAndDecorators(n)
	single := types.UnwrapArray(declared)
	if types.IsError(single) {
		return single
	}
	if mod, ok := single.(*types.Module); ok {
		m.checkModuleResources(n, mod)
	}
	if t := m.Referenced(n); t != nil {
		m.checkReferenced(t, n.Path)
		for _, p := range t.Parameters() {
			m.resourceTypes.Check(p.Type, n.Path.Span(), m.sink)
		}
		for _, o := range t.Outputs() {
			m.resourceTypes.Check(o.Type, n.Path.Span(), m.sink)
		}
	}
	return m.narrow(m.sink, n.Value, declared)
}

// checkReferenced reports a file that has errors where it is used.
func (m *Model) checkReferenced(t Signature, at syntax.Node) {
	if !t.HasErrors() {
		return
	}
	if t.File().Kind == graph.ARMTemplate {
		m.report(diag.BCP188.At(at.Span()))
	} else {
		m.report(diag.BCP104.At(at.Span()).Follows())
	}
}

// checkModuleResources reports resource types of a module's parameters and
// outputs that are unknown here.
func (m *Model) checkModuleResources(n *syntax.Module, mod *types.Module) {
	body, ok := mod.Body.Type().(*types.Object)
	if !ok {
		return
	}
	check := func(ns *types.Namespace, ref *types.ResourceTypeReference) {
		if !m.features.ResourceTypedParamsOutputs {
			m.report(diag.BCP231.At(n.Path.Span()))
		}
		if ns == nil || !ns.Resources.HasDefinedType(ref) {
			m.report(diag.BCP230.At(n.Path.Span(), ref.Name()))
		}
	}
	for _, section := range [...]string{"params", "outputs"} {
		p := body.Property(section)
		if p == nil {
			continue
		}
		o, ok := p.Type.Type().(*types.Object)
		if !ok {
			continue
		}
		for i := range o.Properties() {
			switch t := o.Properties()[i].Type.Type().(type) {
			case *types.ResourceParam:
				if section == "params" {
					check(t.Namespace, t.TypeRef)
				}
			case *types.Resource:
				if section == "outputs" {
					check(t.Namespace, t.TypeRef)
				}
			}
		}
	}
}

func (m *Model) assignTest(n *syntax.Test) types.Type {
	declared := m.declaredAndDecorators(n)
	if single := types.UnwrapArray(declared); types.IsError(single) {
		return single
	}
	if t := m.Referenced(n); t != nil {
		m.checkReferenced(t, n.Path)
	}
	return m.narrow(m.sink, n.Value, declared)
}
