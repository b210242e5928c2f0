package typelib_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Whatever an archive holds, opening it and looking at its types ends.
func FuzzArchive(f *testing.F) {
	f.Add([]byte(indexText), []byte(typesText))
	f.Add([]byte(`{"resources":{"A/b@v1":{"$ref":"t.json#/0"}},"settings":{"name":"A"}}`), []byte(`[{"$type":"UnionType","elements":[{"$ref":"#/0"}]}]`))
	f.Add([]byte(`{"resources":{"A/b/c@2024-01-01":{"$ref":"t.json#/0"}},"settings":{"name":"AzureResourceManager"}}`),
		[]byte(`[{"$type":"ResourceType","name":"A/b/c@2024-01-01","body":{"$ref":"#/1"}},{"$type":"DiscriminatedObjectType","name":"x","discriminator":"name","elements":{"a":{"$ref":"#/2"}}},{"$type":"ObjectType","name":"a","properties":{"name":{"type":{"$ref":"#/3"},"flags":1}}},{"$type":"StringLiteralType","value":"a"}]`))
	f.Fuzz(func(t *testing.T, index, text []byte) {
		a, err := typelib.NewArchive(pack(t, file{"index.json", string(index)}, file{"shop/types.json", string(text)}, file{"t.json", string(text)}))
		if err != nil {
			return
		}
		l, err := typelib.OpenLibrary(a)
		if err != nil {
			return
		}
		l.Settings()
		l.Functions(typelib.BicepFile)
		e := typelib.NewExtension(l)
		az := typelib.NewAz(func() *aztypes.Library {
			data, err := l.PackAz("fuzz")
			if err != nil {
				return nil
			}
			lib, err := aztypes.Verified(data)
			if err == nil {
				err = lib.Check()
			}
			require.NoError(t, err)
			return lib
		})
		for _, p := range []types.ResourceTypeProvider{e, az} {
			for _, r := range e.Available() {
				for _, flags := range []types.GenerationFlags{0, types.ExistingResource, types.HasParentDefined} {
					if got := p.DefinedType(nil, r, flags); got != nil {
						walk(got.Body.Type(), 4)
						_ = got.Body.Type().String()
					}
					p.FallbackType(nil, r, flags)
				}
			}
		}
	})
}

// FuzzRaw reads data that is not an archive.
func FuzzRaw(f *testing.F) {
	f.Add(pack(f, file{"index.json", indexText}))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, open := range []func([]byte) (*typelib.Archive, error){typelib.NewArchive, typelib.NewLocalArchive} {
			if a, err := open(data); err == nil {
				_, _ = typelib.OpenLibrary(a)
			}
		}
	})
}
