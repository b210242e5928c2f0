package targets

import (
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/project"
)

// Both returns what there is to make on two sides that are compared. An argument, or a word of --only, may name what only
// one of them has.
func Both(now, then project.Side, s Selection) (is, was []*Target, err error) {
	sides := [2]*lister{{Side: now, Selection: s, compared: true}, {Side: then, Selection: s, compared: true}}
	var args [2][]string // that name something there
	for _, arg := range s.Args {
		_, err := sides[0].list([]string{arg})
		_, wasErr := sides[1].list([]string{arg})
		if err != nil && (!namesNothing(err) || wasErr != nil) {
			return nil, nil, err
		}
		if wasErr != nil && !namesNothing(wasErr) {
			return nil, nil, wasErr
		}
		if err == nil {
			args[0] = append(args[0], arg)
		}
		if wasErr == nil {
			args[1] = append(args[1], arg)
		}
	}
	var lists [2][]*Target
	for i, l := range slices.Backward(sides[:]) {
		if len(s.Args) > 0 && len(args[i]) == 0 {
			continue
		}
		l.mayBeNone = len(lists[1]) > 0 // what lists no targets any more
		if lists[i], err = l.list(args[i]); err != nil {
			return nil, nil, err
		}
	}
	for _, pattern := range s.Only {
		if !slices.ContainsFunc(sides[:], func(l *lister) bool { return len(l.chosenBy(pattern, l.offered)) > 0 }) {
			return nil, nil, choosesNone(pattern, sides[:]...)
		}
	}
	return lists[0], lists[1], nil
}

// Counterpart finds the target of another side that makes the same: of its name, or of
// its template and output. It is taken out of the list.
func Counterpart(t *Target, list *[]*Target) *Target {
	for _, same := range []func(o *Target) bool{
		func(o *Target) bool { return o.Name == t.Name && o.Input == t.Input && o.Outfile == t.Outfile },
		func(o *Target) bool { return o.Name == t.Name && t.Name != "" },
		func(o *Target) bool { return o.Outfile == t.Outfile },
		func(o *Target) bool { return o.Input == t.Input },
	} {
		if i := slices.IndexFunc(*list, same); i >= 0 {
			o := (*list)[i]
			*list = slices.Delete(slices.Clone(*list), i, i+1)
			return o
		}
	}
	return nil
}
