package bicep

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestWorkspaceForgetsTheOldest: when there is no room, or there are as many as asked for, what was compiled last is kept.
func TestWorkspaceForgetsTheOldest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ most, lines, kept int }{{0, 2 << 10, 4}, {3, 1, 3}} {
		w := Workspace{Most: test.most}
		files := source.Memory{}
		last := Request{FS: files, Options: Options{Workspace: &w}}
		for i := range 5 {
			last.File = fmt.Sprintf("/%d.bicep", i)
			files[last.File] = "param a string\n" + strings.Repeat("//"+strings.Repeat(" ", 1000)+"\n", test.lines)
			_, err := Embedded{}.Build(t.Context(), last)
			require.NoError(t, err)
		}
		require.Len(t, w.kept, test.kept)
		require.NotNil(t, w.take(&last))
		first := last
		first.File = "/0.bicep"
		require.Nil(t, w.take(&first))
		require.LessOrEqual(t, w.size, maxWorkspace)
	}
}
