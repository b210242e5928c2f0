// The principal of a system-assigned identity has no export of its own: an expression makes one.
param location string = resourceGroup().location

resource account 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shopdata'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
  identity: { type: 'systemAssigned' }
}

resource role 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account.id, 'reader')
  properties: {
    principalId: account.identity.principalId
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1')
  }
}
