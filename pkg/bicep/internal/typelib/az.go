package typelib

import (
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Az provides Azure's resource types: those of a library of them, or else the shape
// that any resource has. Without a library it knows which providers Azure
// has, of which every type is taken to exist though its body is unknown, from all
// others.
type Az struct {
	Empty
	open              func() *azLibrary // nil where there is none
	defined, fallback cache
}

// NewAz returns the provider of the types of a library, which is opened when the first
// type is needed. open may be nil, or return nil, if there is no library.
func NewAz(open func() *aztypes.Library) *Az {
	return &Az{open: sync.OnceValue(func() *azLibrary {
		if open == nil {
			return nil
		}
		lib := open()
		if lib == nil {
			return nil
		}
		return &azLibrary{lib: lib}
	})}
}

func (a *Az) library() *azLibrary {
	if a.open == nil {
		return nil
	}
	return a.open()
}

// Library returns the library, or nil where there is none.
func (a *Az) Library() *aztypes.Library {
	if l := a.library(); l != nil {
		return l.lib
	}
	return nil
}

// azProviders are those in Azure's library besides Microsoft.*, in lower case.
var azProviders = [...]string{
	"arizeai.observabilityeval", "astronomer.astro", "commvault.contentstore", "dell.storage", "dynatrace.observability",
	"github.network", "informatica.datamanagement", "lambdatest.hyperexecute", "mongodb.atlas", "napster.companionapi",
	"newrelic.observability", "nginx.nginxplus", "oracle.database", "paloaltonetworks.cloudngfw", "pinecone.vectordb",
	"purestorage.block", "qumulo.storage", "splitio.experimentation",
}

func (a *Az) HasDefinedType(ref *types.ResourceTypeReference) bool {
	if l := a.library(); l != nil {
		return l.lib.Has(ref.Type, ref.Version)
	}
	return perhapsAz(ref)
}

// perhapsAz reports whether a type may be one of Azure's, as far as is known without
// the library.
func perhapsAz(ref *types.ResourceTypeReference) bool {
	if !azVersion(ref.Version) {
		return false
	}
	// The name of one provider may stand below a type of another.
	if own, below, ok := cutFold(ref.Type, "/microsoft."); !azName(ref.Type) && !(ok && azName(own+"/"+below)) {
		return false
	}
	for i := 2; i < len(ref.Segments)-1; i++ {
		if strings.EqualFold(ref.Segments[i], "providers") {
			return false // made of the ID of an extension resource, whose own type is meant
		}
	}
	return knownAzProvider(ref.Segments[0])
}

// cutFold is strings.Cut for ASCII text, ignoring case.
func cutFold(s, sep string) (before, after string, found bool) {
	if i := strings.Index(strings.ToLower(s), sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// HasProvider reports whether Azure has resource types of a provider.
func (a *Az) HasProvider(name string) bool {
	if l := a.library(); l != nil {
		return l.lib.HasProvider(name)
	}
	return knownAzProvider(name)
}

// HasType reports whether Azure has a resource type in any version. Without the library
// it has all types of the providers that it has.
func (a *Az) HasType(name string) bool {
	if l := a.library(); l != nil {
		_, ok := l.lib.FindType(name)
		return ok
	}
	provider, _, _ := strings.Cut(name, "/")
	return knownAzProvider(provider)
}

// knownAzProvider reports whether Azure's library has types of a provider.
func knownAzProvider(name string) bool {
	if len(name) > len("microsoft.") && strings.EqualFold(name[:len("microsoft.")], "microsoft.") {
		return true
	}
	for _, p := range azProviders {
		if strings.EqualFold(name, p) {
			return true
		}
	}
	return false
}

// DefinedType returns a type of the library. Without one it returns the shape of a type
// that may be Azure's. The shape refuses nothing that the library may
// allow.
func (a *Az) DefinedType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	return a.defined.get(ns, ref, flags, func() *made {
		l := a.library()
		if l == nil {
			if !perhapsAz(ref) {
				return nil
			}
			return azType(azSpelling(ref), flags, true)
		}
		r, ok := l.lib.Find(ref.Type, ref.Version)
		if !ok {
			return nil
		}
		return l.resource(&r, flags)
	})
}

// Config returns the configuration of Azure: the providers that the template uses. The
// library lists them. Without the library any name is accepted.
func (a *Az) Config() types.ObjectLike {
	if l := a.library(); l != nil {
		return l.config()
	}
	return types.NewObject("configuration", 0,
		[]types.Property{{Name: "providers", Type: types.TStringArray, Flags: types.AllowImplicitNull}}, nil)
}

// FallbackType returns the shape that any resource has.
func (a *Az) FallbackType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	if !azName(ref.Type) || !azVersion(ref.Version) {
		return nil
	}
	return a.fallback.get(ns, ref, flags, func() *made { return azType(ref, flags, false) })
}

// azName: letters, digits and dots, then one or more segments of letters, digits and dashes.
func azName(typ string) bool {
	provider, rest, ok := strings.Cut(typ, "/")
	if !ok || provider == "" || provider[0] == '.' {
		return false
	}
	for i := 0; i < len(provider); i++ {
		if c := provider[i]; !alphanumeric(c) && c != '.' {
			return false
		}
	}
	for segment := range strings.SplitSeq(rest, "/") {
		for i := 0; i < len(segment); i++ {
			if c := segment[i]; !alphanumeric(c) && c != '-' {
				return false
			}
		}
		if segment == "" {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool { return letter(c) || '0' <= c && c <= '9' }

// azVersion: a date, and one of a few words after it.
func azVersion(v string) bool {
	if len(v) < 10 {
		return false
	}
	for i := range 10 {
		if i == 4 || i == 7 {
			if v[i] != '-' {
				return false
			}
		} else if v[i] < '0' || v[i] > '9' {
			return false
		}
	}
	switch strings.ToLower(v[10:]) {
	case "", "-preview", "-alpha", "-beta", "-rc", "-privatepreview":
		return true
	}
	return false
}

// AzIdentifiers are the properties by which one resource differs from another.
var AzIdentifiers = []string{"name", "scope", "parent"}

// The types that Azure's resources of all kinds share.
var (
	azTags    = &types.Object{Name: "Tags", Additional: &types.Property{Type: types.TString}}
	azAsserts = &types.Object{Name: "ResourceAsserts", Additional: &types.Property{Type: types.TBool, Flags: types.DeployTimeConstant}}
)

// Mistakes in these two are warnings, since the library may be wrong.
var (
	laxString = types.NewString(nil, nil, "", types.WarnOnTypeMismatch|types.WarnOnPropertyMismatch)
	laxTags   = types.NewObject("Tags", types.WarnOnPropertyMismatch, nil, &types.Property{Type: laxString})
	laxZones  = types.NewTypedArray(laxString, nil, nil, types.WarnOnTypeMismatch|types.WarnOnPropertyMismatch)
)

// Tags is the type of a resource's tags.
func Tags() *types.Object { return azTags }

func str(name string) types.Property { return types.Property{Name: name, Type: types.TString} }

func needed(p types.Property) types.Property {
	p.Flags |= types.Required
	return p
}

func prop(name string, of types.Type) types.Property { return types.Property{Name: name, Type: of} }

func oneOf(words ...string) types.Type {
	refs := make([]types.Ref, 0, len(words)+1)
	for _, w := range words {
		refs = append(refs, types.Str(w))
	}
	return types.NewUnion(append(refs, types.TString)...)
}

// azEngine are the properties that any resource may have besides those that identify
// it, with what the deployment engine says of them.
var azEngine = sync.OnceValue(func() []types.Property {
	object := func(name string, ps ...types.Property) types.Property {
		return prop(name, types.NewObject(name, 0, ps, nil))
	}
	assigned := types.NewObject("userAssignedIdentityProperties", 0, []types.Property{str("principalId"), str("clientId")}, nil)
	return []types.Property{
		str("location"),
		prop("tags", azTags),
		prop("asserts", azAsserts),
		prop("properties", types.TObject),
		object("sku", str("name"), str("tier"), str("size"), str("family"), str("model"), prop("capacity", types.TInt)),
		str("kind"),
		str("managedBy"),
		prop("managedByExtended", types.TStringArray),
		object("extendedLocation", needed(prop("type", oneOf("NotSpecified", "EdgeZone", "CustomLocation", "ArcZone"))), str("name")),
		prop("zones", types.TStringArray),
		object(placement, needed(prop("zonePlacementPolicy", oneOf("NotSpecified", "Any", "None", "Auto"))),
			prop("includeZones", types.TStringArray), prop("excludeZones", types.TStringArray)),
		prop("plan", types.TObject),
		str("eTag"),
		object("scale", needed(prop("capacity", types.TInt)), prop("maximum", types.TInt), prop("minimum", types.TInt)),
		object("identity", str("principalId"), str("tenantId"),
			needed(prop("type", oneOf("NotSpecified", "SystemAssigned", "UserAssigned", "None", "Actor"))),
			prop("identityIds", types.TStringArray),
			prop("userAssignedIdentities", types.NewObject("userAssignedIdentities", 0, nil, &types.Property{Type: assigned})),
			prop("delegatedResources", types.TObject)),
	}
})

// azUsual are those that the types of the library usually have. They refuse nothing.
var azUsual = sync.OnceValue(func() []types.Property {
	open := func(name string, ps ...types.Property) types.Property {
		return prop(name, types.NewObject(name, 0, ps, &types.Property{Type: types.TUnknown}))
	}
	// Few types declare these, but all accept them.
	doubtful := func(p types.Property) types.Property {
		p.Flags |= types.FallbackProperty
		return p
	}
	list := []types.Property{
		str("location"), prop("tags", azTags), prop("asserts", azAsserts), str("kind"), str("managedBy"),
		open("properties"), open("sku", str("name"), str("tier"), str("family")), doubtful(prop("managedByExtended", types.TStringArray)),
		open("extendedLocation"), prop("zones", types.TStringArray), doubtful(open(placement)), open("plan"),
		str("eTag"), str("etag"), open("identity", str("principalId"), str("tenantId")), prop("systemData", types.TUnknown),
		doubtful(open("scale", needed(prop("capacity", types.TInt)), prop("maximum", types.TInt), prop("minimum", types.TInt))),
	}
	for i := range list {
		p := &list[i]
		if p.Flags.Has(types.FallbackProperty) {
			continue
		}
		flags := types.AllowImplicitNull
		switch p.Name {
		case "location", "kind", "sku": // many types require these
			flags |= types.PerhapsRequired
		}
		mayBeLeftOut(p, flags)
	}
	return list
})

// mayBeLeftOut adds flags to a property, and to those in it, unless it is required.
func mayBeLeftOut(p *types.Property, flags types.PropertyFlags) {
	if !p.Flags.Has(types.Required) {
		p.Flags |= flags
	}
	if o, ok := p.Type.Type().(*types.Object); ok {
		for i := range o.Properties() {
			mayBeLeftOut(&o.Properties()[i], flags)
		}
	}
}

// unusual are types that have properties at their top level beyond the usual ones,
// by the beginnings of their names in lower case; a $ ends a name. Of all others
// it is known that a property with another name is wrong. Where later versions of
// a type are usual, until is the last that is not.
var unusual = [...]struct{ name, until string }{
	{"microsoft.aad/", ""}, {"microsoft.aadiam/", ""}, {"microsoft.advisor/", "2016-12-31"}, {"microsoft.agfoodplatform/", ""},
	{"microsoft.apimanagement/service/", "2016-12-31"}, {"microsoft.authorization/accessreview", ""},
	{"microsoft.authorization/roleassignmentapprovals", ""},
	{"microsoft.automation/automationaccounts/hybridrunbookworkergroups$", "2021-06-30"},
	{"microsoft.automation/automationaccounts/node", "2015-12-31"}, {"microsoft.automation/automationaccounts/run", ""},
	{"microsoft.azurebridge.admin/", ""}, {"microsoft.batch/batchaccounts/applications", "2017-12-31"},
	{"microsoft.billing/", "2019-12-31"},
	{"microsoft.chaos/", "2023-12-31"}, {"microsoft.compute/virtualmachines$", ""},
	{"microsoft.compute/virtualmachinescalesets/virtualmachines$", ""}, {"microsoft.costmanagement/", ""}, {"microsoft.databoxedge/", ""},
	{"microsoft.devices/", ""}, {"microsoft.deviceupdate/", ""}, {"microsoft.hybridcompute/machines$", ""},
	{"microsoft.insights/components/", "2015-12-31"}, {"microsoft.intune/", ""},
	{"microsoft.machinelearningservices/workspaces/", "2021-12-31"},
	{"microsoft.management/managementgroups$", "2017-12-31"}, {"microsoft.offazure/", ""}, {"microsoft.providerhub/", ""},
	{"microsoft.recoveryservices/vaults/", "2016-12-31"}, {"microsoft.resources/deployments$", ""}, {"microsoft.security/s", ""},
	{"microsoft.sql/managedinstances/dnsaliases$", ""}, {"microsoft.subscription/", ""}, {"microsoft.subscriptions.admin/", ""},
	{"microsoft.timeseriesinsights/", ""}, {"microsoft.web/sites/config$", "2015-12-31"}, {"microsoft.web/sites/functions/", ""},
	{"microsoft.web/sites/slots/config$", "2015-12-31"}, {"microsoft.web/sites/slots/functions/", ""},
}

const placement = "placement"

// declaredRarities returns those of the properties that few types declare
// which this type does.
func declaredRarities(typ string) (names [2]string) {
	switch strings.ToLower(typ) {
	case "microsoft.compute/disks", "microsoft.storagepool/diskpools", "microsoft.storagepool/diskpools/iscsitargets":
		names[0] = "managedByExtended"
	case "microsoft.compute/virtualmachines", "microsoft.compute/virtualmachinescalesets", "microsoft.compute/interconnectblocks",
		"microsoft.storage/storageaccounts":
		names[1] = placement
	}
	return names
}

// declaresZones reports whether a type declares zones, as those do that are placed
// in a data centre. The others take zones without saying what they are.
func declaresZones(typ string) bool {
	switch strings.ToLower(typ) {
	case "microsoft.apimanagement/service", "microsoft.avs/privateclouds",
		"microsoft.azurefleet/fleets", "microsoft.botservice/botservices",
		"microsoft.cache/redis", "microsoft.cache/redisenterprise", "microsoft.compute/capacityreservationgroups",
		"microsoft.compute/capacityreservationgroups/capacityreservations", "microsoft.compute/cloudservices", "microsoft.compute/disks",
		"microsoft.compute/hostgroups", "microsoft.compute/interconnectblocks", "microsoft.compute/proximityplacementgroups",
		"microsoft.compute/virtualmachines", "microsoft.compute/virtualmachinescalesets",
		"microsoft.compute/virtualmachinescalesets/virtualmachines", "microsoft.containerinstance/containergroupprofiles",
		"microsoft.containerinstance/containergroups", "microsoft.containerinstance/ngroups",
		"microsoft.hardwaresecuritymodules/dedicatedhsms",
		"microsoft.hdinsight/clusters", "microsoft.kusto/clusters", "microsoft.netapp/netappaccounts/capacitypools/caches",
		"microsoft.netapp/netappaccounts/capacitypools/volumes", "microsoft.network/applicationgateways",
		"microsoft.network/azurefirewalls",
		"microsoft.network/bastionhosts", "microsoft.network/customipprefixes", "microsoft.network/natgateways",
		"microsoft.network/publicipaddresses", "microsoft.network/publicipprefixes", "microsoft.storage/storageaccounts",
		"microsoft.storagecache/amlfilesystems", "oracle.database/cloudexadatainfrastructures", "oracle.database/dbsystems",
		"oracle.database/exadbvmclusters", "oracle.database/exascaledbstoragevaults", "oracle.database/networkanchors":
		return true
	}
	return false
}

func hasUnusualProperties(ref *types.ResourceTypeReference) bool {
	name := strings.ToLower(ref.Type) + "$"
	for _, u := range unusual {
		if strings.HasPrefix(name, u.name) {
			return u.until == "" || ref.Version <= u.until
		}
	}
	return false
}

// writeOnlyConstant reports whether a property must be known when the deployment
// starts, though it cannot be read then: policies and resource providers change it.
func writeOnlyConstant(name string, flags types.GenerationFlags) bool {
	if flags&types.ExistingResource != 0 {
		return false
	}
	switch name {
	case "location", "kind", "subscriptionId", "resourceGroup", "managedBy", "extendedLocation", "zones", placement,
		"plan", "identity", "managedByExtended", "asserts":
		return true
	case "tags", "sku":
		return flags&types.PermitRuntimeValuesInTagsAndSku == 0
	}
	return false
}

const referenceFlags = types.WriteOnly | types.DeployTimeConstant | types.ReadableAtDeployTime |
	types.DisallowAny | types.LoopVariant | types.SystemProperty

// azType makes a resource type. If the library has it, lenient is set: what is not
// known of it is left open.
func azType(ref *types.ResourceTypeReference, flags types.GenerationFlags, lenient bool) *made {
	ps := append(azIdentity(ref), dependsOn(types.SystemProperty))
	if lenient {
		ps = appendAzProperties(ps, azUsual(), knowsProvider(ref.Type), ref, flags)
	} else {
		ps = appendAzProperties(ps, azEngine(), false, ref, flags)
	}
	ps = appendAzReferences(ps, ref, flags)
	// At the top level the library is strict: it is the deployment engine that
	// defines what a resource has there.
	var additional *types.Property
	if lenient && hasUnusualProperties(ref) {
		additional = &types.Property{Type: types.TUnknown}
	}
	body := newAzBody(ref.Name(), ref, ps, additional, nil, flags)
	return &made{ref: ref, parentScopes: anywhere, body: body, identifiers: AzIdentifiers}
}

// azIdentity are the properties that identify a resource.
func azIdentity(ref *types.ResourceTypeReference) []types.Property {
	const constant = types.DeployTimeConstant | types.ReadableAtDeployTime | types.SystemProperty
	return []types.Property{
		{Name: "id", Type: types.TString, Flags: types.ReadOnly | constant},
		{Name: "name", Type: types.TString, Flags: types.Required | types.LoopVariant | constant},
		{Name: "type", Type: types.Str(ref.Type), Flags: types.ReadOnly | constant},
		{Name: "apiVersion", Type: types.Str(ref.Version), Flags: types.ReadOnly | constant},
	}
}

// newAzBody makes the body of a resource: of an existing one, nothing can be set but
// what says which one it is. The methods are those that only this type has.
func newAzBody(name string, ref *types.ResourceTypeReference,
	ps []types.Property, additional *types.Property, methods []*types.FunctionOverload, flags types.GenerationFlags) *types.Object {
	if flags&types.ExistingResource != 0 {
		for i, p := range ps {
			switch p.Name {
			case "name", "scope", "parent", "dependsOn":
			default:
				ps[i] = asReadOnly(p)
			}
		}
		additional = readOnlyAdditional(additional)
	}
	body := types.NewObject(name, 0, ps, additional)
	body.Methods = types.NewFunctions(body, append(methods[:len(methods):len(methods)], azMethods(ref)...), nil)
	return body
}

// appendAzProperties appends the known properties, as this type has them: inLibrary
// is set if the library tells what they take.
func appendAzProperties(ps, known []types.Property, inLibrary bool,
	ref *types.ResourceTypeReference, flags types.GenerationFlags) []types.Property {
	declared := declaredRarities(ref.Type)
	ps = slices.Grow(ps, len(known)+4)
	for _, p := range known {
		if p.Name == declared[0] || p.Name == declared[1] {
			p.Flags &^= types.FallbackProperty
		} else if p.Name == placement && flags&types.WithoutPlacement != 0 {
			continue
		}
		switch {
		case inLibrary && p.Name == "tags":
			p.Type = laxTags
		case inLibrary && p.Name == "zones" && declaresZones(ref.Type):
			p.Type = laxZones
		}
		if writeOnlyConstant(p.Name, flags) {
			p.Flags |= types.DeployTimeConstant
		}
		ps = append(ps, p)
	}
	return ps
}

// appendAzReferences appends the properties that say where a resource is.
func appendAzReferences(ps []types.Property, ref *types.ResourceTypeReference, flags types.GenerationFlags) []types.Property {
	// Any type may be deployed at any scope, as far as we know: an `existing` one can
	// be referred to at each of them, another has a scope if it extends a resource or
	// lives in the tenant.
	scope := types.ScopeReference{Scope: anywhere}
	if flags&types.ExistingResource == 0 {
		scope.Scope = types.ScopeResource | types.ScopeTenant
	}
	ps = append(ps, types.Property{Name: "scope", Type: &scope, Flags: referenceFlags})
	if len(ref.Segments) > 2 && flags&types.NestedResource == 0 {
		ps = append(ps, types.Property{Name: "parent", Type: &types.ResourceParent{Child: ref}, Flags: referenceFlags})
	}
	if strings.EqualFold(ref.Type, "Microsoft.Resources/deployments") {
		for _, n := range [...]string{"resourceGroup", "subscriptionId"} {
			ps = append(ps, types.Property{Name: n, Type: types.TString, Flags: types.DeployTimeConstant | types.SystemProperty})
		}
	}
	return ps
}

var listMethod = &types.FunctionOverload{
	Name: "list*", Wildcard: "list", Return: types.TAny, Flags: types.RequiresInlining,
	Params: []types.Param{{Name: "apiVersion", Type: types.TString}, {Name: "functionValues", Type: types.TObject}},
}

var getSecret = &types.FunctionOverload{
	Name: "getSecret", Return: types.TSecureString, Flags: types.ModuleSecureParameterOnly,
	Params: []types.Param{{Name: "secretName", Type: types.TString, Flags: types.ParamRequired},
		{Name: "secretVersion", Type: types.TString}},
}

func azMethods(ref *types.ResourceTypeReference) []*types.FunctionOverload {
	if strings.EqualFold(ref.Type, "Microsoft.KeyVault/vaults") {
		return []*types.FunctionOverload{listMethod, getSecret}
	}
	return []*types.FunctionOverload{listMethod}
}
