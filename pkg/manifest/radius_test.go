package manifest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
)

func radiusResource(kind, name string) string {
	return fmt.Sprintf(`{"import": "radius", "type": "%s@2023-10-01-preview", "properties": {"name": "%s", "properties": {}}}`, kind, name)
}

func inModule(resource string) string {
	return `{"type": "Microsoft.Resources/deployments", "apiVersion": "2022-09-01", "name": "m", "properties": {"template": {"resources": {"r": ` + resource + `}}}}`
}

func newManifest(target manifest.Target, resources string, more ...func(*manifest.Options)) (*manifest.Manifest, error) {
	o := manifest.Options{Name: "app", Target: target, Group: "default", Template: []byte(`{"parameters": {"n": {"type": "string", "defaultValue": "by_default"}}, "resources": {"a": ` + resources + `}}`)}
	for _, f := range more {
		f(&o)
	}
	return manifest.New(o)
}

func TestResourceNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 63)
	for name, radius := range map[string]bool{
		"my_env": false, "1app": false, "app-": false, "-app": false, long + "a": false, "a.b": false, "ä": false,
		"[parameters('n')]": false,
		"app":               true, "a": true, "a-1": true, long: true, "[format('{0}', 1)]": true,
	} {
		for _, target := range []manifest.Target{manifest.Design, manifest.Radius} {
			for _, kind := range []string{"Applications.Core/containers", "Radius.Core/environments"} {
				for place, r := range map[string]string{"top": radiusResource(kind, name), "module": inModule(radiusResource(kind, name))} {
					if place == "module" && strings.HasPrefix(name, "[") {
						continue
					}
					_, err := newManifest(target, r)
					if radius {
						require.NoError(t, err, "%s %s %s", name, target, place)
					} else {
						require.ErrorContains(t, err, "at most 63", "%s %s %s", name, target, place)
					}
				}
			}
		}
	}
	_, err := newManifest(manifest.Design, radiusResource("Applications.Core/containers", "Web"))
	require.NoError(t, err)
	_, err = newManifest(manifest.Radius, radiusResource("Applications.Core/containers", "Web"))
	require.ErrorContains(t, err, "lower-case")
	// A value that is given counts before the default, and other resources have other rules.
	_, err = newManifest(manifest.Design, radiusResource("Applications.Core/containers", "[parameters('n')]"), func(o *manifest.Options) {
		o.Parameters = []manifest.Parameter{{Name: "n", Value: armjson.String("fine")}}
	})
	require.NoError(t, err)
	_, err = newManifest(manifest.Design, `{"type": "Microsoft.Storage/storageAccounts", "name": "my_env"}`)
	require.NoError(t, err)
}

// TestComputedNames: the names of a program are computed only if one of them may be wrong.
func TestComputedNames(t *testing.T) {
	t.Parallel()
	for name, simple := range map[string]bool{
		"[format('{0}-web', parameters('app'))]":                        true,
		"[format('{0}{1}{0}', parameters('app'), variables('suffix'))]": true,
		"[format('web')]":                             true,
		"[format('{0}_web', parameters('app'))]":      false, // wrong, if it is deployed
		"[format('{0}-web', parameters('n'))]":        false,
		"[format('{0}', parameters('none'))]":         false,
		"[format('{0}', variables('computed'))]":      false,
		"[format('{0:D3}', parameters('app'))]":       false,
		"[format('{1}', parameters('app'))]":          false,
		"[format('{{0}}', parameters('app'))]":        false,
		"[format('it''s-{0}', parameters('app'))]":    false,
		"[format('{0}', toLower(parameters('app')))]": false,
		"[format('{0}', 'web')]":                      false,
		"[format(parameters('app'))]":                 false,
		"[toLower(format('{0}', parameters('app')))]": false,
	} {
		asked := false
		resource := radiusResource("Applications.Core/containers", name)
		template := `{"parameters": {"n": {"type": "string", "defaultValue": "by_default"}, "app": {"type": "string", "defaultValue": "shop"}}, "variables": {"suffix": "x", "computed": "[concat('a')]"}, "resources": {"a": ` + resource + `}}`
		_, err := newManifest(manifest.Design, "{}", func(o *manifest.Options) {
			o.Template = []byte(template)
			o.Names = func() []manifest.ResourceName { asked = true; return nil }
		})
		require.NoError(t, err, name)
		require.Equal(t, !simple, asked, name)
	}
}

func TestWarningsAboutResources(t *testing.T) {
	t.Parallel()
	existing := `{"existing": true, "import": "radius", "type": "Radius.Core/environments@2025-08-01-preview", "properties": {"name": "e"}}`
	for _, c := range []struct {
		target   manifest.Target
		resource string
		code     string
		holds    string
	}{
		{manifest.Radius, radiusResource("Radius.Core/environments", "e"), manifest.CodeDeletion, "Radius.Core/environments"},
		{manifest.Radius, inModule(radiusResource("Radius.Core/environments", "e")), manifest.CodeDeletion, "does not end"},
		{manifest.Design, radiusResource("Radius.Core/environments", "e"), "", ""},
		{manifest.Radius, existing, "", ""},
		{manifest.Radius, radiusResource("Applications.Core/environments", "e"), "", ""},
		{manifest.Design, `{"type": "Microsoft.Storage/storageAccounts", "name": "s"}`, manifest.CodeScope, "a resource of Azure"},
		{manifest.Design, inModule(`{"type": "Microsoft.Storage/storageAccounts", "name": "s"}`), manifest.CodeScope, "a resource of Azure"},
		{manifest.Design, `{"existing": true, "type": "Microsoft.Storage/storageAccounts", "name": "s"}`, "", ""},
		{manifest.Radius, `{"import": "aws", "type": "AWS.S3/Bucket@default", "properties": {"alias": "b"}}`, manifest.CodeScope, "a resource of AWS"},
	} {
		m, err := newManifest(c.target, c.resource)
		require.NoError(t, err)
		if c.code == "" {
			require.Empty(t, m.Warnings, c.resource)
			continue
		}
		require.Len(t, m.Warnings, 1, c.resource)
		require.Equal(t, c.code, m.Warnings[0].Code)
		require.Contains(t, m.Warnings[0].Text, c.holds)
	}
	m, err := newManifest(manifest.Design, `{"type": "Microsoft.Storage/storageAccounts", "name": "s"}`, func(o *manifest.Options) {
		o.AzureScope = "/subscriptions/s/resourceGroups/g"
	})
	require.NoError(t, err)
	require.Empty(t, m.Warnings)
}

// The size that is named is what the API server stores: encoding/json prints it alike.
func TestSizeIsThatOfTheJSON(t *testing.T) {
	t.Parallel()
	text := strings.Repeat(`a\n\t\"\\<>&\u0001é`, 20_000)
	m, err := newManifest(manifest.Design, `{"type": "x", "v": "`+text+`"}`, func(o *manifest.Options) {
		o.Parameters = []manifest.Parameter{{Name: "n", Value: armjson.String("<b>\r\b\f")}}
		o.Labels = map[string]string{"a": "b", "c": "d"}
		o.Annotations = map[string]string{"first": "<", "last": "x>", "none": ""}
		o.AzureScope = "/subscriptions/s/resourceGroups/g"
	})
	require.NoError(t, err)
	rendered, err := m.Render(manifest.JSON)
	require.NoError(t, err)
	var v any
	require.NoError(t, json.Unmarshal(rendered, &v))
	stored, err := json.Marshal(v)
	require.NoError(t, err)
	require.Len(t, m.Warnings, 1)
	require.Contains(t, m.Warnings[0].Text, fmt.Sprintf("(%d bytes)", len(stored)))
}

// What the caller parsed is not changed, whatever the options ask for.
func TestTreeIsNotChanged(t *testing.T) {
	t.Parallel()
	const text = `{"metadata": {"_generator": {}}, "parameters": {"n": {"type": "int"}}, "resources": {"m": {
		"type": "Microsoft.Resources/deployments", "properties": {"template": {"metadata": {"_generator": {}, "k": 1}, "resources": []}}}}}`
	v, err := armjson.Parse(text, armjson.Options{})
	require.NoError(t, err)
	before := armjson.Text(v)
	m, err := manifest.New(manifest.Options{Name: "a", Group: "g", Target: manifest.Radius, DropGenerator: true, Template: []byte(text), Tree: v.(*armjson.Object),
		Parameters: []manifest.Parameter{{Name: "n", Value: armjson.Int(7)}}})
	require.NoError(t, err)
	require.Equal(t, before, armjson.Text(v))
	rendered, err := m.Render(manifest.YAML)
	require.NoError(t, err)
	require.NotContains(t, string(rendered), "_generator")
	require.Contains(t, string(rendered), `"defaultValue": 7`)
}
