package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// This file is about parameter files: the template that they are for, and how
// their assignments fit it.

// emptySignature is the Signature of `using none`: a template without declarations.
type emptySignature struct{}

func (emptySignature) File() *graph.File                { return nil }
func (emptySignature) HasErrors() bool                  { return false }
func (emptySignature) Exports() []*bind.Export          { return nil }
func (emptySignature) FindExport(string) *bind.Export   { return nil }
func (emptySignature) TargetScope() types.ResourceScope { return types.ScopeNone }
func (emptySignature) Parameters() []*Parameter         { return nil }
func (emptySignature) Parameter(string) *Parameter      { return nil }
func (emptySignature) Outputs() []*Output               { return nil }
func (emptySignature) Extensions() []*ExtensionInfo     { return nil }

// Used returns the template that a parameter file is for. If it is not known,
// it returns the reason instead. `using none` is a template without parameters.
func (m *Model) Used() (Signature, []diag.Diagnostic) {
	u := m.binding.Using()
	if u == nil {
		return nil, []diag.Diagnostic{diag.BCP261.At(source.Span{})}
	}
	if _, ok := u.Path.(*syntax.None); ok {
		return emptySignature{}, nil
	}
	t, failed := m.reference(u, diag.BCP276)
	if t == nil {
		return nil, types.ErrorsOf(failed)
	}
	return t, nil
}

func (m *Model) declaredParamAssign(n *syntax.ParamAssign) declaredType {
	t, problems := m.Used()
	if t == nil {
		return declaredType{errorType(problems...), n}
	}
	p := t.Parameter(n.Name.Name)
	if p == nil {
		return declaredType{}
	}
	return declaredType{m.ResolveDerived(p.Type.Type()), n}
}

func (m *Model) declaredExtensionConfig(n *syntax.ExtensionConfig) declaredType {
	t, problems := m.Used()
	if t == nil {
		return declaredType{errorType(problems...), n}
	}
	if e := FindExtension(t, n.Alias.Name); e != nil && e.Assignment != nil {
		return declaredType{e.Assignment, n}
	}
	return declaredType{}
}

// FindExtension returns the extension of a template with that alias, or nil.
func FindExtension(t Signature, alias string) *ExtensionInfo {
	for _, e := range t.Extensions() {
		if e.Alias == alias {
			return e
		}
	}
	return nil
}

// baseParamsType is the type of `base`: the assignments of the files that this
// one extends.
func (m *Model) baseParamsType(s *bind.BaseParams) types.Type {
	if m.base == nil {
		m.base = anyType // for assignments that use it meanwhile
		if !m.Has(release.TypedBase) {
			return m.base
		}
		var props []types.Property
		seen := map[string]bool{}
		for _, p := range s.Parents {
			if seen[p.Name()] {
				continue
			}
			seen[p.Name()] = true
			props = append(props, types.Property{Name: p.Name(), Type: m.symbolType(p), Flags: types.ReadOnly})
		}
		m.base = types.NewObject("baseParameters", 0, props, nil)
	}
	return m.base
}
