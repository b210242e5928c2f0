// Objects of what exists already, which the operator only reads: names instead of IDs, and values of them.
// args: --existing skip --existing shop=refer --reconcile-policy detach-on-delete --credential-from hub=network
param location string = resourceGroup().location

resource hub 'Microsoft.Network/virtualNetworks@2020-11-01' existing = {
  name: 'hub'
  scope: resourceGroup('network')

  resource web 'subnets' existing = { name: 'web' }
}

resource who 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' existing = { name: 'who' }

// The same as in the module, which makes it.
resource made 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' existing = { name: 'shop' }

// A kind that requires more than Bicep says of it.
resource shop 'Microsoft.Storage/storageAccounts@2023-01-01' existing = { name: 'shopdata' }

// A type that the operator does not have.
resource lock 'Microsoft.Authorization/locks@2020-05-01' existing = { name: 'lock' }

resource nic 'Microsoft.Network/networkInterfaces@2022-07-01' = {
  name: 'nic'
  location: location
  tags: { lock: lock.id }
  properties: { ipConfigurations: [{ name: 'one', properties: { subnet: { id: hub::web.id } } }] }
}

module access 'modules/access.bicep' = {
  params: { principal: 'f', location: location }
}

resource grants 'Microsoft.Authorization/roleAssignments@2022-04-01' = [for i in range(0, 2): {
  name: guid(string(i))
  scope: shop
  properties: {
    principalId: i == 0 ? who.properties.principalId : made.properties.principalId
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', 'ba92f5b4-2d11-453d-a403-e96b0029c9fe')
  }
}]
