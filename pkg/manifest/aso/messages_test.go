package aso

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// TestLongMessages: a message shows the beginning of what is long, and no half of a character.
func TestLongMessages(t *testing.T) {
	t.Parallel()
	value := func(n int) string {
		return convertSmall(t, thing(`'mode': '`+strings.Repeat("x", n)+`'`), options{}).problems()
	}
	const takes = "; Thing of Azure Service Operator's v1 takes Basic, Premium or SystemAssigned,UserAssigned"
	is := `aso-value: "properties.mode" of "a" is "`
	assert.Equal(t, is+strings.Repeat("x", 298)+`"`+takes, value(298))
	assert.Equal(t, is+strings.Repeat("x", 299)+"…"+takes, value(299))
	wide := convertSmall(t, thing(`'mode': '`+strings.Repeat("é", 200)+`'`), options{}).problems()
	assert.Equal(t, is+strings.Repeat("é", 149)+"…"+takes, wide)
}

// TestLists: "a, b or c", and the first twenty of many.
func TestLists(t *testing.T) {
	t.Parallel()
	var list []string
	for i := range 21 {
		list = append(list, strconv.Itoa(i))
	}
	const first = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18"
	for n, want := range map[int]string{0: "", 1: "0", 2: "0 or 1", 3: "0, 1 or 2", 20: first + " or 19", 21: first + ", 19 …"} {
		assert.Equal(t, want, orList(list[:n]), "%d", n)
	}
}

// TestPlaces are how messages call a place in a body.
func TestPlaces(t *testing.T) {
	t.Parallel()
	it := &item{resource: &expand.Resource{Symbol: "a"}, armType: "A.B/c"}
	n := func(n int) string { return strings.Repeat("n", n) }
	for _, c := range []struct {
		path []string
		want string
	}{
		{nil, ""},
		{[]string{"a"}, "a"},
		{[]string{"a", "b", "0", "c"}, "a.b[0].c"},
		{[]string{"0", "12", "9a", "a9"}, "[0][12].9a.a9"},
		{[]string{n(1000), "x"}, n(1000) + ".x"},
		{[]string{n(1001), "x"}, n(1000) + "……"},
		{[]string{strings.Repeat("é", 501)}, strings.Repeat("é", 500) + "…"},
		{[]string{n(500), n(499), "x", "y"}, n(500) + "." + n(499) + ".x…"},
		{[]string{n(500), n(499), "7", "y"}, n(500) + "." + n(499) + "[7]…"},
	} {
		assert.Equal(t, fmt.Sprintf("%q of %q", c.want, "a"), walker{it: it, path: c.path}.text())
	}
	it.resource.Symbol = ""
	assert.Equal(t, `"x" of "A.B/c/…"`, walker{it: it, path: []string{"x"}}.text(), "a resource without a symbol is called by type and name")
}

// TestLimits of texts, integers and lists, at both sides.
func TestLimits(t *testing.T) {
	t.Parallel()
	n := func(n int64) *int64 { return &n }
	assert.Empty(t, (*limits)(nil).text("x")+(*limits)(nil).integer(1)+(*limits)(nil).items(1))
	assert.Empty(t, (&limits{}).text("")+(&limits{}).integer(0)+(&limits{}).items(0))
	one := &limits{minLength: n(1), maxLength: n(2), minimum: n(-1), maximum: n(1), minItems: n(1), maxItems: n(2)}
	for text, want := range map[string]string{"": "want at least 1 character", "é": "", "éé": "", "ééé": "want at most 2 characters"} {
		assert.Equal(t, want, one.text(text), text)
	}
	for i, want := range map[int64]string{-2: "want at least -1", -1: "", 0: "", 1: "", 2: "want at most 1"} {
		assert.Equal(t, want, one.integer(i), i)
	}
	for i, want := range map[int]string{0: "want at least 1 element", 1: "", 2: "", 3: "want at most 2 elements"} {
		assert.Equal(t, want, one.items(i), i)
	}
	many := &limits{minLength: n(2), maxLength: n(1), minItems: n(2), pattern: "("}
	assert.Equal(t, "want at least 2 characters", many.text("x"))
	assert.Equal(t, "want at least 2 elements", many.items(1))
	assert.Empty(t, (&limits{pattern: "("}).text("x"), "a pattern of another form than Go's is not looked at")
	for i, want := range map[int64]string{0: "", 4: "", -4: "", 2: "want a multiple of 4", 5: "want a multiple of 4"} {
		assert.Equal(t, want, (&limits{multipleOf: n(4)}).integer(i), i)
	}
	assert.Empty(t, (&limits{multipleOf: n(0)}).integer(3))
	assert.Equal(t, "want at most 1 character", (&limits{maxLength: n(1)}).text("xx"))
}

// TestNewer: a stable version follows its preview and all before it.
func TestNewer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stable, than string
		want         bool
	}{
		{"2024-01-02", "2024-01-01", true}, {"2024-01-01", "2024-01-01", false}, {"2024-01-01", "2024-01-02", false},
		{"2024-01-01", "2024-01-01-preview", true}, {"2024-01-01", "2024-01-02-preview", false}, {"2024-01-02", "2024-01-01-preview", true},
		{"2024-01-01", "2024", true}, {"2024-01-01", "", true},
	} {
		assert.Equal(t, c.want, isNewer(c.stable, c.than), "%v", c)
	}
	assert.False(t, isPreview("2024-01-01"))
	assert.True(t, isPreview("2024-01-01-preview"))
}

// TestOwns: a kind of the operator is known by its group.
func TestOwns(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]bool{"network.azure.com/v1": true, "resources.azure.com/v1api20200601": true, "azure.com/v1": false, "v1": false, "network.example.com/azure.com": false, "network.azure.com.example/v1": false, "": false} {
		assert.Equal(t, want, Owns(manifest.Head{APIVersion: version}), version)
	}
}

// TestOptions: the whole messages about options, with which no object is made.
func TestOptions(t *testing.T) {
	t.Parallel()
	r := thing("")
	for _, c := range []struct {
		o    options
		want string
	}{
		{options{options: map[string]string{ReconcilePolicy: "Skip"}}, `the annotation serviceoperator.azure.com/reconcile-policy is "Skip", which the operator takes for manage; want manage, skip or detach-on-delete`},
		{options{options: map[string]string{CredentialFrom: "No Name"}}, `the credential "No Name": want the name of a secret: lower-case letters, digits, dots and -`},
	} {
		out, err := tryConvert(t, r, c.o)
		require.EqualError(t, err, c.want)
		assert.Nil(t, out)
	}
	secured := options{parameters: smallParameters, name: "No_Name"}
	_, err := tryConvert(t, thing("'password': '[parameters(`pw`)]'"), secured)
	require.EqualError(t, err, `"No_Name" cannot be the name of the secret that holds the values of secure parameters; give the manifest another name with lower-case letters, digits, dots and -`)
	_, err = tryConvert(t, r, secured)
	require.NoError(t, err, "the name is not used")
	m := convertSmall(t, r, options{options: map[string]string{ReconcilePolicy: "detach-on-delete", CredentialFrom: "cred"}})
	assert.Contains(t, m.fine(), "    serviceoperator.azure.com/credential-from: cred\n    serviceoperator.azure.com/reconcile-policy: detach-on-delete\n")
	m = convertSmall(t, r, options{options: map[string]string{ReconcilePolicy: "manage"}})
	assert.NotContains(t, m.fine(), "annotations")
}

// TestComments name the secrets in order, and each key once.
func TestComments(t *testing.T) {
	t.Parallel()
	const head = "Make these secrets in the namespace of the objects; they hold the values of secure parameters:"
	for _, c := range []struct {
		needed []needed
		want   []string
	}{
		{nil, nil},
		{[]needed{{name: "b", key: "y"}, {name: "a", key: "x"}, {name: "b", key: "x"}, {name: "b", key: "y"}}, []string{head, "  a, with the keys x", "  b, with the keys x, y"}},
		{[]needed{{name: "m-o", key: ""}, {name: "m-o", key: ""}, {name: "m", key: "x"}}, []string{head, "  m, with the keys x", "  m-o, with a key for each value"}},
		{[]needed{{name: "m", key: ""}, {name: "m", key: "x"}}, []string{head, "  m, with the keys x"}},
		{[]needed{{name: "m", key: "x", issued: true}}, []string{strings.TrimSuffix(head, ":") + ", and keys that Azure issues and the operator does not write:", "  m, with the keys x"}},
		{[]needed{{name: "m", key: "x"}, {name: "m", key: ""}}, []string{head, "  m, with the keys x"}},
	} {
		assert.Equal(t, c.want, (&converter{secrets: c.needed}).comments())
	}
}

// TestWhereThingsAre: messages say where a property is declared, and the other of two declarations without its folder.
func TestWhereThingsAre(t *testing.T) {
	t.Parallel()
	files := source.Memory{"/deep/main.bicep": `param names array = ['one']
param name string = 'net'
param now string = utcNow()
resource a 'Microsoft.Network/virtualNetworks@2020-11-01' = {
  name: 'net'
  location: 'x'
  properties: {
    addressSpace: { addressPrefixes: [3] }
    subnets: [
      { name: 'one', properties: { addressPrefix: 1 } }
    ]
  }
}
resource b 'Microsoft.Network/virtualNetworks@2020-11-01' = {
  name: name
  location: 'y'
  properties: { addressSpace: { addressPrefixes: names } }
}
resource c 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'No'
  location: 'x'
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }

  resource blobs 'blobServices' = {
    name: name
  }
}
resource f 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  scope: c
  name: 'x'
  properties: { principalId: 'p', roleDefinitionId: 'r' }
}
resource g 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: now
  location: 'x'
}
`}
	result, err := bicep.Embedded{}.Build(t.Context(), bicep.Request{FS: files, File: "/deep/main.bicep", Options: bicep.Options{Symbolic: true}})
	require.NoError(t, err)
	require.True(t, result.OK(), "%v", result.Findings)
	template, err := result.TemplateTree()
	require.NoError(t, err)
	program, err := expand.Expand(template, expand.Options{Context: expand.Context{SubscriptionID: subscription, ResourceGroup: "apps"}, Tolerant: true, Places: result.Places})
	require.NoError(t, err)
	out, err := Convert(objects.Input{Program: program, Name: "main"})
	require.NoError(t, err)
	var got []string
	for _, p := range out.Problems {
		got = append(got, p.Position.String()+" "+p.Message)
	}
	assert.Equal(t, []string{
		`/deep/main.bicep(8,39) "properties.addressSpace.addressPrefixes[0]" of "a" is a number; Azure Service Operator takes a text`,
		`/deep/main.bicep(10,36) "properties.addressPrefix" of "Microsoft.Network/virtualNetworks/subnets/net/one" is a number; Azure Service Operator takes a text`,
		`/deep/main.bicep(14,1) Microsoft.Network/virtualNetworks net is declared twice with different properties (the other is at main.bicep(4,1)); a cluster has one object for it`,
		`/deep/main.bicep(20,3) the name "No" of "c" is not valid: want at least 3 characters`,
		`/deep/main.bicep(26,5) "c::blobs" is called "net", and Azure Service Operator calls every StorageAccountsBlobService "default"; change the name`,
		`/deep/main.bicep(32,35) "properties.roleDefinitionId" of "f" is "r"; Azure Service Operator takes the ID of a resource: /subscriptions/…`,
		`/deep/main.bicep(35,3) the name of "g" is not known before the deployment: it differs in each deployment; pass it as a parameter: [utcNow()]`,
	}, got)
	assert.Equal(t, "m.bicep(3,4)", expand.Position{File: `C:\a\m.bicep`, Line: 3, Column: 4}.Short())
	assert.Equal(t, "m.bicep(3,4)", expand.Position{File: `m.bicep`, Line: 3, Column: 4}.Short())
}

// TestMissingOptions: what depends on where the program is deployed names the options that say it.
func TestMissingOptions(t *testing.T) {
	t.Parallel()
	none := &expand.Context{}
	missing := []string{objects.OptionSubscription, objects.OptionGroup}
	m := convertSmall(t, thing("")+`, 'p': {'type': '/things/parts@1', 'name': 'abd/one'}`, options{context: none, missing: missing})
	var got []string
	for _, p := range m.Problems {
		got = append(got, fmt.Sprint(p.Code, ": ", p.Message, " ", p.Missing))
	}
	assert.Equal(t, []string{
		`value-not-known: what "a" belongs to is not known [subscription-id resource-group]`,
		`value-not-known: the ID of the parent of "p" is not known [subscription-id resource-group]`,
	}, got)
	// Resources of the program are found where the IDs are not known, too.
	m = convertSmall(t, thing("")+`, 'p': {'type': '/things/parts@1', 'name': 'abc/one'}, 'f': {'type': '/free@1', 'name': 'f'}`, options{context: none, missing: missing})
	assert.Equal(t, "value-not-known: what \"a\" belongs to is not known", m.problems())
}

// moduleIn is a module that is deployed to a group.
func moduleIn(group, resources string) string {
	return `'m': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '2022-09-01', 'name': 'm', 'resourceGroup': '` + group + `', 'properties': {'mode': 'Incremental',
		'expressionEvaluationOptions': {'scope': 'inner'}, 'template': {'$schema': 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
		'languageVersion': '2.0', 'contentVersion': '1.0.0.0', 'resources': {` + resources + `}}}}`
}

// TestGroups: resources of modules belong to the group that the module is deployed to.
func TestGroups(t *testing.T) {
	t.Parallel()
	const abc = `'a': {'type': '/things@1', 'name': 'abc'}`
	const other = "/subscriptions/" + subscription + "/resourceGroups/other"
	for _, c := range []struct{ resources, want string }{
		{abc + ", " + moduleIn("other", abc), `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
Thing abc-a3cce0d0 {"azureName":"abc","owner":{"armId":"` + other + `"}}`},
		{abc + ", " + moduleIn("APPS", abc), `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}`},
		{moduleIn("other", `'p': {'type': '/things/parts@1', 'name': 'abc/one'}`), `ThingsPart one {"azureName":"one","owner":{"armId":"` + other + `/providers/Acme.Things/things/abc"}}`},
		{moduleIn("other", `'a': {'type': '/things@1', 'name': 'abc', 'location': '[resourceGroup().location]'}`),
			`value-not-known: "location" of "a" is the location of a resource group that the program does not make; give it by a parameter`},
		{moduleIn("apps", `'a': {'type': '/things@1', 'name': 'abc', 'location': '[resourceGroup().location]'}`), `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"location":"westeurope"}`},
	} {
		assert.Equal(t, c.want, convertSmall(t, c.resources, options{}).brief(), c.resources)
	}
	for _, c := range []struct{ resources, want string }{
		{moduleIn("[parameters(`e`)]", `'a': {'type': '/others@1', 'name': 'x_y'}, 'b': {'type': '/others@1', 'name': 'x-y'}, 'g': {'type': '/grants@1', 'name': 'g', 'scope': '[resourceId(`+"`Acme.Things/others`, `x-y`"+`)]'}`),
			`m-g: "(secure)" {"azureName":"g","owner":{"group":"acme.azure.com","kind":"Other","name":"(secure)"}}
x-y: "(secure)" {"azureName":"x_y","owner":{"armId":"(secure)"}}
m-b: "(secure)" {"azureName":"x-y","owner":{"armId":"(secure)"}}`}, // the hash in a name comes from the group
		{moduleIn("[parameters(`e`)]", `'p': {'type': '/things/parts@1', 'name': 'abc/one'}`), `one: "one" {"azureName":"one","owner":{"armId":"(secure)"}}`},
	} {
		assert.Equal(t, c.want, convertSmall(t, c.resources, options{parameters: hiddenParameters, values: hiddenValues}).masked(), c.resources)
	}
}
