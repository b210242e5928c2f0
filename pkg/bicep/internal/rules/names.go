package rules

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// nameSegments counts the slashes in names: a child that stands alone has one
// for each level of its type, one with a parent has none.
func (c *checker) nameSegments() {
	for _, r := range c.m.DeclaredResources() {
		if !r.IsAz() {
			continue
		}
		name, ok := r.NameExpr().(*syntax.String)
		if !ok {
			continue
		}
		slashes := 0
		for _, s := range name.Segments {
			slashes += strings.Count(s, "/")
		}
		if len(c.m.Ancestors(r)) > 0 {
			if slashes > 0 {
				c.report(diag.BCP170.At(name.Span()))
			}
			continue
		}
		want := len(r.TypeRef().Segments) - 2
		// What fills a hole may have slashes of its own.
		if slashes > want || slashes < want && !name.Interpolated() {
			c.report(diag.BCP169.At(name.Span(), want))
		}
	}
}

// copyVariable refuses a variable named copy, which a template takes for its loops.
func (c *checker) copyVariable() {
	for _, v := range c.m.Binding().Vars {
		if strings.EqualFold(v.Name(), "copy") {
			c.report(diag.BCP239.At(v.NameSpan(), v.Name()))
			return
		}
	}
}

// namesByCase refuses names of one kind that differ only by case: a template
// does not tell them apart.
func (c *checker) namesByCase() {
	b := c.m.Binding()
	byCase(c, "parameters", b.Params)
	byCase(c, "variables", append(declaredList(b.Vars), declaredList(b.ImportedVars)...))
	byCase(c, "outputs", b.Outputs)
	byCase(c, "types", append(declaredList(b.Types), declaredList(b.ImportedTypes)...))
	byCase(c, "asserts", b.Asserts)
	byCase(c, "functions", append(declaredList(b.Funcs), declaredList(b.ImportedFuncs)...))
	for _, o := range c.objectTypes {
		var names []namedAt
		for _, m := range o.Members {
			if p, ok := m.(*syntax.TypeProperty); ok {
				if key, ok := p.KeyName(); ok {
					names = append(names, namedAt{key, p.Key.Span()})
				}
			}
		}
		c.clashes("properties", names)
	}
}

type namedAt struct {
	name string
	at   source.Span
}

func declaredList[D bind.Declared](list []D) []bind.Declared {
	out := make([]bind.Declared, 0, len(list))
	for _, d := range list {
		out = append(out, d)
	}
	return out
}

func byCase[D bind.Declared](c *checker, kind string, list []D) {
	if len(list) < 2 {
		return
	}
	names := make([]namedAt, 0, len(list))
	for _, d := range list {
		names = append(names, namedAt{d.Name(), d.NameSpan()})
	}
	c.clashes(kind, names)
}

func (c *checker) clashes(kind string, list []namedAt) {
	if len(list) < 2 {
		return
	}
	groups := make(map[string][]namedAt, len(list))
	clash := false
	for _, n := range list {
		key := strings.ToUpper(n.name)
		groups[key] = append(groups[key], n)
		clash = clash || len(groups[key]) > 1
	}
	if !clash {
		return
	}
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		names := make([]string, len(group))
		distinct := map[string]bool{}
		for i, n := range group {
			names[i] = n.name
			distinct[n.name] = true
		}
		if len(distinct) < len(group) {
			continue // equal names are reported as such
		}
		for _, n := range group {
			c.report(diag.BCP353.At(n.at, kind, strings.Join(names, ", ")))
		}
	}
}

// experimentalStatements refuses statements that need a feature which is off.
func (c *checker) experimentalStatements() {
	b, features := c.m.Binding(), c.m.Features()
	if !features.TestFramework {
		for _, t := range b.Tests {
			c.report(diag.BCP348.At(t.Stmt.Span()))
		}
	}
	if features.Assertions {
		return
	}
	for _, a := range b.Asserts {
		c.report(diag.BCP349.At(a.Stmt.Span()))
	}
	for _, r := range b.Resources {
		if body := syntax.Body(r.Stmt.Value); body != nil {
			if v := body.PropertyValue("asserts"); v != nil {
				c.report(diag.BCP349.At(v.Span()))
			}
		}
	}
}

// usingWith checks the with clause of using: deployment commands need one, and nothing else takes one.
func (c *checker) usingWith() {
	enabled := c.m.Features().DeployCommands
	for _, s := range c.m.Tree().Stmts {
		u, ok := s.(*syntax.Using)
		if !ok {
			continue
		}
		missing := u.With == nil
		switch {
		case !missing && !enabled:
			c.report(diag.BCP435.At(u.With.Span()))
		case missing && enabled:
			c.report(diag.BCP443.At(u.KeywordSpan()))
		}
	}
}

// wholeResourceTypes refuses resourceInput<…> as it is: only parts of a
// resource's type can be described in a template.
func (c *checker) wholeResourceTypes() {
	for _, t := range c.typeCalls {
		if c.isResourceDerived(t) && c.m.Instance(t).Resource != nil && !c.isPartTaken(c.parent(t)) {
			c.report(diag.BCP394.At(t.Span()))
		}
	}
}

// isResourceDerived reports whether t is resourceInput<…> or resourceOutput<…> of the sys namespace.
func (c *checker) isResourceDerived(t syntax.TypeExpr) bool {
	switch t := t.(type) {
	case *syntax.TypeCall:
		s, ok := c.m.Symbol(t).(*bind.AmbientType)
		return ok && s.Namespace != nil && s.Namespace.Settings.ExtensionName == "sys" && isDerivedName(t.Name.Name)
	case *syntax.InstanceTypeCall:
		s, ok := c.m.Symbol(t.X).(*bind.BuiltInNamespace)
		if !ok {
			return false
		}
		ns, ok := s.Type.(*types.Namespace)
		return ok && ns.Settings.ExtensionName == "sys" && isDerivedName(t.Name.Name)
	}
	return false
}

func isDerivedName(name string) bool { return name == "resourceInput" || name == "resourceOutput" }

func (c *checker) isPartTaken(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.NullableType:
		return c.isPartTaken(c.parent(n))
	case *syntax.TypePropertyAccess, *syntax.TypeItems, *syntax.TypeRestAccess, *syntax.TypeIndex:
		return true
	}
	return false
}
