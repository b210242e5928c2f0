package aso

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/secret"
)

// small is a table with a few kinds, in which each form of a kind, a property and a limit is once.
const small = `v1.2.3

acme.azure.com v1 2024-01-01 Thing Acme.Things/things resources.azure.com/ResourceGroup 0 limits=0 secrets=key1,key2,adminkey,connection maps=principal=identity.principalId status=identity.principalId,simple,address.host,other.host,address.port
acme.azure.com v2 2024-06-01 Thing Acme.Things/things resources.azure.com/ResourceGroup 0
acme.azure.com v0 2023-01-01-preview Thing Acme.Things/things resources.azure.com/ResourceGroup 0
acme.azure.com v1 2024-01-01 ThingsPart Acme.Things/things/parts acme.azure.com/Thing 1 limits=0
acme.azure.com v1 2024-01-01 ThingsSetting Acme.Things/things/settings acme.azure.com/Thing 2 name=default
acme.azure.com v1 2024-01-01 OthersPart Acme.Things/others/parts acme.azure.com/Thing 1
acme.azure.com v1 2024-01-01 Other Acme.Things/others resources.azure.com/ResourceGroup 1
acme.azure.com v1 2024-01-01 Grant Acme.Things/grants * 3
acme.azure.com v1 2024-01-01 Free Acme.Things/free - 2
acme.azure.com v1p 2024-01-01-preview News Acme.Things/news resources.azure.com/ResourceGroup 2
acme.azure.com v2p 2024-02-01-preview News Acme.Things/news resources.azure.com/ResourceGroup 2
resources.azure.com v1 2020-06-01 ResourceGroup Microsoft.Resources/resourceGroups - 4
servicebus.azure.com v1 2021-11-01 Namespace Microsoft.ServiceBus/namespaces resources.azure.com/ResourceGroup 2 secrets=primaryKey status=host

location:s tags:{s .text:s#0 .count:i#1 .list:[s#2 ~.carried:s ~.plain:s .ratio:n .on:b .any:j .mode:e0 .level:E1 .partReference<part:r .password:p .passwords:P .identities:u .inner:5 .shape:6 .map:{5 .rows:[5 .steps:i#3
.size:s
-
~.principalId:s .roleReference<role:r
location:s
!need:s .deep:s extra:s kind:s secrets:P
@kind Round=round:7 Square=square:8
kind:s radius:i
kind:s !side:i

Basic|Premium|SystemAssigned,UserAssigned
1|2|3

MinLength=3 MaxLength=5 Pattern=^[a-z0-9]+$
Minimum=2 Maximum=4
MinItems=1 MaxItems=2
MultipleOf=5
`

func smallTable() *table { return newTable(strings.Split(small, "\n\n")) }

// made is what becomes of a program along the small table.
type made struct {
	*objects.Output
	t *testing.T
}

// options of a program.
type options struct {
	parameters string            // JSON members
	values     map[string]string // of parameters: values of the environment
	vault      string            // the parameter whose value is in a key vault
	context    *expand.Context
	options    map[string]string
	missing    []string
	name       string

	annotations map[string]string
}

// make converts an ARM template with resources, JSON members, along the small table.
func convertSmall(t *testing.T, resources string, o options) made {
	t.Helper()
	out, err := tryConvert(t, resources, o)
	require.NoError(t, err)
	return made{out, t}
}

func tryConvert(t *testing.T, resources string, o options) (*objects.Output, error) {
	t.Helper()
	template, err := bicep.ParseTemplate(fmt.Appendf(nil, `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "languageVersion": "2.0",
		"contentVersion": "1.0.0.0", "parameters": {%s}, "resources": {%s}}`, strings.ReplaceAll(o.parameters, "'", `"`), expanded(resources)))
	require.NoError(t, err)
	x := expand.Context{SubscriptionID: subscription, ResourceGroup: "apps", Location: "westeurope"}
	if o.context != nil {
		x = *o.context
	}
	in := objects.Input{Name: "main", Secure: secureOf(template), Vault: map[string]bool{}, Options: o.options, Missing: o.missing, Annotations: o.annotations}
	if o.name != "" {
		in.Name = o.name
	}
	eo := expand.Options{Context: x, Tolerant: true, SecretsApart: true, Parameters: map[string]expand.Parameter{}}
	for name, value := range o.values {
		v, err := armjson.Parse(value, armjson.Options{})
		require.NoError(t, err)
		eo.Parameters[name] = expand.Parameter{Value: v, Mark: secret.Environment}
	}
	if o.vault != "" {
		in.Vault[o.vault] = true
		eo.Parameters[o.vault] = expand.Parameter{Reference: armjson.NewObject(armjson.Member{Key: "secretName", Value: armjson.String("s")})}
	}
	in.Program, err = expand.Expand(template, eo)
	require.NoError(t, err)
	if o.values != nil {
		in.Shown, eo.ForWriting = in.Program, true
		in.Program, err = expand.Expand(template, eo)
		require.NoError(t, err)
	}
	return convertBy(smallTable(), in)
}

// problems returns the codes and messages, one a line.
func (m made) problems() string { return strings.TrimSuffix(problems(m.Output), "\n") }

func (m made) warnings() string {
	var list []string
	for _, w := range m.Warnings {
		list = append(list, w.Code+": "+w.Message)
	}
	return strings.Join(list, "\n")
}

// fine demands that nothing is refused, and returns the objects as YAML.
func (m made) fine() string {
	m.t.Helper()
	require.Empty(m.t, m.problems())
	return render(m.t, m.Output)
}

// thing is a resource of the kind Thing called abc, with members of its properties.
func thing(properties string) string {
	return `'a': {'type': 'Acme.Things/things', 'apiVersion': '2024-01-01', 'name': 'abc', 'properties': {` + properties + `}}`
}

// short makes a text that names the group that is deployed to short.
func short(text string) string {
	return strings.ReplaceAll(text, "/subscriptions/"+subscription+"/resourceGroups/apps", "GROUP")
}

// brief returns what became of a program: an object a line, as it is written, then its comments, or what is refused; then
// the warnings.
func (m made) brief() string {
	var lines []string
	if len(m.Problems) > 0 {
		lines = append(lines, m.problems())
	} else {
		for _, o := range m.Objects {
			group, version, _ := strings.Cut(o.APIVersion, "/")
			if group != "acme.azure.com" || version != "v1" {
				version = " " + o.APIVersion
			} else {
				version = ""
			}
			lines = append(lines, fmt.Sprintf("%s%s %s %s", o.Kind, version, o.Name, armjson.Text(o.Root().Object("spec"))))
		}
		for _, c := range m.Comments {
			lines = append(lines, "# "+c)
		}
	}
	if w := m.warnings(); w != "" {
		lines = append(lines, w)
	}
	return short(strings.Join(lines, "\n"))
}

// spec returns the spec of the only object, without what all have.
func (m made) spec() string {
	m.t.Helper()
	if len(m.Problems) > 0 {
		return short(m.problems())
	}
	require.Len(m.t, m.Objects, 1)
	spec := without(without(m.Objects[0].Root().Object("spec"), "azureName"), "owner")
	return short(armjson.Text(spec))
}

// masked returns what a comparison shows of the objects, one a line, and how messages call them.
func (m made) masked() string {
	m.t.Helper()
	if len(m.Problems) > 0 {
		return short(m.problems())
	}
	_, text, ok := manifest.MaskedObjects(m.Objects, nil, nil, manifest.JSON)
	require.True(m.t, ok)
	v, err := armjson.ParseBytes(text, armjson.Options{})
	require.NoError(m.t, err)
	list := []armjson.Value{v}
	if items, ok := v.(*armjson.Object).Get("items"); ok {
		list = items.(armjson.Array)
	}
	var lines []string
	for i, one := range list {
		o := one.(*armjson.Object)
		name, _ := o.Object("metadata").Get("name")
		spec, _ := o.Get("spec")
		lines = append(lines, fmt.Sprintf("%s: %s %s", m.Objects[i].Called(), armjson.Text(name), armjson.Text(spec)))
	}
	return short(strings.Join(lines, "\n"))
}

const (
	smallParameters  = `'pw': {'type': 'securestring'}, 'so': {'type': 'secureObject'}, 'plain': {'type': 'string'}, 'kv': {'type': 'securestring'}`
	hiddenParameters = `'e': {'type': 'string'}, 'o': {'type': 'object'}, 'l': {'type': 'array'}, 'n': {'type': 'int'}, 'near': {'type': 'string'}`
)

// hiddenValues are values of the environment.
var hiddenValues = map[string]string{"e": `"hid"`, "o": `{"hid": "hidden"}`, "l": `["hid", "hidden"]`, "n": "3", "near": `"hidtext"`}

// expanded turns the short notation of the tests into JSON: apostrophes are quotation marks, back quotes those of
// expressions, /x@1 is the type Acme.Things/x in the version of the table.
func expanded(resources string) string {
	r := strings.NewReplacer("'type': '/", `"type": "Acme.Things/`, "@1'", `", "apiVersion": "2024-01-01"`, "'", `"`, "`", "'")
	return r.Replace(resources)
}
