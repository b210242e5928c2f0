// A secure parameter is a key of a secret that somebody makes; its value is nowhere.
// args: --name shop
param location string = resourceGroup().location
@secure()
param adminPassword string

resource server 'Microsoft.DBforPostgreSQL/flexibleServers@2022-12-01' = {
  name: 'shop-db'
  location: location
  sku: { name: 'Standard_B1ms', tier: 'burstable' }
  properties: {
    version: '14'
    administratorLogin: 'shopadmin'
    administratorLoginPassword: adminPassword
    storage: { storageSizeGB: 32 }
  }

  resource orders 'databases' = { name: 'orders' }
  resource tls 'configurations' = { name: 'require_secure_transport', properties: { value: 'on', source: 'user-override' } }
}
