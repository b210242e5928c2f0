resource account 'Microsoft.Storage/storageAccounts@2023-01-01' existing = { name: 'shopdata' }
resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = { name: 'shop-vault' }
