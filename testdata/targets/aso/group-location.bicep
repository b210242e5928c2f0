// The location of a group that the program does not make is given by no flag.
targetScope = 'subscription'

module there 'modules/access.bicep' = {
  scope: resourceGroup('elsewhere')
  params: { principal: '11111111-1111-1111-1111-111111111111' }
}
