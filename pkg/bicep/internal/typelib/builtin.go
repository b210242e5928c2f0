package typelib

import (
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// openBody is the body of a resource of which little is known.
func openBody(ref *types.ResourceTypeReference, ps []types.Property, others types.Type, flags types.GenerationFlags) *types.Object {
	rest := &types.Property{Type: others}
	if flags&types.ExistingResource != 0 {
		for i := range ps {
			ps[i] = existingProperty(ps[i])
		}
		rest = readOnlyAdditional(rest)
	} else {
		ps = append(ps, dependsOn(0))
	}
	return types.NewObject(ref.Name(), 0, ps, rest)
}

// Radius provides the resource types of Radius by their names, for when no archive
// says what their bodies are.
type Radius struct{ cache cache }

// radiusTypes are the types of each version, the part that they share first.
var radiusTypes = [...]struct {
	version string
	types   string
}{
	{"2023-10-01-preview", `Applications.Core/environments Applications.Core/applications Applications.Core/containers
		Applications.Core/gateways Applications.Core/secretStores Applications.Core/volumes Applications.Core/extenders
		Applications.Dapr/secretStores Applications.Dapr/stateStores Applications.Dapr/pubSubBrokers
		Applications.Dapr/configurationStores Applications.Datastores/mongoDatabases Applications.Datastores/redisCaches
		Applications.Datastores/sqlDatabases Applications.Messaging/rabbitMQQueues`},
	{"2025-08-01-preview", `Radius.AI/models Radius.AI/search Radius.Compute/containerImages Radius.Compute/containers
		Radius.Compute/persistentVolumes Radius.Compute/routes Radius.Core/applications Radius.Core/bicepSettings
		Radius.Core/environments Radius.Core/recipePacks Radius.Core/terraformSettings Radius.Data/mongoDatabases
		Radius.Data/mySqlDatabases Radius.Data/postgreSqlDatabases Radius.Data/redisCaches Radius.Data/sqlServerDatabases
		Radius.Messaging/kafka Radius.Messaging/rabbitMQ Radius.Security/secrets Radius.Storage/objectStorage`},
}

// RadiusSettings are those of the extension that a Radius workspace configures.
func RadiusSettings() types.NamespaceSettings {
	return types.NamespaceSettings{ExtensionName: "Radius", TemplateName: "Radius", TemplateVersion: "latest"}
}

// RadiusTypes returns the resource types of Radius.
var RadiusTypes = sync.OnceValue(func() (list []*types.ResourceTypeReference) {
	for _, g := range radiusTypes {
		for _, n := range strings.Fields(g.types) {
			list = append(list, types.NewResourceTypeReference(n, g.version))
		}
	}
	return list
})

func (r *Radius) find(ref *types.ResourceTypeReference) *types.ResourceTypeReference {
	for _, known := range RadiusTypes() {
		if known.Equal(ref) {
			return known
		}
	}
	return nil
}

func (r *Radius) HasDefinedType(ref *types.ResourceTypeReference) bool { return r.find(ref) != nil }

func (*Radius) Available() []*types.ResourceTypeReference { return RadiusTypes() }

func (*Radius) Versions(typ string) []*types.ResourceTypeReference {
	return versions(RadiusTypes(), typ)
}

func (*Radius) FallbackType(*types.Namespace, *types.ResourceTypeReference, types.GenerationFlags) *types.Resource {
	return nil
}

func (r *Radius) DefinedType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	known := r.find(ref)
	if known == nil {
		return nil
	}
	return r.cache.get(ns, ref, flags, func() *made {
		name := types.Required | types.ResourceIdentifier | types.LoopVariant | types.SystemProperty
		ps := []types.Property{
			{Name: "type", Type: types.Str(known.Type), Flags: types.ReadOnly | types.DeployTimeConstant},
			{Name: "apiVersion", Type: types.Str(known.Version), Flags: types.ReadOnly | types.DeployTimeConstant},
			{Name: "location", Type: types.TString, Flags: types.AllowImplicitNull},
			{Name: "properties", Type: types.TUnknown, Flags: types.Required},
		}
		id := types.ReadOnly
		if strings.HasPrefix(known.Type, "Applications.") || strings.HasPrefix(known.Type, "Radius.Core/") {
			name |= types.DeployTimeConstant | types.ReadableAtDeployTime
			id |= types.DeployTimeConstant
			ps = append(ps,
				types.Property{Name: "tags", Type: types.TUnknown},
				types.Property{Name: "systemData", Type: types.TUnknown, Flags: types.ReadOnly})
		}
		ps = append(ps, types.Property{Name: "id", Type: types.TString, Flags: id}, types.Property{Name: "name", Type: types.TString, Flags: name})
		body := openBody(known, ps, types.TUnknown, flags)
		body.Methods = types.NewFunctions(body, []*types.FunctionOverload{listMethod, anyMethod("getMetadata"), anyMethod("getGraph")}, nil)
		return &made{ref: known, parentScopes: anywhere | types.ScopeLocal, body: body, identifiers: []string{"name"}}
	})
}

func anyMethod(name string) *types.FunctionOverload {
	return &types.FunctionOverload{Name: name, Return: types.TAny, Flags: types.RequiresInlining, Variadic: &types.Variadic{Prefix: "arg", Type: types.TAny}}
}

// AWS provides every type that has an AWS name, for when no archive says which there are.
type AWS struct{ cache cache }

// AWSSettings are those of the extension that a Radius workspace configures.
func AWSSettings() types.NamespaceSettings {
	return types.NamespaceSettings{ExtensionName: "aws", TemplateName: "aws", TemplateVersion: "latest"}
}

func (*AWS) HasDefinedType(ref *types.ResourceTypeReference) bool {
	return len(ref.Segments) > 1 && len(ref.Type) > 4 && strings.EqualFold(ref.Type[:4], "AWS.") && strings.EqualFold(ref.Version, "default")
}

func (*AWS) Available() []*types.ResourceTypeReference { return nil }

func (*AWS) Versions(string) []*types.ResourceTypeReference { return nil }

func (*AWS) FallbackType(*types.Namespace, *types.ResourceTypeReference, types.GenerationFlags) *types.Resource {
	return nil
}

func (a *AWS) DefinedType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	if !a.HasDefinedType(ref) {
		return nil
	}
	return a.cache.get(ns, ref, flags, func() *made {
		const alias = types.Required | types.ResourceIdentifier | types.LoopVariant | types.SystemProperty
		body := openBody(ref, []types.Property{
			{Name: "alias", Type: types.TString, Flags: alias},
			{Name: "name", Type: types.TString, Flags: types.AllowImplicitNull},
			{Name: "properties", Type: types.TUnknown, Flags: types.ResourceIdentifier | types.LoopVariant},
		}, types.TUnknown, flags)
		return &made{ref: ref, parentScopes: anywhere | types.ScopeLocal, body: body, identifiers: []string{"alias", "properties"}}
	})
}
