package check

import (
	"sort"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file is what a Bicep file offers to others: *Model as a Template.

// offered turns the type of a parameter or output into what others see of it: of
// a resource, only which type it is.
func offered(t types.Type) types.Type {
	if r, ok := t.(*types.Resource); ok {
		return &types.ResourceParam{TypeRef: r.TypeRef}
	}
	return t
}

// Parameters returns the parameters in the ordinal order of their names. Of
// several of one name the first counts.
func (m *Model) Parameters() []*Parameter {
	if m.paramsOK {
		return m.params
	}
	m.paramsOK = true
	m.paramIndex = make(map[string]*Parameter, len(m.binding.Params))
	for _, s := range m.binding.Params {
		if m.paramIndex[s.Name()] != nil {
			continue
		}
		t := m.symbolType(s)
		_, optional := s.Stmt.Type.(*syntax.NullableType)
		p := &Parameter{
			Name:        s.Name(),
			Type:        offered(t),
			Required:    s.Stmt.Default == nil && !optional && !types.IsNullable(t),
			Description: m.Description(s.Stmt),
		}
		m.paramIndex[p.Name] = p
		m.params = append(m.params, p)
	}
	sort.Slice(m.params, func(i, j int) bool { return types.CompareOrdinal(m.params[i].Name, m.params[j].Name) < 0 })
	return m.params
}

// Parameter returns the parameter of that name, or nil.
func (m *Model) Parameter(name string) *Parameter {
	m.Parameters()
	return m.paramIndex[name]
}

// Outputs returns the outputs in the order of the source.
func (m *Model) Outputs() []*Output {
	if m.outputsOK {
		return m.outputs
	}
	m.outputsOK = true
	seen := map[string]bool{}
	for _, s := range m.binding.Outputs {
		if seen[s.Name()] {
			continue
		}
		seen[s.Name()] = true
		t := m.symbolType(s)
		o := &Output{Name: s.Name(), Type: offered(t), Description: m.Description(s.Stmt)}
		if _, ok := t.(*types.Resource); !ok {
			o.Secure = types.HasSecrets(t)
		}
		m.outputs = append(m.outputs, o)
	}
	return m.outputs
}

// Exports returns what can be imported, in the ordinal order of the names. Of
// several of one name the first counts: types before variables before functions.
func (m *Model) Exports() []*bind.Export {
	if m.exportsOK {
		return m.exports
	}
	m.exportsOK = true
	m.exportIndex = map[string]*bind.Export{}
	add := func(e *bind.Export) {
		if m.exportIndex[e.Name] == nil {
			m.exportIndex[e.Name] = e
			m.exports = append(m.exports, e)
		}
	}
	for _, s := range m.binding.Types {
		if m.IsExported(s.Stmt) {
			add(&bind.Export{Kind: bind.ExportType, Name: s.Name(), Type: m.symbolType(s), Description: m.Description(s.Stmt)})
		}
	}
	for _, s := range m.binding.Vars {
		if m.IsExported(s.Stmt) {
			e := &bind.Export{Kind: bind.ExportVar, Name: s.Name(), Type: m.symbolType(s), Description: m.Description(s.Stmt)}
			if t := m.DeclaredType(s.Stmt); t != nil {
				e.Declared = t
			}
			add(e)
		}
	}
	for _, s := range m.binding.Funcs {
		if m.IsExported(s.Stmt) {
			o := m.UserFunction(s)
			e := &bind.Export{Kind: bind.ExportFunc, Name: s.Name(), Description: m.Description(s.Stmt), Return: o.Return}
			params := make([]types.Ref, len(o.Params))
			for i, p := range o.Params {
				params[i] = p.Type
				e.Params = append(e.Params, bind.ExportedParam{Name: p.Name, Type: p.Type, Description: p.Description})
			}
			e.Type = types.NewLambda(params, nil, o.Return)
			add(e)
		}
	}
	sort.Slice(m.exports, func(i, j int) bool { return types.CompareOrdinal(m.exports[i].Name, m.exports[j].Name) < 0 })
	return m.exports
}

// FindExport returns the export of that name, or nil.
func (m *Model) FindExport(name string) *bind.Export {
	m.Exports()
	return m.exportIndex[name]
}

// Extensions returns the extensions in the ordinal order of their names.
func (m *Model) Extensions() []*ExtensionInfo {
	if m.extOK {
		return m.extensions
	}
	m.extOK = true
	seen := map[string]bool{}
	for _, s := range m.binding.Extensions {
		if seen[s.Name()] {
			continue
		}
		seen[s.Name()] = true
		ns := bind.NamespaceType(s)
		if ns == nil {
			continue
		}
		e := &ExtensionInfo{
			Alias: ns.Name, Name: ns.Settings.ExtensionName, Version: ns.Settings.TemplateVersion, Namespace: ns,
		}
		if obj := withObject(s.Stmt.With); obj != nil {
			e.Default, _ = m.TypeOf(obj).(*types.Object)
		}
		if c := ns.Settings.Config; c != nil {
			e.Assignment = types.ExtensionConfigAssignment(c, e.Default)
		}
		m.extensions = append(m.extensions, e)
	}
	sort.Slice(m.extensions, func(i, j int) bool {
		return types.CompareOrdinal(m.extensions[i].Alias, m.extensions[j].Alias) < 0
	})
	return m.extensions
}

// TemplateDescription returns the text of the file's `metadata description`.
func (m *Model) TemplateDescription() string {
	for _, s := range m.binding.Metadata {
		if s.Name() == "description" {
			if str, ok := s.Stmt.Value.(*syntax.String); ok {
				text, _ := str.Literal()
				return text
			}
			return ""
		}
	}
	return ""
}
