package emit

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// resources writes what the template deploys: an array, or an object keyed by
// symbolic name. Only the latter lists resources that exist already.
func (w *writer) resources(p *ir.Program) {
	w.key("resources")
	start, written := len(w.buf), 0
	done := func() { // with a resource
		w.make.Reset()
		if written++; written != firstResources {
			return
		}
		if all := len(w.ctx.Flow.Resources.Declared()); all >= manyResources {
			each := (len(w.buf) - start) / written
			w.buf = slices.Grow(w.buf, min(each*(all-written)*17/16, 5*len(w.model.Source().Text)/2))
		}
	}
	if !w.symbolic {
		w.array()
		for r := range p.Resources {
			if !r.Resource.Existing {
				w.item()
				w.resource(r, p.Extensions)
				done()
			}
		}
		for _, m := range p.Modules {
			w.item()
			w.module(m)
			w.make.Reset()
		}
		w.end()
		return
	}
	w.uniqueObject()
	for r := range p.Resources {
		w.key(w.ctx.SymbolicName(r.Resource))
		w.resource(r, p.Extensions)
		done()
	}
	for _, m := range p.Modules {
		w.key(m.Module.Name())
		w.module(m)
		w.make.Reset()
	}
	w.end()
}

// shell writes the loop and the condition around the body of a resource or
// module, and returns the body.
func (w *writer) shell(body ir.Expr) *ir.Object {
	if loop, ok := body.(*ir.ForLoop); ok {
		body = loop.Body
		w.key(copyKey)
		w.copyLoop(loop.Name, loop, false, "")
	}
	if cond, ok := body.(*ir.Condition); ok {
		body = cond.Body
		w.member("condition", cond.Cond)
	}
	if o, ok := body.(*ir.Object); ok {
		return o
	}
	w.fail(body)
	return &ir.Object{}
}

// resource writes one resource. Its body can name any property, also those that
// are written before it.
func (w *writer) resource(r *ir.ResourceDecl, extensions []*ir.Extension) {
	res := r.Resource
	w.object()
	body := w.shell(r.Body)
	if w.symbolic && res.Existing {
		w.key("existing")
		w.bool(true)
	}
	for _, x := range extensions {
		if res.Type.Namespace != nil && res.Type.Namespace.Name == x.Name {
			w.extensionOf(x.Name)
			break
		}
	}
	w.options(r.Decorators)
	if res.IsAz() || w.features.ModuleExtensionConfigs {
		w.key("type")
		w.literal(res.TypeRef().Type)
		if v := res.TypeRef().Version; v != "" {
			w.key("apiVersion")
			w.literal(v)
		}
	} else {
		w.key("type")
		w.literal(res.TypeRef().Name())
	}
	if s := w.ctx.ResourceScope(res); s.Resource != nil {
		w.armMember("scope", w.at(w.b.ScopeResourceIndex(s, r.BodySyntax)).resourceID(s.Resource))
	} else {
		w.scope(s, r.BodySyntax)
	}
	if res.IsAz() {
		w.armMember("name", w.qualifiedName(res))
		w.properties(body)
	} else {
		w.key("properties")
		w.object()
		w.properties(body)
		w.end()
	}
	w.dependsOn(r.DependsOn)
	w.description(r.Description)
	w.end()
}

func (w *writer) extensionOf(alias string) {
	if w.features.ModuleExtensionConfigs {
		w.key("extension")
	} else {
		w.key("import")
	}
	w.literal(alias)
}

// optionOrder is the order in which options are written: that in which the language
// declares their decorators. The official compiler writes them in an order that differs
// from run to run.
var optionOrder = [...]string{"waitUntil", "retryOn", "onlyIfNotExists", "nullIfNotFound"}

// options writes what decorators ask of the deployment engine. @patch is a method instead.
func (w *writer) options(list []ir.DecoratorConfig) {
	find := func(name string) int {
		return slices.IndexFunc(list, func(d ir.DecoratorConfig) bool { return d.Name == name })
	}
	open := false
	for _, name := range optionOrder {
		i := find(name)
		if i < 0 {
			continue
		}
		d := list[i]
		if !open {
			open = true
			w.key("@options")
			w.object()
		}
		w.key(d.Name)
		w.array()
		for _, a := range d.Args.Items {
			w.item()
			w.value(a)
		}
		w.end()
	}
	if open {
		w.end()
	}
	if find("patch") >= 0 {
		w.stringMember("method", "PATCH")
	}
}

func (w *writer) description(d ir.Expr) {
	if d != nil {
		w.key("metadata")
		w.uniqueObject()
		w.member("description", d)
		w.end()
	}
}

// dependsOn names what must be deployed before: by symbolic name, or by id and
// for whole collections by the name of the loop.
func (w *writer) dependsOn(list []ir.Dependency) {
	if len(list) == 0 {
		return
	}
	w.key("dependsOn")
	w.array()
	for _, d := range list {
		w.item()
		w.arm(w.dependency(d.Ref))
	}
	w.end()
}

func (w *writer) dependency(ref ir.Expr) armexpr.Expr {
	switch ref := ref.(type) {
	case *ir.ResourceRef:
		res := ref.Resource
		collection := isLoop(res)
		switch {
		case w.symbolic && collection:
			return w.at(ref.Index).symbolicReference(w.ctx.SymbolicName(res), ref.Index)
		case w.symbolic, collection && ref.Index == nil:
			return armexpr.Str(w.ctx.SymbolicName(res))
		}
		return w.at(ref.Index).resourceID(res)
	case *ir.ModuleRef:
		collection := isCollection(ref.Module)
		switch {
		case w.symbolic && collection:
			return w.at(ref.Index).symbolicReference(ref.Module.Name(), ref.Index)
		case w.symbolic, collection && ref.Index == nil:
			return armexpr.Str(ref.Module.Name())
		}
		return w.at(ref.Index).moduleID(ref.Module, ref.Index)
	}
	return w.fail(ref)
}

// scope writes where a resource or module is deployed, if not where the template is.
func (w *writer) scope(s *lower.Scope, at syntax.Node) {
	target := w.model.TargetScope()
	switch s.Kind {
	case types.ScopeTenant:
		if target != types.ScopeTenant {
			w.stringMember("scope", "/")
		}
	case types.ScopeManagementGroup:
		if s.ManagementGroup != nil {
			full := target != types.ScopeTenant && target != types.ScopeManagementGroup
			w.armMember("scope", w.part(s, s.ManagementGroup, at).managementGroupID(s.ManagementGroup, full))
		}
	case types.ScopeSubscription:
		if s.Subscription != nil {
			w.member("subscriptionId", w.b.Moved(*s.Subscription))
		} else if target == types.ScopeResourceGroup {
			w.armMember("subscriptionId", armexpr.Get(fn("subscription"), "subscriptionId"))
		}
	case types.ScopeResourceGroup:
		if s.Subscription != nil {
			w.armMember("subscriptionId", w.part(s, s.Subscription, at).moved(s.Subscription))
		}
		if s.ResourceGroup != nil {
			w.armMember("resourceGroup", w.part(s, s.ResourceGroup, at).moved(s.ResourceGroup))
		}
	}
}

// part returns the converter for a part of a scope.
func (w *writer) part(s *lower.Scope, part *lower.Moved, at syntax.Node) *converter {
	return &converter{b: w.b.ScopePart(s, part, at), file: w.file}
}
