param target string
param location string

resource endpoint 'Microsoft.Network/privateEndpoints@2023-11-01' = {
  name: 'endpoint'
  location: location
  properties: { privateLinkServiceConnections: [{ name: 'one', properties: { privateLinkServiceId: target } }] }

  resource group 'privateDnsZoneGroups' = {
    name: 'default'
    properties: {}
  }
}

resource address 'Microsoft.Network/publicIPAddresses@2023-11-01' = {
  name: 'address'
  location: location
}
