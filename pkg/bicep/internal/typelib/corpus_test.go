//go:build corpus

package typelib_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	btindex "github.com/Azure/bicep-types/src/bicep-types-go/index"
	bt "github.com/Azure/bicep-types/src/bicep-types-go/types"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// recorded returns an archive of the folder that RAD_TYPE_ARCHIVES names.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	dir := os.Getenv("RAD_TYPE_ARCHIVES")
	if dir == "" {
		t.Fatal("RAD_TYPE_ARCHIVES must name the folder of radius.tgz and aws.tgz")
	}
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The bodies of a real archive read as bicep-types-go reads them.
func TestAgreesWithBicepTypes(t *testing.T) {
	t.Parallel()
	a, err := typelib.NewLocalArchive(recorded(t, "radius.tgz"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := typelib.OpenLibrary(a)
	if err != nil {
		t.Fatal(err)
	}
	text, err := a.File("index.json")
	if err != nil {
		t.Fatal(err)
	}
	var ix btindex.TypeIndex
	if err := ix.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	e := typelib.NewExtension(l)
	files := map[string]*reader{}
	n := 0
	for name, versions := range ix.Resources {
		for version, at := range versions {
			at := at.(bt.CrossFileTypeReference)
			r := files[at.RelativePath]
			if r == nil {
				text, err := a.File(at.RelativePath)
				if err != nil {
					t.Fatal(err)
				}
				r = &reader{seen: map[int]bool{}}
				if err := json.Unmarshal([]byte(text), &r.elements); err != nil {
					t.Fatal(err)
				}
				files[at.RelativePath] = r
			}
			if !strings.HasSuffix(name, "@"+version) {
				name += "@" + version
			}
			ours := e.DefinedType(nil, reference(name), 0)
			if ours == nil {
				t.Errorf("%s is not found", name)
				continue
			}
			theirs := r.at(t, at.Ref).(*bt.ResourceType)
			r.compare(t, name, ours.Body.Type(), theirs.Body)
			n++
		}
	}
	if n != 35 {
		t.Errorf("%d resource types were compared, want 35", n)
	}
}

type reader struct {
	elements []json.RawMessage
	seen     map[int]bool
}

func (r *reader) at(t *testing.T, i int) bt.Type {
	x, err := bt.UnmarshalType(r.elements[i])
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (r *reader) compare(t *testing.T, at string, ours types.Type, theirs bt.ITypeReference) {
	i := theirs.(bt.TypeReference).Ref
	if r.seen[i] {
		return
	}
	r.seen[i] = true
	switch x := r.at(t, i).(type) {
	case *bt.ObjectType:
		r.object(t, at, ours, x.Name, x.Properties, nil)
	case *bt.ArrayType:
		r.compare(t, at+"[]", ours.(*types.Array).Item.Type(), x.ItemType)
	case *bt.DiscriminatedObjectType:
		d := ours.(*types.DiscriminatedObject)
		if d.Name != x.Name || d.Discriminator.Name != x.Discriminator || len(d.Members) != len(x.Elements) {
			t.Errorf("%s: %s by %s of %d, want %s by %s of %d", at, d.Name, d.Discriminator.Name, len(d.Members), x.Name, x.Discriminator, len(x.Elements))
		}
		for key, m := range x.Elements {
			o := r.at(t, m.(bt.TypeReference).Ref).(*bt.ObjectType)
			r.object(t, at+"/"+key, d.Member(key), key, o.Properties, x.BaseProperties)
		}
	case *bt.UnionType:
		want := map[string]bool{}
		for _, m := range x.Elements {
			switch m := r.at(t, m.(bt.TypeReference).Ref).(type) {
			case *bt.StringLiteralType:
				want[types.QuoteString(m.Value)] = true
			case *bt.StringType:
				want["string"] = true
			}
		}
		for _, w := range strings.Split(ours.String(), " | ") {
			if !want[w] {
				t.Errorf("%s: %s in %s is too much", at, w, ours)
			}
			delete(want, w)
		}
		if len(want) > 0 {
			t.Errorf("%s: %s lacks %v", at, ours, want)
		}
	case *bt.StringLiteralType:
		if ours.String() != types.QuoteString(x.Value) {
			t.Errorf("%s: %s, want %q", at, ours, x.Value)
		}
	case *bt.StringType:
		if ours.String() != "string" || ours.Flags().Has(types.IsSecure) != x.Sensitive {
			t.Errorf("%s: %s is not a string", at, ours)
		}
	case *bt.IntegerType:
		if ours.String() != "int" {
			t.Errorf("%s: %s is not an int", at, ours)
		}
	case *bt.BooleanType:
		if ours.String() != "bool" {
			t.Errorf("%s: %s is not a bool", at, ours)
		}
	case *bt.AnyType:
		if ours != types.TAny {
			t.Errorf("%s: %s, want any", at, ours)
		}
	}
}

func (r *reader) object(t *testing.T, at string, ours types.Type, name string, ps, base map[string]bt.ObjectTypeProperty) {
	o, ok := ours.(*types.Object)
	if !ok || o.Name != name {
		t.Errorf("%s: %s, want the object %s", at, ours, name)
		return
	}
	all := maps.Clone(base)
	if all == nil {
		all = map[string]bt.ObjectTypeProperty{}
	}
	maps.Copy(all, ps)
	for _, p := range o.Properties() {
		q, ok := all[p.Name]
		if !ok {
			if p.Name != "dependsOn" {
				t.Errorf("%s has no %s", at, p.Name)
			}
			continue
		}
		delete(all, p.Name)
		if p.Flags.Has(types.Required) != (q.Flags&bt.TypePropertyFlagsRequired != 0) || p.Flags.Has(types.ReadOnly) != (q.Flags&bt.TypePropertyFlagsReadOnly != 0) {
			t.Errorf("%s.%s: flags %b for %b", at, p.Name, p.Flags, q.Flags)
		}
		r.compare(t, at+"."+p.Name, p.Type.Type(), q.Type)
	}
	for n := range all {
		t.Errorf("%s lacks %s", at, n)
	}
}

func BenchmarkOpen(b *testing.B) {
	for _, c := range []struct{ archive, name string }{
		{"radius.tgz", "Applications.Core/containers@2023-10-01-preview"},
		{"radius.tgz", "Radius.Storage/objectStorage@2025-08-01-preview"},
		{"aws.tgz", "AWS.S3/Bucket@default"},
	} {
		data := recorded(b, c.archive)
		b.Run(c.archive+" index", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a, _ := typelib.NewLocalArchive(data)
				if _, err := typelib.OpenLibrary(a); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				a, _ := typelib.NewLocalArchive(data)
				l, err := typelib.OpenLibrary(a)
				if err != nil {
					b.Fatal(err)
				}
				walk(typelib.NewExtension(l).DefinedType(nil, reference(c.name), 0).Body.Type(), 3)
			}
		})
	}
}

// BenchmarkBicepTypes reads with bicep-types-go what BenchmarkOpen reads: the index,
// and the file of one resource type.
func BenchmarkBicepTypes(b *testing.B) {
	a, err := typelib.NewLocalArchive(recorded(b, "radius.tgz"))
	if err != nil {
		b.Fatal(err)
	}
	index, err := a.File("index.json")
	if err != nil {
		b.Fatal(err)
	}
	text, err := a.File("applications/applications.core/2023-10-01-preview/types.json")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var ix btindex.TypeIndex
		if err := ix.UnmarshalJSON([]byte(index)); err != nil {
			b.Fatal(err)
		}
		var elements []json.RawMessage
		if err := json.Unmarshal([]byte(text), &elements); err != nil {
			b.Fatal(err)
		}
		for _, e := range elements {
			if _, err := bt.UnmarshalType(e); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// The types of each release of Radius are what its tag in a git directory of radius-project/radius says.
func TestRadiusIsWhatItsArchivesSay(t *testing.T) {
	t.Parallel()
	repo, _, _ := strings.Cut(os.Getenv("RADIUS_CORPUS"), string(os.PathListSeparator))
	if repo == "" {
		t.Fatal("RADIUS_CORPUS must name a git directory of radius-project/radius")
	}
	for _, release := range typelib.RadiusReleases() {
		out, err := exec.Command("git", "-C", repo, "archive", "--format=tar.gz", "v"+release+".0:hack/bicep-types-radius/generated").Output()
		if err != nil {
			t.Fatalf("%s: %v", release, err)
		}
		a, err := typelib.NewArchive(out)
		if err != nil {
			t.Fatal(err)
		}
		l, err := typelib.OpenLibrary(a)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := typelib.RadiusSettings(), l.Settings(); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("settings: %+v, want %+v", got, want)
		}
		d := sameRadiusTypes(t, typelib.RadiusOf(release), typelib.NewExtension(l))
		t.Logf("%s: %d pairs of types compared", release, d.compared)
	}
}
