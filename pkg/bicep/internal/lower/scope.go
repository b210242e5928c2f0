package lower

import (
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Scope is where a resource or module is deployed. It is what the checker found,
// with its expressions moved to where they are needed: a child's scope is that of
// its oldest ancestor.
type Scope struct {
	Kind            types.ResourceScope
	ManagementGroup *Moved
	Subscription    *Moved
	ResourceGroup   *Moved
	// Resource is the resource that is extended, if Kind is ScopeResource.
	Resource *resources.Resource
	// Segments are Resource's name, if it differs from what NameSegments gives.
	Segments []Moved
	// Index picks one of a collection that serves as the scope.
	Index *Moved
}

// ResourceScope returns the scope of a resource.
func (c *Context) ResourceScope(r *resources.Resource) *Scope {
	up := c.Flow.Resources.Ancestors(r)
	if len(up) == 0 {
		return c.scope(c.Flow.Resources.Scope(r))
	}
	// A scope of its own, or one that cannot be inherited, has been reported.
	s := c.scope(c.Flow.Resources.Scope(up[0].Resource))
	for i := range up {
		to := r
		if i+1 < len(up) {
			to = up[i+1].Resource
		}
		move := func(m *Moved) *Moved {
			if m == nil {
				return nil
			}
			moved := c.move(*m, up[i].Index, to.NameExpr())
			return &moved
		}
		next := &Scope{
			Kind:            s.Kind,
			ManagementGroup: move(s.ManagementGroup),
			Subscription:    move(s.Subscription),
			ResourceGroup:   move(s.ResourceGroup),
			Resource:        s.Resource,
			Index:           move(s.Index),
		}
		segments := s.Segments
		if segments == nil && s.Resource != nil {
			segments = c.NameSegments(s.Resource)
		}
		for _, m := range segments {
			next.Segments = append(next.Segments, *move(&m))
		}
		s = next
	}
	return s
}

// ModuleScope returns the scope of a module.
func (c *Context) ModuleScope(m *bind.Module) *Scope { return c.scope(c.Flow.Resources.ModuleScope(m)) }

func (c *Context) scope(d *resources.Scope) *Scope {
	if d == nil || *d == (resources.Scope{Requested: d.Requested}) {
		kind := c.Model.TargetScope()
		if d != nil {
			kind = d.Requested
		}
		if c.bare == nil || c.bare.Kind != kind {
			c.bare = &Scope{Kind: kind}
		}
		return c.bare
	}
	return &Scope{
		Kind:            d.Requested,
		ManagementGroup: unmoved(d.ManagementGroup),
		Subscription:    unmoved(d.SubscriptionID),
		ResourceGroup:   unmoved(d.ResourceGroup),
		Resource:        d.Resource,
		Index:           unmoved(d.Index),
	}
}

func unmoved(x syntax.Expr) *Moved {
	if x == nil {
		return nil
	}
	return &Moved{X: x}
}

// ScopePart returns the builder with which a part of a scope is lowered that picks
// one of a collection, at the place of a node.
func (b *Builder) ScopePart(s *Scope, part *Moved, at syntax.Node) *Builder {
	return b.At(b.movedIndex([]Moved{*part}, s.Index, at))
}

// ScopeResourceIndex returns the context of the resource that a scope names.
func (b *Builder) ScopeResourceIndex(s *Scope, at syntax.Node) *ir.IndexContext {
	if s.Resource.IsAz() {
		return b.movedIndex(b.NameSegments(s.Resource), s.Index, at)
	}
	return b.movedIndex(nil, s.Index, at)
}
