//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAdmissionPolicy asks the API server to make objects under the policy of the chart.
func TestAdmissionPolicy(t *testing.T) {
	p := newPlane(t)
	_, err := p.kubectl("", "apply", "--server-side", "-k", "../../config/crd")
	require.NoError(t, err)
	for _, ns := range []string{"team", "team-b"} {
		_, err = p.try("create", "namespace", ns)
		require.NoError(t, err)
	}
	const groups = "/planes/radius/local/resourceGroups/"
	entry := func(key, scope string) string {
		return `"` + key + `":{"type":"T","value":{"scope":"` + scope + `"}}`
	}
	text := func(config string) string {
		quoted, _ := json.Marshal(config)
		return string(quoted)
	}
	write := func(namespace, name, config string, flags ...string) error {
		o := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(manifest(namespace, name)), &o))
		if config != "" {
			o["spec"].(map[string]any)["providerConfig"] = json.RawMessage(config)
		}
		if len(flags) > 0 && flags[0] == "class" {
			o["metadata"].(map[string]any)["annotations"] = map[string]any{"radapp.io/controller-class": "other"}
			flags = flags[1:]
		}
		whole, err := json.Marshal(o)
		require.NoError(t, err)
		_, err = p.kubectl(string(whole), append([]string{"apply", "-f", "-"}, flags...)...)
		return err
	}
	foreign := "{" + entry("radius", groups+"team-b-prod") + "}"
	require.NoError(t, p.until(time.Minute, func() error { return write("team", "before", foreign) }))

	out, err := exec.Command(filepath.Join(p.bin, "helm"), "template", "x", "../../charts/rad-controller", "--set", "image.repository=r",
		"--set-json", `allowedScopes=["`+groups+`{namespace}-prod","/subscriptions/s.1/resourceGroups/*"]`, "-s", "templates/admission.yaml").CombinedOutput()
	require.NoError(t, err, "%s", out)
	_, err = p.apply(string(out))
	require.NoError(t, err)
	require.NoError(t, p.until(time.Minute, func() error { // policies come into force a moment later
		if err := write("team", "probe", foreign, "--dry-run=server"); err == nil {
			return fmt.Errorf("a foreign scope is not refused")
		}
		return nil
	}))

	const refused, keys = "may not be deployed to", "may hold radius"
	for _, tt := range []struct{ namespace, config, want string }{
		{"team", "", ""},
		{"team", `""`, ""},
		{"team", "{" + entry("radius", groups+"team-prod") + "}", ""},
		{"team", "{" + entry("radius", "/planes/radius/local/resourcegroups/Team-Prod") + "," + entry("az", "/subscriptions/s.1/resourceGroups/any") + "}", ""},
		{"team-b", foreign, ""},
		{"team", foreign, refused},
		{"team", "{" + entry("deployments", groups+"x-team-prod") + "}", refused},
		{"team", "{" + entry("az", "/subscriptions/sx1/resourceGroups/any") + "}", refused},
		{"team", "{" + entry("az", "/planes/azure/azurecloud/subscriptions/s.1/resourceGroups/any") + "}", ""},
		{"team", "{" + entry("AZ", "/subscriptions/other") + "}", keys},
		{"team", text("{" + entry("radius", groups+"team-prod") + "}"), ""},
		{"team", text("{" + entry("radius", groups+"team-b-prod") + "}"), refused},
		{"team", text(`{"radius":{"type":"T","value":{"scope":"` + groups + `team-prod","Scope" ` + "\n" + `:  "` + groups + `team-b-prod"}}}`), refused},
		{"team", text(strings.Replace("{"+entry("radius", groups+"team-b-prod")+"}", "scope", `s\u0063ope`, 1)), "may not hold escapes"},
	} {
		err := write(tt.namespace, "probe", tt.config, "--dry-run=server")
		if tt.want == "" {
			require.NoError(t, err, "%s: %s", tt.namespace, tt.config)
			continue
		}
		require.ErrorContains(t, err, tt.want, "%s: %s", tt.namespace, tt.config)
	}
	require.NoError(t, write("team", "classy", foreign, "class", "--dry-run=server"), "another controller's")

	// What was there before can be changed, but not led elsewhere, and goes.
	_, err = p.try("annotate", "deploymenttemplate", "before", "-n", "team", "a=b")
	require.NoError(t, err)
	require.ErrorContains(t, write("team", "before", "{"+entry("radius", groups+"team-c-prod")+"}"), refused)
	_, err = p.try("delete", "deploymenttemplate", "before", "-n", "team", "--timeout=30s")
	require.NoError(t, err)
	out, err = exec.Command(filepath.Join(p.bin, "helm"), "template", "x", "../../charts/rad-controller", "--set", "image.repository=r", "--set-json", `allowedScopes=["/a/[x]"]`).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "knows only the wildcards")
}
