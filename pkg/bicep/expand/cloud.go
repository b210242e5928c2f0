package expand

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// Clouds are the clouds of Azure of which it is known what environment() returns.
var Clouds = []string{"AzureCloud", "AzureChinaCloud", "AzureUSGovernment"}

// environments are what environment() returns in each of Clouds: a line for each property. A comma separates the elements
// of a list, and - is a value that is not known, so that no option gives it.
const environments = `
name AzureCloud AzureChinaCloud AzureUSGovernment
gallery https://gallery.azure.com/ https://gallery.chinacloudapi.cn/ https://gallery.usgovcloudapi.net/
graph https://graph.windows.net/ https://graph.chinacloudapi.cn/ https://graph.windows.net/
portal https://portal.azure.com https://portal.azure.cn https://portal.azure.us
graphAudience https://graph.windows.net/ https://graph.chinacloudapi.cn/ https://graph.windows.net/
activeDirectoryDataLake https://datalake.azure.net/ - -
batch https://batch.core.windows.net/ https://batch.chinacloudapi.cn/ https://batch.core.usgovcloudapi.net/
media https://rest.media.azure.net https://rest.media.chinacloudapi.cn https://rest.media.usgovcloudapi.net
sqlManagement https://management.core.windows.net:8443/ https://management.core.chinacloudapi.cn:8443/ ` +
	`https://management.core.usgovcloudapi.net:8443/
vmImageAliasDoc ` + aliases + " " + aliases + " " + aliases + `
resourceManager https://management.azure.com/ https://management.chinacloudapi.cn/ https://management.usgovcloudapi.net/
authentication.loginEndpoint https://login.microsoftonline.com/ https://login.chinacloudapi.cn/ https://login.microsoftonline.us/
authentication.audiences https://management.core.windows.net/,https://management.azure.com/ ` +
	`https://management.core.chinacloudapi.cn/,https://management.chinacloudapi.cn/ ` +
	`https://management.core.usgovcloudapi.net/,https://management.usgovcloudapi.net/
authentication.tenant common common common
authentication.identityProvider AAD AAD AAD
suffixes.acrLoginServer .azurecr.io .azurecr.cn .azurecr.us
suffixes.azureDatalakeAnalyticsCatalogAndJob azuredatalakeanalytics.net - -
suffixes.azureDatalakeStoreFileSystem azuredatalakestore.net - -
suffixes.azureFrontDoorEndpointSuffix azurefd.net azurefd.cn azurefd.us
suffixes.keyvaultDns .vault.azure.net .vault.azure.cn .vault.usgovcloudapi.net
suffixes.sqlServerHostname .database.windows.net .database.chinacloudapi.cn .database.usgovcloudapi.net
suffixes.storage core.windows.net core.chinacloudapi.cn core.usgovcloudapi.net
`

const aliases = "https://raw.githubusercontent.com/Azure/azure-rest-api-specs/master/arm-compute/quickstart-templates/aliases.json"

// environment evaluates environment() in a cloud. All is unknown if the cloud is.
func environment(cloud string) Value {
	unknown := eval.NewUnknown(nil, "environment")
	column := slices.Index(Clouds, cloud) + 1
	if column == 0 {
		return unknown
	}
	out := armjson.NewObject()
	for line := range strings.Lines(strings.TrimLeft(environments, "\n")) {
		words := strings.Fields(line)
		outer, name, nested := strings.Cut(words[0], ".")
		in := out
		if !nested {
			name = outer
		} else {
			if out.Find(outer) < 0 {
				out.Set(outer, armjson.NewObject())
			}
			in = out.Object(outer)
		}
		switch text := words[column]; {
		case text == "-":
			from := eval.NewUnknown(ungiven("environment()."+words[0]), "environment")
			if nested {
				from, _ = eval.Get(from, outer).(*eval.Unknown)
			}
			in.Set(name, eval.Get(from, name))
		case name == "audiences":
			list := armjson.Array{}
			for one := range strings.SplitSeq(text, ",") {
				list = append(list, armjson.String(one))
			}
			in.Set(name, list)
		default:
			in.Set(name, armjson.String(text))
		}
	}
	return out
}
