package radius

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// different are what differs in the Deployment and the Service of a container after `rad bicep migrate`. All else is equal:
// image, command, the program's own variables, ports, probes, volumes and replicas.
var different = []struct {
	why  string
	path *regexp.Regexp
}{
	{"the Service is called NAME-NAME", regexp.MustCompile(`^Service\.metadata\.name$`)},
	{"a probe ends after 1 second, no longer 5", regexp.MustCompile(`Probe\.timeoutSeconds$`)},
	{"a connection gives what it leads to has, no longer HOSTNAME, PORT and SCHEME", regexp.MustCompile(`\.env\.CONNECTION_API_[A-Z]+\.`)},
	{"a container has no account and no role of its own", regexp.MustCompile(`\.serviceAccount(Name)?$`)},
	{"labels are a recipe's work", regexp.MustCompile(`\.(labels|matchLabels|selector)\.(app\.kubernetes|radapp)\.io/|^Service\.metadata\.labels\.container$`)},
	{"ports of the pod have names", regexp.MustCompile(`\.ports\.[0-9]+\.name$`)},
	{"another Service has another address", regexp.MustCompile(`\.clusterIPs?(\.0)?$`)},
}

// TestMigrated deploys a program with types that Radius removes, and what migrate makes of it, with the recipe that Radius
// publishes for containers: CONTRIB is a git directory of radius-project/resource-types-contrib.
func TestMigrated(t *testing.T) {
	contrib := os.Getenv("CONTRIB")
	if contrib == "" {
		t.Skip("CONTRIB must name a git directory of radius-project/resource-types-contrib")
	}
	p := startPlane(t)
	p.startController(t)
	p.startRegistry(t)
	recipe, err := exec.Command("git", "--git-dir", contrib, "show",
		"HEAD:Compute/containers/recipes/kubernetes/bicep/kubernetes-containers.bicep").Output()
	require.NoError(t, err)
	p.publish(t, p.write(t, "containers.bicep", recipe), p.registry.Host+"/recipes/containers:1")
	p.baseline(t, "-p", "registry="+p.registry.Host)
	_, err = p.kubectl("create", "namespace", "moved")
	require.NoError(t, err)
	base := p.deployment("moved-base", filepath.Join("testdata", "movedbase.bicep"), "-p", "registry="+p.registry.Host)
	base.apply(t)
	base.ready(t, "Radius.Core/recipePacks/containers", "Radius.Core/environments/moved")

	before := p.deployment("before", filepath.Join("testdata", "moved.bicep"))
	before.apply(t)
	before.ready(t, core+"applications/moved", core+"containers/moved-web", core+"containers/moved-api")
	after := p.deployment("after", filepath.Join("testdata", "moved.bicep"),
		"-p", "environment=/planes/radius/local/resourceGroups/moved-base/providers/Radius.Core/environments/moved")
	after.edit(t, []string{"rad bicep migrate moves", "rad bicep migrate moved"})
	out, err := exec.Command(filepath.Join(p.bin, "rad"), "bicep", "migrate", after.file).CombinedOutput()
	require.NoError(t, err, "%s", out)
	after.apply(t)
	after.ready(t, "Radius.Core/applications/moved", "Radius.Compute/containers/moved-web", "Radius.Compute/containers/moved-api")

	seen := map[string]bool{}
	for _, name := range []string{"moved-web", "moved-api"} {
		was := p.objects(t, "e2e-base-moved", name, name)
		is := p.objects(t, "moved", name, name+"-"+name)
		paths := maps.Clone(was)
		maps.Copy(paths, is)
		for _, path := range slices.Sorted(maps.Keys(paths)) {
			if was[path] == is[path] {
				continue
			}
			known := false
			for _, d := range different {
				known = known || d.path.MatchString(path)
				seen[d.why] = seen[d.why] || d.path.MatchString(path)
			}
			assert.True(t, known, "%s: %s: was %s, is %s", name, path, was[path], is[path])
		}
	}
	for _, d := range different {
		assert.True(t, seen[d.why], "is that the same now: %s", d.why)
	}
}

// objects returns the Deployment and the Service of a container as paths with values.
func (p *plane) objects(t *testing.T, namespace, deployment, service string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for kind, path := range map[string]string{
		"Deployment": "/apis/apps/v1/namespaces/" + namespace + "/deployments/" + deployment,
		"Service":    "/api/v1/namespaces/" + namespace + "/services/" + service,
	} {
		o, err := p.get(path)
		require.NoError(t, err)
		flatten(kind+".metadata.name", o.at("metadata", "name"), all)
		flatten(kind+".metadata.labels", o.at("metadata", "labels"), all)
		flatten(kind+".spec", o.at("spec"), all)
	}
	return all
}

// flatten notes the leaves of a value by their paths. A port in a list is known by its number, and others by their names.
func flatten(path string, v any, into map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for key, part := range v {
			flatten(path+"."+key, part, into)
		}
	case []any:
		for i, part := range v {
			m, _ := part.(map[string]any)
			key := cmp.Or(m["containerPort"], m["port"], m["name"], any(i))
			flatten(path+"."+fmt.Sprint(key), part, into)
		}
	default:
		text, _ := json.Marshal(v)
		into[path] = string(text)
	}
}
