package oracle

import (
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the oracle holds the controller to stands on the page: each sentence, and the reasons of Ready with no others.
func TestTheRulesStandOnThePage(t *testing.T) {
	text, err := os.ReadFile("../../../docs/controller.md")
	require.NoError(t, err)
	page := strings.Join(strings.Fields(string(text)), " ")
	for _, r := range rules {
		require.Contains(t, page, string(r))
	}
	_, table, _ := strings.Cut(string(text), string(readyTable))
	table, _, _ = strings.Cut(table, "\n\n")
	on := map[string]bool{}
	for _, row := range strings.Split(table, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 3 {
			continue
		}
		for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(cells[1], -1) {
			on[m[1]] = true
			require.Contains(t, reasons, m[1])
		}
	}
	require.Len(t, on, len(reasons))
}

// It would repeat the controller's mistakes if it shared its code.
func TestTheOracleImportsNothingOfTheController(t *testing.T) {
	for _, file := range []string{"oracle.go", "judge.go"} {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, i := range f.Imports {
			require.NotContains(t, i.Path.Value, ".")
		}
	}
}
