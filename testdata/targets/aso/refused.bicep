// Everything that cannot be expressed is refused at once.
param location string = resourceGroup().location
@secure()
param token string
param when string = utcNow()

resource lock 'Microsoft.Authorization/locks@2020-05-01' = {
  name: 'keep'
  properties: { level: 'CanNotDelete' }
}

resource account 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: 'Shop-Data'
  location: location
  kind: 'StorageV9'
  sku: { name: 'Standard_LRS' }
  tags: { token: token, count: 3, when: when }
  properties: { accessTier: 1, isHnsEnabled: 'true', nope: {} }
}

resource other 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {
  name: 'other'
}

resource role 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid('a')
  properties: { principalId: other.identity.principalId, roleDefinitionId: 'Reader' }
}

@onlyIfNotExists()
resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'me'
  location: location
}

resource server 'Microsoft.DBforPostgreSQL/flexibleServers@2022-12-01' = {
  name: 'shop-db'
  location: location
  properties: { administratorLoginPassword: 'plain', storage: { storageSizeGB: 32 }, version: '${token}!' }
}

resource zone 'Microsoft.Network/privateDnsZones@2020-06-01' = {
  name: 'privatelink.blob.${environment().suffixes.storage}'
  location: 'global'
}
