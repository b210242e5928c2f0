package typelib_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// at follows properties, through arrays and properties that are not named.
func at(t *testing.T, from types.Type, path ...string) types.Type {
	t.Helper()
	for _, name := range path {
		if a, ok := from.(*types.Array); ok {
			from = a.Item.Type()
		}
		o, ok := from.(*types.Object)
		if !ok {
			t.Fatalf("%s has no properties, so no %s", from, name)
		}
		switch p := o.Property(name); {
		case p != nil:
			from = p.Type.Type()
		case name == "*" && o.Additional != nil:
			from = o.Additional.Type.Type()
		default:
			t.Fatalf("%s has no %s", o, name)
		}
	}
	return from
}

func TestRadiusBodies(t *testing.T) {
	t.Parallel()
	var radius typelib.Radius
	body := func(name string, flags types.GenerationFlags) *types.Object {
		return radius.DefinedType(nil, reference(name), flags).Body.Type().(*types.Object)
	}
	containers := body("applications.core/CONTAINERS@2023-10-01-preview", 0)
	for _, c := range []struct {
		want string
		path []string
	}{
		{"'Applications.Core/containers'", []string{"type"}},
		{"'2023-10-01-preview'", []string{"apiVersion"}},
		{"ContainerProperties", []string{"properties"}},
		{"'TCP' | 'UDP'", []string{"properties", "container", "ports", "*", "protocol"}},
		{"string[]", []string{"properties", "container", "command"}},
		{"Container", []string{"container"}},
		{"any", []string{"properties", "runtimes", "kubernetes", "pod", "*"}},
	} {
		if got := at(t, containers, c.path...).String(); got != c.want {
			t.Errorf("%v: %s, want %s", c.path, got, c.want)
		}
	}
	within := at(t, containers, "properties").(*types.Object)
	if within.Additional != nil || within.Property("contaner") != nil {
		t.Error("a misspelt property is taken")
	}
	if p := within.Property("application"); !p.Flags.Has(types.Required) || p.Flags.Has(types.ReadOnly) {
		t.Errorf("application: flags %b", p.Flags)
	}
	if p := containers.Property("application"); !p.Flags.Has(types.ReadOnly) || p.Flags.Has(types.Required) {
		t.Errorf("application beside properties: flags %b", p.Flags)
	}
	probe := at(t, within, "container", "livenessProbe").(*types.DiscriminatedObject)
	if got := describe(probe.Member("exec")); got != "command: string!; failureThreshold: int; initialDelaySeconds: int; kind: 'exec'!; periodSeconds: int; timeoutSeconds: int" {
		t.Errorf("a probe by exec: %s", got)
	}
	store := body("Applications.Core/secretStores@2023-10-01-preview", 0)
	if store.Property("data") != nil {
		t.Error("what is within properties hides a property beside them")
	}
	if f := store.Methods.Find("listSecrets"); f == nil || f.Overloads[0].Return.String() != "SecretStoreListSecretsResult" {
		t.Errorf("listSecrets: %v", f)
	}
	if got := body("Applications.Core/environments@2023-10-01-preview", 0).Methods.Find("getMetadata").Overloads[0].Signature(); got != "(resourceType: string, name: string): RecipeGetMetadataResponse" {
		t.Errorf("getMetadata%s", got)
	}
	if p := at(t, body("Radius.Data/mySqlDatabases@2025-08-01-preview", 0), "properties", "password"); !p.Flags().Has(types.IsSecure) {
		t.Error("a password is no secret")
	}
	existing := body("Applications.Core/applications@2023-10-01-preview", types.ExistingResource)
	if existing.Property("name").Flags.Has(types.ReadOnly) || !existing.Property("properties").Flags.Has(types.ReadOnly) || existing.Property("dependsOn") != nil {
		t.Errorf("existing: %s", describe(existing))
	}
}

// Without the archive of Radius, its types are what they are with it.
func TestRadiusIsWhatItsArchiveSays(t *testing.T) {
	t.Parallel()
	a, err := typelib.NewLocalArchive(recorded(t, "radius.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := typelib.OpenLibrary(a)
	if err != nil {
		t.Fatal(err)
	}
	archive := typelib.NewExtension(l)
	var radius typelib.Radius
	got, want := typelib.RadiusSettings(), l.Settings()
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("settings: %+v, want %+v", got, want)
	}
	if got, want := len(typelib.RadiusTypes()), len(archive.Available()); got != want {
		t.Errorf("%d types, want %d", got, want)
	}
	d := difference{t: t, seen: map[[2]types.Type]bool{}}
	for i, ref := range archive.Available() {
		if got := typelib.RadiusTypes()[i].Name(); got != ref.Name() {
			t.Errorf("type %d: %s, want %s", i, got, ref.Name())
		}
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
	t.Logf("%d pairs of types compared", d.compared)
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
	for _, p := range got.Properties {
		if want.Property(p.Name) == nil {
			d.t.Errorf("%s.%s is too much", at, p.Name)
		}
	}
	for _, p := range want.Properties {
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

// BenchmarkRadiusBody reads what the properties of a container are, each time anew.
func BenchmarkRadiusBody(b *testing.B) {
	ref := reference("Applications.Core/containers@2023-10-01-preview")
	b.ReportAllocs()
	for b.Loop() {
		typelib.ForgetShapes()
		var radius typelib.Radius
		walk(radius.DefinedType(nil, ref, 0).Body.Type(), 3)
	}
}
