package artifact_test

import (
	"archive/tar"
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
)

func TestIsSparse(t *testing.T) {
	t.Parallel()
	require.True(t, artifact.IsSparse(&tar.Header{Typeflag: tar.TypeGNUSparse}))
	require.True(t, artifact.IsSparse(&tar.Header{Typeflag: tar.TypeReg, PAXRecords: map[string]string{"GNU.sparse.major": "1"}}))
	require.False(t, artifact.IsSparse(&tar.Header{Typeflag: tar.TypeReg, PAXRecords: map[string]string{"path": "GNU.sparse.major"}}))

	var b bytes.Buffer
	w := tar.NewWriter(&b)
	require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "plain"}))
	require.NoError(t, w.Close())
	h, err := tar.NewReader(&b).Next()
	require.NoError(t, err)
	require.False(t, artifact.IsSparse(h))
}
