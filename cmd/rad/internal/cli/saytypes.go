package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
)

// ImportAzTypes brings Azure's types to a program that was built without them.
const ImportAzTypes = "git clone --depth 1 https://github.com/Azure/bicep-types-az && rad bicep types import az bicep-types-az"

// SayTypes says once what is to be known of the types that were used. The notices are no findings: nothing is
// wrong with a source, and documents of findings are as those of the official program.
func (a *App) SayTypes() {
	a.sayReplaced()
	a.sayUntyped()
}

// sayUntyped says that Azure's types are missing, to somebody who can do something about it.
func (a *App) sayUntyped() {
	r := &a.replaced
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.untyped || r.untypedSaid || !IsTerminal(a.Stderr) || InCI() {
		return
	}
	r.untypedSaid = true
	a.Say("Notice: the bodies of Azure's resources were not checked, since this build of rad has no types of Azure. "+
		"This brings them, once:\n%s\n--az-types=none ends this notice.", ImportAzTypes)
}

// sayReplaced says once which artifacts built-in types stood in for.
func (a *App) sayReplaced() {
	r := &a.replaced
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.list) == r.said {
		return
	}
	r.said = len(r.list)
	slices.SortFunc(r.list, func(a, b bicep.Replaced) int { return strings.Compare(a.Reference, b.Reference) })
	names, unknown := map[string][]string{}, map[string][]string{} // by the release whose types stand in
	for _, one := range r.list {
		names[one.Release] = append(names[one.Release], one.Reference)
		if one.Unknown {
			unknown[one.Release] = append(unknown[one.Release], one.Reference)
		}
	}
	for _, release := range slices.Backward(slices.Sorted(maps.Keys(names))) {
		is, them, guessed := "is", "it", ""
		if len(names[release]) > 1 {
			is, them = "are", "them"
		}
		if list := unknown[release]; len(list) > 0 {
			guessed = "; what they refuse is a warning, since the release of " + OrAnd(list) + " is not built in"
		}
		a.Say("Notice: %s %s not restored, so the built-in types of Radius %s are used%s. 'rad bicep restore' fetches %s; "+
			"--builtin-types=always ends this notice.", OrAnd(names[release]), is, release, guessed, them)
	}
}
