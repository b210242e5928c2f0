package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/armtemplate"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
)

// ARM is the Signature of an ARM template or a template spec.
type ARM struct {
	*armtemplate.Model
	index map[string]*Parameter
}

func newARM(f *graph.File, b *eval.Budget) Signature {
	a := &ARM{Model: armtemplate.New(f, b), index: map[string]*Parameter{}}
	for _, p := range a.Parameters() {
		a.index[p.Name] = p
	}
	return a
}

// Parameter returns the parameter of that name, or nil.
func (a *ARM) Parameter(name string) *Parameter { return a.index[name] }

// Extensions returns the extensions in the ordinal order of their aliases.
func (a *ARM) Extensions() []*ExtensionInfo {
	var list []*ExtensionInfo
	for _, alias := range a.Model.Extensions() {
		list = append(list, &ExtensionInfo{Alias: alias})
	}
	return list
}
