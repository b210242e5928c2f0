package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file finds the declared types of resources, modules and tests.

// declaredResource is the type that a resource's statement states.
func (m *Model) declaredResource(n *syntax.Resource) types.Type {
	s, ok := n.Type.(*syntax.String)
	if !ok && n.Type != nil && !m.Has(release.MalformedTypes) {
		return errorType(diag.BCP029.At(n.Type.Span()))
	}
	if !ok {
		return silentError // the parser has reported it
	}
	text, ok := s.Literal()
	if !ok {
		return errorType(diag.BCP047.At(n.Type.Span()))
	}
	flags, parent := m.generationFlags(n)
	return m.resourceTypes.At(n.Type.Span(), text, flags, parent)
}

// generationFlags say how a resource is used, and which resource is its parent.
func (m *Model) generationFlags(n *syntax.Resource) (types.GenerationFlags, *types.Resource) {
	var flags types.GenerationFlags
	var parent types.Type
	if outer := m.binding.EnclosingResource(n); outer != nil {
		flags |= types.NestedResource | types.HasParentDefined
		parent = m.DeclaredType(outer)
	} else if s, ok := m.bound(n).(*bind.Resource); ok && !m.binding.IsCyclic(s) {
		if ref := syntax.Body(n.Value).PropertyValue("parent"); ref != nil {
			base := ref
			if i, ok := ref.(*syntax.Index); ok {
				base = i.X
			}
			if _, ok := m.bound(base).(*bind.Resource); ok {
				flags |= types.HasParentDefined
				parent = m.DeclaredType(ref)
			}
		}
	}
	if n.IsExisting() {
		flags |= types.ExistingResource
	}
	if m.features.RuntimeValuesInTagsAndSku {
		flags |= types.PermitRuntimeValuesInTagsAndSku
	}
	if !m.Has(release.Placement) {
		flags |= types.WithoutPlacement
	}
	if !m.Has(release.EarlyIdentifiers) {
		flags |= types.LateIdentifiers
	}
	r, _ := parent.(*types.Resource)
	return flags, r
}

// reference returns the file that a statement names, or the error why there is none.
func (m *Model) reference(n syntax.Node, wrongKind diag.Kind) (Signature, types.Type) {
	r := m.file.Reference(n)
	switch {
	case r == nil:
		return nil, silentError
	case r.Problem != nil:
		return nil, errorType(r.Problem.At(r.Span()))
	case r.File == nil:
		return nil, silentError
	case r.File.Kind == graph.Params:
		return nil, errorType(wrongKind.At(r.Span()))
	}
	return m.program.Signature(r.File), nil
}

// declaredModule returns the type of a module: its parameters, outputs and other properties.
func (m *Model) declaredModule(n *syntax.Module) types.Type {
	if _, ok := m.bound(n).(*bind.Module); !ok {
		return silentError
	}
	t, failed := m.reference(n, diag.BCP277)
	if t == nil {
		return failed
	}
	scope := t.TargetScope()
	scopeFlags := types.WriteOnly | types.DeployTimeConstant | types.ReadableAtDeployTime | types.DisallowAny | types.LoopVariant
	if scope != m.binding.TargetScope {
		scopeFlags |= types.Required
	}
	props := []types.Property{
		{Name: "name", Type: types.DeploymentName(), Flags: types.DeployTimeConstant | types.ReadableAtDeployTime | types.LoopVariant},
		{Name: "scope", Type: &types.ScopeReference{Scope: scope}, Flags: scopeFlags},
		paramsProperty(t, func(p *Parameter) types.Type { return m.moduleParam(n, p) }),
		{Name: "outputs", Type: types.NewObject("outputs", 0, m.moduleOutputs(n, t), nil), Flags: types.ReadOnly},
		{Name: "dependsOn", Type: types.TDependsOn, Flags: types.WriteOnly | types.DisallowAny},
		{Name: "identity", Type: types.TIdentity, Flags: types.DeployTimeConstant},
	}
	if m.features.ModuleExtensionConfigs {
		props = append(props, extensionConfigsProperty(t))
	}
	return &types.Module{Name: "module", ParentScopes: scope, Body: types.NewObject("module", 0, props, nil)}
}

// paramsProperty is the property `params` of a module or a test.
func paramsProperty(t Signature, typeOf func(*Parameter) types.Type) types.Property {
	var params []types.Property
	needed := types.PropertyFlags(0)
	for _, p := range t.Parameters() {
		prop := types.Property{Name: p.Name, Type: typeOf(p), Flags: types.WriteOnly}
		if p.Required {
			prop.Flags |= types.Required
			needed = types.Required
		}
		params = append(params, prop)
	}
	return types.Property{Name: "params", Type: types.NewObject("params", 0, params, nil), Flags: needed | types.WriteOnly}
}

// moduleParam returns the type of a value for a parameter of a module. A resource is given by its
// ID. A parameter that is not required may be null, which means its default.
func (m *Model) moduleParam(n *syntax.Module, p *Parameter) types.Type {
	t := p.Type.Type()
	if u, ok := t.(*types.ResourceParam); ok && u.Namespace == nil {
		if r, ok := m.resourceTypes.At(n.Span(), u.TypeRef.Name(), types.ExistingResource, nil).(*types.Resource); ok {
			t = &types.ResourceParam{Namespace: r.Namespace, TypeRef: u.TypeRef}
		}
	} else {
		t = m.ResolveDerived(t)
	}
	if !p.Required {
		t = types.Nullable(t)
	}
	return t
}

// moduleOutputs returns the properties that can be read from a module.
func (m *Model) moduleOutputs(n *syntax.Module, t Signature) (outputs []types.Property) {
	for _, o := range t.Outputs() {
		ot := o.Type.Type()
		if u, ok := ot.(*types.ResourceParam); ok && u.Namespace == nil {
			ot = m.resourceTypes.At(n.Span(), u.TypeRef.Name(), types.ExistingResource, nil)
		} else {
			ot = m.ResolveDerived(ot)
		}
		outputs = append(outputs, types.Property{Name: o.Name, Type: ot, Flags: types.ReadOnly})
	}
	return outputs
}

// extensionConfigsProperty is the `extensionConfigs` of a module.
func extensionConfigsProperty(t Signature) types.Property {
	var configs []types.Property
	needed := types.PropertyFlags(0)
	for _, e := range t.Extensions() {
		if e.Assignment == nil {
			continue
		}
		p := types.Property{Name: e.Alias, Type: e.Assignment, Flags: types.WriteOnly}
		if e.NeedsAssignment() {
			p.Flags |= types.Required
			needed = types.Required
		}
		configs = append(configs, p)
	}
	return types.Property{
		Name: "extensionConfigs", Type: types.NewObject("extensionConfigs", 0, configs, nil), Flags: needed | types.WriteOnly,
	}
}

// declaredTest returns the type of a test: the parameters that it gives to its template.
func (m *Model) declaredTest(n *syntax.Test) types.Type {
	if _, ok := m.bound(n).(*bind.Test); !ok {
		return silentError
	}
	t, failed := m.reference(n, diag.BCP277)
	if t == nil {
		return failed
	}
	body := types.NewObject("test", 0, []types.Property{
		paramsProperty(t, func(p *Parameter) types.Type { return p.Type.Type() }),
	}, nil)
	return &types.Test{Name: "test", Body: body}
}
