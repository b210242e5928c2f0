// Providers find most resources in the subscription of their configuration, and in no other one.
resource here 'Microsoft.Storage/storageAccounts@2023-01-01' existing = { name: 'shopdata' }

resource there 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {
  name: 'shopdata'
  scope: resourceGroup('00000000-0000-0000-0000-000000000009', 'apps')
}

// By its ID, it is found in any.
resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' existing = {
  name: 'shop'
  scope: resourceGroup('00000000-0000-0000-0000-000000000009', 'apps')
}
