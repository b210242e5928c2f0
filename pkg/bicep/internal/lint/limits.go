package lint

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
)

// A deployment refuses templates that hold more than this.
const (
	mostParams    = 256
	mostVariables = 512
	mostResources = 800
	mostOutputs   = 64
	mostAsserts   = 32
)

func limit[D bind.Declared](l *linter, list []D, most int) {
	if len(list) > most {
		l.add(list[0].NameSpan(), len(list), most)
	}
}

func (l *linter) maxAsserts() { limit(l, l.b.Asserts, mostAsserts) }
func (l *linter) maxOutputs() { limit(l, l.b.Outputs, mostOutputs) }
func (l *linter) maxParams()  { limit(l, l.b.Params, mostParams) }

func (l *linter) maxResources() {
	list := l.analysis.Resources.Declared()
	if len(list) <= mostResources {
		return
	}
	first := max(0, slices.IndexFunc(list, func(r *resources.Resource) bool { return r.Parent == nil }))
	l.add(list[first].Symbol.NameSpan(), len(list), mostResources)
}

// maxVariables reports more variables than a template can have. Imported variables count
// too. A file that only exports variables is not a template, so the limit does not apply.
func (l *linter) maxVariables() {
	if len(l.b.Vars) == 0 || len(l.b.Vars)+l.importedVars() <= mostVariables {
		return
	}
	if len(l.b.Modules)+len(l.b.Resources)+len(l.b.Params)+len(l.b.Outputs) == 0 {
		for _, v := range l.b.Vars {
			if hasCall(v.Stmt, "export") {
				return
			}
		}
	}
	l.add(l.b.Vars[0].NameSpan(), len(l.b.Vars), mostVariables)
}

func (l *linter) importedVars() int {
	seen := map[bind.Symbol]bool{}
	for _, s := range l.b.ImportedVars {
		seen[s] = true
	}
	return len(seen)
}
