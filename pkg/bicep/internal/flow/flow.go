// Package flow answers what depends on what in a file: which resources a
// declaration needs, which variables can only be inlined, which locals a moved
// expression would lose, and which form of template all of this calls for.
package flow

import (
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
)

// Facts are the answers for one file. Each is worked out when it is first asked for.
type Facts struct {
	Model   *check.Model
	binding *bind.Binding

	settings sync.Once
	set      Settings
	inline   sync.Once
	inlined  Inlined
	deps     sync.Once
	needs    Dependencies
}

// Of returns the facts about a file. There is one set of them for each model.
func Of(m *check.Model) *Facts {
	return m.Memo(memoKey{}, func() any { return &Facts{Model: m, binding: m.Binding()} }).(*Facts)
}

type memoKey struct{}

// Settings returns the form of template that the file calls for.
func (f *Facts) Settings() Settings {
	f.settings.Do(func() { f.set = settingsOf(f.Model) })
	return f.set
}

// Inlined returns the symbols that the template cannot hold.
func (f *Facts) Inlined() *Inlined {
	f.inline.Do(func() { f.inlined = findInlined(f) })
	return &f.inlined
}

// Dependencies returns what every resource, module and variable of the file needs.
func (f *Facts) Dependencies() Dependencies {
	f.deps.Do(func() { f.needs = findDependencies(f, false) })
	return f.needs
}
