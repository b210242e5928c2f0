// A container with a volume of its own and one that outlives it.
extension radius

param application string
param environment string
param vault string = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop/providers/Microsoft.KeyVault/vaults/shop'

resource secretsVolume 'Applications.Core/volumes@2023-10-01-preview' = {
  name: 'vault'
  properties: {
    application: application
    kind: 'azure.com.keyvault'
    resource: vault
    secrets: {
      connection: {
        name: 'connection-string'
        version: '1'
        encoding: 'utf-8'
      }
    }
  }
}

resource store 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'store'
  properties: {
    application: application
    environment: environment
    container: {
      image: 'ghcr.io/example/store:1'
      volumes: {
        scratch: {
          kind: 'ephemeral'
          mountPath: '/tmp/scratch'
          managedStore: 'memory'
        }
        secrets: {
          kind: 'persistent'
          mountPath: '/var/secrets'
          source: secretsVolume.id
          permission: 'read'
        }
      }
    }
  }
}
