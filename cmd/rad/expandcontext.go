package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
)

// contextFlags say what is known of a deployment. They are named as those of the
// official snapshot command.
type contextFlags struct {
	context bicep.ExpandContext
}

func (c *contextFlags) add(f *pflag.FlagSet) {
	x := &c.context
	f.StringVar(&x.TenantID, "tenant-id", "", "`ID` of the tenant that is deployed to")
	f.StringVar(&x.SubscriptionID, "subscription-id", "", "`ID` of the subscription that is deployed to")
	f.StringVar(&x.ManagementGroupID, "management-group-id", "", "`ID` of the management group that is deployed to")
	f.StringVar(&x.Location, "location", "", "location of the resource group, or of the deployment: `REGION`")
	f.StringVar(&x.ResourceGroup, "resource-group", "", "`NAME` of the Azure resource group that is deployed to")
	f.StringVar(&x.DeploymentName, "deployment-name", "", "`NAME` of the deployment")
}

// check refuses what the scope of a template has no place for.
func (c *contextFlags) check(template *armjson.Object) error {
	scope := bicep.TemplateScope(template)
	for _, x := range []struct {
		flag, value string
		fits        bool
	}{
		{"subscription-id", c.context.SubscriptionID, scope == "resourceGroup" || scope == "subscription"},
		{"management-group-id", c.context.ManagementGroupID, scope == "managementGroup"},
		{"resource-group", c.context.ResourceGroup, scope == "resourceGroup"},
	} {
		if x.value != "" && !x.fits {
			return fmt.Errorf("--%s cannot be used with a template of scope %s", x.flag, scope)
		}
	}
	return nil
}
