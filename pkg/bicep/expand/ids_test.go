package expand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// schemas of templates by what they are deployed to.
var schemas = map[string]string{"group": "deploymentTemplate", "subscription": "subscriptionDeploymentTemplate", "managementGroup": "managementGroupDeploymentTemplate", "tenant": "tenantDeploymentTemplate"}

func schemaOf(scope string) string {
	return fmt.Sprintf("'$schema': 'https://schema.management.azure.com/schemas/2019-08-01/%s.json#', 'contentVersion': '1.0.0.0', 'languageVersion': '2.0'", schemas[scope])
}

// TestWhereItIsDeployed evaluates what a program can ask of the place that it is deployed to, as snapshots
// write it, with more and less of the place known. In expressions, ' stands for themselves.
func TestWhereItIsDeployed(t *testing.T) {
	const other = "00000000-0000-0000-0000-00000000000b"
	t.Parallel()
	const sub, group = "00000000-0000-0000-0000-000000000001", "subscriptionResourceId(subscription().subscriptionId, 'Microsoft.Resources/resourceGroups', resourceGroup().name)"
	none, all := expand.Context{}, expand.Context{SubscriptionID: sub, ResourceGroup: "apps", Location: "westeurope", DeploymentName: "dep", TenantID: "t"}
	for _, c := range []struct {
		scope      string
		context    expand.Context
		expr, want string
	}{
		{"group", none, "subscription().id", "[concat('/subscriptions/', subscription().subscriptionId)]"},
		{"group", none, "subscription().tenantId", "[tenant().tenantId]"},
		{"group", none, "resourceGroup().id", "[" + group + "]"},
		{"group", none, "resourceGroup().type", "Microsoft.Resources/resourceGroups"},
		{"group", none, "uniqueString(resourceGroup().id)", "[uniqueString(" + group + ")]"},
		{"group", none, "contains(resourceGroup(), 'managedBy')", "false"},
		{"group", none, "deployment().properties.template.contentVersion", "1.0.0.0"},
		{"group", none, "contains(deployment(), 'location')", "false"},
		{"group", none, "resourceId('T.A/bs', 'x')", "[resourceId(subscription().subscriptionId, resourceGroup().name, 'T.A/bs', 'x')]"},
		{"group", none, "resourceId('g', 'T.A/bs', 'x')", "[resourceId(subscription().subscriptionId, 'g', 'T.A/bs', 'x')]"},
		{"group", none, "resourceId('" + sub + "', 'g', 'T.A/bs', 'x')", "/subscriptions/" + sub + "/resourceGroups/g/providers/T.A/bs/x"},
		{"group", none, "resourceId(utcNow(), 'T.A/bs', 'x')", "[resourceId(subscription().subscriptionId, utcNow(), 'T.A/bs', 'x')]"},
		{"group", none, "resourceId('T.A/bs/cs', 'x', utcNow())", "[resourceId(subscription().subscriptionId, resourceGroup().name, 'T.A/bs/cs', 'x', utcNow())]"},
		{"group", none, "subscriptionResourceId('T.A/bs', 'x')", "[subscriptionResourceId(subscription().subscriptionId, 'T.A/bs', 'x')]"},
		{"group", none, "subscriptionResourceId('" + sub + "', 'T.A/bs', utcNow())", "[subscriptionResourceId('" + sub + "', 'T.A/bs', utcNow())]"},
		{"group", none, "tenantResourceId('T.A/bs', 'x')", "/providers/T.A/bs/x"},
		{"group", expand.Context{ResourceGroup: "apps"}, "resourceGroup().id", "[resourceGroup().id]"},
		{"group", expand.Context{ResourceGroup: "apps"}, "contains(resourceGroup(), 'managedBy')", "true"},
		{"group", expand.Context{ResourceGroup: "apps"}, "resourceId('T.A/bs', 'x')", "[resourceId(subscription().subscriptionId, 'apps', 'T.A/bs', 'x')]"},
		{"group", expand.Context{SubscriptionID: sub, Location: "westeurope"}, "resourceGroup().id", "[subscriptionResourceId('" + sub + "', 'Microsoft.Resources/resourceGroups', resourceGroup().name)]"},
		{"group", expand.Context{SubscriptionID: sub, Location: "westeurope"}, "resourceGroup().location", "[resourceGroup().location]"},
		{"group", all, "resourceId('T.A/bs', utcNow())", "[resourceId('" + sub + "', 'apps', 'T.A/bs', utcNow())]"},
		{"group", all, "resourceId('T.A/bs', 'x')", "/subscriptions/" + sub + "/resourceGroups/apps/providers/T.A/bs/x"},
		{"group", all, "resourceGroup().location", "westeurope"},
		{"group", all, "subscriptionResourceId('microsoft.resources/RESOURCEGROUPS', 'x')", "/subscriptions/" + sub + "/resourceGroups/x"},
		{"group", all, "subscriptionResourceId('" + other + "', 'Microsoft.Resources/resourceGroups', 'x')", "/subscriptions/" + other + "/resourceGroups/x"},
		{"subscription", none, "resourceId('T.A/bs', 'x')", "[resourceId(subscription().subscriptionId, 'T.A/bs', 'x')]"},
		{"subscription", none, "deployment().location", "[deployment().location]"},
		{"subscription", all, "resourceId('Microsoft.Resources/resourceGroups', 'x')", "/subscriptions/" + sub + "/resourceGroups/x"},
		{"subscription", all, "deployment().location", "westeurope"},
		{"managementGroup", none, "managementGroup().id", "[tenantResourceId('Microsoft.Management/managementGroups', managementGroup().name)]"},
		{"managementGroup", none, "managementGroupResourceId('T.A/bs', 'x')", "[managementGroupResourceId(managementGroup().name, 'T.A/bs', 'x')]"},
		{"managementGroup", none, "managementGroupResourceId('mg', 'T.A/bs', 'x')", "/providers/Microsoft.Management/managementGroups/mg/providers/T.A/bs/x"},
		{"managementGroup", expand.Context{ManagementGroupID: "mg"}, "managementGroup().id", "/providers/Microsoft.Management/managementGroups/mg"},
		{"tenant", none, "tenant().displayName", "[tenant().displayName]"},
	} {
		text := strings.NewReplacer("'", "`").Replace(c.expr)
		o := expand.Options{Context: c.context, Official: true}
		require.Equal(t, []string{"output o " + c.want}, expandText(t, `{`+schemaOf(c.scope)+`, 'resources': {}, 'outputs': {'o': {'value': '[`+text+`]'}}}`, o), "%s in a %s with %+v", c.expr, c.scope, c.context)
	}
}

// TestIDsAsTheEngineWritesThem is about the IDs of resources in snapshots, of which the place or the name is not
// known.
func TestIDsAsTheEngineWritesThem(t *testing.T) {
	t.Parallel()
	known := expand.Context{SubscriptionID: "S", ResourceGroup: "apps", ManagementGroupID: "mg"}
	part := func(i int) string {
		return fmt.Sprintf("filter(split(concat('a/', utcNow()), '/'), lambda('x', not(empty(lambdaVariables('x')))))[%d]", i)
	}
	const role = "T.R/roles"
	for _, c := range []struct {
		scope    string
		context  expand.Context
		resource string
		want     string
	}{
		{"group", known, "'type': 'T.A/bs', 'name': 'x'", "/subscriptions/S/resourceGroups/apps/providers/T.A/bs/x"},
		{"group", known, "'type': 'T.A/bs', 'name': '[utcNow()]'", "[resourceId('S', 'apps', 'T.A/bs', utcNow())]"},
		{"group", known, "'type': 'T.A/bs/cs', 'name': '[concat(`a/`, utcNow())]'", "[resourceId('S', 'apps', 'T.A/bs/cs', " + part(0) + ", " + part(1) + ")]"},
		{"group", expand.Context{}, "'type': 'T.A/bs/cs', 'name': 'x/y'", "[resourceId(subscription().subscriptionId, resourceGroup().name, 'T.A/bs/cs', 'x', 'y')]"},
		{"group", known, "'type': '" + role + "', 'scope': 'T.A/bs/y', 'name': '[utcNow()]'", "[extensionResourceId('/subscriptions/S/resourceGroups/apps/providers/T.A/bs/y', '" + role + "', utcNow())]"},
		{"group", known, "'type': '" + role + "', 'scope': '/', 'name': '[utcNow()]'", "[tenantResourceId('" + role + "', utcNow())]"},
		{"subscription", expand.Context{}, "'type': '" + role + "', 'scope': 'T.A/bs/y', 'name': 'x'", "[extensionResourceId(concat('/subscriptions/', subscription().subscriptionId, '/providers/', 'T.A/bs/y'), '" + role + "', 'x')]"},
		{"managementGroup", known, "'type': '" + role + "', 'scope': '[utcNow()]', 'name': 'x'", "[if(equals(utcNow(), '/'), tenantResourceId('" + role + "', 'x'), " +
			"extensionResourceId(if(startsWith(utcNow(), '/'), utcNow(), concat('/providers/Microsoft.Management/managementGroups/', 'mg', '/providers/', utcNow())), '" + role + "', 'x'))]"},
		{"subscription", known, "'type': 'Microsoft.Resources/resourceGroups', 'name': 'x'", "/subscriptions/S/resourceGroups/x"},
		{"subscription", known, "'type': 'Microsoft.Resources/resourceGroups', 'name': '[utcNow()]'", "[subscriptionResourceId('S', 'Microsoft.Resources/resourceGroups', utcNow())]"},
		{"managementGroup", expand.Context{}, "'type': 'T.A/bs', 'name': 'x'", "[managementGroupResourceId(managementGroup().name, 'T.A/bs', 'x')]"},
		{"tenant", known, "'type': 'T.A/bs', 'name': '[utcNow()]'", "[tenantResourceId('T.A/bs', utcNow())]"},
	} {
		result, err := expand.Expand(parse(t, `{`+schemaOf(c.scope)+`, 'resources': {'r': {'apiVersion': '1', `+c.resource+`}}}`), expand.Options{Context: c.context, Official: true})
		require.NoError(t, err, c.resource)
		require.Equal(t, c.want, expand.Text(result.Resources[0].ID), "%s in a %s", c.resource, c.scope)
	}
}

// module writes a module: its symbol, what stands beside its type, and its template, which is deployed to a scope.
func module(symbol, members, scope, template string) string {
	return "'" + symbol + "': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '2025-04-01', 'name': '" + symbol + "', " + members +
		" 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'template': {" + schemaOf(scope) + ", " + template + "}}}"
}

// TestLocationsOfDeclaredGroups: a module knows the location of its resource group if the program declares the
// group. The group g is in northeurope.
func TestLocationsOfDeclaredGroups(t *testing.T) {
	t.Parallel()
	const group = "'g': {'type': 'Microsoft.Resources/resourceGroups', 'apiVersion': '1', 'name': 'g', 'location': 'northeurope'}"
	const where = "'resources': {'r': {'type': 'T.A/bs', 'apiVersion': '1', 'name': 'r', 'location': '[resourceGroup().location]', 'tags': {'g': '[resourceGroup().name]'}}}, " +
		"'outputs': {'l': {'type': 'string', 'value': '[resourceGroup().location]'}}"
	in := func(name string) string { return module("m", "'resourceGroup': '"+name+"',", "group", where) }
	sub, none := expand.Context{SubscriptionID: "S", Location: "westeurope"}, expand.Context{}
	unknown := `{"location":"[resourceGroup().location]","tags":{"g":"g"}}`
	for name, c := range map[string]struct {
		context                expand.Context
		resources, found, want string
	}{
		"before the module":    {sub, group + "," + in("g"), "m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", `{"location":"northeurope","tags":{"g":"g"}}`},
		"after the module":     {sub, in("g") + "," + group, "m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", `{"location":"northeurope","tags":{"g":"g"}}`},
		"in other letters":     {sub, in("G") + "," + group, "m/r /subscriptions/S/resourceGroups/G/providers/T.A/bs/r", `{"location":"northeurope","tags":{"g":"g"}}`},
		"in a module after it": {sub, in("g") + "," + module("q", "", "subscription", "'resources': {"+group+"}"), "m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", `{"location":"northeurope","tags":{"g":"g"}}`},
		"in a module in one":   {sub, in("g") + "," + module("q", "", "subscription", "'resources': {"+module("p", "", "subscription", "'resources': {"+group+"}")+"}"), "m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", `{"location":"northeurope","tags":{"g":"g"}}`},
		"of another name":      {sub, strings.ReplaceAll(group, "'name': 'g'", "'name': 'h'") + "," + in("g"), "m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", unknown},
		"of another":           {sub, group + "," + module("m", "'subscriptionId': '22222222-2222-2222-2222-222222222222', 'resourceGroup': 'g',", "group", where), "m/r /subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/g/providers/T.A/bs/r", unknown},
		"which exists":         {sub, strings.ReplaceAll(group, "'name'", "'existing': true, 'name'") + "," + in("g"), "m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", unknown},
		"which is left out":    {sub, strings.ReplaceAll(group, "'name'", "'condition': false, 'name'") + "," + in("g"), "m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", unknown},
		"without subscription": {none, group + "," + in("g"), "m/r [resourceId(subscription().subscriptionId, 'g', 'T.A/bs', 'r')]", unknown},
		"of a name that is not known": {none, strings.ReplaceAll(group, "'name': 'g'", "'name': '[format(`{0}x`, reference(`/y`, `1`).z)]'") + "," + in("[format(`{0}x`, reference(`/y`, `1`).z)]"),
			"m/r [resourceId(subscription().subscriptionId, format('{0}x', reference('/y', '1').z), 'T.A/bs', 'r')]", `{"location":"[resourceGroup().location]","tags":{"g":"[format('{0}x', reference('/y', '1').z)]"}}`},
		"where the location is": {sub, strings.ReplaceAll(group, "northeurope", "[deployment().location]") + "," + in("g"), "m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", `{"location":"westeurope","tags":{"g":"g"}}`},
		// The location of g comes from a module that asks for its own group, h, so that g is needed first.
		"from a module that asks": {sub, module("o", "'resourceGroup': 'h',", "group", where) + "," + strings.ReplaceAll(group, "northeurope", "[reference(`o`).outputs.l.value]") + "," + in("g") +
			",'h': {'type': 'Microsoft.Resources/resourceGroups', 'apiVersion': '1', 'name': 'h', 'location': 'eastus'}",
			"m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", `{"location":"eastus","tags":{"g":"g"}}`},
		// The name of the group in q is known when o has an output; o asks for its own group, which is none of them.
		"named by a module that asks": {sub, in("g") + "," + module("o", "'resourceGroup': 'h',", "group", strings.ReplaceAll(where, "'outputs': {", "'outputs': {'n': {'type': 'string', 'value': '[if(equals(resourceGroup().location, `x`), `g`, `g`)]'}, ")) +
			"," + strings.ReplaceAll(module("q", "", "subscription", "'parameters': {'n': {'type': 'string'}}, 'resources': {"+strings.ReplaceAll(group, "'name': 'g'", "'name': '[parameters(`n`)]'")+"}"), "'properties': {'expression", "'properties': {'parameters': {'n': {'value': '[reference(`o`).outputs.n.value]'}}, 'expression"),
			"m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r", unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, official := range []bool{true, false} {
				result, err := expand.Expand(parse(t, `{`+schemaOf("subscription")+`, 'resources': {`+c.resources+`}}`), expand.Options{Context: c.context, Official: official})
				require.NoError(t, err)
				var got []string
				for _, r := range result.Resources {
					if r.Module.Symbol == "m" {
						line, _, _ := strings.Cut(show(r), " (") // without dependencies
						got = append(got, line)
					}
				}
				want := c.found
				if !official { // people read these
					want = strings.ReplaceAll(want, "subscription().subscriptionId, ", "")
				}
				body := c.want
				if c.context == none && !official { // the engine looks for the group by an ID that is known
					body = strings.Replace(body, "[resourceGroup().location]", "northeurope", 1)
				}
				require.Equal(t, []string{want + " " + body}, got)
			}
		})
	}
}

// Texts of secret names may be equal where the names are not, so they tell nothing of the group.
func TestGroupsWithSecretNames(t *testing.T) {
	t.Parallel()
	const name = "'[parameters(`pw`)]'"
	text := `{` + schemaOf("subscription") + `, 'parameters': {'pw': {'type': 'securestring'}}, 'resources': {'g': {'type': 'Microsoft.Resources/resourceGroups', 'apiVersion': '1', 'name': ` + name + `, 'location': 'north'},` +
		module("m", "'resourceGroup': "+name+",", "group", "'resources': {'r': {'type': 'T.A/bs', 'apiVersion': '1', 'name': 'r', 'location': '[resourceGroup().location]'}}") + `}}`
	result, err := expand.Expand(parse(t, text), expand.Options{Context: expand.Context{SubscriptionID: "S"}, Parameters: map[string]expand.Parameter{"pw": {Value: armjson.String("CANARY")}}})
	require.NoError(t, err)
	r := result.Resources[1]
	location, _ := r.Body.Get("location")
	require.Equal(t, "[resourceGroup().location]", expand.Text(location))
	require.NotContains(t, strings.Join(lines(result), ""), "CANARY")
}

// TestCirclesOfGroupsEnd: a group whose location needs the module that is deployed to it.
func TestCirclesOfGroupsEnd(t *testing.T) {
	t.Parallel()
	text := `{` + schemaOf("subscription") + `, 'resources': {
		'g': {'type': 'Microsoft.Resources/resourceGroups', 'apiVersion': '1', 'name': 'g', 'location': '[reference(` + "`m`" + `).outputs.l.value]'},
		` + module("m", "'resourceGroup': 'g',", "group", "'resources': {}, 'outputs': {'l': {'type': 'string', 'value': '[resourceGroup().location]'}}") + `}}`
	result, err := expand.Expand(parse(t, text), expand.Options{Context: expand.Context{SubscriptionID: "S"}})
	require.NoError(t, err)
	require.Equal(t, []string{`g /subscriptions/S/resourceGroups/g {"location":"[resourceGroup().location]"}`}, []string{strings.Split(lines(result)[0], " (")[0]})
}

// TestPlacesOfModules is about what modules know of what they are deployed to, and where their outputs are.
func TestPlacesOfModules(t *testing.T) {
	t.Parallel()
	context := expand.Context{SubscriptionID: "S", ResourceGroup: "apps", Location: "westeurope", ManagementGroupID: "mg"}
	out := func(expr string) string {
		return "'resources': {}, 'outputs': {'o': {'type': 'string', 'value': '[" + expr + "]'}}"
	}
	for _, c := range []struct{ scope, module, want string }{
		{"group", module("m", "'subscriptionId': '22222222-2222-2222-2222-222222222222', 'location': 'north',", "subscription", out("concat(subscription().id, deployment().location)")), "/subscriptions/22222222-2222-2222-2222-222222222222north"},
		{"group", module("m", "'location': '[resourceGroup().location]',", "subscription", out("deployment().location")), "westeurope"},
		{"group", module("m", "'scope': '/', 'location': 'north',", "tenant", out("tenantResourceId(`T.A/bs`, `x`)")), "/providers/T.A/bs/x"},
		{"tenant", module("m", "'scope': 'Microsoft.Management/managementGroups/x',", "managementGroup", out("managementGroup().id")), "/providers/Microsoft.Management/managementGroups/x"},
		{"tenant", module("m", "'scope': '[concat(`Microsoft.Management/managementGroups/`, utcNow())]',", "managementGroup", out("managementGroup().name")),
			"[reference(managementGroupResourceId(last(split(concat('Microsoft.Management/managementGroups/', utcNow()), '/')), 'Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs.o.value]"},
		{"managementGroup", module("m", "'subscriptionId': '22222222-2222-2222-2222-222222222222', 'resourceGroup': 'g',", "group", out("resourceGroup().id")), "/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/g"},
		{"group", module("m", "'resourceGroup': '[utcNow()]',", "group", out("resourceGroup().name")),
			"[reference(resourceId('S', utcNow(), 'Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs.o.value]"},
		{"group", strings.ReplaceAll(module("m", "", "group", out("deployment().name")), "'name': 'm'", "'name': '[utcNow()]'"),
			"[reference(resourceId('S', 'apps', 'Microsoft.Resources/deployments', utcNow()), '2025-04-01').outputs.o.value]"},
	} {
		text := `{` + schemaOf(c.scope) + `, 'resources': {` + c.module + `}, 'outputs': {'x': {'type': 'string', 'value': '[reference(` + "`m`" + `).outputs.o.value]'}}}`
		require.Equal(t, []string{"output x " + c.want}, expandText(t, text, expand.Options{Context: context, Official: true}), c.module)
		if strings.HasPrefix(c.want, "[reference(") { // what is known stays known elsewhere
			require.NotContains(t, expandText(t, text, expand.Options{Context: context})[0], "reference(", c.module)
		}
	}
}

// TestSecureValuesInSnapshots: what is given is not evaluated and stands in modules as it is, the defaults of the source are evaluated.
func TestSecureValuesInSnapshots(t *testing.T) {
	t.Parallel()
	const canary = "CANARY-7731"
	text := `{` + groupSchema + `, 'parameters': {'pw': {'type': 'securestring'}, 'std': {'type': 'securestring', 'defaultValue': 'dd'}, 'none': {'type': 'securestring', 'nullable': true}},
		'resources': {` + strings.ReplaceAll(module("m", "", "group", `'parameters': {'s': {'type': 'secureString'}, 'v': {'type': 'secureString'}, 'd': {'type': 'securestring', 'defaultValue': 'in'}}, 'resources': {
			'r': {'type': 'T.A/bs', 'apiVersion': '1', 'name': 'r', 'tags': {'s': '[format(`+"`{0}{1}`, parameters(`s`), parameters(`d`)"+`)]', 'v': '[parameters(`+"`v`"+`)]'}}},
			'outputs': {'k': {'type': 'securestring', 'value': '[parameters(`+"`d`"+`)]'}, 'p': {'type': 'string', 'value': 'plain'}}`), "'properties': {'expression",
		"'properties': {'parameters': {'s': {'value': '[parameters(`pw`)]'}, 'v': {'reference': {'keyVault': {'id': '/kv'}, 'secretName': 'a', 'secretVersion': 'v1'}}}, 'expression") + `},
		'outputs': {'a': {'type': 'string', 'value': '[parameters(` + "`pw`" + `)]'}, 'b': {'type': 'string', 'value': '[parameters(` + "`std`" + `)]'}, 'c': {'type': 'bool', 'value': '[empty(parameters(` + "`none`" + `))]'},
		'd': {'type': 'string', 'value': '[listOutputsWithSecureValues(` + "`m`, `2025-04-01`" + `).k]'}, 'e': {'type': 'object', 'value': '[reference(` + "`m`" + `).outputs.p]'}}}`
	o := expand.Options{Context: inGroup, Official: true, Parameters: map[string]expand.Parameter{"pw": {Value: armjson.String(canary)}, "none": {Value: armjson.Null{}}}}
	got := expandText(t, text, o)
	require.NotContains(t, strings.Join(got, "\n"), canary)
	require.Equal(t, []string{
		`m/r /subscriptions/sub-1/resourceGroups/rg-1/providers/T.A/bs/r {"tags":{"s":"[format('{0}{1}', parameters('pw'), 'in')]","v":"[getKeyVaultSecret('/kv', 'a', 'v1')]"}}`,
		"output a [parameters('pw')]", "output b dd", "output c true",
		"output d [listOutputsWithSecureValues('/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Resources/deployments/m', '2025-04-01').k]",
		`output e {"type":"String","value":"plain"}`,
	}, got)
}

// TestOrderOfUnknownNames: a dependency on a resource whose ID is not known orders nothing.
func TestOrderOfUnknownNames(t *testing.T) {
	t.Parallel()
	text := func(name string) string {
		return `{` + strings.ReplaceAll(schemaOf("group"), ", 'languageVersion': '2.0'", "") + `, 'resources': [
			{'type': 'T.A/bs', 'apiVersion': '1', 'name': 'second', 'dependsOn': ['[resourceId(` + "`T.A/bs`, " + name + `)]']},
			{'type': 'T.A/bs', 'apiVersion': '1', 'name': '[` + name + `]'}]}`
	}
	for name, first := range map[string]string{"`x`": "x", "utcNow()": "second"} {
		result, err := expand.Expand(parse(t, text(name)), expand.Options{Context: inGroup, Official: true})
		require.NoError(t, err)
		require.Equal(t, first, expand.Text(result.Resources[0].Name))
	}
}

// TestWhatTheEngineShows: expressions that are not known are printed as ARM's engine prints them. Each is recorded, as
// the hash of a published module's resource.
func TestWhatTheEngineShows(t *testing.T) {
	t.Parallel()
	const a = "'a': {'type': 'T.S/a', 'apiVersion': '7', 'name': 'a', 'properties': {'known': 'k', 'later': '[reference(`/x`, `1`).y]'}}, "
	const id = "/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a"
	body := func(properties string) string {
		return a + "'b': {'type': 'T.S/b', 'apiVersion': '1', 'name': 'b', 'dependsOn': ['a'], 'properties': {" + properties + "}}"
	}
	for _, c := range []struct{ name, resources, want string }{
		{"the round of a loop in a branch that is not evaluated", body("'copy': [{'name': 'l', 'count': 2, 'input': '[if(equals(reference(`/x`, `1`).y, 1), parameters(`list`)[copyIndex(`l`, 1)], null())]'}]"),
			`"l":["[if(equals(reference('/x', '1').y, 1), parameters('list')[1], null())]","[if(equals(reference('/x', '1').y, 1), parameters('list')[2], null())]"]`},
		{"the round of a resource's loop there", strings.Replace(body("'v': '[if(equals(reference(`/x`, `1`).y, 1), copyIndex(), null())]'"), "'name': 'b'", "'copy': {'name': 'b', 'count': 1}, 'name': 'b'", 1),
			`"v":"[if(equals(reference('/x', '1').y, 1), 0, null())]"`},
		{"a declared expression", body("'v': '[reference(`a`).later]', 'w': '[reference(`a`).known]'"),
			`"v":"[reference('` + id + `', '7').later]","w":"k"`},
		{"a version that is not given", body("'v': '[reference(resourceId(`T.S/a`, `a`)).other]'"),
			`"v":"[reference('` + id + `', '7').other]"`},
		{"the conditions of a module and of its resource", module("m", "'condition': '[equals(reference(`/x`, `1`).y, 1)]',", "group",
			"'resources': {'c': {'condition': '[equals(1, 1)]', 'type': 'T.S/c', 'apiVersion': '1', 'name': 'c'}, 'd': {'type': 'T.S/c', 'apiVersion': '1', 'name': 'd'}}"),
			`if [and(equals(reference('/x', '1').y, 1), true())] {}|m/d /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/c/d if [equals(reference('/x', '1').y, 1)] {}`},
	} {
		text := strings.Join(expandText(t, `{`+groupSchema+`, 'parameters': {'list': {'type': 'array'}}, 'resources': {`+c.resources+`}}`,
			expand.Options{Context: inGroup, Official: true, Parameters: map[string]expand.Parameter{"list": {Value: armjson.Array{armjson.Int(1), armjson.Int(2), armjson.Int(3)}}}}), "|")
		require.Contains(t, text, c.want, c.name)
	}
}
