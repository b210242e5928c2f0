// A resource that is not existing has nothing to observe.
resource network 'Microsoft.Network/virtualNetworks@2024-01-01' = {
  name: 'hub'
  location: 'westeurope'
}
resource other 'Microsoft.Network/virtualNetworks@2024-01-01' existing = { name: 'spoke' }
