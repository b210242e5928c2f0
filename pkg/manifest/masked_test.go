package manifest_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/secret"
)

// masked compares a manifest on disk with one whose parameters s and o are secure, and returns what is shown of both.
func masked(t *testing.T, target manifest.Target, old string) (before, after string) {
	t.Helper()
	m, err := manifest.New(manifest.Options{Name: "a", Group: "g", Target: target, Secure: []string{"S", "o"}, Comments: []string{"made"},
		Template: []byte(`{"parameters":{"s":{"type":"securestring","defaultValue":"now-default"},"o":{"type":"secureObject"},"n":{"type":"string"}},"resources":["of now-default"]}`),
		Parameters: []manifest.Parameter{{Name: "s", Value: armjson.String("now-text")}, {Name: "o", Value: armjson.NewObject(armjson.Member{Key: "k", Value: armjson.String("now-inner")})},
			{Name: "n", Value: armjson.String("with now-text in it")}}})
	require.NoError(t, err)
	one, two, ok := m.Masked([]byte(old), manifest.YAML)
	require.True(t, ok, old)
	return string(one), string(two)
}

// TestMaskedWhole: what a comparison shows of a manifest and of the one on disk, whole, in each shape.
func TestMaskedWhole(t *testing.T) {
	t.Parallel()
	before, after := masked(t, manifest.Design, `# of old-text
#second
kind: DeploymentTemplate
apiVersion: radapp.io/v1alpha3
spec:
  providerConfig: {radius: {type: Radius, value: {scope: /of/old-text}}}
  parameters: |
    {
      "s": {"value": "old-text"},
      "o": {"reference": {"keyVault": {"id": "vault-id"}, "secretName": "vault-name"}},
      "n": {"value": "has old-text and old-inner"},
      "S": "old-bare",
      "x": 4
    }
  template: |
    {"parameters": {"s": {"type": "securestring", "DefaultValue": "old-default"}, "n": {"defaultValue": "open"}},
     "resources": ["of old-default", "of old-bare"]}
  more: [73310042, true, "old-text"]
metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: '{"spec":{"parameters":"older-text"}}'
    old-text: x
  name: b
  resourceVersion: 3
status: {phase: Ready}
`)
	const hidden = "(secure)"
	assert.Equal(t, `# of (secure)
# second
kind: DeploymentTemplate
apiVersion: radapp.io/v1alpha3
metadata:
  name: b
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: (secure)
    (secure): x
  resourceVersion: 3
spec:
  template: |
    {
      "parameters": {
        "s": {
          "type": "securestring",
          "DefaultValue": "(secure)"
        },
        "n": {
          "defaultValue": "open"
        }
      },
      "resources": [
        "of (secure)",
        "of (secure)"
      ]
    }
  parameters: |
    {
      "s": {
        "value": "(secure)"
      },
      "o": {
        "reference": {
          "keyVault": {
            "id": "vault-id"
          },
          "secretName": "vault-name"
        }
      },
      "n": {
        "value": "has (secure) and old-inner"
      },
      "S": "(secure)",
      "x": 4
    }
  providerConfig:
    radius:
      type: Radius
      value:
        scope: /of/(secure)
  more:
    - 73310042
    - true
    - (secure)
status:
  phase: Ready
`, unquoted(before))
	assert.Equal(t, `# made
kind: DeploymentTemplate
apiVersion: radapp.io/v1alpha3
metadata:
  name: a
spec:
  template: |
    {
      "parameters": {
        "s": {
          "type": "securestring",
          "defaultValue": "(secure)"
        },
        "o": {
          "type": "secureObject"
        },
        "n": {
          "type": "string"
        }
      },
      "resources": [
        "of (secure)"
      ]
    }
  parameters: |
    {
      "s": {
        "value": "(secure)"
      },
      "o": {
        "value": "(secure)"
      },
      "n": {
        "value": "with (secure) in it"
      }
    }
  providerConfig:
    radius:
      type: Radius
      value:
        scope: /planes/radius/local/resourceGroups/g
    deployments:
      type: Microsoft.Resources
      value:
        scope: /planes/radius/local/resourceGroups/g
`, after)

	before, after = masked(t, manifest.Radius, `kind: DeploymentTemplate
apiVersion: radapp.io/v1alpha3
spec: {template: '{"resources":[]}', parameters: {o: '{"k": "old-inner", "n": [73310042, 12]}', s: abc, "n": "abc old-inner", x: 73310042, z: 12}}
`)
	assert.Equal(t, `kind: DeploymentTemplate
apiVersion: radapp.io/v1alpha3
spec:
  template: '{"resources":[]}'
  parameters:
    s: (secure)
    "n": abc (secure)
    o: (secure)
    x: (secure)
    z: 12
`, strings.NewReplacer(`"abc (secure)"`, "abc (secure)", `"(secure)"`, hidden, `"{\"resources\":[]}"`, `'{"resources":[]}'`).Replace(before))
	for _, shown := range []string{"    s: \"(secure)\"\n", "    \"n\": with (secure) in it\n", "\"o\": {\n          \"type\": \"secureObject\",\n          \"defaultValue\": \"(secure)\"\n"} {
		assert.Contains(t, strings.ReplaceAll(after, `"with (secure) in it"`, "with (secure) in it"), shown)
	}
	assert.NotContains(t, after, "now-")
}

func unquoted(s string) string {
	return strings.NewReplacer("configuration: \"(secure)\"", "configuration: (secure)", "\"(secure)\": x", "(secure): x", "scope: \"/of/(secure)\"", "scope: /of/(secure)", "- \"(secure)\"", "- (secure)").Replace(s)
}

// TestMaskedWithoutSecrets: where nothing is secret, now or before, both are shown as they are.
func TestMaskedWithoutSecrets(t *testing.T) {
	t.Parallel()
	m, err := manifest.New(manifest.Options{Name: "a", Template: []byte(`{"definitions":{"d":{"type":"object"}},"parameters":{"p":{"$ref":"#/definitions/d"}}}`), Parameters: []manifest.Parameter{{Name: "p", Value: armjson.Int(1)}}})
	require.NoError(t, err)
	rendered, err := m.Render(manifest.YAML)
	require.NoError(t, err)
	old := strings.Replace(string(rendered), "kind:", "# a comment\nkind:  ", 1)
	before, after, ok := m.Masked([]byte(old), manifest.YAML)
	require.True(t, ok)
	assert.Equal(t, old, string(before))
	assert.Equal(t, string(rendered), string(after))
	for _, nothing := range []string{"", " \n\t"} {
		before, after, ok = m.Masked([]byte(nothing), manifest.YAML)
		require.True(t, ok)
		assert.Equal(t, nothing, string(before))
		assert.Equal(t, string(rendered), string(after))
	}
	_, _, ok = m.Masked([]byte(old), "xml")
	assert.False(t, ok)
	asJSON, err := m.Render(manifest.JSON)
	require.NoError(t, err)
	before, after, ok = m.Masked(asJSON, manifest.JSON)
	require.True(t, ok)
	assert.Equal(t, string(asJSON), string(before))
	assert.Equal(t, string(asJSON), string(after))
}

// TestMaskedOfWhatIsNoManifest: nothing is shown of a file that is not one manifest.
func TestMaskedOfWhatIsNoManifest(t *testing.T) {
	t.Parallel()
	m, err := manifest.New(manifest.Options{Name: "a", Template: []byte("{}"), Secure: []string{"s"}})
	require.NoError(t, err)
	for _, old := range []string{"x", "a: [", "kind: Service\napiVersion: v1\n", deploymentTemplate + "---\n" + deploymentTemplate, deploymentTemplate + "---\n", deploymentTemplate + "? [1]\n: x\n"} {
		before, after, ok := m.Masked([]byte(old), manifest.YAML)
		assert.False(t, ok, old)
		assert.Nil(t, before)
		assert.Nil(t, after)
	}
	before, after, ok := m.Masked([]byte("\n"), manifest.YAML)
	assert.True(t, ok)
	assert.Nil(t, before)
	assert.NotEmpty(t, after)
}

// TestMaskedWhenTheTemplateCannotBeRead: then each parameter may be secure.
func TestMaskedWhenTheTemplateCannotBeRead(t *testing.T) {
	t.Parallel()
	m, err := manifest.New(manifest.Options{Name: "a", Template: []byte(`{"resources":[]}`), Parameters: []manifest.Parameter{{Name: "p", Value: armjson.String("open-text")}}})
	require.NoError(t, err)
	for _, spec := range []string{
		`{"template": "{ hunter2", "parameters": "{\"p\": {\"value\": \"hunter2\"}}"}`,
		`{"template": "[\"hunter2\"]", "parameters": {"p": "hunter2"}}`,
		`{"parameters": {"p": "hunter2"}}`,
		`{"template": "{}", "parameters": "{ hunter2"}`,
		`{"template": "{}", "parameters": "hunter2"}`,
		`{"template": 7, "parameters": [1, "hunter2"]}`,
	} {
		old := `{"kind": "DeploymentTemplate", "apiVersion": "radapp.io/v1alpha3", "spec": ` + spec + `}`
		before, after, ok := m.Masked([]byte(old), manifest.JSON)
		require.True(t, ok, spec)
		if strings.Contains(spec, `"{}"`) { // the template is readable, and declares no secure parameter
			assert.Equal(t, old, string(before))
			m, err := manifest.New(manifest.Options{Name: "a", Template: []byte(`{"resources":[]}`), Secure: []string{"other"}})
			require.NoError(t, err)
			before, _, ok = m.Masked([]byte(old), manifest.JSON)
			require.True(t, ok)
		} else {
			assert.NotContains(t, string(after), "open-text", spec)
		}
		assert.NotContains(t, string(before), "hunter2", spec)
		assert.Contains(t, string(before), secret.Text)
	}
}

// TestMaskedHidesLongTextsOnly: a secret of four characters is hidden wherever it stands, and a shorter one in its
// place only. Of two secrets, one in the other, the longer one is hidden whole.
func TestMaskedHidesLongTextsOnly(t *testing.T) {
	t.Parallel()
	m, err := manifest.New(manifest.Options{Name: "a", Template: []byte(`{"resources":[]}`), Secure: []string{"a", "b", "c", "d", "e", "f"}})
	require.NoError(t, err)
	old := `{"kind": "DeploymentTemplate", "apiVersion": "radapp.io/v1alpha3", "spec": {"template": "{}", "parameters": {"a": "abc", "b": "wxyz", "c": "wxyz-more", "d": "q\"q\"", "e": 1234, "f": 567}},
		"status": {"abc": "abc", "wxyz": "wxyz", "more": "wxyz-more wxyz-mor", "quoted": "in JSON: q\\\"q\\\"", "list": ["wxyz", 1234, 567, "1234 567"]}}`
	before, _, ok := m.Masked([]byte(old), manifest.JSON)
	require.True(t, ok)
	assert.Equal(t, `{"kind":"DeploymentTemplate","apiVersion":"radapp.io/v1alpha3","spec":{"template":"{}","parameters":{"a":"(secure)","b":"(secure)","c":"(secure)","d":"(secure)","e":"(secure)","f":"(secure)"}},`+
		`"status":{"abc":"abc","list":["(secure)","(secure)",567,"(secure) 567"],"more":"(secure) (secure)-mor","quoted":"in JSON: (secure)","(secure)":"(secure)"}}`, armjson.Text(parseObject(t, string(before))))
}

// TestHides: a value is hidden if its parameter is secure, or its mark says so, whatever the case of the name.
func TestHides(t *testing.T) {
	t.Parallel()
	m, err := manifest.New(manifest.Options{Name: "a", Template: []byte("{}"), Secure: []string{"Secure"}, Parameters: []manifest.Parameter{
		{Name: "environment", Value: armjson.String("x"), Mark: secret.Environment}, {Name: "open", Value: armjson.String("x")}, {Name: "Marked", Value: armjson.String("x"), Mark: secret.Secure}}})
	require.NoError(t, err)
	for name, want := range map[string]bool{"secure": true, "SECURE": true, "Environment": true, "marked": true, "open": false, "other": false, "": false} {
		assert.Equal(t, want, m.Hides(name), name)
	}
}

// TestMaskedOnceSecure: a parameter of an older manifest was secure if its declaration says so, in any case, or refers
// to types of which one is.
func TestMaskedOnceSecure(t *testing.T) {
	t.Parallel()
	m, err := manifest.New(manifest.Options{Name: "a", Template: []byte(`{"resources":[]}`)})
	require.NoError(t, err)
	for template, want := range map[string]bool{
		`{"parameters":{"p":{"type":"string"}}}`:                                                      false,
		`{"parameters":{"p":{"type":"secureString"}}}`:                                                true,
		`{"Parameters":{"P":{"Type":"SECURESTRING"}}}`:                                                true,
		`{"parameters":{"p":{"type":"object","properties":{"x":{"type":"secureObject"}}}}}`:           true,
		`{"parameters":{"p":{"$ref":"#/definitions/d"}},"definitions":{"d":{"type":"securestring"}}}`: true,
		`{"parameters":{"p":{"$REF":"#/definitions/d"}},"Definitions":{"e":{"type":"SecureObject"}}}`: true,
		`{"parameters":{"p":{"$ref":"#/definitions/d"}},"definitions":{"d":{"type":"string"}}}`:       false,
		`{"parameters":{"p":{"type":"string"},"q":{"type":"securestring"}}}`:                          false,
		`{"parameters":{"p":{"type":"string"}},"definitions":{"d":{"type":"securestring"}}}`:          false,
		`{"parameters":{"p":{"type":"string","metadata":{"description":"not secure"}}}}`:              false,
	} {
		for _, parameters := range []string{`{"p":{"value":"hunter2"}}`, `{"P":{"value":"hunter2"}}`} {
			old := armjson.Text(armjson.NewObject(
				armjson.Member{Key: "kind", Value: armjson.String("DeploymentTemplate")}, armjson.Member{Key: "apiVersion", Value: armjson.String("radapp.io/v1alpha3")},
				armjson.Member{Key: "spec", Value: armjson.NewObject(armjson.Member{Key: "template", Value: armjson.String(template)}, armjson.Member{Key: "parameters", Value: armjson.String(parameters)})}))
			before, _, ok := m.Masked([]byte(old), manifest.YAML)
			require.True(t, ok)
			assert.Equal(t, want, !strings.Contains(string(before), "hunter2"), "%s: %s", template, before)
		}
	}
}
