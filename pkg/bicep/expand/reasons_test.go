package expand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// Each thing that cannot be known before a deployment has a reason, and some have an option that makes them known.
func TestWhyItIsUnknown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ scope, expr, want string }{
		{"group", "subscription().id", "context subscription().id subscription-id"},
		{"group", "subscription().subscriptionId", "context subscription().subscriptionId subscription-id"},
		{"group", "subscription().tenantId", "context subscription().tenantId tenant-id"},
		{"group", "subscription().displayName", "context subscription().displayName"},
		{"group", "resourceGroup().name", "context resourceGroup().name resource-group"},
		{"group", "resourceGroup().id", "context resourceGroup().id subscription-id"},
		{"group", "resourceGroup().location", "context resourceGroup().location location"},
		{"group", "tenant().tenantId", "context tenant().tenantId tenant-id"},
		{"group", "tenant().id", "context tenant().id tenant-id"},
		{"group", "deployment().name", "context deployment().name deployment-name"},
		{"subscription", "deployment().location", "context deployment().location location"},
		{"managementGroup", "managementGroup().name", "context managementGroup().name management-group-id"},
		{"managementGroup", "managementGroup().id", "context managementGroup().id management-group-id"},
		{"group", "environment().name", "context environment().name cloud"},
		{"group", "deployer().objectId", "context deployer().objectId"},
		{"group", "utcNow()", "time utcNow()"},
		{"group", "newGuid()", "time newGuid()"},
		{"group", "parameters('p')", "parameter parameters('p')"},
		{"group", "parameters('vault')", "keyVault parameters('vault')"},
		{"group", "parameters('given')", ""},
		{"group", "listKeys('/a', '1').k", "list listKeys('/a', '1').k"},
		{"group", "invokeResourceMethod('/a', 'm')", "list invokeResourceMethod('/a', 'm')"},
		{"group", "reference('/a', '1').id", "runtime reference('/a', '1').id"},
		{"group", "references('x')", "runtime references('x')"},
		{"group", "reference('Applications.Core/containers/a').id", "context reference('Applications.Core/containers/a').id group"},
		{"group", "reference('Radius.Core/things/a').id", "context reference('Radius.Core/things/a').id group"},
		{"group", "reference('Radius.Core/things/a').name", "runtime reference('Radius.Core/things/a').name"},
		{"group", "reference('Radius.Core/things/a').id.x", "runtime reference('Radius.Core/things/a').id.x"},
		{"group", "resourceId('T.A/bs', 'x')", "context resourceId('T.A/bs', 'x') subscription-id"},
		{"group", "resourceId('T.A/bs', utcNow())", "time utcNow()"},
		{"group", "externalInput('k')", "externalInput externalInput('k')"},
		{"group", "pickZones('T.A', 'bs', 'w')", "function pickZones('T.A', 'bs', 'w')"},
		{"group", "toLower(concat(utcNow(), utcNow(), newGuid()))", "time utcNow(), time newGuid()"},
		{"group", "parameters('list')[int(parameters('p'))]", "parameter parameters('list'), parameter parameters('p')"},
		{"group", "map(parameters('list'), lambda('x', lambdaVariables('x')))", "parameter parameters('list')"},
		{"group", "createObject('a', createArray(createObject('b', parameters('p'))))", "parameter parameters('p')"},
	} {
		text := `{` + schemaOf(c.scope) + `, 'parameters': {'p': {'type': 'string'}, 'list': {'type': 'array'}, 'vault': {'type': 'securestring'}, 'given': {'type': 'securestring'}}, 'resources': {},
			'outputs': {'o': {'value': '[` + strings.ReplaceAll(c.expr, "'", "`") + `]'}}}`
		result, err := expand.Expand(parse(t, text), expand.Options{Tolerant: true, Parameters: map[string]expand.Parameter{
			"vault": {Reference: armjson.NewObject()}, "given": {Value: armjson.String("x")}}})
		require.NoError(t, err)
		got := []string{}
		for _, o := range result.Outputs {
			for _, r := range expand.Reasons(o.Value) {
				got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Kind, r.Call, r.Option)))
			}
		}
		require.Equal(t, c.want, strings.Join(got, ", "), c.expr)
	}
	require.Empty(t, expand.Reasons(armjson.String("x")))
	require.Empty(t, expand.Reasons(nil))
}

// TestNoOptionIsNamedThatDoesNotHelp: what stays unknown with the option, or is of another group than that of the option.
func TestNoOptionIsNamedThatDoesNotHelp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ scope, expr, cloud, want string }{
		{"", "environment().suffixes.azureDatalakeStoreFileSystem", "", "cloud"},
		{"", "environment().suffixes.azureDatalakeStoreFileSystem", "AzureChinaCloud", ""},
		{"", "concat(environment().activeDirectoryDataLake, 'x')", "AzureUSGovernment", ""},
		{"", "resourceGroup().location", "", "location"},
		{"", "resourceGroup().tags", "", ""},
		{"'resourceGroup': 'other', ", "resourceGroup().location", "", ""},
		{"'resourceGroup': 'other', ", "environment().name", "", "cloud"},
	} {
		text := `{` + schemaOf("group") + `, 'resources': {'m': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '2022-09-01', 'name': 'm', ` + c.scope + `
			'properties': {'mode': 'Incremental', 'expressionEvaluationOptions': {'scope': 'inner'}, 'template': {` + schemaOf("group") + `, 'resources': {},
			'outputs': {'o': {'value': '[` + strings.ReplaceAll(c.expr, "'", "`") + `]'}}}}}}, 'outputs': {'o': {'value': '[reference(` + "`m`" + `).outputs.o.value]'}}}`
		result, err := expand.Expand(parse(t, text), expand.Options{Tolerant: true, Context: expand.Context{Cloud: c.cloud}})
		require.NoError(t, err)
		reasons := expand.Reasons(result.Outputs[0].Value)
		require.Len(t, reasons, 1, c.expr)
		require.Equal(t, c.want, reasons[0].Option, c.expr)
	}
}

// A call is told by its function, what it is about and what is read of it.
func TestCallsAndParametersAreTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, call, parameter, read string }{
		{"reference('a').x.y", "reference /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a [x y] of a", "", "reference a [x y]"},
		{"reference('a')", "reference /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a [] of a", "", "reference a []"},
		{"reference('a').list[2].y", "reference /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a [list 2 y] of a", "", "reference a [list 2 y]"},
		{"reference('a', '1', 'full').location", "reference /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a [location] of a full", "", "reference a [location]"},
		{"reference('a', '1', 'Full')", "reference /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a [] of a full", "", "reference a []"},
		{"reference('/b', '1', 'x')", "reference /b []", "", ""},
		{"reference('a')[parameters('p')]", "", "", ""},
		{"listKeys('a', '1').k", "listKeys /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a [k] of a", "", "listKeys a [k]"},
		{"utcNow()", "utcNow  []", "", ""},
		{"parameters('p')", "parameters p []", "p", ""},
		{"parameters('o').x", "parameters o [x]", "", ""},
		{"parameters('pw')", "parameters pw []", "pw", ""},
		{"concat(parameters('pw'), 'x')", "concat  []", "", ""},
		{"parameters('P')", "parameters p []", "p", ""},
		{"toLower(parameters('p'))", "toLower  []", "", ""},
		{"'known'", "", "", ""},
	} {
		text := `{` + groupSchema + `, 'parameters': {'p': {'type': 'string'}, 'o': {'type': 'object'}, 'pw': {'type': 'securestring'}}, 'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a'}},
			'outputs': {'o': {'value': '[` + strings.ReplaceAll(c.expr, "'", "`") + `]'}}}`
		result, err := expand.Expand(parse(t, text), expand.Options{Context: inGroup, Parameters: map[string]expand.Parameter{"pw": {Value: armjson.String("x")}}})
		require.NoError(t, err)
		v := result.Outputs[0].Value
		call, read := "", ""
		if x, ok := expand.CallOf(v); ok {
			call = fmt.Sprint(x.Function, " ", x.First, " ", x.Path)
			if x.Resource != nil {
				call += " of " + x.Resource.Symbol
			}
			if x.Full {
				call += " full"
			}
		}
		parameter, _ := expand.ParameterOf(v)
		if r, function, path := expand.Read(v); r != nil {
			read = fmt.Sprint(function, " ", r.Symbol, " ", path)
		}
		require.Equal(t, []string{c.call, c.parameter, c.read}, []string{call, parameter, read}, c.expr)
	}
}

func TestTypesOfParameters(t *testing.T) {
	t.Parallel()
	result, err := expand.Expand(parse(t, `{`+groupSchema+`, 'definitions': {'n': {'type': 'int'}, 'm': {'$ref': '#/definitions/n'}, 'round': {'$ref': '#/definitions/round'}}, 'parameters': {
		's': {'type': 'string'}, 'ss': {'type': 'secureString'}, 'i': {'type': 'Int'}, 'b': {'type': 'bool'}, 'a': {'type': 'array'}, 'o': {'type': 'object'}, 'so': {'type': 'secureObject'},
		'm': {'$ref': '#/definitions/m'}, 'r': {'$ref': '#/definitions/round'}, 'other': {'$ref': 'x#/definitions/n'}, 'q': {'type': 'string', 'nullable': true}}, 'resources': {}}`), expand.Options{})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"s": "string", "ss": "string", "i": "int", "b": "bool", "a": "array", "o": "object", "so": "object", "m": "int"}, result.ParameterTypes())
	require.Empty(t, (*expand.Result)(nil).ParameterTypes())
	require.Empty(t, (&expand.Result{}).ParameterTypes())
	for scope, want := range map[string]string{"group": "resourceGroup", "subscription": "subscription", "managementGroup": "managementGroup", "tenant": "tenant"} {
		require.Equal(t, want, expand.TemplateScope(parse(t, "{"+schemaOf(scope)+"}")))
	}
	require.Equal(t, "resourceGroup", expand.TemplateScope(nil))
}

// ChangedNames tells what differs between two secret objects, neither of which is known, by the names in the template.
func TestChangedNames(t *testing.T) {
	t.Parallel()
	of := func(expr string) expand.Unknown {
		result, err := expand.Expand(parse(t, `{`+groupSchema+`, 'parameters': {'p': {'type': 'secureObject'}, 'q': {'type': 'secureObject'}}, 'resources': {}, 'outputs': {'o': {'value': '[`+expr+`]'}}}`), expand.Options{})
		require.NoError(t, err)
		return result.Outputs[0].Value.(expand.Unknown)
	}
	for _, c := range []struct {
		before, after string
		want          []string
	}{
		{"union(createObject(`a`, 1, `b`, 2), parameters(`p`))", "union(createObject(`b`, 2, `a`, 1), parameters(`p`))", nil},
		{"union(createObject(`a`, 1, `b`, 2), parameters(`p`))", "union(createObject(`a`, 3, `c`, 2), parameters(`p`))", []string{"a", "b", "c"}},
		{"union(createObject(`a`, 1), parameters(`p`), createObject(`a`, 1))", "union(createObject(`a`, 2), parameters(`p`), createObject(`a`, 2))", []string{"a"}},
		{"shallowMerge(createArray(createObject(`a`, 1), parameters(`p`)))", "shallowMerge(createArray(createObject(`a`, 2), parameters(`p`)))", []string{"a"}},
		{"union(createObject(`a`, 1), parameters(`p`))", "union(createObject(`a`, 2), parameters(`q`))", nil},
		{"union(createObject(`a`, 1), parameters(`p`))", "union(createObject(`a`, 2), parameters(`p`), createObject(`b`, 1))", nil},
		{"union(createObject(`a`, 1), parameters(`p`))", "union(parameters(`p`), createObject(`a`, 2))", nil},
		{"union(createObject(`a`, 1), parameters(`p`)).x", "union(createObject(`a`, 2), parameters(`p`)).x", nil},
		{"union(createObject(utcNow(), 1), parameters(`p`))", "union(createObject(utcNow(), 2), parameters(`p`))", nil},
		{"string(createObject(`a`, utcNow()))", "string(createObject(`a`, newGuid()))", nil},
	} {
		require.Equal(t, c.want, expand.ChangedNames(of(c.before), of(c.after)), "%s -> %s", c.before, c.after)
	}
}
