package lint

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

func isDeployment(typ string) bool { return strings.EqualFold(typ, "Microsoft.Resources/deployments") }

// deploymentsResources finds nested deployments, for which there are modules.
func (l *linter) deploymentsResources() {
	for _, r := range l.analysis.Resources.Declared() {
		if r.IsAz() && isDeployment(r.TypeRef().Type) {
			l.add(r.Symbol.Stmt.Type.Span(), r.Symbol.Name())
		}
	}
}

// nestedScoping refuses names of this file in templates that are written out in
// a deployment resource and evaluated on their own.
func (l *linter) nestedScoping() {
	symbolic := l.ownSymbols()
	for _, r := range l.analysis.Resources.Declared() {
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
				if text, ok := l.literal(scope.Value); ok && strings.EqualFold(text, "inner") {
					inner = true
				}
			}
		}
		if inner {
			l.namesIn(template.Value)
		}
	}
}

// ownSymbols reports whether the template that is deployed names its resources. Nested deployments in it have scopes of their
// own, unless they say otherwise. That a template is also compiled with names, to be looked at, makes no difference.
func (l *linter) ownSymbols() bool {
	s := l.analysis.Settings()
	return s.Symbolic && !s.Forced
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

// secureInNested finds secrets in templates of nested deployments, where the deployment's history shows them.
func (l *linter) secureInNested() {
	if l.ownSymbols() {
		return
	}
	for _, r := range l.b.Resources {
		properties := l.outerDeployment(r)
		if properties == nil {
			continue
		}
		p := properties.Property("template")
		if p == nil {
			continue
		}
		if _, ok := p.Value.(*syntax.Object); !ok {
			continue
		}
		var names []string
		for _, param := range l.b.Params {
			if param.NameValid() && hasCall(param.Stmt, "secure") && len(l.b.Uses(r.Stmt, param)) > 0 {
				names = append(names, param.Name())
			}
		}
		if len(names) > 0 {
			l.add(r.NameSpan(), r.Name(), "the secure parameters "+strings.Join(names, ", "))
		}
		if call := l.listCallIn(r.Stmt); call != "" {
			l.add(r.NameSpan(), r.Name(), "a call of "+call)
		}
	}
}

func (l *linter) listCallIn(n syntax.Node) string {
	found := ""
	syntax.Walk(n, func(n syntax.Node) bool {
		if name, _, ok := syntax.CallName(n); ok && found == "" && strings.HasPrefix(name.Name, "list") && l.function(n, "az") != nil {
			found = name.Name
		}
		return found == ""
	})
	return found
}

// outerDeployment returns the properties of a deployment that is evaluated in the scope of this file.
func (l *linter) outerDeployment(r *bind.Resource) *syntax.Object {
	resource := l.analysis.Resources.At(r.Stmt)
	if resource == nil || !isDeployment(resource.TypeRef().Type) {
		return nil
	}
	body := syntax.Body(r.Stmt.Value)
	if body == nil {
		return nil
	}
	properties, ok := body.PropertyValue("properties").(*syntax.Object)
	if !ok {
		return nil
	}
	if scope := deepProperty(properties, "expressionEvaluationOptions", "scope"); scope != nil {
		if text, ok := literalOf(scope.Value); ok && strings.EqualFold(text, "inner") {
			return nil
		}
	}
	return properties
}
