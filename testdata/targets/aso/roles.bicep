// A role on a storage account, for an identity whose principal Azure makes up.
param location string = resourceGroup().location
var reader = subscriptionResourceId('Microsoft.Authorization/roleDefinitions', '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1')

resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'Shop_Identity'
  location: location
}

resource account 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shopdata'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
  identity: { type: 'UserAssigned', userAssignedIdentities: { '${identity.id}': {} } }
}

resource read 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account.id, identity.id, reader)
  scope: account
  properties: {
    principalId: identity.properties.principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: reader
  }
}

resource group 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(resourceGroup().id, identity.id, reader)
  properties: { principalId: identity.properties.principalId, roleDefinitionId: reader }
}
