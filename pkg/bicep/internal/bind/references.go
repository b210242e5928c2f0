package bind

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// References returns the symbols that a node and what is below it use by name,
// each once, in the order of their first use.
func (b *Binding) References(n syntax.Node) []Declared {
	var list []Declared
	var seen map[Declared]bool // those in the list, if they are many
	known := func(d Declared) bool {
		if seen != nil {
			return seen[d]
		}
		if len(list) < 16 {
			return slices.Contains(list, d)
		}
		seen = make(map[Declared]bool, 2*len(list))
		for _, d := range list {
			seen[d] = true
		}
		return seen[d]
	}
	b.File.Tree.Walk(n, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.VarRef, *syntax.TypeName, *syntax.Call:
			if d, ok := b.Symbol(n).(Declared); ok && !known(d) {
				list = append(list, d)
				if seen != nil {
					seen[d] = true
				}
			}
		}
		return true
	})
	return list
}

// Uses returns the nodes at or below n that use a symbol by name, in the order of the source.
func (b *Binding) Uses(n syntax.Node, of Declared) []syntax.Node {
	var list []syntax.Node
	b.File.Tree.Walk(n, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.VarRef, *syntax.TypeName, *syntax.Call:
			if b.Symbol(n) == Symbol(of) {
				list = append(list, n)
			}
		}
		return true
	})
	return list
}

// ReferencedBy returns the symbols that the declaration of a symbol uses.
func (b *Binding) ReferencedBy(d Declared) []Declared {
	list, ok := b.refs[d]
	if !ok {
		if n := d.Decl(); n != nil {
			list = d.Binding().References(n)
		}
		b.refs[d] = list
	}
	return list
}
