// Package paramscheck checks that a parameter file fits its template: that required parameters have
// values, that no value is given to a parameter that does not exist, and that values are of the
// declared types. It also checks that the declarations that the file imports need no deployment.
//
// Begin with Inspector. The package evaluates nothing: paramsfile does.
package paramscheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/spell"
)

// Inspector reports where a parameter file does not fit its template.
type Inspector struct{}

// Inspect implements check.Inspector.
func (Inspector) Inspect(m *check.Model, report diag.Sink) {
	if !m.IsParams() {
		return
	}
	checkImports(m, report)
	t, problems := m.Used()
	if t == nil {
		for _, d := range problems {
			report(d)
		}
		return
	}
	using := m.Binding().Using()
	_, none := using.Path.(*syntax.None)
	if !none {
		checkNames(m, t, using, report)
		checkExtensions(m, t, using, report)
	}
	for _, s := range m.Binding().ParamAssigns {
		checkType(m, t, s, report)
	}
	if !none && t.HasErrors() {
		kind := diag.BCP104
		if t.File().Kind == graph.ARMTemplate {
			kind = diag.BCP188
		}
		report(kind.At(using.Path.Span()))
	}
}

// checkType checks a value against the type that the template declares. The assignment
// may be in a file that this one extends.
func checkType(m *check.Model, t check.Signature, s *bind.ParamAssign, report diag.Sink) {
	value := m.SymbolType(s)
	if value.Kind() == types.KindError || value == types.Type(types.TNull) {
		return // null stands for no value
	}
	if s.Binding() == m.Binding() {
		if declared := m.DeclaredType(s.Stmt); declared != nil {
			m.Narrow(report, s.Stmt.Value, declared)
		}
		return
	}
	p := t.Parameter(s.Name())
	owner := m.Program().Model(s.Binding().File)
	if p == nil || owner == nil {
		return
	}
	extends := extendsOf(m, s)
	owner.Narrow(func(d diag.Diagnostic) { // its place is in the other file
		if extends != nil && m.Has(release.InheritedAtExtends) {
			d.Inherited = &diag.Place{File: owner.Source(), Span: d.Span}
			d.Span = extends.Path.Span()
		} else {
			d.File = owner.Source()
		}
		report(d)
	}, s.Stmt.Value, m.ResolveDerived(p.Type.Type()))
}

// extendsOf returns the statement through which a file inherits an assignment.
func extendsOf(m *check.Model, s *bind.ParamAssign) *syntax.Extends {
	for _, stmt := range m.File().Tree.Stmts {
		e, ok := stmt.(*syntax.Extends)
		if !ok {
			continue
		}
		if ref := m.File().Reference(e); ref != nil && ref.File != nil {
			if base := m.Program().Model(ref.File); base != nil && slices.Contains(base.Binding().ParamAssigns, s) {
				return e
			}
		}
	}
	return nil
}

// checkNames reports required parameters without a value, and values of parameters that
// the template does not have.
func checkNames(m *check.Model, t check.Signature, using *syntax.Using, report diag.Sink) {
	assigns := m.Binding().ParamAssigns
	first := make(map[string]*bind.ParamAssign, len(assigns))
	for _, s := range slices.Backward(assigns) {
		first[s.Name()] = s
	}
	var missing []string
	for _, p := range t.Parameters() {
		if s := first[p.Name]; p.Required && (s == nil || m.SymbolType(s) == types.Type(types.TNull)) {
			missing = append(missing, p.Name)
		}
	}
	if len(missing) > 0 {
		report(diag.BCP258.At(using.Path.Span(), strings.Join(missing, ", ")))
	}
	var names []string
	for _, p := range t.Parameters() {
		names = append(names, p.Name)
	}
	var spelling spell.Limited
	for _, s := range assigns {
		own := s.Binding() == m.Binding()
		if (own || !m.Has(release.InheritedSurplus)) && t.Parameter(s.Name()) == nil {
			hint := ""
			if near := spelling.Near(s.Name(), names); near != "" {
				hint = fmt.Sprintf(" Did you mean %q?", near)
			}
			d := diag.BCP259.At(s.Stmt.Span(), s.Name(), hint)
			if !own {
				d.File = s.Binding().File.Source
			}
			report(d)
		}
	}
}

// checkExtensions reports extensions of the template that need a configuration and get
// none, and configurations of extensions that it does not have.
func checkExtensions(m *check.Model, t check.Signature, using *syntax.Using, report diag.Sink) {
	other, ok := t.(*check.Model)
	if !ok || !other.Features().ModuleExtensionConfigs {
		return
	}
	assigned := map[string]bool{}
	for _, s := range m.Binding().ExtensionConfigs {
		assigned[s.Name()] = true
	}
	var missing []string
	for _, e := range t.Extensions() {
		if e.NeedsAssignment() && !assigned[e.Alias] {
			missing = append(missing, e.Alias)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		report(diag.BCP424.At(using.Path.Span(), strings.Join(missing, ", ")))
	}
	for _, s := range m.Binding().ExtensionConfigs {
		if check.FindExtension(t, s.Name()) == nil {
			report(diag.BCP425.At(s.Stmt.Span(), s.Name()))
		}
	}
}
