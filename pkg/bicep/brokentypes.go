package bicep

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// brokenTypes reports extensions whose types turned out to be unreadable while the
// program was checked: files of types are read when a resource needs them.
func (c *compilation) brokenTypes() (list diag.List) {
	for _, f := range c.files.Files {
		for _, ref := range f.References {
			if _, ok := ref.Stmt.(*syntax.Extension); !ok || ref.Archive == nil {
				continue
			}
			list = append(list, c.brokenArchive(f, ref)...)
		}
	}
	return list
}

func (c *compilation) brokenArchive(f *graph.File, ref *graph.Reference) diag.List {
	err := c.namespaces.Broken(ref.Archive)
	if err == nil {
		return nil
	}
	d := diag.BCP396.At(ref.Span(), err.Error())
	d.File = f.Source
	return diag.List{d}
}
