package typeexpr

import (
	"math"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// This file is about parts of types, and types with arguments.

// Instance is what a type with arguments stands for, such as resourceInput<'…'>.
type Instance struct {
	Type types.Type // an error type if there was an error
	// Resource is the resource type that the type is derived from, and Variant
	// says which side of it. Resource is nil if there was an error.
	Resource *types.Resource
	Variant  types.DerivedVariant
}

// Instance returns what a *syntax.TypeCall or *syntax.InstanceTypeCall stands for.
func (rs *Resolver) Instance(n syntax.Node) *Instance {
	if got, ok := rs.instances[n.ID()]; ok {
		return got
	}
	if rs.instances == nil {
		rs.instances = map[syntax.ID]*Instance{}
	}
	i := &Instance{Type: types.TReported}
	rs.instances[n.ID()] = i
	switch n := n.(type) {
	case *syntax.TypeCall:
		angles := source.Between(n.Open, n.Close)
		switch s := rs.binding.Symbol(n).(type) {
		case *bind.AmbientType:
			rs.instantiateGeneric(i, n, s.Name(), s.Type, n.Args, angles)
		case *bind.ImportedType:
			rs.instantiateGeneric(i, n, s.Name(), rs.model.SymbolType(s), n.Args, angles)
		case *bind.TypeAlias:
			rs.instantiateGeneric(i, n, s.Name(), rs.Alias(s), n.Args, angles)
		case bind.Declared:
			i.Type = types.NewError(rs.binding.AfterImport(diag.BCP287.At(n.Span(), s.Name()), n.Name.Name))
		default:
			i.Type = rs.NotAType(n.Span(), n.Name.Name)
		}
	case *syntax.InstanceTypeCall:
		base := rs.typeOf(n.X).Type()
		t := propertyOfType(base, n.Name.Name, n.Name)
		rs.instantiateGeneric(i, n, base.String()+"."+n.Name.Name, t, n.Args, source.Between(n.Open, n.Close))
	}
	return i
}

func (rs *Resolver) instantiateGeneric(i *Instance, n syntax.TypeExpr,
	name string, t types.Type, args []syntax.TypeExpr, angles source.Span) {
	if types.IsError(t) {
		i.Type = t
		return
	}
	tmpl, ok := t.(*types.GenericType)
	if !ok {
		i.Type = types.NewError(diag.BCP383.At(n.Span(), name))
		return
	}
	if len(args) < tmpl.MinArgs() || len(args) > len(tmpl.Params) {
		c := types.CountMismatch{Count: len(args), Min: tmpl.MinArgs(), Max: len(tmpl.Params)}
		i.Type = types.NewError(diag.BCP071.At(angles, c.Expected(), c.Count))
		return
	}
	for k, a := range args {
		at := refuseNamespace(rs.typeOf(a).Type(), a)
		if bound := tmpl.Params[k].Type; bound != nil && !types.AreAssignable(at, bound) {
			i.Type = types.NewError(diag.BCP070.At(a.Span(), at, bound))
			return
		}
	}
	// All types with arguments are derived from a resource type, which the first names.
	lit, ok := firstArg(args).(*syntax.StringTypeLit)
	if !ok || lit.Value.Interpolated() {
		inner := source.Span{Start: angles.Start + 1, End: angles.End - 1}
		i.Type = types.NewError(diag.BCP032.At(inner))
		return
	}
	text, _ := lit.Value.Literal()
	r, problem := rs.resourceTypes.Find(text, 0, nil)
	if problem != nil {
		i.Type = types.NewError(problem.At(lit.Span()))
		return
	}
	i.Resource, i.Variant = r, tmpl.Variant
	i.Type = r.Body.Type()
	switch tmpl.Variant {
	case types.DerivedInput:
		i.Type = types.RemovePropertyFlags(i.Type, types.WriteOnly)
	case types.DerivedOutput:
		i.Type = types.RemovePropertyFlags(i.Type, types.ReadOnly)
	}
}

func firstArg(args []syntax.TypeExpr) syntax.TypeExpr {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// canAccess reports whether parts of a type expression may be asked for.
func (rs *Resolver) canAccess(base syntax.Node) bool {
	switch b := base.(type) {
	case *syntax.TypePropertyAccess, *syntax.TypeRestAccess, *syntax.TypeIndex, *syntax.TypeItems, *syntax.TypeName:
		return true
	case *syntax.TypeCall:
		s, ok := rs.binding.Symbol(b).(*bind.AmbientType)
		return ok && isResourceDerivedTypeName(s.Name()) && s.Namespace != nil && s.Namespace.Settings.ExtensionName == "sys"
	case *syntax.InstanceTypeCall:
		s, ok := rs.binding.Symbol(b.X).(*bind.BuiltInNamespace)
		return ok && isResourceDerivedTypeName(b.Name.Name) && namespaceIs(s.Type, "sys")
	}
	return false
}

func namespaceIs(t types.Type, extension string) bool {
	ns, ok := t.(*types.Namespace)
	return ok && ns.Settings.ExtensionName == extension
}

func isResourceDerivedTypeName(s string) bool {
	return s == "resource" || s == "resourceInput" || s == "resourceOutput"
}

func (rs *Resolver) typeProperty(n, base syntax.TypeExpr, name string, at syntax.Node) types.Ref {
	bt := rs.typeOf(base)
	return deferIf(rs.needsDeferral(base), func() types.Type {
		t := propertyOfType(bt.Type(), name, at)
		if types.IsError(t) {
			return t
		}
		if !rs.canAccess(base) {
			return types.NewError(diag.BCP391.At(n.Span()))
		}
		return refuseGeneric(at.Span(), t)
	})
}

func propertyOfType(base types.Type, name string, at syntax.Node) types.Type {
	base = types.NonNull(base)
	if types.IsError(base) || types.IsUnknown(base) {
		return base
	}
	obj, ok := types.AsObject(base)
	if !ok {
		return types.NewError(diag.BCP055.At(at.Span(), base))
	}
	p := obj.Property(name)
	if p == nil && obj.Additional != nil && types.IsUnknown(obj.Additional.Type.Type()) {
		return types.TUnknown
	}
	if p == nil {
		return types.NewError(types.UnknownProperty(obj, name, types.Access{At: at.Span()}))
	}
	t := p.Type.Type()
	if _, ok := base.(*types.Namespace); ok && !isType(t) {
		return types.NewError(diag.BCP287.At(at.Span(), name))
	}
	return types.Unwrap(t)
}

// isType reports whether what a namespace has is a type, and not a variable that a file exports. The
// official compiler does not tell them apart, and crashes when it writes the template.
func isType(t types.Type) bool {
	switch t.(type) {
	case *types.TypeType, *types.GenericType, *types.Error:
		return true
	}
	return types.IsUnknown(t)
}

func (rs *Resolver) typeIndex(n *syntax.TypeIndex) types.Ref {
	switch i := n.Index.(type) {
	case *syntax.Int:
		base := rs.typeOf(n.X)
		return deferIf(rs.needsDeferral(n.X), func() types.Type { return rs.finishTypeIndex(n, i.Value, base.Type()) })
	case *syntax.Unary:
		if i.Op == syntax.Minus {
			return types.NewError(diag.BCP387.At(i.Span()))
		}
	case *syntax.String:
		if name, ok := i.Literal(); ok {
			return rs.typeProperty(n, n.X, name, i)
		}
	}
	return types.NewError(diag.BCP032.At(n.Index.Span()))
}

// wholeType is the type that a part is taken of, where null does not count. If ok
// is false, it is what the part comes to.
func (rs *Resolver) wholeType(part, whole syntax.TypeExpr, t types.Type) (base types.Type, ok bool) {
	base = types.NonNull(t)
	if types.IsError(base) || types.IsUnknown(base) {
		return base, false
	}
	if !rs.canAccess(whole) {
		return types.NewError(diag.BCP391.At(part.Span())), false
	}
	return base, true
}

func (rs *Resolver) finishTypeIndex(n *syntax.TypeIndex, index uint64, t types.Type) types.Type {
	base, ok := rs.wholeType(n, n.X, t)
	if !ok {
		return base
	}
	tuple, ok := base.(*types.Tuple)
	if !ok {
		return types.NewError(diag.BCP388.At(n.Index.Span(), base))
	}
	if index >= uint64(len(tuple.Items)) {
		return types.NewError(diag.BCP311.At(n.Index.Span(), tuple.String(), len(tuple.Items), min(index, math.MaxInt64)))
	}
	return refuseGeneric(n.Index.Span(), types.Unwrap(tuple.Items[index].Type()))
}

func (rs *Resolver) finishRestAccess(n *syntax.TypeRestAccess, ref types.Ref) types.Type {
	base, ok := rs.wholeType(n, n.X, ref.Type())
	if !ok {
		return base
	}
	obj, ok := base.(*types.Object)
	if !ok || obj.Additional == nil || obj.Additional.Type.Type().Kind() == types.KindAny {
		return types.NewError(diag.BCP389.At(n.Star, base))
	}
	return refuseGeneric(n.Star, types.Unwrap(obj.Additional.Type.Type()))
}

func (rs *Resolver) finishItemsAccess(n *syntax.TypeItems, ref types.Ref) types.Type {
	base, ok := rs.wholeType(n, n.X, ref.Type())
	if !ok {
		return base
	}
	arr, ok := base.(*types.Array)
	if !ok || arr.Untyped() {
		return types.NewError(diag.BCP390.At(source.Between(n.Open, n.Close)))
	}
	return refuseGeneric(n.Star, types.Unwrap(arr.Item.Type()))
}

// resourceRefType is the type of a parameter or output that is a resource.
func (rs *Resolver) resourceRefType(n *syntax.ResourceTypeRef) types.Type {
	if !rs.model.Features().ResourceTypedParamsOutputs {
		return types.NewError(diag.BCP231.At(n.Span()))
	}
	var t types.Type
	if n.Type == nil {
		// An output's type may be told by its value.
		if out, ok := rs.binding.Parent(n).(*syntax.Output); ok {
			t = rs.model.TypeOf(out.Value)
		}
	}
	if t == nil {
		t = rs.declaredResourceRef(n)
	}
	if r, ok := t.(*types.Resource); ok && !r.IsAz() {
		return types.NewError(diag.BCP227.At(n.Span(), r.String()))
	}
	return t
}

// declaredResourceRef is the type of a parameter or output that is a resource.
func (rs *Resolver) declaredResourceRef(n *syntax.ResourceTypeRef) types.Type {
	if n.Type == nil {
		return types.NewError(diag.BCP029.At(n.Span()))
	}
	s, ok := n.Type.(*syntax.String)
	if !ok {
		return types.NewError(diag.BCP029.At(n.Type.Span()))
	}
	text, ok := s.Literal()
	if !ok {
		return types.NewError(diag.BCP047.At(n.Type.Span()))
	}
	return rs.resourceTypes.At(n.Type.Span(), text, types.ExistingResource, nil)
}
