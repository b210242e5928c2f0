package test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
)

// The routes that a secret could take out of a program are generated from tables: where
// the secret comes from, what is done with it, and which command prints what, in which
// format. The secret must appear in none of what is printed. Beside each is a value
// that is not a secret, which the same command has to show where it is what the message is
// about.

// canary is the secret, shown is a value that is not secret. Both can be part of names.
const (
	canary = "Canary7331xyz"
	former = "Former5151xyz" // what the environment held before
	shown  = "Visible4242abc"
)

// source is a way in which a secret gets into a parameter file. Declarations is
// text before the statement that uses it, value an expression whose value is the secret,
// and secure says that the value is a secure parameter's.
type source struct {
	name, declarations, value string
	secure                    bool
}

var sources = []source{
	{"a literal", "", "'" + canary + "'", true},
	{"a variable", "var v = '" + canary + "'\nparam password = v\n", "v", true},
	{"a chain of variables", "var v = '" + canary + "'\nvar w = v\nparam password = w\n", "w", true},
	{"a property", "var o = { host: '" + shown + "', pw: '" + canary + "' }\nparam password = o.pw\n", "o.pw", true},
	{"an element", "var l = ['" + shown + "', '" + canary + "']\nparam password = l[1]\n", "l[1]", true},
	{"another parameter", "param password = '" + canary + "'\n", "password", true},
	{"text made of a parameter", "param password = '" + canary + "'\n", "'Pwd=${password}'", true},
	{"a source of a parameter", "var v = '" + canary + "'\nparam password = 'Pwd=${v}'\n", "v", true},
	{"a condition's branch", "var v = '" + canary + "'\nparam password = true ? v : ''\n", "v", true},
	{"a file", "param password = loadTextContent('secret.txt')\n", "loadTextContent('secret.txt')", true},
	{"an import", "import { exported } from 'shared.bicep'\nparam password = exported\n", "exported", true},
	{"a wildcard import", "import * as shared from 'shared.bicep'\nparam password = shared.exported\n", "shared.exported", true},
	{"a spread", "var o = { ...{ pw: '" + canary + "' } }\nparam password = o.pw\n", "o.pw", true},
	{"text around a mistake", "var v = '" + canary + "${missing}'\nparam password = v\n", "v", true},
	{"an index without its quotes", "var o = { a: 'b' }\nparam password = o[" + canary + "]\n", "password", true},
	{"the environment", "", "readEnvironmentVariable('SECRET')", false},
	{"the environment by a variable", "var v = readEnvironmentVariable('SECRET')\n", "v", false},
	{"the environment by a property", "var o = { host: '" + shown + "', e: readEnvironmentVariable('SECRET') }\n", "o.e", false},
	{"the environment's default", "param password = readEnvironmentVariable('NOT_THERE', '" + canary + "')\n", "password", true},
	{"the environment in text", "var v = 'x${readEnvironmentVariable('SECRET')}'\n", "v", false},
}

// uses are what a parameter file does with a value, most of which fails. %s is the value.
var uses = []struct{ name, statement string }{
	{"given to a secure parameter", "param password = %s"},
	{"given to a secure object", "param pin = %s"},
	{"given to a part of an object", "param config = { host: 'h', password: %s }"},
	{"given to a wrong part", "param config = { host: 'h', pasword: %s }"},
	{"a key of a secure object", "param whole = { '${%s}': 1 }"},
	{"given to a plain parameter", "param text = %s"},
	{"text of a plain parameter", "param text = 'x${%s}'"},
	{"given to a plain number", "param count = %s"},
	{"given to a choice", "param choice = %s"},
	{"in a plain object", "param list = [%s]"},
	{"a property of it", "var z = %s.property\nparam text = '${z}'"},
	{"an element of it", "param text = %s[0]"},
	{"a key", "param text = { a: 'b' }[%s]"},
	{"base64ToString", "param text = base64ToString('${%s}?')"},
	{"substring", "param text = substring(%s, 1, 9999)"},
	{"format", "param text = format('{5}', %s)"},
	{"uri", "param text = uri(%s, '//[')"},
	{"dataUriToString", "param text = dataUriToString(%s)"},
	{"json", "param text = json(%s)"},
	{"int", "param count = int(%s)"},
	{"dateTimeAdd", "param text = dateTimeAdd(%s, 'P1D')"},
	{"fail", "param text = fail(%s)"},
	{"loadTextContent", "param text = loadTextContent(%s)"},
	{"another variable's name", "param text = readEnvironmentVariable(%s)"},
	{"a lambda", "param text = map([%s], x => x.property)[0]"},
	{"a filter", "param list = filter([%s], x => x)"},
	{"a loop", "param list = [for i in [%s]: i.property]"},
	{"arithmetic", "param count = %s + 1"},
	{"a condition", "param text = %s ? 'a' : 'b'"},
	{"a wrong argument", "param text = toLower([%s])"},
	{"an unknown parameter", "param unknown = %s"},
	{"twice", "param text = %s\nparam text = %[1]s"},
}

const secretTemplate = secretParameters + secretResources

// secretParameters are those of all templates.
const secretParameters = `@secure()
param password string = ''
@secure()
param pin object = {}
@secure()
param whole object = {}
type settings = {
  host: string
  @secure()
  password: string
}
param config settings = { host: '', password: '' }
param text string = ''
param count int = 0
@allowed(['a', 'b'])
param choice string = 'a'
param list string[] = []
`

const secretResources = `output all object = { text: text, count: count, choice: choice, list: list }
@secure()
output hidden string = '${password}${config.password}'
resource store 'Contoso.Stores/stores@2024-01-01' = {
  name: 'store'
  properties: {
    text: text
    list: [for one in list: { name: one, length: length(one) }]
    config: config
    connection: 'Host=${other.properties.host};Password=${password}'
    pins: map(items(pin), i => '${i.key}=${i.value}')
    whole: union(whole, { text: text })
    chosen: empty(password) ? choice : base64(password)
  }
}
resource other 'Contoso.Stores/stores@2024-01-01' existing = {
  name: 'other-${text}'
}
module inner 'inner.bicep' = {
  name: 'inner'
  params: { given: config, text: text, password: password }
}
output made string = inner.outputs.made
`

const secretModule = `type settings = {
  host: string
  @secure()
  password: string
}
param given settings
param text string
@secure()
param password string
resource box 'Contoso.Stores/boxes@2024-01-01' = {
  name: 'box'
  properties: { host: given.host, both: '${given.password}${password}', text: text }
}
output made string = given.host
`

// targetTemplates are templates for the targets that make objects: of each, one whose values are
// written, and one that is refused, so that messages are about the values.
var targetTemplates = map[string]string{
	"aso.bicep": `resource net 'Microsoft.Network/virtualNetworks@2020-11-01' = {
  name: 'net-${text}'
  location: 'x${text}'
  tags: { first: text, '${text}': 'key' }
  properties: {
    addressSpace: { addressPrefixes: empty(list) ? ['10.0.0.0/16'] : list }
    subnets: [{ name: 'sub-${text}', properties: { addressPrefix: '10.0.${count}.0/24' } }]
  }
}
resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'id-${text}'
  location: choice
}
resource grant 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(text)
  scope: net
  properties: {
    principalId: identity.properties.principalId
    description: 'for ${text}'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'r-${text}')
  }
}
resource db 'Microsoft.DBforPostgreSQL/flexibleServers@2022-12-01' = {
  name: 'data'
  location: 'x'
  tags: { first: text == 'a' ? 'a' : text }
  properties: { administratorLoginPassword: password, administratorLogin: text }
}
resource cluster 'Microsoft.ContainerService/managedClusters@2024-02-01' = {
  name: 'aks'
  location: 'x'
  identity: { type: 'UserAssigned', userAssignedIdentities: { '${identity.id}': {} } }
  properties: { dnsPrefix: text, nodeResourceGroup: 'nodes-${text}' }
}
module more 'more.bicep' = { params: { text: text } }
`,
	"more.bicep": `param text string
resource again 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = [for i in range(0, 2): {
  name: 'more-${text}-${i}'
  location: text
}]
`,
	"asobad.bicep": `resource store 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: text
  location: 'x'
  kind: choice
  sku: { name: text, '${text}': 'x' }
  properties: { accessTier: text, '${text}': true, minimumTlsVersion: 'x${text}', encryption: { keySource: text, '${text}': {} } }
}
resource net 'Microsoft.Network/virtualNetworks@2020-11-01' = {
  name: replace('net+${text}', '+', '/')
  location: 'x'
  properties: { subnets: [{ name: '${text}/x', properties: { routeTable: { id: text } } }] }
}
resource other 'Microsoft.Network/virtualNetworks@2020-11-01' = {
  name: 'net-${text}'
  location: 'x'
  properties: { subnets: [{ name: 'x${text}', properties: { addressPrefix: [text], routeTable: { id: text } } }], ipAllocations: [{ id: text }] }
}
resource same 'Microsoft.Network/virtualNetworks@2020-11-01' = {
  name: 'net-${text}'
  location: text
}
resource blob 'Microsoft.Storage/storageAccounts/blobServices@2023-01-01' = {
  parent: store
  name: text
}
resource db 'Microsoft.DBforPostgreSQL/flexibleServers@2022-12-01' = {
  name: 'db-${text}'
  location: resourceGroup().tags[text]
  tags: { first: '${newId}${text}' }
  properties: { administratorLoginPassword: '${password}${text}', createMode: text, storage: { storageSizeGB: count } }
}
resource cluster 'Microsoft.ContainerService/managedClusters@2024-02-01' = if (length(text) > 1) {
  name: 'aks'
  location: 'x${text}'
  tags: { a: newId, '${newId}': text }
  identity: { type: text, userAssignedIdentities: { '${text}': {} } }
  properties: { dnsPrefix: store.properties[text], fqdnSubdomain: reference(text, '2020-01-01').x, agentPoolProfiles: [{ name: text, mode: text, vnetSubnetID: text, count: count }] }
}
resource role 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: text
  scope: net
  properties: { principalId: cluster.properties[text], roleDefinitionId: text, delegatedManagedIdentityResourceId: text }
}
resource lock 'Microsoft.Authorization/locks@2020-05-01' = [for one in list: { name: one, properties: { level: one } }]
module deep 'deep.bicep' = { params: { text: text }, scope: resourceGroup(text) }
param newId string = newGuid()
`,
	"asofails.bicep": `resource net 'Microsoft.Network/virtualNetworks@2020-11-01' = {
  name: 'net'
  location: { a: 'b' }[text]
  tags: { a: substring(text, 99, 9), b: '${int(text)}', c: json(text) }
}
`,
	"deep.bicep": `param text string
resource me 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = { name: replace('${text}+x', '+', '/'), location: text }
`,
	"cross.bicep": `resource cluster 'Microsoft.ContainerService/managedClusters@2024-02-01' existing = {
  name: 'aks-${text}'
  resource pool 'agentPools' existing = { name: 'user' }
}
resource net 'Microsoft.Network/virtualNetworks@2020-11-01' existing = { name: 'net', scope: resourceGroup('g-${text}') }
`,
	"crossbad.bicep": `extension aws
resource cluster 'Microsoft.ContainerService/managedClusters@2024-02-01' existing = {
  name: 'aks-${text}-0123456789-0123456789-0123456789-0123456789-0123456789-0123456789'
  resource pool 'agentPools' existing = { name: replace('${text}+x', '+', '/') }
}
resource net 'Microsoft.Network/virtualNetworks@2020-11-01' existing = { name: 'net', scope: resourceGroup(text, newId) }
resource nodes 'AWS.EKS/Nodegroup@default' existing = { alias: text, properties: { Id: text } }
resource bucket 'AWS.S3/Bucket@default' existing = { alias: text, properties: { BucketName: '${text}${newId}' } }
resource made 'Microsoft.Network/virtualNetworks@2020-11-01' = { name: text }
param newId string = newGuid()
`,
	"kube.bicep": `var low = toLower(text)
extension kubernetes with { namespace: 'ns-${low}', kubeConfig: '' }
resource first 'core/ConfigMap@v1' = {
  metadata: { name: 'settings-${toLower(text)}', labels: { label: text, '${text}': 'x' }, annotations: { note: text } }
  data: { text: text, '${text}': 'x', plain: 'y' }
}
resource plain 'core/ConfigMap@v1' = [for (one, i) in list: { metadata: { name: 'plain-${i}' }, data: { text: 'a${one}' } }]
resource login 'core/Secret@v1' = {
  metadata: { name: 'login-${toLower(text)}' }
  stringData: { password: password, '${text}': text }
}
resource open 'core/Secret@v1' = { metadata: { name: 'open', namespace: toLower(text) }, stringData: { text: text } }
resource web 'core/Pod@v1' = {
  metadata: { name: 'web' }
  spec: { containers: [{ name: 'web', image: text, env: [{ name: 'A', value: text }, { name: 'B', value: 'b' }] }] }
}
`,
	"kubebad.bicep": `extension kubernetes with { namespace: 'NS-${text}', kubeConfig: '' }
resource first 'core/ConfigMap@v1' = { metadata: { name: 'x', namespace: toLower(text) }, data: { '${text}': '${newId}${text}', p: '${password}${text}' } }
resource second 'core/ConfigMap@v1' = { metadata: { name: 'x', namespace: toLower(text) } }
resource third 'core/ConfigMap@v1' = { metadata: { name: 'X-${text}' } }
resource fourth 'core/ConfigMap@v1' = { metadata: { name: 'fourth' } }
resource fifth 'core/ConfigMap@v1' = if (length(text) > 1) { metadata: { name: 'y', namespace: 'z', labels: { a: '${newId}${text}' } } }
resource sixth 'core/Secret@v1' = { metadata: { name: 'sixth', namespace: 'z' }, type: '${password}${text}' }
resource net 'Microsoft.Network/virtualNetworks@2020-11-01' = { name: text }
param newId string = newGuid()
`,
	"shop.bicep": `extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = { name: 'app', properties: { environment: environment } }
resource login 'Radius.Security/secrets@2025-08-01-preview' = {
  name: 'login-${toLower(text)}'
  properties: { environment: environment, application: app.id, data: { password: { value: password }, '${text}': { value: text } } }
}
resource cache 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'cache-${toLower(text)}'
  properties: any({ environment: environment, application: app.id, recipe: { parameters: { token: text, own: password, more: { a: text } } } })
}
resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'web'
  properties: {
    environment: environment
    application: app.id
    containers: { web: { image: text, env: { A: { value: text }, '${text}': { value: 'b' } } } }
    connections: { cache: { source: cache.id }, '${text}': { source: login.id } }
  }
}
resource simple 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'simple'
  properties: { environment: environment, application: app.id, containers: { web: { image: 'simple-${text}', env: { A: { value: text } } } } }
}
`,
	"shopbad.bicep": `extension radius
param environment string
resource app 'Radius.Core/applications@2025-08-01-preview' = { name: text, properties: { environment: environment } }
resource size 'Radius.Data/redisCaches@2025-08-01-preview' = { name: 'size', properties: { environment: environment, size: any(text) } }
resource lost 'Radius.Data/redisCaches@2025-08-01-preview' = { name: 'lost', properties: { environment: text } }
resource owner 'Radius.Data/redisCaches@2025-08-01-preview' = { name: 'owner', properties: { environment: environment, application: text } }
resource given 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: 'given-${text}'
  properties: any({ environment: environment, recipe: { parameters: { '${text}': text, token: count, own: password, more: text } } })
}
resource web 'Radius.Compute/containers@2025-08-01-preview' = {
  name: text
  properties: {
    environment: environment
    containers: { web: { image: text, env: { A: { value: '${password}${text}' } } } }
    connections: { a: { source: text }, '${text}': { source: '/planes/radius/local/resourceGroups/g/providers/Radius.Data/redisCaches/${text}' } }
  }
}
resource old 'Applications.Core/containers@2023-10-01-preview' = { name: text, properties: { application: app.id, container: { image: text } } }
resource db 'Radius.Data/mySqlDatabases@2025-08-01-preview' = {
  name: 'db'
  properties: { environment: environment, username: text, password: text, database: '${text}{{context.${text}}}', version: any(text) }
}
`,
	"recipe-environment.bicep": secretEnvironment,
	"recipe-secrets.bicep":     secretRecipes["secrets"] + recipeExtension + plainRecipes["secrets"],
	"recipe-caches.bicep":      secretRecipes["caches"] + recipeExtension + plainRecipes["caches"],
	"recipe-databases.bicep":   secretRecipes["databases"] + plainRecipes["databases"],
	"recipe-containers.bicep": secretRecipes["containers"] + recipeExtension + `var given = context.resource.properties
resource m 'core/ConfigMap@v1' = {
  metadata: { name: toLower('web-${given.containers.web.image}'), labels: { a: given.containers.web.image } }
  data: { '${given.containers.web.image}': 'key', env: string(given.containers.web.env), id: context.resource.id, more: string(map(items(context.resource.?connections ?? {}), c => c.value.id)) }
}
`,
}

// targetCommand is the command line that makes the objects of a target.
func targetCommand(target, file string, more ...string) []string {
	if target == "kubernetes" {
		more = append(more, "--group=g")
	}
	return append([]string{"bicep", "generate-kubernetes-manifest", file, "--target", target, "--secure-parameters=omit", "--subscription-id=00000000-0000-0000-0000-000000000011", "--resource-group=g",
		"--location=l", "--aws-scope=/planes/aws/aws/accounts/1/regions/r", "--explain-parameters"}, more...)
}

// commands are the command lines that show what they find. dir is where the files are.
var commands = []struct {
	name string
	args []string
}{
	{"lint", []string{"bicep", "lint", "p.bicepparam", "--color", "always"}},
	{"lint as JSON", []string{"bicep", "lint", "p.bicepparam", "--diagnostics-format", "json"}},
	{"lint as SARIF", []string{"bicep", "lint", "p.bicepparam", "--diagnostics-format", "sarif"}},
	{"lint for GitHub", []string{"bicep", "lint", "p.bicepparam", "--diagnostics-format", "github"}},
	{"lint for GitLab", []string{"bicep", "lint", "p.bicepparam", "--diagnostics-format", "gitlab"}},
	{"lint for Azure", []string{"bicep", "lint", "p.bicepparam", "--diagnostics-format", "azure"}},
	{"build-params", []string{"bicep", "build-params", "p.bicepparam", "--outfile", "out.json"}},
	{"generate", []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "-o", "out.yaml", "--explain-parameters"}},
	{"generate without secrets", []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "-o", "omit.yaml", "--secure-parameters=omit", "--explain-parameters"}},
	{"generate with secrets", []string{"bicep", "generate-kubernetes-manifest", "main.bicep", "-p", "@p.bicepparam", "-o", "allow.yaml", "--secure-parameters=allow", "--explain-parameters"}},
	{"generate with references", []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "-o", "reference.yaml", "--secure-parameters=reference", "--explain-parameters"}},
	{"generate in an envelope", []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "-o", "out.yaml", "--explain-parameters", "--format", "json", "--secure-parameters=omit"}},
	{"plan", []string{"bicep", "plan", "p.bicepparam"}},
	{"plan as JSON", []string{"bicep", "plan", "p.bicepparam", "--format", "json"}},
	{"plan for a comment", []string{"bicep", "plan", "p.bicepparam", "--format", "markdown"}},
	{"plan against a manifest", []string{"bicep", "plan", "p.bicepparam", "--against", "old.yaml", "--format", "json"}},
	{"graph", []string{"bicep", "graph", "p.bicepparam"}},
	{"graph as a drawing", []string{"bicep", "graph", "p.bicepparam", "--format", "mermaid"}},
	{"graph for a browser", []string{"bicep", "graph", "p.bicepparam", "--format", "svg"}},
	{"plan with all details", []string{"bicep", "plan", "p.bicepparam", "--details", "--all-conditions"}},
	{"affected", []string{"bicep", "affected", "p.bicepparam", "--deps", "deps.mk", "--format", "json"}},
	{"bundle", []string{"bicep", "bundle", "p.bicepparam", "-o", "out.tar", "--secure-parameters=omit", "--format", "json"}},
	{"inspect", []string{"bicep", "inspect", "out.tar", "--format", "json"}},
	{"verify", []string{"bicep", "verify", "out.tar", "p.bicepparam", "--format", "json"}},
	{"generate from a bundle", []string{"bicep", "generate-kubernetes-manifest", "out.tar", "-p", "@p.bicepparam", "-o", "out.yaml", "--secure-parameters=omit", "--explain-parameters"}},
	{"snapshot", []string{"bicep", "snapshot", "p.bicepparam"}},
	{"radius", []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "--target", "radius", "--group", "g", "-o", "out.yaml", "--explain-parameters"}},
	{"compare for Radius", []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "--target", "radius", "--group", "g", "-o", "old.yaml", "--secure-parameters=allow", "--diff"}},
	{"ASO", targetCommand("aso", "aso.bicepparam", "-o", "objects.yaml")},
	{"ASO with secrets", targetCommand("aso", "aso.bicepparam", "-o", "objects.yaml", "--secure-parameters=allow")},
	{"ASO in a folder", targetCommand("aso", "aso.bicepparam", "--outdir", "objects")},
	{"ASO in a folder as JSON", targetCommand("aso", "aso.bicepparam", "--outdir", "objects", "--format", "json")},
	{"ASO compared", targetCommand("aso", "aso.bicepparam", "-o", "former.yaml", "--diff")},
	{"ASO compared as JSON", targetCommand("aso", "aso.bicepparam", "-o", "former.yaml", "--diff", "--check", "--format", "json")},
	{"ASO refused", targetCommand("aso", "asobad.bicepparam", "-o", "objects.yaml")},
	{"ASO refused as JSON", targetCommand("aso", "asobad.bicepparam", "--check", "-o", "objects.yaml", "--format", "json")},
	{"ASO fails", targetCommand("aso", "asofails.bicepparam", "-o", "objects.yaml")},
	{"Crossplane", targetCommand("crossplane", "cross.bicepparam", "--outdir", "objects")},
	{"Crossplane compared", targetCommand("crossplane", "cross.bicepparam", "-o", "former-cross.yaml", "--diff", "--format", "json")},
	{"Plain objects", targetCommand("kubernetes", "kube.bicepparam", "--outdir", "objects", "--create-namespace")},
	{"Plain objects compared", targetCommand("kubernetes", "kube.bicepparam", "-o", "former-kube.yaml", "--diff", "--format", "json")},
	{"Plain objects refused", targetCommand("kubernetes", "kubebad.bicepparam", "-o", "objects.yaml")},
	{"Through recipes", targetCommand("kubernetes", "shop.bicepparam", "--outdir", "objects", "--create-namespace")},
	{"Through recipes, compared", targetCommand("kubernetes", "shop.bicepparam", "-o", "former-shop.yaml", "--diff", "--format", "json")},
	{"Through recipes, refused", targetCommand("kubernetes", "shopbad.bicepparam", "-o", "objects.yaml")},
	{"Plan through recipes", []string{"bicep", "plan", "shop.bicepparam", "--target", "kubernetes", "--group=g", "--details", "--all-conditions"}},
	{"Plan through recipes as JSON", []string{"bicep", "plan", "shop.bicepparam", "--target", "kubernetes", "--group=g", "--format", "json"}},
	{"Plan of what recipes refuse", []string{"bicep", "plan", "shopbad.bicepparam", "--target", "kubernetes", "--group=g", "--format", "markdown"}},
	{"Graph through recipes", []string{"bicep", "graph", "shop.bicepparam", "--target", "kubernetes", "--group=g", "--objects", "--format", "json"}},
	{"Crossplane refused", targetCommand("crossplane", "crossbad.bicepparam", "-o", "objects.yaml")},
	{"Crossplane refused as JSON", targetCommand("crossplane", "crossbad.bicepparam", "--check", "-o", "objects.yaml", "--format", "json")},
	{"compare", []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "-o", "old.yaml", "--secure-parameters=allow", "--diff", "--diagnostics-format", "github"}},
}

func TestSecretRoutes(t *testing.T) {
	t.Setenv("SECRET", canary)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o777))
	t.Chdir(dir)
	write := func(name, text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }
	write("main.bicep", secretTemplate)
	write("inner.bicep", secretModule)
	ofTargets := writeTargetTemplates(write)
	write("secret.txt", canary)
	write("shared.bicep", "@export()\nvar exported = '"+canary+"'\n@export()\nvar open = '"+shown+"'\n")
	t.Setenv("ARGOCD_APP_PARAMETERS", secretArgo)
	t.Setenv("BICEP_TRUSTED_REGISTRIES", "127.0.0.1:1")
	require.Zero(t, command.Run(context.Background(), []string{"bicep", "build", "main.bicep"}, strings.NewReader(""), io.Discard, io.Discard))
	require.NoError(t, os.Mkdir("made", 0o777))
	lines := treeLines(t, ofTargets)
	routes, programs := 0, 0
	for _, s := range sources {
		for _, u := range uses {
			_ = os.Remove("out.tar")
			program := "using 'main.bicep'\n" + s.declarations + fmt.Sprintf(u.statement, s.value) + "\n"
			if s.value == "'"+canary+"'" && !strings.Contains(u.statement, "password = %s") && !strings.Contains(u.statement, "pin =") && !strings.Contains(u.statement, "whole =") {
				continue // nothing says that the text is a secret
			}
			if strings.Count(program, "param password") > 1 {
				continue
			}
			write("p.bicepparam", program)
			for _, base := range ofTargets {
				write(base+".bicepparam", strings.Replace(program, "'main.bicep'", "'"+base+".bicep'", 1))
			}
			if strings.Contains(program, "('SECRET')") {
				writeFormer(t)
			}
			write("old.yaml", "kind: DeploymentTemplate\napiVersion: radapp.io/v1alpha3\nspec:\n  template: '{\"parameters\":{\"password\":{\"type\":\"securestring\"}}}'\n  parameters: '{\"password\":{\"value\":\""+canary+"\"},\"text\":{\"value\":\""+canary+"\"}}'\n")
			programs++
			for i, c := range commands {
				if i > 0 && (programs+i)%9 != 0 && !testing.Verbose() { // -v takes all, as make thorough does
					continue
				}
				routes++
				var out, errs strings.Builder
				status := command.Run(context.Background(), c.args, strings.NewReader(""), &out, &errs)
				all := out.String() + errs.String()
				assert.NotContains(t, strings.ToLower(all), strings.ToLower(former), "%s, %s, %s (status %d) prints what was the secret:\n%s", s.name, u.name, c.name, status, program)
				if strings.Contains(strings.ToLower(all), strings.ToLower(canary)) {
					t.Errorf("%s, %s, %s (status %d):\n%s\nprints the secret:\n%s", s.name, u.name, c.name, status, program, all)
				} else if status == cli.ExitBug {
					t.Errorf("%s, %s, %s: %s", s.name, u.name, c.name, all)
				}
				where := holdsCanary("out.tar", "deps.mk")
				assert.Empty(t, where, "%s, %s, %s: the secret is in %s:\n%s", s.name, u.name, c.name, where, program)
				where = holdsCanary("p.snapshot.json")
				assert.False(t, where != "" && s.secure, "%s, %s, %s: the secret is in %s:\n%s", s.name, u.name, c.name, where, program)
				where = holdsCanary("objects.yaml")
				assert.False(t, where != "" && s.secure, "%s, %s, %s: the secret is in %s:\n%s", s.name, u.name, c.name, where, program)
				for _, mode := range []string{"omit", "reference"} {
					text, err := os.ReadFile(mode + ".yaml")
					assert.False(t, err == nil && s.secure && strings.Contains(string(text), canary), "%s, %s: --secure-parameters=%s writes the secret:\n%s\n%s", s.name, u.name, mode, program, text)
				}
				text, err := os.ReadFile("out.yaml")
				assert.False(t, err == nil && s.secure && strings.Contains(string(text), canary), "%s, %s: the manifest holds the secret:\n%s\n%s", s.name, u.name, program, text)
			}
			every := 120
			if testing.Verbose() {
				every = 8
			}
			for i := programs % every; i < len(lines); i += every {
				routes++
				requireHidden(t, lines[i], s.secure, s.name+", "+u.name+":\n"+program)
			}
			for _, name := range []string{"out.yaml", "omit.yaml", "reference.yaml", "allow.yaml", "out.json", "deps.mk", "p.snapshot.json", "objects.yaml", "former.yaml", "former-cross.yaml", "former-kube.yaml", "former-shop.yaml"} {
				_ = os.Remove(name)
			}
			require.NoError(t, os.RemoveAll("objects"))
		}
	}
	assert.GreaterOrEqual(t, routes, 500, "only")
	t.Logf("%d routes", routes)
}

// treeLines returns the command lines of secretCases, those with a target with the programs that are
// made into it.
func treeLines(t *testing.T, programs []string) (lines [][]string) {
	for _, line := range linesOf(command.Tree(), secretCases) {
		lines = append(lines, line)
		target, ok := strings.CutPrefix(line[len(line)-1], "--target=")
		if !ok || !slices.Contains(line, "p.bicepparam") {
			continue
		}
		for _, base := range targetPrograms[target] {
			if base != "main" {
				require.Contains(t, programs, base)
				more := append(slices.Clone(line), "--secure-parameters=omit", "--subscription-id=00000000-0000-0000-0000-000000000011", "--resource-group=g", "--location=l", "--aws-scope=/planes/aws/aws/accounts/1/regions/r")
				more[slices.Index(more, "p.bicepparam")] = base + ".bicepparam"
				lines = append(lines, more)
			}
		}
	}
	return lines
}

// requireHidden runs a command line, and looks for the secret in what it prints and writes.
func requireHidden(t *testing.T, args []string, secure bool, program string) {
	t.Helper()
	var out, errs strings.Builder
	status := command.Run(context.Background(), args, strings.NewReader(secretList), &out, &errs)
	allowed := slices.Contains(args, "--secure-parameters=allow")
	all := strings.ToLower(out.String() + errs.String())
	if allowed && (args[1] == "fn" || args[1] == "argocd") { // they print the manifest, with the secret as was asked
		all = strings.ToLower(errs.String())
	}
	assert.False(t, strings.Contains(all, strings.ToLower(canary)) || strings.Contains(all, strings.ToLower(former)), "%q (status %d) prints the secret:\n%s\n%s", args, status, program, all)
	assert.NotEqual(t, cli.ExitBug, status, "%q: %s\n%s", args, program, all)
	made, err := filepath.Glob("made/*")
	require.NoError(t, err)
	mayHold := allowed || !secure && strings.HasPrefix(args[1], "generate")
	for _, name := range made {
		where := holdsCanary(name)
		assert.True(t, where == "" || mayHold || filepath.ToSlash(name) == compiled, "%q: the secret is in %s:\n%s", args, name, program)
		require.NoError(t, os.Remove(name))
	}
	if where := holdsCanary("p.snapshot.json"); where != "" && secure {
		assert.Fail(t, "the secret is in the snapshot", "%q:\n%s", args, program)
	}
}

// writeTargetTemplates writes targetTemplates, and settings with recipes, and returns what they are called without those of modules
// and recipes.
func writeTargetTemplates(write func(name, text string)) (names []string) {
	_ = os.Mkdir(".rad", 0o777)
	settings := "recipes:\n  environment: recipe-environment.bicepparam\n  sources:\n"
	for name := range secretRecipes {
		settings += "    reg.example.com/" + name + ": recipe-" + name + ".bicep\n"
	}
	write(".rad/bicep.yaml", settings)
	write("recipe-environment.bicepparam", "using 'recipe-environment.bicep'\nparam token = readEnvironmentVariable('SECRET')\n")
	for name, text := range targetTemplates {
		if base := strings.TrimSuffix(name, ".bicep"); base != "more" && base != "deep" && !strings.HasPrefix(base, "recipe-") {
			names = append(names, base)
			text = secretParameters + text
		}
		write(name, text)
	}
	return names
}

// writeFormer writes the objects that a secret had when it was another.
func writeFormer(t *testing.T) {
	require.NoError(t, os.Setenv("SECRET", former))
	for _, args := range [][]string{targetCommand("aso", "aso.bicepparam", "-o", "former.yaml"), targetCommand("crossplane", "cross.bicepparam", "-o", "former-cross.yaml"),
		targetCommand("kubernetes", "kube.bicepparam", "-o", "former-kube.yaml"), targetCommand("kubernetes", "shop.bicepparam", "-o", "former-shop.yaml")} {
		command.Run(context.Background(), args, strings.NewReader(""), io.Discard, io.Discard)
	}
	require.NoError(t, os.Setenv("SECRET", canary))
}

// holdsCanary returns the first of the files that holds the canary, also where a part of it
// is compressed.
func holdsCanary(names ...string) string {
	for _, name := range names {
		text, _ := os.ReadFile(name)
		if strings.Contains(string(text), canary) {
			return name
		}
		for at := 0; ; at++ {
			i := bytes.Index(text[at:], []byte{0x1f, 0x8b, 8})
			if i < 0 {
				break
			}
			at += i
			if r, err := gzip.NewReader(bytes.NewReader(text[at:])); err == nil {
				r.Multistream(false)
				if inner, _ := io.ReadAll(r); bytes.Contains(inner, []byte(canary)) {
					return name
				}
			}
		}
	}
	return ""
}

// TestValuesThatAreNoSecretsAreShown: the same uses of a value that is not a secret show it, in
// a program that has secrets.
func TestValuesThatAreNoSecretsAreShown(t *testing.T) {
	t.Setenv("SECRET", canary)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o777))
	t.Chdir(dir)
	write := func(name, text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }
	write("main.bicep", secretTemplate)
	write("inner.bicep", secretModule)
	const secrets = "var v = '" + canary + "'\nvar e = readEnvironmentVariable('SECRET')\nparam password = '${v}${e}'\nvar o = { pw: v, host: '" + shown + "' }\n"
	for _, statement := range []string{
		"param count = '" + shown + "'",
		"param choice = '" + shown + "'",
		"param choice = o.host",
		"param count = o.host",
		"param text = base64ToString('" + shown + "?')",
		"param text = substring(o.host, 99, 9999)",
		"param text = fail('" + shown + "')",
		"param text = loadTextContent('" + shown + "')",
		"param text = readEnvironmentVariable('" + shown + "')",
		"param pin = loadTextContent('" + shown + ".txt')",
		"param text = " + shown,
		"param text = '" + shown + "'.property",
		"param " + shown + " = e",
		"var " + shown + " = e",
		"param text = { " + shown + "s: 1 }." + shown,
	} {
		write("p.bicepparam", "using 'main.bicep'\n"+secrets+statement+"\n")
		var out, errs strings.Builder
		command.Run(context.Background(), []string{"bicep", "lint", "p.bicepparam", "--color", "never"}, strings.NewReader(""), &out, &errs)
		text := out.String() + errs.String()
		require.Contains(t, text, shown, statement)
		require.NotContains(t, text, canary, statement)
	}

	// What reaches the manifest, and is explained and compared.
	write("p.bicepparam", "using 'main.bicep'\n"+secrets+"param text = o.host\nparam list = [e]\n")
	var out, errs strings.Builder
	status := command.Run(context.Background(), []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "-o", "out.yaml", "--secure-parameters=omit", "--explain-parameters"}, strings.NewReader(""), &out, &errs)
	require.Equal(t, 0, status, errs.String())
	text, err := os.ReadFile("out.yaml")
	require.NoError(t, err)
	require.Contains(t, string(text), shown)
	require.Contains(t, errs.String(), `text = "`+shown+`"`)
	require.NotContains(t, string(text), canary, "the variable flows into a secure parameter too")

	// A variable of the environment that flows into none is written and not shown.
	write("p.bicepparam", "using 'main.bicep'\nparam text = readEnvironmentVariable('SECRET')\n")
	for _, flag := range []string{"--diff", "--explain-parameters"} {
		out.Reset()
		errs.Reset()
		command.Run(context.Background(), []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "-o", "env.yaml", flag}, strings.NewReader(""), &out, &errs)
		require.NotContains(t, out.String()+errs.String(), canary)
		require.Contains(t, errs.String(), "(secure)")
	}
	text, err = os.ReadFile("env.yaml")
	require.NoError(t, err)
	require.Contains(t, string(text), canary)
}

// TestTargetsWriteAndHide: a target writes a value of the environment and does not show it; any
// other value it shows, in the same messages.
func TestTargetsWriteAndHide(t *testing.T) {
	t.Setenv("SECRET", canary)
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o777))
	t.Chdir(dir)
	write := func(name, text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }
	for _, base := range writeTargetTemplates(write) {
		const params = "param list = [e]\nparam text = e\n"
		write(base+"-open.bicepparam", "using '"+base+".bicep'\nvar e = '"+shown+"'\n"+params)
		write(base+"-env.bicepparam", "using '"+base+".bicep'\nvar e = readEnvironmentVariable('SECRET')\n"+params)
	}
	generate := func(target, file string, more ...string) (status int, text string) {
		var out, errs strings.Builder
		status = command.Run(context.Background(), targetCommand(target, file+".bicepparam", more...), strings.NewReader(""), &out, &errs)
		require.NotContains(t, strings.ToLower(out.String()+errs.String()), strings.ToLower(canary), file)
		return status, out.String() + errs.String()
	}
	for _, one := range []struct {
		target, base string
		messages     int
		once         bool // what a value of the environment makes fail is one message
	}{{"aso", "asobad", 25, false}, {"aso", "asofails", 3, true}, {"crossplane", "crossbad", 6, false}, {"kubernetes", "kubebad", 6, false},
		{"kubernetes", "shopbad", 6, false}} {
		status, open := generate(one.target, one.base+"-open", "-o", "x.yaml")
		require.Equal(t, cli.ExitSource, status, open)
		status, hidden := generate(one.target, one.base+"-env", "-o", "x.yaml")
		require.Equal(t, cli.ExitSource, status, hidden)
		require.GreaterOrEqual(t, strings.Count(open, " : Error "), one.messages, open)
		if one.once {
			require.Contains(t, hidden, "because of a value of the environment")
		} else {
			require.Equal(t, strings.Count(open, " : Error "), strings.Count(hidden, " : Error "), "%s\n%s", open, hidden)
		}
		require.GreaterOrEqual(t, strings.Count(open, shown), one.messages/2, open)
	}
	for base, target := range map[string]string{"aso": "aso", "cross": "crossplane", "kube": "kubernetes", "shop": "kubernetes"} {
		status, text := generate(target, base+"-open", "-o", base+"-open.yaml", "--diff")
		require.Equal(t, cli.ExitStale, status, text)
		require.Contains(t, strings.ToLower(text), "-"+strings.ToLower(shown), "it is in a name")
		status, text = generate(target, base+"-env", "-o", base+".yaml", "--diff")
		require.Equal(t, cli.ExitStale, status, text)
		require.Contains(t, text, `name: "(secure)"`)
		require.Contains(t, text, "+kind: ", "what does not come from the environment is shown")

		status, text = generate(target, base+"-env", "-o", base+".yaml")
		require.Zero(t, status, text)
		require.Equal(t, base+".yaml", holdsCanary(base+".yaml"), "it is written")
		written, err := os.ReadFile(base + ".yaml")
		require.NoError(t, err)
		write("former.yaml", strings.ReplaceAll(strings.ReplaceAll(string(written), canary, former), strings.ToLower(canary), strings.ToLower(former))+"---\nnote: 1\n")
		_, text = generate(target, base+"-env", "-o", "former.yaml", "--diff")
		if require.NotContains(t, text, former); target != "kubernetes" { // whose file is known by its header
			require.Contains(t, text, "it cannot be shown")
		}
		write("former.yaml", strings.ReplaceAll(strings.ReplaceAll(string(written), canary, former), "Observe", "Watch"))
		_, text = generate(target, base+"-env", "-o", "former.yaml", "--diff")
		require.NotContains(t, text, former)

		var out, errs strings.Builder
		status = command.Run(context.Background(), targetCommand(target, base+".bicep", "-p", "text=@env:SECRET", "-o", base+"-open.yaml", "--diff"), strings.NewReader(""), &out, &errs)
		require.Equal(t, cli.ExitStale, status, errs.String())
		require.NotContains(t, strings.ToLower(out.String()+errs.String()), strings.ToLower(canary), "@env: is the environment too")

		status, text = generate(target, base+"-env", "--outdir", base, "--format", "json")
		require.Zero(t, status, text)
		for file := range strings.SplitSeq(text, "\n") {
			if _, name, ok := strings.Cut(file, `"file": "`); ok {
				require.FileExists(t, strings.TrimSuffix(strings.TrimSpace(name), `",`))
			}
		}
	}
}

// TestManifestsWithSecretsArePrivate: only the owner can read them, whether they are
// new, changed or the same as before.
func TestManifestsWithSecretsArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".git"), 0o777))
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("main.bicep", []byte(secretTemplate), 0o600))
	require.NoError(t, os.WriteFile("inner.bicep", []byte(secretModule), 0o600))
	generate := func(args ...string) os.FileMode {
		var out, errs strings.Builder
		status := command.Run(context.Background(), append([]string{"bicep", "generate-kubernetes-manifest", "main.bicep", "-o", "a.yaml"}, args...), strings.NewReader(""), &out, &errs)
		require.Equal(t, 0, status, errs.String())
		info, err := os.Stat("a.yaml")
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	secret := []string{"-p", "password=" + canary, "--secure-parameters=allow"}
	require.NoError(t, os.WriteFile("a.yaml", nil, 0o644))
	require.Equal(t, os.FileMode(0o600), generate(secret...), "a file that was there")
	require.NoError(t, os.Chmod("a.yaml", 0o644))
	require.Equal(t, os.FileMode(0o600), generate(secret...), "one that did not change")
	require.NoError(t, os.Remove("a.yaml"))
	require.Equal(t, os.FileMode(0o600), generate(secret...), "a new one")
	require.NoError(t, os.Remove("a.yaml"))
	require.NotEqual(t, os.FileMode(0o600), generate(), "without secrets")
}
