package radius

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// contribRecipes are the recipes of resource-types-contrib, by the types that they are for.
const contribRecipes = "*/*/recipes/kubernetes/bicep/*.bicep"

var (
	needed   = regexp.MustCompile(`(?m)^param (\w+) (\w+)( = newGuid\(\))?$`)
	ofRadius = regexp.MustCompile(`'(Radius|Test)\.\w+/`)
)

// layOut writes applications of other people into folders below dir, with the settings that deploy them: those that Radius' own
// tests deploy, as far as they have no types that Radius removes, and those that resource-types-contrib tests its recipes with.
func layOut(t *testing.T, dir, radius, contrib string) (folders []string) {
	t.Helper()
	recipes := filepath.Join(dir, "contrib")
	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.MkdirAll(recipes, 0o755))
	archive, err := exec.Command("git", "-C", contrib, "archive", "ebdeec9509036f2b2f271e41661e6fcfe45eda89").Output()
	require.NoError(t, err)
	tar := exec.Command("tar", "-x", "-C", recipes)
	tar.Stdin = bytes.NewReader(archive)
	require.NoError(t, tar.Run())

	tests := filepath.Join(dir, "radius")
	require.NoError(t, os.CopyFS(filepath.Join(tests, "test"), os.DirFS(filepath.Join(radius, "test"))))
	require.NoError(t, exec.Command("chmod", "-R", "u+w", tests).Run()) // the cache of modules is read-only
	require.NoError(t, os.CopyFS(filepath.Join(tests, "contrib"), os.DirFS(recipes)))
	var templates []string
	require.NoError(t, filepath.WalkDir(filepath.Join(tests, "test"), func(path string, d os.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".bicep" {
			text, err := os.ReadFile(path)
			if err == nil && ofRadius.Match(text) && !bytes.Contains(text, []byte("'Applications.")) {
				templates = append(templates, path[len(tests)+1:])
			}
			return err
		}
		return err
	}))
	types := "test/functional-portable/dynamicrp/noncloud/resources/testdata/testresourcetypes.yaml"
	settle(t, tests, "contrib/", templates, map[string]string{"testresources": types},
		"test/testrecipes/test-bicep-recipes/*.bicep")

	apps, err := filepath.Glob(filepath.Join(recipes, "*/*/test/app.bicep"))
	require.NoError(t, err)
	require.Len(t, apps, 13)
	for i := range apps {
		apps[i] = apps[i][len(recipes)+1:]
	}
	settle(t, recipes, "", apps, map[string]string{"neo4jDatabases": "Data/neo4jDatabases/neo4jDatabases.yaml",
		"containers": "Compute/containers/containers.yaml"}, "")
	return []string{tests, recipes}
}

// settle writes the settings of a folder, and an environment for each template.
func settle(t *testing.T, dir, recipes string, templates []string, extensions map[string]string, more string) {
	t.Helper()
	sources, pack := map[string]string{}, ""
	found, err := filepath.Glob(filepath.Join(dir, recipes+contribRecipes))
	require.NoError(t, err)
	for _, file := range found {
		file = file[len(dir)+1:]
		part := strings.Split(strings.TrimPrefix(file, recipes), "/")
		source := "ghcr.io/radius-project/kube-recipes/" + strings.ToLower(part[1])
		sources[source] = file
		parameters := ""
		if part[1] == "routes" {
			parameters = ", parameters: { gatewayName: 'radius', gatewayNamespace: 'radius-system' }"
		}
		pack += fmt.Sprintf("    'Radius.%s/%s': { kind: 'bicep', source: '%s:1'%s }\n", part[0], part[1], source, parameters)
	}
	if more != "" {
		found, err = filepath.Glob(filepath.Join(dir, more))
		require.NoError(t, err)
		for _, file := range found {
			file = file[len(dir)+1:]
			sources["reg.example.com/"+strings.TrimSuffix(file, ".bicep")] = file
		}
		for kind, name := range map[string]string{"userTypeAlpha": "dynamicrp_recipe", "postgres": "dynamicrp_postgress_recipe"} {
			pack += fmt.Sprintf("    'Test.Resources/%s': { kind: 'bicep', source: 'reg.example.com/test/testrecipes/test-bicep-recipes/%s:1'%s }\n",
				kind, name, map[bool]string{true: ", parameters: { port: 8080 }"}[kind == "userTypeAlpha"])
		}
	}
	archives := map[string]string{}
	for name, file := range extensions {
		archives[name] = strings.TrimSuffix(file, ".yaml") + ".tgz"
	}
	put := func(name string, v any) {
		text, ok := v.(string)
		if !ok {
			b, err := json.MarshalIndent(v, "", " ")
			require.NoError(t, err)
			text = string(b)
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	_ = os.Remove(filepath.Join(dir, "test/functional-portable/dynamicrp/noncloud/resources/bicepconfig.json"))
	put("bicepconfig.json", map[string]any{"extensions": archives})
	var targets []any
	for _, template := range templates {
		name := strings.TrimSuffix(filepath.Base(template), ".bicep")
		if name == "app" {
			name = filepath.Base(filepath.Dir(filepath.Dir(template)))
		}
		name = strings.ToLower(name)
		group := strings.ReplaceAll(name, ".", "-")
		text, err := os.ReadFile(filepath.Join(dir, template))
		require.NoError(t, err)
		given := []string{}
		for _, m := range needed.FindAllStringSubmatch(string(text), -1) {
			known := map[string]string{"registry": "reg.example.com", "version": "1", "magpieimage": "example/magpie:1", "location": "global"}
			if m[1] != "environment" {
				value := known[m[1]]
				if value == "" {
					value = "p4ss"
				}
				given = append(given, m[1]+"="+value)
			}
		}
		one := map[string]any{"name": name, "template": template, "group": group, "parameters": given}
		targets = append(targets, one)
		if !bytes.Contains(text, []byte("\nparam environment string\n")) {
			continue
		}
		one["recipes"] = map[string]string{"environment": "envs/" + name + ".bicep"}
		put("envs/"+name+".bicep", fmt.Sprintf(`extension radius
resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'kube'
  properties: { recipes: {
%s  } }
}
resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'kube'
  properties: { recipePacks: [pack.id], providers: { kubernetes: { namespace: '%s' } } }
}
`, pack, group))
	}
	put(".rad/bicep.yaml", map[string]any{"target": "kubernetes", "deploymentName": "app", "recipes": map[string]any{
		"types": slices.Sorted(maps.Values(extensions)), "sources": sources}, "targets": targets})
}
