package appgraph_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/bicep/appgraph"
)

// Graphviz fails with "syntax error" at a text of more than 16,384 bytes, and nobody reads such a label.
func TestLabelsAreShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é\"", 20_000)
	g := &appgraph.Graph{Nodes: []*appgraph.Node{
		{ID: "a", Name: long, Type: long, Connections: []appgraph.Edge{{ID: "b/providers/" + long, Outbound: true}}},
		{ID: "c", Name: "web", Type: "Applications.Core/containers"},
	}}
	for _, drawing := range []string{g.Dot(), g.Mermaid()} {
		assert.True(t, utf8.ValidString(drawing))
		assert.Contains(t, drawing, "web")
		assert.Contains(t, drawing, "…")
		for line := range strings.Lines(drawing) {
			assert.Less(t, len(line), 2000)
		}
	}
}
