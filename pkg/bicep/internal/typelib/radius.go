package typelib

import (
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// RadiusRelease is the release of Radius whose types are built in.
const RadiusRelease = "0.60"

// Radius provides the resource types of RadiusRelease. It is used if no archive is
// configured or restored. For another release, change the tables until they agree with its archive:
// TestRadiusIsWhatItsArchiveSays names each difference. The docs name the
// release, too.
type Radius struct {
	Empty
	cache cache
}

// radiusTypes are the resource types of each API version, as lines of radiusShapes.
const radiusTypes = `
@2023-10-01-preview
Applications.Core/environments: properties! EnvironmentProperties, getMetadata(RecipeQuery) RecipeGetMetadataResponse
Applications.Core/applications: properties! ApplicationProperties, getGraph() ApplicationGraphResponse
Applications.Core/containers: properties! ContainerProperties
Applications.Core/gateways: properties! GatewayProperties
Applications.Core/secretStores: properties! SecretStoreProperties, listSecrets() SecretStoreListSecretsResult
Applications.Core/volumes: properties! VolumeProperties
Applications.Core/extenders: properties! ExtenderProperties, listSecrets() ExtenderListSecretResponse
Applications.Dapr/secretStores: properties! DaprSecretStoreProperties
Applications.Dapr/stateStores: properties! DaprStateStoreProperties
Applications.Dapr/pubSubBrokers: properties! DaprPubSubBrokerProperties
Applications.Dapr/configurationStores: properties! DaprConfigurationStoreProperties
Applications.Datastores/mongoDatabases: properties! MongoDatabaseProperties, listSecrets() MongoDatabaseListSecretsResult
Applications.Datastores/redisCaches: properties! RedisCacheProperties, listSecrets() RedisCacheListSecretsResult
Applications.Datastores/sqlDatabases: properties! SqlDatabaseProperties, listSecrets() SqlDatabaseListSecretsResult
Applications.Messaging/rabbitMQQueues: properties! RabbitMQQueueProperties, listSecrets() RabbitMQListSecretsResult
@2025-08-01-preview
Radius.AI/models: properties! modelsProperties
Radius.AI/search: properties! searchProperties
Radius.Compute/containerImages: properties! containerImagesProperties
Radius.Compute/containers: properties! containersProperties
Radius.Compute/persistentVolumes: properties! persistentVolumesProperties
Radius.Compute/routes: properties! routesProperties
Radius.Core/applications: properties! ApplicationProperties.2025, getGraph(GraphQuery) ApplicationGraphResponse.2025
Radius.Core/bicepSettings: properties! BicepSettingsProperties
Radius.Core/environments: properties! EnvironmentProperties.2025
Radius.Core/recipePacks: properties! RecipePackProperties
Radius.Core/terraformSettings: properties! TerraformSettingsProperties
Radius.Data/mongoDatabases: properties! mongoDatabasesProperties
Radius.Data/mySqlDatabases: properties! mySqlDatabasesProperties
Radius.Data/postgreSqlDatabases: properties! postgreSqlDatabasesProperties
Radius.Data/redisCaches: properties! redisCachesProperties
Radius.Data/sqlServerDatabases: properties! sqlServerDatabasesProperties
Radius.Messaging/kafka: properties! kafkaProperties
Radius.Messaging/rabbitMQ: properties! rabbitMQProperties
Radius.Security/secrets: properties! secretsProperties
Radius.Storage/objectStorage: properties! objectStorageProperties
`

// radiusShapes are the objects of Radius' resource types. Those in lower case are of
// the types that recipes alone deploy, and are called by where they stand.
var radiusShapes = shapes{record: "Record", flags: types.KnownByHeart, text: radiusTypes + `
Tracked: id<= s, name!=# s, tags {s}, location s, systemData< SystemData
Untracked: id< s, name!# s, location s
SystemData: createdBy s, createdByType Creator, createdAt s, lastModifiedBy s, lastModifiedByType Creator, lastModifiedAt s
Creator: 'User'|'Application'|'ManagedIdentity'|'Key'
Status: provisioningState< ProvisioningState, status< ResourceStatus
ProvisioningState: 'Creating'|'Updating'|'Deleting'|'Accepted'|'Provisioning'|'Succeeded'|'Failed'|'Canceled'
ResourceStatus: compute EnvironmentCompute, recipe< RecipeStatus, outputResources [OutputResource]
RecipeStatus: templateKind! s, templatePath! s, templateVersion s
OutputResource: localId s, id s, radiusManaged b
ResourceReference: id! s
SecretReference: source! s, key! s

EnvironmentProperties: provisioningState< ProvisioningState, compute! EnvironmentCompute, providers Providers, simulated b, recipes {{RecipeProperties}}, recipeConfig RecipeConfigProperties, extensions [Extension]
EnvironmentCompute: kind! aci=AzureContainerInstanceCompute|kubernetes=KubernetesCompute, resourceId s, identity IdentitySettings
AzureContainerInstanceCompute: resourceGroup s
KubernetesCompute: namespace! s
IdentitySettings: kind! 'undefined'|'azure.com.workload'|'userAssigned'|'systemAssigned'|'systemAssignedUserAssigned', oidcIssuer s, resource s, managedIdentity [s]
Providers: azure ProvidersAzure, aws ProvidersAws
ProvidersAzure: scope! s
ProvidersAws: scope! s
RecipeProperties: templateKind! bicep=BicepRecipeProperties|terraform=TerraformRecipeProperties, templatePath! s, parameters {*}
BicepRecipeProperties: plainHttp b
TerraformRecipeProperties: templateVersion s
RecipeConfigProperties: terraform TerraformConfigProperties, bicep BicepConfigProperties, env EnvironmentVariables, envSecrets {SecretReference}
TerraformConfigProperties: authentication AuthConfig, providers {[ProviderConfigProperties]}
AuthConfig: git GitAuthConfig
GitAuthConfig: pat {SecretConfig}
SecretConfig: secret s
ProviderConfigProperties: secrets {SecretReference}, ...*
BicepConfigProperties: authentication {RegistrySecretConfig}
RegistrySecretConfig: secret s
EnvironmentVariables: ...s
RecipeQuery: resourceType! s, name! s
RecipeGetMetadataResponse: templateKind! s, templatePath! s, templateVersion s, parameters! {*}, plainHttp b
Extension: kind! aci=AzureContainerInstanceExtension|daprSidecar=DaprSidecarExtension|kubernetesMetadata=KubernetesMetadataExtension|kubernetesNamespace=KubernetesNamespaceExtension|manualScaling=ManualScalingExtension
AzureContainerInstanceExtension: resourceGroup! s
DaprSidecarExtension: appPort i, appId! s, config s, protocol 'http'|'grpc'
KubernetesMetadataExtension: annotations {s}, labels {s}
KubernetesNamespaceExtension: namespace! s
ManualScalingExtension: replicas! i

ApplicationProperties: +Status, environment! s, extensions [Extension]
ApplicationGraphResponse: resources! [ApplicationGraphResource]
ApplicationGraphResource: id! s, type! s, name! s, outputResources! [ApplicationGraphOutputResource], connections! [ApplicationGraphConnection], provisioningState! s, diffHash s, properties {*}
ApplicationGraphOutputResource: id! s, type! s, name! s, portalUrl s
ApplicationGraphConnection: id! s, direction! 'Outbound'|'Inbound'

ContainerProperties: +Status, environment s, application! s, container! Container, connections {ConnectionProperties}, identity IdentitySettings, extensions [Extension], resourceProvisioning 'internal'|'manual', resources [ResourceReference], restartPolicy 'Always'|'OnFailure'|'Never', runtimes RuntimesProperties
Container: image! s, imagePullPolicy 'Always'|'IfNotPresent'|'Never', env {EnvironmentVariable}, ports {ContainerPortProperties}, readinessProbe HealthProbeProperties, livenessProbe HealthProbeProperties, volumes {Volume}, command [s], args [s], workingDir s
EnvironmentVariable: value s, valueFrom EnvironmentVariableReference
EnvironmentVariableReference: secretRef! SecretReference
ContainerPortProperties: containerPort! i, protocol 'TCP'|'UDP', scheme s, port i
HealthProbeProperties: kind! exec=ExecHealthProbeProperties|httpGet=HttpGetHealthProbeProperties|tcp=TcpHealthProbeProperties, initialDelaySeconds i, failureThreshold i, periodSeconds i, timeoutSeconds i
ExecHealthProbeProperties: command! s
HttpGetHealthProbeProperties: containerPort! i, path! s, headers {s}
TcpHealthProbeProperties: containerPort! i
Volume: kind! ephemeral=EphemeralVolume|persistent=PersistentVolume, mountPath s
EphemeralVolume: managedStore! 'memory'|'disk'
PersistentVolume: permission 'read'|'write', source! s
ConnectionProperties: source! s, disableDefaultEnvVars b, iam IamProperties
IamProperties: kind! 'azure'|'string', roles [s]
RuntimesProperties: kubernetes KubernetesRuntimeProperties, aci ACIRuntimeProperties
KubernetesRuntimeProperties: base s, pod KubernetesPodSpec
KubernetesPodSpec: ...*
ACIRuntimeProperties: gatewayID s

GatewayProperties: +Status, environment s, application! s, internal b, hostname GatewayHostname, routes! [GatewayRoute], tls GatewayTls, url< s
GatewayHostname: prefix s, fullyQualifiedHostname s
GatewayRoute: path s, destination s, replacePrefix s, enableWebsockets b, timeoutPolicy GatewayRouteTimeoutPolicy
GatewayRouteTimeoutPolicy: request s, backendRequest s
GatewayTls: sslPassthrough b, minimumProtocolVersion '1.2'|'1.3', certificateFrom s

SecretStoreProperties: +Status, environment s, application s, type SecretStoreType, data! {SecretValueProperties}, resource s
SecretStoreType: 'generic'|'certificate'|'basicAuthentication'|'azureWorkloadIdentity'|'awsIRSA'
SecretStoreListSecretsResult: type! SecretStoreType, data! {SecretValueProperties}
SecretValueProperties: encoding 'raw'|'base64', value s, valueFrom ValueFromProperties
ValueFromProperties: name! s, version s

VolumeProperties: +Status, kind! azure.com.keyvault=AzureKeyVaultVolumeProperties, environment s, application! s
AzureKeyVaultVolumeProperties: certificates {CertificateObjectProperties}, keys {KeyObjectProperties}, resource! s, secrets {SecretObjectProperties}
CertificateObjectProperties: alias s, encoding VolumeEncoding, format 'pem'|'pfx', name! s, certType 'certificate'|'privatekey'|'publickey', version s
KeyObjectProperties: alias s, name! s, version s
SecretObjectProperties: alias s, encoding VolumeEncoding, name! s, version s
VolumeEncoding: 'utf-8'|'hex'|'base64'

Linked: +Status, environment! s, application s, recipe Recipe, resourceProvisioning 'recipe'|'manual'
Recipe: name! s, parameters {*}
ExtenderProperties: +Linked, secrets {*}, ...*
ExtenderListSecretResponse: ...*
Dapr: +Linked, componentName< s, metadata {MetadataValue}, type s, version s
DaprSecretStoreProperties: +Dapr
DaprStateStoreProperties: +Dapr, auth DaprResourceAuth, resources [ResourceReference]
DaprPubSubBrokerProperties: +Dapr, auth DaprResourceAuth, resources [ResourceReference]
DaprConfigurationStoreProperties: +Dapr, auth DaprResourceAuth, resources [ResourceReference]
DaprResourceAuth: secretStore s
MetadataValue: value s, secretKeyRef MetadataValueFromSecret
MetadataValueFromSecret: name! s, key! s
MongoDatabaseProperties: +Linked, secrets MongoDatabaseSecrets, host s, port i, database s, resources [ResourceReference], username s
MongoDatabaseSecrets: password s, connectionString s
MongoDatabaseListSecretsResult: +MongoDatabaseSecrets
RedisCacheProperties: +Linked, secrets RedisCacheSecrets, host s, port i, username s, tls b, resources [ResourceReference]
RedisCacheSecrets: connectionString s, password s, url s
RedisCacheListSecretsResult: +RedisCacheSecrets
SqlDatabaseProperties: +Linked, database s, server s, port i, username s, resources [ResourceReference], secrets SqlDatabaseSecrets
SqlDatabaseSecrets: password s, connectionString s
SqlDatabaseListSecretsResult: +SqlDatabaseSecrets
RabbitMQQueueProperties: +Linked, secrets RabbitMQSecrets, queue s, host s, port i, vHost s, username s, resources [ResourceReference], tls b
RabbitMQSecrets: password s, uri s
RabbitMQListSecretsResult: +RabbitMQSecrets

ApplicationProperties.2025: +Status, environment! s
ApplicationGraphResponse.2025: resources! [ApplicationGraphResource.2025], icons {s}
ApplicationGraphResource.2025: id! s, type! s, name! s, outputResources! [ApplicationGraphOutputResource], connections! [ApplicationGraphConnection.2025], provisioningState! s, diffHash s, iconHash s, properties {*}
ApplicationGraphConnection.2025: id! s, direction! 'Outbound'|'Inbound', kind! 'Connection'|'Dependency'
GraphQuery: includeIcons! b, dependsOnEdges! {[ApplicationGraphConnection.2025]}
BicepSettingsProperties: provisioningState< ProvisioningState, referencedBy< [s], registryAuthentications {BicepRegistryAuthentication}
BicepRegistryAuthentication: authenticationMethod 'BasicAuth'|'AzureWI'|'AwsIrsa', basicAuthSecretId s, azureWiClientId s, azureWiTenantId s, awsIamRoleArn s
EnvironmentProperties.2025: provisioningState< ProvisioningState, recipePacks [s], recipeParameters {RecipeParameterValue}, providers Providers.2025, terraformSettings s, bicepSettings s, simulated b
RecipeParameterValue: ...*
Providers.2025: azure ProvidersAzure.2025, kubernetes ProvidersKubernetes, aws ProvidersAws.2025
ProvidersAzure.2025: subscriptionId! s, resourceGroupName s, identity IdentitySettings
ProvidersKubernetes: namespace! s
ProvidersAws.2025: accountId! s, region! s
RecipePackProperties: provisioningState< ProvisioningState, referencedBy< [s], recipes! {RecipeDefinition}
RecipeDefinition: kind! 'terraform'|'bicep', plainHttp b, source! s, parameters {*}, outputs {*}
TerraformSettingsProperties: provisioningState< ProvisioningState, referencedBy< [s], terraformrc TerraformrcConfig, env {s}
TerraformrcConfig: providerInstallation TerraformProviderInstallation, credentials {TerraformCredentialConfig}
TerraformProviderInstallation: networkMirror TerraformProviderMirror, direct TerraformProviderDirect
TerraformProviderMirror: url s, include [s], exclude [s]
TerraformProviderDirect: include [s], exclude [s]
TerraformCredentialConfig: secret s

Deployed: environment! s, application s, codeReference s, connections connections
connections: ...connectionsAdditionalProperties
connectionsAdditionalProperties: source! s, disableDefaultEnvVars b
modelsProperties: +Deployed, endpoint< s, model s, secrets secrets.apiKey
searchProperties: +Deployed, endpoint< s, secrets secrets.apiKey
secrets.apiKey: apiKey< s, name< s
containerImagesProperties: +Deployed, application! s, build! build, imageReference< s, tag s
build: args args, dockerfile s, platforms [s], source! s
args: ...s
containersProperties: +Deployed, application! s, autoScaling autoScaling, containers! containers, extensions extensions, hosts< hosts, platformOptions platformOptions, replicas i, restartPolicy 'Always'|'OnFailure'|'Never', volumes volumes
autoScaling: maxReplicas i, metrics! [metricsItem]
metricsItem: customMetric s, kind! 'cpu'|'memory'|'custom', target! target
target: averageUtilization i, averageValue i, value i
containers: ...containersAdditionalProperties
containersAdditionalProperties: args [s], command [s], env env, image! s, initContainer b, livenessProbe livenessProbe, ports ports, readinessProbe readinessProbe, resources resources, volumeMounts [volumeMountsItem], workingDir s
env: ...envAdditionalProperties
envAdditionalProperties: value s, valueFrom valueFrom
valueFrom: secretKeyRef secretKeyRef
secretKeyRef: key s, secretName s
Probe: exec exec, failureThreshold i, httpGet httpGet, initialDelaySeconds i, periodSeconds i, successThreshold i, tcpSocket tcpSocket, terminationGracePeriodSeconds i, timeoutSeconds i
livenessProbe: +Probe
readinessProbe: +Probe
exec: command! [s]
httpGet: httpHeaders [httpHeadersItem], path! s, port! i, scheme 'http'|'https'
httpHeadersItem: value! s
tcpSocket: port! i
ports: ...portsAdditionalProperties
portsAdditionalProperties: containerPort! i, protocol 'TCP'|'UDP'
resources: limits limits, requests requests
limits: cpu s, memoryInMib i
requests: cpu s, memoryInMib i
volumeMountsItem: mountPath! s, volumeName! s
extensions: daprSidecar daprSidecar
daprSidecar: appId s, appPort i, config s
hosts: ...s
platformOptions: ...*
volumes: ...volumesAdditionalProperties
volumesAdditionalProperties: emptyDir emptyDir, persistentVolume persistentVolume, secretName s
emptyDir: medium 'disk'|'memory'
persistentVolume: accessMode AccessMode, resourceId s
AccessMode: 'ReadWriteOnce'|'ReadOnlyMany'|'ReadWriteMany'
persistentVolumesProperties: +Deployed, allowedAccessModes AccessMode, sizeInGib! i
routesProperties: +Deployed, application! s, hostnames [s], kind 'HTTP'|'TCP'|'TLS'|'UDP', listener< listener, rules! [rulesItem]
listener: hostname s, port i, protocol 'HTTP'|'HTTPS'|'TLS'|'TCP'|'UDP'
rulesItem: destinationContainer! destinationContainer, matches! [matchesItem]
destinationContainer: containerName! s, containerPort! i, resourceId! s
matchesItem: httpHeaders [httpHeadersItem.match], httpMethod 'GET'|'HEAD'|'POST'|'PUT'|'DELETE'|'CONNECT'|'OPTIONS'|'TRACE'|'PATCH', httpPath s, httpQueryParams [httpQueryParamsItem]
httpHeadersItem.match: name! s, value! s
httpQueryParamsItem: name! s, value! s
mongoDatabasesProperties: +Deployed, database s, endpoint< s, secrets secrets.connectionString
mySqlDatabasesProperties: +Deployed, database s, host< s, password! x, port< i, username! s, version '5.7'|'8.0'|'8.4'
postgreSqlDatabasesProperties: +Deployed, database s, host< s, initSql s, password! x, port< s, size Size, username! s
redisCachesProperties: +Deployed, host< s, port< i, secrets secrets.url, size Size
sqlServerDatabasesProperties: +Deployed, database! s, host< s, password! x, port< s, username! s
Size: 'S'|'M'|'L'
secrets.connectionString: connectionString< s, name< s
secrets.url: name< s, url< s
kafkaProperties: +Deployed, host< s, secrets secrets.connectionString, topic s
rabbitMQProperties: +Deployed, host< s, password s, port< i, queue s, secrets secrets.password, username s
secrets.password: name< s, password< s
secretsProperties: +Deployed, data! data, kind 'generic'|'certificate-pem'|'certificate-pkcs12'|'basicAuthentication'|'awsIRSA'|'azureWorkloadIdentity'
data: ...dataAdditionalProperties
dataAdditionalProperties: encoding 'string'|'base64', value! x
objectStorageProperties: +Deployed, accountName< s, containerName s, endpoint< s, secrets secrets.accountKey
secrets.accountKey: accountKey< s, connectionString< s, name< s
`}

// RadiusSettings are those of the extension that a Radius workspace configures.
func RadiusSettings() types.NamespaceSettings {
	return types.NamespaceSettings{ExtensionName: "Radius", TemplateName: "Radius", TemplateVersion: "latest"}
}

// RadiusTypes returns the resource types of Radius.
var RadiusTypes = sync.OnceValue(func() (list []*types.ResourceTypeReference) {
	version := ""
	for line := range strings.SplitSeq(strings.Trim(radiusTypes, "\n"), "\n") {
		if v, ok := strings.CutPrefix(line, "@"); ok {
			version = v
			continue
		}
		name, _, _ := strings.Cut(line, ":")
		list = append(list, types.NewResourceTypeReference(name, version))
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

func (r *Radius) DefinedType(ns *types.Namespace, ref *types.ResourceTypeReference, flags types.GenerationFlags) *types.Resource {
	known := r.find(ref)
	if known == nil {
		return nil
	}
	return r.cache.get(ns, ref, flags, func() *made {
		return &made{ref: known, parentScopes: anywhere | types.ScopeLocal,
			body: resourceBody(radiusBody(known), flags, nil), identifiers: []string{"name"}}
	})
}

// radiusBody is the body of a resource as the archive of Radius has it.
func radiusBody(ref *types.ResourceTypeReference) *types.Object {
	// The types that recipes alone deploy are made from other sources than the rest.
	name, head := ref.Type, "Tracked"
	if !strings.HasPrefix(name, "Applications.") && !strings.HasPrefix(name, "Radius.Core/") {
		name, head = ref.Name(), "Untracked"
	}
	line, _ := radiusShapes.line(ref.Type)
	own := radiusShapes.body("+" + head + ", " + line)
	const fixed = types.ReadOnly | types.DeployTimeConstant
	ps := append(own.properties,
		types.Property{Name: "type", Type: types.Str(ref.Type), Flags: fixed},
		types.Property{Name: "apiVersion", Type: types.Str(ref.Version), Flags: fixed})
	body := types.NewObject(name, radiusShapes.flags, append(ps, mirrored(ps)...), nil)
	if len(own.methods) > 0 {
		body.Methods = types.NewFunctions(body, own.methods, nil)
	}
	return body
}

// mirrored returns what is within `properties` as it can also be read beside it:
// nothing, if that would hide a property that is there.
func mirrored(ps []types.Property) (list []types.Property) {
	for _, p := range ps {
		if p.Name != "properties" {
			continue
		}
		within, _ := p.Type.Type().(*types.Object)
		if within == nil {
			return nil
		}
		for _, q := range within.Properties() {
			for i := range ps {
				if ps[i].Name == q.Name {
					return nil
				}
			}
			list = append(list, types.Property{Name: q.Name, Type: q.Type, Flags: types.ReadOnly})
		}
	}
	return list
}
