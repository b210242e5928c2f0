//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// TestObjectsForAzure applies the expected objects of the programs of --target aso as a user who has the role that
// --requirements prints for the program, and no other. TARGETS_CRDS lists folders with the CRDs (make targets-e2e in the
// root makes one).
func TestObjectsForAzure(t *testing.T) {
	crds := map[string]string{} // files by group and plural
	for _, dir := range filepath.SplitList(os.Getenv("TARGETS_CRDS")) {
		files, err := filepath.Glob(filepath.Join(dir, "*.azure.com_*.yaml"))
		require.NoError(t, err)
		for _, file := range files {
			crds[strings.TrimSuffix(filepath.Base(file), ".yaml")] = file
		}
	}
	if len(crds) == 0 {
		t.Skip("TARGETS_CRDS names no folder with the CRDs of Azure Service Operator")
	}
	p := newPlane(t)
	_, err := p.try("create", "namespace", "team")
	require.NoError(t, err)
	user := []string{"--as", "applier", "--as-group", "system:authenticated"}
	goldens, err := filepath.Glob("../../../testdata/targets/aso/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, goldens)
	installed := map[string]bool{}
	for _, golden := range goldens {
		program := strings.TrimSuffix(golden, ".yaml") + ".bicep"
		text, err := os.ReadFile(program)
		require.NoError(t, err)
		args := []string{"bicep", "generate-kubernetes-manifest", program, "--target", "aso", "--requirements", "--location", "westeurope",
			"--subscription-id", "00000000-0000-0000-0000-000000000001", "--tenant-id", "00000000-0000-0000-0000-000000000002"}
		if !strings.Contains(string(text), "targetScope = 'subscription'") {
			args = append(args, "--resource-group", "apps")
		}
		for line := range strings.Lines(string(text)) {
			if more, ok := strings.CutPrefix(line, "// args: "); ok {
				args = append(args, strings.Fields(more)...)
			}
		}
		required, err := exec.Command(filepath.Join(p.bin, "rad"), args...).Output()
		require.NoError(t, err, program)
		role := struct {
			Metadata struct{ Name string }
			Rules    []struct{ APIGroups, Resources []string }
		}{}
		first, _, _ := strings.Cut(string(required), "\n---\n")
		require.NoError(t, yaml.Unmarshal([]byte(first), &role))
		for _, rule := range role.Rules {
			for _, plural := range rule.Resources {
				name := rule.APIGroups[0] + "_" + plural
				if strings.HasSuffix(plural, "/status") || installed[name] {
					continue
				}
				require.NotEmpty(t, crds[name], "%s: there is no CRD %s", program, name)
				_, err := p.try("apply", "--server-side", "-f", crds[name])
				require.NoError(t, err)
				require.NoError(t, p.until(30*time.Second, func() error {
					_, err := p.try("wait", "--for=condition=Established", "crd/"+plural+"."+rule.APIGroups[0], "--timeout=30s")
					return err
				}))
				installed[name] = true
			}
		}
		as := func(args ...string) error {
			_, err := p.try(append(append(args, "-f", golden), user...)...)
			return err
		}
		require.ErrorContains(t, as("apply", "--server-side"), "forbidden", program)
		_, err = p.apply(string(required))
		require.NoError(t, err, program)
		_, err = p.try("create", "clusterrolebinding", "applier", "--clusterrole", role.Metadata.Name, "--user", "applier")
		require.NoError(t, err)
		require.NoError(t, p.until(20*time.Second, func() error { return as("apply", "--server-side", "--validate=strict") }), program)
		require.NoError(t, as("get"), program)
		require.NoError(t, as("get", "--subresource=status"), program)
		require.NoError(t, as("delete", "--wait"), program)
		_, err = p.try("delete", "clusterrolebinding/applier", "clusterrole/"+role.Metadata.Name)
		require.NoError(t, err)
	}
}
