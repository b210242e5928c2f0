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
	var none []bind.Declared
	byCase(c, "parameters", b.Params, none)
	byCase(c, "variables", b.Vars, b.ImportedVars)
	byCase(c, "outputs", b.Outputs, none)
	byCase(c, "types", b.Types, b.ImportedTypes)
	byCase(c, "asserts", b.Asserts, none)
	byCase(c, "functions", b.Funcs, b.ImportedFuncs)
	for _, o := range c.objectTypes {
		c.alike.begin(len(o.Members))
		for _, m := range o.Members {
			if p, ok := m.(*syntax.TypeProperty); ok {
				if key, ok := p.KeyName(); ok {
					c.alike.addName(key, p.Key.Span())
				}
			}
		}
		c.clashes("properties")
	}
}

// byCase refuses the names of symbols that differ only in letter case.
func byCase[D, I bind.Declared](c *checker, kind string, declared []D, imported []I) {
	if len(declared)+len(imported) < 2 {
		return
	}
	c.alike.begin(len(declared) + len(imported))
	for _, d := range declared {
		c.alike.addName(d.Name(), d.NameSpan())
	}
	for _, d := range imported {
		c.alike.addName(d.Name(), d.NameSpan())
	}
	c.clashes(kind)
}

// clashes reports names that are alike but for their case. Equal names are reported elsewhere.
func (c *checker) clashes(kind string) {
	c.alike.several(func(group []namedPlace) {
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
