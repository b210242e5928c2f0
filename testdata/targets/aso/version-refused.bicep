// A property that the version of the operator lacks is never dropped.
param location string = resourceGroup().location

resource account 'Microsoft.Storage/storageAccounts@2024-01-01' = {
  name: 'shopdata'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
  properties: { enableExtendedGroups: true, accessTier: 'Hot' }
}
