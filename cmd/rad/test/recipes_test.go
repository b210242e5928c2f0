package test

import (
	"bytes"
	"cmp"
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

	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// contrib makes a folder with the files of resource-types-contrib, where the test then runs.
func contrib(t *testing.T) (dir string) {
	repository := os.Getenv("RECIPES_CONTRIB")
	if repository == "" {
		t.Skip("make recipes-oracle runs it")
	}
	dir = t.TempDir()
	archive, err := exec.Command("git", "-C", repository, "archive", "ebdeec9509036f2b2f271e41661e6fcfe45eda89").Output()
	require.NoError(t, err)
	tar := exec.Command("tar", "-x", "-C", dir)
	tar.Stdin = bytes.NewReader(archive)
	require.NoError(t, tar.Run())
	require.NoError(t, exec.Command("git", "-C", dir, "init", "-q").Run())
	t.Chdir(dir)
	return dir
}

const contribSecret = "S3cr3t-canary"

// asObjects makes the objects of a program of contrib four times, in two forms. No secret is in any output, and the same form is
// the same again. make targets-e2e applies what is made: RECIPES_OBJECTS names a folder for it.
func asObjects(t *testing.T, name, app string, more ...string) (status int, objects, messages string) {
	text, err := os.ReadFile(app)
	require.NoError(t, err)
	line := append([]string{"bicep", "generate-kubernetes-manifest", app, "-o", "-"}, more...)
	for rest := string(text); ; {
		_, after, ok := strings.Cut(rest, "@secure()\nparam ")
		if !ok {
			break
		}
		name, _, _ := strings.Cut(after, " ")
		line, rest = append(line, "-p", name+"="+contribSecret), after
	}
	status, objects, messages = runIn(t, append(slices.Clip(line), "--color=never")...)
	for _, form := range []string{"--format=json", "--output-format=json", "--color=never"} {
		_, stdout, stderr := runIn(t, append(slices.Clip(line), form)...)
		require.NotContains(t, stdout+stderr, contribSecret)
		if form == "--color=never" {
			require.Equal(t, objects+messages, stdout+stderr)
		}
	}
	if folder := os.Getenv("RECIPES_OBJECTS"); folder != "" && objects != "" {
		write(t, filepath.Join(folder, strings.ReplaceAll(name, "/", "-")+".yaml"), objects)
	}
	return status, objects, messages
}

// TestContribRecipes makes plain objects of the applications that the recipes of resource-types-contrib are tested with: all
// whose types have a recipe for Kubernetes. make recipes-oracle runs it.
func TestContribRecipes(t *testing.T) {
	dir := contrib(t)
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
		status, objects, messages := asObjects(t, filepath.ToSlash(filepath.Dir(filepath.Dir(app))), app, "--deployment-name", "d")
		if status != 0 {
			require.Equal(t, 2, status)
			require.Regexp(t, "recipe-missing|all objects are Secrets", messages, app)
		}
		n := strings.Count(objects, "\nkind: ")
		t.Logf("%s: %d objects; status %d", app, n, status)
		made += n
	}
	require.Greater(t, made, 20)
}

// TestAzurePack: the modules of Azure in the pack of contrib, at the versions that it names, of RECIPES_AVM, a git directory of
// Azure/bicep-registry-modules. What they return and is not known is said, and with what the messages ask for, the applications
// become objects.
func TestAzurePack(t *testing.T) {
	dir, modules := contrib(t), os.Getenv("RECIPES_AVM")
	if modules == "" {
		t.Skip("make recipes-oracle AVM=DIR runs it")
	}
	pack, err := os.ReadFile("recipe-packs/azure/aks-recipepack.bicep")
	require.NoError(t, err)
	settings := "target: kubernetes\ngroup: default\nrecipes:\n  environment: azure.bicepparam\n  sources:\n" +
		"    ghcr.io/radius-project/kube-recipes/containers: Compute/containers/recipes/kubernetes/bicep/kubernetes-containers.bicep\n" +
		"    ghcr.io/radius-project/kube-recipes/secrets: Security/secrets/recipes/kubernetes/bicep/kubernetes-secrets.bicep\n"
	apps := map[string]string{}
	for i, m := range regexp.MustCompile(`'Radius\.(\S+)': \{\s+kind: 'bicep'\s+source: '(mcr.microsoft.com/bicep/(\S+)):(\S+)'`).FindAllStringSubmatch(string(pack), -1) {
		text, err := exec.Command("git", "-C", modules, "show", "refs/tags/"+m[3]+"/"+m[4]+":"+m[3]+"/main.json").Output()
		require.NoError(t, err, m[0])
		file := fmt.Sprintf("avm/%d.json", i)
		write(t, filepath.Join(dir, file), string(text))
		settings += "    " + m[2] + ": " + file + "\n"
		apps[m[1]] = m[3] + ":" + m[4]
	}
	require.Len(t, apps, 9)
	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), settings)
	write(t, filepath.Join(dir, "azure.bicepparam"), "using 'recipe-packs/azure/aks-recipepack.bicep'\n"+
		"param environmentNamespace = 'azure'\nparam azureSubscriptionId = '00000000-0000-0000-0000-000000000001'\n"+
		"param azureResourceGroup = 'apps'\nparam routesGatewayName = 'g'\nparam containerImagesRegistry = 'reg.example.com'\n")
	for _, kind := range slices.Sorted(maps.Keys(apps)) {
		app := filepath.Join(kind, "test", "app.bicep")
		status, objects, messages := asObjects(t, kind, app)
		require.Equal(t, 2, status, app)
		require.Empty(t, objects)
		said := regexp.MustCompile(`Error recipe-cloud: Radius\.\S+ \S+: its recipe \S+ deploys (\S+), which is no object of Kubernetes(?:, and only then returns (.*))?: deploy`).FindStringSubmatch(messages)
		require.NotNil(t, said, messages)
		require.Equal(t, 1, strings.Count(messages, ": Error "), messages)
		assume := []string{"--assume", "Radius.Data/sqlServerDatabases/sqlserver.username=sa"} // which would be a secret in plain text
		for range 4 {
			for _, m := range regexp.MustCompile(`with --assume (\S+)=VALUE`).FindAllStringSubmatch(messages, -1) {
				assume = append(assume, "--assume", strings.Replace(m[1], ".PROPERTY", ".host", 1)+"=known")
			}
			if status, objects, messages = asObjects(t, kind+"/azure", app, assume...); status == 0 {
				break
			}
		}
		require.Zero(t, status, messages)
		require.Regexp(t, said[1]+", which its recipe deploys, is left out: deploy that in another way", messages)
		require.NotContains(t, objects, "Microsoft.")
		t.Logf("%s by %s: %s; not known: %s; %d objects with %d assumptions", kind, apps[kind], said[1], cmp.Or(said[2], "nothing"),
			strings.Count(objects, "\nkind: "), len(assume)/2-1)
	}
}

// TestRecipesAreRestoredOnce: targets that need the same recipe restore it once, and nothing that no resource needs.
func TestRecipesAreRestoredOnce(t *testing.T) {
	registry := registrytest.New(t)
	template := `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "resources": []}`
	registry.Module("redis", "1", template)
	registry.Module("web", "1", template)
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	t.Setenv("DOCKER_CONFIG", dir)
	t.Setenv("BICEP_TRUSTED_REGISTRIES", "127.0.0.1")
	write(t, "env.bicep", fmt.Sprintf(`extension radius
resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'pack'
  properties: {
    recipes: {
      'Radius.Data/redisCaches': { kind: 'bicep', source: '%[1]s/redis:1' }
      'Radius.Compute/containers': { kind: 'bicep', source: '%[1]s/web:1' }
    }
  }
}
resource dev 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'dev'
  properties: { recipePacks: [ pack.id ] }
}
`, registry.Host))
	settings := "group: shop\ntarget: kubernetes\nrecipes: {environment: env.bicep}\ntargets:\n"
	for _, name := range []string{"a", "b", "c"} {
		write(t, name+".bicep", "extension radius\nparam environment string\nresource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {\n"+
			"  name: '"+name+"'\n  properties: { environment: environment }\n}\n")
		settings += "- template: " + name + ".bicep\n"
	}
	write(t, filepath.Join(".rad", "bicep.yaml"), settings)
	for _, line := range []string{"", "--force", "--update"} {
		status, _, stderr := runIn(t, strings.Fields("bicep restore "+line)...)
		require.Zero(t, status, stderr)
		var asked []string
		for _, one := range registry.Requests() {
			asked = append(asked, one.Path[:strings.LastIndexByte(one.Path, '/')])
		}
		want := []string{"/v2/redis/manifests", "/v2/redis/blobs"}
		if line == "--update" {
			want = want[:1]
		}
		require.Equal(t, want, asked, line)
	}
	status, _, stderr := runIn(t, "bicep", "restore", "--locked")
	require.Zero(t, status, stderr)
	require.Empty(t, registry.Requests())
}
