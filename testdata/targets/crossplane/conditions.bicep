// Conditions that are known, and one symbol for what another names as well.
param watched bool = true

resource first 'Microsoft.Storage/storageAccounts@2023-01-01' existing = { name: 'shopdata' }
module again 'modules/data.bicep' = {}
resource some 'Microsoft.Storage/storageAccounts@2023-01-01' existing = [for name in (watched ? ['one', 'two'] : []): {
  name: 'shop${name}'
}]
