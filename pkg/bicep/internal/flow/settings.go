package flow

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// Settings are the form of a template.
type Settings struct {
	// Symbolic templates name their resources; the others list them.
	Symbolic bool
	// Experimental templates use features of the deployment engine that are not final.
	Experimental bool
}

func settingsOf(m *check.Model) Settings {
	s := scan(m)
	experimental := len(m.Features().Engine()) > 0 || s.usesThis ||
		anyOf(m.DeclaredResources(), func(r *check.Resource) bool {
			return m.SystemDecorator(r.Symbol.Stmt, "nullIfNotFound") != nil
		})
	return Settings{
		Experimental: experimental,
		Symbolic:     experimental || s.symbolic || needsSymbols(m),
	}
}

// needsSymbols reports whether what the file declares can be written only in a
// template with symbolic names.
func needsSymbols(m *check.Model) bool {
	b, features := m.Binding(), m.Features()
	switch {
	case features.SymbolicNameCodegen, features.ResourceInfoCodegen,
		len(b.Extensions) > 0, len(b.Types) > 0, len(b.Funcs) > 0,
		len(b.ImportedTypes)+len(b.ImportedVars)+len(b.ImportedFuncs) > 0, len(b.Wildcards) > 0:
		return true
	}
	return anyOf(m.DeclaredResources(), func(r *check.Resource) bool { return !r.IsAz() }) ||
		anyOf(b.Vars, func(v *bind.Var) bool { return v.Stmt.Type != nil }) ||
		anyOf(m.Outputs(), func(o *check.Output) bool { return o.Secure }) ||
		anyOf(b.Modules, func(s *bind.Module) bool {
			if syntax.Body(s.Stmt.Value).Property("name") == nil {
				return true
			}
			target := m.Referenced(s.Stmt)
			return target != nil && anyOf(target.Outputs(), func(o *check.Output) bool { return o.Secure })
		}) ||
		// Only top-level resources count here.
		anyOf(b.Resources, func(r *bind.Resource) bool { return m.SystemDecorator(r.Stmt, "retryOn") != nil })
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
	var skip *syntax.Property // the dependsOn of the declaration last entered
	syntax.Walk(m.Tree(), func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.InstanceCall:
			if _, ok := b.Symbol(n.X).(*bind.LocalThis); ok {
				s.usesThis = true
			}
		case *syntax.ObjectType, *syntax.ArrayType, *syntax.TupleType, *syntax.UnionType, *syntax.NullableType:
			s.symbolic = true
		case *syntax.Resource:
			body := syntax.Body(n.Value)
			skip = body.Property("dependsOn")
			if n.IsExisting() && skip != nil || m.SystemDecorator(n, "onlyIfNotExists") != nil {
				s.symbolic = true
			}
		case *syntax.Module:
			skip = syntax.Body(n.Value).Property("dependsOn")
		case *syntax.Property:
			return n != skip || s.usesThisIn(b, n)
		case *syntax.VarRef:
			if isCollection(b.Symbol(n)) {
				parent := b.Parent(n)
				for {
					p, ok := parent.(*syntax.Paren)
					if !ok {
						break
					}
					parent = b.Parent(p)
				}
				switch parent.(type) {
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

// usesThisIn looks for what matters in a dependsOn property, which is otherwise
// left out of the walk. It returns false.
func (s *found) usesThisIn(b *bind.Binding, n syntax.Node) bool {
	syntax.Walk(n, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.InstanceCall); ok {
			if _, ok := b.Symbol(c.X).(*bind.LocalThis); ok {
				s.usesThis = true
			}
		}
		return true
	})
	return false
}

// isCollection reports whether a symbol is a resource or module in a loop.
func isCollection(s bind.Symbol) bool {
	switch s := s.(type) {
	case *bind.Resource:
		return syntax.IsLoop(s.Stmt.Value)
	case *bind.Module:
		return syntax.IsLoop(s.Stmt.Value)
	}
	return false
}

func anyOf[E any](list []E, f func(E) bool) bool {
	for _, e := range list {
		if f(e) {
			return true
		}
	}
	return false
}
