package deploytime

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

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
