package test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// secretApp is an application of Radius. Its secrets are the parameters, and token of its environment.
const secretApp = `extension radius
param environment string
@secure()
param password string = ''
@secure()
param whole object = {}
param plain string
resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'app'
  properties: { environment: environment }
}
resource login 'Radius.Security/secrets@2025-08-01-preview' = {
  name: 'login'
  properties: { environment: environment, application: app.id, data: { password: { value: password }, plain: { value: plain } } }
}
resource all 'Radius.Security/secrets@2025-08-01-preview' = {
  name: 'all'
  properties: { environment: environment, application: app.id, data: any(whole) }
}
resource db 'Radius.Data/mySqlDatabases@2025-08-01-preview' = {
  name: 'db'
  properties: { environment: environment, application: app.id, username: 'u', password: password, database: 'd${password}', version: '8.0' }
}
resource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'cache'
  properties: any({ environment: environment, application: app.id, recipe: { parameters: { own: password } } })
}
resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'web'
  properties: {
    environment: environment
    application: app.id
    containers: { web: { image: 'web:1', env: { A: { value: password }, B: { value: 'open' } } } }
    connections: { db: { source: db.id }, cache: { source: cache.id }, login: { source: login.id } }
  }
}
extension kubernetes with { namespace: 'shop', kubeConfig: '' }
resource map 'core/ConfigMap@v1' = {
  metadata: { name: 'map' }
  data: { host: cache.properties.host, secret: cache.properties.?secrets.?name ?? 'none' }
}
`

const secretEnvironment = `extension radius
@secure()
param token string
resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'pack'
  properties: { recipes: {
    'Radius.Security/secrets': { kind: 'bicep', source: 'reg.example.com/secrets:1', parameters: { token: token } }
    'Radius.Compute/containers': { kind: 'bicep', source: 'reg.example.com/containers:1' }
    'Radius.Data/redisCaches': { kind: 'bicep', source: 'reg.example.com/caches:1' }
    'Radius.Data/mySqlDatabases': { kind: 'bicep', source: 'reg.example.com/databases:1', parameters: { given: '{{context.resource.properties.password}}', text: 'x{{context.resource.properties.database}}' } }
  } }
}
resource dev 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'dev'
  properties: {
    recipePacks: [ pack.id ]
    recipeParameters: { 'Radius.Data/redisCaches': { token: token, more: { inner: token, open: 'open' } } }
    providers: { kubernetes: { namespace: 'shop' } }
  }
}
`

// secretRecipes are the recipes, with what each declares. Those of databases know nothing of Radius.
var secretRecipes = map[string]string{
	"secrets":    "param context object\nparam token string\n",
	"containers": "param context object\n",
	"caches":     "param context object\nparam token string\nparam own string\nparam more object\n",
	"databases":  "param given string\nparam text string\n",
}

const recipeExtension = "extension kubernetes with { namespace: 'shop', kubeConfig: '' }\n"

// plainRecipes are what recipes make where they are not what is tested.
var plainRecipes = map[string]string{
	"secrets":    "resource s 'core/Secret@v1' = { metadata: { name: context.resource.name }, stringData: mapValues(context.resource.properties.data, d => d.value) }\n",
	"containers": "resource m 'core/ConfigMap@v1' = { metadata: { name: 'web' }, data: { id: context.resource.id } }\n",
	"caches":     "output result object = { values: { host: 'h' }, secrets: { url: 'redis://${own}' } }\n",
	"databases":  "output host string = 'h'\n@secure()\noutput password string = given\n",
}

// inRecipes are secrets that a recipe has.
var inRecipes = []struct{ name, recipe, value string }{
	{"a sensitive property", "secrets", "context.resource.properties.data.?password.?value ?? token"},
	{"a sensitive property whose value is plain elsewhere", "secrets", "context.resource.properties.data.?plain.?value ?? token"},
	{"what is a secret by what another recipe returns", "secrets", "context.resource.properties.data.?url.?value ?? token"},
	{"sensitive properties that are secret as a whole", "secrets", "string(context.resource.properties.data)"},
	{"a parameter of the pack", "secrets", "token"},
	{"a property", "containers", "context.resource.properties.containers.web.env.A.value"},
	{"a property in text", "containers", "string(context.resource.properties)"},
	{"a property of a connection", "containers", "context.resource.connections.db.properties.database"},
	{"a connection in text", "containers", "string(context.resource.connections)"},
	{"a parameter of the environment", "caches", "token"},
	{"a part of a parameter of the environment", "caches", "more.inner"},
	{"a parameter of the resource", "caches", "own"},
	{"an expression of the pack", "databases", "given"},
	{"an expression of the pack in text", "databases", "text"},
}

// recipeUses are what a recipe does with a secret, s. n is the name of its resource.
var recipeUses = []string{
	"resource m 'core/ConfigMap@v1' = { metadata: { name: 'm-${n}' }, data: { a: %s } }",
	"resource m 'core/ConfigMap@v1' = { metadata: { name: 'm-${n}' }, data: { '${s}': 'a', b: 'b' } }",
	"resource m 'core/ConfigMap@v1' = { metadata: { name: s } }",
	"resource m 'core/ConfigMap@v1' = { metadata: { name: 'm-${n}-${uniqueString(s)}' } }",
	"resource m 'core/ConfigMap@v1' = { metadata: { name: 'm-${n}', namespace: s } }",
	"resource m 'core/ConfigMap@v1' = { metadata: { name: 'm-${n}', labels: { a: s } } }",
	"resource m 'core/ConfigMap@v1' = { metadata: { name: 'm-${n}', annotations: { hash: uniqueString(s), '${s}': 'x' } } }",
	"resource m 'core/ConfigMap@v1' = if (%s) { metadata: { name: 'm-${n}' } }",
	"resource m 'core/ConfigMap@v1' = [for i in range(0, length(s)): { metadata: { name: 'm-${n}-${i}' } }]",
	"resource m 'core/ConfigMap@v1' = [for i in split(s, 'a'): { metadata: { name: i } }]",
	"resource m 'core/ConfigMap@v1' = [for i in ['x', s, 'y']: if (i != 'x') { metadata: { name: 'm-${n}-${i}' } }]",
	"resource m 'core/Secret@v1' = { metadata: { name: 'm-${n}' }, stringData: { a: %s } }",
	"resource m 'core/Secret@v1' = { metadata: { name: 'm-${n}' }, stringData: { '${s}': 'a', b: 'b' } }",
	"resource m 'core/Secret@v1' = { metadata: { name: 'm-${n}' }, stringData: contains(s, 'a') ? { a: 'a' } : { b: 'b' } }",
	"resource m 'core/Secret@v1' = { metadata: { name: 'm-${n}' }, data: json(s) }",
	"resource m 'core/Secret@v1' = { metadata: { name: 'm-${n}' }, type: s, stringData: { a: 'a' } }",
	"resource m 'apps/Deployment@v1' = { metadata: { name: 'm-${n}' }, spec: { replicas: length(s), template: { metadata: { annotations: { hash: s } } } } }",
	"resource m 'core/ConfigMap@v1' existing = { metadata: { name: s } }\nresource k 'core/ConfigMap@v1' = { metadata: { name: 'n-${n}' }, data: { a: m.metadata.name } }",
	"output result object = { values: { host: %s } }",
	"output result object = { values: { '${s}': 'x', host: 'h' } }",
	"output result object = { values: { host: 'h' }, secrets: { url: %s } }",
	"output result object = { values: { host: 'h' }, secrets: { '${s}': 'x' } }",
	"output result object = contains(s, 'a') ? { values: { host: 'h' } } : { secrets: { url: 'x' } }",
	"output result object = json(s)",
	"output host string = %s",
	"@secure()\noutput host string = %s",
}

// decisionsOn are texts that a secret s decides of.
var decisionsOn = []string{
	"s", "toUpper('x${s}')", "string(length(s))", "contains(s, 'a') ? 'a' : 'b'", "string(empty(s))", "s ?? 'x'", "substring(s, 0, 1)",
	"json(s).a", "{ a: 'x', '17': 'y' }[s]", "string(int(s))", "base64(s)", "join(map(range(0, length(s)), i => 'x'), '')", "string(s == 'a')",
	"startsWith(s, 'C') ? fail('no') : 'x'", "last(sort([s, 'k'], (a, b) => a < b))", "string(filter(['a', s], x => x > 'b'))", "uri(s, '//[')",
}

func nameIn(recipe string) string {
	if recipe == "databases" {
		return "'db'"
	}
	return "context.resource.name"
}

// TestRecipesDoNotTellSecretsApart: whatever a recipe does with a secret, two values of it give the same bytes of objects, messages
// and answers, and the same status. make thorough runs all.
func TestRecipesDoNotTellSecretsApart(t *testing.T) {
	t.Chdir(t.TempDir())
	settings := "target: kubernetes\ngroup: g\nrecipes:\n  environment: env.bicepparam\n  sources:\n"
	for name := range secretRecipes {
		settings += "    reg.example.com/" + name + ": " + name + ".bicep\n"
	}
	write(t, filepath.Join(".rad", "bicep.yaml"), settings)
	write(t, "app.bicep", secretApp)
	write(t, "env.bicep", secretEnvironment)
	require.NoError(t, os.Mkdir("made", 0o777))
	made, runs := 0, 0
	pairs := append([][2]string{{"", "x"}}, pairs...)
	check := func(name, recipe, text string) {
		for of, plain := range plainRecipes {
			if of == recipe && of == "caches" && !strings.Contains(text, "output") {
				plain += text
			} else if of == recipe {
				plain = text
			}
			write(t, of+".bicep", secretRecipes[of]+recipeExtension+plain)
		}
		pair, line := pairs[runs%len(pairs)], []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "-p", "", "-p", "", "-p", "@values.json"}
		shows := append([][]string{{"bicep", "plan"}, {"bicep", "graph"}}[runs%2], line[2:]...)
		shows = append(shows, [][]string{{"--details"}, {"--objects"}, {"--format", "json"}, {"--format", "json", "--objects"}}[runs%4]...)
		line = append(line, [][]string{{"-o", "made/app.yaml"}, {"--outdir", "made"}, {"-o", "made/app.yaml", "--format", "json"}}[runs%3]...)
		if runs++; runs%2 == 0 {
			line = append(line, "--skip-unsupported")
		}
		var seen [2]string
		for i, value := range pair {
			write(t, "env.bicepparam", fmt.Sprintf("using 'env.bicep'\nparam token = '%s'\n", value))
			write(t, "values.json", fmt.Sprintf(`{"parameters": {"whole": {"value": {%q: {"value": %q}, "k%d": {"value": "x"}}}}}`, value+"k", value, i))
			for _, one := range [][]string{line, shows} {
				one[4], one[6] = "password="+value, "plain="+value
				seen[i] += outcomeOf(t, one)
			}
		}
		require.Equal(t, seen[0], seen[1], "%s: %q tells %q from %q:\n%s", name, line, pair[0], pair[1], text)
		require.NotContains(t, seen[0], fmt.Sprintf("status %d\n", cli.ExitBug))
		require.NotContains(t, seen[0], "Warning secure-parameter", "no manifest has what the environment is given")
		if strings.Contains(seen[0], "kind: ") {
			made++
		}
	}
	n := 0
	for _, in := range inRecipes {
		for _, use := range recipeUses {
			forms := []string{use}
			if strings.Contains(use, "%s") {
				forms = nil
				for _, decision := range decisionsOn {
					if strings.Contains(use, "if (%s)") {
						decision = "length(" + decision + ") > 1"
					}
					forms = append(forms, fmt.Sprintf(use, decision))
				}
			}
			for _, form := range forms {
				if n++; testing.Verbose() || n%83 == 0 {
					check(in.name, in.recipe, "var n = "+nameIn(in.recipe)+"\nvar s = "+in.value+"\n"+form+"\n")
				}
			}
		}
	}
	require.Greater(t, made, runs/10)
	t.Logf("%d runs, of which %d made objects", runs, made)
}
