package typelib

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// azLibrary converts the entries of a library of Azure's types. A type is made when
// a property that has it is looked at.
type azLibrary struct {
	lib  *aztypes.Library
	made memo.Map[azPlace, types.Type]
}

// azPlace is a type of the library in a place: what is wrong is an error or a warning
// by where it is.
type azPlace struct {
	node aztypes.NodeID
	in   place
}

// place says where in a resource a type is.
type place uint8

const (
	inBody   place = iota // the resource itself
	topLevel              // a property of the resource
	below                 // farther down, or not in a resource
)

// flags returns how strict a type is at a place. At the top level the deployment
// engine refuses what it does not know; elsewhere the library may be wrong.
func (p place) flags(sensitive bool) (f types.ValidationFlags) {
	if p != inBody {
		f |= types.WarnOnPropertyMismatch
	}
	if p == below {
		f |= types.WarnOnTypeMismatch
	}
	if sensitive {
		f |= types.IsSecure
	}
	return f
}

// within returns the place of the properties of an object.
func (p place) within() place {
	if p == inBody {
		return topLevel
	}
	return below
}

// azRef refers to a type of the library, which is made when it is first used.
type azRef struct {
	from *azLibrary
	at   azPlace
	made atomic.Pointer[types.Type]
}

func (r *azRef) Type() types.Type {
	if t := r.made.Load(); t != nil {
		return *t
	}
	t := r.from.typ(r.at)
	r.made.Store(&t)
	return t
}

func (a *azLibrary) ref(node aztypes.NodeID, in place) types.Ref {
	return &azRef{from: a, at: azPlace{node, in}}
}

// typ returns the type of a node, which must not be the body of a resource.
func (a *azLibrary) typ(at azPlace) types.Type {
	return a.made.Get(at, func() types.Type { return a.convert(a.lib.Node(at.node), at.in) })
}

func (a *azLibrary) convert(n aztypes.Node, in place) types.Type {
	flags := in.flags(n.Sensitive)
	switch n.Kind {
	case aztypes.Null:
		return types.TNull
	case aztypes.Bool:
		return types.NewBool(flags)
	case aztypes.Int:
		return types.NewInt(n.Min, n.Max, flags)
	case aztypes.String:
		return types.NewString(n.Min, n.Max, validPattern(n.Pattern), flags)
	case aztypes.Literal:
		return types.NewStringLiteral(n.Name, flags)
	case aztypes.Array:
		return types.NewTypedArray(a.ref(n.Item, below), nil, nil, below.flags(false))
	case aztypes.Union:
		members := make([]types.Ref, 0, len(n.Members)+len(n.Literals))
		for _, s := range n.Literals {
			members = append(members, types.NewStringLiteral(s, flags))
		}
		for _, m := range n.Members {
			members = append(members, a.ref(m, in))
		}
		return types.NewUnion(members...)
	case aztypes.Object:
		return a.object(n.Name, n, nil, in)
	case aztypes.Discriminated:
		members := make([]types.Ref, len(n.Members))
		for i, m := range n.Members {
			members[i] = a.object(n.Keys[i], a.lib.Node(m), n.Properties, in)
		}
		if d := types.NewDiscriminatedObject(n.Name, flags, n.Discriminator, members); d != nil {
			return d
		}
	}
	return types.TAny
}

// object makes an object of its own properties and those of a base, except for those
// that it has itself, ignoring case.
func (a *azLibrary) object(name string, n aztypes.Node, base []aztypes.Property, in place) *types.Object {
	list := n.Properties
	if len(base) > 0 {
		own := len(list)
		list = slices.Clip(list)
		for _, p := range base {
			if !slices.ContainsFunc(list[:own], func(o aztypes.Property) bool { return strings.EqualFold(o.Name, p.Name) }) {
				list = append(list, p)
			}
		}
	}
	refs := make([]azRef, len(list))
	ps := make([]types.Property, len(list))
	for i, p := range list {
		refs[i].from, refs[i].at = a, azPlace{p.Type, in.within()}
		ps[i] = types.Property{Name: p.Name, Type: &refs[i], Flags: propertyFlags(int(p.Flags))}
	}
	var additional *types.Property
	if n.Item != aztypes.None {
		additional = &types.Property{Type: a.ref(n.Item, in.within())}
	}
	return types.NewObject(name, in.flags(n.Sensitive), ps, additional)
}

// resource makes the type of a resource.
func (a *azLibrary) resource(r *aztypes.Resource, flags types.GenerationFlags) *made {
	m := &made{ref: types.NewResourceTypeReference(r.Type, r.Version), identifiers: AzIdentifiers}
	readable, writable := azScopes(r.Readable), azScopes(r.Writable)
	m.parentScopes, m.readOnly = readable|writable, readable&^writable
	if r.Writable == 0 {
		m.flags = types.ResourceReadOnly
	}
	m.body = azBody(m, a.body(r), flags)
	return m
}

func azScopes(in uint8) (out types.ResourceScope) {
	for _, s := range [...]struct {
		in  uint8
		out types.ResourceScope
	}{{aztypes.ScopeTenant, types.ScopeTenant}, {aztypes.ScopeManagementGroup, types.ScopeManagementGroup},
		{aztypes.ScopeSubscription, types.ScopeSubscription}, {aztypes.ScopeResourceGroup, types.ScopeResourceGroup},
		{aztypes.ScopeExtension, types.ScopeResource}} {
		if in&s.in != 0 {
			out |= s.out
		}
	}
	return out
}

// body makes the body of a resource as the library has it.
func (a *azLibrary) body(r *aztypes.Resource) types.Type {
	n := a.lib.Node(r.Body)
	if n.Name == aztypes.Self {
		n.Name = r.Type
	}
	t := a.convert(n, inBody)
	switch t := t.(type) {
	case *types.Object:
		t = a.named(t, r)
		return t.With(func(o *types.Object) {
			o.SetProperties(setProperty(o.Properties(), types.Property{Name: "asserts", Type: azAsserts}))
			o.Methods = types.NewFunctions(o, a.methods(r), nil)
		})
	case *types.DiscriminatedObject:
		return t.MapMembers(func(o *types.Object) *types.Object { return a.named(o, r) })
	}
	return t
}

// named puts the name and the version of a resource in the place of what stands for
// them in the library.
func (a *azLibrary) named(o *types.Object, r *aztypes.Resource) *types.Object {
	for i := range o.Properties() {
		p := &o.Properties()[i]
		if p.Name != "type" && p.Name != "apiVersion" {
			continue
		}
		switch of := p.Type.(*azRef); a.lib.Node(of.at.node).Kind {
		case aztypes.SelfType:
			p.Type = types.NewStringLiteral(r.Type, topLevel.flags(false))
		case aztypes.SelfVersion:
			p.Type = types.NewStringLiteral(r.Version, topLevel.flags(false))
		}
	}
	return o
}

// methods returns the functions of a resource. One that takes something has a form
// without it, too.
func (a *azLibrary) methods(r *aztypes.Resource) (list []*types.FunctionOverload) {
	for _, f := range r.Functions {
		output := a.typ(azPlace{f.Output, below})
		list = append(list, &types.FunctionOverload{Name: f.Name, Return: output, Flags: types.RequiresInlining})
		if f.Input != aztypes.None {
			list = append(list, &types.FunctionOverload{
				Name: f.Name, Return: output, Flags: types.RequiresInlining,
				Params: []types.Param{
					{Name: "apiVersion", Type: types.Str(r.Version), Flags: types.ParamRequired},
					{Name: "params", Type: a.typ(azPlace{f.Input, below}), Flags: types.ParamRequired},
				},
			})
		}
	}
	return list
}

// config returns the configuration of Azure: the providers that the template uses.
func (a *azLibrary) config() types.ObjectLike {
	providers := a.lib.Providers()
	members := make([]types.Ref, len(providers))
	for i, p := range providers {
		members[i] = types.NewStringLiteral(p, below.flags(false))
	}
	list := types.NewTypedArray(types.NewUnion(members...), nil, nil, below.flags(false))
	return types.NewObject("configuration", below.flags(false),
		[]types.Property{{Name: "providers", Type: list, Flags: types.AllowImplicitNull}}, nil)
}

// azBody is the body of a resource type of the library, with what the language adds. A
// constant name is the name of a child. It applies where the parent is known; elsewhere
// the name holds the names of both.
func azBody(m *made, body types.Type, flags types.GenerationFlags) types.Type {
	constantNames := len(m.ref.Segments) == 2 || flags&types.HasParentDefined != 0
	switch b := body.(type) {
	case *types.Object:
		ps := slices.Clone(b.Properties())
		if i := propertyIndex(ps, "name"); i >= 0 && !constantNames {
			ps[i].Type = types.TString
		}
		return azObject(m, b, ps, flags)
	case *types.DiscriminatedObject:
		byName := b.Discriminator.Name == "name"
		if byName && !constantNames || !byName && flags&types.ExistingResource != 0 {
			var ps []types.Property
			for _, p := range append(azIdentity(m.ref), azEngine()...) {
				if slices.ContainsFunc(b.Members, func(m types.DiscriminatedMember) bool { return m.Object.Property(p.Name) != nil }) {
					ps = append(ps, p)
				}
			}
			return azObject(m, types.NewObject(m.ref.Name(), 0, nil, nil), ps, flags)
		}
		return b.MapMembers(func(o *types.Object) *types.Object { return azObject(m, o, slices.Clone(o.Properties()), flags) })
	}
	return azType(m.ref, flags, true).body.Type()
}

// azObject adds to the properties that the library describes those that every resource
// has, and says when each can be read.
func azObject(m *made, body *types.Object, ps []types.Property, flags types.GenerationFlags) *types.Object {
	existing := flags&types.ExistingResource != 0
	for i := range ps {
		p := &ps[i]
		switch p.Name {
		case "name":
			p.Flags |= types.ReadableAtDeployTime | types.LoopVariant | types.SystemProperty
		case "id", "type", "apiVersion":
			p.Flags |= types.ReadableAtDeployTime
		default:
			if writeOnlyConstant(p.Name, flags) {
				p.Flags |= types.DeployTimeConstant
			}
		}
	}
	ps = setProperty(ps, dependsOn(types.SystemProperty))
	for _, p := range appendAzReferences(nil, m.ref, flags) {
		if p.Name == "scope" {
			// The library says at which scopes the type may be deployed.
			at := m.parentScopes
			if !existing {
				at &= types.ScopeResource | types.ScopeTenant
				if at == 0 {
					continue
				}
			}
			p.Type = &types.ScopeReference{Scope: at}
		}
		ps = setProperty(ps, p)
	}
	for _, p := range azEngine() {
		if p.Name == placement && flags&types.WithoutPlacement != 0 {
			continue
		}
		if propertyIndex(ps, p.Name) < 0 {
			p.Flags |= types.FallbackProperty
			ps = append(ps, p)
		}
	}
	var methods []*types.FunctionOverload
	if body.Methods != nil {
		methods = body.Methods.Overloads
	}
	return newAzBody(body.Name, m.ref, ps, body.Additional, methods, flags)
}

func propertyIndex(ps []types.Property, name string) int {
	return slices.IndexFunc(ps, func(p types.Property) bool { return p.Name == name })
}

// setProperty replaces the property of that name, or appends it.
func setProperty(ps []types.Property, p types.Property) []types.Property {
	if i := propertyIndex(ps, p.Name); i >= 0 {
		ps[i] = p
		return ps
	}
	return append(ps, p)
}
