package namespaces_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes/pack"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// A large archive of Azure's types that was made into a library before is not
// unpacked: here it could not be, since it is not an archive at all.
func TestAConvertedArchiveIsNotUnpacked(t *testing.T) {
	t.Parallel()
	data, err := pack.Repository("../aztypes/generate/testdata/own", "a test")
	require.NoError(t, err)
	lib, err := aztypes.Verified(data)
	require.NoError(t, err)

	packed := bytes.Repeat([]byte{0x1f, 0x8b, 0}, 1<<19)
	dir := t.TempDir()
	program, err := graph.Load(t.Context(), filepath.Join(dir, "main.bicep"), graph.Options{FS: source.Memory{
		filepath.Join(dir, "main.bicep"):       "",
		filepath.Join(dir, "bicepconfig.json"): `{"extensions": {"az": "./az.tgz"}}`,
		filepath.Join(dir, "az.tgz"):           string(packed),
	}})
	require.NoError(t, err)

	find := func(kept *aztypes.Library) types.Type {
		p := namespaces.NewProvider(namespaces.Options{Converted: func(archive []byte, convert func() ([]byte, error)) (*aztypes.Library, error) {
			require.Equal(t, packed, archive)
			return kept, nil
		}})
		for _, n := range p.Namespaces(program.Entry, types.ScopeResourceGroup) {
			if n.Name == "az" {
				return n.Type
			}
		}
		t.Fatal("there is no namespace az")
		return nil
	}
	ns, ok := find(lib).(*types.Namespace)
	require.True(t, ok)
	require.Equal(t, "az", ns.Name)

	problems := find(nil).(*types.Error).Diags
	require.Len(t, problems, 1)
	require.Contains(t, problems[0].Message(), "is not an archive of an extension")
}
