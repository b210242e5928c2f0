// A program for a subscription makes the group, which owns what its module makes.
targetScope = 'subscription'
param location string = deployment().location

resource group 'Microsoft.Resources/resourceGroups@2020-06-01' = {
  name: 'Shop_Group'
  location: location
}

module identity 'modules/identity.bicep' = {
  scope: group
  params: { location: location, names: ['web', 'worker'] }
}
