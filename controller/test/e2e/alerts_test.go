//go:build e2e

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// alert is a case of TestAlerts: series of a controller over time, in promtool's notation with a value a minute, and
// whether an alert fires.
type alert struct {
	name   string
	series map[string]string
	at     string
	fires  string // the summary; "" means that it does not fire
}

const (
	leader    = `leader_election_master_status{name="rad-controller.radapp.io",pod="a",JOB}`
	follower  = `leader_election_master_status{name="rad-controller.radapp.io",pod="b",JOB}`
	schemas   = `rad_controller_schemas_complete{JOB}`
	failed    = `rad_controller_deployment_templates{phrase="Failed",JOB}`
	updating  = `rad_controller_deployment_templates{phrase="Updating",JOB}`
	ended     = `rad_controller_operation_seconds_count{kind="deploy",JOB}`
	answered  = `rad_controller_radius_request_seconds_count{method="GET",kind="resource",code="200",JOB}`
	broken    = `rad_controller_radius_request_seconds_count{method="GET",kind="resource",code="503",JOB}`
	noAnswer  = `rad_controller_radius_request_seconds_count{method="GET",kind="resource",code="none",JOB}`
	oldest    = `rad_controller_oldest_operation_seconds{JOB}`
	atOneItem = `workqueue_longest_running_processor_seconds{name="deploymenttemplate",JOB}`
)

var alerts = []alert{
	{"RadControllerAbsent", map[string]string{leader: "1x20", follower: "0x20"}, "15m", ""},
	{"RadControllerAbsent", map[string]string{leader: "0x20", follower: "0x20"}, "4m", ""},
	{"RadControllerAbsent", map[string]string{leader: "0x20", follower: "0x20"}, "6m", "No replica of the controller holds the lease"},
	{"RadControllerAbsent", nil, "6m", "No replica of the controller holds the lease"},
	{"RadControllerAbsent", map[string]string{"leader_election_master_status{name=\"another\",job=\"a/b\"}": "1x20"}, "6m", "No replica of the controller holds the lease"},
	{"RadSchemasIncomplete", map[string]string{schemas: "1x20"}, "15m", ""},
	{"RadSchemasIncomplete", map[string]string{schemas: "0x20"}, "6m", "The CRDs in the cluster are not those of the controller"},
	{"RadSchemasIncomplete", map[string]string{schemas: "1x20", `rad_controller_schemas_complete{job="a/b"}`: "0x20"}, "6m", ""},
	{"RadTemplatesFailed", map[string]string{failed: "0x20"}, "20m", ""},
	{"RadTemplatesFailed", map[string]string{failed: "2x20"}, "14m", ""},
	{"RadTemplatesFailed", map[string]string{failed: "2x20"}, "16m", "2 DeploymentTemplates are failed"},
	{"RadTemplatesFailed", map[string]string{failed: "2x10 0 2x9"}, "20m", ""},
	{"RadTemplatesStuck", map[string]string{updating: "3x200", ended: "5x200"}, "58m", ""},
	{"RadTemplatesStuck", map[string]string{updating: "3x200", ended: "5x200"}, "62m", "3 DeploymentTemplates are in work, and none ends"},
	{"RadTemplatesStuck", map[string]string{updating: "3x200"}, "62m", "3 DeploymentTemplates are in work, and none ends"},
	{"RadTemplatesStuck", map[string]string{updating: "3x200", ended: "5x30 6x170"}, "90m", ""},
	{"RadTemplatesStuck", map[string]string{updating: "3x200", ended: "5x30 6x170"}, "110m", "3 DeploymentTemplates are in work, and none ends"},
	{"RadTemplatesStuck", map[string]string{updating: "3x200", ended: "0+1x200"}, "190m", ""},
	{"RadOperationHangs", map[string]string{oldest: "0+60x300"}, "241m", ""},
	{"RadOperationHangs", map[string]string{oldest: "0+60x300", ended: "0+1x300"}, "247m", "A deployment or a deletion has run for 4h 7m 0s"},
	{"RadTemplatesStuck", map[string]string{updating: "0x200", ended: "5x200"}, "190m", ""},
	{"RadRadiusUnreachable", map[string]string{answered: "0+60x30", broken: "0+20x30", noAnswer: "0+20x30"}, "29m", ""},
	{"RadRadiusUnreachable", map[string]string{answered: "0+40x30", broken: "0+30x30", noAnswer: "0+30x30"}, "16m", "Radius does not answer most requests"},
	{"RadRadiusUnreachable", map[string]string{answered: "7x30"}, "29m", ""},
	{"RadWorkBlocked", map[string]string{atOneItem: "0+60x30"}, "10m", ""},
	{"RadWorkBlocked", map[string]string{atOneItem: "0+60x30"}, "16m", "A worker of deploymenttemplate has been at one object for over ten minutes"},
}

// TestAlerts: Prometheus takes the rules of the chart, they fire when they should, and the controller has the metrics
// that they look at.
func TestAlerts(t *testing.T) {
	bin, err := filepath.Abs("../../bin/e2e")
	require.NoError(t, err)
	render := func(values ...string) string {
		t.Helper()
		args := []string{"template", "rad", "../../charts/rad-controller", "-n", "ops", "--show-only", "templates/alerts.yaml"}
		for _, v := range append(values, "image.repository=r", "alerts.enabled=true") {
			args = append(args, "--set-json", jsonOf(v))
		}
		out, err := exec.Command(filepath.Join(bin, "helm"), args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		var rule struct{ Spec any }
		require.NoError(t, yaml.Unmarshal(out, &rule))
		text, err := yaml.Marshal(rule.Spec)
		require.NoError(t, err)
		return string(text)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	promtool := func(args ...string) {
		t.Helper()
		c := exec.Command(filepath.Join(bin, "promtool"), args...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	rules := render()
	write("rules.yaml", rules)
	promtool("check", "rules", "--lint-fatal", "rules.yaml")
	write("rules.yaml", render(`alerts.selector="job=\"x\",cluster=~\"a|b\""`, `alerts.failedFor="1h"`, `alerts.stuckFor="2h"`))
	promtool("check", "rules", "--lint-fatal", "rules.yaml")

	severity := map[string]string{}
	var parsed struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr string
				Labels      map[string]string
				Annotations map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(rules), &parsed))
	descriptions := map[string]string{}
	looked := map[string]bool{}
	names := regexp.MustCompile(`\b(rad_controller|workqueue|leader_election)_\w+`)
	for _, r := range parsed.Groups[0].Rules {
		severity[r.Alert], descriptions[r.Alert] = r.Labels["severity"], r.Annotations["description"]
		for _, name := range names.FindAllString(r.Expr, -1) {
			looked[name] = true
		}
	}
	type series map[string]any
	var tests []any
	tested := map[string][2]bool{}
	for _, a := range alerts {
		input := []any{}
		for name, values := range a.series {
			input = append(input, series{"series": strings.ReplaceAll(name, "JOB", `job="ops/rad"`), "values": values})
		}
		expected := []any{}
		if a.fires != "" {
			labels := series{"severity": severity[a.name], "controller": "ops/rad"}
			if a.name == "RadWorkBlocked" {
				labels["name"] = "deploymenttemplate"
			}
			expected = append(expected, series{"exp_labels": labels, "exp_annotations": series{"summary": a.fires, "description": descriptions[a.name]}})
		}
		both := tested[a.name]
		both[0], both[1] = both[0] || a.fires == "", both[1] || a.fires != ""
		tested[a.name] = both
		tests = append(tests, series{"interval": "1m", "input_series": input, "alert_rule_test": []any{
			series{"eval_time": a.at, "alertname": a.name, "exp_alerts": expected},
		}})
	}
	for name := range severity {
		require.Equal(t, [2]bool{true, true}, tested[name], "%s has a case in which it fires, and one in which it does not", name)
	}
	text, err := yaml.Marshal(series{"rule_files": []string{"rules.yaml"}, "evaluation_interval": "1m", "tests": tests})
	require.NoError(t, err)
	write("rules.yaml", rules)
	write("tests.yaml", string(text))
	promtool("test", "rules", "tests.yaml")

	p, err := startPlane(bin, t.TempDir())
	t.Cleanup(p.stop)
	require.NoError(t, err)
	_, err = p.try("create", "namespace", system)
	require.NoError(t, err)
	out, err := exec.Command(filepath.Join(bin, "helm"), "--kubeconfig", p.kubeconfig, "install", "rad-controller", "../../charts/rad-controller", "-n", system, "--set", "image.repository=r").CombinedOutput()
	require.NoError(t, err, "%s", out)
	_, err = p.try("wait", "--for=condition=Established", "crd/deploymenttemplates.radapp.io", "crd/deploymentresources.radapp.io", "--timeout=30s")
	require.NoError(t, err)
	address := "127.0.0.1:" + freePort()
	c := p.controller(t, "alerts", "--metrics-bind-address", address)
	_, err = p.apply(manifest("default", "shop", app))
	require.NoError(t, err)
	_, err = p.try("wait", "--for=condition=Ready", "deploymenttemplate/shop", "--timeout=60s")
	require.NoError(t, err, "%s", tail(c.output()))
	require.NoError(t, p.until(30*time.Second, func() error {
		res, err := http.Get("http://" + address + "/metrics")
		if err != nil {
			return err
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			return err
		}
		lines := strings.Split(string(body), "\n")
		for name := range looked {
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, name+"{") || strings.HasPrefix(line, name+" ") }) {
				return fmt.Errorf("the controller has no metric %s", name)
			}
		}
		for _, line := range []string{"rad_controller_schemas_complete 1", `leader_election_master_status{name="rad-controller.radapp.io"} 1`} {
			if !slices.Contains(lines, line) {
				return fmt.Errorf("the metrics do not say %s", line)
			}
		}
		return nil
	}), "%s", tail(c.output()))
}
