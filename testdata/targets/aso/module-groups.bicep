// One module for two groups: one that the program makes, and one that is there.
targetScope = 'subscription'
param principal string = '11111111-1111-1111-1111-111111111111'

resource group 'Microsoft.Resources/resourceGroups@2020-06-01' = {
  name: 'data'
  location: 'westeurope'
}

module made 'modules/access.bicep' = {
  scope: group
  params: { principal: principal }
}
module there 'modules/access.bicep' = {
  scope: resourceGroup('elsewhere')
  params: { principal: principal, location: 'northeurope' }
}
