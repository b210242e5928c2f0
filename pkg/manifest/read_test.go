package manifest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
)

const deploymentTemplate = "kind: DeploymentTemplate\napiVersion: radapp.io/v1alpha3\n"

// TestRead: what manifests deploy, in every form that users and clusters have them in.
func TestRead(t *testing.T) {
	t.Parallel()
	design := build(t, manifest.Options{Name: "a", Namespace: "n", Group: "g", AzureScope: "/subscriptions/s/resourceGroups/g", AWSScope: "/planes/aws/aws/accounts/1/regions/r",
		Template: []byte(`{"resources":[1]}`), Parameters: []manifest.Parameter{{Name: "p", Value: armjson.Int(1)}, {Name: "r", Reference: armjson.NewObject(armjson.Member{Key: "secretName", Value: armjson.String("s")})}}})
	radius := build(t, manifest.Options{Name: "b", Group: "g", Target: manifest.Radius, Template: []byte(`{"parameters":{"p":{"type":"string"}},"resources":[2]}`), Parameters: []manifest.Parameter{{Name: "p", Value: armjson.String("x")}}})
	const both = `a/n {"resources":[1]} {"p":{"value":1},"r":{"reference":{"secretName":"s"}}} /planes/radius/local/resourceGroups/g /subscriptions/s/resourceGroups/g /planes/aws/aws/accounts/1/regions/r`
	const released = `b/ {"parameters":{"p":{"type":"string"}},"resources":[2]} {"p":{"value":"x"}} /planes/radius/local/resourceGroups/g  `
	for _, c := range []struct {
		name, text string
		isList     bool
		want       []string
	}{
		{"the design's shape", design, false, []string{both}},
		{"that of released Radius", radius, false, []string{released}},
		{"documents", "---\n" + design + "---\n" + radius + "---\n", false, []string{both, released}},
		{"other objects", "kind: Service\napiVersion: v1\n---\n" + radius + "---\n- 1\n---\nx\n", false, []string{released}},
		{"another group", "kind: DeploymentTemplate\napiVersion: example.com/v1\n", false, nil},
		{"nothing", "", false, nil},
		{"a list", "kind: List\napiVersion: v1\nitems:\n- kind: Service\n- 1\n- " + strings.ReplaceAll(strings.TrimSuffix(radius, "\n"), "\n", "\n  ") + "\n", true, []string{released}},
		{"an empty list", "kind: List\nitems: []\n", true, nil},
		{"a list without items", "kind: List\n", false, nil},
		{"a list of another kind", "kind: ServiceList\nitems: [{spec: {template: '{}'}}]\n", true, nil},
		{"a list of one kind", "kind: DeploymentTemplateList\napiVersion: radapp.io/v1alpha3\nitems:\n- metadata: {name: c}\n  spec: {template: '{}'}\n- kind: Service\n  apiVersion: v1\n", true, []string{"c/ {} {}   "}},
		{"a list of one kind of another group", "kind: DeploymentTemplateList\napiVersion: example.com/v1\nitems:\n- metadata: {name: c}\n  spec: {template: '{}'}\n", true, nil},
		{"objects in place of texts", deploymentTemplate + "spec: {template: {x: 1}, parameters: {p: 1, q: {value: 2}, r: {other: 3}, s: {reference: {}}}, providerConfig: {radius: {value: {scope: /r}}, az: {value: {scope: /z}}, aws: {value: {scope: /w}}}}\n", false,
			[]string{`/ {"x":1} {"p":{"value":1},"q":{"value":2},"r":{"value":{"other":3}},"s":{"reference":{}}} /r /z /w`}},
		{"nothing given", deploymentTemplate + "metadata: {name: d}\nspec: {template: '{} // note', parameters: ' ', providerConfig: null}\n", false, []string{"d/ {} {}   "}},
	} {
		list, isList, err := manifest.ReadList([]byte(c.text))
		require.NoError(t, err, c.name)
		assert.Equal(t, c.isList, isList, c.name)
		var got []string
		for _, d := range list {
			got = append(got, strings.Join([]string{d.Name + "/" + d.Namespace, armjson.Text(d.Template), armjson.Text(d.Parameters), d.RadiusScope, d.AzureScope, d.AWSScope}, " "))
		}
		assert.Equal(t, c.want, got, c.name)
		again, err := manifest.Read([]byte(c.text))
		require.NoError(t, err)
		assert.Len(t, again, len(list))
	}
}

// TestReadMessages: why a manifest cannot be read. No text of it is in the message: it may hold secrets.
func TestReadMessages(t *testing.T) {
	t.Parallel()
	named := deploymentTemplate + "metadata: {name: app}\n"
	for text, want := range map[string]string{
		"a: b\nhunter2: [\n":                                     "not YAML: line 2",
		"hunter2: x: y\n":                                        "not YAML: it cannot be read",
		"a: 1\n---\n\tb: hunter2\n":                              "not YAML: line 3",
		"? [1, 2]\n: hunter2\n":                                  "not YAML: it cannot be read",
		named:                                                    `DeploymentTemplate "app": it has no template`,
		named + "spec: {}\n":                                     `DeploymentTemplate "app": it has no template`,
		named + "spec: {template: ''}\n":                         `DeploymentTemplate "app": it has no template`,
		named + "spec: {template: null}\n":                       `DeploymentTemplate "app": it has no template`,
		named + "spec: {template: '{hunter2'}\n":                 `DeploymentTemplate "app": its template is not a JSON object`,
		named + "spec: {template: '[]'}\n":                       `DeploymentTemplate "app": its template is not a JSON object`,
		named + "spec: {template: [hunter2]}\n":                  `DeploymentTemplate "app": its template is not an object`,
		named + "spec: {template: 7}\n":                          `DeploymentTemplate "app": its template is not an object`,
		named + "spec: {template: '{}', parameters: '{'}\n":      `DeploymentTemplate "app": its parameters is not a JSON object`,
		named + "spec: {template: '{}', parameters: [1]}\n":      `DeploymentTemplate "app": its parameters is not an object`,
		named + "spec: {template: '{}', providerConfig: 'x'}\n":  `DeploymentTemplate "app": its providerConfig is not a JSON object`,
		named + "spec: {template: '{}', providerConfig: true}\n": `DeploymentTemplate "app": its providerConfig is not an object`,
		"kind: List\nitems: [{kind: DeploymentTemplate, apiVersion: radapp.io/v1alpha3, metadata: {name: in}, spec: {}}]\n": `DeploymentTemplate "in": it has no template`,
	} {
		list, isList, err := manifest.ReadList([]byte(text))
		require.Error(t, err, text)
		assert.Equal(t, want, err.Error(), text)
		assert.Empty(t, list)
		assert.False(t, isList)
	}
}

// TestDeployed: a manifest says what it deploys, as if it was read.
func TestDeployed(t *testing.T) {
	t.Parallel()
	for _, target := range []manifest.Target{manifest.Design, manifest.Radius} {
		m, err := manifest.New(manifest.Options{Name: "a", Namespace: "n", Group: "g", Target: target, Template: []byte(`{"parameters":{"p":{"type":"string"},"n":{"type":"int"}},"resources":[]}`),
			Parameters: []manifest.Parameter{{Name: "p", Value: armjson.String("x")}, {Name: "n", Value: armjson.Int(1)}}})
		require.NoError(t, err)
		text, err := m.Render(manifest.YAML)
		require.NoError(t, err)
		want, err := manifest.Read(text)
		require.NoError(t, err)
		got, err := m.Deployed()
		require.NoError(t, err)
		require.Len(t, want, 1)
		assert.Equal(t, armjson.Text(want[0].Template), armjson.Text(got.Template))
		assert.Equal(t, armjson.Text(want[0].Parameters), armjson.Text(got.Parameters))
		got.Template, got.Parameters = want[0].Template, want[0].Parameters
		assert.Equal(t, want[0], got)
	}
}

// TestHoldsBicep: a manifest whose template Bicep made, and nothing else.
func TestHoldsBicep(t *testing.T) {
	t.Parallel()
	const made = `{"metadata":{"_generator":{"name":"bicep"}},"resources":[]}`
	for text, want := range map[string]bool{
		build(t, manifest.Options{Name: "a", Template: []byte(made)}):                                       true,
		build(t, manifest.Options{Name: "a", Template: []byte(made), DropGenerator: true}):                  false,
		build(t, manifest.Options{Name: "a", Template: []byte(strings.Replace(made, "bicep", "other", 1))}): false,
		deploymentTemplate + "spec: {template: '{}'}\n":                                                     false,
		deploymentTemplate + "spec: {template: '{'}\n":                                                      false,
		deploymentTemplate + "spec: {}\n":                                                                   false,
		deploymentTemplate + "spec: {template: '" + made + "'}\n":                                           true,
		deploymentTemplate + "spec: {Template: '" + made + "'}\n":                                           true,
		"kind: Other\napiVersion: radapp.io/v1\nspec: {template: '" + made + "'}\n":                         false,
		deploymentTemplate + "spec: {template: '" + made + "'}\n---\n" + deploymentTemplate:                 false,
		"": false, "DeploymentTemplate": false, "# DeploymentTemplate\nx: [\n": false,
	} {
		assert.Equal(t, want, manifest.HoldsBicep([]byte(text)), text)
	}
}
