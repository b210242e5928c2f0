package namespaces

import (
	"cmp"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// newAz makes Azure's namespace for a template that is deployed to the given scopes.
func newAz(alias string, scope types.ResourceScope, params bool, v release.Version, resources types.ResourceTypeProvider) *types.Namespace {
	alias = cmp.Or(alias, "az")
	var t table
	if scope != types.ScopeLocal {
		if params {
			t.paramsAzFunctions()
		} else {
			t.azFunctions()
		}
	}
	if !params {
		t.scopeFunctions(scope)
	}
	settings := types.NamespaceSettings{Singleton: true, ExtensionName: "az",
		TemplateName: "AzureResourceManager", TemplateVersion: azVersion(v)}
	return types.NewNamespace(alias, settings, nil, t.of(v), nil, nil, resources)
}

// azVersion is the version of the type library that the compiler's release was built
// with: a template that names az as an extension lists it.
func azVersion(v release.Version) string {
	if v.Has(release.AzTypes972) {
		return "0.2.972"
	}
	return "0.2.896"
}

const (
	tenant, group          = types.ScopeTenant, types.ScopeManagementGroup
	subscription, resource = types.ScopeSubscription, types.ScopeResourceGroup
	everywhere             = tenant | group | subscription | resource
)

// scopeFunctions are those that name a scope. A function is available if it has a meaning at all
// scopes that the template can be deployed to. Called with arguments, it returns only the scope: an
// object without properties.
func (t *table) scopeFunctions(scope types.ResourceScope) {
	str := types.TString
	add := func(at types.ResourceScope, name string, of types.ResourceScope, ps []types.Property, params ...types.Param) {
		if scope&^at != 0 {
			return
		}
		bare := len(ps) == 0
		ps = types.NewObject(name, 0, ps, nil).Properties() // in order: calls share them, also of programs compiled at the same time
		declared := &types.Object{Name: name}
		declared.SetScope(of, nil)
		t.add(name, declared, params...).result(func(ctx types.CallContext, _ []types.Type) types.FunctionResult {
			o := types.NewObject(name, 0, ps, nil)
			o.SetScope(of, ctx.Args())
			r := types.FunctionResult{Type: o}
			if bare {
				r.Value = armjson.NewObject()
			}
			return r
		})
	}
	add(everywhere, "tenant", tenant, stringProps("tenantId", "country", "countryCode", "displayName"))
	parent := objectOf("summaryProperties", stringProps("id", "name", "type")...)
	details := objectOf("detailsProperties", append(stringProps("version", "updatedTime", "updatedBy"), prop("parent", parent))...)
	groupProperties := objectOf("properties", append(stringProps("tenantId", "displayName"), prop("details", details))...)
	add(group, "managementGroup", group, append(stringProps("id", "name", "type"), prop("properties", groupProperties)))
	add(everywhere, "managementGroup", group, nil, req("name", str))
	add(subscription|resource, "subscription", subscription, stringProps("id", "subscriptionId", "tenantId", "displayName"))
	add(everywhere|types.ScopeLocal, "subscription", subscription, nil, req("subscriptionId", str))
	add(resource, "resourceGroup", resource, append(stringProps("id", "name", "type", "location", "managedBy"),
		prop("tags", typelib.Tags()), prop("properties", objectOf("properties", stringProps("provisioningState")...))))
	add(subscription|resource, "resourceGroup", resource, nil, req("resourceGroupName", str))
	add(everywhere|types.ScopeLocal, "resourceGroup", resource, nil, req("subscriptionId", str), req("resourceGroupName", str))

	if scope&^everywhere == 0 {
		t.add("deployment", types.NewObject("deployment", 0, nil, &types.Property{Type: types.TAny})).result(deploymentResult)
		t.add("deployer", objectOf("deployer", stringProps("objectId", "tenantId", "userPrincipalName")...))
	}
}

// deploymentResult is the type of deployment(), which includes the metadata of the template.
func deploymentResult(ctx types.CallContext, _ []types.Type) types.FunctionResult {
	m := modelOf(ctx)
	template := stringProps("contentVersion")
	if list := m.Binding().Metadata; len(list) > 0 {
		var ps []types.Property
		for _, md := range list {
			ps = append(ps, prop(md.Name(), types.Defer(func() types.Type { return ctx.TypeOf(md.Stmt) })))
		}
		template = append(template, prop("metadata", objectOf("metadataProperties", ps...)))
	}
	ps := []types.Property{
		prop("name", types.TString),
		prop("properties", objectOf("properties",
			prop("template", objectOf("templateProperties", template...)),
			prop("templateLink", objectOf("templateLinkProperties", stringProps("id", "uri")...)))),
	}
	if m.TargetScope() != resource {
		ps = append(ps, prop("location", types.TString))
	}
	return types.FunctionResult{Type: objectOf("deployment", ps...)}
}

// azFunctions are those of templates, whatever their scope.
func (t *table) azFunctions() {
	str, num := types.TString, types.TInt
	strs := arrayOf(str)
	t.add("environment", environment())

	// IDs of resources. Which arguments come before the type is decided in the deployment, so there
	// is an overload for each number of arguments.
	typ, sub, rg := req("resourceType", str), req("subscriptionId", str), req("resourceGroupName", str)
	id := func(name string, scopes int, leading ...types.Param) {
		o := t.add(name, str, append(leading, typ)...).many(str, 1)
		if scopes == 0 {
			o.flags(types.Pure)
			return
		}
		o.Pure = func(ctx types.CallContext) bool { return namesScopes(ctx, scopes) }
	}
	id("resourceId", 2)
	id("resourceId", 2, sub)
	id("resourceId", 2, rg)
	id("resourceId", 2, sub, rg)
	id("subscriptionResourceId", 1)
	id("subscriptionResourceId", 1, sub)
	id("tenantResourceId", 0)
	id("extensionResourceId", 0, req("resourceId", str))
	id("managementGroupResourceId", 1)
	id("managementGroupResourceId", 1, req("managementGroupId", str))

	t.add("getRoleAssignmentName", str, req("arguments", objectOf("getRoleAssignmentName",
		types.Property{Name: "scope", Type: str, Flags: types.Required},
		types.Property{Name: "principalId", Type: str, Flags: types.Required},
		types.Property{Name: "roleDefinitionId", Type: str, Flags: types.Required})))
	t.add("roleDefinitions", objectOf("roleDefinition", stringProps("id", "roleDefinitionId")...), req("roleName", str))
	one := objectOf("ProviderResource", prop("resourceType", str), prop("locations", strs), prop("apiVersions", strs))
	all := objectOf("Provider", prop("namespace", str), prop("resourceTypes", arrayOf(one)))
	provider := req("providerNamespace", str)
	t.add("providers", all, provider).result(deprecated(all))
	t.add("providers", one, provider, typ).result(deprecated(one))

	location := req("location", str)
	t.add("toLogicalZone", str, sub, location, req("physicalZone", str)).flags(types.RequiresInlining)
	t.add("toLogicalZones", strs, sub, location, req("physicalZones", types.TArray)).flags(types.RequiresInlining)
	t.add("toPhysicalZone", str, sub, location, req("logicalZone", str)).flags(types.RequiresInlining)
	t.add("toPhysicalZones", strs, sub, location, req("logicalZones", types.TArray)).flags(types.RequiresInlining)
	t.add("pickZones", types.TArray, provider, typ, location, opt("numberOfZones", num), opt("offset", num))

	which := req("resourceNameOrIdentifier", str)
	t.add("reference", types.TObject, which, opt("apiVersion", str), opt("full", str)).flags(types.RequiresInlining)
	t.add("list*", types.TAny, which, req("apiVersion", str),
		opt("functionValues", types.TObject)).flags(types.RequiresInlining).Wildcard = "list"
}

func deprecated(t types.Type) func(types.CallContext, []types.Type) types.FunctionResult {
	return func(ctx types.CallContext, _ []types.Type) types.FunctionResult {
		ctx.Report(diag.BCP241.At(callName(ctx), "providers"))
		return types.FunctionResult{Type: t}
	}
}

// namesScopes reports whether a call of the resourceId family gives all scopes: then
// it depends on nothing but its arguments. The type is the first constant that looks like one.
func namesScopes(ctx types.CallContext, scopes int) bool {
	args := ctx.Args()
	if len(args) < scopes+2 {
		return false
	}
	for i := 0; i <= scopes; i++ {
		s, ok := literal(ctx.TypeOf(args[i]))
		if !ok {
			return false
		}
		if r := types.ParseResourceType(s); r != nil && len(r.Segments) > 1 && strings.Contains(r.Segments[0], ".") {
			return i == scopes
		}
	}
	return false
}

func environment() *types.Object {
	authentication := objectOf("authenticationProperties",
		append(stringProps("identityProvider", "loginEndpoint", "tenant"), prop("audiences", arrayOf(types.TString)))...)
	suffixes := objectOf("suffixesProperties",
		stringProps("acrLoginServer", "azureDatalakeAnalyticsCatalogAndJob", "azureDatalakeStoreFileSystem",
			"azureFrontDoorEndpointSuffix", "keyvaultDns", "sqlServerHostname", "storage")...)
	return objectOf("environment",
		append(stringProps("activeDirectoryDataLake", "batch", "gallery", "graph", "graphAudience", "media", "name",
			"portal", "resourceManager", "sqlManagement", "vmImageAliasDoc"),
			prop("authentication", authentication), prop("suffixes", suffixes))...)
}

// paramsAzFunctions are those of parameter files.
func (t *table) paramsAzFunctions() {
	str := types.TString
	t.add("getSecret", types.TSecureString, req("subscriptionId", str), req("resourceGroupName", str), req("keyVaultName", str),
		req("secretName", str), opt("secretVersion", str)).
		flags(types.DirectAssignment).
		result(func(_ types.CallContext, args []types.Type) types.FunctionResult {
			r := types.FunctionResult{Type: types.TSecureString}
			var parts [5]string
			for i, a := range args {
				s, ok := literal(a)
				if !ok || i == len(parts) {
					return r
				}
				parts[i] = s
			}
			r.Secret = &types.SecretReference{
				VaultID: "/subscriptions/" + parts[0] + "/resourceGroups/" + parts[1] + "/providers/Microsoft.KeyVault/vaults/" + parts[2],
				Name:    parts[3],
				Version: parts[4],
			}
			return r
		}).Evaluator = types.EvaluateGetSecret
}

// newThis makes the namespace `this`, through which a resource refers to itself.
func newThis() *types.Namespace {
	var t table
	t.add("exists", types.TBool).flags(types.RequiresInlining)
	t.add("existingResource", union(types.TObject, types.TNull)).flags(types.RequiresInlining).
		result(func(ctx types.CallContext, _ []types.Type) types.FunctionResult {
			return types.FunctionResult{Type: union(existingBody(ctx), types.TNull)}
		})
	settings := types.NamespaceSettings{Singleton: true, ExtensionName: "this", TemplateName: "This", TemplateVersion: "0.0.1"}
	return types.NewNamespace("this", settings, nil, t.list, nil, nil, typelib.Empty{})
}

// existingBody is the type of the resource that a call is in.
func existingBody(ctx types.CallContext) types.Type {
	for n := ctx.Parent(ctx.Call()); n != nil; n = ctx.Parent(n) {
		if _, ok := ctx.Symbol(n).(*bind.Resource); ok {
			if r, ok := ctx.DeclaredType(n).(*types.Resource); ok {
				return r.Body.Type()
			}
			break
		}
	}
	return types.TObject
}
