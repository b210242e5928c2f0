package lint

import (
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// azure returns what is known of Azure's resource types in this file.
func (l *linter) azure() *typelib.Az {
	for _, ns := range l.b.Namespaces {
		if t, ok := ns.Type.(*types.Namespace); ok && t.Settings.ExtensionName == "az" {
			if az, ok := t.Resources.(*typelib.Az); ok {
				return az
			}
		}
	}
	return &typelib.Az{}
}
