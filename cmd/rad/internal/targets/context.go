package targets

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
)

// ContextFields are where the settings of the set Context go, by their keys.
func ContextFields(x *expand.Context) map[string]*string {
	return map[string]*string{
		"tenantId": &x.TenantID, settings.KeySubscriptionID: &x.SubscriptionID, "managementGroupId": &x.ManagementGroupID,
		"location": &x.Location, settings.KeyResourceGroup: &x.ResourceGroup, "deploymentName": &x.DeploymentName,
		settings.KeyCloud: &x.Cloud,
	}
}

// ExpandContext returns what flags, settings and a target, its bundle among them, say of its deployment.
func (t *Target) ExpandContext() (expand.Context, error) {
	s := t.Settings
	x := expand.Context{RadiusGroup: s.Group, AWSScope: s.AWSScope}
	group := s.Group
	if plane, name, ok := strings.Cut(strings.ToLower(group), "/resourcegroups/"); ok && plane == "/planes/radius/local" {
		group = name
	}
	if err := manifest.CheckGroup(group); err != nil {
		return x, cli.FailWith(cli.ExitUsage, t.OptionError(err))
	}
	for key, to := range ContextFields(&x) {
		if !s.Commanded(settings.KeyAzureScope) || s.Commanded(key) ||
			key != settings.KeySubscriptionID && key != settings.KeyResourceGroup {
			*to = s.Text(key)
		}
	}
	if s.AzureScope != "" {
		if err := generate.AddAzureScope(&x, s.AzureScope); err != nil {
			return x, cli.Fail(cli.ExitUsage, "--azure-scope %s: %w", s.AzureScope, err)
		}
	}
	return x, nil
}

// CheckContext refuses what the scope of a template has no place for, if it counts. It asks named about nothing else.
func CheckContext(x expand.Context, template *armjson.Object, named func(key string) (name string, counts bool)) error {
	scope := expand.TemplateScope(template)
	for _, one := range []struct {
		key, value string
		fits       bool
	}{
		{settings.KeySubscriptionID, x.SubscriptionID, scope == "resourceGroup" || scope == "subscription"},
		{"managementGroupId", x.ManagementGroupID, scope == "managementGroup"},
		{settings.KeyResourceGroup, x.ResourceGroup, scope == "resourceGroup"},
	} {
		if one.value == "" || one.fits {
			continue
		}
		if name, counts := named(one.key); counts {
			return fmt.Errorf("%s cannot be used with a template of scope %s", name, scope)
		}
	}
	return nil
}

// Flag returns the flag of a setting, and whether it is given.
func Flag(flags *pflag.FlagSet) func(key string) (name string, given bool) {
	return func(key string) (string, bool) { return "--" + cli.Kebab(key), flags.Changed(cli.Kebab(key)) }
}

// ObjectContext is ExpandContext for objects of a cluster.
func (t *Target) ObjectContext() (expand.Context, error) {
	x, err := t.ExpandContext()
	if t.Kind().OfAnyKind() {
		x.RadiusGroup = generate.RadiusScope(t.Settings.Group)
	} else if !t.Says(settings.KeyGroup) { // that of all targets is about a DeploymentTemplate
		x.RadiusGroup = ""
	}
	return x, err
}
