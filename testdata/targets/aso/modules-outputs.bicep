// The outputs of a module are references, and conditions and loops are gone.
param location string = resourceGroup().location
param public bool = false

module identities 'modules/identity.bicep' = {
  params: { location: location, names: ['web'] }
}

resource registry 'Microsoft.ContainerRegistry/registries@2023-07-01' = {
  name: 'shopregistry'
  location: location
  sku: { name: 'Basic' }
  properties: {
    adminUserEnabled: null
    publicNetworkAccess: public ? 'Enabled' : 'Disabled'
    encryption: { status: 'disabled', keyVaultProperties: { identity: identities.outputs.clients[0] } }
  }
}

resource account 'Microsoft.Storage/storageAccounts@2023-01-01' = if (public) {
  name: 'shoppublic'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}
