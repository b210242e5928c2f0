package cli

import (
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep"
)

// replacedTypes are the artifacts of Radius that built-in types stood in for in a run. It is
// safe for concurrent use.
type replacedTypes struct {
	mu   sync.Mutex
	list []bicep.Replaced
	said int // how many of them there were when that was said
}

func (r *replacedTypes) add(list []bicep.Replaced) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range list {
		if !slices.Contains(r.list, one) {
			r.list = append(r.list, one)
		}
	}
}

// SayReplaced says once which artifacts built-in types stood in for. The notice is no finding:
// nothing is wrong with a source, and documents of findings are as those of the official program.
func (a *App) SayReplaced() {
	r := &a.replaced
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) == r.said {
		return
	}
	r.said = len(r.list)
	slices.SortFunc(r.list, func(a, b bicep.Replaced) int { return strings.Compare(a.Reference, b.Reference) })
	var names, newer []string
	for _, one := range r.list {
		names = append(names, one.Reference)
		if one.Newer {
			newer = append(newer, one.Reference)
		}
	}
	is, them := "is", "it"
	if len(names) > 1 {
		is, them = "are", "them"
	}
	older := ""
	if len(newer) > 0 {
		older = "; " + OrAnd(newer) + " may have more, since its tag is newer"
	}
	a.Say("Notice: %s %s not restored, so the built-in types of Radius %s are used%s. 'rad bicep restore' fetches %s; --builtin-types=always ends this notice.",
		OrAnd(names), is, bicep.RadiusRelease, older, them)
}
