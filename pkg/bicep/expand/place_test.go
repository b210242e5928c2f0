package expand_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/expand"
)

// What a program can ask of the place that it is deployed to, as plans write it: what is known is a value, and people
// read the rest.
func TestWhatIsAskedOfThePlace(t *testing.T) {
	t.Parallel()
	const sub = "00000000-0000-0000-0000-000000000001"
	none, all := expand.Context{}, expand.Context{SubscriptionID: sub, ResourceGroup: "apps", Location: "westeurope", DeploymentName: "dep", TenantID: "t", ManagementGroupID: "mg"}
	for _, c := range []struct {
		scope      string
		context    expand.Context
		expr, want string
	}{
		{"group", none, "subscription().id", "[subscription().id]"},
		{"group", none, "subscription().tenantId", "[subscription().tenantId]"},
		{"group", expand.Context{TenantID: "t"}, "subscription().tenantId", "t"},
		{"group", expand.Context{TenantID: "t"}, "subscription().id", "[subscription().id]"},
		{"subscription", expand.Context{TenantID: "t"}, "subscription().tenantId", "t"},
		{"tenant", expand.Context{TenantID: "t"}, "subscription().tenantId", "[subscription().tenantId]"},
		{"group", all, "subscription()", `{"id":"/subscriptions/00000000-0000-0000-0000-000000000001","subscriptionId":"00000000-0000-0000-0000-000000000001","tenantId":"t","displayName":"[subscription().displayName]"}`},
		{"subscription", all, "subscription().subscriptionId", "00000000-0000-0000-0000-000000000001"},
		{"managementGroup", all, "subscription()", "[subscription()]"},
		{"group", none, "tenant()", "[tenant()]"},
		{"group", all, "tenant()", `{"countryCode":"[tenant().countryCode]","displayName":"[tenant().displayName]","id":"/tenants/t","tenantId":"t"}`},
		{"group", none, "resourceGroup()", "[resourceGroup()]"},
		{"group", expand.Context{ResourceGroup: "apps"}, "resourceGroup()", `{"id":"[resourceGroup().id]","name":"apps","type":"Microsoft.Resources/resourceGroups","location":"[resourceGroup().location]","tags":"[resourceGroup().tags]","managedBy":"[resourceGroup().managedBy]","properties":"[resourceGroup().properties]"}`},
		{"group", all, "resourceGroup()", `{"id":"/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/apps","name":"apps","type":"Microsoft.Resources/resourceGroups","location":"westeurope","tags":"[resourceGroup().tags]","managedBy":"[resourceGroup().managedBy]","properties":"[resourceGroup().properties]"}`},
		{"subscription", all, "resourceGroup().name", "[resourceGroup().name]"},
		{"managementGroup", none, "managementGroup()", "[managementGroup()]"},
		{"managementGroup", all, "managementGroup()", `{"id":"/providers/Microsoft.Management/managementGroups/mg","name":"mg","type":"Microsoft.Management/managementGroups","properties":"[managementGroup().properties]"}`},
		{"group", all, "managementGroup().id", "[managementGroup().id]"},
		{"group", none, "deployment().name", "[deployment().name]"},
		{"group", all, "deployment()", `{"name":"dep","properties":{"template":{"contentVersion":"1.0.0.0"}}}`},
		{"subscription", none, "deployment().location", "[deployment().location]"},
		{"subscription", all, "deployment()", `{"name":"dep","properties":{"template":{"contentVersion":"1.0.0.0"}},"location":"westeurope"}`},
		{"subscription", expand.Context{Location: "north"}, "deployment().location", "north"},
		{"subscription", expand.Context{Location: "north"}, "deployment().name", "[deployment().name]"},
		{"group", all, "environment().name", "[environment().name]"},
		{"group", all, "deployer().objectId", "[deployer().objectId]"},
		{"group", none, "resourceId('T.A/bs', 'x')", "[resourceId('T.A/bs', 'x')]"},
		{"group", all, "resourceId('T.A/bs/cs', 'x', 'y')", "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/apps/providers/T.A/bs/x/cs/y"},
		{"subscription", none, "subscriptionResourceId('T.A/bs', 'x')", "[subscriptionResourceId('T.A/bs', 'x')]"},
		{"subscription", all, "subscriptionResourceId('T.A/bs', 'x')", "/subscriptions/00000000-0000-0000-0000-000000000001/providers/T.A/bs/x"},
		{"managementGroup", none, "managementGroupResourceId('T.A/bs', 'x')", "[managementGroupResourceId('T.A/bs', 'x')]"},
		{"managementGroup", all, "managementGroupResourceId('T.A/bs', 'x')", "/providers/Microsoft.Management/managementGroups/mg/providers/T.A/bs/x"},
		{"tenant", all, "tenantResourceId('T.A/bs', 'x')", "/providers/T.A/bs/x"},
	} {
		expr := strings.ReplaceAll(c.expr, "'", "`")
		got := expandText(t, `{`+schemaOf(c.scope)+`, 'resources': {}, 'outputs': {'o': {'value': '[`+expr+`]'}}}`, expand.Options{Context: c.context})
		require.Equal(t, []string{"output o " + c.want}, got, "%s in a %s with %+v", c.expr, c.scope, c.context)
	}
}

// The ID of a resource tells where it is; of a place that is not known, the call that gives the ID is written.
func TestIDsInPlans(t *testing.T) {
	t.Parallel()
	const other = "'subscriptionId': '00000000-0000-0000-0000-00000000000b'"
	none, known := expand.Context{}, expand.Context{SubscriptionID: "S", ResourceGroup: "apps", ManagementGroupID: "mg"}
	for _, c := range []struct {
		scope           string
		context         expand.Context
		resource        string
		id, scoped, set string
	}{
		{"group", known, "'type': 'T.A/bs', 'name': 'x'", "/subscriptions/S/resourceGroups/apps/providers/T.A/bs/x", "/subscriptions/S/resourceGroups/apps", "apps"},
		{"group", none, "'type': 'T.A/bs', 'name': 'x'", "[resourceId('T.A/bs', 'x')]", "[resourceGroup().id]", ""},
		{"group", none, "'type': 'T.A/bs/cs', 'name': 'x/y'", "[resourceId('T.A/bs/cs', 'x', 'y')]", "[resourceGroup().id]", ""},
		{"group", expand.Context{SubscriptionID: "S"}, "'type': 'T.A/bs', 'name': 'x'", "[resourceId('S', 'T.A/bs', 'x')]", "[resourceGroup().id]", ""},
		{"subscription", known, "'type': 'T.A/bs', 'name': 'x', 'resourceGroup': '[utcNow()]'", "[format('{0}/providers/T.A/bs/x', format('/subscriptions/S/resourceGroups/{0}', utcNow()))]", "[format('/subscriptions/S/resourceGroups/{0}', utcNow())]", "[utcNow()]"},
		{"group", known, "'type': 'T.A/bs', 'name': '[utcNow()]'", "[format('/subscriptions/S/resourceGroups/apps/providers/T.A/bs/{0}', utcNow())]", "/subscriptions/S/resourceGroups/apps", "apps"},
		{"group", known, "'type': 'T.A/bs/cs', 'name': '[utcNow()]'", "[extensionResourceId('/subscriptions/S/resourceGroups/apps', 'T.A/bs/cs', utcNow())]", "/subscriptions/S/resourceGroups/apps", "apps"},
		{"group", known, "'type': 'T.A/bs', 'name': 'x', 'resourceGroup': 'other'", "/subscriptions/S/resourceGroups/other/providers/T.A/bs/x", "/subscriptions/S/resourceGroups/other", "other"},
		{"group", none, "'type': 'T.A/bs', 'name': 'x', 'resourceGroup': 'other'", "[resourceId('other', 'T.A/bs', 'x')]", "[format('{0}/resourceGroups/other', subscription().id)]", "other"},
		{"group", known, "'type': 'T.A/bs', 'name': 'x', " + other, "/subscriptions/00000000-0000-0000-0000-00000000000b/providers/T.A/bs/x", "/subscriptions/00000000-0000-0000-0000-00000000000b", ""},
		{"group", known, "'type': 'T.A/bs', 'name': 'x', 'resourceGroup': 'other', " + other, "/subscriptions/00000000-0000-0000-0000-00000000000b/resourceGroups/other/providers/T.A/bs/x", "/subscriptions/00000000-0000-0000-0000-00000000000b/resourceGroups/other", "other"},
		{"group", known, "'type': 'T.A/bs', 'name': 'x', 'scope': '/'", "/providers/T.A/bs/x", "/", ""},
		{"group", known, "'type': 'T.R/rs', 'name': 'x', 'scope': 'T.A/bs/y'", "/subscriptions/S/resourceGroups/apps/providers/T.A/bs/y/providers/T.R/rs/x", "/subscriptions/S/resourceGroups/apps/providers/T.A/bs/y", "apps"},
		{"group", known, "'type': 'T.R/rs', 'name': 'x', 'scope': '/subscriptions/S/'", "/subscriptions/S/providers/T.R/rs/x", "/subscriptions/S/", "apps"},
		{"group", known, "'type': 'T.R/rs', 'name': 'x', 'scope': 'Microsoft.Management/managementGroups/g'", "/providers/Microsoft.Management/managementGroups/g/providers/T.R/rs/x", "/providers/Microsoft.Management/managementGroups/g", "apps"},
		{"group", known, "'type': 'T.R/rs', 'name': 'x', 'scope': '[utcNow()]'", "[format('{0}/providers/T.R/rs/x', utcNow())]", "[utcNow()]", "apps"},
		{"group", known, "'type': 'Microsoft.Resources/resourceGroups', 'name': 'g'", "/subscriptions/S/resourceGroups/g", "/subscriptions/S/resourceGroups/apps", "apps"},
		{"subscription", known, "'type': 'Microsoft.Resources/resourceGroups', 'name': 'g'", "/subscriptions/S/resourceGroups/g", "/subscriptions/S", ""},
		{"subscription", none, "'type': 'Microsoft.Resources/resourceGroups', 'name': 'g'", "[format('{0}/resourceGroups/g', subscription().id)]", "[subscription().id]", ""},
		{"subscription", known, "'type': 'T.A/bs', 'name': 'x'", "/subscriptions/S/providers/T.A/bs/x", "/subscriptions/S", ""},
		{"subscription", none, "'type': 'T.A/bs', 'name': 'x'", "[subscriptionResourceId('T.A/bs', 'x')]", "[subscription().id]", ""},
		{"subscription", none, "'type': 'T.A/bs', 'name': 'x', 'resourceGroup': 'g'", "[resourceId('g', 'T.A/bs', 'x')]", "[format('{0}/resourceGroups/g', subscription().id)]", "g"},
		{"managementGroup", known, "'type': 'T.A/bs', 'name': 'x'", "/providers/Microsoft.Management/managementGroups/mg/providers/T.A/bs/x", "/providers/Microsoft.Management/managementGroups/mg", ""},
		{"managementGroup", none, "'type': 'T.A/bs', 'name': 'x'", "[managementGroupResourceId('T.A/bs', 'x')]", "[managementGroup().id]", ""},
		{"tenant", none, "'type': 'T.A/bs', 'name': 'x'", "/providers/T.A/bs/x", "/", ""},
		{"tenant", none, "'type': 'Microsoft.Resources/subscriptions', 'name': 's'", "/subscriptions/s", "/", ""},
	} {
		result, err := expand.Expand(parse(t, `{`+schemaOf(c.scope)+`, 'resources': {'r': {'apiVersion': '1', `+c.resource+`}}}`), expand.Options{Context: c.context})
		require.NoError(t, err, c.resource)
		r := result.Resources[0]
		require.Equal(t, []string{c.id, c.scoped, c.set}, []string{expand.Text(r.ID), expand.Text(r.Scope), expand.Text(r.Group)}, "%s in a %s with %+v", c.resource, c.scope, c.context)
	}
}

// Where a module goes: what its schema, its scope and its members say.
func TestWhereModulesGo(t *testing.T) {
	t.Parallel()
	const other = "'subscriptionId': '00000000-0000-0000-0000-00000000000b',"
	known := expand.Context{SubscriptionID: "S", ResourceGroup: "apps", ManagementGroupID: "mg", Location: "north", TenantID: "t"}
	for _, c := range []struct{ scope, members, inner, want string }{
		{"group", "", "group", `/subscriptions/S/resourceGroups/apps m/r /subscriptions/S/resourceGroups/apps/providers/T.A/bs/r {"location":"north"}`},
		{"group", "'resourceGroup': 'apps',", "group", `/subscriptions/S/resourceGroups/apps m/r /subscriptions/S/resourceGroups/apps/providers/T.A/bs/r {"location":"north"}`},
		{"group", "'resourceGroup': 'other',", "group", `/subscriptions/S/resourceGroups/other m/r /subscriptions/S/resourceGroups/other/providers/T.A/bs/r {"location":"[resourceGroup().location]"}`},
		{"group", other + "'resourceGroup': 'apps',", "group", `/subscriptions/00000000-0000-0000-0000-00000000000b/resourceGroups/apps m/r /subscriptions/00000000-0000-0000-0000-00000000000b/resourceGroups/apps/providers/T.A/bs/r {"location":"[resourceGroup().location]"}`},
		{"group", "'resourceGroup': '[utcNow()]',", "group", `[format('/subscriptions/S/resourceGroups/{0}', utcNow())] m/r [format('{0}/providers/T.A/bs/r', format('/subscriptions/S/resourceGroups/{0}', utcNow()))] {"location":"[resourceGroup().location]"}`},
		{"group", "'location': 'south', " + other, "subscription", `/subscriptions/00000000-0000-0000-0000-00000000000b m/r /subscriptions/00000000-0000-0000-0000-00000000000b/providers/T.A/bs/r {"location":"south"}`},
		{"group", "'scope': '/',", "tenant", `/ m/r /providers/T.A/bs/r {"location":"[deployment().location]"}`},
		{"subscription", "'location': 'south',", "subscription", `/subscriptions/S m/r /subscriptions/S/providers/T.A/bs/r {"location":"south"}`},
		{"subscription", "", "subscription", `/subscriptions/S m/r /subscriptions/S/providers/T.A/bs/r {"location":"north"}`},
		{"subscription", "'resourceGroup': 'g',", "group", `/subscriptions/S/resourceGroups/g m/r /subscriptions/S/resourceGroups/g/providers/T.A/bs/r {"location":"[resourceGroup().location]"}`},
		{"subscription", "'scope': '/providers/Microsoft.Management/managementGroups/up',", "managementGroup", `/providers/Microsoft.Management/managementGroups/up m/r /providers/Microsoft.Management/managementGroups/up/providers/T.A/bs/r {"location":"north"}`},
		{"managementGroup", "'scope': 'Microsoft.Management/managementGroups/up',", "managementGroup", `/providers/Microsoft.Management/managementGroups/up m/r /providers/Microsoft.Management/managementGroups/up/providers/T.A/bs/r {"location":"north"}`},
		{"managementGroup", "'scope': '[format(`Microsoft.Management/managementGroups/{0}`, utcNow())]',", "managementGroup", `[format('/providers/Microsoft.Management/managementGroups/{0}', last(split(format('Microsoft.Management/managementGroups/{0}', utcNow()), '/')))] m/r [format('{0}/providers/T.A/bs/r', format('/providers/Microsoft.Management/managementGroups/{0}', last(split(format('Microsoft.Management/managementGroups/{0}', utcNow()), '/'))))] {"location":"north"}`},
		{"managementGroup", "'scope': '/', 'location': 'south',", "tenant", `/ m/r /providers/T.A/bs/r {"location":"south"}`},
		{"managementGroup", other, "subscription", `/subscriptions/00000000-0000-0000-0000-00000000000b m/r /subscriptions/00000000-0000-0000-0000-00000000000b/providers/T.A/bs/r {"location":"north"}`},
		{"tenant", "'scope': 'Microsoft.Management/managementGroups/up',", "managementGroup", `/providers/Microsoft.Management/managementGroups/up m/r /providers/Microsoft.Management/managementGroups/up/providers/T.A/bs/r {"location":"north"}`},
	} {
		ask := map[string]string{"group": "resourceGroup().location", "subscription": "deployment().location", "managementGroup": "deployment().location", "tenant": "deployment().location"}[c.inner]
		text := `{` + schemaOf(c.scope) + `, 'resources': {` + module("m", c.members, c.inner, "'resources': {'r': {'type': 'T.A/bs', 'apiVersion': '1', 'name': 'r', 'location': '["+ask+"]'}}") + `}}`
		result, err := expand.Expand(parse(t, text), expand.Options{Context: known})
		require.NoError(t, err)
		m := result.Modules()[0]
		require.Equal(t, c.want, expand.Text(m.Scope)+" "+show(result.Resources[0]), "%s %s", c.scope, c.members)
	}
	// Where nothing is known, a module that goes where the template goes has IDs as the template has.
	for _, c := range []struct{ scope, members, inner, want string }{
		{"group", "", "group", "[resourceId('T.A/bs', 'r')]"},
		{"group", "'resourceGroup': 'g',", "group", "[resourceId('g', 'T.A/bs', 'r')]"},
		{"group", other + "'resourceGroup': 'g',", "group", "/subscriptions/00000000-0000-0000-0000-00000000000b/resourceGroups/g/providers/T.A/bs/r"},
		{"subscription", "", "subscription", "[subscriptionResourceId('T.A/bs', 'r')]"},
		{"subscription", "'resourceGroup': 'g',", "group", "[resourceId('g', 'T.A/bs', 'r')]"},
		{"managementGroup", "", "managementGroup", "[managementGroupResourceId('T.A/bs', 'r')]"},
	} {
		got := expandText(t, `{`+schemaOf(c.scope)+`, 'resources': {`+module("m", c.members, c.inner, "'resources': {'r': {'type': 'T.A/bs', 'apiVersion': '1', 'name': 'r'}}")+`}}`, expand.Options{})
		require.Equal(t, []string{"m/r " + c.want + " {}"}, got, "%s %s", c.scope, c.members)
	}
	_, err := expand.Expand(parse(t, `{`+schemaOf("group")+`, 'resources': {`+module("m", "'subscriptionId': 'S',", "subscription", "'resources': {}")+`}}`), expand.Options{Context: known})
	require.EqualError(t, err, `module "m": the subscription "S" is not a GUID`)
}

// Resources of Radius are in the group that the context names, by its name or its scope, and those of AWS in the account.
func TestScopesOfExtensions(t *testing.T) {
	t.Parallel()
	template := parse(t, `{`+groupSchema+`, 'imports': {'r': {'provider': 'Radius', 'version': '1'}, 'w': {'provider': 'AWS', 'version': '1'}}, 'resources': {
		'r': {'import': 'r', 'type': 'Applications.Core/containers@1', 'properties': {'name': 'c'}}, 'w': {'import': 'w', 'type': 'AWS.S3/Bucket@default', 'properties': {'name': 'n'}}}}`)
	for _, c := range []struct{ group, aws, id, scope, account string }{
		{"", "", "[reference('Applications.Core/containers/c').id]", "", ""},
		{"apps", "/planes/aws/aws/accounts/1/regions/r/", "/planes/radius/local/resourceGroups/apps/providers/Applications.Core/containers/c", "/planes/radius/local/resourceGroups/apps", "/planes/aws/aws/accounts/1/regions/r"},
		{"/planes/radius/x/resourceGroups/apps/", "", "/planes/radius/x/resourceGroups/apps/providers/Applications.Core/containers/c", "/planes/radius/x/resourceGroups/apps", ""},
	} {
		result, err := expand.Expand(template, expand.Options{Context: expand.Context{RadiusGroup: c.group, AWSScope: c.aws}})
		require.NoError(t, err)
		r, w := result.Resources[0], result.Resources[1]
		require.Equal(t, []string{c.id, c.scope, "", c.account, "n"}, []string{expand.Text(r.ID), expand.Text(r.Scope), expand.Text(w.ID), expand.Text(w.Scope), expand.Text(w.Name)})
	}
}
