package check

import (
	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// typeCycles finds the types that require themselves, which could have no value.
func (m *Model) typeCycles() map[*bind.TypeAlias][]*bind.TypeAlias {
	if !m.cyclesOK {
		// Whoever asks on the way is answered as if there were none.
		m.cyclesOK = true
		if len(m.binding.Types) > 0 {
			m.cycles = m.binding.TypeCycles(func(n syntax.Node) types.Type {
				if r := m.tryTypeOfSyntax(n); r != nil {
					return r.Type()
				}
				return nil
			})
		}
	}
	return m.cycles
}

// typeCycleAt returns the error type of a declaration of such a type, and of what
// uses one; nil for all else.
func (m *Model) typeCycleAt(n syntax.Node, cycles map[*bind.TypeAlias][]*bind.TypeAlias) types.Type {
	if s, ok := m.bound(n).(*bind.TypeAlias); ok {
		cycle := cycles[s]
		if cycle == nil {
			return nil
		}
		return typeCycleError(s, cycle)
	}
	var found types.Type
	syntax.Walk(n, func(x syntax.Node) bool {
		if found != nil {
			return false
		}
		if t, ok := x.(*syntax.TypeName); ok {
			if s, ok := m.bound(t).(*bind.TypeAlias); ok && cycles[s] != nil {
				found = fail(diag.BCP062.At(t.Span(), s.Name()))
			}
		}
		return true
	})
	return found
}
