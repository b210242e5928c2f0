extension kubernetes with {
  namespace: 'shop'
  kubeConfig: ''
}

extension radius

resource store 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shopdata'
  location: 'westeurope'
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}

resource known 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {
  name: 'known'
}

resource app 'Radius.Core/applications@2025-08-01-preview' = {
  name: 'shop'
  properties: { environment: 'e' }
}

resource settings 'core/ConfigMap@v1' = {
  metadata: { name: 'settings' }
  data: { store: known.name, key: known.properties.primaryEndpoints.blob }
}
