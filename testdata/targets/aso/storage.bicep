// A storage account with its children, which Bicep nests. The blob service has a fixed name.
param location string = resourceGroup().location

resource account 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'shop${uniqueString(resourceGroup().id)}'
  location: location
  kind: 'storagev2'
  sku: { name: 'standard_lrs' }
  properties: {
    accessTier: 'hot'
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    networkAcls: { defaultAction: 'Deny', ipRules: [{ value: '203.0.113.7', action: 'Allow' }] }
  }

  resource blobs 'blobServices' = {
    name: 'default'
    properties: { deleteRetentionPolicy: { enabled: true, days: 7 } }

    resource images 'containers' = {
      name: 'images'
      properties: { publicAccess: 'None' }
    }
  }
  resource queues 'queueServices' = {
    name: 'default'

    resource orders 'queues' = [for name in ['orders', 'returns']: {
      name: name
    }]
  }
}
