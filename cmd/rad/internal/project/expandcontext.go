package project

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/generate"
)

// ContextFields are where contextSettings go, by their keys.
func ContextFields(x *expand.Context) map[string]*string {
	return map[string]*string{
		"tenantId": &x.TenantID, "subscriptionId": &x.SubscriptionID, "managementGroupId": &x.ManagementGroupID,
		"location": &x.Location, "resourceGroup": &x.ResourceGroup, "deploymentName": &x.DeploymentName,
	}
}

// ExpandContext returns what flags and settings say of a deployment, and what a listed
// target says that is asked for; t may be nil.
func (g *Work) ExpandContext(t *Target) (expand.Context, error) {
	x := expand.Context{RadiusGroup: g.Project.Group, AWSScope: g.Project.AWSScope}
	if t == nil {
		t = &Target{}
	}
	if t.group != "" {
		x.RadiusGroup = t.group
	}
	for key, to := range ContextFields(&x) {
		*to = g.Option(t, key)
	}
	if s := g.Project.AzureScope; s != "" {
		if err := generate.AddAzureScope(&x, s); err != nil {
			return x, cli.Fail(cli.ExitUsage, "--azure-scope %s: %w", s, err)
		}
	}
	return x, nil
}

// CheckContext refuses what the scope of a template has no place for, of the settings that
// counts accepts.
func CheckContext(x expand.Context, template *armjson.Object, counts func(key string) bool) error {
	scope := expand.TemplateScope(template)
	for _, one := range []struct {
		key, value string
		fits       bool
	}{
		{"subscriptionId", x.SubscriptionID, scope == "resourceGroup" || scope == "subscription"},
		{"managementGroupId", x.ManagementGroupID, scope == "managementGroup"},
		{"resourceGroup", x.ResourceGroup, scope == "resourceGroup"},
	} {
		if one.value != "" && !one.fits && counts(one.key) {
			return fmt.Errorf("--%s cannot be used with a template of scope %s", cli.Kebab(one.key), scope)
		}
	}
	return nil
}

// ChangedFlag reports whether the flag of a setting is given.
func ChangedFlag(flags *pflag.FlagSet) func(key string) bool {
	return func(key string) bool { return flags.Changed(cli.Kebab(key)) }
}

// TargetContext returns what flags, settings and a listed target say of the deployment.
func (g *Work) TargetContext(t *Target) (expand.Context, error) {
	x, err := g.ExpandContext(t)
	x.RadiusGroup = t.group // that of the flag is about a DeploymentTemplate
	return x, err
}
