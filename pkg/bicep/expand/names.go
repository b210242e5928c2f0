package expand

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// ChangedNames returns in which members two objects differ that are put together of other objects and must not be
// shown: union(createObject('a', 1), parameters('p')) and union(createObject('a', 2), parameters('p')) differ in a. There
// are none where that cannot be told by the names that the template gives.
func ChangedNames(before, after Unknown) (names []string) {
	x, isX := before.(*unknown)
	y, isY := after.(*unknown)
	if !isX || !isY || x.Mark.Shown() || y.Mark.Shown() || !eval.SameSecrets(x, y) {
		return nil
	}
	was, is := united(x.Expr), united(y.Expr)
	if len(was) != len(is) {
		return nil
	}
	for i := range was {
		o, isO := membersOf(was[i])
		p, isP := membersOf(is[i])
		switch {
		case isO && isP:
			names = append(names, differentNames(o, p)...)
		case isO != isP || !armexpr.Same(was[i], is[i]):
			return nil
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// united returns the objects that an expression puts together; nil if it does not.
func united(e armexpr.Expr) []armexpr.Expr {
	c, ok := e.(*armexpr.Call)
	switch {
	case !ok || len(c.Access) > 0:
	case strings.EqualFold(c.Name, "union"):
		return c.Args
	case strings.EqualFold(c.Name, "shallowMerge") && len(c.Args) == 1:
		if list, ok := c.Args[0].(*armexpr.Call); ok && len(list.Access) == 0 && strings.EqualFold(list.Name, "createArray") {
			return list.Args
		}
	}
	return nil
}

// membersOf returns the members of createObject('name', value, …).
func membersOf(e armexpr.Expr) (map[string]armexpr.Expr, bool) {
	c, ok := e.(*armexpr.Call)
	if !ok || len(c.Access) > 0 || len(c.Args)%2 != 0 || !strings.EqualFold(c.Name, "createObject") {
		return nil, false
	}
	members := make(map[string]armexpr.Expr, len(c.Args)/2)
	for i := 0; i < len(c.Args); i += 2 {
		name, ok := c.Args[i].(armexpr.Str)
		if !ok {
			return nil, false
		}
		members[string(name)] = c.Args[i+1]
	}
	return members, true
}

func differentNames(a, b map[string]armexpr.Expr) (names []string) {
	for name, x := range a {
		if y := b[name]; y == nil || !armexpr.Same(x, y) {
			names = append(names, name)
		}
	}
	for name := range b {
		if a[name] == nil {
			names = append(names, name)
		}
	}
	return names
}
