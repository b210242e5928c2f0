// Package flow finds what depends on what in a file: which resources a declaration
// needs, which variables must be inlined, which local variables an expression would
// lose if it moved, and whether the template needs symbolic names.
package flow

import (
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
)

// Analysis holds the results for one file. Each is computed when it is first asked for.
type Analysis struct {
	Model   *check.Model
	binding *bind.Binding

	settings sync.Once
	set      Settings
	inline   sync.Once
	inlined  Inlined
	deps     sync.Once
	needs    Dependencies
}

// Analyze returns the analysis of a file. There is one for each model.
func Analyze(m *check.Model) *Analysis {
	return m.Memo(memoKey{}, func() any { return &Analysis{Model: m, binding: m.Binding()} }).(*Analysis)
}

type memoKey struct{}

// Settings returns the form of template that the file calls for.
func (f *Analysis) Settings() Settings {
	f.settings.Do(func() { f.set = settingsOf(f.Model) })
	return f.set
}

// Inlined returns the symbols that the template cannot hold.
func (f *Analysis) Inlined() *Inlined {
	f.inline.Do(func() { f.inlined = findInlined(f) })
	return &f.inlined
}

// Dependencies returns what every resource, module and variable of the file needs.
func (f *Analysis) Dependencies() Dependencies {
	f.deps.Do(func() { f.needs = findDependencies(f, false) })
	return f.needs
}
