package objects_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// A long value is cut between two characters.
func TestLongValuesAreCut(t *testing.T) {
	t.Parallel()
	for _, pad := range []string{"", "x"} {
		template, err := armjson.Parse(`{"$schema": "x/deploymentTemplate.json#", "resources": [], "outputs": {"o": {"type": "string", "value": "[concat('`+pad+strings.Repeat("ü", 200)+`', newGuid())]"}}}`, armjson.Options{})
		require.NoError(t, err)
		result, err := expand.Expand(template.(*armjson.Object), expand.Options{})
		require.NoError(t, err)
		var out objects.Output
		out.RefuseUnknown(expand.Position{}, "the name", result.Outputs[0].Value, objects.Show(result.Outputs[0].Value))
		require.Len(t, out.Problems, 1)
		require.True(t, utf8.ValidString(out.Problems[0].Message))
		require.Contains(t, out.Problems[0].Message, "ü…")
	}
}

// TestCounterparts: a resource is found by its place, whatever else is deployed, and not where two have it.
func TestCounterparts(t *testing.T) {
	t.Parallel()
	resource := func(symbol, name string) *expand.Resource {
		return &expand.Resource{Symbol: symbol, Type: "T", Name: armjson.String(name)}
	}
	in := &objects.Input{
		Program: &expand.Result{Resources: []*expand.Resource{resource("a", "1"), resource("twice", "1"), resource("loop[0]", "1")}},
		Shown:   &expand.Result{Resources: []*expand.Resource{resource("left", "2"), resource("a", "2"), resource("twice", "2"), resource("twice", "2"), resource("loop[*]", "2")}},
	}
	var found []string
	for _, r := range in.Program.Resources {
		found = append(found, expand.Text(in.Shower()(r).Name))
	}
	require.Equal(t, []string{"2", "", ""}, found)
}
