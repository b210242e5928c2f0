package typelib

import "github.com/radbicep/rad/pkg/bicep/internal/types"

// ForgetShapes makes the tables as they are when the program starts.
func ForgetShapes() { radiusMade.Forget(); kubernetesShapes.made.Forget() }

// Available returns the resource types of the archive.
func (e *Extension) Available() (list []*types.ResourceTypeReference) {
	for _, r := range e.lib.index.resources {
		if ref := types.ParseResourceType(r.name); ref != nil {
			list = append(list, ref)
		}
	}
	return list
}
