package check

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// This file makes *Model a Signature: what a Bicep file offers to others.

// offered returns the type of a parameter or output as other files see it. For a resource that is
// only its resource type.
func offered(t types.Type) types.Type {
	if r, ok := t.(*types.Resource); ok {
		return &types.ResourceParam{TypeRef: r.TypeRef}
	}
	return t
}

// namedList is a list of things with unique names.
type namedList[T any] struct {
	list   []T
	byName map[string]T
}

// add adds a thing unless there is one of that name.
func (l *namedList[T]) add(name string, x T) {
	if _, ok := l.byName[name]; ok {
		return
	}
	if l.byName == nil {
		l.byName = map[string]T{}
	}
	l.byName[name] = x
	l.list = append(l.list, x)
}

// sort puts the list in the ordinal order of the names.
func (l *namedList[T]) sort(name func(T) string) {
	slices.SortFunc(l.list, func(a, b T) int { return types.CompareOrdinal(name(a), name(b)) })
}

// Parameters returns the parameters in the ordinal order of their names. Of
// several of one name the first counts.
func (m *Model) Parameters() []*Parameter { return m.params.Get(m.findParameters).list }

// Parameter returns the parameter of that name, or nil.
func (m *Model) Parameter(name string) *Parameter {
	return m.params.Get(m.findParameters).byName[name]
}

func (m *Model) findParameters() (found namedList[*Parameter]) {
	for _, s := range m.binding.Params {
		t := m.symbolType(s)
		_, optional := s.Stmt.Type.(*syntax.NullableType)
		found.add(s.Name(), &Parameter{
			Name:     s.Name(),
			Type:     offered(t),
			Required: s.Stmt.Default == nil && !(optional && m.Has(release.OptionalAny)) && !types.IsNullable(t),
		})
	}
	found.sort(func(p *Parameter) string { return p.Name })
	return found
}

// Outputs returns the outputs in the order of the source. Of several of one name
// the first counts.
func (m *Model) Outputs() []*Output { return m.outputs.Get(m.findOutputs).list }

func (m *Model) findOutputs() (found namedList[*Output]) {
	for _, s := range m.binding.Outputs {
		t := m.symbolType(s)
		_, isResource := t.(*types.Resource)
		found.add(s.Name(), &Output{Name: s.Name(), Type: offered(t), Secure: !isResource && types.HasSecrets(t)})
	}
	return found
}

// Exports returns what can be imported, in the ordinal order of the names. Of
// several of one name the first counts: types before variables before functions.
func (m *Model) Exports() []*bind.Export { return m.exports.Get(m.findExports).list }

// FindExport returns the export of that name, or nil.
func (m *Model) FindExport(name string) *bind.Export {
	return m.exports.Get(m.findExports).byName[name]
}

func (m *Model) findExports() (found namedList[*bind.Export]) {
	for _, s := range m.binding.Types {
		if m.IsExported(s.Stmt) {
			found.add(s.Name(), &bind.Export{Kind: bind.ExportType, Name: s.Name(), Type: m.symbolType(s)})
		}
	}
	for _, s := range m.binding.Vars {
		if m.IsExported(s.Stmt) {
			text, _ := m.Description(s.Stmt)
			found.add(s.Name(), &bind.Export{Kind: bind.ExportVar, Name: s.Name(), Type: m.symbolType(s), Description: text})
		}
	}
	for _, s := range m.binding.Funcs {
		if m.IsExported(s.Stmt) {
			o := m.userFunction(s)
			e := &bind.Export{Kind: bind.ExportFunc, Name: s.Name(), Return: o.Return}
			params := make([]types.Ref, len(o.Params))
			for i, p := range o.Params {
				params[i] = p.Type
				e.Params = append(e.Params, bind.ExportedParam{Name: p.Name, Type: p.Type})
			}
			e.Type = types.NewLambda(params, nil, o.Return)
			found.add(s.Name(), e)
		}
	}
	found.sort(func(e *bind.Export) string { return e.Name })
	return found
}

// Extensions returns the extensions in the ordinal order of their names.
func (m *Model) Extensions() []*ExtensionInfo { return m.extensions.Get(m.findExtensions).list }

func (m *Model) findExtensions() (found namedList[*ExtensionInfo]) {
	for _, s := range m.binding.Extensions {
		ns := bind.NamespaceType(s)
		if ns == nil {
			continue
		}
		e := &ExtensionInfo{Alias: ns.Name}
		if c := ns.Settings.Config; c != nil {
			var defaults *types.Object
			if obj := withObject(s.Stmt.With); obj != nil {
				defaults, _ = m.TypeOf(obj).(*types.Object)
			}
			e.Assignment = types.ExtensionConfigAssignment(c, defaults)
		}
		found.add(s.Name(), e)
	}
	found.sort(func(e *ExtensionInfo) string { return e.Alias })
	return found
}
