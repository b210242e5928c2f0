package emit

import (
	"strconv"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// nameSegments are the names of a resource and of its ancestors, outermost first,
// as many as the type has segments after the provider. names are the resource's
// and its ancestors' names as they are written, one for each of them.
func nameSegments(res *resources.Resource, names []armexpr.Expr) []armexpr.Expr {
	types := len(res.TypeRef().Segments) - 1 // without the provider
	ancestors := len(names) - 1
	own := names[ancestors]
	if ancestors == 0 {
		if types == 1 {
			return names
		}
		return splitName(nil, own, types)
	}
	if first := types - ancestors; first > 1 {
		// The first ancestor is a child itself, so its name has slashes.
		return append(splitName(make([]armexpr.Expr, 0, types), names[0], first), names[1:]...)
	}
	return names
}

// names are the names of a resource's ancestors, outermost first, and its own.
func (c *converter) names(res *resources.Resource) []armexpr.Expr {
	if !c.b.IsPlain() {
		return c.allMoved(c.ctx.NameSegments(res))
	}
	known, ok := c.named[res]
	if !ok {
		nodes, inlined, usual := c.nodes, c.ctx.InlinedNodes(), c.make
		c.make = c.kept
		known.list = c.allMoved(c.ctx.NameSegments(res))
		c.make = usual
		known.nodes = c.nodes - nodes
		if c.ctx.InlinedNodes() == inlined && !c.tooLarge && c.err == nil {
			if c.named == nil {
				c.named = make(map[*resources.Resource]names, len(c.ctx.Flow.Resources.Declared()))
			}
			c.named[res] = known
		}
	} else if c.nodes += known.nodes; c.nodes > maxNodes {
		c.tooLarge = true
	}
	return known.list
}

// names are what the names of a resource become, and how many nodes were converted.
type names struct {
	list  []armexpr.Expr
	nodes int
}

func (c *converter) allMoved(list []lower.Moved) []armexpr.Expr {
	out := c.make.List(len(list))
	for i := range list {
		out = append(out, c.moved(&list[i]))
	}
	return out
}

func (c *converter) moved(m *lower.Moved) armexpr.Expr { return c.expr(c.b.Moved(*m)) }

// splitName splits a name at its slashes.
func splitName(dst []armexpr.Expr, name armexpr.Expr, n int) []armexpr.Expr {
	parts := fn("split", name, armexpr.Str("/"))
	for i := range n {
		dst = append(dst, armexpr.Access(parts, armexpr.Int(i)))
	}
	return dst
}

// qualifiedName is the name of a resource with those of its ancestors before it.
func (c *converter) qualifiedName(res *resources.Resource) armexpr.Expr {
	names := c.names(res)
	if len(names) == 1 {
		return names[0]
	}
	names = nameSegments(res, names)
	var small [32]byte
	b := small[:0]
	for i := range names {
		if i > 0 {
			b = append(b, '/')
		}
		b = append(b, '{')
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, '}')
	}
	return c.make.Call("format", append(append(c.make.List(len(names)+1), c.make.Str(string(b))), names...))
}

// resourceID is the id of a resource.
func (c *converter) resourceID(res *resources.Resource) armexpr.Expr {
	switch {
	case res.Param != nil:
		return c.make.Named("parameters", res.Param.Name())
	case res.Module != nil:
		return c.moduleOutputID(res)
	}
	return c.idAt(c.ctx.ResourceScope(res), res.TypeRef().Type, nameSegments(res, c.names(res)))
}

// moduleID is the id of the deployment that a module makes.
func (c *converter) moduleID(m *bind.Module, index *ir.IndexContext) armexpr.Expr {
	return c.idAt(c.ctx.ModuleScope(m), deploymentType, []armexpr.Expr{c.moduleName(m, index)})
}

func (c *converter) moduleName(m *bind.Module, index *ir.IndexContext) armexpr.Expr {
	var i ir.Expr
	if index != nil {
		i = index.Index
	}
	if name := syntax.Body(m.Stmt.Value).PropertyValue("name"); name != nil {
		return c.expr(c.b.Expr(name))
	}
	return c.expr(lower.GeneratedModuleName(m, i))
}

// idAt is the id of a resource of the given type and names at a scope. In another resource group
// than the deployment's the id is built as text, because resourceId means something else at each
// scope it is called from.
func (c *converter) idAt(s *lower.Scope, typeName string, names []armexpr.Expr) armexpr.Expr {
	args := func(first ...armexpr.Expr) []armexpr.Expr {
		list := c.make.List(len(first) + 1 + len(names))
		return append(append(append(list, first...), c.make.Str(typeName)), names...)
	}
	switch s.Kind {
	case types.ScopeTenant:
		return c.make.Call("tenantResourceId", args())
	case types.ScopeSubscription:
		if s.Subscription != nil {
			return c.make.Call("subscriptionResourceId", args(c.moved(s.Subscription)))
		}
		return c.make.Call("subscriptionResourceId", args())
	case types.ScopeResourceGroup:
		var sub armexpr.Expr
		switch {
		case s.ResourceGroup == nil:
			return c.make.Call("resourceId", args())
		case s.Subscription == nil:
			sub = armexpr.Get(c.fn("subscription"), "subscriptionId")
		default:
			sub = c.moved(s.Subscription)
		}
		group := c.fn("format", armexpr.Str("/subscriptions/{0}/resourceGroups/{1}"), sub, c.moved(s.ResourceGroup))
		return c.make.Call("extensionResourceId", args(group))
	case types.ScopeManagementGroup:
		group := armexpr.Expr(armexpr.Get(c.fn("managementGroup"), "id"))
		if s.ManagementGroup != nil {
			group = c.managementGroupID(s.ManagementGroup, true)
		}
		return c.make.Call("extensionResourceId", args(group))
	case types.ScopeResource:
		return c.make.Call("extensionResourceId", args(c.scopeResourceID(s)))
	}
	return c.failf("an id at scope %v", s.Kind)
}

// scopeResourceID is the id of the resource that is the scope of another.
func (c *converter) scopeResourceID(s *lower.Scope) armexpr.Expr {
	segments := s.Segments
	if segments == nil {
		segments = c.ctx.NameSegments(s.Resource)
	}
	names := c.allMoved(segments)
	return c.idAt(c.ctx.ResourceScope(s.Resource), s.Resource.TypeRef().Type, nameSegments(s.Resource, names))
}

const managementGroupType = "Microsoft.Management/managementGroups"

// managementGroupID is the id of a management group, or the path that the engine
// takes for its scope within a deployment to tenants and management groups.
func (c *converter) managementGroupID(name *lower.Moved, full bool) armexpr.Expr {
	if full {
		return c.fn("tenantResourceId", armexpr.Str(managementGroupType), c.moved(name))
	}
	return c.fn("format", armexpr.Str(managementGroupType+"/{0}"), c.moved(name))
}
