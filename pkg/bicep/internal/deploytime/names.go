package deploytime

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// nameSegments compares the number of slashes in a name with the type of the resource. The
// name of a resource with a parent has none.
func (c *checker) nameSegments() {
	for _, r := range c.analysis.Resources.Declared() {
		if !r.IsAz() {
			continue
		}
		name, ok := r.NameExpr().(*syntax.String)
		if !ok {
			continue
		}
		slashes := 0
		for _, s := range name.Segments() {
			slashes += strings.Count(s, "/")
		}
		if len(c.analysis.Resources.Ancestors(r)) > 0 {
			if slashes > 0 {
				c.report(diag.BCP170.At(name.Span()))
			}
			continue
		}
		want := len(r.TypeRef().Segments) - 2
		// The value of an expression in the name may contain slashes.
		if slashes > want || slashes < want && !name.Interpolated() {
			parts := "1 part without slashes"
			if want > 0 {
				parts = fmt.Sprintf("%d parts with slashes between them", want+1)
			}
			c.report(diag.BCP169.At(name.Span(), parts, strings.Join(r.TypeRef().Segments[1:], "/")))
		}
	}
}

// copyVariable refuses a variable named copy, the name that templates use for loops.
func (c *checker) copyVariable() {
	for _, v := range c.m.Binding().Vars {
		if strings.EqualFold(v.Name(), "copy") {
			c.report(diag.BCP239.At(v.NameSpan(), v.Name()))
			return
		}
	}
}

// namesByCase refuses names of one kind that differ only in letter case, which templates
// ignore.
func (c *checker) namesByCase() {
	b := c.m.Binding()
	byCase(c, "parameters", b.Params)
	byCase(c, "variables", append(declaredList(b.Vars), declaredList(b.ImportedVars)...))
	byCase(c, "outputs", b.Outputs)
	byCase(c, "types", append(declaredList(b.Types), declaredList(b.ImportedTypes)...))
	byCase(c, "asserts", b.Asserts)
	byCase(c, "functions", append(declaredList(b.Funcs), declaredList(b.ImportedFuncs)...))
	for _, o := range c.objectTypes {
		names := newAlike(len(o.Members))
		for _, m := range o.Members {
			if p, ok := m.(*syntax.TypeProperty); ok {
				if key, ok := p.KeyName(); ok {
					names.add([]byte(strings.ToUpper(key)), key, p.Key.Span())
				}
			}
		}
		c.clashes("properties", names)
	}
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
	names := newAlike(len(list))
	for _, d := range list {
		names.add([]byte(strings.ToUpper(d.Name())), d.Name(), d.NameSpan())
	}
	c.clashes(kind, names)
}

// clashes reports names that are alike but for their case. Equal names are reported elsewhere.
func (c *checker) clashes(kind string, a *alike) {
	a.several(func(group []namedPlace) {
		distinct := make(map[string]bool, len(group))
		for _, n := range group {
			distinct[n.name] = true
		}
		if len(distinct) < len(group) {
			return
		}
		names := listed(group)
		for _, n := range group {
			c.report(diag.BCP353.At(n.at, kind, names))
		}
	})
}
