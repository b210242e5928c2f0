// A kind that keeps its properties together.
param location string = resourceGroup().location

resource vault 'Microsoft.KeyVault/vaults@2021-04-01-preview' = {
  name: 'shop-vault'
  location: location
  properties: {
    tenantId: subscription().tenantId
    sku: { family: 'A', name: 'standard' }
    enableRbacAuthorization: true
    accessPolicies: []
  }
}
