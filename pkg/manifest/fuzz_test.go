package manifest_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
)

// FuzzMasked feeds old manifests to the comparison: whatever the file contains, it ends,
// and where the file holds the value of a parameter that is secure, it is not shown.
func FuzzMasked(f *testing.F) {
	const secret = "Canary7331xyz"
	m, err := manifest.New(manifest.Options{Name: "a", Secure: []string{"password"},
		Template:   []byte(`{"parameters":{"password":{"type":"securestring"},"text":{"type":"string"}},"resources":[]}`),
		Parameters: []manifest.Parameter{{Name: "password", Value: armjson.String(secret)}, {Name: "text", Value: armjson.String("x")}}})
	require.NoError(f, err)
	written, err := m.Render(manifest.YAML)
	require.NoError(f, err)
	f.Add(written)
	for _, text := range []string{
		"", "---\n", "a: b\n--- \nc: d\n", "kind: DeploymentTemplate\napiVersion: radapp.io/v1alpha3\n",
		"kind: DeploymentTemplate\napiVersion: radapp.io/v1alpha3\nspec:\n  parameters: {password: Canary7331xyz}\nstatus: 3\n",
		"kind: DeploymentTemplate\napiVersion: radapp.io/v1alpha3\nspec: [Canary7331xyz, &a [1, *a]]\n",
		"{\"kind\": \"DeploymentTemplate\", \"apiVersion\": \"radapp.io/v1alpha3\", \"spec\": {\"template\": \"{\\\"Parameters\\\":{}}\", \"parameters\": 7}}",
		"<<<<<<< HEAD\n" + string(written) + "=======\n",
		strings.ReplaceAll(string(written), "parameters", "Parameters"),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, old []byte) {
		if len(old) > 1<<16 {
			return
		}
		before, after, _ := m.Masked(old, manifest.YAML)
		require.False(t, bytes.Contains(before, []byte(secret)), "%q\nshows the secret:\n%s\n%s", old, before, after)
		require.False(t, bytes.Contains(after, []byte(secret)), "%q\nshows the secret:\n%s\n%s", old, before, after)
		manifest.IsManifest(old)
	})
}
