package bicep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestWorkspaceForgetsTheOldest: when there is no room, what was compiled last is kept.
func TestWorkspaceForgetsTheOldest(t *testing.T) {
	t.Parallel()
	var w Workspace
	files := source.Memory{}
	last := Request{FS: files, Options: Options{Workspace: &w}}
	for i := range 5 {
		last.File = fmt.Sprintf("/%d.bicep", i)
		files[last.File] = "param a string\n" + strings.Repeat("//"+strings.Repeat(" ", 1000)+"\n", 2<<10)
		_, err := Embedded{}.Build(t.Context(), last)
		require.NoError(t, err)
	}
	require.NotNil(t, w.take(&last))
	first := last
	first.File = "/0.bicep"
	require.Nil(t, w.take(&first))
	require.LessOrEqual(t, w.size, maxWorkspace)
}
