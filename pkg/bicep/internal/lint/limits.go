package lint

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// A deployment refuses templates that hold more than this.
const (
	mostParams    = 256
	mostVariables = 512
	mostResources = 800
	mostOutputs   = 64
	mostAsserts   = 32
)

func (l *linter) limit(count, most int, first func() source.Span) {
	if count > most {
		l.add(first(), count, most)
	}
}

func (l *linter) maxAsserts() {
	l.limit(len(l.b.Asserts), mostAsserts, func() source.Span { return l.b.Asserts[0].NameSpan() })
}

func (l *linter) maxOutputs() {
	l.limit(len(l.b.Outputs), mostOutputs, func() source.Span { return l.b.Outputs[0].NameSpan() })
}

func (l *linter) maxParams() {
	l.limit(len(l.b.Params), mostParams, func() source.Span { return l.b.Params[0].NameSpan() })
}

func (l *linter) maxResources() {
	list := l.analysis.Resources.Declared()
	l.limit(len(list), mostResources, func() source.Span {
		for _, r := range list {
			if r.Parent == nil {
				return r.Symbol.NameSpan()
			}
		}
		return list[0].Symbol.NameSpan()
	})
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
