// Resources without a kind, and all that need them, are left out and listed.
// args: --skip-unsupported
param location string = resourceGroup().location

resource vault 'Microsoft.KeyVault/vaults@2023-07-01' = {
  name: 'shopvault'
  location: location
  properties: { tenantId: subscription().tenantId, sku: { family: 'A', name: 'standard' } }

  resource password 'secrets' = {
    name: 'password'
    properties: { value: 'not here' }
  }
}

// It belongs to something that is left out.
resource access 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(vault::password.id)
  scope: vault::password
  properties: {
    principalId: '00000000-0000-0000-0000-00000000000f'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'ba92f5b4-2d11-453d-a403-e96b0029c9fe')
  }
}

// It is what the lock needs, and needs no lock.
resource store 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shopdata'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}

resource lock 'Microsoft.Authorization/locks@2020-05-01' = {
  name: 'lock'
  scope: store
  properties: { level: 'CanNotDelete' }
}

// It has the ID of what is left out, by a module.
module endpoint 'modules/endpoint.bicep' = {
  params: { target: wan.id, location: location }
}

resource wan 'Microsoft.Network/virtualWans@2023-11-01' = {
  name: 'wan'
  location: location
}

// It has a value in a text that the operator does not carry there.
resource environment 'Microsoft.App/managedEnvironments@2024-03-01' = {
  name: 'shop-env'
  location: location
  properties: {
    appLogsConfiguration: { destination: 'log-analytics', logAnalyticsConfiguration: { customerId: logs.properties.customerId } }
  }
}

resource logs 'Microsoft.OperationalInsights/workspaces@2021-06-01' = {
  name: 'shop-logs'
  location: location
}
