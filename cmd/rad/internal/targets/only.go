package targets

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// only returns the targets that --only chooses, by their names or outfiles; all of them without it.
func (l *lister) only(list []*Target) ([]*Target, error) {
	if len(l.Only) == 0 {
		return list, nil
	}
	l.offered = append(l.offered, list...)
	chosen := map[*Target]bool{}
	for _, pattern := range l.Only {
		those := l.chosenBy(pattern, list)
		if len(those) == 0 && !l.compared {
			return nil, choosesNone(pattern, l)
		}
		for _, t := range those {
			chosen[t] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(list), func(t *Target) bool { return !chosen[t] }), nil
}

// chosenBy returns the targets that a word of --only means: those of that name, or else those that it is a pattern of.
func (l *lister) chosenBy(pattern string, list []*Target) []*Target {
	matching := func(match func(name string) bool) (those []*Target) {
		for _, t := range list {
			if slices.ContainsFunc(l.names(t), match) {
				those = append(those, t)
			}
		}
		return those
	}
	if those := matching(func(name string) bool { return name == pattern }); len(those) > 0 {
		return those
	}
	return matching(func(name string) bool { return workdir.MatchPath(pattern, name) })
}

func choosesNone(pattern string, sides ...*lister) error {
	if project.IsOfKind(pattern, "") {
		return cli.Fail(cli.ExitUsage,
			"--only %s: no target has such a name or outfile; a template or a parameter file is named without --only", pattern)
	}
	return cli.Fail(cli.ExitUsage, "--only %s: no target has such a name or outfile%s", pattern, near(pattern, sides))
}

// names returns what --only knows a target by: the name of its manifest, which is that of its
// template's file if none is given, also without the extension; and its outfile.
func (l *lister) names(t *Target) []string {
	outfile := workdir.Slashed(t.usual)
	if t.called != "" {
		return []string{t.called, outfile}
	}
	name := (&Target{Input: t.Input}).NameOf(l.Side)
	return []string{strings.TrimSuffix(name, filepath.Ext(name)), name, outfile}
}

// Names returns what --only knows the targets of a side by, for completion.
func Names(side project.Side, s Selection) (names []string) {
	s.MayMiss = true
	l := &lister{Side: side, Selection: s}
	list, err := l.list(s.Args)
	if err != nil {
		return nil
	}
	for _, t := range list {
		for _, name := range l.names(t) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// NameOf returns the name of a target's manifest: that of its template's file if none is given.
func (t *Target) NameOf(side project.Side) string {
	path := t.Input
	if t.Name == "" && strings.EqualFold(filepath.Ext(path), ".bicepparam") {
		if using, err := side.Using(path); err == nil && using != "" {
			path = using
		}
	}
	return cmp.Or(t.Name, filepath.Base(path))
}

// near says which names there are for a word that is none of them.
func near(word string, sides []*lister) string {
	var all, names []string
	for _, l := range sides {
		for _, t := range l.offered {
			those := l.names(t)
			if all = append(all, those...); !slices.Contains(names, those[0]) {
				names = append(names, those[0])
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	if hint := cli.DidYouMean(word, all); hint != "" {
		return hint
	}
	const most = 10
	if len(names) > most {
		names = append(names[:most], "…")
	}
	return "; there are " + strings.Join(names, ", ")
}

// OrOnly is how a message goes on that says that there are too many targets.
func OrOnly(list []*Target) string {
	if !slices.ContainsFunc(list, func(t *Target) bool { return t.ListedAt != "" }) {
		return ""
	}
	return ", or choose one of the targets with --only"
}
