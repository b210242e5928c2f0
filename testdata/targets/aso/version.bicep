// Versions that the operator lacks: a warning each, and a property that only they have is an error.
param location string = resourceGroup().location

resource address 'Microsoft.Network/publicIPAddresses@2022-07-01' = {
  name: 'shop-ip'
  location: location
  sku: { name: 'Standard' }
  properties: { publicIPAllocationMethod: 'Static' }
}

resource newer 'Microsoft.Storage/storageAccounts@2024-01-01' = {
  name: 'shopdata'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}
