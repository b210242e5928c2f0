package plan

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/normal"
)

// # Which resource is which
//
// A resource is what it was deployed as before: its type, its scope and its name. Names are compared without regard to
// case, and by their normal forms. What is left is matched in steps, and each step takes only what no step before took:
//
//  1. one key (identity) on both sides. A program may deploy a resource more than once, as with a condition and with
//     its negation: what is equal belongs together then, then what has one symbol and module, and the rest in its order;
//  2. one symbol of one module, if the names are, or may be, the same (normal.Relate);
//  3. one type, if the names are the same: first with equal bodies;
//  4. one symbol of one module, though the names are different, if one of the two may be another resource that is left;
//  5. one type, if the names may be the same: first with equal bodies.
//
// Where names only may be the same, what happens to the resource is unknown. Nothing else could be said: that one is
// deleted and another created may be wrong, and that it is the same, too. What is left after the last step has
// names that are different from all others of its type that are left.
//
// The steps 3 to 5 try pairs, but not those of two known names, which the first step would have found. They end after
// maxPairs.

// maxPairs is how many pairs of resources are tried.
const maxPairs = 200_000

// matches says which resource is which.
type matches struct {
	was     map[*expand.Resource]*expand.Resource
	unclear map[*expand.Resource]bool // the name or the scope may be another
	gone    []*expand.Resource        // what has no other side
	// doubt has, for a resource without another side, one of the other side that it may be.
	doubt map[*expand.Resource]*expand.Resource
}

// match finds what each resource was.
func (n *normalizer) match(before, after []*expand.Resource) *matches {
	m := &matcher{normalizer: n, taken: map[*expand.Resource]bool{}, deployedAs: map[*expand.Resource][2]armexpr.Expr{}}
	m.was, m.unclear = map[*expand.Resource]*expand.Resource{}, map[*expand.Resource]bool{}
	m.byKey(before, after)
	m.byPlace(before, after)
	m.byName(before, after)
	for _, r := range before {
		if !m.taken[r] {
			m.gone = append(m.gone, r)
		}
	}
	m.inDoubt(after)
	return &m.matches
}

// inDoubt finds the resources without another side that may be one of those that are matched: where the name of one may be
// another, or one stands for all rounds of a loop and the other for more or fewer. They may also be in a module that could
// not be fetched, where that is new, changed or gone.
func (m *matcher) inDoubt(after []*expand.Resource) {
	unsure, unsureAfter := slices.DeleteFunc(slices.Clone(m.gone), isNoModule), []*expand.Resource(nil)
	for _, is := range after {
		was := m.was[is]
		if was == nil {
			if !isNoModule(is) {
				unsureAfter = append(unsureAfter, is)
			}
			continue
		}
		differ := func(a, b expand.Value) bool { return m.relate(a, b) != normal.Same }
		changed := !isNoModule(is) && (was.APIVersion != is.APIVersion || differ(was.Body, is.Body))
		if changed || m.unclear[is] || differ(was.Condition, is.Condition) || differ(was.Copies, is.Copies) {
			unsure, unsureAfter = append(unsure, was), append(unsureAfter, is)
		}
	}
	m.doubt = map[*expand.Resource]*expand.Resource{}
	find := func(r *expand.Resource, list []*expand.Resource) {
		holds := func(x *expand.Resource) bool { return m.holds(x, r) || m.mayBe(r, x) }
		if i := slices.IndexFunc(list, holds); i >= 0 {
			m.doubt[r] = list[i]
		}
	}
	m.pairs = maxPairs
	for _, r := range after {
		if m.was[r] == nil {
			find(r, unsure)
		}
	}
	for _, r := range m.gone {
		find(r, unsureAfter)
	}
}

// holds reports whether a resource may be in what another one stands for: a module that could not be fetched, or what a recipe
// makes of the same resource, or of one that may be it.
func (m *matcher) holds(x, r *expand.Resource) bool {
	if a, b := x.Maker, r.Maker; x.NotKnown != "" {
		return !r.Unfetched() && b != nil && (m.was[a] == b || m.was[b] == a || m.doubt[b] == a || m.identity(a) == m.identity(b))
	}
	return !r.Unfetched() && !isNoModule(x)
}

// isNoModule reports whether a resource does not stand for a module that could not be fetched.
func isNoModule(r *expand.Resource) bool { return !r.Unfetched() || r.Symbol != "" }

type matcher struct {
	*normalizer
	matches
	taken map[*expand.Resource]bool // of before
	pairs int                       // that may still be tried

	deployedAs map[*expand.Resource][2]armexpr.Expr
}

// pair matches two resources. What becomes of one is not clear if another secret is in its name or its scope.
func (m *matcher) pair(was, is *expand.Resource) {
	m.was[is], m.taken[was] = was, true
	for _, x := range [][2]expand.Value{{was.Name, is.Name}, {was.Scope, is.Scope}} {
		a, ok := x[0].(*eval.Unknown)
		b, also := x[1].(*eval.Unknown)
		if ok && also && !eval.SameSecrets(a, b) {
			m.unclear[is] = true
		}
	}
}

// left returns what is not matched yet.
func (m *matcher) left(list []*expand.Resource) []*expand.Resource {
	return slices.DeleteFunc(slices.Clone(list), func(r *expand.Resource) bool { return m.taken[r] || m.was[r] != nil })
}

// identity returns what tells a resource from others, as far as it is known.
func (n *normalizer) identity(r *expand.Resource) string {
	if r.Extension == nil {
		if id, ok := expand.Known(r.ID); ok {
			return strings.ToLower(id)
		}
	}
	return strings.ToLower(r.Type) + "|" + n.key(r.Scope) + "|" + n.key(r.Name)
}

// key returns a text that two values have in common if they differ in case only.
func (n *normalizer) key(v expand.Value) string {
	if v == nil {
		return ""
	}
	return n.table.Key(n.lower(v))
}

func (n *normalizer) lower(v expand.Value) armexpr.Expr {
	return n.table.Lower(n.expression(v))
}

// place returns the symbol of a resource and the modules that it is in.
func place(r *expand.Resource) string {
	if r.Symbol == "" {
		return ""
	}
	return strings.ToLower(r.Type) + "|" + r.Module.Path() + "|" + r.Symbol
}

// names relates what two resources of one type are deployed as.
func (m *matcher) names(a, b *expand.Resource) normal.Relation {
	x, y := m.lowered(a), m.lowered(b)
	return all(len(x), func(i int) normal.Relation {
		switch {
		case x[i] == nil && y[i] == nil:
			return normal.Same
		case x[i] == nil || y[i] == nil:
			return normal.Unclear
		}
		return m.table.Relate(x[i], y[i])
	})
}

// lowered returns the name and the scope of a resource in lower case; nil for what it has not.
func (m *matcher) lowered(r *expand.Resource) [2]armexpr.Expr {
	parts, ok := m.deployedAs[r]
	if !ok {
		for i, v := range []expand.Value{r.Name, r.Scope} {
			if v != nil {
				parts[i] = m.lower(v)
			}
		}
		m.deployedAs[r] = parts
	}
	return parts
}

func (m *matcher) byKey(before, after []*expand.Resource) {
	old := map[string][]*expand.Resource{}
	for _, r := range before {
		k := m.identity(r)
		old[k] = append(old[k], r)
	}
	now := map[string][]*expand.Resource{}
	var keys []string
	for _, r := range after {
		k := m.identity(r)
		if now[k] == nil {
			keys = append(keys, k)
		}
		now[k] = append(now[k], r)
	}
	for _, k := range keys {
		if len(old[k]) == 1 && len(now[k]) == 1 {
			m.pair(old[k][0], now[k][0])
		} else if len(old[k]) > 0 {
			m.several(old[k], now[k])
		}
	}
}

// several matches resources of one key.
func (m *matcher) several(before, after []*expand.Resource) {
	m.by(func(r *expand.Resource) string {
		return m.nameless(r) + "|" + m.key(r.Condition) + "|" + m.key(r.Copies)
	}, before, after)
	m.by(place, before, after)
	before, after = m.left(before), m.left(after)
	for i, r := range after[:min(len(after), len(before))] {
		m.pair(before[i], r)
	}
}

// by matches what is left and has a text in common, in its order.
func (m *matcher) by(text func(*expand.Resource) string, before, after []*expand.Resource) {
	old := map[string][]*expand.Resource{}
	for _, r := range m.left(before) {
		k := text(r)
		old[k] = append(old[k], r)
	}
	for _, r := range m.left(after) {
		if k := text(r); len(old[k]) > 0 {
			m.pair(old[k][0], r)
			old[k] = old[k][1:]
		}
	}
}

func (m *matcher) byPlace(before, after []*expand.Resource) {
	old := map[string]*expand.Resource{}
	for _, r := range m.left(before) {
		if p := place(r); p != "" {
			old[p] = r
		}
	}
	for _, r := range m.left(after) {
		if was := old[place(r)]; was != nil && !m.taken[was] {
			m.try(was, r, normal.Same, normal.Unclear)
		}
	}
}

// try matches two resources if the relation of their names is one of those.
func (m *matcher) try(was, is *expand.Resource, those ...normal.Relation) bool {
	r := m.names(was, is)
	if !slices.Contains(those, r) {
		return false
	}
	m.pair(was, is)
	if r == normal.Unclear {
		m.unclear[is] = true
	}
	return true
}

// byName matches what is left by type and name. Names without conditions that are the same have one key, and are matched
// before: so those that are the same are looked for only among names with conditions.
func (m *matcher) byName(before, after []*expand.Resource) {
	before, after = m.left(before), m.left(after)
	if len(before) == 0 || len(after) == 0 {
		return
	}
	kind := func(r *expand.Resource) string { return strings.ToLower(r.Type) }
	whole := map[*expand.Resource]string{}
	for _, list := range [][]*expand.Resource{before, after} {
		for _, r := range list {
			whole[r] = kind(r) + "|" + m.nameless(r)
		}
	}
	body := func(r *expand.Resource) string { return whole[r] }
	conditional := func(r *expand.Resource) bool {
		parts := m.lowered(r)
		return m.table.Conditional(parts[0]) || m.table.Conditional(parts[1])
	}
	anything := func(*expand.Resource) bool { return true }
	m.pairs = maxPairs
	m.tryAll(before, after, body, conditional, normal.Same)
	m.tryAll(before, after, kind, conditional, normal.Same)
	m.byPlaceInDoubt(before, after)
	m.tryAll(before, after, body, anything, normal.Unclear)
	m.tryAll(before, after, kind, anything, normal.Unclear)
}

// byPlaceInDoubt matches what is left and has one symbol of one module, where one of the two may be another resource.
func (m *matcher) byPlaceInDoubt(before, after []*expand.Resource) {
	before, after = m.left(before), m.left(after)
	old := map[string]*expand.Resource{}
	for _, r := range before {
		old[place(r)] = r
	}
	for _, r := range after {
		if was := old[place(r)]; was != nil && place(r) != "" && (m.mayBeOneOf(r, before) || m.mayBeOneOf(was, after)) {
			m.pair(was, r)
			m.unclear[r] = true
		}
	}
}

// mayBeOneOf reports whether the name of a resource may be that of one in a list.
func (m *matcher) mayBeOneOf(r *expand.Resource, list []*expand.Resource) bool {
	return slices.ContainsFunc(list, func(x *expand.Resource) bool { return m.mayBe(r, x) })
}

// mayBe reports whether two resources may have one name.
func (m *matcher) mayBe(a, b *expand.Resource) bool {
	name, known := expand.Known(a.Name)
	other, alsoKnown := expand.Known(b.Name)
	if !strings.EqualFold(a.Type, b.Type) || known && alsoKnown && !strings.EqualFold(name, other) {
		return false
	}
	m.pairs--
	return m.pairs < 0 || m.names(a, b) != normal.Different
}

// tryAll tries pairs that have a text in common, of which one is as it says.
func (m *matcher) tryAll(before, after []*expand.Resource, text func(*expand.Resource) string,
	is func(*expand.Resource) bool, relation normal.Relation) {
	all, some := map[string][]*expand.Resource{}, map[string][]*expand.Resource{}
	for _, r := range m.left(before) {
		k := text(r)
		if all[k] = append(all[k], r); is(r) {
			some[k] = append(some[k], r)
		}
	}
	for _, r := range m.left(after) {
		list := some
		if is(r) {
			list = all
		}
		k := text(r)
		for len(list[k]) > 0 && m.taken[list[k][0]] {
			list[k] = list[k][1:]
		}
		name, known := expand.Known(r.Name)
		for _, was := range list[k] {
			if other, alsoKnown := expand.Known(was.Name); m.taken[was] || known && alsoKnown && !strings.EqualFold(name, other) {
				continue
			}
			if m.pairs--; m.pairs < 0 {
				return
			}
			if m.try(was, r, relation) {
				break
			}
		}
	}
}
