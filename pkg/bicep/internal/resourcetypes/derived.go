package resourcetypes

import (
	"maps"
	"strconv"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Resolve replaces the derived types within a type of another file by the resource types
// that this file sees.
func (f *Finder) Resolve(t types.Type) types.Type {
	if f.derived == nil {
		f.derived = &types.DerivedResolver{Lookup: func(ref *types.ResourceTypeReference) types.Type {
			if r := f.azure(ref); r != nil {
				return r.Body.Type()
			}
			return nil
		}}
	}
	return f.derived.Resolve(t)
}

// azure returns one of Azure's resource types, or nil.
func (f *Finder) azure(ref *types.ResourceTypeReference) *types.Resource {
	for _, r := range f.matching(ref, 0) {
		if r.IsAz() {
			return r
		}
	}
	return nil
}

// Check reports the derived types within a type of another file that cannot be resolved
// here. All are reported at the place that uses the type.
func (f *Finder) Check(r types.Ref, at source.Span, report diag.Sink) {
	c := &derivedChecker{finder: f, at: at, report: report}
	c.ref(r)
	if c.derived {
		return
	}
	if f.plain == nil {
		f.plain = c.visited
	} else {
		maps.Copy(f.plain, c.visited)
	}
}

// derivedChecker checks the derived types within one type.
type derivedChecker struct {
	finder  *Finder
	at      source.Span
	report  diag.Sink
	visited map[types.Type]bool // each part is checked once
	derived bool                // there is a derived type
}

func (c *derivedChecker) ref(r types.Ref) {
	if u, ok := r.(*types.UnparsableDerived); ok {
		c.derived = true
		c.report(diag.BCP392.At(c.at, u.Text))
		return
	}
	c.typ(r.Type())
}

func (c *derivedChecker) typ(t types.Type) {
	switch t.(type) {
	case *types.UnresolvedDerived, *types.Tuple, *types.Array, *types.DiscriminatedObject, *types.Object,
		*types.Union, *types.TypeType, *types.Lambda:
	default:
		return
	}
	if c.visited[t] || c.finder.plain[t] {
		return
	}
	if c.visited == nil {
		c.visited = map[types.Type]bool{}
	}
	c.visited[t] = true
	switch t := t.(type) {
	case *types.UnresolvedDerived:
		c.derivation(&t.ResourceDerived)
	case *types.Tuple:
		for _, i := range t.Items {
			c.ref(i)
		}
	case *types.Array:
		c.ref(t.Item)
	case *types.DiscriminatedObject:
		for _, v := range t.Members {
			c.ref(v.Object)
		}
	case *types.Object:
		if d := t.Derived(); d != nil {
			c.derivation(d)
			return
		}
		for i := range t.Properties() {
			c.ref(t.Properties()[i].Type)
		}
		if t.Additional != nil {
			c.ref(t.Additional.Type)
		}
	case *types.Union:
		for _, x := range t.Members {
			c.ref(x)
		}
	case *types.TypeType:
		c.ref(t.Inner)
	case *types.Lambda:
		for _, p := range t.Params {
			c.ref(p)
		}
		for _, p := range t.Optional {
			c.ref(p)
		}
		c.ref(t.Return)
	}
}

// derivation follows the path into a resource type and reports a step that leads nowhere.
func (c *derivedChecker) derivation(d *types.ResourceDerived) {
	c.derived = true
	r := c.finder.azure(d.TypeRef)
	if r == nil || !r.Namespace.Resources.HasDefinedType(d.TypeRef) {
		c.report(diag.BCP081.At(c.at, d.TypeRef.Name()))
		return
	}
	t := r.Body.Type()
	for _, step := range d.Steps() {
		if types.IsUnknown(t) {
			return
		}
		part := step.Part(t)
		if part == nil || step.Kind == "discriminator" {
			c.step(step, t)
			return
		}
		t = part
	}
}

// step reports a step that a derived type cannot take, or that leads to no part of t.
func (c *derivedChecker) step(step types.PathStep, t types.Type) {
	at := c.at
	var d diag.Diagnostic
	switch step.Kind {
	case "properties":
		o, ok := types.AsObject(t)
		switch {
		case !ok:
			d = diag.BCP055.At(at, t)
		case o.LeavesOpen():
			return
		default:
			c.report(types.UnknownProperty(o, step.Name, types.Access{At: at, Warn: true}))
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
		c.report(diag.BCP393.At(at, step.Written))
		return
	}
	c.report(d.As(diag.Warning))
}
