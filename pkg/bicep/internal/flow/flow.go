// Package flow finds what depends on what in a file: which resources a declaration needs (deps.go),
// which variables must be inlined (inline.go), which local variables an expression would lose if it
// moved (locals.go), and whether the template needs symbolic names (settings.go).
//
// Begin with Analyze. Each answer is computed when it is first asked for. The package reports
// nothing and changes nothing: lower acts on the answers, and lint and deploytime report.
package flow

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
)

// Analysis holds the results for one file. Each is computed when it is first asked for.
type Analysis struct {
	Model     *check.Model
	Resources *resources.Index
	binding   *bind.Binding

	settings     memo.Value[Settings]
	inlined      memo.Value[*Inlined]
	dependencies memo.Value[Dependencies]
}

// Analyze returns the analysis of a file. There is one for each model.
func Analyze(m *check.Model) *Analysis {
	return check.Memo(m, func() *Analysis { return &Analysis{Model: m, Resources: resources.IndexOf(m), binding: m.Binding()} })
}

// Settings returns the form of template that the file calls for.
func (f *Analysis) Settings() Settings {
	return f.settings.Get(func() Settings { return settingsOf(f.Model) })
}

// Inlined returns the symbols that the template cannot hold.
func (f *Analysis) Inlined() *Inlined {
	return f.inlined.Get(func() *Inlined { return findInlined(f) })
}

// Dependencies returns what every resource, module and variable of the file needs.
func (f *Analysis) Dependencies() Dependencies {
	return f.dependencies.Get(func() Dependencies { return findDependencies(f, false) })
}
