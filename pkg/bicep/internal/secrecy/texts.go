package secrecy

import (
	"strconv"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Texts returns the texts and numbers in secret values, as far as they are known before
// the program is evaluated: the constants that flow into secure parameters, what is read
// from the environment, and what is computed from these. It is for what somebody else
// wrote about the program, which carries no marks.
func (s *Program) Texts() []string {
	var list []string
	add := func(text string) { list = append(list, text) }
	for _, f := range s.files {
		if f == nil {
			continue
		}
		m := f.model
		m.Tree().Walk(m.Tree(), func(n syntax.Node) bool {
			x, ok := n.(syntax.Expr)
			if !ok {
				return true
			}
			switch x.(type) {
			case *syntax.String, *syntax.Int:
				if !f.secure[n.ID()] {
					return true
				}
			case *syntax.Call, *syntax.InstanceCall, *syntax.VarRef, *syntax.PropertyAccess, *syntax.Index:
				if !f.model.IsParams() && !f.secure[n.ID()] || s.mark(m, x, "") == 0 {
					return true
				}
			default:
				return true
			}
			constants(m, x, add)
			return true
		})
	}
	return list
}

// constants calls f for the texts and numbers in the type of an expression.
func constants(m *check.Model, x syntax.Expr, f func(string)) {
	var each func(t types.Type, depth int)
	each = func(t types.Type, depth int) {
		if depth > maxParts {
			return
		}
		switch t := t.(type) {
		case *types.StringLiteral:
			f(t.Value)
		case *types.IntLiteral:
			f(strconv.FormatInt(t.Value, 10))
		case *types.Tuple:
			for _, item := range t.Items {
				each(item.Type(), depth+1)
			}
		case *types.Union:
			for _, member := range t.Members {
				each(member.Type(), depth+1)
			}
		}
	}
	each(m.TypeOf(x), 0)
	if text, ok := x.(*syntax.String); ok {
		for _, piece := range text.Segments() {
			f(piece)
		}
	}
}
