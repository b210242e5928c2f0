package lower

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// SymbolicName returns the name of a resource in the template: its own behind those
// of the resources in which it is nested.
func (c *Context) SymbolicName(r *check.Resource) string {
	up := c.Model.Ancestors(r)
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
func (b *Builder) dependsOn(of bind.Declared, body *syntax.Object) []*ir.Dependency {
	needs := b.Facts.Dependencies()
	if len(needs[of]) == 0 {
		return nil
	}
	var list []dependency
	whole, known := map[bind.Declared]bool{}, map[flow.Dependency]bool{}
	p := pathFinder{Builder: b, needs: needs, body: body}
	p.found = func(d dependency) {
		if known[d.target] || whole[d.target.On] {
			return
		}
		known[d.target] = true
		whole[d.target.On] = d.target.Index == nil
		list = append(list, d)
	}
	for _, need := range needs[of] {
		p.follow(need)
	}
	list = slices.DeleteFunc(list, func(d dependency) bool { return d.target.Index != nil && whole[d.target.On] })
	collate.SortFunc(list, func(d dependency) string { return d.key })
	out := make([]*ir.Dependency, len(list))
	for i, d := range list {
		out[i] = &ir.Dependency{Ref: d.ref}
	}
	return out
}

// pathFinder walks from a declaration along what it needs to whatever is deployed.
type pathFinder struct {
	*Builder
	needs flow.Dependencies
	body  *syntax.Object
	path  []flow.Dependency
	found func(dependency)
	// seen holds what was left behind already with no index on the way: following
	// it again would find the same.
	seen map[bind.Declared]bool
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

func (p *pathFinder) follow(d flow.Dependency) {
	for _, on := range p.path {
		if on.On == d.On {
			return // a circle; it has been reported
		}
	}
	p.path = append(p.path, d)
	defer func() { p.path = p.path[:len(p.path)-1] }()
	if p.ends(d) {
		p.found(p.entry())
		return
	}
	if !slices.ContainsFunc(p.path, func(d flow.Dependency) bool { return d.Index != nil }) {
		if p.seen[d.On] {
			return
		}
		if p.seen == nil {
			p.seen = map[bind.Declared]bool{}
		}
		p.seen[d.On] = true
	}
	for _, next := range p.needs[d.On] {
		p.follow(next)
	}
}

// entry makes the entry for the path's end. Each step's index stands for the loop
// variables in the index of the next one. An index that counts a loop is of use only
// if every step before it counts along; otherwise all of the collection is meant.
func (p *pathFinder) entry() dependency {
	locals := p.locals
	counts := true
	var out dependency
	for i, target := range p.path {
		var at syntax.Node = p.body
		if i > 0 {
			at = p.path[i-1].On.Decl()
		}
		b := p.Builder.Builder(locals)
		out = dependency{key: target.On.Name(), target: target}
		var index *ir.IndexContext
		switch s := target.On.(type) {
		case *bind.Resource:
			r := p.Model.Resource(s.Stmt)
			out.key = p.SymbolicName(r)
			if target.Index != nil {
				index = b.resourceIndex(r, target.Index, at)
			}
			out.ref = &ir.ResourceRef{Resource: r, Index: index}
		case *bind.Module:
			if target.Index != nil {
				index = b.moduleIndex(s, target.Index, at)
			}
			out.ref = &ir.ModuleRef{Module: s, Index: index}
		case *bind.Var:
			if target.Index != nil {
				index = b.indexContext([]Moved{{X: flow.VarBody(s)}}, target.Index, at)
			}
			out.ref = &ir.VarRef{Name: s.Name(), Symbol: s}
		}
		counted := false
		if index != nil {
			locals = index.Locals
			counted = usesCopyIndex(index.Index)
		}
		if counted && !counts {
			out.target.Index = nil
			switch ref := out.ref.(type) {
			case *ir.ResourceRef:
				out.ref = &ir.ResourceRef{Resource: ref.Resource}
			case *ir.ModuleRef:
				out.ref = &ir.ModuleRef{Module: ref.Module}
			}
		}
		counts = counts && counted
	}
	return out
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
