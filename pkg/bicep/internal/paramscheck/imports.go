package paramscheck

import (
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// checkImports reports the imports of a parameter file whose values need a deployment.
func checkImports(m *check.Model, report diag.Sink) {
	if !m.Has(release.ImportsBeforeDeployment) {
		return
	}
	for _, s := range m.Binding().ImportedByName() {
		checkImport(s, report)
	}
	for _, s := range m.Binding().Wildcards {
		checkImport(s, report)
	}
}

func checkImport(s bind.Declared, report diag.Sink) {
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
	for _, key := range slices.Sorted(maps.Keys(c.names)) {
		names = append(names, c.names[key])
	}
	report(diag.BCP452.At(at, s.Name(), strings.Join(names, ", ")))
}

// exportedDeclaration returns the variable or function that is exported under a name, or nil.
func exportedDeclaration(m *check.Model, name string, kind bind.ExportKind) bind.Declared {
	for _, d := range m.Binding().DeclarationsOf(name) {
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
func (c *contextCalls) collect(m *check.Model, d bind.Declared) {
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
	for _, used := range m.Binding().ReferencedBy(d) {
		c.collect(m, used)
	}
}

// collectExport visits what a Bicep file exports under a name. Nothing is known about the
// exports of other files.
func (c *contextCalls) collectExport(from bind.Exporter, name string, kind bind.ExportKind) {
	if m, ok := from.(*check.Model); ok {
		if d := exportedDeclaration(m, name, kind); d != nil {
			c.collect(m, d)
		}
	}
}

// makesID reports whether a function makes the ID of a resource.
func makesID(s *bind.Function) bool {
	return strings.HasSuffix(s.Name(), "esourceId") && s.Namespace.Settings.ExtensionName == "az"
}

func (c *contextCalls) walk(m *check.Model, n syntax.Node) {
	syntax.Walk(n, func(x syntax.Node) bool {
		switch x := x.(type) {
		case *syntax.Call, *syntax.InstanceCall:
			switch s := m.Symbol(x).(type) {
			case *bind.Function:
				if !m.IsPure(x, s) || makesID(s) && !m.Has(release.ConstantIDs) {
					c.names[strings.ToUpper(s.Name())] = s.Name()
				}
			case *bind.WildcardFunc:
				c.collectExport(s.Import.From, s.Name(), bind.ExportFunc)
			}
		case *syntax.PropertyAccess:
			if w, ok := m.Binding().Symbol(x.X).(*bind.WildcardImport); ok {
				c.collectExport(w.From, x.Name.Name, bind.ExportVar)
			}
		}
		return true
	})
}
