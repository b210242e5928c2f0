package expand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
		{"group", all, "subscriptionResourceId('S', 'Microsoft.Resources/resourceGroups', 'x')", "/subscriptions/S/resourceGroups/x"},
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
		require.Equal(t, []string{"output o " + c.want}, expandText(t, `{`+schemaOf(c.scope)+`, 'resources': {}, 'outputs': {'o': {'type': 'string', 'value': '[`+text+`]'}}}`, o), "%s in a %s with %+v", c.expr, c.scope, c.context)
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
