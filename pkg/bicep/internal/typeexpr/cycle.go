package typeexpr

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// cycles are the types that require themselves. They could have no value.
type cycles struct {
	through *bind.TypeCycles
	// uses are the nodes in which such a type is named, with the first such name.
	uses map[syntax.ID]*syntax.TypeName
}

// findCycles asks for the types of the nodes of all type statements. A question for cycles
// that comes up on the way is answered as if there were none.
func (rs *Resolver) findCycles() (found cycles) {
	if len(rs.binding.Types) == 0 {
		return found
	}
	found.through = rs.binding.TypeCycles(func(n syntax.Node) types.Type {
		if r := rs.tryType(n); r != nil {
			return r.Type()
		}
		return nil
	})
	if found.through == nil {
		return found
	}
	found.uses = map[syntax.ID]*syntax.TypeName{}
	rs.binding.File.Tree.Walk(rs.binding.File.Tree, func(n syntax.Node) bool {
		if use, ok := n.(*syntax.TypeName); ok {
			if s, ok := rs.binding.Symbol(use).(*bind.TypeAlias); ok && found.through.Has(s) {
				// The walk meets names in the order of the source. A node that has a use already has an earlier one.
				for n := rs.binding.Parent(use); n != nil && found.uses[n.ID()] == nil; n = rs.binding.Parent(n) {
					found.uses[n.ID()] = use
				}
			}
		}
		return true
	})
	return found
}

// CycleAt returns the error type of a declaration or name of a type that requires itself,
// and of a node that contains such a name. It is nil for all other nodes.
func (rs *Resolver) CycleAt(n syntax.Node) types.Type {
	found := rs.cycles.Get(rs.findCycles)
	if found.through == nil {
		return nil
	}
	if s, ok := rs.binding.Symbol(n).(*bind.TypeAlias); ok {
		if found.through.Has(s) {
			return typeCycleError(s, found.through.Len(s), found.through.Chain)
		}
		return nil
	}
	if use := found.uses[n.ID()]; use != nil {
		return types.NewError(diag.BCP062.At(use.Span(), use.Name.Name).Follows())
	}
	return nil
}
