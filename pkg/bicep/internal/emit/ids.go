package emit

import (
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// nameSegments are the names of a resource and of its ancestors, outermost first,
// as many as the type has segments behind the provider. names are the resource's
// and its ancestors' names as they are written, one for each of them.
func nameSegments(res *check.Resource, names []armexpr.Expr) []armexpr.Expr {
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
		// The first ancestor is a child itself, its name has slashes.
		return append(splitName(make([]armexpr.Expr, 0, types), names[0], first), names[1:]...)
	}
	return names
}

// names are the names of a resource's ancestors, outermost first, and its own.
func (c *converter) names(res *check.Resource) []armexpr.Expr {
	return c.allMoved(c.ctx.NameSegments(res))
}

func (c *converter) allMoved(list []lower.Moved) []armexpr.Expr {
	out := make([]armexpr.Expr, len(list))
	for i := range list {
		out[i] = c.moved(&list[i])
	}
	return out
}

func (c *converter) moved(m *lower.Moved) armexpr.Expr { return c.expr(c.b.Moved(*m)) }

// splitName takes a name with slashes apart.
func splitName(dst []armexpr.Expr, name armexpr.Expr, n int) []armexpr.Expr {
	parts := fn("split", name, armexpr.Str("/"))
	for i := range n {
		dst = append(dst, armexpr.Access(parts, armexpr.Int(i)))
	}
	return dst
}

// qualifiedName is the name of a resource with those of its ancestors before it.
func (c *converter) qualifiedName(res *check.Resource) armexpr.Expr {
	names := c.names(res)
	if len(names) == 1 {
		return names[0]
	}
	names = nameSegments(res, names)
	var b strings.Builder
	for i := range names {
		if i > 0 {
			b.WriteByte('/')
		}
		b.WriteByte('{')
		b.WriteString(strconv.Itoa(i))
		b.WriteByte('}')
	}
	return fnOf("format", append([]armexpr.Expr{armexpr.Str(b.String())}, names...))
}

// resourceID is the id of a resource.
func (c *converter) resourceID(res *check.Resource) armexpr.Expr {
	switch {
	case res.Param != nil:
		return fn("parameters", armexpr.Str(res.Param.Name()))
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

// idAt is the id of something of the given type and names at a scope. At a
// resource group other than the deployment's the id is put together by hand, since
// resourceId means something else at each scope it is called from.
func (c *converter) idAt(s *lower.Scope, typeName string, names []armexpr.Expr) armexpr.Expr {
	args := func(first ...armexpr.Expr) []armexpr.Expr {
		return append(append(first, armexpr.Str(typeName)), names...)
	}
	switch s.Kind {
	case types.ScopeTenant:
		return fnOf("tenantResourceId", args())
	case types.ScopeSubscription:
		if s.Subscription != nil {
			return fnOf("subscriptionResourceId", args(c.moved(s.Subscription)))
		}
		return fnOf("subscriptionResourceId", args())
	case types.ScopeResourceGroup:
		var sub armexpr.Expr
		switch {
		case s.ResourceGroup == nil:
			return fnOf("resourceId", args())
		case s.Subscription == nil:
			sub = armexpr.Get(fn("subscription"), "subscriptionId")
		default:
			sub = c.moved(s.Subscription)
		}
		group := fn("format", armexpr.Str("/subscriptions/{0}/resourceGroups/{1}"), sub, c.moved(s.ResourceGroup))
		return fnOf("extensionResourceId", args(group))
	case types.ScopeManagementGroup:
		group := armexpr.Expr(armexpr.Get(fn("managementGroup"), "id"))
		if s.ManagementGroup != nil {
			group = c.managementGroupID(s.ManagementGroup, true)
		}
		return fnOf("extensionResourceId", args(group))
	case types.ScopeResource:
		return fnOf("extensionResourceId", args(c.scopeResourceID(s)))
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
		return fn("tenantResourceId", armexpr.Str(managementGroupType), c.moved(name))
	}
	return fn("format", armexpr.Str(managementGroupType+"/{0}"), c.moved(name))
}
