package generate

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/secret"
)

// ExpandDeployed predicts what a manifest deploys; nil deploys nothing. hides tells which
// parameters have values that must not be shown, beyond those that are secure. run may be nil.
func ExpandDeployed(d *manifest.Deployed, x expand.Context, hides func(name string) bool, run *expand.Run) (*expand.Result, error) {
	if d == nil {
		return nil, nil
	}
	given := map[string]expand.Parameter{}
	for name, v := range d.Parameters.All() {
		entry := v.(*armjson.Object)
		var p expand.Parameter
		p.Value, _ = entry.Get("value")
		p.Reference, _ = entry.Get("reference")
		if hides(name) {
			p.Mark = secret.Environment
		}
		given[name] = p
	}
	// A manifest in the shape of Radius has values of objects and arrays as defaults of the template.
	if declared := d.Template.Object("parameters"); declared != nil {
		for name := range declared.All() {
			one := declared.Object(name)
			if one == nil || !hides(name) || d.Parameters.Find(name) >= 0 {
				continue
			}
			if v, ok := one.Get("defaultValue"); ok {
				given[name] = expand.Parameter{Value: v, Mark: secret.Environment}
			}
		}
	}
	result, err := expand.Expand(d.Template,
		expand.Options{Parameters: given, Context: x, Tolerant: true, Graphs: true, Declared: true, Run: run})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	return result, nil
}

// FillContext adds what a manifest says of its deployment and nothing else does.
func FillContext(x *expand.Context, d *manifest.Deployed) {
	x.RadiusGroup = cmp.Or(x.RadiusGroup, d.RadiusScope)
	if x.AWSScope == "" {
		x.AWSScope = d.AWSScope
	}
	if d.AzureScope != "" {
		_ = AddAzureScope(x, d.AzureScope) // another form says nothing that can be used
	}
}

// AddAzureScope adds what /subscriptions/ID/resourceGroups/NAME says and nothing else does.
func AddAzureScope(x *expand.Context, scope string) error {
	parts := strings.Split(strings.Trim(scope, "/"), "/")
	if len(parts) != 2 && len(parts) != 4 || !strings.EqualFold(parts[0], "subscriptions") ||
		len(parts) == 4 && !strings.EqualFold(parts[2], "resourceGroups") {
		return errors.New("it has the form /subscriptions/ID/resourceGroups/NAME")
	}
	x.SubscriptionID = cmp.Or(x.SubscriptionID, parts[1])
	if len(parts) == 4 && x.ResourceGroup == "" {
		x.ResourceGroup = parts[3]
	}
	return nil
}

// Changes compares what a manifest deploys with what the old content of its file does.
// One that is empty deploys nothing.
func Changes(old []byte, m *manifest.Manifest) (*plan.Plan, error) {
	after, err := m.Deployed()
	if err != nil {
		return nil, err
	}
	list, err := manifest.Read(old)
	if err != nil {
		return nil, err
	}
	if len(list) > 1 {
		return nil, fmt.Errorf("the file holds %d manifests", len(list))
	}
	var before *manifest.Deployed
	if len(list) == 1 {
		before = &list[0]
	}
	var x expand.Context
	FillContext(&x, &after)
	is, err := ExpandDeployed(&after, x, m.Hides, nil)
	if err != nil {
		return nil, err
	}
	if before != nil {
		y := x
		x = expand.Context{}
		FillContext(&x, before)
		if x == (expand.Context{}) {
			x = y
		}
	}
	was, err := ExpandDeployed(before, x, m.Hides, nil)
	if err != nil {
		return nil, err
	}
	made := plan.Compare(was, is)
	made.Replaces(false)
	return made, nil
}
