package check

import (
	"math"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// This file is about parts of types, and types with arguments.

// Instance is what a type with arguments comes to, such as resourceInput<'…'>.
type Instance struct {
	Type types.Type // an error type if there was an error
	// Resource is the resource type that the type is derived from, and Variant
	// says which of its sides; nil if there was an error.
	Resource *types.Resource
	Variant  types.DerivedVariant
}

// Instance returns what a *syntax.TypeCall or *syntax.InstanceTypeCall comes to.
func (m *Model) Instance(n syntax.Node) *Instance { return m.instantiate(n) }

func (m *Model) instantiate(n syntax.Node) *Instance {
	if got, ok := m.instances[n.ID()]; ok {
		return got
	}
	if m.instances == nil {
		m.instances = map[syntax.ID]*Instance{}
	}
	i := &Instance{Type: silentError}
	m.instances[n.ID()] = i
	switch n := n.(type) {
	case *syntax.TypeCall:
		angles := source.Between(n.Open, n.Close)
		switch s := m.bound(n).(type) {
		case *bind.AmbientType:
			m.instantiateGeneric(i, n, s.Name(), s.Type, n.Args, angles)
		case *bind.ImportedType:
			m.instantiateGeneric(i, n, s.Name(), m.symbolType(s), n.Args, angles)
		case *bind.TypeAlias:
			m.instantiateGeneric(i, n, s.Name(), m.aliasType(s), n.Args, angles)
		case bind.Declared:
			i.Type = errorType(diag.BCP287.At(n.Span(), s.Name()))
		default:
			i.Type = m.notAType(n.Span(), n.Name.Name)
		}
	case *syntax.InstanceTypeCall:
		base := m.typeOfSyntax(n.X).Type()
		t := propertyOfType(base, n.Name.Name, n.Name)
		m.instantiateGeneric(i, n, base.String()+"."+n.Name.Name, t, n.Args, source.Between(n.Open, n.Close))
	}
	return i
}

func (m *Model) instantiateGeneric(i *Instance, n syntax.TypeExpr, name string, t types.Type, args []syntax.TypeExpr, angles source.Span) {
	if isError(t) {
		i.Type = t
		return
	}
	tmpl, ok := t.(*types.GenericType)
	if !ok {
		i.Type = errorType(diag.BCP383.At(n.Span(), name))
		return
	}
	if len(args) < tmpl.MinArgs() || len(args) > len(tmpl.Params) {
		c := types.CountMismatch{Count: len(args), Min: tmpl.MinArgs(), Max: len(tmpl.Params)}
		i.Type = errorType(diag.BCP071.At(angles, countText(c), c.Count))
		return
	}
	for k, a := range args {
		at := refuseNamespace(m.typeOfSyntax(a).Type(), a)
		if bound := tmpl.Params[k].Type; bound != nil && !types.AreAssignable(at, bound) {
			i.Type = errorType(diag.BCP070.At(a.Span(), at, bound))
			return
		}
	}
	// All types with arguments are derived from a resource type, which the first names.
	lit, ok := firstArg(args).(*syntax.StringTypeLit)
	if !ok || lit.Value.Interpolated() {
		inner := source.Span{Start: angles.Start + 1, End: angles.End - 1}
		i.Type = errorType(diag.BCP032.At(inner))
		return
	}
	text, _ := lit.Value.Literal()
	r, problem := m.resourceTypes.Find(text, 0, nil)
	if problem != nil {
		i.Type = errorType(problem.At(lit.Span()))
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
func (m *Model) canAccess(base syntax.Node) bool {
	switch b := base.(type) {
	case *syntax.TypePropertyAccess, *syntax.TypeRestAccess, *syntax.TypeIndex, *syntax.TypeItems, *syntax.TypeName:
		return true
	case *syntax.TypeCall:
		s, ok := m.bound(b).(*bind.AmbientType)
		return ok && isResourceDerivedTypeName(s.Name()) && s.Namespace != nil && s.Namespace.Settings.ExtensionName == "sys"
	case *syntax.InstanceTypeCall:
		s, ok := m.bound(b.X).(*bind.BuiltInNamespace)
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

func (m *Model) typeProperty(n, base syntax.TypeExpr, name string, at syntax.Node) types.Ref {
	bt := m.typeOfSyntax(base)
	return deferIf(m.needsDeferral(base), func() types.Type {
		t := propertyOfType(bt.Type(), name, at)
		if isError(t) {
			return t
		}
		if !m.canAccess(base) {
			return errorType(diag.BCP391.At(n.Span()))
		}
		return refuseGeneric(at.Span(), t)
	})
}

func propertyOfType(base types.Type, name string, at syntax.Node) types.Type {
	base = types.NonNull(base)
	if isError(base) || isUnknown(base) {
		return base
	}
	obj, ok := types.AsObject(base)
	if !ok {
		return errorType(diag.BCP055.At(at.Span(), base))
	}
	p := obj.Property(name)
	if p == nil && obj.Additional != nil && isUnknown(obj.Additional.Type.Type()) {
		return types.TUnknown
	}
	if p == nil {
		return errorType(types.UnknownProperty(obj, name, types.Access{At: at.Span()}))
	}
	return unwrapTypeType(p.Type.Type())
}

func (m *Model) typeIndex(n *syntax.TypeIndex) types.Ref {
	switch i := n.Index.(type) {
	case *syntax.Int:
		base := m.typeOfSyntax(n.X)
		return deferIf(m.needsDeferral(n.X), func() types.Type { return m.finishTypeIndex(n, i.Value, base.Type()) })
	case *syntax.Unary:
		if i.Op == syntax.Minus {
			return errorType(diag.BCP387.At(i.Span()))
		}
	case *syntax.String:
		if name, ok := i.Literal(); ok {
			return m.typeProperty(n, n.X, name, i)
		}
	}
	return errorType(diag.BCP032.At(n.Index.Span()))
}

// wholeType is the type that a part is taken of, where null does not count. If ok
// is false, it is what the part comes to.
func (m *Model) wholeType(part, whole syntax.TypeExpr, t types.Type) (base types.Type, ok bool) {
	base = types.NonNull(t)
	if isError(base) || isUnknown(base) {
		return base, false
	}
	if !m.canAccess(whole) {
		return errorType(diag.BCP391.At(part.Span())), false
	}
	return base, true
}

func (m *Model) finishTypeIndex(n *syntax.TypeIndex, index uint64, t types.Type) types.Type {
	base, ok := m.wholeType(n, n.X, t)
	if !ok {
		return base
	}
	tuple, ok := base.(*types.Tuple)
	if !ok {
		return errorType(diag.BCP388.At(n.Index.Span(), base))
	}
	if index >= uint64(len(tuple.Items)) {
		return errorType(diag.BCP311.At(n.Index.Span(), tuple.String(), len(tuple.Items), min(index, math.MaxInt64)))
	}
	return refuseGeneric(n.Index.Span(), unwrapTypeType(tuple.Items[index].Type()))
}

func (m *Model) finishRestAccess(n *syntax.TypeRestAccess, ref types.Ref) types.Type {
	base, ok := m.wholeType(n, n.X, ref.Type())
	if !ok {
		return base
	}
	obj, ok := base.(*types.Object)
	if !ok || obj.Additional == nil || isAny(obj.Additional.Type.Type()) {
		return errorType(diag.BCP389.At(n.Star, base))
	}
	return refuseGeneric(n.Star, unwrapTypeType(obj.Additional.Type.Type()))
}

func (m *Model) finishItemsAccess(n *syntax.TypeItems, ref types.Ref) types.Type {
	base, ok := m.wholeType(n, n.X, ref.Type())
	if !ok {
		return base
	}
	arr, ok := base.(*types.Array)
	if !ok || arr.Untyped() {
		return errorType(diag.BCP390.At(source.Between(n.Open, n.Close)))
	}
	return refuseGeneric(n.Star, unwrapTypeType(arr.Item.Type()))
}

// resourceRefType is the type of a parameter or output that is a resource.
func (m *Model) resourceRefType(n *syntax.ResourceTypeRef) types.Type {
	if !m.features.ResourceTypedParamsOutputs {
		return errorType(diag.BCP231.At(n.Span()))
	}
	var t types.Type
	if n.Type == nil {
		// An output's type may be told by its value.
		if out, ok := m.parent(n).(*syntax.Output); ok {
			t = m.TypeOf(out.Value)
		}
	}
	if t == nil {
		t = m.declaredResourceRef(n)
	}
	if r, ok := t.(*types.Resource); ok && !r.IsAz() {
		return errorType(diag.BCP227.At(n.Span(), r.String()))
	}
	return t
}
