package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/armtemplate"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
)

// ARM is an ARM template, or the one in a template spec, as a Template.
type ARM struct {
	*armtemplate.Model
	params  []*Parameter
	index   map[string]*Parameter
	outputs []*Output
}

func newARM(_ *Program, f *graph.File) Template {
	a := &ARM{Model: armtemplate.New(f), index: map[string]*Parameter{}}
	for _, p := range a.Model.Parameters() {
		q := &Parameter{p.Name, p.Type, p.Required, p.Description}
		a.params = append(a.params, q)
		a.index[p.Name] = q
	}
	for _, o := range a.Model.Outputs() {
		a.outputs = append(a.outputs, &Output{o.Name, o.Type, o.Description, o.Secure})
	}
	return a
}

// Parameters returns the parameters in the ordinal order of their names.
func (a *ARM) Parameters() []*Parameter { return a.params }

// Parameter returns the parameter of that name, or nil.
func (a *ARM) Parameter(name string) *Parameter { return a.index[name] }

// Outputs returns the outputs as the template orders them.
func (a *ARM) Outputs() []*Output { return a.outputs }

// Extensions returns the extensions in the ordinal order of their aliases.
func (a *ARM) Extensions() []*ExtensionInfo {
	var list []*ExtensionInfo
	for _, x := range a.Model.Extensions() {
		list = append(list, &ExtensionInfo{Alias: x.Alias, Name: x.Name, Version: x.Version})
	}
	return list
}
