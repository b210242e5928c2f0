package test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestContribRecipes makes plain objects of the applications that the recipes of resource-types-contrib are tested with: all
// whose types have a recipe for Kubernetes. No secret is in any output, and a second run writes the same. make recipes-oracle
// runs it.
func TestContribRecipes(t *testing.T) {
	repository := os.Getenv("RECIPES_CONTRIB")
	if repository == "" {
		t.Skip("make recipes-oracle runs it")
	}
	dir := t.TempDir()
	archive, err := exec.Command("git", "-C", repository, "archive", "ebdeec9509036f2b2f271e41661e6fcfe45eda89").Output()
	require.NoError(t, err)
	tar := exec.Command("tar", "-x", "-C", dir)
	tar.Stdin = bytes.NewReader(archive)
	require.NoError(t, tar.Run())
	require.NoError(t, exec.Command("git", "-C", dir, "init", "-q").Run())
	t.Chdir(dir)

	var pack, sources strings.Builder
	found, err := filepath.Glob("*/*/recipes/kubernetes/bicep/*.bicep")
	require.NoError(t, err)
	for _, file := range found {
		part := strings.Split(filepath.ToSlash(file), "/")
		fmt.Fprintf(&pack, "'Radius.%s/%s': { kind: 'bicep', source: 'reg.example.com/%[2]s:1' }\n", part[0], part[1])
		fmt.Fprintf(&sources, "    reg.example.com/%s: %s\n", part[1], filepath.ToSlash(file))
	}
	env := `extension radius
resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'pack'
  properties: { recipes: {
` + pack.String() + `} }
}
resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'dev'
  properties: { recipePacks: [ pack.id ], providers: { kubernetes: { namespace: 'dev' } } }
}
`
	env = strings.Replace(env, "/routes': {", "/routes': { parameters: { gatewayName: 'g', gatewayNamespace: 'n' },", 1)
	write(t, filepath.Join(dir, "env.bicep"), env)
	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), "target: kubernetes\ngroup: default\nrecipes:\n  environment: env.bicep\n"+
		"  types: [Data/neo4jDatabases/neo4jDatabases.yaml]\n  sources:\n"+sources.String())
	for _, file := range []string{"Data/neo4jDatabases/neo4jDatabases.yaml", "Compute/containers/containers.yaml"} {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		status, _, stderr := runIn(t, "bicep", "publish-extension", file, "--target", name+".tgz")
		require.Zero(t, status, stderr)
	}
	write(t, filepath.Join(dir, "bicepconfig.json"),
		`{"extensions": {"neo4jDatabases": "neo4jDatabases.tgz", "containers": "containers.tgz"}}`)

	apps, err := filepath.Glob("*/*/test/app.bicep")
	require.NoError(t, err)
	require.Len(t, apps, 13)
	made := 0
	for _, app := range apps {
		const secret = "S3cr3t-canary"
		text, err := os.ReadFile(app)
		require.NoError(t, err)
		line := []string{"bicep", "generate-kubernetes-manifest", app, "--deployment-name", "d"}
		for rest := string(text); ; {
			_, after, ok := strings.Cut(rest, "@secure()\nparam ")
			if !ok {
				break
			}
			name, _, _ := strings.Cut(after, " ")
			line, rest = append(line, "-p", name+"="+secret), after
		}
		var outputs []string
		for _, more := range []string{"--color=never", "--format=json", "--output-format=json", "--color=never"} {
			status, stdout, stderr := runIn(t, append(line, more, "-o", "-")...)
			require.NotContains(t, stdout+stderr, secret)
			if status != 0 {
				require.Equal(t, 2, status)
				require.Regexp(t, "recipe-missing|all objects are Secrets", stderr+stdout, app)
			}
			outputs = append(outputs, stdout)
		}
		require.Equal(t, outputs[0], outputs[3])
		if outputs[0] != "" {
			made += strings.Count(outputs[0], "\nkind: ")
			t.Logf("%s: %d objects", app, strings.Count(outputs[0], "\nkind: "))
		} else {
			t.Logf("%s: a type has no recipe for Kubernetes, or there are only Secrets", app)
		}
	}
	require.Greater(t, made, 20)
}
