package expand_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// What a resource of Radius returns is asked for when an expression reads a property, with the bodies of others at hand. Its ID is
// known without that, also where a manifest's types make the extension.
func TestReturned(t *testing.T) {
	t.Parallel()
	value, err := armjson.Parse(`{"$schema": "x/deploymentTemplate.json#", "languageVersion": "2.1-experimental",
		"imports": {"lights": {"provider": "radiusharborlights", "version": "1"}, "radius": {"provider": "Radius", "version": "1"}},
		"parameters": {"p": {"type": "int", "allowedValues": [1], "defaultValue": 1}},
		"resources": {
			"first": {"import": "lights", "type": "Harbor.Lights/beacons@1", "properties": {"name": "a", "properties": {"next": "[reference('second').id]", "host": "[reference('second').properties.host]"}}},
			"second": {"import": "radius", "type": "Radius.Data/caches@1", "properties": {"name": "b", "properties": {"size": 3}}}
		},
		"outputs": {"host": {"type": "string", "value": "[reference('first').properties.host]"}, "other": {"type": "object", "value": "[reference('second')]"}}}`,
		armjson.Options{})
	require.NoError(t, err)
	const scope = "/planes/radius/local/resourcegroups/g/providers/"
	var asked []string
	o := expand.Options{Tolerant: true, Context: expand.Context{RadiusGroup: "/planes/radius/local/resourcegroups/g"}}
	o.Returned = func(r *expand.Resource, find expand.Finder) (*armjson.Object, error) {
		asked = append(asked, r.Symbol+" "+armjson.Text(r.Body))
		if r.Symbol == "first" { // which may need one that its ID names, and that none of its expressions reads
			other, err := find(scope + "radius.data/CACHES/b")
			require.NoError(t, err)
			require.Equal(t, "second", other.Symbol)
			nobody, err := find("/nobody")
			require.NoError(t, err)
			require.Nil(t, nobody)
		}
		return armjson.NewObject(armjson.Member{Key: "host", Value: armjson.String("of " + r.Symbol)}), nil
	}
	result, err := expand.Expand(value.(*armjson.Object), o)
	require.NoError(t, err)
	require.Empty(t, result.Diagnostics)
	require.Equal(t, []string{
		`second {"name":"b","properties":{"size":3}}`,
		`first {"name":"a","properties":{"next":"` + scope + `Radius.Data/caches/b","host":"of second"}}`,
	}, asked)
	require.Equal(t, "of first", expand.Text(result.Outputs[0].Value))
	require.Equal(t, "[reference('Radius.Data/caches/b')]", expand.Text(result.Outputs[1].Value))

	o.Parameters, o.Strict, o.Tolerant = map[string]expand.Parameter{"p": {Value: armjson.Int(2)}}, true, false
	_, err = expand.Expand(value.(*armjson.Object), o)
	require.ErrorContains(t, err, `parameter "p"`)
}
