// What exists already is referred to by its ID.
param location string = resourceGroup().location

resource network 'Microsoft.Network/virtualNetworks@2020-11-01' existing = {
  name: 'hub'
  scope: resourceGroup('network')

  resource web 'subnets' existing = { name: 'web' }
}

resource local 'Microsoft.Network/virtualNetworks@2020-11-01' existing = {
  name: 'spoke'
}

resource extra 'Microsoft.Network/virtualNetworks/subnets@2020-11-01' = {
  parent: local
  name: 'extra'
  properties: { addressPrefix: '10.1.9.0/24' }
}

resource nic 'Microsoft.Network/networkInterfaces@2022-07-01' = {
  name: 'nic'
  location: location
  properties: { ipConfigurations: [{ name: 'one', properties: { subnet: { id: network::web.id } } }] }
}
