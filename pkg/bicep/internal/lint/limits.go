package lint

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
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
	list := l.m.DeclaredResources()
	l.limit(len(list), mostResources, func() source.Span {
		for _, r := range list {
			if r.Parent == nil {
				return r.Symbol.NameSpan()
			}
		}
		return list[0].Symbol.NameSpan()
	})
}

// maxVariables counts those that imports bring too. A file that only exports
// them is no template, so that the limit does not matter there.
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

// nestedScoping refuses names of this file in templates that are written out in
// a deployment resource and evaluated on their own.
func (l *linter) nestedScoping() {
	symbolic := l.facts.Settings().Symbolic
	for _, r := range l.m.DeclaredResources() {
		if !r.IsAz() || !isDeployment(r.TypeRef().Type) {
			continue
		}
		body := syntax.Body(r.Symbol.Stmt.Value)
		if body == nil {
			continue
		}
		properties := foldedObject(body, "properties")
		if properties == nil {
			continue
		}
		template := foldedProperty(properties, "template")
		if template == nil {
			continue
		}
		inner := symbolic
		if options := foldedObject(properties, "expressionEvaluationOptions"); options != nil {
			if scope := foldedProperty(options, "scope"); scope != nil {
				if text, ok := l.literal(scope.Value); ok && equalFold(text, "inner") {
					inner = true
				}
			}
		}
		if inner {
			l.namesIn(template.Value)
		}
	}
}

// namesIn reports each use of a declaration of the file; those within a body,
// such as a loop's item, do not count.
func (l *linter) namesIn(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.VarRef, *syntax.Call:
			switch s := l.b.Symbol(n).(type) {
			case *bind.Resource:
				if !l.isNested(s.Stmt) {
					l.add(n.Span(), s.Name())
				}
			case *bind.Param, *bind.Var, *bind.Module, *bind.Func, *bind.ImportedVar, *bind.ImportedFunc,
				*bind.WildcardImport, *bind.ExtensionNamespace:
				l.add(n.Span(), s.Name())
			}
		}
		return true
	})
}

func foldedObject(o *syntax.Object, name string) *syntax.Object {
	p := foldedProperty(o, name)
	if p == nil {
		return nil
	}
	object, _ := p.Value.(*syntax.Object)
	return object
}
