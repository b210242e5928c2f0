package config

import (
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
)

// The built-in configuration holds what a bicepconfig.json is laid over.
// Beyond the official compiler's own it knows the extensions that a Radius
// workspace lists, so that a Radius template compiles without any file.

func object(kv ...any) *armjson.Object {
	o := &armjson.Object{}
	for i := 0; i < len(kv); i += 2 {
		o.Set(kv[i].(string), kv[i+1].(armjson.Value))
	}
	return o
}

func stringList(list ...string) armjson.Array {
	a := make(armjson.Array, len(list))
	for i, s := range list {
		a[i] = armjson.String(s)
	}
	return a
}

func profile(manager, directory string) *armjson.Object {
	return object(managerKey, armjson.String(manager), directoryKey, armjson.String(directory))
}

// azureClouds returns the profiles of Azure's own clouds.
func azureClouds(v release.Version) *armjson.Object {
	profiles := object(
		"AzureCloud", profile("https://management.azure.com", "https://login.microsoftonline.com"),
		"AzureChinaCloud", profile("https://management.chinacloudapi.cn", "https://login.chinacloudapi.cn"),
		"AzureUSGovernment", profile("https://management.usgovcloudapi.net", "https://login.microsoftonline.us"),
	)
	if v.Has(release.BleuCloud) {
		profiles.Set("AzureBleuCloud", profile("https://management.sovcloud-api.fr", "https://login.sovcloud-identity.fr"))
	}
	return profiles
}

// defaults returns the built-in settings. Each caller gets its own.
func defaults(v release.Version) *armjson.Object {
	return object(
		"cloud", object(
			"currentProfile", armjson.String("AzureCloud"),
			"profiles", azureClouds(v),
			"credentialPrecedence", stringList("AzureCLI", "AzurePowerShell"),
		),
		"moduleAliases", object(
			"ts", object(),
			"br", object("public", object("registry", armjson.String("mcr.microsoft.com"), "modulePath", armjson.String("bicep"))),
		),
		"moduleAliasesMock", object("br", object()),
		"extensions", object(
			"az", armjson.String(builtin),
			"kubernetes", armjson.String(builtin),
			"radius", armjson.String(builtin),
			"aws", armjson.String(builtin),
		),
		"implicitExtensions", stringList("az"),
		"analyzers", object("core", object(
			"verbose", armjson.Bool(false),
			"enabled", armjson.Bool(true),
			"rules", object("no-hardcoded-env-urls", object(
				"level", armjson.String("warning"),
				"disallowedhosts", stringList(
					"azuredatalakeanalytics.net", "azuredatalakestore.net", "batch.core.windows.net", "core.windows.net",
					"database.windows.net", "datalake.azure.net", "gallery.azure.com", "graph.windows.net",
					"login.microsoftonline.com", "management.azure.com", "management.core.windows.net", "vault.azure.net"),
				"excludedhosts", stringList("schema.management.azure.com"),
			)),
		)),
		"experimentalFeaturesWarning", armjson.Bool(true),
		"experimentalFeaturesEnabled", object(),
		"formatting", object(),
	)
}
