package aso

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

const subscription = "00000000-0000-0000-0000-000000000001"

// convert compiles a program and makes its objects.
func convert(t testing.TB, text string) *objects.Output {
	t.Helper()
	result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: source.Memory{"/main.bicep": text}, File: "/main.bicep", Options: bicep.Options{Symbolic: true}})
	require.NoError(t, err)
	require.True(t, result.OK(), "%v", result.Findings)
	template, err := result.TemplateTree()
	require.NoError(t, err)
	out, err := convertTemplate(template)
	require.NoError(t, err)
	return out
}

func convertTemplate(template *armjson.Object) (*objects.Output, error) {
	program, err := expand.Expand(template, expand.Options{
		Context: expand.Context{SubscriptionID: subscription, ResourceGroup: "apps", Location: "westeurope"}, Tolerant: true,
		Limits: expand.Limits{Resources: 300, Copies: 100, Modules: 20},
	})
	if err != nil {
		return nil, err
	}
	return Convert(objects.Input{Program: program, Name: "main", Secure: secureOf(template), Options: map[string]string{}})
}

// secureOf returns which parameters of a template are secure.
func secureOf(template *armjson.Object) map[string]bool {
	secure := map[string]bool{}
	if params := template.Object("parameters"); params != nil {
		for name := range params.All() {
			secure[name] = strings.Contains(strings.ToLower(armjson.Text(params.Object(name))), `"secure`)
		}
	}
	return secure
}

// problems returns the messages of an output.
func problems(out *objects.Output) string {
	var b strings.Builder
	for _, p := range out.Problems {
		fmt.Fprintf(&b, "%s: %s\n", p.Code, p.Message)
	}
	return b.String()
}

func render(t testing.TB, out *objects.Output) string {
	t.Helper()
	text, err := manifest.RenderObjects(out.Objects, nil, manifest.YAML)
	require.NoError(t, err)
	return string(text)
}

// TestTable: the committed table is whole, and its numbers lead somewhere.
func TestTable(t *testing.T) {
	t.Parallel()
	table := newTable(unpack())
	require.Regexp(t, `^\d+\.\d+\.\d+$`, table.version)
	kinds, versions := 0, 0
	for armType := range table.kinds {
		kinds++
		for _, k := range table.versions(armType) {
			versions++
			require.True(t, strings.HasSuffix(k.group, groupSuffix), k.group)
			require.Contains(t, k.apiVersion, "20")
			seen := map[int]bool{}
			var walk func(id int)
			walk = func(id int) {
				if seen[id] {
					return
				}
				seen[id] = true
				for _, f := range table.object(id).fields {
					typ := strings.TrimLeft(f.typ, "[{")
					switch typ[0] {
					case 'e', 'E':
						require.NotEmpty(t, table.enum(number(typ[1:]))[0])
					case 's', 'i', 'n', 'b', 'j', 'r', 'p', 'P', 'u':
						require.Len(t, typ, 1, f.name)
					default:
						walk(number(typ))
					}
				}
			}
			walk(k.spec)
			if k.limits != nil {
				_, err := regexp.Compile(k.limits.pattern)
				require.NoError(t, err)
			}
		}
	}
	require.Equal(t, []int{231, 409}, []int{kinds, versions})
}

// check holds an object to the table, from the object's side: every field is one of the
// kind's, has its type, and is there if it is required. It shares no code with the walk
// from bodies to specs.
func check(table *table, o *manifest.Object) error {
	group, version, _ := strings.Cut(o.APIVersion, "/")
	var k *kind
	for _, lines := range table.kinds {
		for _, line := range lines {
			if strings.HasPrefix(line, group+" "+version+" ") && strings.Split(line, " ")[3] == o.Kind {
				k = table.kind(line)
			}
		}
	}
	if k == nil {
		return fmt.Errorf("there is no kind %s %s", o.APIVersion, o.Kind)
	}
	if !manifest.IsSubdomain(o.Name) {
		return fmt.Errorf("%q is not a name", o.Name)
	}
	spec := o.Root().Object("spec")
	owner := spec.Object("owner")
	if (owner != nil) != (k.owner != "-") {
		return fmt.Errorf("%s: owner %v", o.Name, owner)
	}
	if owner != nil {
		if err := checkReference(owner, k.owner == "*"); err != nil {
			return fmt.Errorf("%s: owner: %w", o.Name, err)
		}
	}
	if (spec.Find("azureName") >= 0) != (k.fixedName == "") {
		return fmt.Errorf("%s: azureName", o.Name)
	}
	rest := armjson.NewObject()
	for name, v := range spec.All() {
		if name != "azureName" && name != "owner" && name != "operatorSpec" {
			rest.Set(name, v)
		}
	}
	if err := checkObject(table, k.spec, rest); err != nil {
		return fmt.Errorf("%s %s: %w", o.Kind, o.Name, err)
	}
	return nil
}

func checkReference(o *armjson.Object, whole bool) error {
	var keys []string
	for name := range o.All() {
		keys = append(keys, name)
	}
	slices.Sort(keys)
	switch got := strings.Join(keys, " "); {
	case got == "armId":
		if id, _ := o.Get("armId"); !isARMID(string(id.(armjson.String))) {
			return fmt.Errorf("%v is no ID", id)
		}
	case got == "group kind name" && whole, got == "name" && !whole:
	default:
		return fmt.Errorf("it has %s", got)
	}
	return nil
}

func checkObject(table *table, id int, o *armjson.Object) error {
	t := table.object(id)
	fields := map[string]*field{}
	for _, f := range t.fields {
		fields[f.name] = f
		if f.config {
			fields[f.name+"FromConfig"] = &field{name: f.name + "FromConfig", typ: "p"}
		}
	}
	for name, v := range o.All() {
		f := fields[name]
		if f == nil {
			return fmt.Errorf("there is no field %s", name)
		}
		if err := checkValue(table, f.typ, v, f.limits); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if t.discriminator != "" {
		if o.Len() != 1 {
			return fmt.Errorf("a union has %d variants", o.Len())
		}
		return nil
	}
	for _, f := range t.fields {
		if f.required && o.Find(f.name) < 0 {
			return fmt.Errorf("%s is missing", f.name)
		}
	}
	return nil
}

func checkValue(table *table, typ string, v armjson.Value, l *limits) error {
	bad := fmt.Errorf("%s is no %s", armjson.Text(v), typ)
	object, isObject := v.(*armjson.Object)
	list, isList := v.(armjson.Array)
	text, isText := v.(armjson.String)
	n, isNumber := v.(armjson.Number)
	switch typ[0] {
	case 's':
		if !isText || l != nil && (l.minLength != nil && int64(utf8.RuneCountInString(string(text))) < *l.minLength || l.pattern != "" && !regexp.MustCompile(l.pattern).MatchString(string(text))) {
			return bad
		}
	case 'i':
		if i, ok := n.Int64(); !isNumber || !ok || l != nil && (l.minimum != nil && i < *l.minimum || l.maximum != nil && i > *l.maximum) {
			return bad
		}
	case 'n':
		if _, err := strconv.ParseFloat(string(n), 64); !isNumber || err != nil {
			return bad
		}
	case 'b':
		if _, ok := v.(armjson.Bool); !ok {
			return bad
		}
	case 'e':
		if !isText || !slices.Contains(table.enum(number(typ[1:])), string(text)) {
			return bad
		}
	case 'E':
		if !isNumber || !slices.Contains(table.enum(number(typ[1:])), string(n)) {
			return bad
		}
	case 'j':
	case 'r':
		if !isObject {
			return bad
		}
		return checkReference(object, true)
	case 'p':
		if !isObject || object.Len() != 2 || object.Find("name") < 0 || object.Find("key") < 0 {
			return bad
		}
	case 'P':
		if !isObject || object.Len() != 1 || object.Find("name") < 0 {
			return bad
		}
	case 'u':
		for _, one := range list {
			o, _ := one.(*armjson.Object)
			if o.Object("reference") == nil {
				return bad
			}
		}
	case '[':
		if !isList {
			return bad
		}
		for _, one := range list {
			if err := checkValue(table, typ[1:], one, nil); err != nil {
				return err
			}
		}
	case '{':
		if !isObject {
			return bad
		}
		for _, one := range object.All() {
			if err := checkValue(table, typ[1:], one, nil); err != nil {
				return err
			}
		}
	default:
		if !isObject {
			return bad
		}
		return checkObject(table, number(typ), object)
	}
	return nil
}

// TestGoldensAreValid reads the expected objects of the sample programs and holds them to
// the table.
func TestGoldensAreValid(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../testdata/targets/aso/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 15)
	table := newTable(unpack())
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, document := range strings.Split(string(text), "---\n") {
			asJSON, err := yaml.YAMLToJSON([]byte(document))
			require.NoError(t, err)
			v, err := armjson.ParseBytes(asJSON, armjson.Options{})
			require.NoError(t, err)
			root := v.(*armjson.Object)
			of := func(o *armjson.Object, name string) string {
				v, _ := o.Get(name)
				s, _ := v.(armjson.String)
				return string(s)
			}
			o := &manifest.Object{APIVersion: of(root, "apiVersion"), Kind: of(root, "kind"), Name: of(root.Object("metadata"), "name"), Fields: []armjson.Member{{Key: "spec", Value: root.Object("spec")}}}
			require.NoError(t, check(table, o), file)
		}
	}
}

func TestVersions(t *testing.T) {
	t.Parallel()
	for _, one := range []struct{ armType, version, want string }{
		{"Microsoft.Storage/storageAccounts", "2023-01-01", "2023-01-01"},
		{"microsoft.storage/StorageAccounts", "2021-09-01", "2022-09-01"}, // the oldest that is newer
		{"Microsoft.Storage/storageAccounts", "2015-06-15", "2021-04-01"},
		{"Microsoft.Storage/storageAccounts", "2024-01-01", "2023-01-01"}, // the newest
		{"Microsoft.KeyVault/vaults", "2021-04-01-preview", "2021-04-01-preview"},
		{"Microsoft.KeyVault/vaults", "2021-06-01-preview", "2023-07-01"}, // never another preview
		{"Microsoft.Storage/storageAccounts", "2023-01-01-preview", "2023-01-01"},
	} {
		c := &converter{out: &objects.Output{}, table: newTable(unpack())}
		k := c.choose(one.armType, one.version, expand.Position{}, "it")
		require.NotNil(t, k, one)
		require.Equal(t, one.want, k.apiVersion, one)
		if one.want == one.version {
			require.Empty(t, c.out.Warnings)
			continue
		}
		require.Len(t, c.out.Warnings, 1)
		message := c.out.Warnings[0].Message
		require.Less(t, strings.Index(message, one.version), strings.LastIndex(message, one.want), "the version of the program comes first: %s", message)
	}
}

func TestARMIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"/subscriptions/s": true, "/subscriptions/s/resourceGroups/g": true, "/SUBSCRIPTIONS/s/resourcegroups/g": true,
		"/subscriptions/s/resourceGroups/g/providers/A.B/c/d": true, "/subscriptions/s/providers/A.B/c/d": true,
		"/subscriptions/s/resourceGroups/g/providers/A.B/c/d/providers/E.F/g/h": true, "/providers/A.B/c/d": true,
		"": false, "/": false, "/subscriptions": false, "/subscriptions/": false, "subscriptions/s": false,
		"/subscriptions/s/resourceGroups": false, "/subscriptions/s/resourceGroups/g/": false,
		"/subscriptions/s/resourceGroups/g/providers/A.B/c": false, "/providers/A.B": false, "Reader": false, "/a/b/c": false,
	} {
		require.Equal(t, want, isARMID(id), id)
	}
}

// TestSecretsAreNowhere: the value of a secure parameter is in no object, comment or message.
func TestSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	out := convert(t, `@secure()
param password string = 'CANARY-1'
resource server 'Microsoft.DBforPostgreSQL/flexibleServers@2022-12-01' = {
  name: 'db'
  location: 'westeurope'
  tags: { a: password, b: '${password}x' }
  properties: { administratorLoginPassword: '${password}y', version: password }
}
resource good 'Microsoft.DBforPostgreSQL/flexibleServers@2022-12-01' = {
  name: 'good'
  location: 'westeurope'
  properties: { administratorLoginPassword: password }
}
`)
	text := render(t, out) + strings.Join(out.Comments, "\n") + problems(out)
	require.NotContains(t, text, "CANARY")
	require.Contains(t, text, "  administratorLoginPassword:\n    name: main\n    key: password\n")
	require.Equal(t, 4, strings.Count(problems(out), CodeSecret), problems(out))
	require.Contains(t, strings.Join(out.Comments, "\n"), "main, with the keys password")
}

// TestValuesOfExisting: the operator carries values of its own objects. A value of an existing
// resource is refused, and never left out.
func TestValuesOfExisting(t *testing.T) {
	t.Parallel()
	program := func(existing string) *objects.Output {
		return convert(t, `resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' `+existing+`
resource grant 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid('a')
  properties: { principalId: identity.properties.principalId, roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'r') }
}
`)
	}
	own := program("= { name: 'me', location: 'x' }")
	require.Empty(t, problems(own))
	require.Contains(t, render(t, own), "principalIdFromConfig:\n    name: me\n    key: principalId\n")
	require.Contains(t, problems(program("existing = { name: 'me' }")), "aso-reference: \"properties.principalId\" of \"grant\" is a value of identity, which is `existing`, and")
}

// TestEqualResourcesAreOneObject, and unequal ones an error.
func TestEqualResourcesAreOneObject(t *testing.T) {
	t.Parallel()
	program := `param x string
module a 'm.bicep' = { params: { location: 'westeurope' } }
module b 'm.bicep' = { params: { location: x } }
`
	for x, want := range map[string]int{"westeurope": 0, "northeurope": 1} {
		files := source.Memory{"/main.bicep": strings.Replace(program, "string\n", "string = '"+x+"'\n", 1), "/m.bicep": `param location string
resource id 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'me'
  location: location
}
`}
		result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/main.bicep", Options: bicep.Options{Symbolic: true}})
		require.NoError(t, err)
		template, err := result.TemplateTree()
		require.NoError(t, err)
		out, err := convertTemplate(template)
		require.NoError(t, err)
		require.Len(t, out.Problems, want, problems(out))
		require.Len(t, out.Objects, 1)
	}
}

// TestSecretsOfModules: a parameter of a module is not the template's parameter of the same name.
func TestSecretsOfModules(t *testing.T) {
	t.Parallel()
	const module = `
@secure()
param password string
resource server 'Microsoft.DBforMySQL/flexibleServers@2023-06-30' = {
  name: 'shop', location: 'x', sku: { name: 'x', tier: 'Burstable' }, properties: { administratorLogin: 'a', administratorLoginPassword: password }
}`
	output := func(value string) *objects.Output {
		result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: "/main.bicep", Options: bicep.Options{Symbolic: true}, FS: source.Memory{"/db.bicep": module, "/main.bicep": `
@secure()
param password string
@secure()
param id string = newGuid()
resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = { name: 'v' }
module db 'db.bicep' = { name: 'db', params: { password: ` + value + ` } }
output used string = '${vault.id}${length(password)}${length(id)}'
`}})
		require.NoError(t, err)
		require.True(t, result.OK(), "%v", result.Findings)
		template, err := result.TemplateTree()
		require.NoError(t, err)
		out, err := convertTemplate(template)
		require.NoError(t, err)
		return out
	}
	require.Contains(t, render(t, output("password")), "administratorLoginPassword:\n    name: main\n    key: password\n")
	require.Contains(t, problems(output("'plain'")), "gets plain text")
	require.Contains(t, problems(output("vault.getSecret('s')")), "is in a key vault")
	require.Contains(t, problems(output("'${password}!'")), "is computed from a secure value")
}

// TestNamesStay: where names meet, the first in the program keeps the plain one, and what is
// added later changes no name: a new name would delete the resource and make it again.
func TestNamesStay(t *testing.T) {
	t.Parallel()
	names := func(more, child string) map[string]string {
		out := convert(t, `
resource first 'Microsoft.Network/virtualNetworks@2020-11-01' = { name: 'shop_net', location: 'x'`+more+`, properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } } }
resource second 'Microsoft.Network/virtualNetworks@2020-11-01' = { name: 'shop-net', location: 'x', properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } }
`+child+`
}
`)
		require.Empty(t, problems(out))
		names := map[string]string{}
		for _, o := range out.Objects {
			spec, ok := o.Fields[0].Value.(*armjson.Object)
			require.True(t, ok)
			azure, _ := spec.Get("azureName")
			names[armjson.Text(azure)] = o.Name
		}
		return names
	}
	plain := names("", "")
	require.Equal(t, "shop-net", plain[`"shop_net"`])
	require.Regexp(t, "^shop-net-[0-9a-f]{8}$", plain[`"shop-net"`])
	for _, more := range []map[string]string{
		names("", "resource a 'subnets' = { name: 'a', properties: { addressPrefix: '10.0.0.0/24' } }"),
		names(", dependsOn: [second]", ""),
	} {
		require.Equal(t, plain[`"shop_net"`], more[`"shop_net"`])
		require.Equal(t, plain[`"shop-net"`], more[`"shop-net"`])
	}
}

// TestAnnotations: what the options say of a resource, what an annotation of all objects says, and where they disagree.
func TestAnnotations(t *testing.T) {
	t.Parallel()
	const program = "'store': {'type': '/things@1', 'name': 'abc'}, " +
		"'part': {'copy': {'name': 'part', 'count': 2}, 'type': '/things/parts@1', 'name': '[concat(`abc/part`, copyIndex())]'}"
	for _, one := range []struct {
		policy, credential string
		given              map[string]string
		thing, part        string // their policies and credentials
		fails              string
	}{
		{policy: "manage"},
		{policy: "skip", thing: "skip", part: "skip"},
		{credential: "other", thing: "+other", part: "+other"},
		{given: map[string]string{policyAnnotation: "detach-on-delete"}, thing: "detach-on-delete", part: "detach-on-delete"},
		{policy: "skip,store=manage", part: "skip"},
		{policy: "store=manage,skip", thing: "skip", part: "skip"},
		{policy: "acme.things/THINGS=skip", thing: "skip"},
		{policy: "Acme.Things/*=skip,p*t=detach-on-delete", thing: "skip", part: "detach-on-delete"},
		{policy: "part=skip", credential: "one,Acme.Things/things/parts=two", thing: "+one", part: "skip+two"},
		{policy: "stor=skip", fails: `--reconcile-policy stor=skip: the pattern fits no resource that becomes an object; did you mean "store"?`},
		{policy: "part[0]=skip", fails: `the pattern fits no resource`},
		{policy: "Acme.Things/thing=skip", fails: `did you mean "Acme.Things/things"?`},
		{policy: "store=Skip", fails: "want manage, skip or detach-on-delete"},
		{given: map[string]string{policyAnnotation: "Skip"}, fails: "want manage, skip or detach-on-delete"},
		{policy: "store=skip", given: map[string]string{policyAnnotation: "manage"}, fails: "give one of them"},
		{credential: "one", given: map[string]string{credentialAnnotation: "two"},
			fails: `the annotation serviceoperator.azure.com/credential-from is "two", and --credential-from is "one"`},
		{credential: "No Name", fails: "want the name of a secret"},
	} {
		out, err := tryConvert(t, program, options{annotations: one.given,
			options: map[string]string{ReconcilePolicy: one.policy, CredentialFrom: one.credential}})
		if one.fails != "" {
			require.ErrorContains(t, err, one.fails)
			require.Nil(t, out, "no objects are made with annotations that the user did not mean")
			continue
		}
		require.NoError(t, err)
		got := map[string]string{}
		for _, o := range out.Objects {
			got[o.Kind] = o.Annotations[policyAnnotation]
			if c := o.Annotations[credentialAnnotation]; c != "" {
				got[o.Kind] += "+" + c
			}
		}
		require.Equal(t, map[string]string{"Thing": one.thing, "ThingsPart": one.part}, got, "%s %s", one.policy, one.credential)
	}
}

// FuzzConvert converts any template. It must not panic, and where nothing is refused,
// every object is one that the table allows.
func FuzzConvert(f *testing.F) {
	files, err := filepath.Glob("../../../testdata/targets/aso/*.bicep")
	require.NoError(f, err)
	dir, err := filepath.Abs("../../../testdata/targets/aso")
	require.NoError(f, err)
	for _, file := range files {
		result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: source.Disk{}, File: filepath.Join(dir, filepath.Base(file)), Options: bicep.Options{Symbolic: true}})
		require.NoError(f, err)
		f.Add(string(result.Template))
	}
	table := newTable(unpack())
	f.Fuzz(func(t *testing.T, text string) {
		template, err := bicep.ParseTemplate([]byte(text))
		if err != nil || template == nil || !utf8.ValidString(text) {
			return
		}
		out, err := convertTemplate(template)
		if err != nil || len(out.Problems) > 0 {
			return
		}
		names := map[string]bool{}
		for _, o := range out.Objects {
			require.NoError(t, check(table, o), render(t, out))
			key := o.Group() + "/" + o.Kind + "/" + o.Name
			require.False(t, names[key], "two objects are called %s", key)
			names[key] = true
		}
	})
}
