// Resources of several kinds with one name: each writes a config map and a secret of its own. A
// secure parameter whose default is another one each time is a key of a secret like any other.
// args: --name shop
param location string = resourceGroup().location
@secure()
param password string = newGuid()

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = { name: 'shop', location: location }

resource cluster 'Microsoft.ContainerService/managedClusters@2023-10-01' = {
  name: 'shop'
  location: location
  identity: { type: 'SystemAssigned' }
  properties: {
    dnsPrefix: 'shop'
    oidcIssuerProfile: { enabled: true }
    agentPoolProfiles: [{ name: 'system', count: 1, vmSize: 'Standard_D2s_v5', mode: 'System' }]
  }
}

resource trust 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials@2023-01-31' = {
  parent: identity
  name: 'shop'
  properties: { issuer: cluster.properties.oidcIssuerProfile.issuerURL, subject: 'shop', audiences: ['api://AzureADTokenExchange'] }
}

resource reader 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid('reader')
  scope: cluster
  properties: {
    principalId: identity.properties.principalId
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'acdd72a7-3385-48ef-bd42-f606fba81ae7')
  }
}

resource cache 'Microsoft.Cache/redis@2023-08-01' = {
  name: 'shop'
  location: location
  identity: { type: 'systemassigned,userassigned', userAssignedIdentities: { '${identity.id}': {} } }
  properties: { sku: { name: 'Basic', family: 'C', capacity: 0 } }
}

resource data 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shop'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}

resource environment 'Microsoft.App/managedEnvironments@2024-03-01' = { name: 'shop', location: location }

resource web 'Microsoft.App/containerApps@2024-03-01' = {
  name: 'shop'
  location: location
  properties: {
    environmentId: environment.id
    configuration: {
      secrets: [
        { name: 'cache', value: cache.listKeys().primaryKey }
        { name: 'data', value: data.listKeys().keys[0].value }
        { name: 'password', value: password }
      ]
    }
    template: { containers: [{ name: 'web', image: 'ghcr.io/example/web:1' }] }
  }
}
