// Package plan compares what two templates deploy.
//
// Compare matches the resources of two expansions by what they are deployed as, and
// lists what is created, changed and deleted, with the properties that differ. Where
// a side depends on what only the deployment can know, the action is Unknown. How
// expressions are written, symbolic names, the order of declarations, modules and
// loops make no difference (normal.go, match.go). Secure values are compared and not
// shown.
//
// A plan prints itself as text, JSON and Markdown.
package plan

import (
	"cmp"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/normal"
)

// Action is what a deployment would do with a resource.
type Action string

const (
	Deploy    Action = "deploy"    // nothing to compare with: it would be there
	Create    Action = "create"    // it is not there yet
	Update    Action = "update"    // it is there, with other properties
	Delete    Action = "delete"    // it is there, and would no longer be
	Rename    Action = "rename"    // the same resource, or one of the same symbol, under another name; the old one stays
	Replace   Action = "replace"   // as Rename, but the old one is deleted
	Unchanged Action = "unchanged" // it is there, as it would be
	Unknown   Action = "unknown"   // what happens depends on what cannot be known
)

// Plan is what a deployment would change.
type Plan struct {
	// Compared says that there is something to compare with.
	Compared bool
	Items    []Item
	Outputs  []Change // of the template; the path is the output's name
	Unknowns []Cause
	// NotDeployed are the resources that the change is about and that are deployed on neither side, since a
	// condition is false: see Hides.
	NotDeployed []Item
	Values      []Named // long expressions that others mention: each mentions those before it only

	// Remedy names the option that makes something unknown known; "" if there is none.
	// The printers show it. It may be nil.
	Remedy func(Cause) string

	normal    *normalizer
	byID      map[string]*expand.Resource
	symbols   map[string]*expand.Resource // by idKey
	room      int                         // for paths of changes, and then for names of what depends on something unknown
	fresh     int                         // items that nothing is compared with, but those that are deleted
	mentioned map[string]bool             // names of Values that were written
	replaces  bool                        // what the program does not deploy any more is deleted
	prunes    bool                        // that holds for objects of Kubernetes, too
}

// Item is a resource and what a deployment would do with it.
type Item struct {
	Action Action
	// Resource is as it would be; of what is deleted, as it is.
	Resource *expand.Resource
	// Was is what the resource is now; nil if it is created, or nothing is compared.
	Was     *expand.Resource
	Changes []Change
	// RenamedFrom is the name that the resource had, if it gets another one.
	RenamedFrom string

	Application, Environment string

	mayGo   bool // it may not be deployed any more
	mayMove bool // its name or its scope may be another

	mayBe *expand.Resource // one of the other side that it may be; see match.go
}

// Change is a property that differs.
type Change struct {
	Path          string
	Action        Action // Create, Update, Delete or Unknown
	Before, After expand.Value
	Secure        bool // neither value may be shown
}

// Cause is something that cannot be known before deployment.
type Cause struct {
	expand.Cause
	Resources []string // that depend on it
}

// Count returns how many resources have an action.
func (p *Plan) Count(a Action) int { return p.made(false, a) + p.made(true, a) }

// made returns how many resources have an action: those that recipes make, or the others.
func (p *Plan) made(byRecipes bool, a Action) int {
	n := 0
	for _, i := range p.Items {
		if i.Action == a && byRecipes == (i.Resource.Maker != nil) {
			n++
		}
	}
	return n
}

// count is made, and what is replaced is deleted and created.
func (p *Plan) count(byRecipes bool, a Action) int {
	n := p.made(byRecipes, a)
	if a == Create || a == Delete {
		n += p.made(byRecipes, Replace)
	}
	return n
}

// Empty reports whether nothing would change.
func (p *Plan) Empty() bool {
	for _, i := range p.Items {
		if i.Action != Unchanged {
			return false
		}
	}
	return len(p.Outputs) == 0
}

// List returns the plan of a template that is compared with nothing.
func List(after *expand.Result) *Plan {
	n := newNormalizer(after)
	p := &Plan{byID: map[string]*expand.Resource{}, symbols: map[string]*expand.Resource{}, room: maxPaths, normal: n}
	after = n.result(after)
	p.know(after)
	for _, r := range after.Resources {
		if !r.Existing {
			p.add(Item{Action: Deploy, Resource: r})
		}
	}
	for _, o := range after.Outputs {
		p.Outputs = append(p.Outputs, Change{Path: segment("", o.Name), Action: Deploy, After: o.Value, Secure: expand.IsSecure(o.Value)})
	}
	p.finish()
	return p
}

// Compare returns what deploying after changes where before is deployed. Nil is a
// template without resources.
func Compare(before, after *expand.Result) *Plan {
	n := newNormalizer(before, after)
	p := &Plan{Compared: true, byID: map[string]*expand.Resource{}, symbols: map[string]*expand.Resource{}, room: maxPaths, normal: n}
	before, after = n.result(before), n.result(after)
	p.know(before)
	p.know(after)
	if hasRadius(before) || hasRadius(after) {
		p.replaces = true
	}
	m := n.match(deployed(before), deployed(after))
	var created, deleted []int
	for _, r := range deployed(after) {
		old := m.was[r]
		if old == nil {
			created = append(created, len(p.Items))
			p.add(Item{Action: m.actionOf(r, Create), Resource: r, mayBe: m.doubt[r]})
			continue
		}
		item := Item{Resource: r, Was: old, Changes: p.changes(old, r, m.unclear[r])}
		if item.Action = summary(item.Changes); m.unclear[r] || r.Unfetched() && item.Action != Unchanged || old.TooLarge || r.TooLarge {
			item.Action = Unknown
		}
		item.mayMove = m.unclear[r]
		item.mayGo = r.Unfetched() && item.Action != Unchanged ||
			r.Condition != nil && n.relate(old.Condition, r.Condition) != normal.Same ||
			n.relate(old.Copies, r.Copies) != normal.Same
		p.add(item)
	}
	for _, r := range m.gone {
		deleted = append(deleted, len(p.Items))
		p.add(Item{Action: m.actionOf(r, Delete), Resource: r, Was: r, mayBe: m.doubt[r]})
	}
	p.findRenames(created, deleted)
	p.compareOutputs(before, after)
	p.finish()
	return p
}

// hasRadius reports whether a resource of Radius is deployed or referred to.
func hasRadius(result *expand.Result) bool {
	return result != nil && slices.ContainsFunc(result.Resources, (*expand.Resource).IsRadius)
}

// Replaces says that what the program does not deploy any more is deleted, as of a DeploymentTemplate: a resource that
// gets another name is replaced. It is so for programs with resources of Radius in any case. Objects that Kubernetes'
// extension deploys stay, since no controller knows of them, but not where they are written themselves: objects says so.
// What a recipe deploys to a cloud stays.
func (p *Plan) Replaces(objects bool) {
	p.replaces, p.prunes = true, p.prunes || objects
	for i := range p.Items {
		if item := &p.Items[i]; item.Action == Rename && p.removes(item) {
			item.Action = Replace
		}
	}
}

// removes reports whether the old resource is deleted, of one that gets another name.
func (p *Plan) removes(i *Item) bool {
	if i.Was.IsKubernetes() {
		return p.prunes
	}
	return p.replaces && i.Was.Maker == nil
}

// Deletion says whether what is deployed now is deleted.
type Deletion string

const (
	Kept      Deletion = ""      // it stays
	MayBeGone Deletion = "maybe" // that depends on what cannot be known
	IsGone    Deletion = "yes"   // it is deleted
)

// Deletion says whether a deployment deletes the resource that an item of the plan is about, or the one that it
// replaces.
func (p *Plan) Deletion(i *Item) Deletion {
	switch {
	case i.Action == Delete || i.Action == Replace:
		return IsGone
	case i.Was == nil, i.Was.Unfetched() && i.Was.Symbol != "": // an import deploys nothing by itself
		return Kept
	case i.mayGo || i.Was == i.Resource || (i.mayMove || i.Action == Unknown && i.RenamedFrom != "") && p.removes(i):
		return MayBeGone
	}
	return Kept
}

// Deletions names the resources that are deleted, or may be deleted.
func (p *Plan) Deletions(of Deletion) (names []string) {
	for i := range p.Items {
		if item := &p.Items[i]; p.Deletion(item) == of {
			names = append(names, p.called(item.Was)+" ("+kind(item.Was)+")")
		}
	}
	return names
}

// Hides notes what a plan of the same two sides shows that was made with all that false conditions leave out
// (expand.Options.All).
func (p *Plan) Hides(all *Plan) {
	for _, i := range all.Items {
		if i.Action != Unchanged {
			p.NotDeployed = append(p.NotDeployed, i)
		}
	}
}

// actionOf is Unknown for a resource with a condition that is not known, and for one that may be another.
func (m *matches) actionOf(r *expand.Resource, a Action) Action {
	if r.Condition != nil || r.Copies != nil || r.Unfetched() || m.doubt[r] != nil {
		return Unknown
	}
	return a
}

func summary(list []Change) Action {
	a := Unchanged
	for _, c := range list {
		if c.Action != Unknown {
			return Update
		}
		a = Unknown
	}
	return a
}

// group puts what recipes make behind the resources that they are of.
func (p *Plan) group() {
	at := map[*expand.Resource]int{}
	for n, i := range p.Items {
		if i.Resource.Maker == nil {
			at[i.Resource] = n
			if i.Was != nil {
				at[i.Was] = n
			}
		}
	}
	of := func(i Item) int { return at[cmp.Or(i.Resource.Maker, i.Resource)] }
	slices.SortStableFunc(p.Items, func(a, b Item) int {
		switch x, y := a.Resource.Maker != nil, b.Resource.Maker != nil; {
		case of(a) != of(b) || x == y:
			return cmp.Compare(of(a), of(b))
		case y:
			return -1
		}
		return 1
	})
}

func (p *Plan) add(i Item) { p.Items = append(p.Items, i) }

// finish finds out what is unknown, gives names to long expressions, and then says where resources belong.
func (p *Plan) finish() {
	p.room = maxPaths
	p.group()
	causes := make([][]expand.Cause, len(p.Items))
	for n, i := range p.Items {
		r := i.Resource
		shown := armjson.Array{orNull(r.Condition), orNull(r.Copies)}
		switch {
		case i.Action == Delete || i.Action == Unchanged:
			continue
		case i.Was == nil:
			shown = append(shown, orNull(r.Name), r.Body)
		}
		for _, c := range i.Changes { // of what stays the same, it does not matter that it is unknown
			shown = append(shown, orNull(c.Before), orNull(c.After))
		}
		causes[n] = expand.Reasons(shown)
	}
	for _, c := range p.Outputs {
		if c.Action != Delete {
			causes = append(causes, expand.Reasons(orNull(c.After)))
		}
	}
	p.share()
	for n := range p.Items {
		i := &p.Items[n]
		p.knowSymbol(i.Resource)
		if i.Was == nil {
			p.fresh++
		}
		i.Application, i.Environment = p.groupOf(i.Resource)
	}
	p.findUnknowns(causes)
}

// deployed returns the resources of an expansion but those that exist already.
func deployed(result *expand.Result) []*expand.Resource {
	if result == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(result.Resources), func(r *expand.Resource) bool { return r.Existing })
}

// Key returns what a resource is deployed as: its ID, or for extensions its type,
// scope and name.
func Key(r *expand.Resource) string {
	if r.Extension == nil && r.ID != nil {
		return strings.ToLower(expand.Text(r.ID))
	}
	return strings.ToLower(r.Type + "|" + scopeText(r) + "|" + expand.Text(r.Name))
}

func scopeText(r *expand.Resource) string {
	if s, ok := expand.Known(r.Scope); ok {
		return s
	}
	return ""
}

// longestLabel is the length of a name from which on it is cut.
const longestLabel = 500

// Label names a resource for people. A name that is far too long is cut.
func Label(r *expand.Resource) string {
	switch {
	case r.Name != nil:
		return clip(expand.Text(r.Name), longestLabel)
	case r.Symbol != "":
		return clip(r.Symbol, longestLabel)
	}
	return "(no name)"
}

// findRenames makes one item of a resource that is deleted and one that is created: those with one body, first those
// with one symbol of one module, and then those with one symbol of one module whatever their bodies are.
func (p *Plan) findRenames(created, deleted []int) {
	if len(created) == 0 || len(deleted) == 0 {
		return
	}
	body := func(r *expand.Resource) string { return p.normal.nameless(r) }
	taken := map[int]bool{}
	for _, step := range []struct {
		key  func(r *expand.Resource) string
		same bool // the bodies are equal, not only their texts
	}{{func(r *expand.Resource) string { return place(r) + "|" + body(r) }, true}, {body, true}, {place, false}} {
		gone := map[string][]int{}
		for _, i := range deleted {
			if k := step.key(p.Items[i].Resource); !taken[i] && k != "" {
				gone[k] = append(gone[k], i)
			}
		}
		for _, i := range created {
			is := &p.Items[i]
			k := step.key(is.Resource)
			if len(gone[k]) == 0 || is.RenamedFrom != "" {
				continue
			}
			was := &p.Items[gone[k][0]]
			if step.same && p.normal.relate(withoutName(was.Resource), withoutName(is.Resource)) != normal.Same {
				continue
			}
			taken[gone[k][0]] = true
			gone[k] = gone[k][1:]
			p.rename(is, was)
		}
	}
	kept := p.Items[:0]
	for i, item := range p.Items {
		if !taken[i] {
			kept = append(kept, item)
		}
	}
	p.Items = kept
}

// rename makes one item of two.
func (p *Plan) rename(is, was *Item) {
	is.Was, is.RenamedFrom = was.Resource, Label(was.Resource)
	switch {
	case is.Action != Create || was.Action != Delete:
		is.Action = Unknown
	case p.removes(is):
		is.Action = Replace
	default:
		is.Action = Rename
	}
	d := differ{room: &p.room, normal: p.normal}
	d.whole("name", was.Resource.Name, is.Resource.Name)
	d.whole("scope", was.Resource.Scope, is.Resource.Scope)
	is.Changes = append(d.list, p.changes(was.Resource, is.Resource, false)...)
}

// nameless is a text that resources have in common which differ in name only.
func (n *normalizer) nameless(r *expand.Resource) string {
	return r.Type + "@" + r.APIVersion + n.table.Key(n.expression(withoutName(r)))
}

func withoutName(r *expand.Resource) expand.Value {
	if r.Extension == nil {
		return r.Body
	}
	out := armjson.NewObject()
	for k, v := range r.Body.All() {
		switch k {
		case "name":
			continue
		case "metadata":
			if o, ok := v.(*armjson.Object); ok {
				inner := armjson.NewObject()
				for k, v := range o.All() {
					if k != "name" {
						inner.Set(k, v)
					}
				}
				v = inner
			}
		}
		out.Set(k, v)
	}
	return out
}

func (p *Plan) compareOutputs(before, after *expand.Result) {
	old := armjson.NewObject()
	if before != nil {
		for _, o := range before.Outputs {
			old.Set(o.Name, o.Value)
		}
	}
	now := armjson.NewObject()
	if after != nil {
		for _, o := range after.Outputs {
			now.Set(o.Name, o.Value)
		}
	}
	d := differ{room: &p.room, normal: p.normal}
	for k, v := range now.All() {
		was, ok := old.Get(k)
		if !ok {
			d.add(Create, segment("", k), nil, v)
			continue
		}
		d.compare(segment("", k), was, v)
	}
	for k, v := range old.All() {
		if now.Find(k) < 0 {
			d.add(Delete, segment("", k), v, nil)
		}
	}
	p.Outputs = d.list
}

// findUnknowns collects why values are unknown, and where.
func (p *Plan) findUnknowns(causes [][]expand.Cause) {
	at := map[string]int{}
	for i, list := range causes {
		if len(list) == 0 {
			continue
		}
		label := "" // of an output
		if i < len(p.Items) {
			label = Label(p.Items[i].Resource)
		}
		for _, c := range list {
			n, ok := at[c.Call]
			if !ok {
				n = len(p.Unknowns)
				at[c.Call] = n
				p.Unknowns = append(p.Unknowns, Cause{Cause: c})
			}
			if list := &p.Unknowns[n].Resources; label == "" {
				continue
			} else if p.room > 0 {
				*list = append(*list, label)
				p.room -= len(label) + 8
			} else if last := len(*list) - 1; last >= 0 && (*list)[last] != "…" {
				*list = append(*list, "…")
			}
		}
	}
}

func orNull(v expand.Value) expand.Value {
	if v == nil {
		return armjson.Null{}
	}
	return v
}
