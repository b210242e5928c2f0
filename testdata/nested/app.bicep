// A container whose blobs lie in Azure: a storage account with children.
extension radius

param application string
param location string = resourceGroup().location
param accountName string = 'shop${uniqueString(resourceGroup().id)}'

resource account 'Microsoft.Storage/storageAccounts@2023-05-01' = {
  name: accountName
  location: location
  sku: {
    name: 'Standard_LRS'
  }
  kind: 'StorageV2'
  properties: {
    allowBlobPublicAccess: false
  }

  resource blobs 'blobServices' = {
    name: 'default'

    resource uploads 'containers' = {
      name: 'uploads'
    }
  }
}

resource archive 'Microsoft.Storage/storageAccounts/blobServices/containers@2023-05-01' = {
  parent: account::blobs
  name: 'archive'
  properties: {
    metadata: {
      of: account::blobs::uploads.name
    }
  }
}

resource uploader 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'uploader'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/uploader:1'
    }
    connections: {
      storage: {
        source: account.id
        iam: {
          kind: 'azure'
          roles: [
            'Storage Blob Data Contributor'
          ]
        }
      }
    }
  }
}
