param name string
param location string

resource account 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shop${name}'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }

  resource blobs 'blobServices' = {
    name: 'default'
  }
}

resource containers 'Microsoft.Storage/storageAccounts/blobServices/containers@2023-01-01' = [for i in range(0, 2): {
  parent: account::blobs
  name: 'box${i}'
}]
