package cli

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A diff shows all that differs, and a comparison of large texts ends soon.
func TestUnifiedDiff(t *testing.T) {
	t.Parallel()
	require.Empty(t, UnifiedDiff("a", "a", "x\ny\n", "x\ny", true))
	require.Equal(t, "--- a\n+++ b\n@@ -0,0 +1,2 @@\n+x\n+--- y\n", UnifiedDiff("a", "b", "", "x\n--- y\n", false))
	require.Equal(t, "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-\t\\x1b[2J\n+\tz\n y\n", UnifiedDiff("a", "b", "\t\x1b[2J\ny\n", "\tz\ny\n", false))
	require.Contains(t, UnifiedDiff("a", "b", "x\n", "y\n", true), "\x1b[31m-x\x1b[0m\n\x1b[32m+y\x1b[0m\n")
	var before, after strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&before, "%d {\n", i%7)
		fmt.Fprintf(&after, "%d {\n", i%5)
	}
	require.NotEmpty(t, UnifiedDiff("a", "b", before.String(), after.String(), false))
}
