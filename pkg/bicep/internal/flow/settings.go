package flow

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// Settings are the form of a template.
type Settings struct {
	// Symbolic templates name their resources; the others list them.
	Symbolic bool
	// Forced templates name their resources only because the caller asks for it, and not because the program needs it.
	Forced bool
	// Experimental templates use features of the deployment engine that are not final.
	Experimental bool
}

func settingsOf(m *check.Model) Settings {
	s := scan(m)
	usesNew := s.usesThis ||
		slices.ContainsFunc(resources.IndexOf(m).Declared(), func(r *resources.Resource) bool {
			return m.SystemDecorator(r.Symbol.Stmt, "nullIfNotFound") != nil
		})
	experimental := len(m.Features().Engine()) > 0 || usesNew && !m.Has(release.NullAndThisAreFinal)
	needed := experimental || usesNew || s.symbolic || needsSymbols(m)
	return Settings{
		Experimental: experimental,
		Symbolic:     needed || m.Features().SymbolicNameCodegen,
		Forced:       !needed && m.Features().SymbolicNameCodegen && !m.File().Features().SymbolicNameCodegen,
	}
}

// needsSymbols reports whether what the file declares can be written only in a
// template with symbolic names.
func needsSymbols(m *check.Model) bool {
	b, features := m.Binding(), m.Features()
	switch {
	case features.ResourceInfoCodegen,
		len(b.Extensions) > 0, len(b.Types) > 0, len(b.Funcs) > 0,
		len(b.ImportedTypes)+len(b.ImportedVars)+len(b.ImportedFuncs) > 0, len(b.Wildcards) > 0:
		return true
	}
	return slices.ContainsFunc(resources.IndexOf(m).Declared(), func(r *resources.Resource) bool { return !r.IsAz() }) ||
		slices.ContainsFunc(b.Vars, func(v *bind.Var) bool { return v.Stmt.Type != nil }) ||
		slices.ContainsFunc(m.Outputs(), func(o *check.Output) bool { return o.Secure }) ||
		slices.ContainsFunc(b.Modules, func(s *bind.Module) bool {
			if syntax.Body(s.Stmt.Value).Property("name") == nil {
				return true
			}
			target := m.Referenced(s.Stmt)
			return target != nil && slices.ContainsFunc(target.Outputs(), func(o *check.Output) bool { return o.Secure })
		}) ||
		// Only top-level resources count here.
		slices.ContainsFunc(b.Resources, func(r *bind.Resource) bool { return m.SystemDecorator(r.Stmt, "retryOn") != nil })
}

// found is what one walk over the tree learns.
type found struct {
	usesThis bool // a call such as this.exists()
	symbolic bool // syntax that only symbolic templates can express
}

// scan looks through the whole tree once. A use of a whole collection outside of
// dependsOn needs a function that only symbolic templates have.
func scan(m *check.Model) found {
	var s found
	b := m.Binding()
	loops := hasLoops(b)
	var dependsOn *syntax.Property // of the declaration last entered
	m.Tree().Walk(m.Tree(), func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.InstanceCall:
			s.usesThis = s.usesThis || isThisCall(b, n)
		case *syntax.ObjectType, *syntax.ArrayType, *syntax.TupleType, *syntax.UnionType, *syntax.NullableType:
			s.symbolic = true
		case *syntax.Resource:
			dependsOn = syntax.Body(n.Value).Property("dependsOn")
			if n.IsExisting() && dependsOn != nil || m.SystemDecorator(n, "onlyIfNotExists") != nil {
				s.symbolic = true
			}
		case *syntax.Module:
			dependsOn = syntax.Body(n.Value).Property("dependsOn")
		case *syntax.Property:
			if n == dependsOn {
				s.usesThis = s.usesThis || hasThisCall(b, n)
				return false
			}
		case *syntax.VarRef:
			if loops && bind.IsLoop(b.Symbol(n)) {
				switch parent, _ := b.Around(n); parent.(type) {
				case *syntax.PropertyAccess, *syntax.Index:
				default:
					s.symbolic = true
				}
			}
		}
		return true
	})
	return s
}

// hasLoops reports whether a resource or module is declared by a loop.
func hasLoops(b *bind.Binding) bool {
	return slices.ContainsFunc(b.DeclaredResources(), func(r *bind.Resource) bool { return bind.IsLoop(r) }) ||
		slices.ContainsFunc(b.Modules, func(m *bind.Module) bool { return bind.IsLoop(m) })
}

func isThisCall(b *bind.Binding, n *syntax.InstanceCall) bool {
	_, ok := b.Symbol(n.X).(*bind.LocalThis)
	return ok
}

func hasThisCall(b *bind.Binding, n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.InstanceCall); ok && isThisCall(b, c) {
			found = true
		}
		return !found
	})
	return found
}
