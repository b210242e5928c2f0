package check

import (
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// resolveDerived replaces what a type of another file derives from resource types
// by what those types say here.
func (m *Model) resolveDerived(t types.Type) types.Type {
	if m.derived == nil {
		m.derived = &types.DerivedResolver{Lookup: func(ref *types.ResourceTypeReference) types.Type {
			if r := m.azType(ref); r != nil {
				return r.Body.Type()
			}
			return nil
		}}
	}
	return m.derived.Resolve(t)
}

// azType finds one of Azure's resource types.
func (m *Model) azType(ref *types.ResourceTypeReference) *types.Resource {
	for _, r := range m.matchingTypes(ref, 0) {
		if r.IsAz() {
			return r
		}
	}
	return nil
}

// reportDerived reports, at the place that uses a type of another file, what it
// derives from resource types that are not as it says.
func (m *Model) reportDerived(r types.Ref, at source.Span) {
	if u, ok := r.(*types.UnparsableDerived); ok {
		m.report(diag.BCP392.At(at, u.Text))
		return
	}
	m.reportDerivedIn(r.Type(), at, map[types.Type]bool{})
}

func (m *Model) reportDerivedIn(t types.Type, at source.Span, busy map[types.Type]bool) {
	switch t.(type) {
	case *types.UnresolvedDerived, *types.Tuple, *types.Array, *types.DiscriminatedObject, *types.Object,
		*types.Union, *types.TypeType, *types.Lambda:
	default:
		return
	}
	if busy[t] {
		return
	}
	busy[t] = true // each part once: what is wrong with it is reported at one place anyway
	ref := func(r types.Ref) {
		if u, ok := r.(*types.UnparsableDerived); ok {
			m.report(diag.BCP392.At(at, u.Text))
			return
		}
		m.reportDerivedIn(r.Type(), at, busy)
	}
	switch t := t.(type) {
	case *types.UnresolvedDerived:
		m.reportDerivation(&t.ResourceDerived, at)
	case *types.Tuple:
		for _, i := range t.Items {
			ref(i)
		}
	case *types.Array:
		ref(t.Item)
	case *types.DiscriminatedObject:
		for _, v := range t.Members {
			ref(v.Object)
		}
	case *types.Object:
		if t.Derived != nil {
			m.reportDerivation(t.Derived, at)
			return
		}
		for i := range t.Properties {
			ref(t.Properties[i].Type)
		}
		if t.Additional != nil {
			ref(t.Additional.Type)
		}
	case *types.Union:
		for _, x := range t.Members {
			ref(x)
		}
	case *types.TypeType:
		ref(t.Inner)
	case *types.Lambda:
		for _, p := range t.Params {
			ref(p)
		}
		for _, p := range t.Optional {
			ref(p)
		}
		ref(t.Return)
	}
}

// reportDerivation follows the way into a resource type and reports where it ends too early.
func (m *Model) reportDerivation(d *types.ResourceDerived, at source.Span) {
	r := m.azType(d.TypeRef)
	if r == nil || !r.Namespace.Resources.HasDefinedType(d.TypeRef) {
		m.report(diag.BCP081.At(at, d.TypeRef.Name()))
		return
	}
	warn := func(x diag.Diagnostic) { m.report(x.As(diag.Warning)) }
	t := r.Body.Type()
	for i := 0; i < len(d.Pointer) && !isUnknown(t); i++ {
		next := ""
		if i+1 < len(d.Pointer) {
			next = d.Pointer[i+1]
		}
		switch strings.ToLower(d.Pointer[i]) {
		case "properties":
			o, ok := types.AsObject(t)
			if !ok {
				warn(diag.BCP055.At(at, t))
				return
			}
			p := o.PropertyFold(next)
			if p == nil && leavesOpen(o) {
				return
			}
			if p == nil {
				m.report(types.UnknownProperty(o, next, types.Access{At: at, Warn: true}))
				return
			}
			i++
			t = p.Type.Type()
		case "additionalproperties":
			o, ok := types.AsObject(t)
			if !ok || o.Additional == nil {
				warn(diag.BCP389.At(at, t))
				return
			}
			t = o.Additional.Type.Type()
		case "prefixitems":
			tuple, ok := t.(*types.Tuple)
			if !ok {
				warn(diag.BCP388.At(at, t))
				return
			}
			n, err := strconv.Atoi(next)
			if err != nil {
				warn(diag.BCP010.At(at))
				return
			}
			if n < 0 || n >= len(tuple.Items) {
				warn(diag.BCP311.At(at, tuple.String(), len(tuple.Items), n))
				return
			}
			i++
			t = tuple.Items[n].Type()
		case "items":
			a, ok := types.AsArray(t)
			if !ok {
				warn(diag.BCP390.At(at))
				return
			}
			t = a.ItemRef().Type()
		default:
			m.report(diag.BCP393.At(at, d.Pointer[i]))
			return
		}
	}
}

// leavesOpen reports whether an object stands for one of which more is known elsewhere:
// what else it has, nobody here can tell.
func leavesOpen(o *types.Object) bool {
	return o.Additional != nil && isUnknown(o.Additional.Type.Type())
}
