package test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/bicep/explain"
)

// The page of all diagnostics is made from the catalogue, with the words of this program.
func TestThePageOfDiagnosticsIsFresh(t *testing.T) {
	t.Parallel()
	list := cli.Explanations()
	slices.SortFunc(list, func(a, b explain.Explanation) int {
		if x, y := strings.HasPrefix(a.Code, "BCP"), strings.HasPrefix(b.Code, "BCP"); x != y {
			return map[bool]int{true: -1, false: 1}[x]
		}
		return strings.Compare(a.Code, b.Code)
	})
	var b strings.Builder
	b.WriteString("# Diagnostics\n\nMade from the catalogue by `make golden`. Where a message has a gap, the values of the place stand: %s a text,\n" +
		"%q one in quotes, %d a number. Codes and rules link to the official compiler's pages, which describe the same findings; those that begin with RAD are ours alone.\n" +
		"The level of a linter's rule is its default; `bicepconfig.json` sets another. Where a type is known only roughly, as those of\n" +
		"many resources are, an error about what does not fit it is a warning. 'rad bicep explain CODE' shows an example of each.\n\n| code | level | message | why, and how to repair it |\n|---|---|---|---|\n")
	cell := strings.NewReplacer("|", "\\|", "<", "&lt;")
	for _, e := range list {
		code := e.Code
		if e.Page != "" {
			code = "[" + code + "](" + e.Page + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", code, strings.ToLower(e.Level.String()), cell.Replace(e.Text), cell.Replace(e.Repair))
	}
	name := filepath.Join("..", "..", "..", "pkg", "bicep", "DIAGNOSTICS.md")
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o644))
		return
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err, "run make golden")
	assert.Equal(t, b.String(), string(got), "%s is not fresh: run make golden", name)
}
