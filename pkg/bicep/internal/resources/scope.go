package resources

import (
	"cmp"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Scope says where a resource or a module is deployed.
type Scope struct {
	Requested types.ResourceScope

	// The expressions that name the scope, if it is not that of the deployment itself.
	ManagementGroup syntax.Expr
	SubscriptionID  syntax.Expr
	ResourceGroup   syntax.Expr
	Resource        *Resource   // the resource that is extended
	Index           syntax.Expr // which resource or module of a collection the scope is

	// Inherited is set for a child resource, whose scope is that of its parent:
	// the expressions above then are in an ancestor's body, and the variables of
	// its loop have to be replaced on the way from parent to child.
	Inherited *Scope
	Via       Ancestor // the parent
}

type scopes struct {
	modules map[*bind.Module]*Scope
	diags   diag.List
}

// extended returns the scope to which the resource is deployed that a scope extends in
// the end, or the scope itself. It is nil if that is not known, or if resources extend
// each other.
func (x *Index) extended(d *Scope) *Scope {
	for range len(x.Declared()) + 1 {
		if d == nil || d.Resource == nil {
			return d
		}
		d = d.Resource.scope
	}
	return nil
}

// Scope returns where a declared resource is deployed.
func (x *Index) Scope(r *Resource) *Scope {
	x.findScopes()
	return r.scope
}

// ModuleScope returns where a module is deployed. It is nil if the module could not be read.
func (x *Index) ModuleScope(s *bind.Module) *Scope { return x.findScopes().modules[s] }

// Inspector reports resources and modules that a file cannot deploy to their scopes.
type Inspector struct{}

// Inspect implements check.Inspector.
func (Inspector) Inspect(m *check.Model, report diag.Sink) {
	for _, d := range IndexOf(m).findScopes().diags {
		report(d)
	}
}

func (x *Index) findScopes() *scopes {
	if x.scopes == nil {
		x.scopes = &scopes{modules: map[*bind.Module]*Scope{}}
		x.findResourceScopes()
		x.findModuleScopes()
	}
	return x.scopes
}

// scopeRefusal takes a scope that is not supported; supplied is 0 if its kind
// cannot be told.
type scopeRefusal func(at source.Span, supplied, supported types.ResourceScope)

func (x *Index) refuseScope(r diag.Kind) scopeRefusal {
	return func(at source.Span, supplied, supported types.ResourceScope) {
		if supplied == 0 {
			x.scopes.diags.Add(diag.BCP420.At(at))
			return
		}
		x.scopes.diags.Add(r.At(at, scopeNames(supplied), scopeNames(supported)))
	}
}

func scopeNames(s types.ResourceScope) string { return `"` + strings.Join(s.Names(), `", "`) + `"` }

// validateScope works out the scope that an expression names. It returns nil
// where there is none, or where it is refused.
func (x *Index) validateScope(refuse scopeRefusal, supported types.ResourceScope, body, value syntax.Expr) *Scope {
	if x.m.Features().LocalDeploy {
		supported |= types.ScopeLocal
	}
	if value == nil {
		if target := x.m.TargetScope(); !supported.Has(target) {
			refuse(body.Span(), target, supported)
		}
		return nil
	}
	base := value
	var index syntax.Expr
	if i, ok := value.(*syntax.Index); ok {
		switch i.X.(type) {
		case *syntax.VarRef, *syntax.NestedAccess:
			base, index = i.X, i.Index
		}
	}
	symbol := x.m.Symbol(base)
	allowed := func(s types.ResourceScope) bool {
		if supported.Has(s) {
			return true
		}
		refuse(value.Span(), s, supported)
		return false
	}
	t := x.m.TypeOf(value)
	if o, ok := t.(*types.Object); ok && o.Scope() != 0 {
		if !allowed(o.Scope()) {
			return nil
		}
		return calledScope(o, index)
	}
	switch s := symbol.(type) {
	case *bind.Resource:
		return x.resourceAsScope(s, index, allowed)
	case *bind.Module:
		if x.m.IsCollection(s) == (index != nil) {
			refuse(value.Span(), types.ScopeModule, supported)
		}
		return nil
	case nil:
		u, ok := t.(*types.Union)
		if !ok || len(u.Members) == 0 {
			return nil
		}
		for _, member := range u.Members {
			if _, ok := types.AsScope(member.Type()); !ok {
				return nil
			}
		}
		refuse(value.Span(), 0, supported)
	}
	return nil
}

// calledScope is the scope that a call of a function such as subscription() names,
// whose arguments say which one is meant.
func calledScope(o *types.Object, index syntax.Expr) *Scope {
	d := &Scope{Requested: o.Scope(), Index: index}
	args := o.ScopeArgs()
	switch o.Scope() {
	case types.ScopeTenant:
	case types.ScopeManagementGroup:
		if len(args) > 0 {
			d.ManagementGroup = args[0]
		}
	case types.ScopeSubscription:
		if len(args) > 0 {
			d.SubscriptionID = args[0]
		}
	case types.ScopeResourceGroup:
		switch len(args) {
		case 0:
		case 1:
			d.ResourceGroup = args[0]
		default:
			d.SubscriptionID, d.ResourceGroup = args[0], args[1]
		}
	default:
		return nil
	}
	return d
}

// resourceAsScope is the scope that a resource is: a resource group or a
// management group is one of its own, any other resource is extended.
func (x *Index) resourceAsScope(s *bind.Resource, index syntax.Expr, allowed func(types.ResourceScope) bool) *Scope {
	r := x.At(s.Stmt)
	if r == nil || !r.IsDeclared() {
		return nil
	}
	if index == nil && x.m.IsCollection(s) {
		return nil // the type check reports it
	}
	special := types.ScopeNone
	switch {
	case strings.EqualFold(r.TypeRef().Type, "Microsoft.Resources/resourceGroups"):
		special = types.ScopeResourceGroup
	case strings.EqualFold(r.TypeRef().Type, "Microsoft.Management/managementGroups"):
		special = types.ScopeManagementGroup
	}
	if special != 0 {
		failed := false
		inner := x.validateScope(func(source.Span, types.ResourceScope, types.ResourceScope) { failed = true },
			r.Type.ParentScopes, s.Stmt.Value, r.scopeExpr())
		if !failed {
			if !allowed(special) {
				return nil
			}
			d := &Scope{Requested: special, Index: index}
			if special == types.ScopeManagementGroup {
				d.ManagementGroup = r.NameExpr()
				return d
			}
			d.ResourceGroup = r.NameExpr()
			if inner != nil {
				d.SubscriptionID = inner.SubscriptionID
			}
			return d
		}
	}
	if !allowed(types.ScopeResource) {
		return nil
	}
	return &Scope{Requested: types.ScopeResource, Resource: r, Index: index}
}

func (x *Index) findResourceScopes() {
	f := x.scopes
	all := x.Declared()
	// Parents first: children take over their scopes.
	order := all
	if slices.ContainsFunc(all, func(r *Resource) bool { return r.Parent != nil }) {
		order = slices.Clone(all)
		slices.SortStableFunc(order, func(a, b *Resource) int { return cmp.Compare(len(x.Ancestors(a)), len(x.Ancestors(b))) })
	}
	own := &Scope{Requested: x.m.TargetScope()}
	refuse := x.refuseScope(diag.BCP135)
	for _, r := range order {
		r.scope = own
		value := r.scopeExpr()
		if ancestors := x.Ancestors(r); len(ancestors) > 0 {
			if value != nil {
				f.diags.Add(diag.BCP164.At(value.Span()))
				continue
			}
			oldest := ancestors[0].Resource
			if d := oldest.scope; !r.Existing && oldest.Existing && d != nil && !x.isDeployable(d) {
				f.diags.Add(diag.BCP165.At(r.Symbol.Stmt.Value.Span(), oldest.Symbol.Name()))
				continue
			}
			if x.binding.IsCyclic(r.Symbol) {
				continue
			}
			parent := ancestors[len(ancestors)-1]
			if d := parent.Resource.scope; d != nil {
				c := *d
				c.Inherited, c.Via = d, parent
				r.scope = &c
			}
			continue
		}
		if value != nil {
			if s := x.At(value); s != nil && s.Param != nil {
				f.diags.Add(diag.BCP229.At(value.Span(), s.Param.Name()))
				continue
			}
		}
		if parent := r.Body().PropertyValue("parent"); parent != nil {
			if s := x.At(parent); s != nil && s.Param != nil {
				f.diags.Add(diag.BCP229.At(parent.Span(), s.Param.Name()))
				continue
			}
		}
		if d := x.validateScope(refuse, r.Type.ParentScopes, r.Symbol.Stmt.Value, value); d != nil {
			r.scope = d
		}
	}
	for _, r := range all {
		x.checkResourceScope(r)
	}
}

// checkResourceScope reports a resource that this file cannot deploy where it is meant to be.
func (x *Index) checkResourceScope(r *Resource) {
	if r.Existing || x.binding.IsCyclic(r.Symbol) {
		return
	}
	d := x.extended(r.scope)
	if d == nil {
		return
	}
	at := r.Symbol.Stmt.Value.Span()
	if s := r.scopeExpr(); s != nil {
		at = s.Span()
	}
	if !x.isDeployable(d) {
		x.scopes.diags.Add(diag.BCP139.At(at))
	}
	if r.Type.ReadOnlyScopes.Has(d.Requested) {
		x.scopes.diags.Add(diag.BCP246.At(at, r.TypeRef().Name(), scopeNames(r.Type.ParentScopes^r.Type.ReadOnlyScopes)))
	}
}

// isDeployable reports whether this file can deploy to a scope: its own, the
// tenant, and what is there.
func (x *Index) isDeployable(d *Scope) bool {
	d = x.extended(d)
	if d == nil || d.Requested == types.ScopeTenant {
		return true
	}
	return d.Requested == x.m.TargetScope() && d.ManagementGroup == nil && d.SubscriptionID == nil && d.ResourceGroup == nil
}

func (x *Index) findModuleScopes() {
	refuse := x.refuseScope(diag.BCP134)
	for _, s := range x.binding.Modules {
		t := types.UnwrapModule(x.m.SymbolType(s))
		if t == nil {
			continue
		}
		value := syntax.Body(s.Stmt.Value).PropertyValue("scope")
		d := x.validateScope(refuse, t.ParentScopes, s.Stmt.Value, value)
		if d == nil {
			d = &Scope{Requested: x.m.TargetScope()}
		}
		at := s.Stmt.Value.Span()
		if value != nil {
			at = value.Span()
		}
		x.checkModuleScope(d, at)
		x.scopes.modules[s] = d
	}
}

// checkModuleScope reports a module that cannot be deployed from this file's scope.
func (x *Index) checkModuleScope(d *Scope, at source.Span) {
	const (
		t, mg, sub, rg = types.ScopeTenant, types.ScopeManagementGroup, types.ScopeSubscription, types.ScopeResourceGroup
	)
	var from types.ResourceScope
	switch d.Requested {
	case t:
		from = t | mg | sub | rg
	case mg:
		from = t | mg
	case sub:
		from = sub | rg
		if d.SubscriptionID != nil {
			from = t | mg | sub | rg
		}
	case rg:
		switch {
		case d.SubscriptionID != nil && d.ResourceGroup != nil:
			from = t | mg | sub | rg
		case d.ResourceGroup != nil:
			from = sub | rg
		default:
			from = rg
		}
	}
	target := x.m.TargetScope()
	if target != 0 && from.Has(target) {
		return
	}
	switch target {
	case t:
		x.scopes.diags.Add(diag.BCP113.At(at))
	case mg:
		x.scopes.diags.Add(diag.BCP114.At(at))
	case sub:
		x.scopes.diags.Add(diag.BCP115.At(at))
	case rg:
		x.scopes.diags.Add(diag.BCP116.At(at))
	}
}
