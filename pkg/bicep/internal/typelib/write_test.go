package typelib_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
)

// The built-in types of Radius, written as the files of an extension and read again, are what they were.
func TestRadiusFiles(t *testing.T) {
	t.Parallel()
	for release, least := range map[string]int{"0.45": 300, "0.58": 500, "0.59": 600, "0.60": 700} {
		index, elements, err := typelib.RadiusFiles(release)
		require.NoError(t, err)
		a, err := typelib.NewArchive(pack(t, file{"index.json", string(index)}, file{typelib.RadiusFile, string(elements)}))
		require.NoError(t, err)
		l, err := typelib.OpenLibrary(a)
		require.NoError(t, err)
		assert.Equal(t, typelib.RadiusSettings(), l.Settings())
		d := sameRadiusTypes(t, typelib.RadiusOf(release), typelib.NewExtension(l))
		require.NoError(t, l.Err())
		assert.Greater(t, d.compared, least, "pairs of types compared: "+release)
	}
}
