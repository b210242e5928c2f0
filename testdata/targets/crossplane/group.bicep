// A resource group is found by its name.
targetScope = 'subscription'

resource group 'Microsoft.Resources/resourceGroups@2024-03-01' existing = { name: 'Shop_Group' }

module inner 'modules/data.bicep' = {
  scope: group
}
