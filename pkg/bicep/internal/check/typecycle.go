package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// typeCycles are the types that require themselves, which could have no value.
type typeCycles struct {
	through *bind.TypeCycles
	// uses are the nodes in which such a type is named, with the first such name.
	uses map[syntax.ID]*syntax.TypeName
}

// findTypeCycles asks for the types of the nodes of all type statements; one that
// asks for cycles on the way is answered as if there were none.
func (m *Model) findTypeCycles() (found typeCycles) {
	if len(m.binding.Types) == 0 {
		return found
	}
	found.through = m.binding.TypeCycles(func(n syntax.Node) types.Type {
		if r := m.tryTypeOfSyntax(n); r != nil {
			return r.Type()
		}
		return nil
	})
	if found.through == nil {
		return found
	}
	found.uses = map[syntax.ID]*syntax.TypeName{}
	m.tree.Walk(m.tree, func(n syntax.Node) bool {
		if use, ok := n.(*syntax.TypeName); ok {
			if s, ok := m.bound(use).(*bind.TypeAlias); ok && found.through.Has(s) {
				// Names come in their order, so that those around one that are known are known with an earlier one.
				for n := m.parent(use); n != nil && found.uses[n.ID()] == nil; n = m.parent(n) {
					found.uses[n.ID()] = use
				}
			}
		}
		return true
	})
	return found
}

// typeCycleAt returns the error type of a declaration or a name of a type that
// requires itself, and of what has such a name in it; nil for all else.
func (m *Model) typeCycleAt(n syntax.Node) types.Type {
	cycles := m.cycles.Get(m.findTypeCycles)
	if cycles.through == nil {
		return nil
	}
	if s, ok := m.bound(n).(*bind.TypeAlias); ok {
		if cycles.through.Has(s) {
			return typeCycleError(s, cycles.through.Len(s), cycles.through.Chain)
		}
		return nil
	}
	if use := cycles.uses[n.ID()]; use != nil {
		return errorType(diag.BCP062.At(use.Span(), use.Name.Name))
	}
	return nil
}
