// Keys of a storage account go from the operator's secret into a container app.
param location string = resourceGroup().location

resource account 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shopdata'
  location: location
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}

resource environment 'Microsoft.App/managedEnvironments@2024-03-01' = {
  name: 'shop-env'
  location: location
}

resource app 'Microsoft.App/containerApps@2024-03-01' = {
  name: 'shop'
  location: location
  properties: {
    environmentId: environment.id
    configuration: { secrets: [{ name: 'key', value: account.listKeys().keys[0].value }] }
    template: { containers: [{ name: 'web', image: 'ghcr.io/example/web:1', env: [{ name: 'KEY', secretRef: 'key' }] }] }
  }
}
