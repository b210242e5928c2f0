// What Azure Service Operator makes: an identity, and its access to a storage account.
param location string = resourceGroup().location

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'shop'
  location: location
}

resource store 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shopdata'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}

resource access 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(store.id, identity.id)
  scope: store
  properties: {
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'ba92f5b4-2d11-453d-a403-e96b0029c9fe')
  }
}
