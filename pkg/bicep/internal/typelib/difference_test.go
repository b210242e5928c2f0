package typelib_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// sameRadiusTypes compares built-in types of Radius with those of an archive.
func sameRadiusTypes(t *testing.T, radius *typelib.Radius, archive *typelib.Extension) difference {
	if got, want := len(radius.Names()), len(archive.Available()); got != want {
		t.Errorf("%d types, want %d", got, want)
	}
	d := difference{t: t, seen: map[[2]types.Type]bool{}}
	for _, ref := range archive.Available() {
		for _, flags := range []types.GenerationFlags{0, types.ExistingResource} {
			got, want := radius.DefinedType(nil, ref, flags), archive.DefinedType(nil, ref, flags)
			if got == nil {
				t.Errorf("%s is not known", ref.Name())
				continue
			}
			if got.ParentScopes != want.ParentScopes || got.ReadOnlyScopes != want.ReadOnlyScopes || got.ResourceFlags != want.ResourceFlags || !slices.Equal(got.Identifiers, want.Identifiers) {
				t.Errorf("%s: %+v, want %+v", ref.Name(), got, want)
			}
			d.types(ref.Name(), got.Body.Type(), want.Body.Type())
		}
	}
	return d
}

// difference reports where two types are not of the same parts.
type difference struct {
	t        *testing.T
	seen     map[[2]types.Type]bool
	compared int
}

func (d *difference) types(at string, got, want types.Type) {
	pair := [2]types.Type{got, want}
	if d.seen[pair] {
		return
	}
	d.seen[pair] = true
	d.compared++
	if fmt.Sprintf("%T %s", got, got) != fmt.Sprintf("%T %s", want, want) || got.Flags()&^types.KnownByHeart != want.Flags() {
		d.t.Errorf("%s: %T %s, flags %b, want %T %s, flags %b", at, got, got, got.Flags(), want, want, want.Flags())
		return
	}
	switch want := want.(type) {
	case *types.AnyType:
		if got != types.Type(want) {
			d.t.Errorf("%s: another any", at)
		}
	case *types.String:
		if *got.(*types.String) != *want {
			d.t.Errorf("%s: %+v, want %+v", at, got, want)
		}
	case *types.Int:
		if *got.(*types.Int) != *want {
			d.t.Errorf("%s: %+v, want %+v", at, got, want)
		}
	case *types.Array:
		d.types(at+"[]", got.(*types.Array).Item.Type(), want.Item.Type())
	case *types.Union:
		for i, m := range want.Members {
			d.types(fmt.Sprintf("%s|%d", at, i), got.(*types.Union).Members[i].Type(), m.Type())
		}
	case *types.DiscriminatedObject:
		got := got.(*types.DiscriminatedObject)
		d.property(at, &got.Discriminator, &want.Discriminator)
		for i, m := range want.Members {
			if got.Members[i].Key.Value != m.Key.Value {
				d.t.Errorf("%s: member %d is %s, want %s", at, i, got.Members[i].Key, m.Key)
			}
			d.types(at+"/"+m.Key.Value, got.Members[i].Object, m.Object)
		}
	case *types.Object:
		d.object(at, got.(*types.Object), want)
	}
}

func (d *difference) object(at string, got, want *types.Object) {
	for _, p := range got.Properties() {
		if want.Property(p.Name) == nil {
			d.t.Errorf("%s.%s is too much", at, p.Name)
		}
	}
	for _, p := range want.Properties() {
		if q := got.Property(p.Name); q == nil {
			d.t.Errorf("%s.%s is missing", at, p.Name)
		} else {
			d.property(at+"."+p.Name, q, &p)
		}
	}
	if (got.Additional == nil) != (want.Additional == nil) {
		d.t.Errorf("%s: %v of other properties, want %v", at, got.Additional, want.Additional)
	} else if want.Additional != nil {
		d.property(at+".*", got.Additional, want.Additional)
	}
	if (got.Methods == nil) != (want.Methods == nil) {
		d.t.Errorf("%s: methods %v, want %v", at, got.Methods, want.Methods)
	} else if want.Methods != nil {
		for _, name := range []string{"getMetadata", "getGraph", "listSecrets"} {
			g, w := got.Methods.Find(name), want.Methods.Find(name)
			if (g == nil) != (w == nil) {
				d.t.Errorf("%s.%s(): %v, want %v", at, name, g, w)
				continue
			}
			if w == nil {
				continue
			}
			f, of := g.Overloads[0], w.Overloads[0]
			if f.Signature() != of.Signature() || f.Flags != of.Flags || len(f.Params) != len(of.Params) {
				d.t.Errorf("%s.%s: %s, want %s", at, name, f.Signature(), of.Signature())
				continue
			}
			for i, p := range of.Params {
				d.types(at+"("+p.Name+")", f.Params[i].Type, p.Type)
			}
			d.types(at+"."+name+"()", f.Return, of.Return)
		}
	}
}

func (d *difference) property(at string, got, want *types.Property) {
	if got.Name != want.Name || got.Flags != want.Flags {
		d.t.Errorf("%s: %s with flags %b, want %s with %b", at, got.Name, got.Flags, want.Name, want.Flags)
	}
	d.types(at, got.Type.Type(), want.Type.Type())
}
