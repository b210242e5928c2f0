package bicep

import (
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// untyped reports whether the program has resources of Azure whose bodies nobody could check, since there
// is no library of Azure's types. It is not so where the request asks for none.
func (c *compilation) untyped() bool {
	if c.azTypes.Where != "" || c.request.AzTypes == NoAzTypes {
		return false
	}
	for _, f := range c.files.Files {
		m := c.program.Model(f)
		if m == nil || f.Tree == nil {
			continue
		}
		for _, stmt := range f.Tree.Stmts {
			r, ok := stmt.(*syntax.Resource)
			if !ok {
				continue
			}
			t, ok := types.UnwrapArray(m.DeclaredType(r)).(*types.Resource)
			if !ok {
				continue
			}
			if az, ok := t.Namespace.Resources.(*typelib.Az); ok && az.Library() == nil && az.HasDefinedType(t.TypeRef) {
				return true
			}
		}
	}
	return false
}
