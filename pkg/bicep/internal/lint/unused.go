package lint

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// unused reports a declaration that nothing else names.
func (l *linter) unused(d bind.Declared) {
	if d.NameValid() && !l.isUsed(d) {
		l.add(d.NameSpan(), d.Name())
	}
}

func unusedOf[D bind.Declared](l *linter, list []D) {
	for _, d := range list {
		l.unused(d)
	}
}

func (l *linter) unusedExisting() {
	for _, r := range l.b.Resources {
		if !r.Stmt.IsExisting() || holdsResources(r.Stmt) {
			continue
		}
		l.unused(r)
	}
}

func holdsResources(r *syntax.Resource) bool {
	body := syntax.Body(r.Value)
	if body == nil {
		return false
	}
	return slices.ContainsFunc(body.Items, func(item syntax.ObjectItem) bool { _, ok := item.(*syntax.Resource); return ok })
}

func (l *linter) unusedImports() {
	unusedOf(l, l.b.ImportedTypes)
	unusedOf(l, l.b.ImportedVars)
	unusedOf(l, l.b.ImportedFuncs)
	unusedOf(l, l.b.Wildcards)
}

func (l *linter) unusedParams() { unusedOf(l, l.b.Params) }

func (l *linter) unusedTypes() {
	for _, s := range l.b.Types {
		if !l.m.IsExported(s.Stmt) {
			l.unused(s)
		}
	}
}

func (l *linter) unusedVars() {
	for _, s := range l.b.Vars {
		if !l.m.IsExported(s.Stmt) {
			l.unused(s)
		}
	}
}
