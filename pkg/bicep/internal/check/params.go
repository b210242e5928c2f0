package check

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// This file is about parameters files: the template that they are for, and how
// their assignments fit it.

// emptySignature is what `using none` stands for: a template that says nothing.
type emptySignature struct{}

func (emptySignature) File() *graph.File                { return nil }
func (emptySignature) HasErrors() bool                  { return false }
func (emptySignature) Exports() []*bind.Export          { return nil }
func (emptySignature) FindExport(string) *bind.Export   { return nil }
func (emptySignature) TargetScope() types.ResourceScope { return types.ScopeNone }
func (emptySignature) Parameters() []*Parameter         { return nil }
func (emptySignature) Parameter(string) *Parameter      { return nil }
func (emptySignature) Outputs() []*Output               { return nil }
func (emptySignature) Extensions() []*ExtensionInfo     { return nil }

// Used returns the template that a parameters file is for. If it is not known,
// it returns the reason instead. `using none` is a template without parameters.
func (m *Model) Used() (Signature, []diag.Diagnostic) {
	u := m.binding.Using()
	if u == nil {
		return nil, []diag.Diagnostic{diag.BCP261.At(source.Span{})}
	}
	if _, ok := u.Path.(*syntax.None); ok {
		return emptySignature{}, nil
	}
	t, failed := m.reference(u, diag.BCP276)
	if t == nil {
		return nil, errorsOf(failed)
	}
	return t, nil
}

func (m *Model) usedSignature() Signature {
	t, _ := m.Used()
	return t
}

func (m *Model) declaredParamAssign(n *syntax.ParamAssign) declaredType {
	t, problems := m.Used()
	if t == nil {
		return declaredType{errorType(problems...), n}
	}
	p := t.Parameter(n.Name.Name)
	if p == nil {
		return declaredType{}
	}
	return declaredType{m.resolveDerived(p.Type.Type()), n}
}

func (m *Model) declaredExtensionConfig(n *syntax.ExtensionConfig) declaredType {
	t, problems := m.Used()
	if t == nil {
		return declaredType{errorType(problems...), n}
	}
	if e := findExtension(t, n.Alias.Name); e != nil && e.Assignment != nil {
		return declaredType{e.Assignment, n}
	}
	return declaredType{}
}

func findExtension(t Signature, alias string) *ExtensionInfo {
	for _, e := range t.Extensions() {
		if e.Alias == alias {
			return e
		}
	}
	return nil
}

// baseParamsType is the type of `base`: the assignments of the files that this
// one extends.
func (m *Model) baseParamsType(s *bind.BaseParams) types.Type {
	if m.base == nil {
		m.base = anyType // should an assignment use it
		var props []types.Property
		seen := map[string]bool{}
		for _, p := range s.Parents {
			if seen[p.Name()] {
				continue
			}
			seen[p.Name()] = true
			props = append(props, types.Property{Name: p.Name(), Type: m.symbolType(p), Flags: types.ReadOnly})
		}
		m.base = types.NewObject("baseParameters", 0, props, nil)
	}
	return m.base
}

// checkParams reports how a parameters file does not fit its template.
func (m *Model) checkParams(report diag.Sink) {
	t, problems := m.Used()
	if t == nil {
		for _, d := range problems {
			report(d)
		}
		return
	}
	u := m.binding.Using()
	_, none := u.Path.(*syntax.None)
	if !none {
		m.checkAssignedParams(t, u, report)
		m.checkAssignedExtensions(t, u, report)
	}
	for _, s := range m.binding.ParamAssigns {
		at := m.symbolType(s)
		if isError(at) || at == nullType {
			continue // null stands for no value
		}
		declared := m.declaredOfAssignment(t, s)
		if declared == nil {
			continue
		}
		owner := m
		if s.Binding() != m.binding {
			if owner = m.program.modelOf(s.Binding()); owner == nil {
				continue
			}
		}
		if owner == m {
			m.narrow(report, s.Stmt.Value, declared)
			continue
		}
		owner.narrow(func(d diag.Diagnostic) { // whose place is one in the other file
			d.File = owner.Source()
			report(d)
		}, s.Stmt.Value, declared)
	}
	if !none && t.HasErrors() {
		kind := diag.BCP104
		if t.File().Kind == graph.ARMTemplate {
			kind = diag.BCP188
		}
		report(kind.At(u.Path.Span()))
	}
}

// declaredOfAssignment is the type that the template of this file declares for an
// assignment, which may stand in a file that this one extends.
func (m *Model) declaredOfAssignment(t Signature, s *bind.ParamAssign) types.Type {
	if s.Binding() == m.binding {
		return m.DeclaredType(s.Stmt)
	}
	p := t.Parameter(s.Name())
	if p == nil {
		return nil
	}
	return m.resolveDerived(p.Type.Type())
}

func (m *Model) checkAssignedParams(t Signature, u *syntax.Using, report diag.Sink) {
	first := make(map[string]*bind.ParamAssign, len(m.binding.ParamAssigns))
	for _, s := range slices.Backward(m.binding.ParamAssigns) {
		first[s.Name()] = s
	}
	var missing []string
	for _, p := range t.Parameters() {
		if s := first[p.Name]; p.Required && (s == nil || m.symbolType(s) == nullType) {
			missing = append(missing, p.Name)
		}
	}
	if len(missing) > 0 {
		report(diag.BCP258.At(u.Path.Span(), strings.Join(missing, ", ")))
	}
	for _, s := range m.binding.ParamAssigns {
		if s.Binding() == m.binding && t.Parameter(s.Name()) == nil {
			report(diag.BCP259.At(s.Stmt.Span(), s.Name()))
		}
	}
}

func (m *Model) checkAssignedExtensions(t Signature, u *syntax.Using, report diag.Sink) {
	other, ok := t.(*Model)
	if !ok || !other.features.ModuleExtensionConfigs {
		return
	}
	assigned := map[string]bool{}
	for _, s := range m.binding.ExtensionConfigs {
		assigned[s.Name()] = true
	}
	var missing []string
	for _, e := range t.Extensions() {
		if e.needsAssignment() && !assigned[e.Alias] {
			missing = append(missing, e.Alias)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		report(diag.BCP424.At(u.Path.Span(), strings.Join(missing, ", ")))
	}
	for _, s := range m.binding.ExtensionConfigs {
		if findExtension(t, s.Name()) == nil {
			report(diag.BCP425.At(s.Stmt.Span(), s.Name()))
		}
	}
}

// checkImport reports an import into a parameters file of what cannot be computed
// without a deployment.
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

// contextCalls collects the functions that variables and functions call, and that
// need a deployment.
type contextCalls struct {
	seen  map[bind.Declared]bool
	names map[string]string // by name in upper case
}

// collect looks at a declaration of a file and at all that it uses.
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

// collectExport looks at what a Bicep file exports under a name. Of other files
// nothing is known.
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
