package check

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// This file checks what a parameter file imports. The value of such a name must be known
// without a deployment.

// checkImport reports an import into a parameter file if its value needs a deployment.
func (m *Model) checkImport(s bind.Declared, report diag.Sink) {
	if !m.IsParams() {
		return
	}
	c := &contextCalls{seen: map[bind.Declared]bool{}, names: map[string]string{}}
	var at source.Span
	switch s := s.(type) {
	case bind.Imported:
		at = s.ImportItem().Original.Span()
		c.collectExport(s.Source(), s.OriginalName(), s.Exported().Kind)
	case *bind.WildcardImport:
		at = s.Node.Span()
		for _, e := range s.From.Exports() {
			c.collectExport(s.From, e.Name, e.Kind)
		}
	}
	if len(c.names) == 0 {
		return
	}
	var names []string
	for _, n := range c.names {
		names = append(names, n)
	}
	sortIgnoringCase(names)
	report(diag.BCP452.At(at, s.Name(), strings.Join(names, ", ")))
}

// exportedDeclaration returns the variable or function that is exported under a name, or nil.
func (m *Model) exportedDeclaration(name string, kind bind.ExportKind) bind.Declared {
	for _, d := range m.binding.DeclarationsOf(name) {
		switch d := d.(type) {
		case *bind.Var:
			if kind == bind.ExportVar && m.IsExported(d.Stmt) {
				return d
			}
		case *bind.Func:
			if kind == bind.ExportFunc && m.IsExported(d.Stmt) {
				return d
			}
		}
	}
	return nil
}

// contextCalls collects the functions that variables and functions call and that need a
// deployment.
type contextCalls struct {
	seen  map[bind.Declared]bool
	names map[string]string // by name in upper case
}

// collect visits a declaration of a file and everything that it uses.
func (c *contextCalls) collect(m *Model, d bind.Declared) {
	if c.seen[d] {
		return
	}
	c.seen[d] = true
	switch d := d.(type) {
	case *bind.Var:
		c.walk(m, d.Stmt.Value)
	case *bind.Func:
		c.walk(m, d.Stmt.Lambda)
	case bind.Imported:
		c.collectExport(d.Source(), d.OriginalName(), d.Exported().Kind)
	}
	for _, used := range m.binding.ReferencedBy(d) {
		c.collect(m, used)
	}
}

// collectExport visits what a Bicep file exports under a name. Nothing is known about the
// exports of other files.
func (c *contextCalls) collectExport(from bind.Exporter, name string, kind bind.ExportKind) {
	if m, ok := from.(*Model); ok {
		if d := m.exportedDeclaration(name, kind); d != nil {
			c.collect(m, d)
		}
	}
}

func (c *contextCalls) walk(m *Model, n syntax.Node) {
	syntax.Walk(n, func(x syntax.Node) bool {
		switch x := x.(type) {
		case *syntax.Call, *syntax.InstanceCall:
			switch s := m.Symbol(x).(type) {
			case *bind.Function:
				if !m.isPureCall(x, s) {
					c.names[strings.ToUpper(s.Name())] = s.Name()
				}
			case *bind.WildcardFunc:
				c.collectExport(s.Import.From, s.Name(), bind.ExportFunc)
			}
		case *syntax.PropertyAccess:
			if w, ok := m.bound(x.X).(*bind.WildcardImport); ok {
				c.collectExport(w.From, x.Name.Name, bind.ExportVar)
			}
		}
		return true
	})
}

// isPureCall reports whether a call depends on nothing but its arguments.
func (m *Model) isPureCall(call syntax.Node, s *bind.Function) bool {
	o := m.Overload(call)
	if o == nil {
		var flags types.FunctionFlags
		for _, o := range s.Func.Overloads {
			flags |= o.Flags
		}
		return flags.Has(types.Pure)
	}
	return o.Flags.Has(types.Pure) || o.Pure != nil && o.Pure(&callContext{model: m, call: call.(syntax.Expr), report: func(diag.Diagnostic) {}})
}
