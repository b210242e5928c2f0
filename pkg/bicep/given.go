package bicep

import (
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// given returns the parameters of files that other files of the program give values to.
func given(p *graph.Program) (list []Given) {
	for _, f := range p.Files {
		if f.Tree == nil {
			continue
		}
		for _, r := range f.References {
			if r.File == nil {
				continue
			}
			switch s := r.Stmt.(type) {
			case *syntax.Module:
				params, _ := syntax.Body(s.Value).PropertyValue("params").(*syntax.Object)
				if params == nil {
					continue
				}
				for _, item := range params.Items {
					if p, ok := item.(*syntax.Property); ok {
						if name, ok := p.KeyName(); ok {
							list = append(list, Given{r.File.Path, name})
						}
					}
				}
			case *syntax.Using:
				for _, stmt := range f.Tree.Stmts {
					if a, ok := stmt.(*syntax.ParamAssign); ok {
						list = append(list, Given{r.File.Path, a.Name.Name})
					}
				}
			}
		}
	}
	return list
}
