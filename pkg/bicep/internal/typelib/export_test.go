package typelib

import (
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// ForgetShapes makes the tables as they are when the program starts.
func ForgetShapes() {
	radiusMade = memo.Map[radiusKey, *Radius]{}
	kubernetesShapes.made = memo.Map[string, types.Type]{}
}

// Available returns the resource types of the archive.
func (e *Extension) Available() (list []*types.ResourceTypeReference) {
	for _, r := range e.lib.index.resources {
		if ref := types.ParseResourceType(r.name); ref != nil {
			list = append(list, ref)
		}
	}
	return list
}
