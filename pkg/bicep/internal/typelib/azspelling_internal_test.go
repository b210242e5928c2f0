package typelib

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

func TestAzureSpelling(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"microsoft.web/serverFarms@2022-09-01":                                             "Microsoft.Web/serverfarms@2022-09-01",
		"Microsoft.Network/publicIpAddresses@2023-01-01":                                   "Microsoft.Network/publicIPAddresses@2023-01-01",
		"Microsoft.Storage/storageAccounts@2023-01-01":                                     "Microsoft.Storage/storageAccounts@2023-01-01",
		"MICROSOFT.STORAGE/storageaccounts/NewThing/sub@2023-01-01":                        "Microsoft.Storage/storageAccounts/NewThing/sub@2023-01-01",
		"microsoft.network/newThing@2023-01-01":                                            "Microsoft.Network/newThing@2023-01-01",
		"microsoft.unheardOf/newThing@2023-01-01":                                          "microsoft.unheardOf/newThing@2023-01-01",
		"Microsoft.Insights/actionGroups@2019-06-01":                                       "microsoft.insights/actionGroups@2019-06-01",
		"microsoft.insights/actiongroups@2023-01-01":                                       "Microsoft.Insights/actionGroups@2023-01-01",
		"Microsoft.Cache/redis@2019-07-01":                                                 "Microsoft.Cache/Redis@2019-07-01",
		"Microsoft.Insights/components/linkedStorageAccounts@2020-03-01-preview":           "microsoft.insights/components/linkedStorageAccounts@2020-03-01-preview",
		"microsoft.servicefabric/managedClusters/applications/services@2023-03-01-preview": "Microsoft.ServiceFabric/managedclusters/applications/services@2023-03-01-preview",
		"Microsoft.EventHub/namespaces/AuthorizationRules@2021-11-01":                      "Microsoft.EventHub/namespaces/authorizationRules@2021-11-01",
		"Microsoft.EventHub/namespaces/AuthorizationRules@2015-08-01":                      "Microsoft.EventHub/namespaces/AuthorizationRules@2015-08-01",
		"microsoft.appplatform/spring/buildservices/agentpools@2023-12-01":                 "Microsoft.AppPlatform/Spring/buildServices/agentPools@2023-12-01",
		"Microsoft.DBForMySql/flexibleServers/keys@2020-07-01-preview":                     "Microsoft.DBForMySql/flexibleServers/keys@2020-07-01-preview",
		"Microsoft.Network/dnszones/AAAA@2015-05-04-preview":                               "Microsoft.Network/dnszones/AAAA@2015-05-04-preview",
		"Microsoft.Authorization/policyassignments@2015-10-01-preview":                     "Microsoft.Authorization/policyassignments@2015-10-01-preview",
		"Microsoft.Authorization/policyassignments@2015-11-01":                             "Microsoft.Authorization/policyAssignments@2015-11-01",
		"microsoft.compute/cloudServices/roleInstances/networkInterfaces@2025-09-01":       "microsoft.Compute/cloudServices/roleInstances/networkInterfaces@2025-09-01",
		"zz.top/x@2023-01-01": "zz.top/x@2023-01-01",
	} {
		assert.Equal(t, want, azSpelling(types.ParseResourceType(written)).Name(), written)
	}
}

func TestAzureTypesAreInOrder(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSuffix(azTypes, "\n"), "\n")
	for i, line := range lines {
		if i > 0 && aztypes.CompareFold(lines[i-1], line) >= 0 {
			t.Errorf("%s and %s", lines[i-1], line)
		}
		assert.Equal(t, line, listedFrom(strings.ToLower(line)))
	}
	assert.Equal(t, lines[0], listedFrom(""))
	assert.Empty(t, listedFrom("zz"))
}
