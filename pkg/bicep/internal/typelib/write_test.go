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
	index, elements, err := typelib.RadiusFiles()
	require.NoError(t, err)
	a, err := typelib.NewArchive(pack(t, file{"index.json", string(index)}, file{typelib.RadiusFile, string(elements)}))
	require.NoError(t, err)
	l, err := typelib.OpenLibrary(a)
	require.NoError(t, err)
	assert.Equal(t, typelib.RadiusSettings(), l.Settings())
	d := sameRadiusTypes(t, typelib.RadiusOf(""), typelib.NewExtension(l))
	require.NoError(t, l.Err())
	assert.Greater(t, d.compared, 700, "pairs of types compared")
}
