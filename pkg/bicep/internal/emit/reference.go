package emit

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

const (
	deploymentType    = "Microsoft.Resources/deployments"
	deploymentVersion = "2025-04-01"
	secureOutputs     = "listOutputsWithSecureValues"
)

// listCall writes a call of a resource's method: the engine's function takes the
// resource's id and, where the user gives no arguments, its API version.
func (c *converter) listCall(e *ir.ResourceCall) armexpr.Expr {
	res := e.Resource.Resource
	if !hasListPrefix(e.Name) {
		return c.fail(e)
	}
	var target armexpr.Expr
	if c.symbolic && res.Symbol != nil {
		target = c.symbolicReference(c.ctx.SymbolicName(res), e.Resource.Index)
	} else {
		target = c.expr(&ir.PropertyAccess{Base: e.Resource, Name: "id"})
	}
	args := make([]armexpr.Expr, 1, len(e.Args)+2)
	args[0] = target
	if len(e.Args) == 0 {
		args = append(args, c.make.Str(res.TypeRef().Version))
	}
	for _, a := range e.Args {
		args = append(args, c.expr(a))
	}
	return c.make.Call(e.Name, args)
}

func hasListPrefix(name string) bool {
	return len(name) >= 4 && strings.EqualFold(name[:4], "list")
}

// moduleOutput reads an output of a module. Outputs of the engine are objects with
// the value inside; the function that lists secure outputs gives the values themselves.
func (c *converter) moduleOutput(e *ir.ModuleOutput) armexpr.Expr {
	name, value := c.make.Str(e.Name), armexpr.Str("value")
	var base armexpr.Expr
	tail := []armexpr.Expr{name, value}
	if p, ok := e.Base.(*ir.PropertyAccess); ok {
		if m, ok := p.Base.(*ir.ModuleRef); ok {
			base = c.at(m.Index).moduleProperty(m, p, &e.Secure)
			if e.Secure {
				tail = tail[:1]
			}
		}
	}
	if base == nil {
		base = c.expr(e.Base)
	}
	call := armexpr.AsCall(base)
	switch {
	case e.Flags&ir.SafeAccess != 0:
		// Both an output that a condition leaves out and one whose value is null give null.
		for _, k := range tail {
			call = c.fn("tryGet", call, k)
		}
		return call
	case isSafeAccess(call.Name) && len(call.Access) == 0:
		return withArgs(call, tail...)
	case call.Name == "if" && isNull(call.Args[len(call.Args)-1]):
		return c.make.Call("tryGet", append([]armexpr.Expr{call}, tail...))
	}
	return c.make.Access(call, tail...)
}

func isNull(e armexpr.Expr) bool {
	call, ok := e.(*armexpr.Call)
	return ok && call.Name == "null"
}

// moduleProperty reads the name or the outputs of a module. c has the replacements of ref's index.
func (c *converter) moduleProperty(ref *ir.ModuleRef, e *ir.PropertyAccess, secure *bool) armexpr.Expr {
	safe := e.Flags&ir.SafeAccess != 0
	guard := func(x armexpr.Expr) armexpr.Expr {
		if safe {
			if cond := c.b.ModuleCondition(ref.Module); cond != nil {
				return c.fn("if", c.at(ref.Index).expr(cond), x, armexpr.Null)
			}
		}
		return x
	}
	if e.Name == "name" {
		return guard(c.moduleName(ref.Module, ref.Index))
	}
	if secure != nil && *secure || secure == nil && c.hasSecureOutput(ref.Module) {
		var target armexpr.Expr
		if c.symbolic {
			target = c.symbolicReference(ref.Module.Name(), ref.Index)
		} else {
			target = c.moduleID(ref.Module, ref.Index)
		}
		return guard(c.fn(secureOutputs, target, armexpr.Str(deploymentVersion)))
	}
	base := c.moduleReference(ref.Module, ref.Index, false)
	if safe {
		return c.fn("tryGet", guard(base), armexpr.Str("outputs"))
	}
	return c.make.Access(base, armexpr.Str("outputs"))
}

// moduleReference is the deployment that a module makes, as the engine knows it.
func (c *converter) moduleReference(m *bind.Module, index *ir.IndexContext, resourceOutput bool) *armexpr.Call {
	name := "reference"
	collection := !resourceOutput && index == nil && isCollection(m)
	if collection {
		name = "references"
	}
	switch {
	case c.symbolic:
		return c.fn(name, c.symbolicReference(m.Name(), index))
	case collection:
		return c.fn(name, armexpr.Str(m.Name())) // the name of the loop
	}
	return c.fn(name, c.at(index).moduleID(m, index), armexpr.Str(deploymentVersion))
}

// moduleOutputID is the id of the resource that a module's output holds.
func (c *converter) moduleOutputID(res *resources.Resource) *armexpr.Call {
	return armexpr.Get(c.moduleReference(res.Module, nil, true), "outputs", res.Output, "value")
}

// resourceReference is a whole resource, or all of its collection, as the engine
// knows it. Without full, only what is below its `properties`.
func (c *converter) resourceReference(res *resources.Resource, index *ir.IndexContext, full bool) *armexpr.Call {
	collection := index == nil && isLoop(res)
	var target armexpr.Expr
	switch {
	case res.Param != nil:
		target = c.make.Named("parameters", res.Param.Name())
	case res.Module != nil:
		target = c.moduleOutputID(res)
	case c.symbolic:
		target = c.symbolicReference(c.ctx.SymbolicName(res), index)
	case collection:
		target = armexpr.Str(c.ctx.SymbolicName(res)) // the name of the loop
	default:
		target = c.resourceID(res)
	}
	switch {
	case collection && (!full || !res.IsAz()):
		return c.fn("references", target)
	case collection:
		return c.fn("references", target, armexpr.Str("full"))
	case !res.IsAz():
		// Of a resource of an extension everything is below `properties`.
		return c.fn("reference", target)
	case full:
		return c.fn("reference", target, c.make.Str(res.TypeRef().Version), armexpr.Str("full"))
	case !c.symbolic:
		return c.fn("reference", target, c.make.Str(res.TypeRef().Version))
	}
	return c.fn("reference", target)
}

// resourceProperty reads a property of a resource. Some are known without asking
// the engine. c has the replacements of ref's index.
func (c *converter) resourceProperty(ref *ir.ResourceRef, e *ir.PropertyAccess) armexpr.Expr {
	res, name := ref.Resource, c.make.Str(e.Name)
	safe := e.Flags&ir.SafeAccess != 0
	if !res.IsAz() {
		base := c.resourceReference(res, ref.Index, false)
		if safe {
			return c.fn("tryGet", base, name)
		}
		return c.make.Access(base, name)
	}
	switch e.Name {
	case "type":
		if !c.usesResourceInfo(res) {
			return c.make.Str(res.TypeRef().Type)
		}
	case "apiVersion":
		if !c.usesResourceInfo(res) {
			return c.make.Str(res.TypeRef().Version)
		}
	}
	switch {
	case res.Param != nil:
		return c.parameterResourceProperty(ref, e, safe)
	case res.Module != nil:
		return c.moduleOutputResourceProperty(ref, e)
	}

	guard := func(x armexpr.Expr) (armexpr.Expr, bool) {
		if safe {
			if cond := c.b.ResourceCondition(res); cond != nil {
				return c.fn("if", c.at(ref.Index).expr(cond), x, armexpr.Null), true
			}
		}
		return x, false
	}
	guardAccess := func(x armexpr.Expr) armexpr.Expr {
		if g, wrapped := guard(x); safe || wrapped {
			return c.fn("tryGet", g, name)
		}
		return c.make.Access(x, name)
	}
	if c.usesResourceInfo(res) {
		switch e.Name {
		case "id", "type", "apiVersion", "name":
			info := c.fn("resourceInfo", c.symbolicReference(c.ctx.SymbolicName(res), ref.Index))
			if e.Name != "name" || res.Parent == nil {
				return guardAccess(info)
			}
			// The engine knows the qualified name, Bicep the last part of it.
			x, _ := guard(lastSegment(armexpr.Get(info, "name")))
			return x
		}
	}
	switch e.Name {
	case "id":
		x, _ := guard(c.resourceID(res))
		return x
	case "name":
		x, _ := guard(c.expr(c.b.Expr(res.NameExpr())))
		return x
	case "properties":
		if !safe {
			return c.resourceReference(res, ref.Index, false)
		}
	}
	return guardAccess(c.resourceReference(res, ref.Index, true))
}

func (c *converter) parameterResourceProperty(ref *ir.ResourceRef, e *ir.PropertyAccess, safe bool) armexpr.Expr {
	res, name := ref.Resource, c.make.Str(e.Name)
	switch e.Name {
	case "id":
		return c.resourceID(res)
	case "name":
		return lastSegment(c.resourceID(res))
	}
	switch {
	case safe:
		return c.fn("tryGet", c.resourceReference(res, ref.Index, true), name)
	case e.Name == "properties":
		return c.resourceReference(res, ref.Index, false)
	}
	return c.make.Access(c.resourceReference(res, ref.Index, true), name)
}

// moduleOutputResourceProperty reads the id or the name of a resource that a
// module's output holds. If the output itself was accessed safely, null is passed on.
func (c *converter) moduleOutputResourceProperty(ref *ir.ResourceRef, e *ir.PropertyAccess) armexpr.Expr {
	res := ref.Resource
	output := armexpr.Str(res.Output)
	access, ok := ref.Source().(syntax.Access)
	safe := ok && access.IsSafe()
	switch {
	case e.Name == "id" && safe:
		return c.fn("tryGet", armexpr.Get(c.moduleReference(res.Module, nil, true), "outputs"), output, armexpr.Str("value"))
	case e.Name == "id":
		return c.moduleOutputID(res)
	case e.Name == "name" && safe:
		// split would make the deployment fail if it were given null.
		return c.fn("if",
			c.fn("contains", armexpr.Get(c.moduleReference(res.Module, nil, true), "outputs"), output),
			lastSegment(c.moduleOutputID(res)),
			armexpr.Null)
	case e.Name == "name":
		return lastSegment(c.moduleOutputID(res))
	}
	return c.fail(e)
}

// lastSegment is the last part of a name or an id.
func lastSegment(id armexpr.Expr) armexpr.Expr {
	return fn("last", fn("split", id, armexpr.Str("/")))
}

// symbolicReference names a resource or module, or one of a collection.
func (c *converter) symbolicReference(name string, index *ir.IndexContext) armexpr.Expr {
	if index == nil {
		return armexpr.Str(name)
	}
	return c.fn("format", armexpr.Str(name+"[{0}]"), c.expr(index.Index))
}
