package recipes

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
)

const group = "/planes/radius/local/resourcegroups/g"

// declared is an environment whose pack has the recipes of a test.
const declared = `
extension radius
@secure()
param whole object = {}
resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'pack'
  properties: { recipes: {
    'Radius.Data/redisCaches': { kind: 'bicep', source: 'reg/wrapped:1', parameters: { size: 'pack', tier: 'pack', other: 'pack' } }
    'radius.data/mongodatabases': { kind: 'bicep', source: 'reg/direct:1', parameters: { name: 'x-{{context.resource.name}}', count: 3 }, outputs: { endpoint: 'address', secrets: { connectionString: 'text' } } }
    'Radius.Data/mySqlDatabases': { kind: 'terraform', source: 'a/b/c:1' }
    'Radius.Messaging/kafka': { kind: 'bicep', source: 'reg/cloud:1' }
    'Radius.Compute/persistentVolumes': { kind: 'bicep', source: 'reg/direct:1', parameters: whole }
    'Radius.Messaging/rabbitMQ': { kind: 'bicep', source: 'br:reg/x:1' }
    'Radius.AI/models': { kind: 'bicep', source: 'reg/absent:1' }
    'Radius.AI/search': { kind: 'bicep', source: 'reg/direct:1', parameters: { name: '{{context.resource.nothing}}', count: 'many' } }
    'Radius.Storage/objectStorage': { kind: 'bicep', source: 'reg/direct:1', parameters: { name: 'n', count: 1, more: true } }
    'Radius.Data/sqlServerDatabases': { kind: 'bicep', source: 'reg/direct:1', parameters: { count: 1, token: '{{context.resource.properties.password == "x" ? "a" : "b"}}' } }
    'Radius.Data/postgreSqlDatabases': { kind: 'bicep', source: 'reg/odd:1' }
    'Radius.Security/secrets': { kind: 'bicep', source: 'reg/secrets:1' }
    'Radius.Compute/containerImages': { kind: 'bicep', source: 'reg/large:1' }
  } }
}
resource dev 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'dev'
  properties: {
    recipePacks: [ pack.id ]
    providers: { kubernetes: { namespace: 'ns' }, azure: { subscriptionId: 'sub', resourceGroupName: 'apps' } }
    recipeParameters: { 'Radius.Data/redisCaches': { tier: 'environment', other: 'environment' }, 'radius.data/RedisCaches': { size: 'not in this spelling' } }
  }
}
`

var templates = map[string]string{
	"reg/wrapped": `
param context object
param size string
param tier string
param other string
extension kubernetes with { namespace: context.runtime.kubernetes.namespace, kubeConfig: '' }
resource config 'core/ConfigMap@v1' = {
  metadata: { name: context.resource.name }
  data: { size: size, tier: tier, other: other, properties: string(context.resource.properties), of: string(map(items(context.resource.?connections ?? {}), c => { id: c.value.id, name: c.value.name, secrets: c.value.?secrets, properties: toObject(filter(items(c.value.properties), p => p.key != 'status'), p => p.key, p => p.value) })) }
}
output result object = {
  resources: []
  values: { host: '${config.metadata.name}.${config.metadata.namespace}', port: 6379, lost: true }
  secrets: { url: 'redis://x', number: 1500000, none: null }
}`,
	"reg/direct": `
param name string
param count int
@secure()
param token string = 'none'
output address string = '${name}-${count}'
output text string = 'mongodb://${name}'`,
	"reg/odd": `
param context object
output result object = context.resource.name == 'p' ? { values: {}, extra: 1 } : {
  resources: [ '/planes/kubernetes/local/namespaces/n/providers/core/Service/s', context.resource.name ]
}`,
	"reg/large": `
var text = reduce(range(0, 20), 'x', (all, _) => '${all}${all}')
output texts array = [text, text, text, text, text, text]`,
	"reg/cloud": `
param context object
extension kubernetes with { namespace: context.runtime.kubernetes.namespace, kubeConfig: '' }
resource account 'Microsoft.Storage/storageAccounts@2023-01-01' = { name: 'a', location: 'x', kind: 'StorageV2', sku: { name: 'Standard_LRS' } }
resource config 'core/ConfigMap@v1' = { metadata: { name: 'c' }, data: { id: account.id, deployment: deployment().name } }
output result object = { values: { lost: account.properties.lost, topic: account.properties.topic, host: account.properties.primaryEndpoints.blob } }`,
	"reg/secrets": `
param context object
extension kubernetes with { namespace: context.runtime.kubernetes.namespace, kubeConfig: '' }
resource secret 'core/Secret@v1' = {
  metadata: { name: context.resource.name }
  type: empty(filter(items(context.resource.properties.data), d => (d.value.value ?? null) == null)) ? 'given' : 'null'
  stringData: reduce(items(context.resource.properties.data), {}, (all, one) => union(all, { '${one.key}': one.value.value }))
}`,
}

// built compiles a text.
func built(t *testing.T, text string) *Template {
	t.Helper()
	r, err := bicep.Embedded{}.Build(context.Background(),
		bicep.Request{File: "/app.bicep", FS: source.Memory{"/app.bicep": text}, Options: bicep.Options{Symbolic: true}})
	require.NoError(t, err)
	require.NotNil(t, r.Template, "%v", r.Findings)
	v, err := armjson.ParseBytes(r.Template, armjson.Options{})
	require.NoError(t, err)
	return &Template{Tree: v.(*armjson.Object), Places: r.Places}
}

// predicted is what a test can ask for.
type predicted struct {
	*Engine
	result *expand.Result
}

// predict predicts what a program deploys whose beginning every test has.
func predict(t *testing.T, release, program string, reveal bool, assume map[string]*armjson.Object) predicted {
	t.Helper()
	o := expand.Options{Context: expand.Context{RadiusGroup: group, DeploymentName: "d"}, Tolerant: true, SecretsApart: true}
	env, err := expand.Expand(built(t, declared).Tree, o)
	require.NoError(t, err)
	e := New(Options{Release: release, Declared: []*expand.Result{env}, Assume: assume, Expand: o,
		Template: func(from string, _ bool) (*Template, error) {
			text, ok := templates[Repository(from)]
			if !ok {
				return nil, nil
			}
			return built(t, text), nil
		}})
	e.reveal = reveal
	app := built(t, `extension radius
param environment string = '/planes/radius/local/resourceGroups/g/providers/Radius.Core/environments/dev'
@secure()
param password string = 'p4ss'
resource app 'Radius.Core/applications@2025-08-01-preview' = { name: 'app', properties: { environment: environment } }
`+program)
	o.Returned, o.Places = e.Returned, app.Places
	result, err := expand.Expand(app.Tree, o)
	require.NoError(t, err)
	e.Finish(result)
	return predicted{e, result}
}

// text returns problems, warnings and objects, a line each.
func (p predicted) text() string {
	var b strings.Builder
	for _, d := range p.result.Diagnostics {
		fmt.Fprintf(&b, "diagnostic %s\n", d.Message)
	}
	for _, one := range p.Problems {
		fmt.Fprintf(&b, "error %d %s %s (%s %s)\n", one.Position.Line, one.Code, one.Message, one.Option, one.Example)
	}
	for _, one := range p.Warnings {
		fmt.Fprintf(&b, "warning %d %s %s\n", one.Position.Line, one.Code, one.Message)
	}
	for _, one := range p.Notices {
		fmt.Fprintf(&b, "notice %s\n", one)
	}
	for _, m := range p.Made {
		if m.Result == nil {
			continue
		}
		for _, r := range m.Result.Resources {
			fmt.Fprintf(&b, "%s %s/%s %s\n", r.Type, expand.Text(r.Scope), expand.Text(r.Name), armjson.Text(expand.Printable(r.Body)))
		}
	}
	for _, o := range p.result.Outputs {
		fmt.Fprintf(&b, "%s = %s\n", o.Name, expand.Text(o.Value))
	}
	return b.String()
}

// cache is a resource with some more properties.
func cache(more string) string {
	return "resource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {\n  name: 'cache'\n  properties: {\n" +
		"    environment: environment\n    application: app.id\n    " + more + "\n  }\n}\n"
}

// TestRecipes: what becomes of resources. Each case is a program, and lines that are said of it or made of it.
func TestRecipes(t *testing.T) {
	t.Parallel()
	resource := func(symbol, kind, properties string) string {
		return fmt.Sprintf("resource %[1]s '%[2]s@2025-08-01-preview' = {\n  name: '%[1]s'\n  properties: {\n    environment: environment\n    %[3]s\n  }\n}\n", symbol, kind, properties)
	}
	secrets := resource("creds", "Radius.Security/secrets", "data: { a: { value: password }, b: { value: 'abc' } }")
	for name, c := range map[string]struct {
		program, release string
		reveal           bool // secrets
		assume           map[string]*armjson.Object
		want, not        []string
	}{
		"parameters, defaults, outputs, and the Secret of what is secret": {
			program: strings.Replace(strings.Replace(cache("recipe: { parameters: { other: 'resource' } }"), "properties: {", "properties: any({", 1), "  }\n}\n", "  })\n}\n", 1) +
				"output host string = cache.properties.host\noutput name string = cache.properties.secrets.name\noutput id string = cache.id\n",
			want: []string{
				`core/ConfigMap ns/cache {"metadata":{"name":"cache"},"data":{"size":"pack","tier":"environment","other":"resource",`,
				`\"environment\":\"/planes/radius/local/resourceGroups/g/providers/Radius.Core/environments/dev\"`, // as it was typed
				`\"size\":\"S\",\"status\":{}}`,
				`core/Secret ns/cache-`, `"stringData":{"number":"[parameters('context').`, `"url":"[parameters('context').`,
				"host = cache.ns\n", "name = cache-", "id = " + group + "/providers/Radius.Data/redisCaches/cache\n",
				"warning 6 recipe-lost Radius.Data/redisCaches cache: its recipe reg/wrapped:1 returns lost, which",
			},
			not: []string{"redis://x", "1.5e+06", "none", "error"},
		},
		"connections": {
			program: cache("connections: { db: { source: creds.id } }") + secrets,
			want: []string{`{\"id\":\"/planes/radius/local/resourcegroups/g/providers/Radius.Security/secrets/creds\",\"name\":\"creds\",`,
				`\"data\":{\"a\":{\"value\":null},\"b\":{\"value\":null}}`, `core/Secret ns/creds {"metadata":{"name":"creds"},"type":"given","stringData":{"a":"[parameters('context')`},
			not: []string{"p4ss", "abc", "provisioningState"},
		},
		"connections of 0.61": {
			release: "0.61",
			program: resource("b", "Radius.Data/redisCaches", "connections: { c: { source: cache.id } }") + cache(""),
			want:    []string{`\"secrets\":{\"number\":{\"source\":\"/planes/radius/local/resourcegroups/g/providers/Radius.Security/secrets/cache-`, `\"key\":\"url\"`},
		},
		"a direct module, and a pack that maps its outputs": {
			program: resource("m", "Radius.Data/mongoDatabases", "database: 'd'") + "output host string = m.properties.endpoint\n",
			want:    []string{"host = x-m-3\n", `core/Secret ns/m-`, `"connectionString":"[parameters('context')`},
			not:     []string{"mongodb://"},
		},
		"a connection to what is not in the program": {
			program: resource("c", "Radius.Data/redisCaches", "connections: { o: { source: '/planes/radius/local/resourceGroups/g/providers/Radius.Data/redisCaches/other' } }"),
			want:    []string{"error 10 recipe-connection Radius.Data/redisCaches c: the connection o is to Radius.Data/redisCaches other, which the program does not deploy (assume Radius.Data/redisCaches/other.PROPERTY=VALUE)"},
		},
		"what is assumed stands for it": {
			program: resource("c", "Radius.Data/redisCaches", "connections: { o: { source: '/planes/radius/local/resourceGroups/g/providers/Radius.Data/redisCaches/other' } }"),
			assume:  map[string]*armjson.Object{"radius.data/rediscaches/other": object(text("host", "h"))},
			want:    []string{`\"properties\":{\"host\":\"h\"}`},
			not:     []string{"error"},
		},
		"an object for a secret text comes as JSON": {
			program: resource("creds", "Radius.Security/secrets", "data: { a: { value: any({ b: 1, a: '<x>' }) }, b: { value: '' } }"),
			reveal:  true,
			want:    []string{`"stringData":{"a":"{\"a\":\"\\u003cx\\u003e\",\"b\":1}","b":""}`},
		},
		"a connection to the environment, which stands elsewhere, and to one of the program": {
			program: `
resource own 'Radius.Core/environments@2025-08-01-preview' = { name: 'own', properties: { recipePacks: ['a'], simulated: false, providers: { kubernetes: { namespace: 'n' } } } }
resource bare 'Radius.Core/environments@2025-08-01-preview' = { name: 'bare', properties: {} }
` + cache("connections: { e: { source: environment }, o: { source: own.id }, b: { source: bare.id } }"),
			want: []string{
				`\"properties\":{\"providers\":{\"azure\":{\"resourceGroupName\":\"apps\",\"subscriptionId\":\"sub\"},\"kubernetes\":{\"namespace\":\"ns\"}},\"recipePacks\":[\"` + group + `/providers/Radius.Core/recipePacks/pack\"],\"recipeParameters\":`,
				`\"properties\":{\"providers\":{\"kubernetes\":{\"namespace\":\"n\"}},\"recipePacks\":[\"` + group + `/providers/Radius.Core/recipePacks/a\"]}`,
				`\"properties\":{\"recipePacks\":[\"/planes/radius/local/resourceGroups/default/providers/Radius.Core/recipePacks/default\"]}`},
			not: []string{"error"},
		},
		"an ID that is no ID": {
			program: resource("c", "Radius.Data/redisCaches", "connections: { o: { source: 'other' } }"),
			want:    []string{`recipe-connection Radius.Data/redisCaches c: the source "other" of the connection o is not the ID`},
		},
		"IDs that Radius does not take": {
			program: resource("c", "Radius.Data/redisCaches", "connections: { o: { source: '/Planes/radius/local/resourceGroups/g/providers/Radius.Core/applications/app' } }") +
				strings.ReplaceAll(cache(""), "environment: environment", "environment: replace(environment, '/radius/', '/Radius/')"),
			want: []string{`recipe-connection Radius.Data/redisCaches c: the source "/Planes/radius/local/resourceGroups/g/providers/Radius.Core/applications/app" of the connection o is not the ID`,
				"recipe-environment Radius.Data/redisCaches cache: its environment /planes/Radius/local/resourceGroups/g/providers/Radius.Core/environments/dev is no ID that Radius takes: one begins with /planes/radius/"},
		},
		"what every type has, and an ID with a slash at its end": {
			program: cache("connections: any('x')") + resource("d", "Radius.Data/redisCaches", "codeReference: any(1)") +
				resource("m", "Radius.Data/mongoDatabases", "database: 'd', connections: { app: { source: '${app.id}/' } }"),
			want: []string{"recipe-properties Radius.Data/redisCaches cache: properties.connections is not of type object",
				"recipe-properties Radius.Data/redisCaches d: properties.codeReference is not of type string"},
			not: []string{"recipe-connection"},
		},
		"an environment without a namespace": {
			program: `
resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'own'
  properties: { recipePacks: [], providers: { kubernetes: any({}) } }
}
` + strings.ReplaceAll(cache(""), "environment: environment", "environment: env.id"),
			want: []string{"recipe-environment the environment own has no providers.kubernetes.namespace, which Radius demands"},
		},
		"two that need each other": {
			program: resource("a", "Radius.Data/redisCaches", "connections: { b: { source: '"+group+"/providers/Radius.Data/redisCaches/b' } }") +
				resource("b", "Radius.Data/redisCaches", "connections: { a: { source: '"+group+"/providers/Radius.Data/redisCaches/a' } }"),
			want: []string{"error 6 cannot-expand Radius.Data/redisCaches a needs itself: a → b → a"},
		},
		"two that read each other": {
			program: resource("a", "Radius.Data/redisCaches", "connections: { b: { source: '"+group+"/providers/Radius.Data/redisCaches/b' } }") +
				resource("b", "Radius.Data/redisCaches", "connections: { a: { source: '/${a.properties.host}/a' } }"),
			want: []string{"resource \"b\": its properties depend on themselves"},
		},
		"Terraform": {
			program: resource("s", "Radius.Data/mySqlDatabases", "username: 'u', password: password, version: '8.0'") +
				cache("connections: { s: { source: s.id } }"),
			want: []string{`error 6 recipe-kind Radius.Data/mySqlDatabases s: its recipe is in "terraform", which is not evaluated here (assume Radius.Data/mySqlDatabases/s.PROPERTY=VALUE)`},
			not:  []string{"cache"}, // it follows
		},
		"Terraform, assumed": {
			program: resource("s", "Radius.Data/mySqlDatabases", "username: 'u', password: password, version: '8.0'") + "output host string = s.properties.host\n",
			assume:  map[string]*armjson.Object{"radius.data/mysqldatabases/s": object(text("host", "h"))},
			want:    []string{"host = h\n"},
			not:     []string{"error"},
		},
		"a recipe that makes resources of Azure": {
			program: resource("k", "Radius.Messaging/kafka", ""),
			want: []string{"error 6 recipe-cloud Radius.Messaging/kafka k: its recipe reg/cloud:1 deploys Microsoft.Storage/storageAccounts, which is no object " +
				"of Kubernetes, and only then returns topic, host: deploy that in another way (assume Radius.Messaging/kafka/k.topic=VALUE)"},
			not: []string{"core/ConfigMap", "storageAccounts ns"},
		},
		"one of which a part is assumed": { // it is deployed to the place of the environment, under a name of its own
			program: resource("k", "Radius.Messaging/kafka", "") + "output host string = k.properties.host\noutput topic string = k.properties.topic\n",
			assume:  map[string]*armjson.Object{"radius.messaging/kafka/k": object(text("host", "h"), text("nothing", "n"))},
			want: []string{"host = h\n", "topic = [reference('k').properties.topic]\n",
				`core/ConfigMap ns/c {"metadata":{"name":"c"},"data":{"id":"/subscriptions/sub/resourceGroups/apps/providers/Microsoft.Storage/storageAccounts/a","deployment":"[deployment().name]"}}`,
				`warning 6 recipe-lost Radius.Messaging/kafka k: the type does not declare the property "nothing" that is assumed`},
			not: []string{"error", "Microsoft.Storage/storageAccounts sub"},
		},
		"no recipe": {
			program: resource("r", "Radius.Compute/routes", "application: app.id\n    rules: []"),
			want:    []string{"error 6 recipe-missing Radius.Compute/routes r: no recipe pack of the environment dev has a recipe for"},
		},
		"a text that names nothing, and a value of another type": {
			program: resource("s", "Radius.AI/search", ""),
			want: []string{"warning 6 recipe-expression Radius.AI/search s: {{context.resource.nothing}} in the parameters of its recipe",
				`error 6 recipe-parameter Radius.AI/search s: its recipe reg/direct:1 fails: parameter "count"`},
		},
		"a parameter that nobody declares": {
			program: resource("o", "Radius.Storage/objectStorage", ""),
			want:    []string{`recipe-parameter Radius.Storage/objectStorage o: its recipe reg/direct:1 does not declare the parameter "more"`},
		},
		"a secret that would decide": {
			program: resource("s", "Radius.Data/sqlServerDatabases", "username: 'u', password: password, database: 'd'"),
			want:    []string{"value-not-known Radius.Data/sqlServerDatabases s: a parameter of its recipe reg/direct:1 depends on a value that is not known, or a secret"},
		},
		"parameters of a pack, and of an environment, that are secret as a whole": {
			program: resource("v", "Radius.Compute/persistentVolumes", "sizeInGib: 1") + `
@secure()
param all object
resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'own'
  properties: { recipePacks: [], recipeParameters: { 'Radius.Data/redisCaches': all } }
}
` + strings.ReplaceAll(cache(""), "environment: environment", "environment: env.id"),
			want: []string{"value-not-known Radius.Compute/persistentVolumes v: recipes.Radius.Compute/persistentVolumes.parameters of the pack pack is secret as a whole",
				"value-not-known properties.recipeParameters.Radius.Data/redisCaches of the environment own is secret, or not known"},
		},
		"what a pack says has another form, or is not known, where it is nested": {
			program: `
@secure()
param all object
resource env 'Radius.Core/environments@2025-08-01-preview' = { name: 'own', properties: { recipePacks: [ pack.id ] } }
resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = { name: 'p', properties: { recipes: {
  'Radius.Data/redisCaches': { kind: 'bicep', source: 'reg/wrapped:1', outputs: { host: 'host', secrets: all } }
  'Radius.Data/mongoDatabases': { kind: 'bicep', source: 'reg/wrapped:1', outputs: { endpoint: any(all.a) } }
  'Radius.Messaging/kafka': { kind: 'bicep', source: 'reg/wrapped:1', outputs: { secrets: any('all') } }
} } }
` + strings.ReplaceAll(cache("")+resource("m", "Radius.Data/mongoDatabases", "")+resource("k", "Radius.Messaging/kafka", ""),
				"environment: environment", "environment: env.id"),
			want: []string{
				"value-not-known Radius.Data/redisCaches cache: recipes.Radius.Data/redisCaches.outputs.secrets of the pack p is secret as a whole",
				"value-not-known Radius.Data/mongoDatabases m: recipes.Radius.Data/mongoDatabases.outputs.endpoint of the pack p is secret",
				"recipe-environment Radius.Messaging/kafka k: recipes.Radius.Messaging/kafka.outputs.secrets of the pack p is not of type object"},
		},
		"a pack that is secret as a whole": {
			program: `
@secure()
param all object
resource env 'Radius.Core/environments@2025-08-01-preview' = { name: 'own', properties: { recipePacks: [ pack.id ] } }
resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = { name: 'p', properties: { recipes: all } }
` + strings.ReplaceAll(cache(""), "environment: environment", "environment: env.id"),
			want: []string{"error 10 value-not-known properties.recipes of the recipe pack p is secret as a whole"},
			not:  []string{"recipe-missing"},
		},
		"an owner that is not known": {
			program: "@secure()\nparam all object\n" + strings.Replace(cache(""), "app.id", "any(all.id)", 1),
			want:    []string{"value-not-known Radius.Data/redisCaches cache: its application is not known before the deployment"},
		},
		"owners that are no IDs": {
			program: strings.Replace(cache(""), "app.id", "'app'", 1) + resource("v", "Radius.Compute/persistentVolumes", "sizeInGib: 1") +
				"resource w 'Radius.Compute/persistentVolumes@2025-08-01-preview' = { name: 'w', properties: { environment: 'dev', application: '', sizeInGib: 1 } }\n",
			want: []string{`error 10 recipe-properties Radius.Data/redisCaches cache: its application "app" is not the ID of a resource`,
				`recipe-properties Radius.Compute/persistentVolumes w: its environment "dev" is not the ID of a resource, such as ` + group + `/providers/Radius.Core/environments/dev (`},
		},
		"an environment that is simulated": {
			program: "resource env 'Radius.Core/environments@2025-08-01-preview' = { name: 'own', properties: { simulated: true } }\n" +
				strings.ReplaceAll(cache(""), "environment: environment", "environment: env.id"),
			want: []string{"notice the environment own is simulated: no recipe runs in it"},
			not:  []string{"core/ConfigMap", "error"},
		},
		"an output of another form": {
			program: resource("p", "Radius.Data/postgreSqlDatabases", "username: 'u', password: password") +
				resource("q", "Radius.Data/postgreSqlDatabases", "username: 'u', password: password"),
			want: []string{`recipe-result Radius.Data/postgreSqlDatabases p: the output result of its recipe reg/odd:1 has the member "extra"`,
				`postgreSqlDatabases q: resources in the output result of its recipe reg/odd:1 has q; Radius takes a list of the IDs of resources`},
		},
		"more than there is room for": {
			program: "resource i 'Radius.Compute/containerImages@2025-08-01-preview' = [for i in range(0, 3): { name: 'i${i}', properties: any({ " +
				"environment: environment, application: app.id, image: 'i', build: { source: 's' } }) }]\n",
			want: []string{"cannot-expand Radius.Compute/containerImages i2: with what its recipe reg/large:1 returns, all that recipes return takes more than 16 MB"},
		},
		"sources": {
			program: resource("r", "Radius.Messaging/rabbitMQ", "") + resource("m", "Radius.AI/models", ""),
			want: []string{"error 6 recipe-source Radius.Messaging/rabbitMQ r: the source br:reg/x:1 of its recipe begins with br",
				"error 13 recipe-source Radius.AI/models m: the template of its recipe reg/absent:1 is not here", "(recipe-source reg/absent=PATH)"},
		},
		"properties that do not fit": {
			program: cache("size: any('XXL')"),
			want:    []string{`error 11 recipe-properties Radius.Data/redisCaches cache: properties.size is not one of ["S","M","L"]`},
		},
		"older types": {
			program: "resource old 'Applications.Datastores/redisCaches@2023-10-01-preview' = { name: 'old', properties: { environment: environment } }\n" +
				"resource owner 'Applications.Core/applications@2023-10-01-preview' = { name: 'owner', properties: { environment: environment } }\n" +
				strings.Replace(cache(""), "app.id", "owner.id", 1),
			want: []string{"error 6 recipe-old-type Applications.Datastores/redisCaches old: Radius makes objects of it without a recipe, which this target cannot; use Radius.Data/redisCaches",
				`core/ConfigMap ns/cache`, `Applications.Core/applications/owner`},
		},
		"another environment": {
			program: strings.ReplaceAll(cache(""), "environment: environment", "environment: replace(environment, 'dev', 'prod')"),
			want:    []string{"error 6 recipe-environment Radius.Data/redisCaches cache: its environment /planes/radius/local/resourceGroups/g/providers/Radius.Core/environments/prod is neither"},
		},
		"an environment of the program, with packs of its own": {
			program: `resource env 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'own'
  properties: { recipePacks: [ 'a', two.id, two.id, 'absent' ], }
}
resource one 'Radius.Core/recipePacks@2025-08-01-preview' = { name: 'a', properties: { recipes: { 'Radius.Data/redisCaches': { kind: 'bicep', source: 'reg/x:1' }, 'A.b/c': {}, 'a.b/C': {} } } }
resource two 'Radius.Core/recipePacks@2025-08-01-preview' = { name: 'b', properties: { recipes: { 'radius.data/rediscaches': { kind: 'bicep', source: 'reg/y:1' } } } }
` + strings.ReplaceAll(cache(""), "environment: environment", "environment: env.id"),
			want: []string{"recipe-twice Radius.Data/redisCaches cache: its environment own has two recipes for radius.data/rediscaches: in the packs a and b",
				"two recipes for a.b/c: in the packs a and a", "its environment own names the recipe pack absent, which is neither"},
			not: []string{"packs b and b"},
		},
		"a condition and a loop that are not known": {
			program: "param now string = utcNow()\n" + strings.Replace(cache(""), "= {", "= if (now == 'x') {", 1),
			want:    []string{"error 7 value-not-known Radius.Data/redisCaches cache: it is not known before the deployment whether"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := predict(t, c.release, c.program, c.reveal, c.assume).text()
			for _, want := range c.want {
				require.Contains(t, got, want)
			}
			for _, not := range c.not {
				require.NotContains(t, got, not)
			}
		})
	}
}

// TestPlainIsLinear: a value that is twice as deep takes twice as long.
func TestPlainIsLinear(t *testing.T) {
	nested := func(depth int) (v expand.Value) {
		for v = armjson.Number("1.50"); depth > 0; depth-- {
			v = object(member("in", v))
		}
		return v
	}
	require.Equal(t, `{"in":1.5}`, armjson.Text(plain(nested(1))))
	cost := func(depth int) float64 { return testing.AllocsPerRun(1, func() { plain(nested(depth)) }) }
	require.Less(t, cost(400), 3*cost(200))
}

// TestResourceNameHash: the hash of Radius' own test, and what 0.61 puts into it beside.
func TestResourceNameHash(t *testing.T) {
	t.Parallel()
	const scope = "/planes/radius/local/resourceGroups/test-group/providers/"
	env := &environment{id: scope + "Applications.Core/environments/env0", azure: "/subscriptions/testSub"}
	const id = "/planes/radius/local/resourceGroups/testGroup/providers/applications.datastores/mongodatabases/mongo0"
	for release, want := range map[string]string{"": "2ee7ced618d5dd8e", "0.60.0": "2ee7ced618d5dd8e", "0.61": "509212db4b1fe144"} {
		got := New(Options{Release: release}).azure(env, id, "")
		require.Equal(t, want, got.Str("resourceNameHash"), release)
	}
}

// TestNamesOfRealClusters: Radius' documentation shows two names that recipes made of IDs in real clusters.
func TestNamesOfRealClusters(t *testing.T) {
	t.Parallel()
	program := built(t, `extension radius
resource db 'Applications.Datastores/redisCaches@2023-10-01-preview' existing = { name: 'db' }
resource mongodb 'Applications.Datastores/mongoDatabases@2023-10-01-preview' existing = { name: 'mongodb' }
output names string = 'redis-${uniqueString(db.id)} mongo-${uniqueString(mongodb.id)}'`)
	result, err := expand.Expand(program.Tree, expand.Options{Context: expand.Context{RadiusGroup: scope}})
	require.NoError(t, err)
	require.Equal(t, "redis-r5tcrra3d7uh6 mongo-bzmp2btdgzez6", expand.Text(result.Outputs[0].Value))
}

// TestTypesOfReleases: a type has the schema of the release that is asked for, if that registers it. A newer one is as the newest.
func TestTypesOfReleases(t *testing.T) {
	t.Parallel()
	for release, want := range map[string]bool{"0.56": false, "0.57": true, "0.58": false, "v0.60.1": true, "0.61": true, "edge": true, "": true} {
		found := Types{}.find("radius.compute/ContainerImages", "2025-08-01-preview", release)
		require.Equal(t, want, found != nil, release)
	}
	const version = "2025-08-01-preview"
	older, newer := Types{}.find("Radius.Data/mySqlDatabases", version, "0.59"), Types{}.find("Radius.Data/mySqlDatabases", version, "0.60")
	require.NotEqual(t, hasSecrets(older.schema), hasSecrets(newer.schema))
}

// TestDefaultPack: a release's own recipes, with the tags that its rad gives them.
func TestDefaultPack(t *testing.T) {
	t.Parallel()
	for release, want := range map[string]string{
		"":       "5 ghcr.io/radius-project/kube-recipes/routes:3143b4bb0aecdc1999a34a5f9563f19bd6b96dfb",
		"0.60.1": "5 ghcr.io/radius-project/kube-recipes/routes:3143b4bb0aecdc1999a34a5f9563f19bd6b96dfb",
		"v0.61":  "8 ghcr.io/radius-project/kube-recipes/routes:latest",
		"1.0":    "8 ghcr.io/radius-project/kube-recipes/routes:latest",
		"0.59":   "5 ghcr.io/radius-project/kube-recipes/routes:0.59.0",
		"0.58":   "5 ghcr.io/radius-project/kube-recipes/routes:0.58",
	} {
		p := defaultPack(release)
		routes := p.recipes.Object("Radius.Compute/routes")
		require.Equal(t, want, fmt.Sprint(p.recipes.Len(), " ", routes.Str("source")), release)
		require.Equal(t, "radius-system", routes.Object("parameters").Str("gatewayNamespace"))
	}
}
