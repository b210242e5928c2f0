package lower

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// SymbolicName returns the name of a resource in the template: its own after those
// of the resources in which it is nested.
func (c *Context) SymbolicName(r *resources.Resource) string {
	up := c.Flow.Resources.Ancestors(r)
	first := len(up)
	for first > 0 && up[first-1].Nested {
		first--
	}
	if first == len(up) {
		return r.Symbol.Name()
	}
	var s strings.Builder
	for _, a := range up[first:] {
		s.WriteString(a.Resource.Symbol.Name())
		s.WriteString("::")
	}
	s.WriteString(r.Symbol.Name())
	return s.String()
}

// dependency is an entry of dependsOn in the making.
type dependency struct {
	key    string // what entries are sorted by
	target flow.Dependency
	ref    ir.Expr
}

// dependsOn returns what the template has to say about the order of deployment:
// the resources and modules that the declaration needs, by itself or through
// variables and existing resources, sorted by name. Where all of a collection is
// needed, its elements are left out.
func (b *Builder) dependsOn(of bind.Declared, body *syntax.Object) []ir.Dependency {
	needs := b.Flow.Dependencies()
	if len(needs[of]) == 0 {
		return nil
	}
	p := b.pathFinder(needs)
	p.follow(of, body, b.locals, true)
	list := slices.DeleteFunc(p.list, func(d dependency) bool { return d.target.Index != nil && p.whole[d.target.On] })
	collate.SortFunc(list, func(d dependency) string { return d.key })
	out := b.nodes.dependencies.Make(len(list))
	for i, d := range list {
		out[i] = ir.Dependency{Ref: d.ref}
	}
	return out
}

// pathFinder walks from a declaration along what it needs to whatever is deployed.
// On the way, the index of each step stands for the loop variables in the index of the
// next one. An index that counts a loop is of use only if every step before it counts
// along; otherwise all of the collection is meant.
type pathFinder struct {
	*Builder
	needs flow.Dependencies
	seen  map[step]bool

	list  []dependency // what has been found
	known map[flow.Dependency]bool
	whole map[bind.Declared]bool // the collections of which all is needed
}

// pathFinder returns the file's path finder, which has found nothing yet.
func (b *Builder) pathFinder(needs flow.Dependencies) *pathFinder {
	const large = 256 // too large to be cleared each time
	p := b.paths
	if p == nil || len(p.seen) > large || len(p.known) > large {
		p = &pathFinder{seen: map[step]bool{}, known: map[flow.Dependency]bool{}, whole: map[bind.Declared]bool{}}
		b.paths = p
	}
	p.Builder, p.needs, p.list = b, needs, p.list[:0]
	clear(p.seen)
	clear(p.known)
	clear(p.whole)
	return p
}

func (p *pathFinder) found(d dependency) {
	if p.known[d.target] || p.whole[d.target.On] {
		return
	}
	p.known[d.target] = true
	p.whole[d.target.On] = d.target.Index == nil
	p.list = append(p.list, d)
}

// step is a step of a path that does not end there. Paths that share a step find the
// same from there on, and of what is found twice the first counts: so each step is
// taken only once, which also ends the walk in cycles.
type step struct {
	to flow.Dependency
	// counts is set if all steps so far, this one included, count a loop; counted if
	// this one does.
	counts, counted bool
}

// ends reports whether the template can wait for the target itself.
func (p *pathFinder) ends(d flow.Dependency) bool {
	switch s := d.On.(type) {
	case *bind.Module:
		return true
	case *bind.Resource:
		return !s.Stmt.IsExisting() || p.Settings.Symbolic && !d.Weak
	}
	return false
}

// follow goes on from a declaration; at is the place at which indexes are to be written.
func (p *pathFinder) follow(from bind.Declared, at syntax.Node, locals *ir.Locals, counts bool) {
	for _, target := range p.needs[from] {
		b := p.Builder.Builder(locals)
		var index *ir.IndexContext
		found := dependency{key: target.On.Name(), target: target}
		switch s := target.On.(type) {
		case *bind.Resource:
			r := p.Flow.Resources.At(s.Stmt)
			found.key = p.SymbolicName(r)
			if target.Index != nil {
				index = b.resourceIndex(r, target.Index, at)
			}
			found.ref = b.nodes.resources.New(ir.ResourceRef{Resource: r, Index: index})
		case *bind.Module:
			if target.Index != nil {
				index = b.moduleIndex(s, target.Index, at)
			}
			found.ref = &ir.ModuleRef{Module: s, Index: index}
		case *bind.Var:
			if target.Index != nil {
				index = b.indexContext([]Moved{{X: flow.VarBody(s)}}, target.Index, at)
			}
		}
		inner, counted := locals, false
		if index != nil {
			inner, counted = index.Locals, usesCopyIndex(index.Index)
		}
		if p.ends(target) {
			if counted && !counts {
				found = wholeCollection(found)
			}
			p.found(found)
			continue
		}
		next := step{target, counts && counted, counted}
		if !p.seen[next] {
			p.seen[next] = true
			p.follow(target.On, target.On.Decl(), inner, next.counts)
		}
	}
}

func wholeCollection(d dependency) dependency {
	d.target.Index = nil
	switch ref := d.ref.(type) {
	case *ir.ResourceRef:
		d.ref = &ir.ResourceRef{Resource: ref.Resource}
	case *ir.ModuleRef:
		d.ref = &ir.ModuleRef{Module: ref.Module}
	}
	return d
}

func usesCopyIndex(e ir.Expr) bool {
	found := false
	ir.Walk(e, func(e ir.Expr) bool {
		if _, ok := e.(*ir.CopyIndex); ok {
			found = true
		}
		return !found
	})
	return found
}
