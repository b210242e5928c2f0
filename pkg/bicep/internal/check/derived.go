package check

import (
	"strconv"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// resolveDerived replaces the derived types within a type of another file by the
// resource types that this file sees.
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

// reportDerived reports the derived types within a type of another file that cannot be
// resolved here. All are reported at the place that uses the type.
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

// reportDerivation follows the path into a resource type and reports a step that leads
// nowhere.
func (m *Model) reportDerivation(d *types.ResourceDerived, at source.Span) {
	r := m.azType(d.TypeRef)
	if r == nil || !r.Namespace.Resources.HasDefinedType(d.TypeRef) {
		m.report(diag.BCP081.At(at, d.TypeRef.Name()))
		return
	}
	t := r.Body.Type()
	for _, step := range d.Steps() {
		if isUnknown(t) {
			return
		}
		part := step.Part(t)
		if part == nil || step.Kind == "discriminator" {
			m.reportStep(step, t, at)
			return
		}
		t = part
	}
}

// reportStep reports a step that a derived type cannot take, or that leads to no part of t.
func (m *Model) reportStep(step types.PathStep, t types.Type, at source.Span) {
	var d diag.Diagnostic
	switch step.Kind {
	case "properties":
		o, ok := types.AsObject(t)
		switch {
		case !ok:
			d = diag.BCP055.At(at, t)
		case leavesOpen(o):
			return
		default:
			m.report(types.UnknownProperty(o, step.Name, types.Access{At: at, Warn: true}))
			return
		}
	case "additionalproperties":
		d = diag.BCP389.At(at, t)
	case "prefixitems":
		tuple, ok := t.(*types.Tuple)
		n, err := strconv.Atoi(step.Name)
		switch {
		case !ok:
			d = diag.BCP388.At(at, t)
		case err != nil:
			d = diag.BCP010.At(at)
		default:
			d = diag.BCP311.At(at, tuple.String(), len(tuple.Items), n)
		}
	case "items":
		d = diag.BCP390.At(at)
	default:
		m.report(diag.BCP393.At(at, step.Written))
		return
	}
	m.report(d.As(diag.Warning))
}

// leavesOpen reports whether an object may have more properties than are known here,
// because it is only partly resolved.
func leavesOpen(o *types.Object) bool {
	return o.Additional != nil && isUnknown(o.Additional.Type.Type())
}
