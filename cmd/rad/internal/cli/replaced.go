package cli

import (
	"slices"
	"sync"

	"github.com/radbicep/rad/pkg/bicep"
)

// replacedTypes are the artifacts of Radius that built-in types stood in for in a run. It is
// safe for concurrent use.
type replacedTypes struct {
	mu   sync.Mutex
	list []bicep.Replaced
	said int // how many of them there were when that was said

	untyped     bool // there were resources of Azure, and no library of their types
	untypedSaid bool
}

func (r *replacedTypes) add(result *bicep.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.untyped = r.untyped || result.Untyped
	for _, one := range result.Replaced {
		if !slices.Contains(r.list, one) {
			r.list = append(r.list, one)
		}
	}
}
